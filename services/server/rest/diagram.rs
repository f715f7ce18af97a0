//! `diagram.svg`: a position as a picture.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, header};
use utoipa::IntoParams;

use super::docs::Failures;
use super::middleware::RequestContext;
use super::query::Params;
use super::response::{self, CachePolicy};
use super::svg::{self, Caption};
use super::types::PositionQuestion;
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;

const SIZE_DEFAULT: u32 = 480;
const SIZE_MIN: u32 = 32;
const SIZE_MAX: u32 = 4096;

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "documentation only")]
pub(super) struct DiagramParams {
    /// Width in pixels, 480 by default.
    #[param(minimum = 32, maximum = 4096)]
    size: Option<u32>,
}

/// A picture of a position
///
/// Drawn from the layout that the rule set describes; without one, the
/// position's text.
#[utoipa::path(get, path = "/v1/games/{game}/diagram.svg", tag = "positions",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        PositionQuestion, DiagramParams),
    responses((status = 200, body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Not modified"), Failures))]
pub(super) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    mut params: Params,
) -> Result<Response, ApiError> {
    let question = params.position_fields()?;
    let size = params.number("size")?.unwrap_or(SIZE_DEFAULT);
    params.finish()?;
    if !(SIZE_MIN..=SIZE_MAX).contains(&size) {
        return Err(ApiError::bad_request("size", format!("`size` must be from {SIZE_MIN} to {SIZE_MAX}")));
    }
    let spec = convert::position_question(context.game, question);
    let description = app.engine.describe(&spec, context.caller).await?;
    let variant = &description.variant;
    let state = match &description.outcome {
        Some(outcome) => outcome.text.clone(),
        None => variant.seats.get(description.to_move).map(|seat| format!("{} to move", seat.name)).unwrap_or_default(),
    };
    let caption = Caption { game: &variant.ruleset().info().name, position: &description.position, state: &state };
    let svg = match &variant.board {
        Some(board) => svg::board(board, &description.pieces, &caption, size),
        None => svg::text(&caption, size),
    };
    let etag = response::etag(svg.as_bytes());
    let headers: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, "image/svg+xml"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    Ok(response::with_etag(&context.headers, &etag, CachePolicy::Hour, || (headers, svg).into_response()))
}
