//! The stops worth a block: those on the shortest paths of the other players.
//!
//! One stop for each run of free stops on such a path is rated by what a block
//! there changes in the moves that everyone needs.

use crate::board::{Figure, N_NODES, PathCosts, Stop, Stops, one_per_run};
use crate::evaluate::Race;
use crate::position::Position;

/// A stop, and how a block there changes the value for the player who puts it.
pub(crate) type RatedStop = (Stop, i32);

/// Added to the strength of another player who is one move from finishing.
const ONE_MOVE_SHORT_BONUS: i32 = 2_000;

/// The stops worth a block on one board, rated for one player.
#[derive(Clone, Debug)]
pub(crate) struct BlockStops {
    /// Rated stops, best first.
    rated: Vec<RatedStop>,
    /// The rough value of the board without a new block.
    pub(crate) value: i32,
    /// A shortest path of every runner, including the player's own.
    paths: Stops,
}

impl BlockStops {
    /// Rates the stops of a board. Paths that are not narrow are included only if
    /// `wide_paths` is set: one block hardly ever lengthens them.
    pub(crate) fn new(position: &Position, race: &Race, occupied: Stops, player: usize, wide_paths: bool) -> Self {
        let value = rough_value(position, race, player);
        let (mut others, mut own) = (Stops::NONE, Stops::NONE);
        for seat in 0..position.n_seats() {
            for figure in race.runners(seat) {
                let Some(stop) = position.stop_of(figure) else { continue };
                if seat == player {
                    own = own.union(race.costs.path(stop, figure.goal()));
                } else if wide_paths || race.is_narrow(figure, stop) {
                    others = others.union(race.costs.path(stop, figure.goal()));
                }
            }
        }
        let mut rated: Vec<RatedStop> = Vec::with_capacity(24);
        for stop in one_per_run(others.intersection(occupied.complement()), occupied).iter() {
            let race = Race::with_path_costs(position, PathCosts::of(occupied.with(stop)));
            rated.push((stop, rough_value(position, &race, player) - value));
        }
        rated.sort_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        BlockStops { rated, value, paths: others.union(own) }
    }

    /// Returns all rated stops, best first.
    pub(crate) fn all(&self) -> &[RatedStop] {
        &self.rated
    }

    /// Returns the best free stops where a block does not harm the player, with one off
    /// all paths if fewer than `n_max` help.
    pub(crate) fn best(&self, free: Stops, n_max: usize) -> Vec<RatedStop> {
        let fitting = self.rated.iter().copied().filter(|&(stop, gain)| free.contains(stop) && gain >= 0);
        let mut best: Vec<RatedStop> = fitting.take(n_max).collect();
        if best.len() < n_max && best.last().is_none_or(|&(_, gain)| gain > 0) {
            best.extend(self.idle(free).map(|stop| (stop, 0)));
        }
        best
    }

    /// Returns a free stop off all paths, or any if there is none.
    fn idle(&self, free: Stops) -> Option<Stop> {
        let small = Stops(!((1 << N_NODES) - 1));
        let off = free.intersection(self.paths.complement());
        off.intersection(small).first().or(off.first()).or(free.first())
    }

    /// Returns free stops off all paths, one for each run.
    pub(crate) fn idle_runs(&self, free: Stops, occupied: Stops) -> Stops {
        one_per_run(free.intersection(self.paths.complement()), occupied)
    }
}

/// Returns a rough value for a player who has just moved, from the moves that all
/// players need.
pub(crate) fn rough_value(position: &Position, race: &Race, player: usize) -> i32 {
    rough_value_with(position, race, player, &[])
}

/// Returns the rough value if some figures needed other numbers of moves.
///
/// It is the player's strength minus the mean of the strongest other player and the
/// average one. Another player who needs one more move counts as nearly finished.
pub(crate) fn rough_value_with(position: &Position, race: &Race, player: usize, changed: &[(Figure, u8)]) -> i32 {
    let weights = position.weights();
    let (mut own, mut best, mut total) = (0, i32::MIN, 0);
    for seat in 0..position.n_seats() {
        let needs = race.needs_with(seat, changed);
        let strength = weights.rough_strength(&needs);
        if seat == player {
            own = strength;
            continue;
        }
        let strength = strength + if needs.moves == 1 { ONE_MOVE_SHORT_BONUS } else { 0 };
        best = best.max(strength);
        total += strength;
    }
    own - (best + total / (position.n_seats() as i32 - 1)) / 2
}
