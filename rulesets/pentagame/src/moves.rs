//! Moves: complete turns, and how they are written.

use std::fmt;

use crate::board::{Figure, Stop};

/// Maximum number of grey blocks put by one move: two figures can move out at once.
pub(crate) const GREYS_MAX: usize = 2;

/// The seven bits of an absent stop or figure in [`Move::to_bits`].
const NONE: u64 = 0x7f;

/// A turn: what a figure does, and where blocks are put. A turn without its blocks
/// is a *step*.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    figure: Option<Figure>,
    to: Option<Stop>,
    swap: Option<Figure>,
    black: Option<Stop>,
    greys: [Option<Grey>; GREYS_MAX],
}

/// A grey block put on a stop.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grey {
    /// The stop it is moved from; `None` if it comes from outside the board.
    pub from: Option<Stop>,
    /// The stop it is put on.
    pub to: Stop,
}

/// The idea of a move: which figure moves where. The figure that it swaps with and
/// the stops of blocks are details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alternative {
    figure: Option<Figure>,
    to: Option<Stop>,
}

impl Move {
    /// The turn of a player who has no move.
    pub const PASS: Move = Move { figure: None, to: None, swap: None, black: None, greys: [None; GREYS_MAX] };

    /// Creates the move of a figure to a stop.
    #[inline]
    pub fn go(figure: Figure, to: Stop) -> Move {
        Move { figure: Some(figure), to: Some(to), ..Move::PASS }
    }

    /// Creates the move by which a figure on its goal moves out.
    #[inline]
    pub fn out(figure: Figure) -> Move {
        Move { figure: Some(figure), ..Move::PASS }
    }

    /// Returns the move with a swap with `other`.
    #[inline]
    #[must_use]
    pub fn with_swap(self, other: Figure) -> Move {
        Move { swap: Some(other), ..self }
    }

    /// Returns the move with the beaten black block put on a stop.
    #[inline]
    #[must_use]
    pub fn with_black(self, to: Stop) -> Move {
        Move { black: Some(to), ..self }
    }

    /// Returns the move with one more grey block; a third is ignored.
    #[inline]
    #[must_use]
    pub fn with_grey(mut self, grey: Grey) -> Move {
        if let Some(free) = self.greys.iter_mut().find(|grey| grey.is_none()) {
            *free = Some(grey);
        }
        self
    }

    /// Returns the move before its grey blocks are put.
    #[inline]
    #[must_use]
    pub(crate) fn without_greys(self) -> Move {
        Move { greys: [None; GREYS_MAX], ..self }
    }

    /// Returns the figure that moves; `None` for the pass.
    #[inline]
    pub fn figure(self) -> Option<Figure> {
        self.figure
    }

    /// Returns where the figure goes; `None` if it moves out from where it stands.
    #[inline]
    pub fn to(self) -> Option<Stop> {
        self.to
    }

    /// Returns the alternative that the move belongs to.
    #[inline]
    pub fn alternative(self) -> Alternative {
        Alternative { figure: self.figure, to: self.to }
    }

    /// Returns the figure that the moving figure swaps with.
    #[inline]
    pub fn swapped_figure(self) -> Option<Figure> {
        self.swap
    }

    /// Returns where the beaten black block is put.
    #[inline]
    pub fn black(self) -> Option<Stop> {
        self.black
    }

    /// Returns the grey blocks that are put, in that order.
    #[inline]
    pub fn greys(&self) -> impl Iterator<Item = Grey> + '_ {
        self.greys.iter().flatten().copied()
    }

    /// Packs the move into the lower 56 bits of a word, for the transposition table.
    pub(crate) fn to_bits(self) -> u64 {
        let stop = |stop: Option<Stop>| stop.map_or(NONE, |stop| u64::from(stop.0));
        let figure = |figure: Option<Figure>| figure.map_or(NONE, |figure| u64::from(figure.0));
        let [one, two] = self.greys;
        let words = [
            figure(self.figure),
            stop(self.to),
            figure(self.swap),
            stop(self.black),
            stop(one.and_then(|grey| grey.from)),
            stop(one.map(|grey| grey.to)),
            stop(two.and_then(|grey| grey.from)),
            stop(two.map(|grey| grey.to)),
        ];
        words.into_iter().fold(0, |bits, word| bits << 7 | word)
    }

    /// Reads what [`to_bits`](Move::to_bits) wrote.
    pub(crate) fn from_bits(bits: u64) -> Move {
        let word = |at: u32| (bits >> (7 * (7 - at)) & NONE) as u8;
        let stop = |at| (u64::from(word(at)) != NONE).then(|| Stop(word(at)));
        let figure = |at| (u64::from(word(at)) != NONE).then(|| Figure(word(at)));
        let grey = |at| stop(at + 1).map(|to| Grey { from: stop(at), to });
        Move { figure: figure(0), to: stop(1), swap: figure(2), black: stop(3), greys: [grey(4), grey(6)] }
    }

    /// Returns the canonical text.
    pub fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        let Some(figure) = self.figure else { return f.write_str("pass") };
        f.write_char(figure.letter())?;
        match self.to {
            Some(to) => write!(f, "-{to}")?,
            None => f.write_char('!')?,
        }
        if let Some(other) = self.swap {
            write!(f, "={other}")?;
        }
        if let Some(to) = self.black {
            write!(f, "@{to}")?;
        }
        self.greys().try_for_each(|grey| match grey.from {
            Some(from) => write!(f, "+{from}>{}", grey.to),
            None => write!(f, "+{}", grey.to),
        })
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Grey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}>{}", self.from, self.to)
    }
}
