//! The answers of a stream, one line of JSON each.

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;

use super::failure::{Problem, with_causes};
use super::{Answer, Body, Failure, unwrapped};

/// Answers until the stream ends; dropping this stops the work for it.
pub(in crate::cli) struct AnswerLines {
    body: Body,
    buffer: BytesMut,
    server: Option<String>,
}

impl AnswerLines {
    pub(super) fn new(body: Body, server: Option<String>) -> AnswerLines {
        AnswerLines { body, buffer: BytesMut::new(), server }
    }

    /// Returns the next answer; fails if the stream ended with an error.
    pub(in crate::cli) async fn next(&mut self) -> Result<Option<Answer>, Failure> {
        let Some(Answer(line)) = self.next_as_it_is().await? else { return Ok(None) };
        let unexpected = |message: String| Failure::Unexpected { message }.at(self.server.clone());
        if let Some(problem) = unwrapped(&line, "error") {
            let problem: Problem = serde_json::from_str(problem).map_err(|error| unexpected(error.to_string()))?;
            return Err(Failure::Refused { problem, server: self.server.clone() });
        }
        Ok(Some(Answer(line)))
    }

    /// Returns the next answer of a stream that has a last one, which was not given yet.
    pub(in crate::cli) async fn expect_next(&mut self) -> Result<Answer, Failure> {
        match self.next().await? {
            Some(answer) => Ok(answer),
            None => {
                Err(Failure::broken_off(self.server.clone(), "the stream ended without its last message".to_owned()))
            }
        }
    }

    /// Returns the next line, which may be the error of a part of the stream.
    pub(super) async fn next_as_it_is(&mut self) -> Result<Option<Answer>, Failure> {
        let Some(line) = self.next_line().await? else { return Ok(None) };
        let not_text = |_| Failure::Unexpected { message: "it is not UTF-8".to_owned() }.at(self.server.clone());
        String::from_utf8(line.into()).map(Answer).map(Some).map_err(not_text)
    }

    async fn next_line(&mut self) -> Result<Option<Bytes>, Failure> {
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line = self.buffer.split_to(end + 1).freeze().slice(..end);
                if !line.trim_ascii().is_empty() {
                    return Ok(Some(line));
                }
                continue;
            }
            match self.body.frame().await {
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.buffer.extend_from_slice(&data);
                    }
                }
                Some(Err(error)) => return Err(Failure::broken_off(self.server.clone(), with_causes(&*error))),
                None if self.buffer.is_empty() => return Ok(None),
                None => {
                    let cause = "the last line is incomplete".to_owned();
                    return Err(Failure::broken_off(self.server.clone(), cause));
                }
            }
        }
    }
}
