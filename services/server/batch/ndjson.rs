//! Batches as lines of JSON, for REST and the command line.

use std::cell::RefCell;
use std::fmt;

use bytes::Bytes;
#[cfg(any(test, feature = "fuzzing"))]
use futures_util::FutureExt;
use futures_util::{Stream, stream};
use pentad_engine::Priority;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use super::lines::{Line, LineReader};
use super::{Done, Input, Item, Output, Progress};
use crate::calls::kinds::{Kind, Question};
use crate::error::ApiError;
use crate::rest::{Problem, json_error};

/// Reads lines as inputs. An invalid line is an error of its own; an error of the body
/// ends the stream.
pub(crate) fn inputs<S>(pieces: S, len_max: usize) -> impl Stream<Item = Result<Input, ApiError>> + Send + Unpin
where
    S: Stream<Item = Result<Bytes, ApiError>> + Send + Unpin + 'static,
{
    Box::pin(stream::unfold(LineReader::new(pieces, len_max), move |mut lines| async move {
        let line = lines.next().await?;
        Some((line.map(|line| input(&line, len_max)), lines))
    }))
}

/// Reads arbitrary bytes as a body, in one piece and in small ones. Both give the same
/// lines, each of them is an input, and an error is the caller's mistake and has a text.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn read_arbitrary_lines(bytes: &[u8]) {
    const LEN_MAX: usize = 256;
    let lines = |piece_len: usize| {
        let pieces = bytes.chunks(piece_len.max(1)).map(|piece| Ok::<_, ApiError>(Bytes::copy_from_slice(piece)));
        let mut reader = LineReader::new(stream::iter(pieces.collect::<Vec<_>>()), LEN_MAX);
        let mut lines = Vec::new();
        while let Some(Some(Ok(line))) = reader.next().now_or_never() {
            lines.push(line);
        }
        lines
    };
    let whole = lines(bytes.len());
    assert_eq!(lines(3), whole);
    for read in &whole {
        assert!(read.text.len() <= LEN_MAX && read.number > 0, "{read:?}");
        if let Input::Malformed { id, line: number, error } = input(read, LEN_MAX) {
            assert!(error.mapping().status.is_client_error() && !error.message().is_empty(), "{error:?}");
            let written = line(Output::Error { id, line: number, error }, "");
            let _problem: Value = serde_json::from_slice(&written).expect("an error is JSON");
        }
    }
}

/// Parses a line.
pub(crate) fn input(line: &Line, len_max: usize) -> Input {
    let malformed = |error| Input::Malformed { id: find_id(&line.text), line: line.number, error };
    if line.is_cut {
        let message = format!("the line is longer than {len_max} bytes");
        return malformed(ApiError::TooLarge { field: String::new(), message });
    }
    parse(line).unwrap_or_else(malformed)
}

/// Finds the `id` of a line, even if the rest is invalid.
pub(crate) fn find_id(text: &[u8]) -> Option<String> {
    let found = RefCell::new(None);
    // Fields before an error are read.
    let _ = IdFinder(&found).deserialize(&mut serde_json::Deserializer::from_slice(text));
    found.into_inner().filter(|id| id.len() <= super::ID_LEN_MAX)
}

fn parse(line: &Line) -> Result<Input, ApiError> {
    fn bad(field: &str, message: impl Into<String>) -> ApiError {
        ApiError::bad_request(field, message)
    }
    let not_json = |error: serde_json::Error| {
        let why = match error.is_data() {
            true => "it is another value".to_owned(),
            false => json_error::malformed(&error).replace(" at line 1,", ""),
        };
        bad("", format!("line {} is not a JSON object: {why}", line.number))
    };
    let mut fields: Map<String, Value> = serde_json::from_slice(&line.text).map_err(not_json)?;
    let mut text = |name: &str| match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(bad(name, "must be a string")),
    };
    if let Some(cancelled) = text("cancel")? {
        return match fields.keys().next() {
            None => Ok(Input::Cancel(cancelled)),
            Some(field) => Err(bad(field, "`cancel` stands alone")),
        };
    }
    let kinds = || Kind::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
    let (id, kind, game, priority) = (text("id")?, text("kind")?, text("game")?, text("priority")?);
    let id = id.ok_or_else(|| bad("id", "every question needs an id"))?;
    let kind = kind.ok_or_else(|| bad("kind", format!("say what is asked for: {}", kinds())))?;
    let kind = Kind::from_name(&kind).ok_or_else(|| bad("kind", format!("`{kind}` is none of {}", kinds())))?;
    let game = game.ok_or_else(|| bad("game", "say which game it is about"))?;
    let priority = match priority.as_deref() {
        Some("low") => Priority::Low,
        None | Some("normal") => Priority::Normal,
        Some("high") => Priority::High,
        Some(other) => return Err(bad("priority", format!("`{other}` is none of low, normal, high"))),
    };
    let question = Question::from_json(kind, game, fields)?;
    Ok(Input::Question(Item { id, line: line.number, priority, question, len: line.text.len() }))
}

/// Writes an output as a line.
pub(crate) fn line(output: Output, request_id: &str) -> Vec<u8> {
    let value = match output {
        Output::Answer { id, answer } => {
            let mut line = format!("{{\"id\":{},\"answer\":", Value::from(id)).into_bytes();
            // Writing our own types to memory cannot fail.
            answer.write_json(&mut line).expect("answers are JSON");
            line.extend_from_slice(b"}\n");
            return line;
        }
        Output::Error { id, line, error } => {
            let mut object = Map::new();
            object.extend(id.map(|id| ("id".to_owned(), id.into())));
            object.extend((line > 0).then(|| ("line".to_owned(), line.into())));
            let problem = serde_json::to_value(Problem::new(&error, request_id)).unwrap_or_default();
            object.insert("error".to_owned(), problem);
            Value::Object(object)
        }
        Output::Cancelled { id } => json!({ "cancelled": id }),
        Output::Progress(Progress { answered, failed, cancelled, pending }) => {
            json!({"progress": {"answered": answered, "failed": failed, "cancelled": cancelled, "pending": pending}})
        }
        Output::Done(Done { answered, failed, cancelled, is_complete }) => {
            json!({"done": {"answered": answered, "failed": failed, "cancelled": cancelled, "complete": is_complete}})
        }
    };
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// Notes the `id` of an object as soon as it is read.
struct IdFinder<'a>(&'a RefCell<Option<String>>);

impl<'de> DeserializeSeed<'de> for IdFinder<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for IdFinder<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "id" {
                *self.0.borrow_mut() = map.next_value::<Value>()?.as_str().map(str::to_owned);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Input {
        input(&Line { number: 7, text: Bytes::copy_from_slice(text.as_bytes()), is_cut: false }, 1000)
    }

    fn error(text: &str) -> (Option<String>, String, String) {
        match read(text) {
            Input::Malformed { id, line: 7, error } => {
                (id, error.details().field.unwrap_or_default(), error.to_string())
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    /// Questions of every kind, with and without a priority, and cancelling.
    #[test]
    fn questions_are_read() {
        for kind in Kind::ALL {
            let text = format!(r#"{{"id": "x", "kind": "{}", "game": "pentago", "moves": ["c3-2r"]}}"#, kind.as_str());
            let Input::Question(item) = read(&text) else { panic!("{text}") };
            assert_eq!((item.id.as_str(), item.priority, item.question.kind()), ("x", Priority::Normal, *kind));
        }
        let Input::Question(item) = read(r#"{"id":"x","kind":"position","game":"g","priority":"high"}"#) else {
            panic!("it is a question")
        };
        assert_eq!(item.priority, Priority::High);
        assert!(matches!(read(r#" {"cancel": "x"} "#), Input::Cancel(id) if id == "x"));
    }

    /// Every error names the field, and the id if one can be found.
    #[test]
    fn errors_name_the_question_and_the_field() {
        let x = Some("x".to_owned());
        for (text, id, field, part) in [
            (r#"{"kind":"hints","game":"pentago"}"#, None, "id", "needs an id"),
            (r#"{"id":7,"kind":"hints","game":"pentago"}"#, None, "id", "must be a string"),
            (r#"{"id":"x","game":"pentago"}"#, x.clone(), "kind", "position, legal-moves, evaluation, hints, compare"),
            (r#"{"id":"x","kind":"magic","game":"pentago"}"#, x.clone(), "kind", "`magic` is none of"),
            (r#"{"id":"x","kind":"hints"}"#, x.clone(), "game", "which game"),
            (r#"{"id":"x","kind":"hints","game":"g","priority":"urgent"}"#, x.clone(), "priority", "low, normal, high"),
            (r#"{"id":"x","kind":"hints","game":"g","limts":{}}"#, x.clone(), "limts", "there is no field"),
            (
                r#"{"id":"x","kind":"hints","game":"g","limits":{"timeMs":"1"}}"#,
                x.clone(),
                "limits.timeMs",
                "must be a whole number",
            ),
            (r#"{"id":"x","kind":"position","game":"g","count":1}"#, x.clone(), "count", "there is no field"),
            (r#"{"cancel":"x","id":"y"}"#, Some("y".to_owned()), "id", "stands alone"),
            (
                r#"{"id":"x","kind":oops}"#,
                x.clone(),
                "",
                "line 7 is not a JSON object: a character is unexpected, column 18",
            ),
            (r#"{"kind":oops,"id":"x"}"#, None, "", "line 7"),
            ("[1]", None, "", "line 7 is not a JSON object"),
            ("null", None, "", "line 7"),
            ("{} {}", None, "", "line 7"),
        ] {
            let (found_id, found_field, message) = error(text);
            assert_eq!((found_id, found_field.as_str()), (id, field), "{text}: {message}");
            assert!(message.contains(part), "{text}: {message}");
        }
        let cut = Line { number: 3, text: Bytes::from_static(b"{\"id\":\"x\",\"moves\":[\"aaaa"), is_cut: true };
        let Input::Malformed { id, line: 3, error } = input(&cut, 20) else { panic!("it is too long") };
        assert_eq!((id, error.mapping().reason.as_str()), (x, "too_large"));
    }
}
