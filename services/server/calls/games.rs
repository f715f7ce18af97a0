//! ListGames: the games that are served.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_host::{Ruleset, RulesetInfo};
use pentad_model::Seat;
use pentad_model::i18n::{Catalogue, Language};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use super::wire::{GameMessage, Keyed, message, seat_ids};
use super::{AdmittedCaller, UnaryCall};
use crate::app::App;
use crate::error::ApiError;
use crate::proto;
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;
use crate::rest::response;

/// The games that are served.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct GamesAnswer {
    /// Sorted by id.
    pub games: Vec<Game>,
}

message!(GamesAnswer => ListGamesResponse { games });

/// A game that is served.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Game {
    /// Identifies the game in paths.
    #[cfg_attr(test, schema(example = "pentago"))]
    pub id: String,
    /// Display name.
    pub name: String,
    /// Version of the rule set.
    pub version: String,
    /// ABI version that the rule set was built for.
    #[cfg_attr(test, schema(example = "1.0"))]
    pub abi: String,
    /// Ids of the seats of the default variant, in playing order.
    pub seats: Vec<String>,
    /// The default variant comes first.
    pub variants: Vec<Variant>,
    /// Optional capabilities of the rule set: `search`, `symmetry`, `layout`,
    /// `reasons`, `threats`. Hints and evaluations work without any of them; without
    /// `threats` only the wins of the seat to move are known.
    pub capabilities: Vec<&'static str>,
}

message!(Game => Game { id, name, version, abi, seats, variants, capabilities });

/// A variant of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    /// Identifies the variant in requests.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Ids of the seats, in playing order. Scores and places are keyed by them.
    pub seats: Vec<String>,
    /// A one-sentence description.
    pub summary: String,
    /// Display names of the seats, by seat id.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, String>))]
    pub seat_names: Keyed<String>,
    /// The side each seat plays for, by seat id. Seats of the same side win and
    /// lose together.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, u32>))]
    pub sides: Keyed<u32>,
}

message!(Variant => Variant { id, name, seats, summary, seat_names, sides });

pub(crate) struct Call;

impl UnaryCall for Call {
    type Body = ();
    type Answer = GamesAnswer;

    async fn answer(app: &App, admitted: AdmittedCaller, _game: String, (): ()) -> Result<GamesAnswer, ApiError> {
        let game = |ruleset: &Arc<Ruleset>| game(ruleset, admitted.caller.language);
        Ok(GamesAnswer { games: app.engine.rulesets().iter().map(game).collect() })
    }
}

impl GameMessage for proto::ListGamesRequest {
    type Body = ();

    fn game(&self) -> Option<&str> {
        None
    }

    fn into_parts(self) -> Result<(String, ()), ApiError> {
        Ok((String::new(), ()))
    }
}

/// The games that are served
#[cfg_attr(test, utoipa::path(get, path = "/v1/games", tag = "games", operation_id = "listGames", responses(
    (status = 200, description = "The games", body = GamesAnswer),
    (status = 304, description = "Not modified"),
    (status = 400, description = "Bad parameter", body = crate::rest::Problem, content_type = "application/problem+json"),
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

pub(super) fn game(ruleset: &Ruleset, language: Language) -> Game {
    let info = ruleset.info();
    let words = Translations::new(ruleset, language);
    Game {
        id: info.id.clone(),
        name: info.name.clone(),
        version: info.version.clone(),
        abi: format!("{}.{}", info.abi_major, info.abi_minor),
        seats: ruleset.variants().first().map(seat_ids).unwrap_or_default(),
        variants: ruleset.variants().iter().map(|it| variant(it, words)).collect(),
        capabilities: capabilities(info),
    }
}

fn variant(variant: &pentad_host::Variant, words: Translations<'_>) -> Variant {
    let seats = &variant.seats;
    Variant {
        id: variant.id.clone(),
        name: words.term("variant", &variant.id, "", &variant.name),
        seats: seat_ids(variant),
        summary: words.term("variant", &variant.id, ".summary", &variant.summary),
        seat_names: seats.iter().map(|seat| (seat.id.clone(), words.seat_name(seat))).collect(),
        sides: seats.iter().map(|seat| (seat.id.clone(), seat.side)).collect(),
    }
}

fn capabilities(info: &RulesetInfo) -> Vec<&'static str> {
    let has = &info.capabilities;
    let all = [
        ("search", has.search),
        ("symmetry", has.symmetry),
        ("layout", has.layout),
        ("reasons", has.reasons),
        ("threats", has.threats),
    ];
    all.into_iter().filter_map(|(name, has)| has.then_some(name)).collect()
}

/// The terms of a rule set in a language.
#[derive(Clone, Copy)]
pub(super) struct Translations<'a> {
    catalogue: Option<&'a Catalogue>,
    language: Language,
}

impl<'a> Translations<'a> {
    pub(super) fn new(ruleset: &'a Ruleset, language: Language) -> Self {
        Translations { catalogue: ruleset.catalogue(), language }
    }

    /// Translates the term `group.id` followed by `part`; the default without a
    /// translation.
    pub(super) fn term(self, group: &str, id: &str, part: &str, default: &str) -> String {
        let found = self.catalogue.and_then(|words| words.term(self.language, &format!("{group}.{id}{part}")));
        found.unwrap_or(default).to_owned()
    }

    fn seat_name(self, seat: &Seat) -> String {
        let found = self.catalogue.and_then(|words| words.seat_name(self.language, &seat.id));
        found.unwrap_or_else(|| seat.name.clone())
    }
}
