//! Streams of many searches within their caller's quota: each step first reserves the
//! time that its searches may need.

use std::sync::Arc;

use pentad_engine::{
    Caller, Engine, EngineError, PuzzleUpdate, Puzzles, QuestionLimits, Review, ReviewUpdate, VariantRef,
};

use crate::access::Admission;
use crate::error::ApiError;

/// A call of many searches.
pub(crate) trait SteppedCall: Send + 'static {
    type Update: Send;
    /// Limits of the searches of the next step; `None` if it needs none.
    fn next_limits(&self) -> Option<QuestionLimits>;
    fn next(&mut self) -> impl Future<Output = Option<Result<Self::Update, EngineError>>> + Send;
    fn variant(&self) -> &VariantRef;
}

impl SteppedCall for Review {
    type Update = ReviewUpdate;

    fn next_limits(&self) -> Option<QuestionLimits> {
        self.next_limits()
    }

    async fn next(&mut self) -> Option<Result<ReviewUpdate, EngineError>> {
        self.next().await
    }

    fn variant(&self) -> &VariantRef {
        self.variant()
    }
}

impl SteppedCall for Puzzles {
    type Update = PuzzleUpdate;

    fn next_limits(&self) -> Option<QuestionLimits> {
        self.next_limits()
    }

    async fn next(&mut self) -> Option<Result<PuzzleUpdate, EngineError>> {
        self.next().await
    }

    fn variant(&self) -> &VariantRef {
        self.variant()
    }
}

/// A stepped call and the quota that pays for it.
pub(crate) struct QuotaStream<C> {
    engine: Arc<Engine>,
    admission: Admission,
    caller: Caller,
    call: C,
}

impl<C: SteppedCall> QuotaStream<C> {
    /// Fails if the quota does not allow the first step.
    pub(crate) fn new(engine: &Arc<Engine>, admission: Admission, caller: Caller, call: C) -> Result<Self, ApiError> {
        if let Some(limits) = call.next_limits() {
            admission.admit_search(engine, limits, &caller)?;
        }
        Ok(QuotaStream { engine: Arc::clone(engine), admission, caller, call })
    }

    pub(crate) fn variant(&self) -> &VariantRef {
        self.call.variant()
    }

    /// Returns the next message, after waiting for quota if necessary.
    pub(crate) async fn next(&mut self) -> Result<C::Update, ApiError> {
        if let Some(limits) = self.call.next_limits() {
            self.admission.admit_next_search(&self.engine, limits, &self.caller).await?;
        }
        let update = self.call.next().await;
        let message = || "a stream ended without its last message".to_owned();
        Ok(update.unwrap_or_else(|| Err(EngineError::Internal { message: message() }))?)
    }
}
