//! Static evaluation: the expected score of each seat.
//!
//! A line of five cells counts for a player while nobody else has a marble on
//! it: the more marbles, the more it is worth. The same is counted on the
//! sixteen boards after a quarter turn, since every move includes a turn. With
//! more than two independent players, the first player who would get five if
//! nobody stopped it gets a bonus. The sum is a player's strength. Strengths
//! become expected scores as the odds of a race: a player who is stronger by one
//! is `e` times as likely to be first.

pub(crate) mod open_lines;

use pentad_sdk::Scores;

use crate::PentagoXl;
use crate::board::Turn;
use crate::position::Position;
use crate::variant::Objective;
use open_lines::{count_open_lines, count_threes_and_fours};

/// Strength per open line with one and with two marbles, before any turn.
const ONE_AND_TWO: [f64; 2] = [0.02, 0.10];
/// Strength per open line with three, and with four or five marbles, averaged over
/// the sixteen turns.
const THREE: f64 = 0.55;
const FOUR: f64 = 2.4;
/// Bonus of the side to move; it falls linearly for the players after it.
const TEMPO: f64 = 0.45;
/// With three and more players: bonus of the first player in playing order who
/// threatens five, by the number of players who move before; and of later players
/// who threaten five. Set by hand after a fit to the results of games; half and
/// full weight did not differ in matches by more than chance.
const FIRST_THREAT: [f64; 4] = [0.75, 0.6, 0.4, 0.2];
const LATER_THREAT: f64 = 0.2;
/// Larger differences of strength count as this one.
const STRENGTH_GAP_MAX: f64 = 8.0;

impl PentagoXl {
    /// Returns whether more than two players are left, each for themselves.
    pub(crate) fn has_several_opponents(&self, position: &Position) -> bool {
        !self.variant.is_two_sided() && self.variant.n_seats() - position.n_finished() > 2
    }

    /// Returns the strength of each seat; 0 for seats that do not play or have finished.
    fn strengths(&self, position: &Position) -> [f64; 4] {
        let rates_threats = self.has_several_opponents(position);
        match self.variant.n_seats() {
            2 => strengths::<2>(position, rates_threats),
            3 => strengths::<3>(position, rates_threats),
            _ => strengths::<4>(position, rates_threats),
        }
    }

    /// Returns the expected scores of a position that is not over.
    pub fn static_scores(&self, position: &Position) -> Scores {
        self.expected_scores(position, &self.strengths(position))
    }

    /// Converts strengths into expected scores.
    fn expected_scores(&self, position: &Position, strengths: &[f64; 4]) -> Scores {
        let n_seats = self.variant.n_seats();
        let mut scores = [0.0; 4];
        match self.variant.objective() {
            Objective::FirstFive => {
                let best = strengths[..n_seats].iter().copied().fold(f64::MIN, f64::max);
                let odds = |seat: usize| (strengths[seat] - best).max(-STRENGTH_GAP_MAX).exp();
                let total: f64 = (0..n_seats).map(odds).sum();
                (0..n_seats).for_each(|seat| scores[seat] = odds(seat) / total);
            }
            Objective::Team => {
                // The better player of a team counts for more than the other.
                let team = |side: usize| {
                    let (a, b) = (strengths[side], strengths[side + 2]);
                    a.max(b) + 0.5 * a.min(b)
                };
                let first = chance_to_beat(team(0), team(1));
                scores = [first, 1.0 - first, first, 1.0 - first];
            }
            Objective::Places => {
                // A place is worth the number of players behind it.
                for seat in 0..n_seats {
                    for other in (0..n_seats).filter(|&other| other != seat) {
                        scores[seat] += match (position.places[seat], position.places[other]) {
                            (0, 0) => chance_to_beat(strengths[seat], strengths[other]),
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

fn strengths<const N: usize>(position: &Position, rates_threats: bool) -> [f64; 4] {
    let unturned = count_open_lines::<N>(&position.marbles);
    let mut turned_counts = [[0; 2]; 4];
    let mut n_unchanged = 0;
    for turn in Turn::all() {
        let turned = position.marbles.map(|cells| cells.turned(turn));
        if turned == position.marbles {
            n_unchanged += 1;
        } else {
            count_threes_and_fours::<N>(&turned, &mut turned_counts);
        }
    }
    let mut strengths = [0.0; 4];
    let mut any_threat = false;
    let order = (0..N).map(|step| (position.side as usize + step) % N);
    for (wait, seat) in order.filter(|&seat| position.places[seat] == 0).enumerate() {
        let threes = turned_counts[seat][0] + n_unchanged * unturned[seat][2];
        let fours = turned_counts[seat][1] + n_unchanged * unturned[seat][3];
        strengths[seat] = ONE_AND_TWO[0] * f64::from(unturned[seat][0])
            + ONE_AND_TWO[1] * f64::from(unturned[seat][1])
            + THREE / 16.0 * f64::from(threes)
            + FOUR / 16.0 * f64::from(fours)
            + TEMPO * (N - wait) as f64 / N as f64;
        // A four on one of the boards threatens five.
        if rates_threats && fours > 0 {
            strengths[seat] += if any_threat { LATER_THREAT } else { FIRST_THREAT[wait] };
            any_threat = true;
        }
    }
    strengths
}

/// Returns the probability of finishing before another player, given both strengths.
fn chance_to_beat(mine: f64, theirs: f64) -> f64 {
    1.0 / (1.0 + (theirs - mine).clamp(-STRENGTH_GAP_MAX, STRENGTH_GAP_MAX).exp())
}
