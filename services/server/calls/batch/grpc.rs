//! `Analysis.Batch`: messages to a [`Batch`] and back.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use pentad_engine::Priority;
use prost::Message;
use tonic::{Code, Streaming};

use crate::app::App;
use crate::batch::{Batch, BatchContext, Done, Input, Item, Output, Progress};
use crate::calls::kinds::Question;
use crate::calls::{AdmittedCaller, Method};
use crate::error::ApiError;
use crate::grpc::{MessageStream, Rpc};
use crate::proto::batch_request::Message as RequestMessage;
use crate::proto::batch_response::Message as ResponseMessage;
use crate::proto::{self, BatchRequest, BatchResponse};
use crate::streams::StreamPlace;

/// Answers until the caller's messages end. Dropping the stream cancels all of it.
pub(crate) fn start(app: &Arc<App>, rpc: &Rpc, messages: Streaming<BatchRequest>) -> Result<Started, ApiError> {
    let AdmittedCaller { caller, admission } = rpc.admitted();
    let config = app.config();
    let place = app.streams.begin(Method::Batch, caller.key, &config)?;
    let telemetry = Arc::clone(&app.telemetry);
    let context = BatchContext {
        engine: Arc::clone(&app.engine),
        window: config.batch_window,
        idle_timeout: Some(Duration::from_millis(config.body_timeout_ms)),
        deadline: caller.deadline,
        caller: caller.key,
        language: caller.language,
        skips_cache: caller.skips_cache,
        trace: caller.trace,
        reservation: Some(admission.reservation),
        count: Box::new(move |kind, result| telemetry.count_batch_item(kind, result)),
    };
    let inputs = inputs(messages, config.body_bytes_max);
    let outputs = Batch::new(context, inputs, Box::pin(app.closing())).outputs();
    Ok(Started { outputs: Box::pin(outputs), place })
}

/// A batch that has its place.
pub(crate) struct Started {
    outputs: Pin<Box<dyn Stream<Item = Output> + Send>>,
    place: StreamPlace,
}

impl Started {
    pub(crate) fn responses(self, rpc: Rpc) -> MessageStream<BatchResponse> {
        let Started { outputs, place } = self;
        Box::pin(stream::unfold(Some((outputs, rpc, place)), async |state| {
            let (mut outputs, rpc, place) = state?;
            let Some(output) = outputs.next().await else {
                rpc.finish(Code::Ok);
                return None;
            };
            let is_last = matches!(output, Output::Done(_));
            let response = Ok(BatchResponse { message: Some(response(output)) });
            if is_last {
                rpc.finish(Code::Ok);
                return Some((response, None));
            }
            Some((response, Some((outputs, rpc, place))))
        }))
    }
}

fn inputs(
    messages: Streaming<BatchRequest>,
    bytes_max: usize,
) -> impl Stream<Item = Result<Input, ApiError>> + Send + Unpin {
    let mut n_messages = 0;
    messages.map(move |message| {
        n_messages += 1;
        match message {
            Ok(message) => Ok(input(message, n_messages)),
            // What follows cannot be delimited.
            Err(status) => Err(match status.code() {
                Code::OutOfRange | Code::ResourceExhausted => ApiError::BodyTooLarge { bytes_max },
                _ => ApiError::bad_request("", format!("message {n_messages}: {}", status.message())),
            }),
        }
    })
}

#[cfg(any(test, feature = "fuzzing"))]
/// Reads an arbitrary message; an error is the caller's mistake and has a text.
pub(crate) fn read_arbitrary_message(message: BatchRequest) {
    if let Input::Malformed { id, line, error } = input(message, 1) {
        assert!(error.mapping().status.is_client_error(), "{error:?}");
        assert!(!self::error(id, line, error).detail.is_empty());
    }
}

fn input(message: BatchRequest, line: u64) -> Input {
    let len = message.encoded_len();
    let question = match message.message {
        Some(RequestMessage::Cancel(id)) => return Input::Cancel(id),
        Some(RequestMessage::Question(question)) => question,
        None => {
            let error = ApiError::bad_request("", "the message is neither a question nor `cancel`");
            return Input::Malformed { id: None, line, error };
        }
    };
    let id = question.id.clone();
    let item = priority(question.priority).and_then(|priority| {
        let asked = question.question.ok_or_else(|| ApiError::bad_request("question", "say what is asked for"))?;
        Ok(Item { id: question.id, line, priority, question: Question::from_proto(asked)?, len })
    });
    match item {
        Ok(item) => Input::Question(item),
        Err(error) => Input::Malformed { id: Some(id).filter(|id| !id.is_empty()), line, error },
    }
}

fn priority(number: i32) -> Result<Priority, ApiError> {
    let unknown = |_| ApiError::bad_request("priority", format!("unknown priority {number}"));
    Ok(match proto::Priority::try_from(number).map_err(unknown)? {
        proto::Priority::Low => Priority::Low,
        proto::Priority::Unspecified | proto::Priority::Normal => Priority::Normal,
        proto::Priority::High => Priority::High,
    })
}

fn response(output: Output) -> ResponseMessage {
    match output {
        Output::Answer { id, answer } => {
            ResponseMessage::Answer(proto::BatchAnswer { id, answer: Some(answer.into_proto()) })
        }
        Output::Error { id, line, error } => ResponseMessage::Error(self::error(id, line, error)),
        Output::Cancelled { id } => ResponseMessage::Cancelled(id),
        Output::Progress(Progress { answered, failed, cancelled, pending }) => {
            ResponseMessage::Progress(proto::BatchProgress { answered, failed, cancelled, pending })
        }
        Output::Done(Done { answered, failed, cancelled, is_complete }) => {
            ResponseMessage::Done(proto::BatchDone { answered, failed, cancelled, complete: is_complete })
        }
    }
}

fn error(id: Option<String>, line: u64, error: ApiError) -> proto::BatchError {
    let error = error.with_proto_field();
    let (mapping, details) = (error.mapping(), error.details());
    proto::BatchError {
        id: id.unwrap_or_default(),
        line,
        code: mapping.code as i32,
        reason: mapping.reason.as_str().to_owned(),
        detail: error.message(),
        field: details.field.unwrap_or_default(),
        column: details.column,
        index: details.index.and_then(|index| u32::try_from(index).ok()),
        retry_after_ms: details.retry_after.map(|after| u64::try_from(after.as_millis()).unwrap_or(u64::MAX)),
    }
}
