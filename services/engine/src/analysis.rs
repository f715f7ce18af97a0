//! Answers that improve.

use std::sync::Arc;

use crate::answer::Hints;
use crate::asked::Asked;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::findings::Findings;
use crate::question::Caller;

/// A stream of improving answers. Dropping it ends the search.
pub struct Analysis {
    engine: Arc<Engine>,
    asked: Asked,
    caller: Caller,
    /// `None` after the last word.
    findings: Option<Findings>,
}

impl std::fmt::Debug for Analysis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analysis").field("game", &self.asked.game.id).finish_non_exhaustive()
    }
}

impl Analysis {
    pub(crate) fn start(engine: Arc<Engine>, asked: Asked, caller: Caller) -> Result<Self, EngineError> {
        let findings = Some(Findings::start(&engine, &asked, &caller)?);
        Ok(Analysis { engine, asked, caller, findings })
    }

    /// The next improvement; the last one has its stop reason set. `None`
    /// after that, or after an error.
    pub async fn next(&mut self) -> Option<Result<Hints, EngineError>> {
        let (snapshot, cached) = match self.findings.as_mut()?.next(&self.engine, &self.asked, &self.caller).await {
            Ok(found) => found,
            Err(error) => {
                self.findings = None;
                return Some(Err(error));
            }
        };
        if snapshot.stop.is_some() {
            self.findings = None;
        }
        let assembled = self.engine.assemble(&self.asked, &snapshot, &self.caller).await;
        Some(assembled.map(|mut hints| {
            hints.cached = cached;
            hints.elapsed = self.caller.arrived.elapsed();
            if hints.stop.is_some() {
                self.engine.observer.evaluation_given(&self.asked.game.id, &hints.evaluation);
            }
            hints
        }))
    }
}
