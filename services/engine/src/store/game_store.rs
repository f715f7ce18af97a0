//! Played games, as a store keeps them.
//!
//! A game is counted move by move: for each position and the position after the move, how many games went
//! that way and what the seats got. Both are identified by their keys, so symmetric positions are one.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use pentad_model::{SEATS_MAX, Scores};

use crate::resolve::position_key::PositionKey;
use crate::store::answer_store::{StoreScope, StoredAnswer};

/// Millionths of a point: their sums are exact in any order.
const UNITS: f64 = 1e6;

/// A game that ended, and the moves it counts for.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// Rules under which it was played.
    pub scope: Arc<StoreScope>,
    /// Key, equal for equal games, which count once.
    pub key: GameKey,
    /// Id given by the recorder; may be empty.
    pub id: String,
    /// Position that it began with.
    pub position: String,
    /// The moves, in canonical notation.
    pub moves: Vec<String>,
    /// Score of each seat, by seat id.
    pub scores: Vec<(String, f64)>,
    /// Steps that it counts for: one per move, without repetitions.
    pub steps: Vec<GameStep>,
}

/// Identifies a game of one scope: a digest of its id, or else of its first position and its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameKey(pub [u8; 16]);

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameStep {
    /// Key of the position before the move.
    pub before: PositionKey,
    /// Key of the position after the move.
    pub after: PositionKey,
    /// Final scores, by seat of the canonical position after the move.
    pub scores: Scores,
}

/// Result of recording a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The game counts from now on, also after a crash.
    New,
    /// The game was recorded before.
    Known,
    /// The game could not be stored.
    Failed,
}

/// Counts of the games that went one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTally {
    /// Number of games.
    pub games: u64,
    /// Sum over all games in millionths of points, by seat.
    pub points: [u64; SEATS_MAX],
}

impl GameTally {
    /// Counts a game.
    pub fn add(&mut self, scores: &Scores) {
        self.games += 1;
        for (sum, score) in self.points.iter_mut().zip(scores.as_slice()) {
            *sum += (score.clamp(0.0, 1.0) * UNITS).round() as u64;
        }
    }

    /// Returns the mean score of each of `n_seats` seats; `None` without games.
    pub fn mean(&self, n_seats: usize) -> Option<Scores> {
        let mean = |points: u64| points as f64 / UNITS / self.games as f64;
        let means = self.points.map(mean);
        (self.games > 0).then(|| Scores::new(&means[..n_seats.min(SEATS_MAX)]))
    }
}

/// What a store knows about a position and those after its moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explored {
    /// Moves that games continued with: the key of the position after the move, and the counts.
    pub played: Vec<(PositionKey, GameTally)>,
    /// The answer about the position itself.
    pub answer: Option<StoredAnswer>,
    /// Answers about the requested positions, in their order; shorter if not all were looked up.
    pub answers_after: Vec<Option<StoredAnswer>>,
}

/// A lookup in progress. Dropping it gives up.
pub type StoreExplore = Pin<Box<dyn Future<Output = Explored> + Send>>;

/// A game that is being stored. Dropping it does not undo that.
pub type StoreRecord = Pin<Box<dyn Future<Output = Recorded> + Send>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_gives_means() {
        let mut tally = GameTally::default();
        assert_eq!(tally.mean(2), None);
        for score in [1.0, 0.0, 0.5, 1.0] {
            tally.add(&Scores::pair(0, score));
        }
        assert_eq!(tally.games, 4);
        assert_eq!(tally.mean(2), Some(Scores::new(&[0.625, 0.375])));
    }
}
