//! Where answers are kept beyond this process, as far as the engine knows.
//!
//! The engine asks a store for what its own cache does not have, and offers it what
//! searches find. It knows neither files nor networks: a store is given to it, and
//! whatever happens to that, questions are answered as if there were none.
//!
//! Answers are in the canonical orientation. What comes back from a store is checked
//! against the rules before it is used (`stored`), as the reports of searches are.

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
/// Calls come from threads that must not wait: neither may block on a disk, a network
/// or a lock that is held meanwhile.
pub trait AnswerStore: Send + Sync + fmt::Debug {
    /// The answer to a question, if there is one. Bounded in time; an answer that takes
    /// too long is none.
    fn get(&self, key: &StoreKey) -> StoreLookup;

    /// The answer to a question on the caller's own thread, if the store lets it read now.
    /// Unlike all other calls this one may wait for a disk; only threads that are replaced
    /// when they do not return make it.
    fn get_here(&self, _key: &StoreKey) -> LocalLookup {
        LocalLookup::Elsewhere
    }

    /// The longest that [`get`](Self::get) takes.
    fn get_time_max(&self) -> Duration {
        Duration::MAX
    }

    /// Offers an answer, which is kept if it is better than the one there is. Where
    /// there is no room for it, it is dropped.
    fn offer(&self, key: &StoreKey, answer: &StoredAnswer);

    /// The rules refused what was stored: it goes.
    fn refuse(&self, key: &StoreKey);

    /// Asks to be the only one, of all who share the store, that makes a search, for
    /// `hold` at most. `search` is that of the question: its digest is of the limits, too.
    /// Bounded in time as a lookup is. A store that nobody shares grants everything.
    fn claim(&self, _search: &StoreKey, _hold: Duration) -> StoreClaim {
        Box::pin(std::future::ready(Claim::Granted(SearchLease::default())))
    }

    /// What is known of a position and of those after its moves, whose keys these are:
    /// games that went there, and answers. Bounded in time; what takes too long is not
    /// known.
    fn explore(&self, _position: &StoreKey, _after: &[PositionKey]) -> StoreExplore {
        Box::pin(std::future::ready(Explored::default()))
    }

    /// Counts a game, unless it was counted before. Whoever records many waits for some of
    /// them now and then: those that find no room fail.
    fn record(&self, _game: &Arc<RecordedGame>) -> StoreRecord {
        Box::pin(std::future::ready(Recorded::Failed))
    }
}

/// What a lookup on the caller's own thread found.
#[derive(Debug)]
pub enum LocalLookup {
    /// The answer.
    Found(Box<StoredAnswer>),
    /// That there is none.
    Nothing,
    /// Nothing: it is to be looked up by [`AnswerStore::get`].
    Elsewhere,
}

/// A lookup under way. Dropping it gives up.
pub type StoreLookup = Pin<Box<dyn Future<Output = Option<StoredAnswer>> + Send>>;

/// A claim under way. Dropping it gives up.
pub type StoreClaim = Pin<Box<dyn Future<Output = Claim> + Send>>;

/// Who makes a search.
#[derive(Debug)]
pub enum Claim {
    /// Whoever asked. The lease is to be kept until the answer was offered.
    Granted(SearchLease),
    /// Somebody else does.
    Taken {
        /// After this time the search is anybody's again, whatever became of them.
        expires_in: Duration,
    },
}

/// The right to be the only one that makes a search. Dropping it gives it back; if that is
/// lost, it expires.
#[derive(Default)]
pub struct SearchLease(Option<Box<dyn FnOnce() + Send>>);

impl SearchLease {
    /// What is to be done to give it back, which must not wait.
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

/// What a stored answer is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StoreKey {
    /// Under which rules.
    pub scope: Arc<StoreScope>,
    /// The canonical position, and the moves considered if not all.
    pub digest: PositionKey,
}

/// The rules under which an answer is true. Answers of different scopes have nothing to
/// do with each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StoreScope {
    /// Id of the game.
    pub game: String,
    /// The rule set's version, in its own scheme.
    pub version: String,
    /// Of what its rules do, in lower-case hexadecimal: see `fingerprint`.
    pub fingerprint: String,
    /// Id of the variant.
    pub variant: String,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredAnswer {
    /// The canonical position as text, for people; empty for one that has none.
    pub position: String,
    /// Why the search ended: proven, or by time, nodes or depth.
    pub stop: StopReason,
    /// How many lines were asked for.
    pub n_lines: usize,
    /// How long the search took.
    pub took: Duration,
    /// Plies completed.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Of the position itself.
    pub evaluation: Evaluation,
    /// Best first, never empty.
    pub lines: Vec<StoredLine>,
    /// How many different moves there were to choose from.
    pub n_choices: usize,
    /// How many moves there were, equivalent ones counted.
    pub n_moves: usize,
}

/// A move, what it is worth, and the play expected.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredLine {
    /// The move first, never empty.
    pub moves: Vec<String>,
    /// What it is worth.
    pub evaluation: Evaluation,
    /// Other moves that lead to the same position or a symmetric one.
    pub equivalents: Vec<String>,
}

/// What makes one answer to a question better than another: a proof is better than an
/// estimate; of two proofs the one with more lines is, of two estimates the deeper one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnswerRank {
    is_proven: bool,
    n_proven_lines: usize,
    depth: u32,
    n_lines: usize,
    nodes: u64,
}

impl AnswerRank {
    /// The rank of an answer with these properties.
    pub fn new(is_proven: bool, n_lines: usize, depth: u32, nodes: u64) -> Self {
        AnswerRank { is_proven, n_proven_lines: if is_proven { n_lines } else { 0 }, depth, n_lines, nodes }
    }

    /// Bytes whose order, from the first to the last, is that of the ranks.
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

    /// Of its ordered bytes.
    pub const LEN: usize = 21;
}

impl StoredAnswer {
    /// Whether more search would change nothing.
    pub fn is_proven(&self) -> bool {
        self.stop == StopReason::Proven
    }

    /// Of two answers the one with the higher rank is kept.
    pub fn rank(&self) -> AnswerRank {
        AnswerRank::new(self.is_proven(), self.n_lines, self.depth, self.nodes)
    }

    /// The final result of a search, of which `position` is the text.
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
        }
    }

    /// The same as the result of a search. The moves are not checked.
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

    /// Whoever compares the bytes keeps the same answer as whoever compares the ranks.
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
