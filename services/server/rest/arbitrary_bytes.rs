//! Reads arbitrary JSON and query parameters as questions.

use std::fmt::Write as _;

use pentad_engine::{Detail, HintQuestion, MovesQuestion, PositionSpec};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::body;
use super::query::Params;
use crate::calls::{
    PositionCall, analysis, compare, evaluation, explorer, hints, judge, legal_moves, position, puzzles, review,
    threats,
};
use crate::error::ApiError;

/// Reads a body as every question; a question that is read means the same when it is
/// written and read again, as a body and as parameters.
pub(crate) fn read_json(bytes: &[u8]) {
    if let Some(question) = accepted(body::parse(bytes)) {
        check_hints(&hints::Call::question(String::new(), question));
    }
    if let Some(question) = accepted(body::parse(bytes)) {
        check_moves(&legal_moves::Call::question(String::new(), question));
    }
    if let Some(question) = accepted(body::parse(bytes)) {
        let (spec, limits) = evaluation::Call::question(String::new(), question);
        check_hints(&HintQuestion { limits, ..HintQuestion::new(spec) });
    }
    if let Some(question) = accepted(body::parse(bytes)) {
        check_hints(&HintQuestion::new(position::Call::question(String::new(), question)));
    }
    // These have no other form to be written in and compared with.
    accepted(body::parse::<review::ReviewQuestion>(bytes));
    accepted(body::parse::<judge::JudgeQuestion>(bytes));
    accepted(body::parse::<puzzles::PuzzleQuestion>(bytes));
    accepted(body::parse::<analysis::AnalysisQuestion>(bytes));
    accepted(body::parse(bytes)).map(|question| compare::Call::question(String::new(), question));
    accepted(body::parse(bytes)).map(|question| explorer::Call::question(String::new(), question));
    accepted(body::parse(bytes)).map(|question| threats::Call::question(String::new(), question));
}

/// As [`read_json`], for the part of an address behind the question mark.
pub(crate) fn read_query(query: &str) {
    let params = || accepted(Params::parse(query));
    if let Some(question) = params().and_then(|params| accepted(params.hints())) {
        check_hints(&hints::Call::question(String::new(), question));
    }
    if let Some(question) = params().and_then(|params| accepted(params.moves())) {
        check_moves(&legal_moves::Call::question(String::new(), question));
    }
    if let Some(question) = params().and_then(|params| accepted(params.evaluation())) {
        let (spec, limits) = evaluation::Call::question(String::new(), question);
        check_hints(&HintQuestion { limits, ..HintQuestion::new(spec) });
    }
    if let Some(question) = params().and_then(|params| accepted(params.position())) {
        check_hints(&HintQuestion::new(position::Call::question(String::new(), question)));
    }
}

/// Checks that a refusal is the caller's mistake and has a message.
fn accepted<T>(read: Result<T, ApiError>) -> Option<T> {
    match read {
        Ok(question) => Some(question),
        Err(error) => {
            assert!(error.mapping().status.is_client_error() && !error.message().is_empty(), "{error:?}");
            let _written = serde_json::to_string(&super::Problem::new(&error, "")).expect("a problem is JSON");
            None
        }
    }
}

fn check_hints(question: &HintQuestion) {
    let HintQuestion { spec, limits, count, level, seed, detail, allow_moves, avoid_moves, policy, .. } = question;
    let mut fields = spec_fields(spec);
    fields.insert("limits".to_owned(), json!({"nodes": limits.nodes, "depth": limits.depth}));
    if let Some(time) = limits.time {
        fields["limits"]["timeMs"] = json!(u64::try_from(time.as_millis()).expect("it came from milliseconds"));
    }
    let more = [
        ("count", json!(count)),
        ("level", json!(level)),
        ("seed", json!(seed)),
        ("detail", json!(detail_name(*detail))),
        ("allowMoves", json!(allow_moves)),
        ("avoidMoves", json!(avoid_moves)),
        ("policy", json!(policy)),
    ];
    fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
    let again = body::parse(&body_of(&fields)).map(|question| hints::Call::question(String::new(), question));
    assert_eq!(again.expect("it was accepted before"), *question);
    // Parameters cannot say "no limit" by a zero, and a list has no empty elements.
    let is_zero = limits.time.is_some_and(|time| time.is_zero()) || limits.nodes == Some(0) || limits.depth == Some(0);
    if !is_zero && [&spec.moves, allow_moves, avoid_moves].into_iter().flatten().all(|mv| is_list_element(mv)) {
        let again = Params::parse(&query_of(&fields)).and_then(Params::hints);
        assert_eq!(hints::Call::question(String::new(), again.expect("it was accepted before")), *question);
    }
}

fn check_moves(question: &MovesQuestion) {
    let MovesQuestion { spec, prefix, page_size, page_token, distinct, texts } = question;
    let mut fields = spec_fields(spec);
    let more = [
        ("prefix", json!(prefix)),
        ("pageSize", json!(page_size)),
        ("pageToken", json!(page_token)),
        ("distinct", json!(distinct)),
        ("texts", json!(texts.is_some())),
    ];
    fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
    let again = body::parse(&body_of(&fields)).map(|question| legal_moves::Call::question(String::new(), question));
    assert_eq!(again.expect("it was accepted before"), *question);
    if spec.moves.iter().all(|mv| is_list_element(mv)) {
        let again = Params::parse(&query_of(&fields)).and_then(Params::moves);
        assert_eq!(legal_moves::Call::question(String::new(), again.expect("it was accepted before")), *question);
    }
}

fn spec_fields(spec: &PositionSpec) -> Map<String, Value> {
    let PositionSpec { variant, position, moves, .. } = spec;
    let fields = json!({"variant": variant, "position": position, "moves": moves});
    fields.as_object().cloned().expect("it is an object")
}

fn detail_name(detail: Detail) -> &'static str {
    match detail {
        Detail::Nudge => "nudge",
        Detail::Area => "area",
        Detail::Move => "move",
        Detail::Line => "line",
    }
}

fn is_list_element(text: &str) -> bool {
    !text.is_empty() && !text.contains([',', ' '])
}

fn body_of(fields: &Map<String, Value>) -> Vec<u8> {
    serde_json::to_vec(fields).expect("texts and numbers are JSON")
}

/// The same fields as parameters; null and nothing are left out.
fn query_of(fields: &Map<String, Value>) -> String {
    let mut query = String::new();
    let mut add = |name: &str, value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        write!(query, "&{name}={}", utf8_percent_encode(&text, NON_ALPHANUMERIC)).expect("a string takes all");
    };
    for (name, value) in fields {
        match value {
            Value::Null => {}
            Value::Array(items) => items.iter().for_each(|item| add(name, item)),
            Value::Object(limits) => {
                limits.iter().filter(|(_, limit)| !limit.is_null()).for_each(|(name, limit)| add(name, limit));
            }
            value => add(name, value),
        }
    }
    query
}
