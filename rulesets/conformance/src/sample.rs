//! The positions that laws are checked on, from random games.

use std::ops::ControlFlow;
use std::sync::Arc;

use pentad_host::{CallError, Position, Ruleset};
use pentad_search::rng::Rng;

use crate::Options;
use crate::report::Failure;

/// A position of a random game, and where in the game it is.
#[derive(Debug)]
pub(crate) struct Sample<'a> {
    pub(crate) ruleset: &'a Arc<Ruleset>,
    pub(crate) variant: usize,
    pub(crate) position: &'a Position,
    pub(crate) options: &'a Options,
    pub(crate) ply: usize,
    pub(crate) game_idx: u32,
}

/// `Err` says how a law was broken, in one sentence.
pub(crate) type CheckResult = Result<(), String>;

impl Sample<'_> {
    pub(crate) fn text(&self) -> Result<String, String> {
        self.ruleset.format(self.variant, self.position).map_err(in_call("format"))
    }

    /// All legal moves.
    pub(crate) fn moves(&self) -> Result<Vec<String>, String> {
        legal_moves(self.ruleset, self.variant, self.position, "")
    }

    /// The legal moves, or a random subset of [`Options::moves_tried_max`].
    pub(crate) fn some_moves(&self, rng: &mut Rng) -> Result<Vec<String>, String> {
        let mut moves = self.moves()?;
        while moves.len() > self.options.moves_tried_max {
            moves.swap_remove(rng.below(moves.len()));
        }
        Ok(moves)
    }

    pub(crate) fn play(&self, mv: &str) -> Result<Position, String> {
        let played = self.ruleset.play_known(self.variant, self.position, mv);
        played.map_err(|error| format!("`{mv}` is listed as legal, but playing it fails: {error}"))
    }

    pub(crate) fn failure(&self, message: String) -> Failure {
        Failure {
            variant: self.ruleset.variants()[self.variant].id.clone(),
            position: self.text().unwrap_or_else(|error| error),
            found_at: format!("game {}, ply {}", self.game_idx, self.ply),
            message,
        }
    }
}

/// A random game from the start position.
#[derive(Debug)]
pub(crate) struct RandomGame {
    pub(crate) positions: Vec<Position>,
    /// The call that failed, if the game could not be continued.
    pub(crate) error: Option<String>,
    pub(crate) is_over: bool,
    pub(crate) plies_max: Option<u32>,
}

/// Plays random moves until the game is over or too long.
pub(crate) fn random_game(ruleset: &Arc<Ruleset>, variant: usize, options: &Options, rng: &mut Rng) -> RandomGame {
    let stated = ruleset.variants()[variant].plies_max;
    let mut game = RandomGame { positions: Vec::new(), error: None, is_over: false, plies_max: stated };
    // One ply more than stated detects a game that is too long.
    let bound = stated.map_or(options.plies_max, |plies| plies + 1);
    let result = (|| {
        let mut position = ruleset.start(variant).map_err(in_call("start"))?;
        for _ply in 0..=bound {
            game.positions.push(position.clone());
            game.is_over = ruleset.scores(variant, &position).map_err(in_call("outcome"))?.is_some();
            let moves = legal_moves(ruleset, variant, &position, "")?;
            if game.is_over || moves.is_empty() {
                return Ok(());
            }
            let mv = &moves[rng.below(moves.len())];
            position = ruleset.play_known(variant, &position, mv).map_err(in_call("play"))?;
        }
        Ok(())
    })();
    game.error = result.err();
    game
}

pub(crate) fn legal_moves(
    ruleset: &Ruleset,
    variant: usize,
    position: &Position,
    prefix: &str,
) -> Result<Vec<String>, String> {
    let mut moves = Vec::new();
    let listed = ruleset.legal_moves(variant, position, prefix, &mut |mv| {
        moves.push(mv.to_owned());
        ControlFlow::Continue(())
    });
    listed.map(|_complete| moves).map_err(in_call("legal_moves"))
}

/// Prefixes an error with the call that failed.
pub(crate) fn in_call(call: &'static str) -> impl Fn(CallError) -> String {
    move |error| format!("{call}: {error}")
}
