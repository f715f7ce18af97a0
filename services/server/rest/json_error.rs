//! Says what is wrong with JSON in the words of the API.
//!
//! serde's texts name Rust's types and count lines of a body that its sender never saw as
//! lines. They are a closed set of forms, which are translated here; a form that is not
//! known keeps its text, without the location.

use serde_json::error::Category;

/// Says why a text is not JSON, and where.
pub(crate) fn malformed(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        Category::Eof => "it ends too early",
        _ if error.to_string().starts_with("recursion limit") => "it is nested too deeply",
        _ if error.to_string().starts_with("trailing characters") => "something follows its end",
        _ if error.to_string().starts_with("number out of range") => "a number is out of range",
        _ => "a character is unexpected",
    };
    format!("{what}, at line {}, column {}", error.line(), error.column())
}

/// Says what is wrong with the value of a field. `field` is empty for the object itself.
pub(crate) fn wrong_value(field: &str, error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    let subject = if field.is_empty() { "the object".to_owned() } else { format!("`{field}`") };
    let words = |text: &str| text.replace('`', "").replace(" or ", ", ");
    if let Some(rest) = text.strip_prefix("invalid type: ").or_else(|| text.strip_prefix("invalid value: "))
        && let Some((found, expected)) = rest.rsplit_once(", expected ")
    {
        return format!("{subject} must be {}, not {}", expected_words(expected), found_words(found));
    }
    if let Some(rest) = text.strip_prefix("unknown field ") {
        let known = rest.split_once(", expected ").map(|(_, known)| words(known.trim_start_matches("one of ")));
        return match known {
            Some(known) => format!("there is no field {subject}; the fields are {known}"),
            None => format!("there is no field {subject}"),
        };
    }
    if let Some((found, known)) = text.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected "))
    {
        return format!("{subject} must be one of {}, not {found}", words(known.trim_start_matches("one of ")));
    }
    if let Some(name) = text.strip_prefix("missing field ") {
        return format!("{name} is missing");
    }
    if let Some(name) = text.strip_prefix("duplicate field ") {
        return format!("{name} is given twice");
    }
    format!("{subject}: {text}")
}

fn expected_words(expected: &str) -> String {
    let whole = |max: u64| format!("a whole number from 0 to {max}");
    match expected {
        "u8" => whole(u8::MAX.into()),
        "u16" => whole(u16::MAX.into()),
        "u32" => whole(u32::MAX.into()),
        "u64" | "usize" => whole(u64::MAX),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        _ if expected.starts_with("struct ") => "an object".to_owned(),
        _ => expected.to_owned(),
    }
}

fn found_words(found: &str) -> String {
    let quoted = |kind: &str| found.strip_prefix(kind).map(|value| value.trim_matches('`').to_owned());
    match found {
        "null" | "unit value" => "null".to_owned(),
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        _ => quoted("integer ")
            .or_else(|| quoted("string "))
            .or_else(|| quoted("floating point "))
            .or_else(|| quoted("boolean "))
            .unwrap_or_else(|| found.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::calls::hints::HintsQuestion;
    use crate::rest::body::parse;

    /// Every kind of mistake has a text that names the field and knows no type of Rust.
    #[test]
    fn texts_are_the_api_s_own() {
        for (body, expected) in [
            (
                r#"{"limits": {"timeMs": "5"}}"#,
                r#"`limits.timeMs` must be a whole number from 0 to 18446744073709551615, not "5""#,
            ),
            (r#"{"level": -1}"#, "`level` must be a whole number from 0 to 4294967295, not -1"),
            (r#"{"level": 1.5}"#, "`level` must be a whole number from 0 to 4294967295, not 1.5"),
            (r#"{"limits": [1]}"#, "`limits` must be an object, not a list"),
            (r#"{"moves": {}}"#, "`moves` must be a list, not an object"),
            (r#"{"moves": ["a", true]}"#, "`moves[1]` must be a string, not true"),
            (r#"{"detail": "all"}"#, "`detail` must be one of nudge, area, move, line, not `all`"),
            (r#"{"limits": {"time": 1}}"#, "there is no field `limits.time`; the fields are timeMs, nodes, depth"),
            (r#"{"count": 1, "count": 2}"#, "`count` is given twice"),
            ("{\n \"count\": oops}", "the body is not JSON: a character is unexpected, at line 2, column 11"),
            (r#"{"count": 1"#, "the body is not JSON: it ends too early, at line 1, column 11"),
            (r#"{"count": 1} x"#, "the body is not JSON: something follows its end, at line 1, column 14"),
        ] {
            let error = parse::<HintsQuestion>(body.as_bytes()).expect_err(body);
            assert_eq!(error.to_string(), expected, "{body}");
        }
        let nested = format!("{{\"moves\": {}", "[".repeat(1_000));
        let error = parse::<HintsQuestion>(nested.as_bytes()).expect_err("too deep").to_string();
        assert!(!error.contains("recursion") && !error.contains("u64"), "{error}");
    }
}
