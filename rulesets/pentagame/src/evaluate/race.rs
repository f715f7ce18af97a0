//! The state of the race: the moves that every figure needs to reach its goal, and
//! the moves that a player needs for three figures out.

use crate::board::{FIGURES_MAX, Figure, N_COLOURS, PathCosts, SEATS_MAX, Stop};
use crate::position::{N_OUT_TO_WIN, Position};

/// The race on one board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub(crate) costs: PathCosts,
    /// Moves to the goal by figure; 0 for those that are out.
    moves: [u8; FIGURES_MAX],
}

/// Figures and moves that a player still needs to win the race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Figures that have yet to move out; 0 once three have.
    pub(crate) figures: u8,
    /// Moves needed by that many nearest figures.
    pub(crate) moves: u8,
    /// Moves of the next nearest figure, a replacement if one of those is
    /// blocked; [`NO_SPARE`] if there is none.
    pub(crate) spare: u8,
}

/// Moves of the spare figure if there is none.
const NO_SPARE: u8 = 9;

impl Race {
    #[inline]
    pub(crate) fn of(position: &Position) -> Race {
        Race::with_path_costs(position, PathCosts::of(position.occupied()))
    }

    /// Returns the race with given path costs, possibly of a changed board.
    #[inline]
    pub(crate) fn with_path_costs(position: &Position, costs: PathCosts) -> Race {
        let mut moves = [0; FIGURES_MAX];
        for figure in position.all_figures() {
            if let Some(stop) = position.stop_of(figure) {
                moves[figure.index()] = costs.moves_to_goal(stop, figure.goal());
            }
        }
        Race { costs, moves }
    }

    /// Returns the moves a figure needs; 0 if it is out.
    #[inline]
    pub(crate) fn moves(&self, figure: Figure) -> u8 {
        self.moves[figure.index()]
    }

    /// Returns what a player needs on this board.
    #[inline]
    pub(crate) fn needs(&self, seat: usize) -> Needs {
        self.needs_with(seat, &[])
    }

    /// Returns what a player would need if some figures needed other numbers of moves.
    #[inline]
    pub(crate) fn needs_with(&self, seat: usize, changed: &[(Figure, u8)]) -> Needs {
        let mut moves: [u8; N_COLOURS] = std::array::from_fn(|colour| self.moves[seat * N_COLOURS + colour]);
        for &(figure, n_moves) in changed {
            if figure.seat() == seat {
                moves[figure.colour()] = n_moves;
            }
        }
        needs(moves)
    }

    /// Returns the figures that a player is likeliest to bring out: the nearest of those
    /// still needed, and others as near as the last of them.
    pub(crate) fn runners(&self, seat: usize) -> impl Iterator<Item = Figure> + '_ {
        let needs = self.needs(seat);
        let mut moves: [u8; N_COLOURS] = std::array::from_fn(|colour| self.moves[seat * N_COLOURS + colour]);
        sort(&mut moves);
        let n_out = moves.iter().filter(|&&n| n == 0).count();
        let last = (n_out + usize::from(needs.figures)).checked_sub(1).map_or(0, |at| moves[at.min(N_COLOURS - 1)]);
        (0..N_COLOURS)
            .map(move |colour| Figure::new(seat, colour))
            .filter(move |&figure| needs.figures > 0 && self.moves(figure) > 0 && self.moves(figure) <= last)
    }

    /// Returns whether one block lengthens a figure's path; see [`PathCosts::is_narrow`].
    #[inline]
    pub(crate) fn is_narrow(&self, figure: Figure, stop: Stop) -> bool {
        self.costs.is_narrow(stop, &self.costs.row(stop), figure.goal())
    }
}

/// Returns the needs of a player whose figures need these moves, 0 for those out.
#[inline]
fn needs(mut moves: [u8; N_COLOURS]) -> Needs {
    sort(&mut moves);
    let n_out = moves.iter().filter(|&&n| n == 0).count();
    let figures = (N_OUT_TO_WIN as usize).saturating_sub(n_out);
    let waiting = &moves[n_out..];
    Needs {
        figures: figures as u8,
        moves: waiting.iter().take(figures).sum(),
        spare: waiting.get(figures).copied().unwrap_or(NO_SPARE),
    }
}

/// Sorts with a network without branches: this runs millions of times a second.
#[inline]
fn sort(moves: &mut [u8; N_COLOURS]) {
    for (low, high) in [(0, 1), (3, 4), (2, 4), (2, 3), (1, 4), (0, 3), (0, 2), (1, 3), (1, 2)] {
        let (one, other) = (moves[low], moves[high]);
        moves[low] = one.min(other);
        moves[high] = one.max(other);
    }
}

const _: () = assert!(SEATS_MAX * N_COLOURS == FIGURES_MAX);
