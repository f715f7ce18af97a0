//! What a position looks like it is worth, to each seat.
//!
//! A window of five cells counts for a player while nobody else has a marble in
//! it: the more marbles, the more it is worth. The same is counted on the
//! sixteen boards that a quarter turn leads to, since a turn comes with every
//! move. Where more than two play for themselves, it counts as well who is the
//! first that would have five if nobody did anything about it. The sum is a
//! player's strength; strengths become expected scores as the odds of a race:
//! who is stronger by one is `e` times as likely to be first.

use pentad_sdk::Scores;

use crate::PentagoXl;
use crate::board::Turn;
use crate::position::Position;
use crate::potential::{count, count_high};
use crate::variant::Aim;

/// Strength by open windows with one and two marbles, as they lie.
const LYING: [f64; 2] = [0.02, 0.10];
/// Strength by open windows with three, and with four or five marbles, on all
/// boards: each board counts a sixteenth.
const THREE: f64 = 0.55;
const FOUR: f64 = 2.4;
/// To be the one to move, the next one and so on: each has less.
const TEMPO: f64 = 0.45;
/// With three and more: to be the first in playing order who has a five at hand
/// unless somebody stops it, by the players who move before; and to be a later
/// one. By hand, after a fit to the results of games; half and full weight did
/// not differ in matches by more than chance.
const READY_FIRST: [f64; 4] = [0.75, 0.6, 0.4, 0.2];
const READY_LATER: f64 = 0.2;
/// No strength is more than this above another.
const STRENGTH_MAX: f64 = 8.0;

impl PentagoXl {
    /// Whether more than two play on, each for themselves.
    pub(crate) fn has_several(&self, position: &Position) -> bool {
        !self.contest.is_two_sided() && self.contest.n_seats() - position.n_finished() > 2
    }

    /// How strong everybody is.
    pub(crate) fn strengths(&self, position: &Position) -> [f64; 4] {
        let several = self.has_several(position);
        match self.contest.n_seats() {
            2 => strengths::<2>(position, several),
            3 => strengths::<3>(position, several),
            _ => strengths::<4>(position, several),
        }
    }

    /// The expected scores of a position that is not over.
    pub fn static_scores(&self, position: &Position) -> Scores {
        self.expected(position, &self.strengths(position))
    }

    /// Strengths as expected scores.
    pub(crate) fn expected(&self, position: &Position, strengths: &[f64; 4]) -> Scores {
        let n_seats = self.contest.n_seats();
        let mut scores = [0.0; 4];
        match self.contest.aim() {
            Aim::First => {
                let best = strengths[..n_seats].iter().copied().fold(f64::MIN, f64::max);
                let odds = |seat: usize| (strengths[seat] - best).max(-STRENGTH_MAX).exp();
                let total: f64 = (0..n_seats).map(odds).sum();
                (0..n_seats).for_each(|seat| scores[seat] = odds(seat) / total);
            }
            Aim::Team => {
                // The better player of a team counts for more than the other.
                let team = |side: usize| {
                    let (a, b) = (strengths[side], strengths[side + 2]);
                    a.max(b) + 0.5 * a.min(b)
                };
                let first = beats(team(0), team(1));
                scores = [first, 1.0 - first, first, 1.0 - first];
            }
            Aim::Places => {
                // A place is worth the number of players behind it.
                for seat in 0..n_seats {
                    for other in (0..n_seats).filter(|&other| other != seat) {
                        scores[seat] += match (position.places[seat], position.places[other]) {
                            (0, 0) => beats(strengths[seat], strengths[other]),
                            (0, _) => 0.0,
                            (_, 0) => 1.0,
                            (mine, theirs) if mine == theirs => 0.5,
                            (mine, theirs) => f64::from(u8::from(mine < theirs)),
                        };
                    }
                    scores[seat] /= (n_seats - 1) as f64;
                }
            }
        }
        Scores::new(&scores[..n_seats])
    }
}

fn strengths<const N: usize>(position: &Position, several: bool) -> [f64; 4] {
    let lying = count::<N>(&position.marbles);
    let mut turned_counts = [[0; 2]; 4];
    let mut n_unchanged = 0;
    for turn in Turn::all() {
        let turned = position.marbles.map(|cells| cells.turned(turn));
        if turned == position.marbles {
            n_unchanged += 1;
        } else {
            count_high::<N>(&turned, &mut turned_counts);
        }
    }
    let mut strengths = [0.0; 4];
    let mut any_ready = false;
    let order = (0..N).map(|step| (position.side as usize + step) % N);
    for (wait, seat) in order.filter(|&seat| position.places[seat] == 0).enumerate() {
        let threes = turned_counts[seat][0] + n_unchanged * lying[seat][2];
        let fours = turned_counts[seat][1] + n_unchanged * lying[seat][3];
        strengths[seat] = LYING[0] * f64::from(lying[seat][0])
            + LYING[1] * f64::from(lying[seat][1])
            + THREE / 16.0 * f64::from(threes)
            + FOUR / 16.0 * f64::from(fours)
            + TEMPO * (N - wait) as f64 / N as f64;
        // A four on one of the boards is a five at hand.
        if several && fours > 0 {
            strengths[seat] += if any_ready { READY_LATER } else { READY_FIRST[wait] };
            any_ready = true;
        }
    }
    strengths
}

/// The chance to be ahead of somebody.
fn beats(mine: f64, theirs: f64) -> f64 {
    1.0 / (1.0 + (theirs - mine).clamp(-STRENGTH_MAX, STRENGTH_MAX).exp())
}
