//! `impl Search`: Monte-Carlo tree search with proofs.
//!
//! One algorithm serves all variants. Every seat maximises its own score (max^n;
//! with two sides that is minimax), values are kept per seat, and proven values are
//! kept apart from estimates. Leaves get the static evaluation instead of a
//! rollout. Three techniques cope with more than a thousand moves per position:
//!
//! - A win in one solves a node, and moves that lose to the very next one are
//!   never searched: `safe_moves` finds them all. A threat therefore leaves few
//!   replies, and following threats is cheap.
//! - Of the rest, the best few are tried first, and more of them as the visits of
//!   a node grow (`candidates`, `expansion`).
//! - Positions with at most two empty cells are solved (`endgame`).
//!
//! **What "proven" means.** With two sides: true whatever the other side does.
//! With more, as in the generic search: the scores if every seat plays for its own
//! score, claimed only where no seat is indifferent between outcomes that differ
//! for others. Both are claimed only if every legal move is accounted for, or one
//! of them has the best possible result.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `searcher` | the loop of simulations, progress reports |
//! | `tree_search` | one simulation: selection, expansion, leaf value, backup |
//! | `selection`, `expansion`, `leaf` | its steps |
//! | `opponent_model` | opponents who blunder, with three and more players |
//! | `root` | the root's children, and wins in three plies |
//! | `tree`, `proof` | nodes, and what children prove about their parent |
//! | `candidates` | moves ordered by open lines, then by static evaluation |
//! | `winning_moves`, `safe_moves` | wins in one, and moves that allow none |
//! | `endgame` | the last two plies, solved |
//! | `report` | ranking and principal variations |
//! | `limiter` | when to stop |
//! | `game` | the trait of the generic search, for opponents in matches |
//!
//! The search is single-threaded, and its answer is deterministic where nodes are
//! limited.

mod candidates;
mod endgame;
mod expansion;
mod game;
mod leaf;
mod limiter;
mod opponent_model;
mod proof;
mod report;
mod root;
mod safe_moves;
mod searcher;
mod selection;
mod tree;
mod tree_search;
pub(crate) mod winning_moves;

use pentad_sdk::{Certainty, Control, Evaluation, Refusal, Report, Request, Resources, Scores, Search, Source, Wdl};

use crate::PentagoXl;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::GameResult;

pub use searcher::PentagoXlSearch;

/// Memory for the tree, whatever a request allows: more does not help within
/// minutes, and touching it for the first time takes time.
const MEMORY_BYTES_MAX: u64 = 256 << 20;

impl Search for PentagoXl {
    type Context = PentagoXlSearch;

    fn context(&self, _resources: Resources) -> Result<PentagoXlSearch, Refusal> {
        Ok(PentagoXlSearch::default())
    }

    fn search(
        &self,
        context: &mut PentagoXlSearch,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        context.search(self, position, &request.with_memory_max(MEMORY_BYTES_MAX), control)
    }

    /// Evaluates statically, unless the game is over or has a win in one.
    fn evaluate(&self, position: &Position) -> Evaluation {
        if let Some(result) = self.game_result(position) {
            return terminal_evaluation(self, position, &result);
        }
        let seat = position.side as usize;
        if self.is_decisive(position) && self.winning_move(position).is_some() {
            let values = self.values_after_five(position, seat);
            let scores =
                Scores::new(&values.map(|value| (12.0 * f64::from(value)).round() / 12.0)[..self.variant.n_seats()]);
            return Evaluation {
                certainty: Certainty::Proven,
                outcome: self.variant.is_two_sided().then(|| Wdl::of_score(scores[seat])),
                plies_to_end: Some(1),
                scores,
                source: Source::Search,
                depth: 1,
            };
        }
        Evaluation::static_estimate(self.static_scores(position))
    }
}

/// Returns the evaluation of a finished game.
fn terminal_evaluation(rules: &PentagoXl, position: &Position, result: &GameResult) -> Evaluation {
    let scores = rules.scores(result);
    let outcome = rules.variant.is_two_sided().then(|| Wdl::of_score(scores[position.side as usize]));
    Evaluation::terminal(scores, outcome)
}
