//! Wins in one, what stops them, and longer wins that a search proves.
//!
//! The wins in one are a call of the rules, which lists them or plays every move. For more plies each seat
//! without one is given the turn, and that position is searched like any other; only proven wins count.

use std::sync::Arc;
use std::time::Instant;

use pentad_host::{ListedThreat, Position, ThreatList};
use pentad_model::{Certainty, Wdl};

use crate::answer::{SeatThreat, Threats, VariantRef};
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::field::Field;
use crate::question::{HintQuestion, QuestionLimits, ThreatsQuestion, bounded_limits};
use crate::resolve::considered::Considered;
use crate::resolve::position_key::PositionKey;
use crate::resolve::{ResolvedPosition, SearchRoot};
use crate::rules::job::{AboutPosition, CallContext};
use crate::search::cache::Snapshot;

/// The kind of a win that a search has proven.
pub(crate) const FORCED: &str = "forced";
/// Most plies within which wins are looked for.
pub const THREAT_DEPTH_MAX: u32 = 64;
/// Positions with more moves go to the threads of long lists: every move is played to see what it stops.
const SHORT_LIST_LEN_MAX: u64 = 2_000;
/// Differences of scores that rounding may cause.
const EPSILON: f64 = 1e-9;

impl ThreatsQuestion {
    /// Checks what can be checked without the rules.
    pub(crate) fn check(&self, config: &EngineConfig) -> Result<(), EngineError> {
        if !(1..=THREAT_DEPTH_MAX).contains(&self.depth) {
            let message = format!("{} is not between 1 and {THREAT_DEPTH_MAX}", self.depth);
            return Err(EngineError::bad_argument(Field::Depth, message));
        }
        self.search_question(config).check(config)
    }

    /// Returns the question that a proven win within the depth answers.
    pub(crate) fn search_question(&self, config: &EngineConfig) -> HintQuestion {
        let limits = bounded_limits(self.limits, config);
        let depth = self.limits.depth.map_or(self.depth, |depth| depth.min(self.depth));
        let limits = QuestionLimits { depth: Some(depth), ..limits };
        HintQuestion { limits, ..HintQuestion::new(self.spec.clone()) }
    }
}

/// The wins in one, or the work left if that takes long.
pub(crate) enum ThreatsOrLongList {
    Complete(Box<ListedThreats>),
    Long(Box<LongThreats>),
}

/// A question whose answer takes long, with the position resolved.
pub(crate) struct LongThreats {
    question: ThreatsQuestion,
    resolved: ResolvedPosition,
}

impl AboutPosition for LongThreats {
    fn position(&self) -> String {
        self.question.position()
    }
}

/// The wins in one of a position, and the positions to search for longer ones.
pub(crate) struct ListedThreats {
    list: ThreatList,
    /// Position in canonical form.
    text: String,
    key: PositionKey,
    to_move: usize,
    /// Positions with the turn given to each seat without a win in one; empty if nothing is to be searched.
    pub(crate) roots: Vec<SearchRoot>,
}

/// Lists the wins in one, unless that takes long.
pub(crate) fn list(context: &CallContext<'_>, question: &ThreatsQuestion) -> Result<ThreatsOrLongList, EngineError> {
    let resolved = ResolvedPosition::resolve(context, &question.spec)?;
    let CallContext { game, variant, .. } = *context;
    let n_moves = game.ruleset.count_moves(variant, &resolved.position, "");
    if n_moves.map_err(|error| EngineError::from_call(&game.id, error))? > SHORT_LIST_LEN_MAX {
        return Ok(ThreatsOrLongList::Long(Box::new(LongThreats { question: question.clone(), resolved })));
    }
    listed(context, question, &resolved).map(|found| ThreatsOrLongList::Complete(Box::new(found)))
}

/// Lists the wins in one of a position with very many moves.
pub(crate) fn long_list(context: &CallContext<'_>, input: &LongThreats) -> Result<ListedThreats, EngineError> {
    listed(context, &input.question, &input.resolved)
}

fn listed(
    context: &CallContext<'_>,
    question: &ThreatsQuestion,
    resolved: &ResolvedPosition,
) -> Result<ListedThreats, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let (rules, position) = (&game.ruleset, &resolved.position);
    let until = question.limits.time.and_then(|time| Instant::now().checked_add(time));
    let is_over = || context.is_cancelled() || until.is_some_and(|until| Instant::now() >= until);
    let fault = |error| EngineError::from_call(&game.id, error);
    let text = rules.format(variant, position).map_err(fault)?;
    let is_finished = rules.scores(variant, position).map_err(fault)?.is_some();
    let list = match is_finished {
        true => ThreatList { seats: (0..rules.variants()[variant].seats.len()).collect(), ..ThreatList::default() },
        false => rules.threats(variant, position, &is_over).map_err(fault)?,
    };
    let mut roots = Vec::new();
    let has_win = |seat: usize| list.threats.iter().any(|threat| threat.seat == seat);
    for &seat in list.seats.iter().filter(|&&seat| question.depth > 1 && !is_finished && !has_win(seat)) {
        let turn = match seat == resolved.to_move {
            true => Some(position.clone()),
            false => rules.turn_of(variant, position, seat).map_err(fault)?,
        };
        if let Some(turn) = turn {
            let root = search_root(context, turn, seat, &text)?;
            roots.push(SearchRoot { is_turn_changed: seat != resolved.to_move, ..root });
        }
    }
    Ok(ListedThreats { list, text, key: resolved.key(context)?, to_move: resolved.to_move, roots })
}

/// Returns the root of a search with the turn given to a seat.
fn search_root(
    context: &CallContext<'_>,
    position: Position,
    seat: usize,
    text: &str,
) -> Result<SearchRoot, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let rules = &game.ruleset;
    let fault = |error| EngineError::from_call(&game.id, error);
    let (canonical, to_canonical) = rules.canonical(variant, &position).map_err(fault)?;
    let to_caller = rules.inverse_symmetry(variant, to_canonical).map_err(fault)?;
    let outcome = rules.outcome(variant, &position).map_err(fault)?;
    let key = PositionKey::new(rules, variant, &canonical);
    let text = text.to_owned();
    Ok(SearchRoot {
        position,
        text,
        to_move: seat,
        canonical,
        key,
        to_caller,
        considered: Considered::All,
        outcome,
        is_turn_changed: false,
    })
}

/// Results of searches, each with its root.
pub(crate) struct Searched {
    pub(crate) found: Vec<(Arc<SearchRoot>, Arc<Snapshot>)>,
    pub(crate) depth: u32,
}

impl AboutPosition for Searched {
    fn position(&self) -> String {
        self.found.first().map_or_else(String::new, |(root, _)| root.text.clone())
    }
}

/// Returns the wins that are proven within the depth.
pub(crate) fn forced(context: &CallContext<'_>, searched: &Searched) -> Result<Vec<SeatThreat>, EngineError> {
    let mut threats = Vec::new();
    for (root, snapshot) in &searched.found {
        threats.extend(forced_win(context, root, snapshot, searched.depth)?);
    }
    Ok(threats)
}

fn forced_win(
    context: &CallContext<'_>,
    root: &SearchRoot,
    snapshot: &Snapshot,
    depth: u32,
) -> Result<Option<SeatThreat>, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let rules = &game.ruleset;
    let fault = |error| EngineError::from_call(&game.id, error);
    let Some(line) = snapshot.report.lines.first() else { return Ok(None) };
    // The seat's number on the board that was searched.
    let seat = rules.to_move(variant, &root.canonical).map_err(fault)?;
    let evaluation = &line.evaluation;
    let is_won = match evaluation.outcome {
        Some(outcome) => outcome == Wdl::Win,
        None => evaluation.scores[seat] > 1.0 - EPSILON,
    };
    let Some(plies) = evaluation.plies_to_end.filter(|&plies| plies <= depth) else { return Ok(None) };
    if evaluation.certainty != Certainty::Proven || !is_won {
        return Ok(None);
    }
    let first = line.moves[0].clone();
    let mapped = rules.apply_symmetry_to_move(variant, root.to_caller, &root.canonical, &first);
    Ok(Some(SeatThreat {
        seat: root.to_move,
        kind: FORCED.to_owned(),
        mv: mapped.map_err(fault)?,
        points: Vec::new(),
        stopped_by: Vec::new(),
        plies,
        score: 1.0,
    }))
}

impl ListedThreats {
    /// Returns the answer, with the wins that searches found.
    pub(crate) fn answer(self, forced: Vec<SeatThreat>, variant: VariantRef) -> Threats {
        let ThreatList { threats, stops_all, seats, is_truncated } = self.list;
        let in_one = |ListedThreat { seat, kind, mv, score, points, stopped_by }| SeatThreat {
            seat,
            kind,
            mv,
            points,
            stopped_by,
            plies: 1,
            score,
        };
        Threats {
            threats: threats.into_iter().map(in_one).chain(forced).collect(),
            stops_all,
            seats,
            is_truncated,
            position: self.text,
            key: self.key,
            to_move: self.to_move,
            variant,
        }
    }
}
