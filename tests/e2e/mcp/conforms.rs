//! Checks values against the part of JSON Schema that the tools use.

use serde_json::Value;

/// Keywords that say nothing about values.
const NOTES: [&str; 4] = ["description", "$defs", "propertyNames", "title"];

/// Panics unless the value conforms, and if the schema has a keyword that is not known here.
#[track_caller]
pub(super) fn assert_conforms(value: &Value, schema: &Value) {
    if let Err(error) = check(value, schema, schema, "") {
        panic!("{error}\nvalue {value}\nschema {schema}");
    }
}

pub(super) fn check(value: &Value, schema: &Value, root: &Value, path: &str) -> Result<(), String> {
    let wrong = |what: String| Err(format!("{path}: {what}"));
    let fields = schema.as_object().ok_or_else(|| format!("{path}: the schema is {schema}"))?;
    for (keyword, rule) in fields {
        let list = || rule.as_array().map(Vec::as_slice).unwrap_or_default();
        match keyword.as_str() {
            "$ref" => {
                let pointer = rule.as_str().and_then(|rule| rule.strip_prefix('#')).unwrap_or_default();
                let referred = root.pointer(pointer).ok_or_else(|| format!("{path}: no {rule}"))?;
                check(value, referred, root, path)?;
            }
            "type" => {
                let types: Vec<&Value> = if rule.is_array() { list().iter().collect() } else { vec![rule] };
                if !types.iter().any(|name| is_a(value, name.as_str().unwrap_or_default())) {
                    return wrong(format!("{value} is no {rule}"));
                }
            }
            "enum" if !list().contains(value) => return wrong(format!("{value} is not among {rule}")),
            "oneOf" | "anyOf" => {
                let n_matching = list().iter().filter(|choice| check(value, choice, root, path).is_ok()).count();
                if n_matching == 0 || (keyword == "oneOf" && n_matching > 1) {
                    return wrong(format!("{n_matching} of {rule} match"));
                }
            }
            "required" => {
                if let Some(missing) = list().iter().find(|name| value.get(name.as_str().unwrap_or_default()).is_none())
                {
                    return wrong(format!("{missing} is missing"));
                }
            }
            "properties" | "additionalProperties" => check_fields(value, schema, root, path)?,
            "items" => {
                for (idx, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, rule, root, &format!("{path}[{idx}]"))?;
                }
            }
            "minimum" if value.is_number() && value.as_f64() < rule.as_f64() => {
                return wrong(format!("{value} is below {rule}"));
            }
            "maximum" if value.is_number() && value.as_f64() > rule.as_f64() => {
                return wrong(format!("{value} is above {rule}"));
            }
            "enum" | "minimum" | "maximum" | "minItems" | "maxItems" => {}
            note if NOTES.contains(&note) => {}
            unknown => return wrong(format!("the keyword `{unknown}` is not known")),
        }
    }
    Ok(())
}

fn check_fields(value: &Value, schema: &Value, root: &Value, path: &str) -> Result<(), String> {
    for (name, field) in value.as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => return Err(format!("{path} is not known")),
            (Value::Null, others @ Value::Object(_)) => check(field, others, root, &path)?,
            (Value::Null, _) => {}
            (property, _) => check(field, property, root, &path)?,
        }
    }
    Ok(())
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
