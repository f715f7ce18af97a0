//! How the race stands: the moves that every figure needs, and what a player
//! needs for three figures out.

use crate::figure::{FIGURES_MAX, Figure, N_COLOURS, SEATS_MAX};
use crate::position::{N_OUT_TO_WIN, Position};
use crate::stop::Stop;
use crate::ways::Ways;

/// The race on one board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub(crate) ways: Ways,
    /// Moves to the goal by figure; 0 for those that are out.
    moves: [u8; FIGURES_MAX],
}

/// What a player needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Figures that have yet to come out; 0 once three are.
    pub(crate) figures: u8,
    /// Moves for the nearest of them.
    pub(crate) moves: u8,
    /// Moves of the next figure after those, if there is one: what it takes if
    /// one of them is held up.
    pub(crate) spare: u8,
}

/// In place of the moves of a spare figure where there is none.
const NO_SPARE: u8 = 9;

impl Race {
    #[inline]
    pub(crate) fn of(position: &Position) -> Race {
        Race::over(position, Ways::of(position.occupied()))
    }

    /// The race over other ways than those of the board.
    #[inline]
    pub(crate) fn over(position: &Position, ways: Ways) -> Race {
        let mut moves = [0; FIGURES_MAX];
        for figure in position.all_figures() {
            if let Some(stop) = position.stop_of(figure) {
                moves[figure.index()] = ways.moves(stop, figure.goal());
            }
        }
        Race { ways, moves }
    }

    /// The moves a figure needs; 0 if it is out.
    #[inline]
    pub(crate) fn moves(&self, figure: Figure) -> u8 {
        self.moves[figure.index()]
    }

    /// What a player needs as the board is.
    #[inline]
    pub(crate) fn needs(&self, seat: usize) -> Needs {
        self.needs_with(seat, &[])
    }

    /// What a player would need if some figures needed other numbers of moves.
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

    /// The figures that a player is most likely to bring out: the nearest that
    /// are still needed, and others as near as the last of those.
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

    /// Whether a figure's way can be lengthened by one block.
    #[inline]
    pub(crate) fn is_narrow(&self, figure: Figure, stop: Stop) -> bool {
        self.ways.is_narrow(stop, &self.ways.from(stop), figure.goal())
    }
}

/// Sums up the moves of five figures, 0 for those that are out.
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

/// Sorts five numbers without branches: this is done a million times a second.
#[inline]
fn sort(moves: &mut [u8; N_COLOURS]) {
    for (low, high) in [(0, 1), (3, 4), (2, 4), (2, 3), (1, 4), (0, 3), (0, 2), (1, 3), (1, 2)] {
        let (one, other) = (moves[low], moves[high]);
        moves[low] = one.min(other);
        moves[high] = one.max(other);
    }
}

const _: () = assert!(SEATS_MAX * N_COLOURS == FIGURES_MAX);
