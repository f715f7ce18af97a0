//! Where blocks matter: on the shortest ways of those that are ahead.
//!
//! One stop for each run of free stops on such a way is judged by what a block
//! there changes in the moves that everyone needs.

use crate::figure::Figure;
use crate::position::Position;
use crate::race::Race;
use crate::stop::{N_NODES, Stop};
use crate::stops::Stops;
use crate::ways::{Ways, one_per_run};

/// A stop for a block, and what the block changes for the player who puts it.
pub(crate) type Place = (Stop, i32);

/// Added to the strength of somebody who can finish with the next move.
const IMMINENT: i32 = 2_000;

/// The places for blocks on one board, seen by one player.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Best first.
    list: Vec<Place>,
    /// The value of the board without any of them.
    pub(crate) value: i32,
    /// A shortest way of everybody who is ahead, the player's own among them.
    ways: Stops,
}

impl Places {
    /// Of a board whose race is known. Ways that look wide at both ends are
    /// only looked at if that is to be thorough: one block hardly ever lengthens
    /// them.
    pub(crate) fn of(position: &Position, race: &Race, occupied: Stops, player: usize, is_thorough: bool) -> Places {
        let value = rough_value(position, race, player);
        let (mut others, mut own) = (Stops::NONE, Stops::NONE);
        for seat in 0..position.n_seats() {
            for figure in race.runners(seat) {
                let Some(stop) = position.stop_of(figure) else { continue };
                if seat == player {
                    own = own.or(race.ways.path(stop, figure.goal()));
                } else if is_thorough || race.is_narrow(figure, stop) {
                    others = others.or(race.ways.path(stop, figure.goal()));
                }
            }
        }
        let mut list: Vec<Place> = Vec::with_capacity(24);
        for stop in one_per_run(others.and(occupied.complement()), occupied).iter() {
            let race = Race::over(position, Ways::of(occupied.with(stop)));
            list.push((stop, rough_value(position, &race, player) - value));
        }
        list.sort_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        Places { list, value, ways: others.or(own) }
    }

    /// All of them, best first.
    pub(crate) fn all(&self) -> &[Place] {
        &self.list
    }

    /// The best among free stops that do no harm, and one off all ways if not
    /// enough of them do any good.
    pub(crate) fn best(&self, free: Stops, n_max: usize) -> Vec<Place> {
        let fitting = self.list.iter().copied().filter(|&(stop, gain)| free.contains(stop) && gain >= 0);
        let mut best: Vec<Place> = fitting.take(n_max).collect();
        if best.len() < n_max && best.last().is_none_or(|&(_, gain)| gain > 0) {
            best.extend(self.idle(free).map(|stop| (stop, 0)));
        }
        best
    }

    /// A free stop off all ways, or any if there is none.
    fn idle(&self, free: Stops) -> Option<Stop> {
        let small = Stops(!((1 << N_NODES) - 1));
        let off = free.and(self.ways.complement());
        off.and(small).first().or(off.first()).or(free.first())
    }

    /// Stops off all ways, one for each run.
    pub(crate) fn idle_runs(&self, free: Stops, occupied: Stops) -> Stops {
        one_per_run(free.and(self.ways.complement()), occupied)
    }
}

/// What the moves that everyone needs are worth to a player who has just moved.
pub(crate) fn rough_value(position: &Position, race: &Race, player: usize) -> i32 {
    rough_value_with(position, race, player, &[])
}

/// The same if some figures needed other numbers of moves.
///
/// One's own strength counts against that of the others, of whom the strongest
/// counts most. Whoever needs one move more wins with it, unless stopped.
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
        let strength = strength + if needs.moves == 1 { IMMINENT } else { 0 };
        best = best.max(strength);
        total += strength;
    }
    own - (best + total / (position.n_seats() as i32 - 1)) / 2
}
