//! What an alpha-beta search with proofs is made of.
//!
//! The general search ([`alpha_beta`](crate::alpha_beta)) is, and so are those
//! that games write themselves because they know more. A game's own search
//! holds the recursion, what it sees at a glance and what it leaves out; values,
//! tables, move memory and the ranking at the root are the same for all.
//!
//! | noun | what it is |
//! | --- | --- |
//! | [`Found`], [`Facts`] | the value of a node, and what of it is proven |
//! | [`Aim`], [`Best`] | what a node is asked, and its best move so far |
//! | [`Entry`] in a [`Table`] or [`SharedTable`] | what is known of positions already searched |
//! | [`Memory`] | killers and history, for the order of moves |
//! | [`RootMove`], [`Leaders`], [`Summary`] | the moves at the root, ranked and [reported](report) |

mod aim;
mod best;
mod facts;
mod memory;
mod ranking;
mod shared_table;
mod table;
mod value;

pub use aim::Aim;
pub use best::Best;
pub use facts::Facts;
pub use memory::Memory;
pub use ranking::{Leaders, RootMove, Standing, Summary, all_proven, rank, report};
pub use shared_table::SharedTable;
pub use table::{Bound, Entry, Table};
pub use value::{
    ESTIMATE_MAX, Found, INFINITE, WIN, WIN_MIN, aged, evaluation, is_decided, is_loss, is_win, plies, unaged,
};

pub(crate) use best::expect;
pub(crate) use ranking::told;
pub(crate) use value::UNANCHORED;
