//! The positions that laws are checked on, from random games.

use std::sync::Arc;

use pentad_host::{CallError, Position};
use pentad_model::rng::Rng;

use crate::Options;
use crate::laws::{NOTATION, PLAYS};
use crate::report::Failure;
use crate::rules::{Place, Rules};

/// A position of a random game.
#[derive(Debug)]
pub(crate) struct SampledPosition {
    pub(crate) position: Position,
    /// The text that the rule set writes, for reports.
    pub(crate) text: String,
    /// Game and ply.
    pub(crate) found_at: String,
    /// All moves of its game.
    game: Arc<[String]>,
    /// Number of moves played before it.
    pub(crate) ply: usize,
    /// Whether it is the last position of its game.
    pub(crate) is_last: bool,
}

impl SampledPosition {
    pub(crate) fn place(&self) -> Place<'_> {
        Place { found_at: &self.found_at, position: &self.text, moves: &self.game[..self.ply] }
    }
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
    pub(crate) fn attempt(
        &self,
        at: &SampledPosition,
        check: impl FnOnce() -> CheckResult,
    ) -> Result<(), Box<Failure>> {
        self.rules.attempt(self.law, self.variant, at.place(), check)
    }
}

impl Rules<'_> {
    /// Announces a check and makes it.
    pub(crate) fn attempt(
        &self,
        law: &str,
        variant: usize,
        place: Place<'_>,
        check: impl FnOnce() -> CheckResult,
    ) -> Result<(), Box<Failure>> {
        self.begin(law, variant, place);
        check().map_err(|message| self.failure(variant, place, message))
    }

    /// Describes a law broken since [`begin`](Rules::begin).
    pub(crate) fn failure(&self, variant: usize, place: Place<'_>, message: String) -> Box<Failure> {
        let call = self.failed_call();
        Failure::new(&self.variants()[variant].id, place, &call, message, self.first_fault().as_ref())
    }
}

/// A random game from the start position.
#[derive(Debug)]
pub(crate) struct RandomGame {
    game_idx: u32,
    positions: Vec<Position>,
    /// The text of each position, or why it has none.
    texts: Vec<String>,
    moves: Vec<String>,
    pub(crate) is_over: bool,
    pub(crate) plies_max: Option<u32>,
}

impl RandomGame {
    pub(crate) fn n_plies(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }

    /// Returns the positions of the game.
    pub(crate) fn into_positions(self) -> Vec<SampledPosition> {
        let (game, n_positions): (Arc<[String]>, usize) = (self.moves.into(), self.positions.len());
        let sampled = |(ply, (position, text))| SampledPosition {
            position,
            text,
            found_at: found_at(self.game_idx, ply),
            game: Arc::clone(&game),
            ply,
            is_last: ply + 1 == n_positions,
        };
        self.positions.into_iter().zip(self.texts).enumerate().map(sampled).collect()
    }

    /// Announces that a law is checked on the last position, or that a move is played there.
    fn announce(&self, rules: &Rules<'_>, law: &str, variant: usize) {
        let position = self.texts.get(self.positions.len().saturating_sub(1)).map_or("", String::as_str);
        let found_at = found_at(self.game_idx, self.n_plies());
        rules.begin(law, variant, Place { found_at: &found_at, position, moves: &self.moves });
    }

    fn push(&mut self, rules: &Rules<'_>, variant: usize, position: Position) {
        self.positions.push(position);
        let position = &self.positions[self.positions.len() - 1];
        self.announce(rules, NOTATION, variant);
        let text = rules.format(variant, position).unwrap_or_else(|error| format!("cannot be formatted: {error}"));
        self.texts.push(text);
        self.announce(rules, PLAYS.name, variant);
    }
}

fn found_at(game_idx: u32, ply: usize) -> String {
    format!("game {game_idx}, ply {ply}")
}

/// Plays random moves until the game is over or too long, or a call fails.
pub(crate) fn random_game(
    rules: &Rules<'_>,
    variant: usize,
    options: &Options,
    game_idx: u32,
    rng: &mut Rng,
) -> (RandomGame, CheckResult) {
    let plies_max = rules.variants()[variant].plies_max;
    let (positions, texts, moves) = (Vec::new(), Vec::new(), Vec::new());
    let mut game = RandomGame { game_idx, positions, texts, moves, is_over: false, plies_max };
    // One ply more than stated detects a game that is too long.
    let bound = plies_max.map_or(options.plies_max, |plies| plies + 1);
    game.announce(rules, PLAYS.name, variant);
    let result = (|| {
        let mut position = rules.start(variant).map_err(in_call("start"))?;
        for _ply in 0..=bound {
            game.push(rules, variant, position.clone());
            game.is_over = rules.scores(variant, &position).map_err(in_call("outcome"))?.is_some();
            let mut moves = rules.legal_moves(variant, &position, "").map_err(in_call("legal_moves"))?;
            if game.is_over || moves.is_empty() {
                return Ok(());
            }
            let mv = moves.swap_remove(rng.below(moves.len()));
            position = rules.play_known(variant, &position, &mv).map_err(in_call("play"))?;
            game.moves.push(mv);
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
