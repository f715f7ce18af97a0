//! Wins in one move: the calls of `pentad.threats/1`, and what follows from the rules
//! alone.
//!
//! [`Ruleset::threats`] is one call of the engine and, for an isolated rule set, one
//! message. It plays every move that the plugin names: a threat whose move is illegal
//! for its seat, or does not win, is a fault.
//!
//! For a rule set without the extension the wins of the seat to move are found by
//! playing its moves. Threats of other seats are then unknown.

use std::collections::HashSet;
use std::ops::ControlFlow;

use pentad_abi as abi;
use pentad_model::{FaultKind, Threat, ThreatBounds, ThreatKind, Violation, text};

use crate::call::{ErrorSet, misuse};
use crate::error::CallError;
use crate::output::{Completion, OutputSink};
use crate::position::Position;
use crate::ruleset::{Backend, Ruleset};
use crate::tables::{Tables, non_null};

/// Kind of a win found by playing moves.
pub const WINNING: &str = "winning";
/// Maximum number of threats of the side to move, and of all others together.
pub const THREATS_MAX: usize = abi::THREATS_MAX as usize;
/// Maximum number of moves in a list of those that stop a threat.
pub const STOPS_MAX: usize = 256;
/// More kinds are a mistake.
const KINDS_MAX: usize = 256;
/// Maximum number of moves played if the rule set does not list threats.
const PLAYED_MOVES_MAX: usize = 10_000;
/// Rounding error allowed between scores.
const EPSILON: f64 = 1e-9;
const LIST: &str = "threats.list";
const STOPS: &str = "threats.stops";
const TURN_OF: &str = "turn_of";

/// Threats in a position, and the moves that stop them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThreatList {
    /// Threats of the seat to move first, then the others in playing order.
    pub threats: Vec<ListedThreat>,
    /// Moves of the seat to move after which no seat of another side has a threat;
    /// empty if no such threat is listed. If several moves lead to one position, only
    /// the first is listed.
    pub stops_all: Vec<String>,
    /// Seats whose threats are known, in playing order.
    pub seats: Vec<usize>,
    /// Whether a list was cut: there are more than [`THREATS_MAX`] threats, or more
    /// than [`STOPS_MAX`] moves that stop one, or it was cancelled.
    pub is_truncated: bool,
}

/// A threat, and the moves that stop it.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedThreat {
    /// Seat that threatens.
    pub seat: usize,
    /// One of the rule set's kinds, or [`WINNING`].
    pub kind: String,
    /// The move, as the seat would play it.
    pub mv: String,
    /// Minimum score of the seat, above 0.
    pub score: f64,
    /// Points of the board, by index.
    pub points: Vec<u32>,
    /// Moves of the seat to move that remove the threat; empty for threats of its own
    /// side. If several moves lead to one position, only the first is listed.
    pub stopped_by: Vec<String>,
}

impl Ruleset {
    /// The kinds of its threats; none if it does not list them.
    pub fn threat_kinds(&self) -> &[ThreatKind] {
        &self.threat_kinds
    }

    /// Returns the threats in a position, and the moves that stop them. If
    /// `is_cancelled`, it ends early with what is known.
    pub fn threats(
        &self,
        variant: usize,
        position: &Position,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ThreatList, CallError> {
        self.position_ptr(LIST, variant, position)?;
        if let Backend::Worker(worker) = &self.backend {
            return worker.threats(self, variant, position, is_cancelled);
        }
        match self.info.capabilities.threats {
            true => self.known_threats(variant, position, is_cancelled),
            false => self.played_wins(variant, position, is_cancelled),
        }
    }

    /// Returns the position as if it were this seat's turn; `None` if there is none, or
    /// if the rule set does not say.
    pub fn turn_of(&self, variant: usize, position: &Position, seat: usize) -> Result<Option<Position>, CallError> {
        let bytes = self.position_ptr(TURN_OF, variant, position)?;
        if seat >= self.variants[variant].seats.len() {
            return Err(misuse(TURN_OF, format!("there is no seat {seat}")));
        }
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.turn_of(self, variant, position, seat),
        };
        let Some(table) = &tables.threats else { return Ok(None) };
        let mut turn = self.new_position(TURN_OF, variant)?;
        // SAFETY: the table was checked at load; both positions have `position_size`
        // bytes, and the plugin keeps no pointer.
        let status = unsafe { non_null(table.turn_of)(variant as u32, bytes, seat as u32, turn.as_mut_ptr()) };
        let turn = self.written(TURN_OF, turn)?;
        match self.check_status(TURN_OF, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete)) {
            Ok(_) => {}
            Err(CallError::Unsupported) => return Ok(None),
            Err(error) => return Err(error),
        }
        match self.to_move(variant, &turn)? {
            to_move if to_move == seat => Ok(Some(turn)),
            other => Err(self.fault(TURN_OF, Violation::value(format!("asked for seat {seat}, got seat {other}")))),
        }
    }

    /// Returns the threats of the seat to move, as the rule set lists them; none
    /// without the extension. At most [`THREATS_MAX`].
    pub fn list_threats(&self, variant: usize, position: &Position) -> Result<Vec<Threat>, CallError> {
        let bytes = self.position_ptr(LIST, variant, position)?;
        let Backend::InProcess(tables) = &self.backend else { return Err(CallError::Unsupported) };
        let Some(table) = &tables.threats else { return Err(CallError::Unsupported) };
        let bounds = ThreatBounds {
            seat: self.to_move(variant, position)?,
            n_kinds: self.threat_kinds.len(),
            n_points: self.variants[variant].board.as_ref().map_or(0, |board| board.points.len()),
        };
        let mut threats: Vec<Threat> = Vec::new();
        let sink = OutputSink::new(|raw: *const abi::Threat| {
            // SAFETY: the header says that a lister gets a readable threat; null and
            // lengths are checked first.
            let threat = unsafe { Threat::from_plugin(raw, bounds) }?;
            if threats.iter().any(|known| known.key == threat.key) {
                return Err(Violation::value(format!("the key {} twice", threat.key)).into());
            }
            threats.push(threat);
            Ok(if threats.len() <= THREATS_MAX { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        let lister = sink.threat_lister();
        // SAFETY: the table was checked at load; position, lister and sink outlive the
        // call.
        let status = unsafe { non_null(table.list)(variant as u32, bytes, &raw const lister) };
        self.check_status(LIST, status, ErrorSet::EXTENSION, None, sink.finish())?;
        Ok(threats)
    }

    /// Calls `visit` with each move of the seat to move that stops one of `threats`, at
    /// most [`THREATS_MAX`]: the move, a bit for each threat that it stops, and whether
    /// it stops all. An empty text only checks whether to continue.
    pub fn list_stops(
        &self,
        variant: usize,
        position: &Position,
        threats: &[Threat],
        visit: &mut dyn FnMut(&str, u64, bool) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, CallError> {
        let bytes = self.position_ptr(STOPS, variant, position)?;
        let Backend::InProcess(tables) = &self.backend else { return Err(CallError::Unsupported) };
        let Some(table) = &tables.threats else { return Err(CallError::Unsupported) };
        if threats.len() > THREATS_MAX || threats.iter().any(|it| it.seat >= self.variants[variant].seats.len()) {
            return Err(misuse(STOPS, format!("{} threats, or a seat that does not exist", threats.len())));
        }
        let raw_threats: Vec<abi::Threat> = threats.iter().map(Threat::to_abi).collect();
        let sink = OutputSink::new(|(mv, stopped, stops_all): (abi::Str, u64, u32)| {
            if mv.len == 0 {
                return Ok(visit("", 0, false));
            }
            // SAFETY: the header says that a lister gets a readable text; null and too
            // long are checked first.
            let mv = text::move_text(unsafe { text::bytes(mv, abi::MOVE_LEN_MAX) }?)?;
            if stopped == 0 || stopped.checked_shr(threats.len() as u32).unwrap_or(0) != 0 {
                return Err(Violation::value(format!("`{mv}` stops {stopped:#b} of {} threats", threats.len())).into());
            }
            Ok(visit(mv, stopped, stops_all != 0))
        });
        let lister = sink.stop_lister();
        // SAFETY: the table was checked at load; position, threats, lister and sink
        // outlive the call.
        let status = unsafe {
            let stops = non_null(table.stops);
            stops(variant as u32, bytes, raw_threats.as_ptr(), raw_threats.len() as u64, &raw const lister)
        };
        match self.check_status(STOPS, status, ErrorSet::EXTENSION, None, sink.finish())? {
            Completion::Complete => Ok(ControlFlow::Continue(())),
            Completion::Stopped => Ok(ControlFlow::Break(())),
        }
    }

    /// Lists the rule set's kinds, each once; none without the extension.
    pub(crate) fn list_threat_kinds(tables: &Tables) -> Result<Vec<ThreatKind>, Violation> {
        let Some(table) = &tables.threats else { return Ok(Vec::new()) };
        let mut kinds: Vec<ThreatKind> = Vec::new();
        let sink = OutputSink::new(|raw: *const abi::ThreatKind| {
            // SAFETY: the header says that a lister gets a readable kind; null and
            // lengths are checked first.
            let kind = unsafe { ThreatKind::from_plugin(raw) }?;
            if kinds.len() == KINDS_MAX || kinds.iter().any(|known| known.kind == kind.kind) {
                return Err(Violation::value(format!("the kind `{}` twice, or too many kinds", kind.kind)).into());
            }
            kinds.push(kind);
            Ok(ControlFlow::Continue(()))
        });
        let lister = sink.threat_kind_lister();
        // SAFETY: the table was checked at load; lister and sink outlive the call.
        let status = unsafe { non_null(table.kinds)(&raw const lister) };
        sink.finish()?;
        match status {
            abi::OK => Ok(kinds),
            abi::FAULT => Err(Violation { kind: FaultKind::Panic, detail: "panicked".to_owned() }),
            other => Err(Violation::status(format!("status {other}"))),
        }
    }

    /// Returns the threats of every seat, each verified by playing it. Needs the
    /// extension.
    fn known_threats(
        &self,
        variant: usize,
        position: &Position,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ThreatList, CallError> {
        let to_move = self.to_move(variant, position)?;
        let seats = &self.variants[variant].seats;
        let mut list = ThreatList { seats: (0..seats.len()).collect(), ..ThreatList::default() };
        let (mut own, mut others) = (Vec::new(), Vec::new());
        // The seat to move first, then in playing order.
        for seat in (to_move..seats.len()).chain(0..to_move) {
            let Some(turn) = self.turn_of(variant, position, seat)? else { continue };
            let found = if seats[seat].side == seats[to_move].side { &mut own } else { &mut others };
            for threat in self.list_threats(variant, &turn)? {
                if found.len() == THREATS_MAX {
                    list.is_truncated = true;
                    break;
                }
                self.check_threat(variant, &turn, &threat)?;
                found.push(threat);
            }
        }
        let mut stops = StopLists::new(&others);
        if !others.is_empty() {
            self.collect_stops(variant, position, &others, &mut stops, is_cancelled)?;
        }
        list.is_truncated |= stops.is_truncated;
        list.stops_all = stops.all;
        let others = others.into_iter().zip(stops.by_threat);
        let listed = own.into_iter().map(|threat| (threat, Vec::new())).chain(others);
        list.threats = listed.map(|(threat, stopped_by)| self.listed(threat, stopped_by)).collect();
        Ok(list)
    }

    /// Checks that the move of a threat is legal and canonical, and scores what it
    /// claims if it ends the game.
    fn check_threat(&self, variant: usize, turn: &Position, threat: &Threat) -> Result<(), CallError> {
        let mv = &threat.mv;
        let played = match self.play(variant, turn, mv) {
            Ok(played) => played,
            Err(error @ (CallError::Fault(_) | CallError::Unavailable { .. })) => return Err(error),
            Err(error) => return Err(self.fault(LIST, Violation::value(format!("the threat `{mv}`: {error}")))),
        };
        if played.canonical != *mv {
            let detail = format!("the threat `{mv}` is not canonical, but `{}`", played.canonical);
            return Err(self.fault(LIST, Violation::text(detail)));
        }
        match self.scores(variant, &played.position)? {
            Some(scores) if scores[threat.seat] < threat.score - EPSILON => {
                let detail = format!("the threat `{mv}` gives {} points, not {}", scores[threat.seat], threat.score);
                Err(self.fault(LIST, Violation::value(detail)))
            }
            _ => Ok(()),
        }
    }

    fn collect_stops(
        &self,
        variant: usize,
        position: &Position,
        threats: &[Threat],
        stops: &mut StopLists,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<(), CallError> {
        let mut failed = None;
        let _complete = self.list_stops(variant, position, threats, &mut |mv, stopped, stops_all| {
            if is_cancelled() {
                stops.is_truncated = true;
                return ControlFlow::Break(());
            }
            if mv.is_empty() || !stops.wants(stopped, stops_all) {
                return ControlFlow::Continue(());
            }
            match self.play(variant, position, mv) {
                Ok(played) => stops.add(mv, played.position, stopped, stops_all),
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            if stops.are_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        match failed {
            None => Ok(()),
            Some(error @ (CallError::Fault(_) | CallError::Unavailable { .. })) => Err(error),
            Some(error) => Err(self.fault(STOPS, Violation::value(format!("a stopping move: {error}")))),
        }
    }

    fn listed(&self, threat: Threat, stopped_by: Vec<String>) -> ListedThreat {
        let Threat { seat, kind, score, mv, points, .. } = threat;
        ListedThreat { seat, kind: self.threat_kinds[kind].kind.clone(), mv, score, points, stopped_by }
    }

    /// Returns the moves of the seat to move that win at once. Needs no extension.
    fn played_wins(
        &self,
        variant: usize,
        position: &Position,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ThreatList, CallError> {
        let seat = self.to_move(variant, position)?;
        let mut list = ThreatList { seats: vec![seat], ..ThreatList::default() };
        let mut moves: Vec<String> = Vec::new();
        let _complete = self.legal_moves(variant, position, "", &mut |mv| {
            if moves.len() == PLAYED_MOVES_MAX {
                list.is_truncated = true;
                return ControlFlow::Break(());
            }
            moves.push(mv.to_owned());
            ControlFlow::Continue(())
        })?;
        let mut reached = HashSet::new();
        for mv in moves {
            if is_cancelled() {
                list.is_truncated = true;
                break;
            }
            let next = self.play_known(variant, position, &mv)?;
            let score = self.scores(variant, &next)?.map_or(0.0, |scores| scores[seat]);
            if score < 1.0 - EPSILON || !reached.insert(next.clone()) {
                continue;
            }
            if list.threats.len() == THREATS_MAX {
                list.is_truncated = true;
                break;
            }
            let points = self.changed_points(variant, position, &next)?;
            let kind = WINNING.to_owned();
            list.threats.push(ListedThreat { seat, kind, mv, score, points, stopped_by: Vec::new() });
        }
        Ok(list)
    }

    /// Returns the points whose pieces differ in `after`; none without a board.
    fn changed_points(&self, variant: usize, before: &Position, after: &Position) -> Result<Vec<u32>, CallError> {
        let pieces = |position| match self.pieces(variant, position) {
            Err(CallError::Unsupported) => Ok(Vec::new()),
            pieces => pieces,
        };
        let (before, after) = (pieces(before)?, pieces(after)?);
        let changed =
            before.iter().filter(|it| !after.contains(it)).chain(after.iter().filter(|it| !before.contains(it)));
        let mut points: Vec<u32> = changed.map(|&(point, _)| point).collect();
        points.sort_unstable();
        points.dedup();
        Ok(points)
    }
}

/// Moves that stop threats, up to the limits.
struct StopLists {
    by_threat: Vec<Vec<String>>,
    all: Vec<String>,
    /// Positions after those moves.
    reached: HashSet<Position>,
    is_truncated: bool,
}

impl StopLists {
    fn new(threats: &[Threat]) -> StopLists {
        StopLists {
            by_threat: vec![Vec::new(); threats.len()],
            all: Vec::new(),
            reached: HashSet::new(),
            is_truncated: false,
        }
    }

    /// Whether any list has room for such a move.
    fn wants(&mut self, stopped: u64, stops_all: bool) -> bool {
        let is_stopped = |idx: usize| stopped >> idx & 1 != 0;
        let (mut has_room, mut is_full) = (false, false);
        for list in self.by_threat.iter().enumerate().filter(|(idx, _)| is_stopped(*idx)).map(|(_, list)| list) {
            *(if list.len() < STOPS_MAX { &mut has_room } else { &mut is_full }) = true;
        }
        if stops_all {
            *(if self.all.len() < STOPS_MAX { &mut has_room } else { &mut is_full }) = true;
        }
        self.is_truncated |= is_full;
        has_room
    }

    fn add(&mut self, mv: &str, reached: Position, stopped: u64, stops_all: bool) {
        if !self.reached.insert(reached) {
            return;
        }
        let lists = self.by_threat.iter_mut().enumerate().filter(|(idx, _)| stopped >> idx & 1 != 0);
        let lists = lists.map(|(_, list)| list).chain(stops_all.then_some(&mut self.all));
        lists.filter(|list| list.len() < STOPS_MAX).for_each(|list| list.push(mv.to_owned()));
    }

    fn are_full(&mut self) -> bool {
        // A further move of each kind would not be listed.
        let are_full = self.by_threat.iter().chain([&self.all]).all(|list| list.len() == STOPS_MAX);
        self.is_truncated |= are_full;
        are_full
    }
}
