//! `/openapi.json`, which the page at `/docs/reference` shows.
//!
//! The document is checked in as `openapi.json`. A test generates it from the types and
//! handlers of the calls and compares, so generators are no part of the server. What
//! depends on settings is filled in at the start.

#[cfg(test)]
pub(crate) mod document;
#[cfg(test)]
mod languages;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use http::HeaderMap;
use serde_json::{Value, json};

use super::response::CachePolicy;
use super::web::Asset;
use crate::app::App;
use crate::config::Config;

/// The document for the default settings.
pub(crate) const DOCUMENT: &str = include_str!("openapi.json");

/// `/openapi.json`, encoded and compressed once: it needs no token and is not charged.
pub(super) fn router(config: &Config) -> Router<Arc<App>> {
    const PATH: &str = "/openapi.json";
    let document = Arc::new(Asset::new(PATH, document_for(config).to_string()));
    Router::new().route(PATH, get(async move |headers: HeaderMap| document.answer(&headers, CachePolicy::Revalidate)))
}

/// Returns the document for these settings.
fn document_for(config: &Config) -> Value {
    let mut document: Value = serde_json::from_str(DOCUMENT).expect("a test generates the document");
    set_count_max(&mut document, config.hints_max);
    let needs_token = config.tokens.is_some() && config.anonymous_cpu_ms_per_second == 0;
    let bearer = json!({ "bearer": [] });
    document["security"] = if needs_token { json!([bearer]) } else { json!([{}, bearer]) };
    document
}

/// Sets the maximum of `count` of hints, in bodies and in parameters.
fn set_count_max(document: &mut Value, hints_max: usize) {
    let mut set = |pointer: &str| {
        if let Some(maximum) = document.pointer_mut(pointer) {
            *maximum = hints_max.into();
        }
    };
    set("/components/schemas/HintsQuestion/properties/count/maximum");
    set("/components/schemas/AnalysisQuestion/properties/count/maximum");
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    let parameters = paths.filter_map(|path| path.pointer_mut("/get/parameters")?.as_array_mut()).flatten();
    for parameter in parameters.filter(|parameter| parameter["name"] == "count") {
        parameter["schema"]["maximum"] = hints_max.into();
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

    use utoipa::OpenApi;

    use super::document::Api;
    use super::*;

    /// The checked-in document is the generated one.
    #[test]
    fn openapi_json_is_current() {
        let generated = serde_json::to_value(Api::openapi()).unwrap();
        if env::var_os("PENTAD_BLESS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/rest/docs/openapi.json");
            fs::write(path, serde_json::to_string_pretty(&generated).unwrap() + "\n").unwrap();
            return;
        }
        let checked_in: Value = serde_json::from_str(DOCUMENT).unwrap();
        assert_eq!(
            checked_in, generated,
            "run `PENTAD_BLESS=1 cargo test -p pentad-server openapi_json` and read the diff"
        );
    }

    /// The document states the server's own bounds, and whether it requires a token.
    #[test]
    fn document_follows_the_settings() {
        let config = Config { hints_max: 7, ..Config::default() };
        let document = document_for(&config);
        for question in ["HintsQuestion", "AnalysisQuestion"] {
            assert_eq!(document["components"]["schemas"][question]["properties"]["count"]["maximum"], 7, "{question}");
        }
        let parameters = document["paths"]["/v1/games/{game}/hints"]["get"]["parameters"].as_array().unwrap();
        let count = parameters.iter().find(|parameter| parameter["name"] == "count").unwrap();
        assert_eq!(count["schema"]["maximum"], 7);
        assert_eq!(document["security"], json!([{}, { "bearer": [] }]));

        let config = Config { tokens: Some("tokens".into()), anonymous_cpu_ms_per_second: 0, ..config };
        assert_eq!(document_for(&config)["security"], json!([{ "bearer": [] }]));
    }

    /// The document has every path and is OpenAPI 3.1.
    #[test]
    fn document_is_complete() {
        let api = document_for(&Config::default());
        assert!(api["openapi"].as_str().unwrap().starts_with("3.1"), "{}", api["openapi"]);
        let paths: Vec<&String> = api["paths"].as_object().unwrap().keys().collect();
        assert_eq!(
            paths,
            [
                "/v1/batch",
                "/v1/games",
                "/v1/games/{game}",
                "/v1/games/{game}/analysis",
                "/v1/games/{game}/compare",
                "/v1/games/{game}/diagram.svg",
                "/v1/games/{game}/evaluation",
                "/v1/games/{game}/explorer",
                "/v1/games/{game}/hints",
                "/v1/games/{game}/legal-moves",
                "/v1/games/{game}/position",
                "/v1/games/{game}/puzzles",
                "/v1/games/{game}/review",
                "/v1/games/{game}/threats",
            ]
        );
        assert!(api["components"]["schemas"]["Problem"].is_object());
    }

    /// What generators of clients rely on: every response is described, operations
    /// have names of their own, no body is required, bounds are given, and fields that
    /// are always sent are required.
    #[test]
    fn document_suits_generators() {
        let api = document_for(&Config::default());
        let mut ids = std::collections::BTreeSet::new();
        for (path, methods) in api["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let id = operation["operationId"].as_str().unwrap();
                assert!(ids.insert(id.to_owned()), "{method} {path}: another `{id}`");
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let description = response["description"].as_str().unwrap_or_default();
                    assert!(!description.is_empty(), "{method} {path}: {status}");
                }
                assert_ne!(operation["requestBody"]["required"], true, "{method} {path}");
            }
        }
        assert_eq!(api["servers"][0]["url"], "/");
        let schemas = &api["components"]["schemas"];
        for (schema, field, min, max) in [
            ("HintsQuestion", "level", 1, 10),
            ("HintsQuestion", "count", 1, Config::default().hints_max as u64),
            ("HintsQuestion", "seed", 0, u64::MAX),
            ("Limits", "timeMs", 1, u64::MAX),
            ("Limits", "nodes", 1, u64::MAX),
            ("Limits", "depth", 1, u32::MAX.into()),
            ("MovesQuestion", "pageSize", 0, u32::MAX.into()),
            ("ExplorationQuestion", "pageSize", 0, u32::MAX.into()),
            ("ThreatsQuestion", "depth", 1, 64),
        ] {
            let property = &schemas[schema]["properties"][field];
            assert_eq!((property["minimum"].as_u64(), property["maximum"].as_u64()), (Some(min), Some(max)), "{field}");
        }
        for (schema, fields) in [
            ("Evaluation", &["outcome", "pliesToEnd", "scores"][..]),
            ("HintsAnswer", &["stopReason", "hints"]),
            ("PositionAnswer", &["outcome", "board"]),
            ("AnalysisAnswer", &["updates", "final"]),
            ("ReviewAnswer", &["moves", "summary"]),
            ("PuzzlesAnswer", &["puzzles", "final"]),
        ] {
            let required: Vec<_> = schemas[schema]["required"].as_array().unwrap().iter().collect();
            assert!(fields.iter().all(|field| required.iter().any(|it| *it == field)), "{schema}: {required:?}");
        }
    }

    /// Every stream is available as one object, which generators understand, and says what is
    /// refused; closed lists of words are enums in parameters, too.
    #[test]
    fn streams_and_words_suit_generators() {
        let api = document_for(&Config::default());
        for (call, method, schema) in [
            ("analysis", "get", "AnalysisAnswer"),
            ("analysis", "post", "AnalysisAnswer"),
            ("review", "post", "ReviewAnswer"),
            ("puzzles", "post", "PuzzlesAnswer"),
        ] {
            let responses = &api["paths"][format!("/v1/games/{{game}}/{call}")][method]["responses"];
            let content = &responses["200"]["content"];
            let reference = format!("#/components/schemas/{schema}");
            assert_eq!(content["application/json"]["schema"]["$ref"], reference, "{call}");
            assert!(content["text/event-stream"].is_object() && content["application/x-ndjson"].is_object(), "{call}");
            assert!(responses["406"].is_object(), "{call}");
        }
        for (call, name, words) in [
            ("diagram.svg", "theme", json!(["light", "dark"])),
            ("hints", "detail", json!(["nudge", "area", "move", "line"])),
        ] {
            let parameters = &api["paths"][format!("/v1/games/{{game}}/{call}")]["get"]["parameters"];
            let parameter = parameters.as_array().unwrap().iter().find(|it| it["name"] == name).unwrap();
            let schema = &parameter["schema"];
            let listed =
                schema.get("enum").or_else(|| schema["oneOf"].as_array()?.iter().find_map(|it| it.get("enum")));
            assert_eq!(listed, Some(&words), "{name}: {schema}");
        }
    }
}
