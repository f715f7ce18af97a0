//! A loaded rule set and the calls of `pentad.rules/1`.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::ptr;
use std::time::SystemTime;

use pentad_abi as abi;
use pentad_search::Scores;

use crate::call::{Allow, check_input};
use crate::error::{CallError, Fault, FaultLog, Lie};
use crate::position::Position;
use crate::sink::{End, Sink, collect, one_move};
use crate::tables::{Tables, present};
use crate::text;
use crate::variant::Variant;
use crate::wire;

/// One loaded rule set. Calls may come from any thread.
///
/// Every call takes the index of a variant; `CallError::Unsupported` says that
/// the rule set lacks the ability. A fault that a call returns is recorded.
#[derive(Debug)]
pub struct Ruleset {
    pub(crate) info: RulesetInfo,
    pub(crate) variants: Vec<Variant>,
    pub(crate) library: u32,
    pub(crate) tables: Tables,
    pub(crate) faults: FaultLog,
}

/// Who a rule set is and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetInfo {
    /// The game's id: lower-case letters, digits and `-`.
    pub id: String,
    /// For people.
    pub name: String,
    /// Of the rule set.
    pub version: String,
    /// How the game is played, for people.
    pub rules: String,
    /// How positions and moves are written, for people.
    pub notation: String,
    /// Of the ABI it was built for; the same as the host's.
    pub abi_major: u32,
    /// Of the ABI it was built for; may be older or newer than the host's.
    pub abi_minor: u32,
    /// Canonical and absolute.
    pub path: PathBuf,
    /// Of the file, in lower-case hexadecimal.
    pub sha256: String,
    /// What it can do beyond its rules.
    pub capabilities: Capabilities,
}

/// What a rule set can do beyond its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// It searches and evaluates by itself.
    pub search: bool,
    /// It knows which positions are the same game.
    pub symmetry: bool,
    /// It describes its board.
    pub layout: bool,
    /// It explains moves.
    pub reasons: bool,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// 0 to 1 per seat.
    pub scores: Vec<f64>,
    /// Per seat; 1 is best, equal places repeat.
    pub places: Vec<u32>,
    /// One sentence for people.
    pub text: String,
}

/// What a move led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position after the move.
    pub position: Position,
    /// The move as the rule set writes it.
    pub canonical: String,
}

/// Why a move is good or bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// From a short list that the game documents.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// Where to look: ids of points of the board.
    pub points: Vec<String>,
}

impl Ruleset {
    /// Who it is and where it came from.
    pub fn info(&self) -> &RulesetInfo {
        &self.info
    }

    /// The ways of playing it, the default first. Never empty.
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// The index of the variant with that id.
    pub fn variant_idx(&self, id: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.id == id)
    }

    /// Where a game begins.
    pub fn start(&self, variant: usize) -> Result<Position, CallError> {
        let mut position = self.blank("start", variant)?;
        // SAFETY: the table was checked at load; the position has
        // `position_size` bytes, and the plugin keeps no pointer. The same
        // three facts carry every call in this file.
        let status = unsafe { present(self.tables.rules.start)(variant as u32, position.as_mut_ptr()) };
        self.settle("start", status, Allow::NONE, None, Ok(End::Complete))?;
        Ok(position)
    }

    /// Reads a position from text.
    pub fn parse(&self, variant: usize, text: &str) -> Result<Position, CallError> {
        let mut position = self.blank("parse", variant)?;
        check_input("position", text, abi::POSITION_LEN_MAX)?;
        let mut error = abi::Error::empty();
        // SAFETY: as in `start`; text and error outlive the call.
        let status = unsafe {
            let parse = present(self.tables.rules.parse);
            parse(variant as u32, abi::Str::new(text), position.as_mut_ptr(), &raw mut error)
        };
        self.settle("parse", status, Allow::MALFORMED, Some(&error), Ok(End::Complete))?;
        Ok(position)
    }

    /// Writes a position as text, in canonical form.
    pub fn format(&self, variant: usize, position: &Position) -> Result<String, CallError> {
        let bytes = self.bytes("format", variant, position)?;
        let mut out = Vec::with_capacity(64);
        let sink = Sink::new(collect(&mut out, abi::POSITION_LEN_MAX));
        let writer = sink.writer();
        // SAFETY: as in `start`; writer and sink outlive the call.
        let status = unsafe { present(self.tables.rules.format)(variant as u32, bytes, &raw const writer) };
        self.settle("format", status, Allow::NONE, None, sink.end())?;
        text::position_text(out).map_err(|lie| self.fault("format", lie))
    }

    /// The seat whose turn it is, or in a finished game would be.
    pub fn to_move(&self, variant: usize, position: &Position) -> Result<usize, CallError> {
        let bytes = self.bytes("to_move", variant, position)?;
        let mut seat = u32::MAX;
        // SAFETY: as in `start`; the seat outlives the call.
        let status = unsafe { present(self.tables.rules.to_move)(variant as u32, bytes, &raw mut seat) };
        self.settle("to_move", status, Allow::NONE, None, Ok(End::Complete))?;
        self.checked_seat("to_move", variant, seat)
    }

    /// Gives the legal moves whose text begins with `prefix` to `visit`, in
    /// canonical order, until it breaks. A finished game has none.
    pub fn legal_moves(
        &self,
        variant: usize,
        position: &Position,
        prefix: &str,
        visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, CallError> {
        let bytes = self.bytes("legal_moves", variant, position)?;
        if !can_begin_a_move(prefix) {
            return Ok(ControlFlow::Continue(()));
        }
        let sink = Sink::new(|mv: abi::Str| {
            // SAFETY: the header says that a writer gets readable bytes; null
            // and too long are checked first.
            let mv = text::move_text(unsafe { text::bytes(mv, abi::MOVE_LEN_MAX) }?)?;
            if !prefix.is_empty() && !mv.starts_with(prefix) {
                return Err(Lie::text(format!("the move `{mv}` does not begin with `{prefix}`")).into());
            }
            Ok(visit(mv))
        });
        let writer = sink.writer();
        // SAFETY: as in `start`; prefix, writer and sink outlive the call.
        let status = unsafe {
            present(self.tables.rules.legal_moves)(variant as u32, bytes, abi::Str::new(prefix), &raw const writer)
        };
        match self.settle("legal_moves", status, Allow::NONE, None, sink.end())? {
            End::Complete => Ok(ControlFlow::Continue(())),
            End::Stopped => Ok(ControlFlow::Break(())),
        }
    }

    /// How many moves [`legal_moves`](Ruleset::legal_moves) would give.
    pub fn count_moves(&self, variant: usize, position: &Position, prefix: &str) -> Result<u64, CallError> {
        let bytes = self.bytes("count_moves", variant, position)?;
        if !can_begin_a_move(prefix) {
            return Ok(0);
        }
        let mut count = 0;
        // SAFETY: as in `start`; prefix and count outlive the call.
        let status = unsafe {
            present(self.tables.rules.count_moves)(variant as u32, bytes, abi::Str::new(prefix), &raw mut count)
        };
        self.settle("count_moves", status, Allow::NONE, None, Ok(End::Complete))?;
        Ok(count)
    }

    /// Plays one move, written canonically or by an alias.
    pub fn play(&self, variant: usize, position: &Position, mv: &str) -> Result<Played, CallError> {
        let mut canonical = None;
        let sink = Sink::new(one_move(&mut canonical));
        let writer = sink.writer();
        // SAFETY: writer and sink outlive the call.
        let (status, error, next) = unsafe { self.call_play(variant, position, mv, &raw const writer) }?;
        self.settle("play", status, Allow::MOVE, Some(&error), sink.end())?;
        let canonical = canonical.ok_or_else(|| self.fault("play", Lie::text("no canonical text of the move")))?;
        Ok(Played { position: next, canonical })
    }

    /// Plays one move without asking for its canonical text, which is cheaper.
    /// The move is checked all the same.
    pub fn play_known(&self, variant: usize, position: &Position, mv: &str) -> Result<Position, CallError> {
        // SAFETY: the header allows null for the writer.
        let (status, error, next) = unsafe { self.call_play(variant, position, mv, ptr::null()) }?;
        self.settle("play", status, Allow::MOVE, Some(&error), Ok(End::Complete))?;
        Ok(next)
    }

    /// How the game ended; `None` while it goes on.
    pub fn outcome(&self, variant: usize, position: &Position) -> Result<Option<Outcome>, CallError> {
        let mut out = Vec::new();
        let sink = Sink::new(collect(&mut out, abi::TEXT_LEN_MAX));
        let writer = sink.writer();
        // SAFETY: writer and sink outlive the call.
        let (status, raw) = unsafe { self.call_outcome(variant, position, &raw const writer) }?;
        self.settle("outcome", status, Allow::NONE, None, sink.end())?;
        let Some(scores) = self.read_outcome(variant, &raw)? else { return Ok(None) };
        let places = raw.places[..scores.as_slice().len()].to_vec();
        if places.iter().any(|place| !(1..=places.len() as u32).contains(place)) {
            return Err(self.fault("outcome", Lie::value(format!("the places {places:?}"))));
        }
        let text = text::sentence(out).map_err(|lie| self.fault("outcome", lie))?;
        Ok(Some(Outcome { scores: scores.as_slice().to_vec(), places, text }))
    }

    /// The scores of a finished game without the text, which is cheaper.
    pub fn scores(&self, variant: usize, position: &Position) -> Result<Option<Scores>, CallError> {
        // SAFETY: the header allows null for the writer.
        let (status, raw) = unsafe { self.call_outcome(variant, position, ptr::null()) }?;
        self.settle("outcome", status, Allow::NONE, None, Ok(End::Complete))?;
        self.read_outcome(variant, &raw)
    }

    /// Records a misbehaviour that was found elsewhere: a hang, or a move in a
    /// report that turned out to be illegal.
    pub fn record_fault(&self, fault: Fault) {
        self.faults.record(fault);
    }

    /// How many misbehaviours were recorded.
    pub fn faults(&self) -> u64 {
        self.faults.count()
    }

    /// The last one, and when it happened.
    pub fn last_fault(&self) -> Option<(SystemTime, Fault)> {
        self.faults.last()
    }

    /// # Safety
    /// `canonical` must be null or a writer that outlives the call.
    unsafe fn call_play(
        &self,
        variant: usize,
        position: &Position,
        mv: &str,
        canonical: *const abi::Writer,
    ) -> Result<(abi::Status, abi::Error, Position), CallError> {
        let bytes = self.bytes("play", variant, position)?;
        check_input("move", mv, abi::MOVE_LEN_MAX)?;
        let mut next = self.blank("play", variant)?;
        let mut error = abi::Error::empty();
        // SAFETY: as in `start`; move, error and writer outlive the call, and
        // `next` is a buffer of its own.
        let status = unsafe {
            let play = present(self.tables.rules.play);
            play(variant as u32, bytes, abi::Str::new(mv), next.as_mut_ptr(), canonical, &raw mut error)
        };
        Ok((status, error, next))
    }

    /// # Safety
    /// `text` must be null or a writer that outlives the call.
    unsafe fn call_outcome(
        &self,
        variant: usize,
        position: &Position,
        text: *const abi::Writer,
    ) -> Result<(abi::Status, abi::Outcome), CallError> {
        let bytes = self.bytes("outcome", variant, position)?;
        let mut raw = abi::Outcome::RUNNING;
        // SAFETY: as in `start`; outcome and writer outlive the call.
        let status = unsafe { present(self.tables.rules.outcome)(variant as u32, bytes, &raw mut raw, text) };
        Ok((status, raw))
    }

    fn read_outcome(&self, variant: usize, raw: &abi::Outcome) -> Result<Option<Scores>, CallError> {
        match raw.over {
            0 => Ok(None),
            1 => wire::read_scores(&raw.scores, raw.n_seats, &self.variants[variant])
                .map(Some)
                .map_err(|lie| self.fault("outcome", lie)),
            other => Err(self.fault("outcome", Lie::value(format!("`over` is {other}, want 0 or 1")))),
        }
    }
}

fn can_begin_a_move(prefix: &str) -> bool {
    prefix.len() as u64 <= abi::MOVE_LEN_MAX && prefix.bytes().all(|byte| byte.is_ascii_graphic())
}
