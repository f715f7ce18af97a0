//! Games that were played, as far as a store keeps them.
//!
//! A game is counted move by move: for each position it came through, and the one that the
//! move led to, how many games went that way and what the seats got. Both are known by
//! their keys, so that symmetric positions are one.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use pentad_model::{SEATS_MAX, Scores};

use crate::resolve::position_key::PositionKey;
use crate::store::answer_store::{StoreScope, StoredAnswer};

/// Millionths of a point: sums of them are exact, whoever adds them and in whatever order.
const UNITS: f64 = 1e6;

/// A game that ended, and the moves it counts for.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// Under which rules it was played.
    pub scope: Arc<StoreScope>,
    /// Equal for equal games, which count once.
    pub key: GameKey,
    /// What whoever recorded it calls it; may be empty.
    pub id: String,
    /// Where it began.
    pub position: String,
    /// The moves, in canonical notation.
    pub moves: Vec<String>,
    /// What each seat got, by seat id.
    pub scores: Vec<(String, f64)>,
    /// What it counts for: one for each move, without repetitions.
    pub steps: Vec<GameStep>,
}

/// Names a game of one scope: a digest of its id, or else of where it began and its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameKey(pub [u8; 16]);

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameStep {
    /// Of the position before it.
    pub before: PositionKey,
    /// Of the position after it.
    pub after: PositionKey,
    /// How the game ended, by seat as the canonical position after the move has them.
    pub scores: Scores,
}

/// What became of a game that was to be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It counts from now on, and will after a crash.
    New,
    /// It was there already.
    Known,
    /// It could not be stored.
    Failed,
}

/// How games went that came one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTally {
    /// How many.
    pub games: u64,
    /// Millionths of points per seat, all games together.
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

    /// What each of so many seats got on average; `None` without games.
    pub fn mean(&self, n_seats: usize) -> Option<Scores> {
        let mean = |points: u64| points as f64 / UNITS / self.games as f64;
        let means = self.points.map(mean);
        (self.games > 0).then(|| Scores::new(&means[..n_seats.min(SEATS_MAX)]))
    }
}

/// What a store knows of a position and of those after its moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explored {
    /// The moves that games went on with: the key of the position after, and how they
    /// ended.
    pub played: Vec<(PositionKey, GameTally)>,
    /// The answer about the position itself.
    pub answer: Option<StoredAnswer>,
    /// The answers about the positions asked for, in their order; shorter if not all were
    /// looked up.
    pub answers_after: Vec<Option<StoredAnswer>>,
}

/// A look into the store under way. Dropping it gives up.
pub type StoreExplore = Pin<Box<dyn Future<Output = Explored> + Send>>;

/// A game on its way into the store. Dropping it does not take it back.
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
