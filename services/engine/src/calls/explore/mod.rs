//! Knowledge about each move of a position: games, results, values.
//!
//! Nothing is searched. The rules list the different moves with their static or book values; the cache and
//! the store add results of searches, and the store adds played games. So a position can be explored even if
//! nothing is stored about it.

mod known;
mod successors;

use std::sync::Arc;

use pentad_host::Position;
use pentad_model::{Certainty, Evaluation, Scores};

use crate::answer::VariantRef;
use crate::error::EngineError;
use crate::question::PositionSpec;
use crate::resolve::SearchRoot;
use crate::resolve::position_key::PositionKey;
use crate::rules::job::{AboutPosition, CallContext};
use crate::rules::page_token::PageToken;
use crate::search::cache::Snapshot;
use crate::store::game_store::Explored;
use crate::store::stored::StoredAnswers;

use known::known_moves;
pub(crate) use successors::{SuccessorsOrLongList, list, long_list};

/// Which position to explore.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExploreQuestion {
    /// The position.
    pub spec: PositionSpec,
    /// Maximum number of moves; 0 for the engine's bound.
    pub page_size: usize,
    /// Token from the previous page; empty for the first page.
    pub page_token: String,
}

impl AboutPosition for ExploreQuestion {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

/// The moves of a position, the most played first, then the best.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploration {
    /// Moves of this page.
    pub moves: Vec<ExploredMove>,
    /// Number of different moves on all pages together.
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
    /// Variant with the seats.
    pub variant: VariantRef,
}

/// What is known about a move.
#[derive(Clone, Debug, PartialEq)]
pub struct ExploredMove {
    /// In canonical notation.
    pub mv: String,
    /// Other moves that lead to the same position or a symmetric one. Not listed where
    /// there are very many moves.
    pub equivalents: Vec<String>,
    /// Recorded games with the move.
    pub games: u64,
    /// Mean score of each seat in these games.
    pub scores: Option<Scores>,
    /// The best known value.
    pub evaluation: Evaluation,
    /// Share of the different replies whose value is known to be proven; 1 if the move's own value is.
    pub proven_share: f64,
}

/// A different move, and where it leads.
#[derive(Clone, Debug)]
pub(crate) struct Successor {
    mv: String,
    equivalents: Vec<String>,
    canonical: Position,
    /// Key of the canonical position.
    key: PositionKey,
    /// The symmetry that leads from the canonical position to the caller's.
    to_caller: u32,
    /// Value without a search, for the seat that makes the move.
    evaluation: Evaluation,
}

/// The different moves of a position, before anything is looked up.
#[derive(Clone, Debug)]
pub(crate) struct Successors {
    pub(crate) root: SearchRoot,
    /// Token of the requested page.
    pub(crate) token: PageToken,
    pub(crate) moves: Vec<Successor>,
}

impl Successors {
    /// Returns the positions that answers are looked up for: if there are very many, the best by their static
    /// values, which are listed first.
    pub(crate) fn looked_up(&self) -> impl Iterator<Item = (&Position, PositionKey)> {
        self.moves.iter().take(LOOKED_UP_MAX).map(|it| (&it.canonical, it.key))
    }
}

/// Most moves that are explored on the threads of short calls.
pub(crate) const SHORT_LEN_MAX: usize = 500;
/// Most positions after moves for which answers are looked up.
const LOOKED_UP_MAX: usize = 2000;

/// All that is known about the moves of a position.
pub(crate) struct Evidence {
    pub(crate) successors: Arc<Successors>,
    pub(crate) explored: Explored,
    /// Checks the answers in `explored`.
    pub(crate) stored: Option<Arc<StoredAnswers>>,
    /// Cached result for the position.
    pub(crate) cached: Option<Arc<Snapshot>>,
    /// Cached results for the positions that were looked up.
    pub(crate) cached_after: Vec<Option<Arc<Snapshot>>>,
}

impl AboutPosition for Evidence {
    fn position(&self) -> String {
        self.successors.root.text.clone()
    }
}

/// Returns one page of all the moves, with what is known about them.
pub(crate) fn page(context: &CallContext<'_>, evidence: &Evidence) -> Result<Exploration, EngineError> {
    let Successors { root, token, .. } = &*evidence.successors;
    let mut moves = known_moves(context, evidence)?;
    let total = moves.len();
    let to_move = root.to_move;
    moves.sort_by(|a, b| (b.games.cmp(&a.games)).then_with(|| promise(b, to_move).total_cmp(&promise(a, to_move))));
    let start = usize::try_from(token.start).unwrap_or(usize::MAX).min(total);
    let end = start.saturating_add(token.page_size).min(total);
    Ok(Exploration {
        next_page_token: if end < total { token.write(end as u64) } else { String::new() },
        moves: moves.drain(start..end).collect(),
        total: total as u64,
        games: evidence.explored.played.iter().map(|(_, tally)| tally.games).sum(),
        position: root.text.clone(),
        key: root.key,
        to_move,
        variant: VariantRef::new(context.game.ruleset.clone(), context.variant),
    })
}

/// Returns the sort key of a move: the expected score of the seat to move. Shorter proven wins and longer
/// losses are better, and a proof comes before an equal estimate.
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use pentad_host::Ruleset;

    use super::*;
    use crate::config::EngineConfig;
    use crate::served_game::ServedGame;
    use crate::trace::Trace;

    /// Neither the list nor what is known about its moves is completed for a caller that has left.
    #[test]
    fn nothing_is_explored_for_nobody() {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        let game = ServedGame::new(Ruleset::load(&file, None).expect("the plugin loads"));
        let (config, is_cancelled) = (EngineConfig::default(), AtomicBool::new(false));
        let context = CallContext {
            game: &game,
            variant: 0,
            config: &config,
            trace: &Trace::default(),
            is_cancelled: &is_cancelled,
            is_reading_store: &AtomicBool::new(false),
            survived_fault: &Mutex::default(),
        };
        let question = ExploreQuestion::default();
        let listed = || match list(&context, &question).expect("no fault") {
            SuccessorsOrLongList::Complete(successors) => *successors,
            SuccessorsOrLongList::Long(list) => long_list(&context, &list).expect("no fault"),
        };
        let successors = Arc::new(listed());
        let evidence = Evidence {
            successors,
            explored: Explored::default(),
            stored: None,
            cached: None,
            cached_after: Vec::new(),
        };
        let total = page(&context, &evidence).expect("no fault").total;
        assert_eq!((total, total > 1), (evidence.successors.moves.len() as u64, true));
        is_cancelled.store(true, Ordering::Relaxed);
        assert_eq!(page(&context, &evidence).expect("no fault").total, 0);
        assert!(listed().moves.is_empty());
    }
}
