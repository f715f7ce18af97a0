//! DescribePosition: facts of a position that follow from the rules.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_engine::{Caller, Description, Engine, EngineError, PositionSpec};
use pentad_model::Board;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use super::PositionCall;
use super::wire::{IntoProto, Keyed, by_seat, message, question, scores, seat_id};
use crate::app::App;
use crate::error::ApiError;
use crate::proto;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;
use crate::rest::response;

/// A position of the game.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema, IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"position": "6/6/6/6/6/6 w", "moves": ["c3-2r"]})))]
pub struct PositionQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
}

question!(DescribePositionRequest => PositionQuestion { variant, position, moves });

/// The facts of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PositionAnswer {
    /// The position after `moves`, in canonical form.
    #[cfg_attr(test, schema(example = "6/6/2w3/6/6/6 b"))]
    pub position: String,
    /// Id of the seat whose turn it is, or would be.
    pub to_move: String,
    /// Number of legal moves.
    pub legal_move_count: u64,
    /// Null while the game goes on.
    #[cfg_attr(test, schema(required = true))]
    pub outcome: Option<GameOutcome>,
    /// Piece ids by point id of the layout. Empty points are left out.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, Vec<String>>))]
    pub board: Keyed<Vec<String>>,
    /// Equal for equal and symmetric positions of a variant. Callers may send it as the
    /// header `x-pentad-key`, so that a proxy sends questions about such positions to one
    /// replica; the server itself does not read it.
    #[cfg_attr(test, schema(example = "14d9232a37a15fa0a5c789198c11f42a"))]
    pub key: String,
}

message!(PositionAnswer => DescribePositionResponse { position, to_move, legal_move_count, outcome, board, key });

impl IntoProto<proto::Pieces> for Vec<String> {
    fn into_proto(self) -> proto::Pieces {
        proto::Pieces { pieces: self }
    }
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct GameOutcome {
    /// Scores by seat id, 0 to 1.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, f64>))]
    pub scores: Keyed<f64>,
    /// Places by seat id; 1 is best, ties share a place.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, u32>))]
    pub places: Keyed<u32>,
    /// A sentence for players, in the language of the request.
    pub text: String,
}

message!(GameOutcome => GameOutcome { scores, places, text });

pub(crate) struct Call;

impl PositionCall for Call {
    type Body = PositionQuestion;
    type Question = PositionSpec;
    type Found = Description;
    type Answer = PositionAnswer;

    fn question(game: String, question: PositionQuestion) -> PositionSpec {
        spec(game, question.variant, question.position, question.moves)
    }

    async fn ask(engine: &Arc<Engine>, spec: &PositionSpec, caller: Caller) -> Result<Description, EngineError> {
        engine.describe(spec, caller).await
    }

    fn json(description: Description) -> PositionAnswer {
        let variant = &*description.variant;
        let outcome = |outcome: pentad_model::Outcome| GameOutcome {
            scores: scores(variant, &outcome.scores),
            places: by_seat(variant, outcome.places),
            text: outcome.text,
        };
        PositionAnswer {
            to_move: seat_id(variant, description.to_move),
            legal_move_count: description.n_legal_moves,
            outcome: description.outcome.map(outcome),
            board: pieces_by_point(variant.board.as_ref(), &description.pieces),
            position: description.position,
            key: description.key.to_string(),
        }
    }
}

/// Describes a position
///
/// Its canonical text, whose turn it is, whether the game is over, and where the
/// pieces are.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/position", tag = "positions", operation_id = "describePosition",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = PositionQuestion,
    responses((status = 200, description = "The position", body = PositionAnswer), Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<PositionQuestion>,
) -> Result<Response, ApiError> {
    response::json(&context.answer::<Call>(&app, question).await?)
}

/// Describes a position, with an ETag
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}/position", tag = "positions", operation_id = "getPosition",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), PositionQuestion),
    responses((status = 200, description = "The position", body = PositionAnswer),
        (status = 304, description = "Not modified"), Failures)))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    let answer = context.answer::<Call>(&app, params.position()?).await?;
    response::cacheable_text(&context, &answer)
}

/// The position that a question names, from the fields that every question has.
pub(super) fn spec(
    game: String,
    variant: Option<String>,
    position: Option<String>,
    moves: Option<Vec<String>>,
) -> PositionSpec {
    PositionSpec {
        game,
        variant: variant.unwrap_or_default(),
        position: position.unwrap_or_default(),
        moves: moves.unwrap_or_default(),
    }
}

/// Piece ids by point id, in the board's order.
fn pieces_by_point(board: Option<&Board>, pieces: &[(u32, u32)]) -> Keyed<Vec<String>> {
    let Some(board) = board else { return Keyed::default() };
    let mut sorted = pieces.to_vec();
    sorted.sort_by_key(|(point, _)| *point);
    let points = sorted.chunk_by(|(a, _), (b, _)| a == b).filter_map(|same_point| {
        let point = board.points.get(same_point[0].0 as usize)?;
        let ids = same_point.iter().filter_map(|(_, piece)| board.pieces.get(*piece as usize));
        Some((point.id.clone(), ids.map(|piece| piece.id.clone()).collect()))
    });
    points.collect()
}
