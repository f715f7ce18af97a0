//! What is known of each move of a position: games, results, values.
//!
//! Nothing is searched. The rules list the different moves with their static values or
//! those of a book; the cache and the store add what searches have found, and the store
//! the games that were played. So a position of which nothing is known is explored, too.

mod known;
mod successors;

use std::sync::Arc;

use pentad_host::Position;
use pentad_model::{Certainty, Evaluation, Scores};

use crate::answer::VariantRef;
use crate::question::PositionSpec;
use crate::resolve::SearchRoot;
use crate::resolve::position_key::PositionKey;
use crate::rules::job::AboutPosition;
use crate::rules::page_token::PageToken;
use crate::search::cache::Snapshot;
use crate::store::game_store::{Explored, GameTally};

pub(crate) use known::known_moves;
pub(crate) use successors::{Listed, list, long_list};

/// Which position to explore.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExploreQuestion {
    /// The position.
    pub spec: PositionSpec,
    /// At most so many moves; 0 for the engine's bound.
    pub page_size: usize,
    /// From the page before; empty for the first page.
    pub page_token: String,
}

impl AboutPosition for ExploreQuestion {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

/// The moves of a position, those that were played most first, then the best.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploration {
    /// Of this page.
    pub moves: Vec<ExploredMove>,
    /// Different moves, on all pages together.
    pub total: u64,
    /// Empty on the last page.
    pub next_page_token: String,
    /// Recorded games that went on from here, on all pages together.
    pub games: u64,
    /// In canonical form, after the moves.
    pub position: String,
    /// Equal for equal and symmetric positions of a variant.
    pub key: PositionKey,
    /// Seat number.
    pub to_move: usize,
    /// Whose seats these are.
    pub variant: VariantRef,
}

/// What is known of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct ExploredMove {
    /// In canonical notation.
    pub mv: String,
    /// Other moves that lead to the same position or a symmetric one. Not listed where
    /// there are very many moves.
    pub equivalents: Vec<String>,
    /// Recorded games with it.
    pub games: u64,
    /// What each seat got in them on average.
    pub scores: Option<Scores>,
    /// The best known value.
    pub evaluation: Evaluation,
    /// Of the different replies, the share whose value is known to be proven; 1 if the
    /// move's own value is.
    pub proven_share: f64,
}

/// A different move, and where it leads.
#[derive(Clone, Debug)]
pub(crate) struct Successor {
    mv: String,
    equivalents: Vec<String>,
    canonical: Position,
    /// Of the canonical position.
    key: PositionKey,
    /// The symmetry that leads from the canonical position to the caller's.
    to_caller: u32,
    /// As the rules know it without a search; for the seat that makes the move.
    evaluation: Evaluation,
}

/// The different moves of a position, before anything else is known of them.
#[derive(Clone, Debug)]
pub(crate) struct Successors {
    pub(crate) root: SearchRoot,
    /// Of the page that is asked for.
    pub(crate) token: PageToken,
    pub(crate) moves: Vec<Successor>,
}

impl Successors {
    /// The positions that answers are looked up for: of very many, the best by their
    /// static values, which are listed first.
    pub(crate) fn looked_up(&self) -> impl Iterator<Item = (&Position, PositionKey)> {
        self.moves.iter().take(LOOKED_UP_MAX).map(|it| (&it.canonical, it.key))
    }
}

/// Moves that are looked at on the threads for short calls.
pub(crate) const SHORT_LEN_MAX: usize = 500;
/// Positions after moves for which answers are looked up.
const LOOKED_UP_MAX: usize = 2000;

/// All that is known of the moves of a position, to be put together.
pub(crate) struct Evidence {
    pub(crate) successors: Arc<Successors>,
    pub(crate) explored: Explored,
    /// What the cache has of the position.
    pub(crate) cached: Option<Arc<Snapshot>>,
    /// The same of those that were looked up.
    pub(crate) cached_after: Vec<Option<Arc<Snapshot>>>,
}

impl AboutPosition for Evidence {
    fn position(&self) -> String {
        self.successors.root.text.clone()
    }
}

/// One page of the moves, which are all there.
pub(crate) fn page(
    mut moves: Vec<ExploredMove>,
    played: &[(PositionKey, GameTally)],
    successors: &Successors,
    variant: VariantRef,
) -> Exploration {
    let Successors { root, token, .. } = successors;
    let total = moves.len();
    let to_move = root.to_move;
    moves.sort_by(|a, b| (b.games.cmp(&a.games)).then_with(|| promise(b, to_move).total_cmp(&promise(a, to_move))));
    let start = usize::try_from(token.start).unwrap_or(usize::MAX).min(total);
    let end = start.saturating_add(token.page_size).min(total);
    Exploration {
        next_page_token: if end < total { token.write(end as u64) } else { String::new() },
        moves: moves.drain(start..end).collect(),
        total: total as u64,
        games: played.iter().map(|(_, tally)| tally.games).sum(),
        position: root.text.clone(),
        key: root.key,
        to_move,
        variant,
    }
}

/// By which moves are ordered: what the seat to move may expect; of proven wins the
/// shorter is better, of losses the longer, and what is proven to be as good as an estimate
/// comes first.
fn promise(mv: &ExploredMove, to_move: usize) -> f64 {
    let Evaluation { certainty, plies_to_end, scores, .. } = &mv.evaluation;
    let score = scores[to_move];
    if *certainty != Certainty::Proven {
        return score;
    }
    let plies = f64::from(plies_to_end.unwrap_or(100).min(1000)) * 1e-7;
    let distance = if score > 0.5 { -plies } else { plies };
    score + 1e-3 * f64::from(u8::from(score >= 0.5)) + distance
}
