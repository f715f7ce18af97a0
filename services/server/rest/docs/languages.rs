//! `Accept-Language` and `Content-Language` in `/openapi.json`.

use pentad_model::i18n::Language;
use utoipa::Modify;
use utoipa::openapi::header::Header;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{RefOr, Required};

use crate::calls::Method;

/// Every operation whose answers have words takes a language and says which it is in.
pub(super) struct Languages;

impl Modify for Languages {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let translated = api.paths.paths.iter_mut().filter(|(path, _)| Method::from_rest_path(path).has_translations());
        let operations = translated.flat_map(|(_, path)| [path.get.as_mut(), path.post.as_mut()]);
        for operation in operations.flatten() {
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
