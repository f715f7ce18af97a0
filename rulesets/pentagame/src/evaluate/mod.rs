//! Static evaluation.
//!
//! Every seat has a strength. It depends mainly on the moves still needed (not the
//! stops: a figure goes any free distance in one move), then on whether one block
//! lengthens a path, on how near a spare figure is, and on how soon the turn comes. As with
//! Elo ratings, expected scores are proportional to 10^(strength / 400).

mod race;
mod weights;

pub(crate) use race::Race;

use pentad_sdk::Scores;

use crate::board::SEATS_MAX;
use crate::position::Position;
use race::Needs;
use weights::{N_MOVE_WEIGHTS, WEIGHTS, Weights};

/// Bound of the absolute value of the two-player evaluation.
const EVAL_MAX: i32 = 4_000;

/// Figures that need more moves than this are not checked for narrow paths.
const NARROW_MOVES_MAX: u8 = 4;

/// Features of a seat; each has a weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Moves needed for three figures out.
    pub moves: u8,
    /// Moves that the next nearest figure needs.
    pub spare: u8,
    /// Needed figures one move from their goals whose path one block lengthens.
    pub narrow_near: u8,
    /// The same for needed figures two to four moves away.
    pub narrow_far: u8,
    /// Needed figures on their goals, brought there by another player.
    pub brought: u8,
    /// Number of other players' turns before this seat's.
    pub delay: u8,
}

impl Weights {
    #[inline]
    fn strength(&self, features: &Features) -> i32 {
        self.moves[usize::from(features.moves).min(N_MOVE_WEIGHTS - 1)]
            + self.spare * i32::from(features.spare)
            + self.narrow_near * i32::from(features.narrow_near)
            + self.narrow_far * i32::from(features.narrow_far)
            + self.brought * i32::from(features.brought)
            + self.delay[usize::from(features.delay)]
    }

    /// Returns the strength by moves and spare figure alone, for ordering candidates.
    #[inline]
    pub(crate) fn rough_strength(&self, needs: &Needs) -> i32 {
        self.moves[usize::from(needs.moves).min(N_MOVE_WEIGHTS - 1)] + self.spare * i32::from(needs.spare)
    }
}

impl Position {
    /// Returns the features of a seat.
    pub fn features(&self, seat: usize) -> Features {
        self.features_in(&Race::of(self), seat)
    }

    #[inline]
    pub(crate) fn features_in(&self, race: &Race, seat: usize) -> Features {
        let needs = race.needs(seat);
        let n_seats = self.n_seats();
        let mut features = Features {
            moves: needs.moves,
            spare: needs.spare,
            delay: ((seat + n_seats - self.to_move()) % n_seats) as u8,
            ..Features::default()
        };
        let mut n_left = needs.figures;
        // The nearest first; of equally near ones those hardest to stop.
        for wanted in 1..=NARROW_MOVES_MAX {
            let (mut n_brought, mut n_wide, mut n_narrow) = (0, 0, 0);
            for figure in self.figures_of(seat).filter(|&figure| race.moves(figure) == wanted) {
                let Some(stop) = self.stop_of(figure) else { continue };
                if stop == figure.goal() {
                    n_brought += 1;
                } else if race.is_narrow(figure, stop) {
                    n_narrow += 1;
                } else {
                    n_wide += 1;
                }
            }
            n_brought = n_left.min(n_brought);
            n_left -= n_brought;
            n_left -= n_left.min(n_wide);
            n_narrow = n_left.min(n_narrow);
            n_left -= n_narrow;
            features.brought += n_brought;
            *(if wanted == 1 { &mut features.narrow_near } else { &mut features.narrow_far }) += n_narrow;
            if n_left == 0 {
                break;
            }
        }
        features
    }

    pub(crate) fn weights(&self) -> &'static Weights {
        &WEIGHTS[self.n_seats() - 2]
    }

    #[inline]
    pub(crate) fn strengths(&self, race: &Race) -> [i32; SEATS_MAX] {
        let mut strengths = [0; SEATS_MAX];
        for (seat, strength) in strengths.iter_mut().enumerate().take(self.n_seats()) {
            *strength = self.weights().strength(&self.features_in(race, seat));
        }
        strengths
    }

    /// Returns the value of a two-player position for the player to move: 0 is even, and
    /// every 400 points mean ten times the odds.
    #[inline]
    pub(crate) fn static_eval(&self, race: &Race) -> i32 {
        let strengths = self.strengths(race);
        let (own, other) = (strengths[self.to_move()], strengths[1 - self.to_move()]);
        (own - other).clamp(-EVAL_MAX, EVAL_MAX)
    }

    /// Returns the expected score of every seat.
    pub fn expected_scores(&self) -> Scores {
        self.expected_scores_in(&Race::of(self))
    }

    pub(crate) fn expected_scores_in(&self, race: &Race) -> Scores {
        let strengths = self.strengths(race);
        let n_seats = self.n_seats();
        let best = strengths[..n_seats].iter().copied().max().unwrap_or(0);
        let odds = strengths.map(|strength| 10f64.powf(f64::from((strength - best).max(-EVAL_MAX)) / 400.0));
        let total: f64 = odds[..n_seats].iter().sum();
        Scores::new(&odds.map(|odds| odds / total)[..n_seats])
    }
}
