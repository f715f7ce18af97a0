//! The positions that laws are checked on, from random games.

use pentad_host::{CallError, Position};
use pentad_model::rng::Rng;

use crate::Options;
use crate::report::Failure;
use crate::rules::Rules;

/// A position of a random game.
#[derive(Debug)]
pub(crate) struct SampledPosition {
    pub(crate) position: Position,
    /// The text that the rule set writes, for reports.
    pub(crate) text: String,
    /// Game and ply.
    pub(crate) found_at: String,
}

/// The input of a law about single positions.
pub(crate) struct Sample<'a> {
    pub(crate) rules: &'a Rules<'a>,
    pub(crate) variant: usize,
    pub(crate) options: &'a Options,
    pub(crate) position: &'a Position,
}

/// The input of a law about a variant.
pub(crate) struct VariantSample<'a> {
    pub(crate) rules: &'a Rules<'a>,
    pub(crate) variant: usize,
    pub(crate) options: &'a Options,
    /// The law being checked.
    pub(crate) law: &'static str,
    /// Every position of every game.
    pub(crate) positions: &'a [SampledPosition],
}

/// `Err` describes how a law was broken, in one sentence.
pub(crate) type CheckResult = Result<(), String>;

impl Sample<'_> {
    pub(crate) fn text(&self) -> Result<String, String> {
        self.rules.format(self.variant, self.position).map_err(in_call("format"))
    }

    /// Returns all legal moves.
    pub(crate) fn moves(&self) -> Result<Vec<String>, String> {
        self.rules.legal_moves(self.variant, self.position, "").map_err(in_call("legal_moves"))
    }

    /// Returns the legal moves, or a random subset of [`Options::moves_tried_max`] of
    /// them.
    pub(crate) fn some_moves(&self, rng: &mut Rng) -> Result<Vec<String>, String> {
        let mut moves = self.moves()?;
        while moves.len() > self.options.moves_tried_max {
            moves.swap_remove(rng.below(moves.len()));
        }
        Ok(moves)
    }

    pub(crate) fn play(&self, mv: &str) -> Result<Position, String> {
        let played = self.rules.play_known(self.variant, self.position, mv);
        played.map_err(|error| format!("`{mv}` is listed as legal, but playing it fails: {error}"))
    }
}

impl VariantSample<'_> {
    /// Returns at most `n_max` of the positions, evenly spread.
    pub(crate) fn spread(&self, n_max: usize) -> impl Iterator<Item = &SampledPosition> {
        self.positions.iter().step_by(self.positions.len().div_ceil(n_max).max(1))
    }

    /// Checks the law on one position.
    pub(crate) fn attempt(&self, at: &SampledPosition, check: impl FnOnce() -> CheckResult) -> Result<(), Failure> {
        self.rules.attempt(self.law, self.variant, &at.found_at, &at.text, check)
    }
}

impl Rules<'_> {
    /// Announces a check and makes it.
    pub(crate) fn attempt(
        &self,
        law: &str,
        variant: usize,
        found_at: &str,
        position: &str,
        check: impl FnOnce() -> CheckResult,
    ) -> Result<(), Failure> {
        self.begin(law, variant, found_at, position);
        let variant = &self.variants()[variant].id;
        check().map_err(|message| Failure::new(variant, position, found_at, message, self.first_fault().as_ref()))
    }
}

/// A random game from the start position.
#[derive(Debug)]
pub(crate) struct RandomGame {
    pub(crate) positions: Vec<Position>,
    pub(crate) is_over: bool,
    pub(crate) plies_max: Option<u32>,
}

impl RandomGame {
    pub(crate) fn n_plies(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }
}

/// Plays random moves until the game is over or too long, or a call fails.
pub(crate) fn random_game(
    rules: &Rules<'_>,
    variant: usize,
    options: &Options,
    rng: &mut Rng,
) -> (RandomGame, CheckResult) {
    let stated = rules.variants()[variant].plies_max;
    let mut game = RandomGame { positions: Vec::new(), is_over: false, plies_max: stated };
    // One ply more than stated detects a game that is too long.
    let bound = stated.map_or(options.plies_max, |plies| plies + 1);
    let result = (|| {
        let mut position = rules.start(variant).map_err(in_call("start"))?;
        for _ply in 0..=bound {
            game.positions.push(position.clone());
            game.is_over = rules.scores(variant, &position).map_err(in_call("outcome"))?.is_some();
            let moves = rules.legal_moves(variant, &position, "").map_err(in_call("legal_moves"))?;
            if game.is_over || moves.is_empty() {
                return Ok(());
            }
            let mv = &moves[rng.below(moves.len())];
            position = rules.play_known(variant, &position, mv).map_err(in_call("play"))?;
        }
        Ok(())
    })();
    (game, result)
}

/// Prefixes an error with the call that failed; a fault already names it.
pub(crate) fn in_call(call: &'static str) -> impl Fn(CallError) -> String {
    move |error| match error {
        CallError::Fault(fault) => fault.to_string(),
        error => format!("{call}: {error}"),
    }
}
