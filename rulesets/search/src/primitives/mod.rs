//! Building blocks of an alpha-beta search with proofs.
//!
//! The generic search ([`alpha_beta`](fn@crate::alpha_beta)) and the searches that
//! games write themselves are made of these. A game's own search contains the node, its
//! static evaluation and its pruning; values, tables, the move loop and the ranking at
//! the root are shared.
//!
//! | type | what it is |
//! | --- | --- |
//! | [`NodeResult`], [`Proven`] | the value of a node, and what of it is proven |
//! | [`Window`], [`BestMove`] | bounds and depth of a node, and its best move so far |
//! | [`Entry`] in a [`TranspositionTable`] or [`SharedTable`] | stored results of searched positions |
//! | [`table_bytes`], [`zeroed_table`], [`available`] | memory for tables: what a search can fill, and what is available |
//! | [`History`], [`MoveList`] | killers and history, and the ordered moves of a node |
//! | [`NodeSearch`], [`SearchStack`] | the loop over a node's moves, and its data by ply |
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
pub use memory::{available, is_available, table_bytes, zeroed_table};
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
