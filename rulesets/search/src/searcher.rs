//! The entry points, and the memory that searches reuse.

use std::fmt;

use crate::alpha_beta::{self, AlphaBetaOptions};
use crate::game::Game;
use crate::mcts::{self, MctsOptions};
use crate::primitives::TranspositionTable;
use pentad_model::{Control, Report, Request};

/// Searches one position with the algorithm that fits the game: alpha-beta for
/// two sides, Monte-Carlo tree search for one or for three and more.
///
/// Never panics by itself. A finished game gets a report without lines, with the final
/// scores, stopped as proven. Depths beyond 250 count as 250; a Monte-Carlo search has
/// reached a depth when its best line is that long. If the whole tree is searched and
/// the value still depends on an estimate (of a repetition, or between equals), the
/// stop reason is the depth.
pub fn search<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    control: &dyn Control<G::Move>,
) -> Report<G::Move> {
    Searcher::new().search(game, position, request, control)
}

/// Searches a game with two sides by alpha-beta.
///
/// # Panics
/// If the game does not have two sides.
pub fn alpha_beta<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    options: &AlphaBetaOptions,
    control: &dyn Control<G::Move>,
) -> Report<G::Move> {
    Searcher::new().alpha_beta(game, position, request, options, control)
}

/// Searches any game by Monte-Carlo tree search.
pub fn mcts<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    options: &MctsOptions,
    control: &dyn Control<G::Move>,
) -> Report<G::Move> {
    mcts::run(game, position, request, options, control)
}

/// Runs searches one after the other in the same memory.
///
/// A search never sees results of an earlier one, so it returns the same as [`search`];
/// it only saves the time for allocating memory.
#[derive(Default)]
pub struct Searcher {
    tables: Vec<TranspositionTable>,
}

impl Searcher {
    /// Creates a searcher that owns no memory until its first search.
    pub fn new() -> Self {
        Searcher::default()
    }

    /// Searches like [`search`].
    pub fn search<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        request: &Request<G::Move>,
        control: &dyn Control<G::Move>,
    ) -> Report<G::Move> {
        if game.n_sides() == 2 {
            self.alpha_beta(game, position, request, &AlphaBetaOptions::default(), control)
        } else {
            mcts::run(game, position, request, &MctsOptions::default(), control)
        }
    }

    /// Searches like [`alpha_beta`].
    ///
    /// # Panics
    /// If the game does not have two sides.
    pub fn alpha_beta<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        request: &Request<G::Move>,
        options: &AlphaBetaOptions,
        control: &dyn Control<G::Move>,
    ) -> Report<G::Move> {
        assert_eq!(game.n_sides(), 2, "alpha-beta is for two sides");
        alpha_beta::run(game, position, request, options, control, &mut self.tables)
    }
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("n_tables", &self.tables.len()).finish()
    }
}
