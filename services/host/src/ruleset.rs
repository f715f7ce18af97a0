//! A loaded rule set and the calls of `pentad.rules/1`.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;
use std::time::SystemTime;

use pentad_abi as abi;
use pentad_model::Scores;
use pentad_model::{FaultKind, Outcome, ReasonCode, ThreatKind, Violation, text};

use crate::call::{ErrorSet, check_input};
use crate::error::{CallError, Fault, FaultLog};
use crate::guard::Guarded;
use crate::i18n::LoadedTranslations;
use crate::isolation::{IsolationStatus, WorkerClient};
use crate::output::{Completion, OutputSink, append_text, single_move};
use crate::position::Position;
use crate::tables::{Tables, non_null};
use crate::variant::Variant;

/// One loaded rule set. It may be called from any thread.
///
/// Every call takes the index of a variant; `CallError::Unsupported` means that
/// the rule set lacks the extension. A fault that a call returns is recorded.
#[derive(Debug)]
pub struct Ruleset {
    pub(crate) info: RulesetInfo,
    pub(crate) variants: Vec<Variant>,
    pub(crate) reason_codes: Vec<ReasonCode>,
    pub(crate) threat_kinds: Vec<ThreatKind>,
    pub(crate) words: Option<LoadedTranslations>,
    /// Number of the library, which positions record.
    pub(crate) library: u32,
    pub(crate) backend: Backend,
    pub(crate) faults: Arc<FaultLog>,
}

/// Where the library runs.
#[derive(Debug)]
pub(crate) enum Backend {
    InProcess(Box<Tables>),
    Worker(WorkerClient),
}

/// A rule set's description of itself, and the file it was loaded from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetInfo {
    /// The game's id: lower-case letters, digits and `-`.
    pub id: String,
    /// The game's name, for display.
    pub name: String,
    /// The rule set's version, in its own scheme.
    pub version: String,
    /// The rules of the game, for players.
    pub rules: String,
    /// The notation of positions and moves, for players.
    pub notation: String,
    /// Major version of the ABI it was built for; always the host's.
    pub abi_major: u32,
    /// Minor version of the ABI it was built for; may be older or newer than the
    /// host's.
    pub abi_minor: u32,
    /// Canonical and absolute.
    pub path: PathBuf,
    /// Hash of the file, in lower-case hexadecimal.
    pub sha256: String,
    /// The optional extensions it provides.
    pub capabilities: Capabilities,
    /// The file and its directory, if a user other than root and this process's own may
    /// write to them: that user controls what is loaded.
    pub writable_by_others: Vec<PathBuf>,
}

/// The optional extensions that a rule set provides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// `pentad.search/1`: its own search and evaluation.
    pub search: bool,
    /// `pentad.symmetry/1`: equivalent positions.
    pub symmetry: bool,
    /// `pentad.layout/1`: its board and pieces, to be drawn.
    pub layout: bool,
    /// `pentad.reasons/1` or `pentad.reasons/2`: explanations of moves.
    pub reasons: bool,
    /// `pentad.threats/1`: wins in one, of every seat.
    pub threats: bool,
    /// `pentad.messages/1`: translations.
    pub messages: bool,
    /// `pentad.move_text/1`: moves in a player's words.
    pub move_text: bool,
}

/// The result of playing a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position after the move.
    pub position: Position,
    /// The move in canonical notation.
    pub canonical: String,
}

/// The first move of a sequence that could not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Index in the sequence.
    pub move_idx: usize,
    /// The position before it.
    pub reached: Position,
    /// Why it failed.
    pub error: CallError,
}

impl Ruleset {
    /// Its description and file.
    pub fn info(&self) -> &RulesetInfo {
        &self.info
    }

    /// The variants, the default first. Never empty.
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// The codes of its reasons; none if it does not list them.
    pub fn reason_codes(&self) -> &[ReasonCode] {
        &self.reason_codes
    }

    /// The index of the variant with that id.
    pub fn variant_idx(&self, id: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.id == id)
    }

    /// The start position.
    pub fn start(&self, variant: usize) -> Result<Position, CallError> {
        let mut position = self.new_position("start", variant)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.start_position(self, variant),
        };
        // SAFETY: the table was checked at load; the position has
        // `position_size` bytes, and the plugin keeps no pointer. Every call
        // in this file relies on these three facts.
        let status = unsafe { non_null(tables.rules.start)(variant as u32, position.as_mut_ptr()) };
        let position = self.written("start", position)?;
        self.check_status("start", status, ErrorSet::NONE, None, Ok(Completion::Complete))?;
        Ok(position)
    }

    /// Reads a position from text.
    pub fn parse(&self, variant: usize, text: &str) -> Result<Position, CallError> {
        let mut position = self.new_position("parse", variant)?;
        check_input("position", text, abi::POSITION_LEN_MAX)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.parse(self, variant, text),
        };
        let mut error = Guarded::new(abi::Error::empty());
        // SAFETY: as in `start`; text and error outlive the call.
        let status = unsafe {
            let parse = non_null(tables.rules.parse);
            parse(variant as u32, abi::Str::new(text), position.as_mut_ptr(), error.as_mut_ptr())
        };
        let (position, error) = (self.written("parse", position)?, self.checked("parse", error)?);
        self.check_status("parse", status, ErrorSet::MALFORMED, Some(&error), Ok(Completion::Complete))?;
        Ok(position)
    }

    /// Writes a position as text, in canonical form.
    pub fn format(&self, variant: usize, position: &Position) -> Result<String, CallError> {
        let bytes = self.position_ptr("format", variant, position)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.format(variant, position),
        };
        let mut out = Vec::with_capacity(64);
        let sink = OutputSink::new(append_text(&mut out, abi::POSITION_LEN_MAX));
        let writer = sink.writer();
        // SAFETY: as in `start`; writer and sink outlive the call.
        let status = unsafe { non_null(tables.rules.format)(variant as u32, bytes, &raw const writer) };
        self.check_status("format", status, ErrorSet::NONE, None, sink.finish())?;
        text::position_text(out).map_err(|violation| self.fault("format", violation))
    }

    /// Returns the seat to move; in a finished game, the seat that would be.
    pub fn to_move(&self, variant: usize, position: &Position) -> Result<usize, CallError> {
        let bytes = self.position_ptr("to_move", variant, position)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.to_move(self, variant, position),
        };
        let mut seat = Guarded::new(u32::MAX);
        // SAFETY: as in `start`; the seat outlives the call.
        let status = unsafe { non_null(tables.rules.to_move)(variant as u32, bytes, seat.as_mut_ptr()) };
        let seat = self.checked("to_move", seat)?;
        self.check_status("to_move", status, ErrorSet::NONE, None, Ok(Completion::Complete))?;
        self.checked_seat("to_move", variant, seat)
    }

    /// Calls `visit` with each legal move whose text begins with `prefix`, in
    /// canonical order, until it breaks. A finished game has none.
    pub fn legal_moves(
        &self,
        variant: usize,
        position: &Position,
        prefix: &str,
        visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, CallError> {
        let bytes = self.position_ptr("legal_moves", variant, position)?;
        if !is_possible_prefix(prefix) {
            return Ok(ControlFlow::Continue(()));
        }
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.legal_moves(variant, position, prefix, visit),
        };
        let sink = OutputSink::new(|mv: abi::Str| {
            // SAFETY: the header says that a writer gets readable bytes; null
            // and too long are checked first.
            let mv = text::move_text(unsafe { text::bytes(mv, abi::MOVE_LEN_MAX) }?)?;
            if !prefix.is_empty() && !mv.starts_with(prefix) {
                return Err(Violation::text(format!("the move `{mv}` does not begin with `{prefix}`")).into());
            }
            Ok(visit(mv))
        });
        let writer = sink.writer();
        // SAFETY: as in `start`; prefix, writer and sink outlive the call.
        let status = unsafe {
            non_null(tables.rules.legal_moves)(variant as u32, bytes, abi::Str::new(prefix), &raw const writer)
        };
        match self.check_status("legal_moves", status, ErrorSet::NONE, None, sink.finish())? {
            Completion::Complete => Ok(ControlFlow::Continue(())),
            Completion::Stopped => Ok(ControlFlow::Break(())),
        }
    }

    /// The number of moves that [`legal_moves`](Ruleset::legal_moves) visits.
    pub fn count_moves(&self, variant: usize, position: &Position, prefix: &str) -> Result<u64, CallError> {
        let bytes = self.position_ptr("count_moves", variant, position)?;
        if !is_possible_prefix(prefix) {
            return Ok(0);
        }
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.count_moves(variant, position, prefix),
        };
        let mut count = Guarded::new(0);
        // SAFETY: as in `start`; prefix and count outlive the call.
        let status = unsafe {
            let count_moves = non_null(tables.rules.count_moves);
            count_moves(variant as u32, bytes, abi::Str::new(prefix), count.as_mut_ptr())
        };
        let count = self.checked("count_moves", count)?;
        self.check_status("count_moves", status, ErrorSet::NONE, None, Ok(Completion::Complete))?;
        Ok(count)
    }

    /// Plays one move, written canonically or by an alias.
    pub fn play(&self, variant: usize, position: &Position, mv: &str) -> Result<Played, CallError> {
        self.check_move_args(variant, position, mv)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.play(self, variant, position, mv),
        };
        let mut canonical = None;
        let sink = OutputSink::new(single_move(&mut canonical));
        let writer = sink.writer();
        // SAFETY: writer and sink outlive the call.
        let (status, error, next) = unsafe { self.call_play(tables, variant, position, mv, &raw const writer) }?;
        self.check_status("play", status, ErrorSet::MOVE, Some(&error), sink.finish())?;
        let canonical = canonical
            .ok_or_else(|| self.fault("play", Violation::text("no canonical text of the move was written")))?;
        Ok(Played { position: next, canonical })
    }

    /// Plays one move without returning its canonical text, which is cheaper. The move
    /// is still checked.
    pub fn play_known(&self, variant: usize, position: &Position, mv: &str) -> Result<Position, CallError> {
        self.check_move_args(variant, position, mv)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => {
                return worker.play(self, variant, position, mv).map(|played| played.position);
            }
        };
        // SAFETY: the header allows null for the writer.
        let (status, error, next) = unsafe { self.call_play(tables, variant, position, mv, ptr::null()) }?;
        self.check_status("play", status, ErrorSet::MOVE, Some(&error), Ok(Completion::Complete))?;
        Ok(next)
    }

    /// Plays a sequence of moves, as [`play_known`](Ruleset::play_known) does. An
    /// isolated rule set gets them in one message.
    pub fn play_moves(&self, variant: usize, position: &Position, moves: &[String]) -> Result<Position, Box<Failed>> {
        if let Backend::Worker(worker) = &self.backend {
            let failed = |move_idx, error| Box::new(Failed { move_idx, reached: position.clone(), error });
            self.position_ptr("play", variant, position).map_err(|error| failed(0, error))?;
            // A text that the ABI cannot carry ends the sequence there.
            let (n_fit, misfit) = match moves.iter().position(|mv| check_input("move", mv, abi::MOVE_LEN_MAX).is_err())
            {
                Some(idx) => (idx, check_input("move", &moves[idx], abi::MOVE_LEN_MAX).err()),
                None => (moves.len(), None),
            };
            let reached = match n_fit {
                0 => position.clone(),
                _ => worker.play_moves(self, variant, position, &moves[..n_fit])?,
            };
            return match misfit {
                Some(error) => Err(Box::new(Failed { move_idx: n_fit, reached, error })),
                None => Ok(reached),
            };
        }
        let mut reached = position.clone();
        for (move_idx, mv) in moves.iter().enumerate() {
            match self.play_known(variant, &reached, mv) {
                Ok(next) => reached = next,
                Err(error) => return Err(Box::new(Failed { move_idx, reached, error })),
            }
        }
        Ok(reached)
    }

    /// Returns the position after each of these moves of one position, in their order.
    /// An isolated rule set gets them in one message.
    pub fn successors(
        &self,
        variant: usize,
        position: &Position,
        moves: &[String],
    ) -> Result<Vec<Position>, CallError> {
        self.successors_by(variant, position, moves, false)
    }

    /// Same as [`successors`](Ruleset::successors), each
    /// [`canonical`](Ruleset::canonical).
    pub fn canonical_successors(
        &self,
        variant: usize,
        position: &Position,
        moves: &[String],
    ) -> Result<Vec<Position>, CallError> {
        self.successors_by(variant, position, moves, true)
    }

    fn successors_by(
        &self,
        variant: usize,
        position: &Position,
        moves: &[String],
        canonical: bool,
    ) -> Result<Vec<Position>, CallError> {
        if let Backend::Worker(worker) = &self.backend {
            self.position_ptr("play", variant, position)?;
            for mv in moves {
                check_input("move", mv, abi::MOVE_LEN_MAX)?;
            }
            return worker.successors(self, variant, position, moves, canonical);
        }
        let successor = |mv: &String| {
            let next = self.play_known(variant, position, mv)?;
            if canonical { Ok(self.canonical(variant, &next)?.0) } else { Ok(next) }
        };
        moves.iter().map(successor).collect()
    }

    /// Returns the result of a finished game; `None` for an unfinished one.
    pub fn outcome(&self, variant: usize, position: &Position) -> Result<Option<Outcome>, CallError> {
        self.position_ptr("outcome", variant, position)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.outcome(self, variant, position),
        };
        let mut out = Vec::new();
        let sink = OutputSink::new(append_text(&mut out, abi::TEXT_LEN_MAX));
        let writer = sink.writer();
        let has_message = self.words.is_some() && tables.outcome_message.is_some();
        let text = if has_message { ptr::null() } else { &raw const writer };
        // SAFETY: writer and sink outlive the call, and the header allows null.
        let (status, raw) = unsafe { self.call_outcome(tables, variant, position, text) }?;
        self.check_status("outcome", status, ErrorSet::NONE, None, sink.finish())?;
        let outcome = Outcome::from_plugin(&raw, out, self.variants[variant].seating())
            .map_err(|violation| self.fault("outcome", violation))?;
        let Some(mut outcome) = outcome else { return Ok(None) };
        if let Some(sentence) = self.outcome_message(tables, variant, position)? {
            outcome.text = sentence.text;
            outcome.message = sentence.message;
        }
        Ok(Some(outcome))
    }

    /// Returns the English text of a finished game's outcome by `pentad.rules/1` alone,
    /// to compare with its message. Only for a rule set in this process.
    pub fn outcome_text(&self, variant: usize, position: &Position) -> Result<String, CallError> {
        let Backend::InProcess(tables) = &self.backend else { return Err(CallError::Unsupported) };
        let mut out = Vec::new();
        let sink = OutputSink::new(append_text(&mut out, abi::TEXT_LEN_MAX));
        let writer = sink.writer();
        // SAFETY: writer and sink outlive the call.
        let (status, _) = unsafe { self.call_outcome(tables, variant, position, &raw const writer) }?;
        self.check_status("outcome", status, ErrorSet::NONE, None, sink.finish())?;
        text::sentence(out).map_err(|violation| self.fault("outcome", violation))
    }

    /// Returns the scores of a finished game without the text, which is cheaper.
    pub fn scores(&self, variant: usize, position: &Position) -> Result<Option<Scores>, CallError> {
        self.position_ptr("outcome", variant, position)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.scores(self, variant, position),
        };
        // SAFETY: the header allows null for the writer.
        let (status, raw) = unsafe { self.call_outcome(tables, variant, position, ptr::null()) }?;
        self.check_status("outcome", status, ErrorSet::NONE, None, Ok(Completion::Complete))?;
        Outcome::scores_from_plugin(&raw, self.variants[variant].seating())
            .map_err(|violation| self.fault("outcome", violation))
    }

    /// Records a fault found by the caller: a hang, or an illegal move in a report. A
    /// hang ends the worker of an isolated rule set, so that all its calls return
    /// [`CallError::Unavailable`].
    pub fn record_fault(&self, fault: Fault) {
        if let (Backend::Worker(worker), FaultKind::Hang) = (&self.backend, fault.kind) {
            worker.end_process(&fault);
        }
        self.faults.record(fault);
    }

    /// Whether it can be called. A rule set in this process always can; one in a worker
    /// process only while that is up.
    pub fn is_up(&self) -> bool {
        match &self.backend {
            Backend::InProcess(_) => true,
            Backend::Worker(worker) => worker.is_up(),
        }
    }

    /// Where it runs, and the state of its worker.
    pub fn isolation(&self) -> IsolationStatus {
        match &self.backend {
            Backend::InProcess(_) => IsolationStatus::InProcess,
            Backend::Worker(worker) => IsolationStatus::Process(worker.status()),
        }
    }

    /// Whether it runs in a process of its own.
    pub fn is_isolated(&self) -> bool {
        matches!(self.backend, Backend::Worker(_))
    }

    /// The number of faults recorded so far.
    pub fn faults(&self) -> u64 {
        self.faults.count()
    }

    /// The last fault, and when it was recorded.
    pub fn last_fault(&self) -> Option<(SystemTime, Fault)> {
        self.faults.last()
    }

    fn check_move_args(&self, variant: usize, position: &Position, mv: &str) -> Result<(), CallError> {
        self.position_ptr("play", variant, position)?;
        check_input("move", mv, abi::MOVE_LEN_MAX)
    }

    /// # Safety
    /// `canonical` must be null or a writer that outlives the call.
    unsafe fn call_play(
        &self,
        tables: &Tables,
        variant: usize,
        position: &Position,
        mv: &str,
        canonical: *const abi::Writer,
    ) -> Result<(abi::Status, abi::Error, Position), CallError> {
        let bytes = self.position_ptr("play", variant, position)?;
        let mut next = self.new_position("play", variant)?;
        let mut error = Guarded::new(abi::Error::empty());
        // SAFETY: as in `start`; move, error and writer outlive the call, and
        // `next` is a separate buffer.
        let status = unsafe {
            let play = non_null(tables.rules.play);
            play(variant as u32, bytes, abi::Str::new(mv), next.as_mut_ptr(), canonical, error.as_mut_ptr())
        };
        Ok((status, self.checked("play", error)?, self.written("play", next)?))
    }

    /// # Safety
    /// `text` must be null or a writer that outlives the call.
    unsafe fn call_outcome(
        &self,
        tables: &Tables,
        variant: usize,
        position: &Position,
        text: *const abi::Writer,
    ) -> Result<(abi::Status, abi::Outcome), CallError> {
        let bytes = self.position_ptr("outcome", variant, position)?;
        let mut raw = Guarded::new(abi::Outcome::RUNNING);
        // SAFETY: as in `start`; outcome and writer outlive the call.
        let status = unsafe { non_null(tables.rules.outcome)(variant as u32, bytes, raw.as_mut_ptr(), text) };
        Ok((status, self.checked("outcome", raw)?))
    }
}

fn is_possible_prefix(prefix: &str) -> bool {
    prefix.len() as u64 <= abi::MOVE_LEN_MAX && prefix.bytes().all(|byte| byte.is_ascii_graphic())
}
