//! `diagram.svg`: a position as a picture.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;
use pentad_engine::{PositionSpec, to_move_text};
use pentad_model::Board;
#[cfg(test)]
use utoipa::IntoParams;

use super::PositionCall;
use super::position;
use crate::app::App;
use crate::error::ApiError;
#[cfg(test)]
use crate::rest::docs::document::Failures;
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;
use crate::rest::response::{self, CachePolicy};
use crate::rest::svg::{self, Caption, Look, Marks, Theme};

const SIZE_DEFAULT: u32 = 480;
const SIZE_MIN: u32 = 32;
const SIZE_MAX: u32 = 4096;

#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query, rename_all = "camelCase"))]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct DiagramParams {
    /// Width in pixels, 480 by default.
    #[cfg_attr(test, param(minimum = 32, maximum = 4096))]
    size: Option<u32>,
    /// Ids of points to ring, such as the `cells` of a reason.
    highlight: Option<Vec<String>>,
    /// Arrows from point to point: `a1-c3`.
    arrows: Option<Vec<String>>,
    /// Whether to shade the points that the last of `moves` changed.
    last_move: Option<bool>,
    /// Colours around the board; light by default.
    #[cfg_attr(test, param(inline))]
    theme: Option<Theme>,
}

/// A picture of a position
///
/// Drawn from the layout that the rule set describes; without one, the
/// position's text.
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}/diagram.svg", tag = "positions", operation_id = "getDiagram",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        crate::calls::position::PositionQuestion, DiagramParams),
    responses((status = 200, description = "The picture", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Not modified"), Failures)))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    mut params: Params,
) -> Result<Response, ApiError> {
    let question = params.position_fields()?;
    let size_px = params.number("size")?.unwrap_or(SIZE_DEFAULT);
    let highlight = params.list("highlight").unwrap_or_default();
    let arrows = params.list("arrows").unwrap_or_default();
    let shade_last_move = params.flag("lastMove")?.unwrap_or(false);
    let theme = theme(params.text("theme")?.as_deref())?;
    params.finish()?;
    if !(SIZE_MIN..=SIZE_MAX).contains(&size_px) {
        return Err(ApiError::bad_request("size", format!("`size` must be from {SIZE_MIN} to {SIZE_MAX}")));
    }
    let spec = position::Call::question(context.game.clone(), question);
    let description = app.engine.describe(&spec, context.admitted.caller.clone()).await?;
    let variant = &description.variant;
    let state = match &description.outcome {
        Some(outcome) => outcome.text.clone(),
        None => to_move_text(context.admitted.caller.language, variant, description.to_move),
    };
    let caption = Caption { game: &variant.ruleset().info().name, position: &description.position, state: &state };
    let look = Look { size_px, theme };
    let changed = match spec.moves.split_last() {
        Some((_, earlier)) if shade_last_move && variant.board.is_some() => {
            let before = PositionSpec { moves: earlier.to_vec(), ..spec.clone() };
            let before = app.engine.describe(&before, context.admitted.caller.clone()).await?;
            changed_points(&before.pieces, &description.pieces)
        }
        _ => Vec::new(),
    };
    let draw = || match &variant.board {
        Some(board) => {
            let marks = Marks { highlight: points(board, &highlight)?, arrows: arrow_points(board, &arrows)?, changed };
            Ok(svg::board(board, &description.pieces, &marks, &caption, look))
        }
        None => Ok::<_, ApiError>(svg::text(&caption, look)),
    };
    let svg = context.admitted.caller.meter.charge(draw)?;
    let etag = response::in_language(response::etag(svg.as_bytes()), context.admitted.caller.language);
    let headers = [(header::CONTENT_TYPE, "image/svg+xml")];
    response::with_etag(&context.if_none_match, &etag, CachePolicy::Revalidate, || Ok((headers, svg).into_response()))
}

fn theme(name: Option<&str>) -> Result<Theme, ApiError> {
    match name {
        None | Some("light") => Ok(Theme::Light),
        Some("dark") => Ok(Theme::Dark),
        Some(other) => Err(ApiError::bad_request("theme", format!("`theme` must be light or dark, not `{other}`"))),
    }
}

/// The points with these ids.
fn points(board: &Board, ids: &[String]) -> Result<Vec<u32>, ApiError> {
    let point = |(idx, id): (usize, &String)| point(board, &format!("highlight[{idx}]"), id);
    ids.iter().enumerate().map(point).collect()
}

fn arrow_points(board: &Board, arrows: &[String]) -> Result<Vec<(u32, u32)>, ApiError> {
    let ends = |(idx, arrow): (usize, &String)| {
        let field = format!("arrows[{idx}]");
        let Some((from, to)) = arrow.split_once('-') else {
            return Err(ApiError::bad_request(field, format!("`{arrow}` is not an arrow; write `a1-c3`")));
        };
        Ok((point(board, &field, from)?, point(board, &field, to)?))
    };
    arrows.iter().enumerate().map(ends).collect()
}

fn point(board: &Board, field: &str, id: &str) -> Result<u32, ApiError> {
    let found = board.points.iter().position(|point| point.id == id);
    let unknown = || ApiError::bad_request(field, format!("the board has no point `{id}`; the layout lists them"));
    found.map(|idx| idx as u32).ok_or_else(unknown)
}

/// The points whose pieces differ.
pub(crate) fn changed_points(before: &[(u32, u32)], after: &[(u32, u32)]) -> Vec<u32> {
    let gone = before.iter().filter(|piece| !after.contains(piece));
    let come = after.iter().filter(|piece| !before.contains(piece));
    let mut changed: Vec<u32> = gone.chain(come).map(|(point, _)| *point).collect();
    changed.sort_unstable();
    changed.dedup();
    changed
}
