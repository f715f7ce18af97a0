//! When a game is over, and who has won.

use pentad_sdk::i18n::Seats;
use pentad_sdk::{Outcome, Scores};

use crate::board::SEATS_MAX;
use crate::i18n::{self, TRANSLATIONS};
use crate::position::{N_OUT_TO_WIN, Position};

impl Position {
    /// Returns whether the game is over: the round is complete, and a player has three
    /// figures out.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.to_move == 0 && (0..self.n_seats()).any(|seat| self.n_out(seat) >= N_OUT_TO_WIN)
    }

    /// Returns whether a seat has three or more figures out.
    #[inline]
    pub(crate) fn has_finished(&self, seat: usize) -> bool {
        self.n_out(seat) >= N_OUT_TO_WIN
    }

    /// Returns whether the player to move is the last in the round.
    #[inline]
    pub(crate) fn is_last_turn_of_round(&self) -> bool {
        self.to_move() + 1 == self.n_seats()
    }
}

/// Returns the scores if the game ended here: the players with three figures out share
/// one point.
pub(crate) fn final_scores(position: &Position) -> Scores {
    let n_winners = winners(position).count();
    let mut scores = Scores::new(&[0.0; SEATS_MAX][..position.n_seats()]);
    for seat in winners(position) {
        scores.as_mut_slice()[seat] = 1.0 / n_winners as f64;
    }
    scores
}

fn winners(position: &Position) -> impl Iterator<Item = usize> + '_ {
    (0..position.n_seats()).filter(|&seat| position.has_finished(seat))
}

/// Returns the scores and places of a finished game, and the sentence that names the
/// winners.
pub(crate) fn outcome(position: &Position) -> Outcome {
    let winners: Vec<usize> = winners(position).collect();
    let places = (0..position.n_seats())
        .map(|seat| if winners.contains(&seat) { 1 } else { winners.len() as u32 + 1 })
        .collect();
    let names: Seats = winners.iter().map(|seat| seat + 1).collect();
    let message = if winners.len() == 1 { i18n::ends_alone(names) } else { i18n::ends_shared(names) };
    Outcome::new(final_scores(position), places, TRANSLATIONS.say(message))
}
