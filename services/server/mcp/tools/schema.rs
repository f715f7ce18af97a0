//! Schemas of arguments and results, made from those of `/openapi.json`: a field has one
//! description, for programs and for models.
//!
//! Arguments are written out without references and null, since a model reads them; results
//! refer to definitions. Numbers that JavaScript cannot hold, and formats of OpenAPI, are left
//! out.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::{LISTING_ARGUMENT, Tool, ToolKind};
use crate::rest::docs::DOCUMENT;

const PREFIX: &str = "#/components/schemas/";
/// The largest integer that JavaScript holds exactly.
const SAFE_INTEGER_MAX: u64 = (1 << 53) - 1;

static SCHEMAS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let mut document: Value = serde_json::from_str(DOCUMENT).expect("a test generates the document");
    match document["components"]["schemas"].take() {
        Value::Object(schemas) => schemas,
        _ => unreachable!("the document has schemas"),
    }
});

/// Returns the schema of a tool's arguments.
pub(super) fn input(tool: &Tool) -> Value {
    let mut properties = Map::new();
    let mut required = vec!["game"];
    properties
        .insert("game".to_owned(), json!({"type": "string", "description": "Id of the game, such as `pentago`."}));
    match &tool.kind {
        ToolKind::Games => required.clear(),
        ToolKind::Position => {
            properties.extend(fields("PositionQuestion"));
            let description = "Whether to list the legal moves, true by default; false if you want to find a move by \
                               yourself.";
            properties.insert(LISTING_ARGUMENT.to_owned(), json!({"type": "boolean", "description": description}));
        }
        ToolKind::Question(question) => {
            properties.extend(fields(question.schemas.0));
            properties.retain(|name, _| !question.withheld.contains(&name.as_str()));
            if let (Some(ms), Some(total)) = (question.total_time_ms, properties.get_mut("totalTimeMs")) {
                let description =
                    format!("Time for the whole answer, in milliseconds; {ms} without this and `limits`.");
                total["description"] = description.into();
            }
            // Without moves to compare there is no comparison.
            required.extend(properties.contains_key("compareMoves").then_some("compareMoves"));
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// Returns the fields of a question, written out.
fn fields(question: &str) -> Map<String, Value> {
    let properties = SCHEMAS[question]["properties"].as_object().cloned().unwrap_or_default();
    properties.into_iter().map(|(name, schema)| (name, written_out(schema))).collect()
}

/// Replaces references by what they refer to, and drops null.
fn written_out(schema: Value) -> Value {
    let mut fields = match schema {
        Value::Object(fields) => fields,
        other => return other,
    };
    if let Some(Value::Array(choices)) = fields.remove("oneOf") {
        let is_null = |choice: &Value| choice["type"] == "null";
        return choices.into_iter().find(|choice| !is_null(choice)).map_or(Value::Null, written_out);
    }
    if let Some(name) = reference(&fields) {
        let mut referred = written_out(SCHEMAS[&name].clone());
        if let Some(description) = fields.remove("description") {
            referred["description"] = one_line(description);
        }
        return referred;
    }
    if let Some(Value::Array(types)) = fields.get("type") {
        let single = types.iter().find(|it| *it != "null").cloned();
        fields.insert("type".to_owned(), single.unwrap_or(Value::Null));
    }
    tidy(&mut fields);
    for nested in ["properties", "items"] {
        match (nested, fields.get_mut(nested)) {
            ("items", Some(items)) => *items = written_out(items.take()),
            (_, Some(Value::Object(properties))) => {
                properties.values_mut().for_each(|property| *property = written_out(property.take()));
            }
            _ => {}
        }
    }
    Value::Object(fields)
}

/// Returns the schema of a tool's results: an answer, or the problem of a call that failed.
pub(super) fn output(tool: &Tool) -> Value {
    let mut definitions = Map::new();
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let mut add = |schema: &str, only: Option<&[&str]>| {
        let is_part = |name: &str| only.is_none_or(|only| only.contains(&name));
        let fields = SCHEMAS[schema]["properties"].as_object().cloned().unwrap_or_default();
        for (name, field) in fields.into_iter().filter(|(name, _)| is_part(name)) {
            properties.insert(name, referring(field, &mut definitions));
        }
        let names = SCHEMAS[schema]["required"].as_array().cloned().unwrap_or_default();
        required.extend(names.into_iter().filter(|name| name.as_str().is_some_and(is_part)));
    };
    match &tool.kind {
        ToolKind::Games => add("GamesAnswer", None),
        ToolKind::Position => add("PositionAnswer", None),
        ToolKind::Question(question) => {
            add("PositionAnswer", Some(&["position", "toMove", "legalMoveCount", "outcome"]));
            add(question.schemas.1, None);
        }
    }
    for (name, is_required, field) in own_fields(&tool.kind) {
        properties.insert(name.to_owned(), field);
        required.extend(is_required.then(|| name.into()));
    }
    properties.insert("error".to_owned(), referring(json!({"$ref": format!("{PREFIX}Problem")}), &mut definitions));
    required.sort_by_key(Value::to_string);
    required.dedup();
    json!({
        "type": "object",
        "properties": properties,
        "anyOf": [{ "required": required }, { "required": ["error"] }],
        "$defs": definitions,
    })
}

/// Returns the fields of a result that no answer of the API has: names, whether they are always there,
/// and schemas.
fn own_fields(kind: &ToolKind) -> Vec<(&'static str, bool, Value)> {
    let text = |description: &str| json!({ "type": "string", "description": description });
    if matches!(kind, ToolKind::Games) {
        return vec![
            ("rules", false, text("How the game is played; with `game`.")),
            ("notation", false, text("How positions and moves are written; with `game`.")),
        ];
    }
    let mut fields = vec![
        ("game", true, text("Id of the game.")),
        ("variant", true, text("Id of the variant.")),
        ("diagram", true, text("The board as text; empty if the rule set describes none.")),
    ];
    if matches!(kind, ToolKind::Position) {
        let description = "Legal moves, unless they are kept back; not all of them if `legalMoveCount` is greater.";
        let moves = json!({ "type": "array", "items": { "type": "string" }, "description": description });
        fields.push((LISTING_ARGUMENT, false, moves));
    }
    fields
}

/// Makes references point to `definitions`, and adds what they refer to.
fn referring(schema: Value, definitions: &mut Map<String, Value>) -> Value {
    match schema {
        Value::Object(mut fields) => {
            if let Some(name) = reference(&fields) {
                fields.insert("$ref".to_owned(), format!("#/$defs/{name}").into());
                if !definitions.contains_key(&name) {
                    // Before what it refers to, so that a definition may refer to itself.
                    definitions.insert(name.clone(), Value::Null);
                    let definition = referring(SCHEMAS[&name].clone(), definitions);
                    definitions.insert(name, definition);
                }
            }
            tidy(&mut fields);
            let nested = fields.into_iter().map(|(name, value)| match (name.as_str(), value) {
                // Names of fields, not keywords.
                ("properties", Value::Object(properties)) => {
                    let properties = properties.into_iter().map(|(name, it)| (name, referring(it, definitions)));
                    (name, Value::Object(properties.collect()))
                }
                (_, value) => (name, referring(value, definitions)),
            });
            Value::Object(nested.collect())
        }
        Value::Array(items) => items.into_iter().map(|item| referring(item, definitions)).collect(),
        plain => plain,
    }
}

fn reference(fields: &Map<String, Value>) -> Option<String> {
    Some(fields.get("$ref")?.as_str()?.strip_prefix(PREFIX)?.to_owned())
}

fn tidy(fields: &mut Map<String, Value>) {
    fields.retain(|name, value| match name.as_str() {
        "format" | "example" => false,
        "maximum" => value.as_u64().is_none_or(|maximum| maximum <= SAFE_INTEGER_MAX),
        _ => true,
    });
    if let Some(description @ Value::String(_)) = fields.get_mut("description") {
        *description = one_line(description.take());
    }
}

fn one_line(description: Value) -> Value {
    match description {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::TOOLS;
    use super::*;

    /// Every reference and every keyword that only OpenAPI knows is gone from arguments, and
    /// each argument says what it is.
    #[test]
    fn arguments_are_written_out() {
        for tool in &TOOLS {
            let schema = input(tool);
            let text = schema.to_string();
            for part in ["$ref", "\"null\"", "\"format\"", "\"example\"", "18446744073709551615", "\\n"] {
                assert!(!text.contains(part), "{}: {part} in {text}", tool.name);
            }
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            for (name, property) in schema["properties"].as_object().unwrap() {
                let is_typed = property["type"].is_string();
                assert!(is_typed && property["description"].is_string(), "{}: {name}: {property}", tool.name);
            }
        }
        let schema_of = |name: &str| input(TOOLS.iter().find(|tool| tool.name == name).unwrap());
        let hint = schema_of("hint");
        assert_eq!(hint["properties"]["detail"]["enum"], json!(["nudge", "area", "move", "line"]));
        assert_eq!(hint["properties"]["limits"]["properties"]["timeMs"]["type"], "integer");
        assert_eq!(hint["properties"]["limits"]["additionalProperties"], false);
        assert!(hint["properties"].get("policy").is_none() && hint["required"] == json!(["game"]), "{hint}");
        let compare = schema_of("compare");
        assert_eq!(compare["required"], json!(["game", "compareMoves"]));
    }

    /// Every reference of a result leads to a definition.
    #[test]
    fn results_are_complete() {
        for tool in &TOOLS {
            let schema = output(tool);
            let text = schema.to_string();
            assert!(!text.contains(PREFIX) && !text.contains("\"example\""), "{}: {text}", tool.name);
            for name in text.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(schema["$defs"][name].is_object(), "{}: {name}", tool.name);
            }
            let required = schema["anyOf"][0]["required"].as_array().unwrap();
            assert!(!required.is_empty(), "{}", tool.name);
            let properties = schema["properties"].as_object().unwrap();
            assert!(required.iter().all(|name| properties.contains_key(name.as_str().unwrap())), "{}", tool.name);
        }
    }
}
