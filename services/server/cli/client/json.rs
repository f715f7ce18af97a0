//! The text of JSON: indentation, without a change of values or their order.

/// Returns valid JSON with line breaks and two spaces per level.
pub(in crate::cli) fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0;
    let mut letters = json.chars().filter(not_between_tokens()).peekable();
    let mut is_text = false;
    let mut is_escaped = false;
    while let Some(letter) = letters.next() {
        if is_text {
            out.push(letter);
            is_text = is_escaped || letter != '"';
            is_escaped = !is_escaped && letter == '\\';
            continue;
        }
        match letter {
            '{' | '[' => {
                out.push(letter);
                if let Some(end) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = usize::saturating_sub(depth, 1);
                new_line(&mut out, depth);
                out.push(letter);
            }
            ',' => {
                out.push(letter);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                out.push(letter);
                is_text = letter == '"';
            }
        }
    }
    out
}

/// Returns the only value of an object, `{"field":…}`, if that is its field.
pub(in crate::cli) fn unwrapped<'a>(json: &'a str, field: &str) -> Option<&'a str> {
    let rest = json.trim().strip_prefix("{\"")?.strip_prefix(field)?.strip_prefix("\":")?;
    rest.strip_suffix('}')
}

/// Drops white space outside of texts.
fn not_between_tokens() -> impl FnMut(&char) -> bool {
    let (mut is_text, mut is_escaped) = (false, false);
    move |letter| {
        let was_text = is_text;
        if is_text {
            is_text = is_escaped || *letter != '"';
            is_escaped = !is_escaped && *letter == '\\';
        } else {
            is_text = *letter == '"';
        }
        was_text || is_text || !letter.is_ascii_whitespace()
    }
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The result is what serde writes, except that values and their order stay.
    #[test]
    fn indentation_changes_no_value() {
        for json in [
            r#"{"a":"x, {y}: \"z\\\" ","b":[1,2.5,{"a":null}],"empty":[],"nested":[[],[{}]],"none":{}}"#,
            r#"{ "spaced" : [ 1 , 2 ] , "text" : "a  b" }"#,
            "[]",
            "{}",
            "7",
            r#"" \\""#,
        ] {
            let value: Value = serde_json::from_str(json).expect("JSON");
            assert_eq!(indented(json), serde_json::to_string_pretty(&value).expect("JSON"));
        }
        assert_eq!(indented(r#"{"b":1,"a":[2.50]}"#), "{\n  \"b\": 1,\n  \"a\": [\n    2.50\n  ]\n}");
    }

    #[test]
    fn values_are_unwrapped_as_they_are() {
        assert_eq!(unwrapped(r#"{"puzzle":{"b":1,"a":2}}"#, "puzzle"), Some(r#"{"b":1,"a":2}"#));
        assert_eq!(unwrapped(r#"{"progress":{}}"#, "puzzle"), None);
    }
}
