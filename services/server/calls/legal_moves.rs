//! ListLegalMoves: the legal moves, page by page.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_engine::{Caller, Engine, EngineError, MovePage};
use pentad_model::i18n::Language;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use super::PositionCall;
use super::position::spec;
use super::wire::{IntoProto, question};
use crate::app::App;
use crate::error::ApiError;
use crate::proto::ListLegalMovesResponse;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;
use crate::rest::response;

/// Which legal moves to list.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema, IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"position": "6/6/6/6/6/6 w", "prefix": "c3-", "pageSize": 100})))]
pub struct MovesQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Only moves whose text has this prefix.
    pub prefix: Option<String>,
    /// Maximum number of moves on this page; the server's maximum by default.
    #[cfg_attr(test, schema(format = "uint32", maximum = 4_294_967_295_u32))]
    #[cfg_attr(test, param(format = "uint32", maximum = 4_294_967_295_u32))]
    pub page_size: Option<u32>,
    /// `nextPageToken` of the previous page; the rest of the question must be the
    /// same.
    pub page_token: Option<String>,
    /// Only the first of several moves that lead to the same position. This plays every
    /// move, so more than 1,000,000 of them are refused as `too_large`; narrow them down
    /// with `prefix`.
    pub distinct: Option<bool>,
    /// Whether to give the moves in a player's words as well.
    pub texts: Option<bool>,
}

question!(ListLegalMovesRequest => MovesQuestion {
    variant, position, moves, prefix, page_size, page_token, distinct, texts
});

/// A page of legal moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct MovesAnswer {
    /// In canonical order.
    #[cfg_attr(test, schema(value_type = Vec<String>, example = json!(["a1-1l", "a1-1r"])))]
    pub moves: MoveList,
    /// Number of moves on all pages.
    pub total: u64,
    /// Empty on the last page.
    pub next_page_token: String,
    /// As in the response of `position`.
    pub key: String,
    /// With `texts`, the moves in a player's words, in the same order and in the language
    /// of the request; empty where the game has none. Else there are no texts.
    pub move_texts: Vec<String>,
}

/// Moves serialised from the engine's page, without a `String` each.
#[derive(Clone, Debug)]
pub struct MoveList(pub(crate) pentad_engine::MovePage);

impl Serialize for MoveList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for mv in self.0.iter() {
            seq.serialize_element(mv)?;
        }
        seq.end()
    }
}

impl IntoProto<ListLegalMovesResponse> for MovesAnswer {
    fn into_proto(self) -> ListLegalMovesResponse {
        let MoveList(page) = self.moves;
        let mut response = ListLegalMovesResponse::with_capacity(page.len());
        page.iter().for_each(|mv| response.push(mv));
        response.total = self.total;
        response.next_page_token = self.next_page_token;
        response.key = self.key;
        response.move_texts = self.move_texts;
        response
    }
}

pub(crate) struct Call;

impl PositionCall for Call {
    type Body = MovesQuestion;
    type Question = pentad_engine::MovesQuestion;
    type Found = MovePage;
    type Answer = MovesAnswer;

    fn question(game: String, question: MovesQuestion) -> Self::Question {
        pentad_engine::MovesQuestion {
            spec: spec(game, question.variant, question.position, question.moves),
            prefix: question.prefix.unwrap_or_default(),
            page_size: question.page_size.unwrap_or(0) as usize,
            page_token: question.page_token.unwrap_or_default(),
            distinct: question.distinct.unwrap_or(false),
            texts: question.texts.unwrap_or(false).then(Language::default),
        }
    }

    async fn ask(engine: &Arc<Engine>, question: &Self::Question, caller: Caller) -> Result<MovePage, EngineError> {
        // Both edges negotiate the language.
        let texts = question.texts.map(|_| caller.language);
        engine.legal_moves(&pentad_engine::MovesQuestion { texts, ..question.clone() }, caller).await
    }

    fn json(mut page: MovePage) -> MovesAnswer {
        MovesAnswer {
            total: page.total,
            next_page_token: std::mem::take(&mut page.next_page_token),
            key: page.key.map(|key| key.to_string()).unwrap_or_default(),
            move_texts: std::mem::take(&mut page.texts),
            moves: MoveList(page),
        }
    }
}

/// The legal moves
///
/// In canonical order, page by page.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/legal-moves", tag = "positions", operation_id = "listLegalMoves",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = MovesQuestion,
    responses((status = 200, description = "A page of moves", body = MovesAnswer), Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<MovesQuestion>,
) -> Result<Response, ApiError> {
    response::json(&context.answer::<Call>(&app, question).await?)
}

/// The legal moves, with an ETag
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}/legal-moves", tag = "positions", operation_id = "getLegalMoves",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), MovesQuestion),
    responses((status = 200, description = "A page of moves", body = MovesAnswer),
        (status = 304, description = "Not modified"), Failures)))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    let answer = context.answer::<Call>(&app, params.moves()?).await?;
    response::cacheable_text(&context, &answer)
}
