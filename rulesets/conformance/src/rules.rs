//! A wrapper around the rule set for the laws: announces every call before it is made
//! and records its fault, if there is one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pentad_host::{CallError, Fault, Played, Position, Ruleset, RulesetInfo, Searcher, Variant};
use pentad_model::i18n::{Catalogue, Message};
use pentad_model::{Control, FaultKind, Outcome, Reason, ReasonCode, Report, Request, Scores, Threat};

use crate::perft::{PerftRow, perft};
use crate::trace::{Checkpoint, Trace};

/// A rule set under check.
pub(crate) struct Rules<'a> {
    ruleset: &'a Arc<Ruleset>,
    trace: &'a dyn Trace,
    faults: Mutex<Faults>,
    last_call: Mutex<&'static str>,
}

/// Origin of a position, for reports.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place<'a> {
    /// Game and ply.
    pub(crate) found_at: &'a str,
    /// The position's text.
    pub(crate) position: &'a str,
    /// The moves from the start that lead to it.
    pub(crate) moves: &'a [String],
}

#[derive(Default)]
struct Faults {
    /// The first fault since [`Rules::begin`].
    first: Option<Fault>,
    /// How often the plugin panicked, by call and message.
    panics: BTreeMap<String, u64>,
}

impl<'a> Rules<'a> {
    pub(crate) fn new(ruleset: &'a Arc<Ruleset>, trace: &'a dyn Trace) -> Self {
        Rules { ruleset, trace, faults: Mutex::default(), last_call: Mutex::new("") }
    }

    /// The codes that its reasons may carry; empty if it does not list them.
    pub(crate) fn reason_codes(&self) -> &[ReasonCode] {
        self.ruleset.reason_codes()
    }

    pub(crate) fn is_isolated(&self) -> bool {
        self.ruleset.is_isolated()
    }

    pub(crate) fn info(&self) -> &RulesetInfo {
        self.ruleset.info()
    }

    pub(crate) fn variants(&self) -> &[Variant] {
        self.ruleset.variants()
    }

    /// Announces that a law is about to be checked on a position.
    pub(crate) fn begin(&self, law: &str, variant: usize, place: Place<'_>) {
        let Place { found_at, position, moves } = place;
        self.faults().first = None;
        self.trace.checking(&Checkpoint { law, variant: &self.variants()[variant].id, found_at, position, moves });
    }

    /// Returns the call that failed: that of the first fault since [`Rules::begin`], or the
    /// last one made.
    pub(crate) fn failed_call(&self) -> String {
        match self.first_fault() {
            Some(fault) => fault.call.to_owned(),
            None => (*self.last_call.lock().unwrap_or_else(PoisonError::into_inner)).to_owned(),
        }
    }

    /// Returns the first fault since [`Rules::begin`].
    pub(crate) fn first_fault(&self) -> Option<Fault> {
        self.faults().first.clone()
    }

    pub(crate) fn panics(&self) -> BTreeMap<String, u64> {
        self.faults().panics.clone()
    }

    /// Returns the fault of an optional part (board, symmetries, threats, messages) when
    /// the library was loaded; the host serves the game without that part.
    pub(crate) fn fault_of_loading(&self) -> Option<Fault> {
        let (_, fault) = self.ruleset.last_fault()?;
        ["board", "symmetry.count", "threats.kinds", "messages.list"].contains(&fault.call).then_some(fault)
    }

    fn call<T>(&self, call: &'static str, run: impl FnOnce() -> Result<T, CallError>) -> Result<T, CallError> {
        self.call_with(call, "", run)
    }

    /// Makes a call that gets a text.
    fn call_with<T>(
        &self,
        call: &'static str,
        argument: &str,
        run: impl FnOnce() -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        self.trace.calling(call, argument);
        *self.last_call.lock().unwrap_or_else(PoisonError::into_inner) = call;
        run().inspect_err(|error| {
            if let CallError::Fault(fault) = error {
                self.note(fault);
            }
        })
    }

    #[cold]
    fn note(&self, fault: &Fault) {
        let mut faults = self.faults();
        if fault.kind == FaultKind::Panic {
            *faults.panics.entry(format!("`{}`: {}", fault.call, fault.detail)).or_default() += 1;
        }
        faults.first.get_or_insert_with(|| fault.clone());
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The calls of [`Ruleset`] and [`Searcher`].
impl Rules<'_> {
    pub(crate) fn start(&self, variant: usize) -> Result<Position, CallError> {
        self.call("start", || self.ruleset.start(variant))
    }

    pub(crate) fn parse(&self, variant: usize, text: &str) -> Result<Position, CallError> {
        self.call_with("parse", text, || self.ruleset.parse(variant, text))
    }

    pub(crate) fn format(&self, variant: usize, position: &Position) -> Result<String, CallError> {
        self.call("format", || self.ruleset.format(variant, position))
    }

    pub(crate) fn to_move(&self, variant: usize, position: &Position) -> Result<usize, CallError> {
        self.call("to_move", || self.ruleset.to_move(variant, position))
    }

    pub(crate) fn legal_moves(
        &self,
        variant: usize,
        position: &Position,
        prefix: &str,
    ) -> Result<Vec<String>, CallError> {
        let mut moves = Vec::new();
        let visit = &mut |mv: &str| {
            moves.push(mv.to_owned());
            ControlFlow::Continue(())
        };
        let listed =
            self.call_with("legal_moves", prefix, || self.ruleset.legal_moves(variant, position, prefix, visit));
        listed.map(|_complete| moves)
    }

    pub(crate) fn count_moves(&self, variant: usize, position: &Position, prefix: &str) -> Result<u64, CallError> {
        self.call_with("count_moves", prefix, || self.ruleset.count_moves(variant, position, prefix))
    }

    pub(crate) fn play(&self, variant: usize, position: &Position, mv: &str) -> Result<Played, CallError> {
        self.call_with("play", mv, || self.ruleset.play(variant, position, mv))
    }

    pub(crate) fn play_known(&self, variant: usize, position: &Position, mv: &str) -> Result<Position, CallError> {
        self.call_with("play", mv, || self.ruleset.play_known(variant, position, mv))
    }

    pub(crate) fn outcome(&self, variant: usize, position: &Position) -> Result<Option<Outcome>, CallError> {
        self.call("outcome", || self.ruleset.outcome(variant, position))
    }

    pub(crate) fn scores(&self, variant: usize, position: &Position) -> Result<Option<Scores>, CallError> {
        self.call("outcome", || self.ruleset.scores(variant, position))
    }

    pub(crate) fn pieces(&self, variant: usize, position: &Position) -> Result<Vec<(u32, u32)>, CallError> {
        self.call("pieces", || self.ruleset.pieces(variant, position))
    }

    pub(crate) fn canonical(&self, variant: usize, position: &Position) -> Result<(Position, u32), CallError> {
        self.call("canonical", || self.ruleset.canonical(variant, position))
    }

    pub(crate) fn inverse_symmetry(&self, variant: usize, symmetry: u32) -> Result<u32, CallError> {
        self.call("inverse", || self.ruleset.inverse_symmetry(variant, symmetry))
    }

    pub(crate) fn apply_symmetry(
        &self,
        variant: usize,
        symmetry: u32,
        position: &Position,
    ) -> Result<Position, CallError> {
        self.call("apply", || self.ruleset.apply_symmetry(variant, symmetry, position))
    }

    pub(crate) fn apply_symmetry_to_move(
        &self,
        variant: usize,
        symmetry: u32,
        position: &Position,
        mv: &str,
    ) -> Result<String, CallError> {
        self.call_with("apply_move", mv, || self.ruleset.apply_symmetry_to_move(variant, symmetry, position, mv))
    }

    pub(crate) fn apply_symmetry_to_seat(
        &self,
        variant: usize,
        symmetry: u32,
        seat: usize,
    ) -> Result<usize, CallError> {
        self.call("apply_seat", || self.ruleset.apply_symmetry_to_seat(variant, symmetry, seat))
    }

    pub(crate) fn explain(
        &self,
        variant: usize,
        position: &Position,
        report: &Report<String>,
    ) -> Result<Vec<Vec<Reason>>, CallError> {
        let line_idxs: Vec<usize> = (0..report.lines.len()).collect();
        self.call("explain", || self.ruleset.explain(variant, position, report, &line_idxs))
    }

    pub(crate) fn turn_of(
        &self,
        variant: usize,
        position: &Position,
        seat: usize,
    ) -> Result<Option<Position>, CallError> {
        self.call("turn_of", || self.ruleset.turn_of(variant, position, seat))
    }

    pub(crate) fn list_threats(&self, variant: usize, position: &Position) -> Result<Vec<Threat>, CallError> {
        self.call("threats.list", || self.ruleset.list_threats(variant, position))
    }

    /// Returns each stopping move with the threats it stops, a bit each, and whether it
    /// stops all.
    pub(crate) fn list_stops(
        &self,
        variant: usize,
        position: &Position,
        threats: &[Threat],
    ) -> Result<Vec<(String, u64, bool)>, CallError> {
        let mut stops = Vec::new();
        let visit = &mut |mv: &str, stopped, stops_all| {
            if !mv.is_empty() {
                stops.push((mv.to_owned(), stopped, stops_all));
            }
            ControlFlow::Continue(())
        };
        let listed = self.call("threats.stops", || self.ruleset.list_stops(variant, position, threats, visit));
        listed.map(|_complete| stops)
    }

    /// Explains one line by `pentad.reasons/1` alone.
    pub(crate) fn explain_in_text(
        &self,
        variant: usize,
        position: &Position,
        report: &Report<String>,
        line_idx: usize,
    ) -> Result<Vec<Reason>, CallError> {
        self.call("explain", || self.ruleset.explain_in_text(variant, position, report, line_idx))
    }

    pub(crate) fn say_moves(
        &self,
        variant: usize,
        position: &Position,
        moves: &[&str],
    ) -> Result<Vec<Option<Message>>, CallError> {
        self.call("move_text", || self.ruleset.say_moves(variant, position, moves))
    }

    /// Returns the messages and their templates.
    pub(crate) fn catalogue(&self) -> Option<&Catalogue> {
        self.ruleset.catalogue()
    }

    /// Returns whether the rule set gives reasons as texts and as messages.
    pub(crate) fn has_both_reasons(&self) -> bool {
        self.ruleset.has_both_reasons()
    }

    /// Returns the outcome's text by `pentad.rules/1` alone.
    pub(crate) fn outcome_text(&self, variant: usize, position: &Position) -> Result<String, CallError> {
        self.call("outcome", || self.ruleset.outcome_text(variant, position))
    }

    pub(crate) fn searcher(&self, variant: usize, memory_bytes: u64) -> Result<Searcher, CallError> {
        self.call("create", || self.ruleset.searcher(variant, memory_bytes, 1))
    }

    pub(crate) fn search(
        &self,
        searcher: &mut Searcher,
        position: &Position,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        self.call("run", || searcher.run(position, request, control))
    }

    /// Compares a count of move sequences.
    pub(crate) fn check_perft(&self, ruleset: &Ruleset, variant: usize, row: &PerftRow) -> Result<(), String> {
        let position = match row.position.as_str() {
            "" => self.start(variant),
            text => self.parse(variant, text),
        };
        let position = position.map_err(|error| format!("`{}`: {error}", row.position))?;
        let count = self.call("play", || perft(ruleset, variant, &position, row.depth));
        let count = count.map_err(|error| error.to_string())?;
        if count == row.count {
            return Ok(());
        }
        Err(format!("{count} sequences of {} moves, the table has {}", row.depth, row.count))
    }
}
