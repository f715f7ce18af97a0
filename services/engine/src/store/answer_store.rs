//! The trait of a store that keeps answers beyond this process.
//!
//! The engine looks up in a store what its own cache lacks, and offers it the results of searches. It knows
//! neither files nor networks: whatever happens to a store, questions are answered as if there were none.
//!
//! Answers are in the canonical orientation. Stored answers are checked against the rules before use (`check`),
//! like the reports of searches. A store vouches for an answer if it knows that a search found it: proofs of
//! other answers are believed only if the rules confirm them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use pentad_model::{Evaluation, Line, Report};

use crate::answer::StopReason;
use crate::resolve::position_key::PositionKey;
use crate::search::cache::Snapshot;
use crate::search::root_moves::RootMoves;
use crate::store::game_store::{Explored, Recorded, RecordedGame, StoreExplore, StoreRecord};

/// Keeps answers. It may consist of several layers, the nearest first.
///
/// Calls come from threads that must not wait: no method may block on a disk, a network or a lock that is
/// held during I/O.
pub trait AnswerStore: Send + Sync + fmt::Debug {
    /// Looks an answer up. Bounded in time; an answer that takes too long counts as none.
    fn get(&self, key: &StoreKey) -> StoreLookup;

    /// Looks an answer up on the caller's own thread, if the store lets it read now. Unlike all other calls
    /// this one may wait for a disk; only threads that are replaced when they do not return make it.
    fn get_here(&self, _key: &StoreKey) -> LocalLookup {
        LocalLookup::Elsewhere
    }

    /// Returns the longest time that [`get`](Self::get) takes.
    fn get_time_max(&self) -> Duration {
        Duration::MAX
    }

    /// Offers an answer, which is kept if it is better than the stored one. Without room it is dropped.
    fn offer(&self, key: &StoreKey, answer: &StoredAnswer);

    /// Removes an answer that contradicts the rules or itself; `reason` is for the log.
    fn refuse(&self, key: &StoreKey, reason: &'static str);

    /// Claims to be the only one, of all that share the store, that makes a search, for `hold` at most. The
    /// digest of `search` covers the limits, too. Bounded in time like a lookup. A store that is not shared
    /// grants everything.
    fn claim(&self, _search: &StoreKey, _hold: Duration) -> StoreClaim {
        Box::pin(std::future::ready(Claim::Granted(SearchLease::default())))
    }

    /// Looks up games and answers of a position and of those after its moves, whose keys these are. Bounded
    /// in time; what takes too long is left out.
    fn explore(&self, _position: &StoreKey, _after: &[PositionKey]) -> StoreExplore {
        Box::pin(std::future::ready(Explored::default()))
    }

    /// Records a game, unless it was recorded before. Games that find no room fail, so a caller that records
    /// many has to wait for some of them now and then.
    fn record(&self, _game: &Arc<RecordedGame>) -> StoreRecord {
        Box::pin(std::future::ready(Recorded::Failed))
    }
}

/// Result of a lookup on the caller's own thread.
#[derive(Debug)]
pub enum LocalLookup {
    /// The answer.
    Found(Box<StoredAnswer>),
    /// There is no answer.
    Nothing,
    /// The caller has to use [`AnswerStore::get`].
    Elsewhere,
}

/// A lookup in progress. Dropping it gives up.
pub type StoreLookup = Pin<Box<dyn Future<Output = Option<StoredAnswer>> + Send>>;

/// A claim in progress. Dropping it gives up.
pub type StoreClaim = Pin<Box<dyn Future<Output = Claim> + Send>>;

/// Result of a claim.
#[derive(Debug)]
pub enum Claim {
    /// The claimant makes the search, and keeps the lease until the answer was offered.
    Granted(SearchLease),
    /// Another process makes the search.
    Taken {
        /// Time after which the search can be claimed again.
        expires_in: Duration,
    },
}

/// The right to be the only one that makes a search. Dropping it gives it back; if that message is lost, the
/// lease expires.
#[derive(Default)]
pub struct SearchLease(Option<Box<dyn FnOnce() + Send>>);

impl SearchLease {
    /// Creates a lease; `release` gives it back and must not wait.
    pub fn new(release: impl FnOnce() + Send + 'static) -> Self {
        SearchLease(Some(Box::new(release)))
    }
}

impl Drop for SearchLease {
    fn drop(&mut self) {
        if let Some(release) = self.0.take() {
            release();
        }
    }
}

impl fmt::Debug for SearchLease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SearchLease").field(&self.0.is_some()).finish()
    }
}

/// Key of a stored answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StoreKey {
    /// The rules of the answer.
    pub scope: Arc<StoreScope>,
    /// The canonical position, and the moves considered if not all.
    pub digest: PositionKey,
}

/// The rules under which an answer is true. Answers of different scopes are independent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StoreScope {
    /// Id of the game.
    pub game: String,
    /// The rule set's version, in its own scheme.
    pub version: String,
    /// Fingerprint of what its rules do, in lower-case hexadecimal: see `fingerprint`.
    pub fingerprint: String,
    /// Id of the variant.
    pub variant: String,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredAnswer {
    /// Text of the canonical position, for people; empty if it has none.
    pub position: String,
    /// Why the search ended: proven, or by time, nodes or depth.
    pub stop: StopReason,
    /// Number of lines requested.
    pub n_lines: usize,
    /// Duration of the search.
    pub took: Duration,
    /// Plies completed.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Value of the position itself.
    pub evaluation: Evaluation,
    /// Lines, best first, never empty.
    pub lines: Vec<StoredLine>,
    /// Number of different moves.
    pub n_choices: usize,
    /// Number of moves, equivalent ones included.
    pub n_moves: usize,
    /// Whether the store vouches that a search found it. False if it was imported, or came from a shared store
    /// without authentication.
    pub is_trusted: bool,
}

/// A move, its value, and the expected play.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredLine {
    /// Expected play, the move first, never empty.
    pub moves: Vec<String>,
    /// Value of the move.
    pub evaluation: Evaluation,
    /// Other moves that lead to the same position or a symmetric one.
    pub equivalents: Vec<String>,
}

/// Rank of an answer: a trusted proof is better than an estimate; of two proofs the one with more lines is better, of
/// two estimates the deeper one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnswerRank {
    is_proven: bool,
    n_proven_lines: usize,
    depth: u32,
    n_lines: usize,
    nodes: u64,
}

impl AnswerRank {
    /// Returns the rank of an answer with these properties.
    pub fn new(is_proven: bool, n_lines: usize, depth: u32, nodes: u64) -> Self {
        AnswerRank { is_proven, n_proven_lines: if is_proven { n_lines } else { 0 }, depth, n_lines, nodes }
    }

    /// Returns bytes that sort like the ranks.
    pub fn to_ordered_bytes(self) -> [u8; AnswerRank::LEN] {
        let AnswerRank { is_proven, n_proven_lines, depth, n_lines, nodes } = self;
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_be_bytes();
        let mut bytes = [0; AnswerRank::LEN];
        bytes[0] = is_proven.into();
        bytes[1..5].copy_from_slice(&count(n_proven_lines));
        bytes[5..9].copy_from_slice(&depth.to_be_bytes());
        bytes[9..13].copy_from_slice(&count(n_lines));
        bytes[13..].copy_from_slice(&nodes.to_be_bytes());
        bytes
    }

    /// Returns the rank of its ordered bytes.
    pub const LEN: usize = 21;
}

impl StoredAnswer {
    /// Whether more search would change nothing. A proof that is not trusted counts as an estimate.
    pub fn is_proven(&self) -> bool {
        self.stop == StopReason::Proven && self.is_trusted
    }

    /// Returns the rank; a store keeps the answer with the higher one.
    pub fn rank(&self) -> AnswerRank {
        AnswerRank::new(self.is_proven(), self.n_lines, self.depth, self.nodes)
    }

    /// Creates the stored form of a final result; `position` is the text of the position.
    pub(crate) fn of(snapshot: &Snapshot, position: String) -> StoredAnswer {
        let Snapshot { report, root, stop, n_lines, took } = snapshot;
        let line = |line: &Line<String>| StoredLine {
            moves: line.moves.clone(),
            evaluation: line.evaluation,
            equivalents: root.equivalents(&line.moves[0]).cloned().collect(),
        };
        StoredAnswer {
            position,
            stop: stop.unwrap_or(StopReason::Time),
            n_lines: *n_lines,
            took: *took,
            depth: report.depth,
            nodes: report.nodes,
            evaluation: report.evaluation,
            lines: report.lines.iter().map(line).collect(),
            n_choices: root.len(),
            n_moves: root.n_moves(),
            is_trusted: true,
        }
    }

    /// Converts it to the result of a search. The moves are not checked.
    pub(crate) fn into_snapshot(self) -> Snapshot {
        let stop = match self.stop {
            StopReason::Proven => pentad_model::StopReason::Proven,
            StopReason::Nodes => pentad_model::StopReason::Nodes,
            StopReason::Depth => pentad_model::StopReason::Depth,
            _ => pentad_model::StopReason::Time,
        };
        let mut groups = Vec::with_capacity(self.lines.len());
        let mut lines = Vec::with_capacity(self.lines.len());
        for StoredLine { moves, evaluation, mut equivalents } in self.lines {
            if let Some(first) = moves.first().filter(|_| !equivalents.is_empty()) {
                equivalents.insert(0, first.clone());
                groups.push(equivalents);
            }
            lines.push(Line { moves, evaluation });
        }
        let root = RootMoves::Some { groups, n_choices: self.n_choices, n_moves: self.n_moves };
        Snapshot {
            report: Report {
                lines,
                evaluation: self.evaluation,
                depth: self.depth,
                nodes: self.nodes,
                stop: Some(stop),
            },
            root: Arc::new(root),
            stop: Some(self.stop),
            n_lines: self.n_lines,
            took: self.took,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comparing the bytes keeps the same answer as comparing the ranks.
    #[test]
    fn bytes_are_ordered_as_ranks_are() {
        let mut ranks = Vec::new();
        for is_proven in [false, true] {
            for n_lines in [0, 1, 2, 255, 256] {
                for depth in [0, 9, 255, 256, u32::MAX] {
                    ranks.extend(
                        [0, 1, 255, 256, u64::MAX].map(|nodes| AnswerRank::new(is_proven, n_lines, depth, nodes)),
                    );
                }
            }
        }
        for a in &ranks {
            for b in &ranks {
                assert_eq!(a.to_ordered_bytes().cmp(&b.to_ordered_bytes()), a.cmp(b), "{a:?} {b:?}");
            }
        }
    }
}
