//! `Accept-Language` and `Content-Language` in `/openapi.json`.

use pentad_model::i18n::Language;
use utoipa::Modify;
use utoipa::openapi::header::Header;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{RefOr, Required};

/// Operations whose answers have no words.
const WORDLESS: [&str; 8] = [
    "listLegalMoves",
    "getLegalMoves",
    "evaluate",
    "getEvaluation",
    "findPuzzles",
    "listThreats",
    "getThreats",
    "explore",
];

/// Every operation whose answers have words takes a language and says which it is in.
pub(super) struct Languages;

impl Modify for Languages {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let operations = api.paths.paths.values_mut().flat_map(|path| [path.get.as_mut(), path.post.as_mut()]);
        let has_translations =
            |it: &&mut Operation| it.operation_id.as_deref().is_some_and(|id| !WORDLESS.contains(&id));
        for operation in operations.flatten().filter(has_translations) {
            operation.parameters.get_or_insert_default().push(RefOr::T(parameter()));
            for (status, response) in &mut operation.responses.responses {
                if let RefOr::T(response) = response
                    && ["200", "304"].contains(&status.as_str())
                {
                    let mut header = Header::new(Object::with_type(Type::String));
                    header.description = Some("The language of the texts for players.".to_owned());
                    response.headers.insert("Content-Language".to_owned(), RefOr::T(header));
                }
            }
        }
    }
}

fn parameter() -> Parameter {
    let tags = Language::ALL.map(|language| format!("`{language}`")).join(", ");
    let description = format!(
        "The language of texts for players (reasons, outcomes, names of seats, pieces and variants), as in RFC 9110: \
         {tags}. Anything else gets English, in which problems always are."
    );
    ParameterBuilder::new()
        .name("Accept-Language")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(Object::with_type(Type::String)))
        .build()
}
