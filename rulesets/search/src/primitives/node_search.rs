//! The nodes of an alpha-beta search that a game writes itself: what a move leads to,
//! and the loop over the moves of a node.
//!
//! The game searches a node ([`NodeSearch::search_node`]) up to the point where its
//! moves have to be searched; [`NodeSearch::search_moves`] does that, best first, with
//! null windows and late move reductions.

use crate::limiter::Limiter;
use crate::primitives::best_move::BestMove;
use crate::primitives::history::{History, OrderingBonus};
use crate::primitives::move_list::{MoveList, ScoredMove};
use crate::primitives::value::{NodeResult, is_loss};
use crate::primitives::window::Window;

/// The result of a move.
#[derive(Clone, Copy, Debug)]
pub enum Successor<P> {
    /// The game is decided; the result is for the side that moved.
    Terminal(NodeResult),
    /// The game continues.
    Ongoing(P),
}

/// A node whose moves are searched.
#[derive(Clone, Copy, Debug)]
pub struct Node<'n, M, P, S> {
    /// The position, in the search's own form.
    pub position: P,
    /// Facts about the position that the move generation needs.
    pub scan: &'n S,
    /// Alpha, beta and the depth left, extensions included.
    pub window: Window,
    /// Distance from the root.
    pub ply: usize,
    /// The legal move of the transposition table, searched before the others are
    /// generated.
    pub tt_move: Option<M>,
    /// Whether the opponent threatens to win; then no move is reduced.
    pub threatened: bool,
}

/// Data of a search thread by ply, for games in which sides alternate.
#[derive(Debug)]
pub struct SearchStack<M, P> {
    /// The principal variation from each ply on (the triangular PV table).
    pub pv: Vec<Vec<M>>,
    /// Killers and cutoffs; the ply stands for the side.
    pub history: History<M>,
    /// Buffers for the moves of the nodes on the path.
    pub move_lists: Vec<MoveList<M, P>>,
}

impl<M: Clone + PartialEq, P> SearchStack<M, P> {
    /// Makes room for paths of `n_plies`, and moves with slots below `n_slots`.
    pub fn new(n_plies: usize, n_slots: usize, bonus: OrderingBonus) -> Self {
        SearchStack {
            pv: vec![Vec::new(); n_plies],
            history: History::new(n_plies, n_slots, bonus),
            move_lists: std::iter::repeat_with(MoveList::default).take(n_plies).collect(),
        }
    }
}

/// A search thread, as the loop over a node's moves sees it.
pub trait NodeSearch {
    /// A move of the game.
    type Move: Copy + PartialEq;
    /// A position of a game in progress, in the search's own form.
    type Position: Copy;
    /// Facts about a position that its move generation needs.
    type Scan;

    /// Move counts from which later moves are reduced by one more ply each.
    const LATE_MOVES: &'static [usize];
    /// Lowest depth at which late moves are reduced.
    const REDUCTION_DEPTH_MIN: i32;

    /// Returns the node count and limits.
    fn limiter(&self) -> &Limiter<'_, Self::Move>;

    /// Counts one node.
    fn visit(&mut self);

    /// Returns principal variations, history and move lists.
    fn stack(&mut self) -> &mut SearchStack<Self::Move, Self::Position>;

    /// Returns the slot of a move in the history.
    fn slot(mv: Self::Move) -> usize;

    /// Plays a legal move.
    fn successor(&self, position: Self::Position, mv: Self::Move) -> Successor<Self::Position>;

    /// Searches a position for its side to move. `allow_null_move` is unset directly
    /// after a null move.
    fn search_node(
        &mut self,
        position: Self::Position,
        window: Window,
        ply: usize,
        allow_null_move: bool,
    ) -> NodeResult;

    /// Generates and scores the moves except the table's. A move that is decided
    /// without a search may update `best` instead; returns true if that is a cutoff.
    fn generate(
        &mut self,
        node: &Node<'_, Self::Move, Self::Position, Self::Scan>,
        list: &mut MoveList<Self::Move, Self::Position>,
        best: &mut BestMove<Self::Move>,
    ) -> bool;

    /// Takes the next move from the list.
    fn select(list: &mut MoveList<Self::Move, Self::Position>) -> Option<ScoredMove<Self::Move, Self::Position>>;

    /// Returns whether the search has to stop.
    #[inline]
    fn stopped(&self) -> bool {
        self.limiter().stopped()
    }

    /// Updates the best move of a node. A beta cutoff is recorded in the history and
    /// returns true.
    #[inline]
    fn update_best(
        &mut self,
        best: &mut BestMove<Self::Move>,
        result: NodeResult,
        mv: Self::Move,
        window: Window,
        ply: usize,
    ) -> bool {
        let stack = self.stack();
        let is_cutoff = best.update(result, &mv, window.beta, &mut stack.pv[ply..]);
        if is_cutoff {
            stack.history.record_cutoff(ply, ply, &mv, Self::slot(mv), window.depth);
        }
        is_cutoff
    }

    /// Searches the moves of a node, best first, until one is a cutoff.
    #[inline]
    fn search_moves(
        &mut self,
        node: &Node<'_, Self::Move, Self::Position, Self::Scan>,
    ) -> (NodeResult, Option<Self::Move>) {
        let Node { position, window, ply, tt_move, .. } = *node;
        let mut best = BestMove::new(window.alpha);
        if let Some(mv) = tt_move {
            let result = self.search_move(position, mv, window, ply);
            if self.stopped() {
                return (NodeResult::ABORTED, None);
            }
            if self.update_best(&mut best, result, mv, window, ply) {
                return best.result(false);
            }
        }
        let mut list = std::mem::take(&mut self.stack().move_lists[ply]);
        list.clear();
        let mut is_cutoff = self.generate(node, &mut list, &mut best);
        let mut n_searched = usize::from(tt_move.is_some());
        while !is_cutoff && let Some(candidate) = Self::select(&mut list) {
            let window = Window { alpha: best.alpha, ..window };
            let result = self.search_candidate(&candidate, window, ply, n_searched, node.threatened);
            is_cutoff = self.stopped() || self.update_best(&mut best, result, candidate.mv, window, ply);
            n_searched += 1;
        }
        self.stack().move_lists[ply] = list;
        best.result(!is_cutoff)
    }

    /// Plays a move and searches the position after it with the full window; the
    /// result is for the side that moved.
    #[inline]
    fn search_move(&mut self, position: Self::Position, mv: Self::Move, window: Window, ply: usize) -> NodeResult {
        self.visit();
        self.stack().pv[ply + 1].clear();
        match self.successor(position, mv) {
            Successor::Terminal(result) => result,
            Successor::Ongoing(next) => self.search_node(next, window.flipped(1), ply + 1, true).for_parent(),
        }
    }

    /// Searches a generated move: the first with the full window, the others with a
    /// null window, reduced if late, and again if they fail high.
    #[inline]
    fn search_candidate(
        &mut self,
        candidate: &ScoredMove<Self::Move, Self::Position>,
        window: Window,
        ply: usize,
        n_searched: usize,
        threatened: bool,
    ) -> NodeResult {
        let next = match candidate.after {
            Successor::Terminal(result) => {
                self.stack().pv[ply + 1].clear();
                return result;
            }
            Successor::Ongoing(next) => next,
        };
        self.visit();
        if n_searched == 0 {
            return self.search_node(next, window.flipped(1), ply + 1, true).for_parent();
        }
        let may_reduce = !threatened && !candidate.is_forcing && !is_loss(window.alpha);
        let reduction = if may_reduce { Self::late_move_reduction(window.depth, n_searched) } else { 0 };
        window.search_later_move(reduction, |window| self.search_node(next, window, ply + 1, true).for_parent())
    }

    /// Returns the late move reduction, in plies.
    #[inline]
    fn late_move_reduction(depth: i32, n_searched: usize) -> i32 {
        let reduction = Self::LATE_MOVES.iter().filter(|&&late| n_searched >= late).count() as i32;
        reduction.min(depth + 1 - Self::REDUCTION_DEPTH_MIN).max(0)
    }

    /// Returns whether these moves, exactly `n_moves`, end the game.
    fn leads_to_end(&self, from: Self::Position, moves: &[Self::Move], n_moves: u32) -> bool {
        let mut reached = Successor::Ongoing(from);
        for &mv in moves {
            let Successor::Ongoing(position) = reached else { break };
            reached = self.successor(position, mv);
        }
        moves.len() == n_moves as usize && matches!(reached, Successor::Terminal(_))
    }
}
