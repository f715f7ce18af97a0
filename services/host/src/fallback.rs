//! Search for rule sets without a search of their own.
//!
//! Every move crosses the ABI as text, so this is slow; but it is complete: with two
//! sides it [proves](fn@interleaved) what it can, and estimates the rest from random
//! games from the first moment on. For an isolated rule set it
//! runs in the worker, where calls of the rules are plain calls.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use pentad_model::rng::mix;
use pentad_model::{Control, Report, Request, Scores};
use pentad_search::{Game, MctsOptions, interleaved, mcts};

use crate::error::CallError;
use crate::position::Position;
use crate::ruleset::{Backend, Ruleset};

/// Bound on the tree, and on the tables. A larger tree would take longer to free than a
/// cancelled search may last.
const MEMORY_BYTES_MAX: u64 = 64 << 20;

impl Ruleset {
    /// Searches an unfinished position by the rules alone: for rule sets without a
    /// search of their own.
    pub fn fallback_search(
        &self,
        variant: usize,
        position: &Position,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        self.position_ptr("rules", variant, position)?;
        match &self.backend {
            Backend::InProcess(_) => search(self, variant, position, request, control),
            Backend::Worker(worker) => worker.fallback_search(self, variant, position, request, control),
        }
    }
}

/// A variant of a rule set as a game to search.
struct FallbackGame<'a> {
    ruleset: &'a Ruleset,
    variant: usize,
    has_evaluation: bool,
    /// The first failure. After it the game claims to be over, and the result is
    /// discarded.
    failed: Mutex<Option<CallError>>,
}

fn search(
    ruleset: &Ruleset,
    variant: usize,
    position: &Position,
    request: &Request<String>,
    control: &dyn Control<String>,
) -> Result<Report<String>, CallError> {
    let game = FallbackGame::new(ruleset, variant);
    let request = retyped(&request.with_memory_max(MEMORY_BYTES_MAX), |mv| Arc::from(mv.as_str()));
    let control = Retyped { inner: control, game: &game };
    let report = if game.n_sides() == 2 {
        interleaved(&game, position, &request, &sampling(&game), &control)
    } else {
        mcts(&game, position, &request, &sampling(&game), &control)
    };
    match game.failed.into_inner().expect("nothing panics while the failure is locked") {
        Some(error) => Err(error),
        None => Ok(to_text(&report)),
    }
}

/// A rule set with static evaluation needs no random games.
fn sampling(game: &FallbackGame<'_>) -> MctsOptions {
    MctsOptions { playouts: !game.has_evaluation, ..MctsOptions::default() }
}

impl<'a> FallbackGame<'a> {
    fn new(ruleset: &'a Ruleset, variant: usize) -> Self {
        let has_evaluation = ruleset.info().capabilities.search;
        FallbackGame { ruleset, variant, has_evaluation, failed: Mutex::new(None) }
    }

    /// Keeps the first failure and returns a harmless value instead.
    fn or_fail<T>(&self, result: Result<T, CallError>, harmless: impl FnOnce() -> T) -> T {
        result.unwrap_or_else(|error| {
            self.failed.lock().expect("nothing panics while the failure is locked").get_or_insert(error);
            harmless()
        })
    }

    fn has_failed(&self) -> bool {
        self.failed.lock().expect("nothing panics while the failure is locked").is_some()
    }

    fn description(&self) -> &crate::Variant {
        &self.ruleset.variants()[self.variant]
    }
}

impl Game for FallbackGame<'_> {
    type Position = Position;
    type Move = Arc<str>;

    fn n_seats(&self) -> usize {
        self.description().seats.len()
    }

    fn side_of(&self, seat: usize) -> usize {
        self.description().seats[seat].side as usize
    }

    fn n_sides(&self) -> usize {
        self.description().n_sides
    }

    fn to_move(&self, position: &Position) -> usize {
        self.or_fail(self.ruleset.to_move(self.variant, position), || 0)
    }

    fn key(&self, position: &Position) -> u64 {
        digest(position)
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        let even = || Some(Scores::even(self.n_seats()));
        self.or_fail(self.ruleset.scores(self.variant, position), even)
    }

    fn moves(&self, position: &Position, out: &mut Vec<Arc<str>>) {
        let result = self.ruleset.legal_moves(self.variant, position, "", &mut |mv| {
            out.push(mv.into());
            ControlFlow::Continue(())
        });
        self.or_fail(result.map(|_complete| ()), || ());
    }

    fn play(&self, position: &Position, mv: &Arc<str>) -> Position {
        self.or_fail(self.ruleset.play_known(self.variant, position, mv), || position.clone())
    }

    fn evaluate(&self, _position: &Position) -> i32 {
        0
    }

    fn evaluate_seats(&self, position: &Position) -> Scores {
        let even = || Scores::even(self.n_seats());
        if !self.has_evaluation {
            return even();
        }
        self.or_fail(self.ruleset.evaluate(self.variant, position).map(|it| it.scores), even)
    }

    fn can_cycle(&self) -> bool {
        self.description().plies_max.is_none()
    }
}

/// The caller's control, with moves as text; a failure stops the search.
struct Retyped<'a> {
    inner: &'a dyn Control<String>,
    game: &'a FallbackGame<'a>,
}

impl Control<Arc<str>> for Retyped<'_> {
    fn should_stop(&self) -> bool {
        self.inner.should_stop() || self.game.has_failed()
    }

    fn now(&self) -> Instant {
        self.inner.now()
    }

    fn report(&self, report: &Report<Arc<str>>) {
        if !self.game.has_failed() {
            self.inner.report(&to_text(report));
        }
    }
}

fn to_text(report: &Report<Arc<str>>) -> Report<String> {
    let line = |line: &pentad_model::Line<Arc<str>>| pentad_model::Line {
        moves: line.moves.iter().map(|mv| mv.to_string()).collect(),
        evaluation: line.evaluation,
    };
    Report {
        lines: report.lines.iter().map(line).collect(),
        evaluation: report.evaluation,
        depth: report.depth,
        nodes: report.nodes,
        stop: report.stop,
    }
}

fn retyped<A, B>(request: &Request<A>, convert: impl Fn(&A) -> B) -> Request<B> {
    Request {
        limits: request.limits,
        n_lines: request.n_lines,
        seed: request.seed,
        root_moves: request.root_moves.iter().map(convert).collect(),
        threads: request.threads,
        memory_bytes: request.memory_bytes,
    }
}

/// A hash of a position.
fn digest(position: &Position) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0u64, |word, &byte| (word << 8) | u64::from(byte));
    position.as_bytes().chunks(8).fold(0, |digest, chunk| mix(digest.rotate_left(23) ^ word(chunk)))
}
