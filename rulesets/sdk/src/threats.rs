//! `pentad.threats/1`: wins in one for every seat.

use std::ops::ControlFlow;

pub use pentad_model::ThreatKey;

use crate::ruleset::Ruleset;

/// Maximum number of moves tried between two calls of `give`; the ABI allows 1,000.
const SILENT_MOVES_MAX: u32 = 500;

/// `pentad.threats/1`: the wins in one of each seat if it were its turn, and the moves of
/// the seat to move that stop them.
///
/// ```
/// # use std::borrow::Cow;
/// # use std::ops::ControlFlow;
/// # use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Seat, Variant};
/// use pentad_sdk::{Threat, ThreatKind, Threats, threat_kind};
///
/// # pub struct Matches;
/// # impl Ruleset for Matches {
/// #     type Position = (u8, u8);
/// #     type Move = u8;
/// #     const INFO: Info = Info { id: "matches", name: "", version: "", rules: "", notation: "" };
/// #     fn variants() -> Vec<Variant> { Vec::new() }
/// #     fn new(_: usize) -> Self { Matches }
/// #     fn position_size(&self) -> usize { 2 }
/// #     fn encode(&self, position: &(u8, u8), bytes: &mut [u8]) { bytes.copy_from_slice(&[position.0, position.1]) }
/// #     fn decode(&self, bytes: &[u8]) -> Option<(u8, u8)> { Some((bytes[0], bytes[1])) }
/// #     fn start(&self) -> (u8, u8) { (7, 0) }
/// #     fn parse(&self, _: &str) -> Result<(u8, u8), Refusal> { Ok((7, 0)) }
/// #     fn format(&self, _: &(u8, u8), _: &mut String) {}
/// #     fn to_move(&self, position: &(u8, u8)) -> usize { usize::from(position.1) }
/// #     fn outcome(&self, position: &(u8, u8)) -> Option<Outcome> {
/// #         (position.0 == 0).then(|| Outcome::of_two(Some(1 - usize::from(position.1)), ""))
/// #     }
/// #     fn legal_moves(&self, position: &(u8, u8), visit: impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
/// #         (1..=position.0.min(2)).try_for_each(visit)
/// #     }
/// #     fn parse_move(&self, _: &(u8, u8), _: &str) -> Result<u8, Refusal> { Ok(1) }
/// #     fn move_text(&self, _: &(u8, u8), mv: &u8) -> Cow<'static, str> { mv.to_string().into() }
/// #     fn play(&self, position: &(u8, u8), mv: &u8) -> (u8, u8) { (position.0 - mv, 1 - position.1) }
/// # }
/// // The game of the crate's example: the player who takes the last match wins.
/// impl Threats for Matches {
///     const KINDS: &'static [ThreatKind] = &[threat_kind("last", "taking the last match")];
///
///     fn turn_of(&self, position: &(u8, u8), seat: usize) -> Option<(u8, u8)> {
///         (position.0 > 0).then_some((position.0, seat as u8))
///     }
///
///     fn threats(&self, position: &(u8, u8)) -> Vec<Threat<u8>> {
///         let wins = (1..=2).contains(&position.0);
///         wins.then(|| Threat::win(0, 0, position.0, Vec::new())).into_iter().collect()
///     }
/// }
///
/// // With two matches left Bob would take both, and taking one leaves him the last: Ann
/// // has to take both herself.
/// let mut stops = Vec::new();
/// let threats = [pentad_sdk::ThreatKey { seat: 1, key: 0, score: 1.0 }];
/// let _complete = Matches.stops(&[0, 1], &(2, 0), &threats, &mut |stop| {
///     stops.extend(stop.map(|stop| *stop.mv));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(stops, [2]);
/// ```
pub trait Threats: Ruleset {
    /// Every kind of threat.
    const KINDS: &'static [ThreatKind];

    /// Returns the position as if it were a seat's turn: for the seat to move, the
    /// position itself; for another one, the same board with the turn passed on, and
    /// without restrictions from the turn before. `None` where there is no such position: the
    /// game is over, the seat has finished, a reply is pending.
    ///
    /// If [`parse`](Ruleset::parse) would refuse that position,
    /// [`is_off_turn`](Ruleset::is_off_turn) is true for it and for the positions that
    /// follow, and all other methods must accept them.
    fn turn_of(&self, position: &Self::Position, seat: usize) -> Option<Self::Position>;

    /// Lists every way in which the seat to move wins with this move, each key once and
    /// always in the same order. None in a finished game.
    fn threats(&self, position: &Self::Position) -> Vec<Threat<Self::Move>>;

    /// Calls `give` with each move of the seat to move that stops one of `threats` (at
    /// most 64), until it breaks; and with `None` at least once for every 1,000 moves
    /// tried without a result. `sides` are the sides of the seats.
    ///
    /// The default plays every legal move and lists the threats that remain. Override it
    /// in a game with very many moves.
    fn stops(
        &self,
        sides: &[u32],
        position: &Self::Position,
        threats: &[ThreatKey],
        give: &mut GiveStoppingMove<'_, Self::Move>,
    ) -> ControlFlow<()> {
        let mover = self.to_move(position);
        let mut n_silent = 0;
        self.legal_moves(position, |mv| {
            let next = self.play(position, &mv);
            let (stopped, stops_all) = stopped_by(self, sides, mover, &next, threats);
            if stopped != 0 {
                n_silent = 0;
                return give(Some(StoppingMove { mv: &mv, stopped, stops_all }));
            }
            n_silent += 1;
            if n_silent < SILENT_MOVES_MAX {
                return ControlFlow::Continue(());
            }
            n_silent = 0;
            give(None)
        })
    }
}

/// A win in one.
#[derive(Clone, Debug, PartialEq)]
pub struct Threat<M> {
    /// Index in [`Threats::KINDS`].
    pub kind: usize,
    /// Identifies the threat among those of its seat, also in other positions: it is the
    /// same threat if it makes the same five by the same turn, or brings out the same
    /// figures.
    pub key: u64,
    /// Minimum score of the seat once the move is made, whatever follows.
    pub score: f64,
    /// A move that carries out the threat.
    pub mv: M,
    /// The points of the layout where the pieces that make the win are now, and the empty
    /// ones that they need.
    pub points: Vec<usize>,
}

impl<M> Threat<M> {
    /// Creates a threat that wins the whole point.
    pub fn win(kind: usize, key: u64, mv: M, points: Vec<usize>) -> Self {
        Threat { kind, key, score: 1.0, mv, points }
    }
}

/// A kind of threat, and its description.
pub type ThreatKind = pentad_model::ThreatKind<&'static str>;

/// Declares a kind of threat by its id and its description.
pub const fn threat_kind(kind: &'static str, description: &'static str) -> ThreatKind {
    ThreatKind { kind, description }
}

/// A move that stops threats.
#[derive(Clone, Copy, Debug)]
pub struct StoppingMove<'a, M> {
    /// The move of the seat to move.
    pub mv: &'a M,
    /// The threats that the move stops, a bit each.
    pub stopped: u64,
    /// Whether no seat of another side has any threat after the move.
    pub stops_all: bool,
}

/// Receives moves that stop threats; `None` only polls whether to stop.
pub type GiveStoppingMove<'a, M> = dyn FnMut(Option<StoppingMove<'_, M>>) -> ControlFlow<()> + 'a;

/// Returns which of `threats` are gone in `next`, after a move of `mover`, and whether no
/// other side has any left.
fn stopped_by<R: Threats>(
    rules: &R,
    sides: &[u32],
    mover: usize,
    next: &R::Position,
    threats: &[ThreatKey],
) -> (u64, bool) {
    let bits = |is_stopped: &dyn Fn(&ThreatKey) -> bool| {
        threats.iter().enumerate().fold(0, |bits, (idx, threat)| bits | u64::from(is_stopped(threat)) << idx)
    };
    let others = || (0..sides.len()).filter(|&seat| sides[seat] != sides[mover]);
    if let Some(outcome) = rules.outcome(next) {
        let scores = outcome.scores;
        return (
            bits(&|threat| scores[threat.seat] < threat.score),
            others().all(|seat| scores[seat] <= scores[mover]),
        );
    }
    let left: Vec<Vec<u64>> = (0..sides.len())
        .map(|seat| match rules.turn_of(next, seat) {
            Some(turn) if sides[seat] != sides[mover] => rules.threats(&turn).iter().map(|threat| threat.key).collect(),
            _ => Vec::new(),
        })
        .collect();
    (bits(&|threat| !left[threat.seat].contains(&threat.key)), others().all(|seat| left[seat].is_empty()))
}
