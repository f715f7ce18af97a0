//! GetGame: one game, with its rules, notation and board.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use super::games::{Game, Translations, game};
use super::layout::{Layout, layout, variant_layouts};
use super::threats::{self, ThreatKind};
use super::wire::{GameMessage, IntoProto, Keyed, message};
use super::{AdmittedCaller, UnaryCall};
use crate::app::App;
use crate::error::ApiError;
use crate::proto;
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;
use crate::rest::response;

/// A game with its rules, notation and board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct GameAnswer {
    /// As in the list.
    #[serde(flatten)]
    pub game: Game,
    /// How positions and moves are written.
    pub notation: String,
    /// How the game is played.
    pub rules: String,
    /// The board of the default variant; null if the rule set has no layout.
    #[cfg_attr(test, schema(required = true))]
    pub layout: Option<Layout>,
    /// The boards of variants that differ from it, by variant id.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, Layout>))]
    pub variant_layouts: Keyed<Layout>,
    /// The codes of the rule set's reasons; empty if it does not list them.
    pub reason_codes: Vec<ReasonCode>,
    /// The kinds of the rule set's threats; empty if it does not list them.
    pub threat_kinds: Vec<ThreatKind>,
}

impl IntoProto<proto::GetGameResponse> for GameAnswer {
    fn into_proto(self) -> proto::GetGameResponse {
        let game: proto::Game = self.game.into_proto();
        proto::GetGameResponse {
            id: game.id,
            name: game.name,
            version: game.version,
            abi: game.abi,
            seats: game.seats,
            variants: game.variants,
            capabilities: game.capabilities,
            notation: self.notation,
            rules: self.rules,
            layout: self.layout.into_proto(),
            variant_layouts: self.variant_layouts.into_proto(),
            reason_codes: self.reason_codes.into_proto(),
            threat_kinds: self.threat_kinds.into_proto(),
        }
    }
}

/// A code that reasons for moves carry.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReasonCode {
    /// As in reasons.
    #[cfg_attr(test, schema(example = "only_move"))]
    pub code: String,
    /// Describes moves with this code.
    pub description: String,
    /// Whether its reasons may name cells.
    pub names_cells: bool,
}

message!(ReasonCode => ReasonCode { code, description, names_cells });

pub(crate) struct Call;

impl UnaryCall for Call {
    type Body = ();
    type Answer = GameAnswer;

    async fn answer(app: &App, admitted: AdmittedCaller, game_id: String, (): ()) -> Result<GameAnswer, ApiError> {
        let ruleset = app.engine.ruleset(&game_id)?;
        let language = admitted.caller.language;
        let words = Translations::new(&ruleset, language);
        let reason_code = |known: &pentad_model::ReasonCode| ReasonCode {
            code: known.code.clone(),
            description: known.description.clone(),
            names_cells: known.names_points,
        };
        Ok(GameAnswer {
            game: game(&ruleset, language),
            notation: ruleset.info().notation.clone(),
            rules: ruleset.info().rules.clone(),
            layout: ruleset.variants().first().and_then(|it| layout(it, words)),
            variant_layouts: variant_layouts(ruleset.variants(), words),
            reason_codes: ruleset.reason_codes().iter().map(reason_code).collect(),
            threat_kinds: threats::kinds(&ruleset),
        })
    }
}

impl GameMessage for proto::GetGameRequest {
    type Body = ();

    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn into_parts(self) -> Result<(String, ()), ApiError> {
        Ok((self.game, ()))
    }
}

/// One game
///
/// With help on its rules and notation, and its board as data.
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}", tag = "games", operation_id = "getGame",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    responses(
        (status = 200, description = "The game", body = GameAnswer),
        (status = 304, description = "Not modified"),
        (status = 400, description = "Bad parameter", body = crate::rest::Problem, content_type = "application/problem+json"),
        (status = 404, description = "No such game", body = crate::rest::Problem, content_type = "application/problem+json"),
        (status = 500, description = "`internal`", body = crate::rest::Problem, content_type = "application/problem+json"),
    )))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    params.finish()?;
    response::cacheable_text(&context, &context.answer::<Call>(&app, ()).await?)
}
