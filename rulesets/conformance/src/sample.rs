//! Where a law is tried: one position of one random game.

use std::ops::ControlFlow;
use std::sync::Arc;

use pentad_host::{CallError, Position, Ruleset};
use pentad_search::rng::Rng;

use crate::Options;
use crate::verdict::Failure;

/// A position, and how it came about.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    pub(crate) ruleset: &'a Arc<Ruleset>,
    pub(crate) variant: usize,
    pub(crate) position: &'a Position,
    pub(crate) options: &'a Options,
    pub(crate) ply: usize,
    pub(crate) game_idx: u32,
}

/// A law holds, or this is why not.
pub(crate) type Held = Result<(), String>;

impl Site<'_> {
    pub(crate) fn text(&self) -> Result<String, String> {
        self.ruleset.format(self.variant, self.position).map_err(told("format"))
    }

    /// All legal moves.
    pub(crate) fn moves(&self) -> Result<Vec<String>, String> {
        legal_moves(self.ruleset, self.variant, self.position, "")
    }

    /// The legal moves, or a random part of them where they are very many.
    pub(crate) fn some_moves(&self, rng: &mut Rng) -> Result<Vec<String>, String> {
        let mut moves = self.moves()?;
        while moves.len() > self.options.moves_tried_max {
            moves.swap_remove(rng.below(moves.len()));
        }
        Ok(moves)
    }

    pub(crate) fn play(&self, mv: &str) -> Result<Position, String> {
        let played = self.ruleset.play_known(self.variant, self.position, mv);
        played.map_err(|error| format!("`{mv}` is listed and refused: {error}"))
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

/// A random game from the start.
#[derive(Debug)]
pub(crate) struct RandomGame {
    pub(crate) positions: Vec<Position>,
    /// Why it could not go on, if it ended in anything but a result.
    pub(crate) broken: Option<String>,
    pub(crate) is_over: bool,
    pub(crate) plies_max: Option<u32>,
}

/// Plays random moves to the end, or as far as the options allow.
pub(crate) fn random_game(ruleset: &Arc<Ruleset>, variant: usize, options: &Options, rng: &mut Rng) -> RandomGame {
    let stated = ruleset.variants()[variant].plies_max;
    let mut game = RandomGame { positions: Vec::new(), broken: None, is_over: false, plies_max: stated };
    // One more than stated shows whether the statement is true.
    let bound = stated.map_or(options.plies_max, |plies| plies + 1);
    let result = (|| {
        let mut position = ruleset.start(variant).map_err(told("start"))?;
        for _ply in 0..=bound {
            game.positions.push(position.clone());
            game.is_over = ruleset.scores(variant, &position).map_err(told("outcome"))?.is_some();
            let moves = legal_moves(ruleset, variant, &position, "")?;
            if game.is_over || moves.is_empty() {
                return Ok(());
            }
            let mv = &moves[rng.below(moves.len())];
            position = ruleset.play_known(variant, &position, mv).map_err(told("play"))?;
        }
        Ok(())
    })();
    game.broken = result.err();
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
    listed.map(|_complete| moves).map_err(told("legal_moves"))
}

/// Says which call failed.
pub(crate) fn told(call: &'static str) -> impl Fn(CallError) -> String {
    move |error| format!("{call}: {error}")
}
