//! One game: a question of the kind `judge`, in a batch of its own.

use std::collections::BTreeMap;
use std::error::Error;

use serde::Deserialize;

use super::tally::Tally;
use crate::cli::client::{Client, Failure, Question};
use crate::cli::import::GameLine;

/// What was counted in one game, by seat.
#[derive(Debug, Deserialize)]
pub(super) struct JudgedGame {
    pub(super) seats: BTreeMap<String, Tally>,
}

impl JudgedGame {
    /// Judges a game. The inner error says why the line is not one; the outer one ends
    /// everything.
    pub(super) async fn judge(
        client: &Client,
        line: &GameLine,
        limits: &Question,
    ) -> Result<Result<JudgedGame, String>, Box<dyn Error>> {
        let set = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let question = limits.clone().with("kind", Some("judge")).with("game", Some(line.game.as_str()));
        let question = question.with("variant", set(&line.variant)).with("position", set(&line.position));
        let game: JudgedGame = match client.ask_in_batch(question.with_moves(&line.moves)).await {
            Ok(game) => game,
            Err(failure) => return refused(failure),
        };
        if let Some(seat) = line.players.keys().find(|seat| !game.seats.contains_key(*seat)) {
            let seats: Vec<&str> = game.seats.keys().map(String::as_str).collect();
            return Ok(Err(format!("players: there is no seat `{seat}`; there are {}", seats.join(", "))));
        }
        Ok(Ok(game))
    }
}

/// Whether the line is to blame, or the judge has to end.
fn refused<T>(failure: Failure) -> Result<Result<T, String>, Box<dyn Error>> {
    match failure.problem().map(|problem| problem.reason.as_str()) {
        Some("unknown_game" | "unknown_variant" | "bad_position" | "bad_argument" | "too_large") => {
            Ok(Err(failure.to_string()))
        }
        _ => Err(failure.into()),
    }
}
