//! The entry points, and the memory they share between searches.

use std::fmt;

use crate::alpha_beta::{self, AlphaBetaOptions};
use crate::game::Game;
use crate::mcts::{self, MctsOptions};
use crate::primitives::TranspositionTable;
use pentad_model::{Control, Report, Request};

/// Searches one position with the algorithm that fits the game: alpha-beta for
/// two sides, Monte-Carlo tree search for one or for three and more.
///
/// Never panics by itself. A position that is over gets a report without
/// lines, with the final scores, stopped as proven. A depth beyond 250 is 250,
/// and a Monte-Carlo search has reached a depth when its best line is that
/// long. Where
/// the whole tree is searched and the value still hangs on an estimate (of a
/// repetition, or between equals) the reason to stop is the depth, too.
pub fn search<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    control: &dyn Control<G::Move>,
) -> Report<G::Move> {
    Searcher::new().search(game, position, request, control)
}

/// Alpha-beta, for a game with two sides.
///
/// # Panics
/// If the game has not two sides.
pub fn alpha_beta<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    options: &AlphaBetaOptions,
    control: &dyn Control<G::Move>,
) -> Report<G::Move> {
    Searcher::new().alpha_beta(game, position, request, options, control)
}

/// Monte-Carlo tree search, for any game.
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
/// A search never sees what an earlier one found, so its answer is the same as
/// of [`search`]; it only saves the time to get the memory from the system.
#[derive(Default)]
pub struct Searcher {
    tables: Vec<TranspositionTable>,
}

impl Searcher {
    /// A searcher that owns no memory until its first search.
    pub fn new() -> Self {
        Searcher::default()
    }

    /// Like [`search`].
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

    /// Like [`alpha_beta`].
    ///
    /// # Panics
    /// If the game has not two sides.
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
