//! What an alpha-beta search with proofs is made of.
//!
//! The generic search ([`alpha_beta`](fn@crate::alpha_beta)) is, and so are those
//! that games write themselves because they know more. A game's own search
//! holds the recursion, its static evaluation and its pruning; values, tables,
//! move ordering and the ranking at the root are the same for all.
//!
//! | noun | what it is |
//! | --- | --- |
//! | [`NodeResult`], [`Proven`] | the value of a node, and what of it is proven |
//! | [`Window`], [`BestMove`] | what a node is asked, and its best move so far |
//! | [`Entry`] in a [`TranspositionTable`] or [`SharedTable`] | what is known of positions already searched |
//! | [`zeroed_table`], [`available`] | memory for tables, as much as there is |
//! | [`History`], [`MoveList`] | killers and history, and the moves in their order |
//! | [`SearchStack`] | principal variations and history by ply |
//! | [`RootMove`], [`MultiPv`], [`Summary`] | the moves at the root, ranked and [reported](report) |
//! | [`IterativeDeepening`] over a [`RootWorker`] | the iterations over these moves |

mod atomic;
mod best_move;
mod history;
mod iterative_deepening;
mod memory;
mod move_list;
mod node_search;
mod proven;
mod root_move;
mod shared_table;
mod transposition_table;
mod value;
mod window;

pub use best_move::BestMove;
pub use history::{History, OrderingBonus};
pub use iterative_deepening::{IterativeDeepening, RootWorker};
pub use memory::{available, is_available, zeroed_table};
pub use move_list::{MoveList, ScoredMove};
pub use node_search::{Node, NodeSearch, SearchStack, Successor};
pub use proven::Proven;
pub use root_move::{MultiPv, RootBound, RootMove, Summary, all_proven, rank, report};
pub use shared_table::SharedTable;
pub use transposition_table::{Bound, Entry, TranspositionTable};
pub use value::{
    ESTIMATE_MAX, INFINITE, NodeResult, WIN, WIN_MIN, evaluation, is_decided, is_loss, is_win, one_ply_further,
    one_ply_nearer, plies,
};
pub use window::Window;

pub(crate) use best_move::update_pv;
pub(crate) use root_move::lines_and_value;
pub(crate) use value::UNANCHORED;
