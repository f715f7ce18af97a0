//! A position: figures, blocks, the player to move, and the ko pair.
//!
//! The rest follows from these: a round is in progress unless player 1 is to move,
//! and the grey blocks that are not on the board wait outside.

use pentad_sdk::rng::mix;

use crate::board::{FIGURES_MAX, Figure, N_COLOURS, N_STOPS, Stop, Stops};

/// Number of black blocks, which are always on the board.
pub(crate) const N_BLACK: u32 = 5;
/// Number of grey blocks, on the board or waiting outside.
pub(crate) const N_GREY: u32 = 5;
/// Figures a player needs out to win.
pub(crate) const N_OUT_TO_WIN: u32 = 3;
/// Stop of a figure that is out, or whose seat the variant does not have. No set of
/// stops has this bit.
pub(crate) const OUT: u8 = N_STOPS as u8;
/// Value of the ko pair if there is no ko.
const NO_KO: [u8; 2] = [u8::MAX; 2];

/// Everything that determines legal moves and outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Stops by figure; [`OUT`] for figures that are out.
    stops: [u8; FIGURES_MAX],
    /// The stops with figures; follows from `stops`.
    pub(crate) figures: Stops,
    pub(crate) black: Stops,
    pub(crate) grey: Stops,
    n_seats: u8,
    pub(crate) to_move: u8,
    /// The two figures that the last turn swapped, the lower first.
    ko: [u8; 2],
}

/// Why a board is not a position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionError {
    /// Several pieces on a stop that is not a corner, or a block among them.
    Crowded(Stop),
    /// More figures on a corner than there are players.
    CornerFull(Stop),
    /// More grey blocks on the board than figures are out.
    TooManyGrey,
    /// A player who has not moved yet in this round has three figures out.
    FinishedBeforeTurn(usize),
    /// The ko pair has no figure of the player who moved last.
    KoWithoutLastMover,
}

impl Position {
    /// Returns the start of a game for this many players.
    pub fn start(n_seats: usize) -> Position {
        let mut position = Position::empty(n_seats);
        for figure in position.all_figures() {
            position.put(figure, Stop::corner(figure.colour()));
        }
        position.black = (0..N_COLOURS).map(Stop::crossing).collect();
        position
    }

    /// Returns a board without pieces, for parsers to fill; not a legal position.
    pub(crate) fn empty(n_seats: usize) -> Position {
        Position {
            stops: [OUT; FIGURES_MAX],
            figures: Stops::NONE,
            black: Stops::NONE,
            grey: Stops::NONE,
            n_seats: n_seats as u8,
            to_move: 0,
            ko: NO_KO,
        }
    }

    /// Returns the number of players.
    #[inline]
    pub fn n_seats(&self) -> usize {
        usize::from(self.n_seats)
    }

    /// Returns the seat to move, from 0; once the game is over, the seat that would
    /// move.
    #[inline]
    pub fn to_move(&self) -> usize {
        usize::from(self.to_move)
    }

    /// Returns the seat that moved last.
    pub(crate) fn moved_last(&self) -> usize {
        (self.to_move() + self.n_seats() - 1) % self.n_seats()
    }

    /// Iterates over the figures of all players in ascending order.
    pub(crate) fn all_figures(&self) -> impl Iterator<Item = Figure> + use<> {
        (0..self.n_seats * N_COLOURS as u8).map(Figure)
    }

    /// Iterates over the figures of one player.
    #[inline]
    pub(crate) fn figures_of(&self, seat: usize) -> impl Iterator<Item = Figure> + Clone + use<> {
        (0..N_COLOURS).map(move |colour| Figure::new(seat, colour))
    }

    /// Returns where a figure stands; `None` if it is out.
    #[inline]
    pub fn stop_of(&self, figure: Figure) -> Option<Stop> {
        let stop = self.stops[figure.index()];
        (stop != OUT).then_some(Stop(stop))
    }

    /// Iterates over the figures on a stop in ascending order.
    #[inline]
    pub fn figures_at(&self, stop: Stop) -> impl Iterator<Item = Figure> + '_ {
        self.all_figures().filter(move |figure| self.stops[figure.index()] == stop.0)
    }

    /// Returns the black blocks.
    pub fn black(&self) -> Stops {
        self.black
    }

    /// Returns the grey blocks on the board.
    pub fn grey(&self) -> Stops {
        self.grey
    }

    /// Returns the number of grey blocks that wait outside.
    #[inline]
    pub fn n_grey_outside(&self) -> u32 {
        N_GREY - self.grey.count()
    }

    /// Returns the stops with figures.
    #[inline]
    pub fn figures(&self) -> Stops {
        self.figures
    }

    /// Returns the stops with any piece.
    #[inline]
    pub fn occupied(&self) -> Stops {
        self.figures.union(self.black).union(self.grey)
    }

    /// Returns how many figures of a player are out.
    #[inline]
    pub fn n_out(&self, seat: usize) -> u32 {
        self.figures_of(seat).map(|figure| u32::from(self.stops[figure.index()] == OUT)).sum()
    }

    /// Returns the two figures that may not be swapped, the lower first.
    pub fn ko(&self) -> Option<(Figure, Figure)> {
        (self.ko != NO_KO).then(|| (Figure(self.ko[0]), Figure(self.ko[1])))
    }

    /// Returns whether the ko forbids swapping these two.
    #[inline]
    pub(crate) fn is_ko(&self, one: Figure, other: Figure) -> bool {
        self.ko == [one.0.min(other.0), one.0.max(other.0)]
    }

    pub(crate) fn set_ko(&mut self, pair: Option<(Figure, Figure)>) {
        self.ko = pair.map_or(NO_KO, |(one, other)| [one.0.min(other.0), one.0.max(other.0)]);
    }

    /// Returns the position with these black blocks instead.
    #[must_use]
    pub(crate) fn with_black(self, black: Stops) -> Position {
        Position { black, ..self }
    }

    /// Returns the position with these grey blocks instead.
    #[must_use]
    pub(crate) fn with_grey(self, grey: Stops) -> Position {
        Position { grey, ..self }
    }

    /// Computes the hash key over all fields.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let word = |bytes: &[u8]| bytes.iter().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
        let (black, grey) = (self.black.0, self.grey.0);
        let rest = u64::from(self.to_move) << 16 | u64::from(self.ko[0]) << 8 | u64::from(self.ko[1]);
        let mut key = mix(rest ^ word(&self.stops[16..]) << 24);
        for word in [
            word(&self.stops[..8]),
            word(&self.stops[8..16]),
            black as u64,
            (black >> 64) as u64,
            grey as u64,
            (grey >> 64) as u64,
        ] {
            key = mix(key.rotate_left(5) ^ word);
        }
        key
    }

    /// Puts a figure that is not on the board on a stop.
    pub(crate) fn put(&mut self, figure: Figure, stop: Stop) {
        self.stops[figure.index()] = stop.0;
        self.figures = self.figures.with(stop);
    }

    /// Removes a figure from the board.
    #[inline]
    pub(crate) fn remove(&mut self, figure: Figure) {
        let stop = self.stops[figure.index()];
        self.stops[figure.index()] = OUT;
        if stop != OUT && (stop >= 5 || self.figures_at(Stop(stop)).next().is_none()) {
            self.figures = self.figures.without(Stop(stop));
        }
    }

    /// Checks that the rules allow the position. The caller has checked that there are
    /// five black and at most five grey blocks on distinct stops.
    pub(crate) fn check(&self) -> Result<(), PositionError> {
        let blocks = self.black.union(self.grey);
        for stop in self.figures.iter() {
            let n_figures = self.figures_at(stop).count();
            if blocks.contains(stop) || (n_figures > 1 && !stop.is_corner()) {
                return Err(PositionError::Crowded(stop));
            }
            if n_figures > self.n_seats() {
                return Err(PositionError::CornerFull(stop));
            }
        }
        let n_out: u32 = (0..self.n_seats()).map(|seat| self.n_out(seat)).sum();
        if self.grey.count() > n_out {
            return Err(PositionError::TooManyGrey);
        }
        // With player 1 to move the round is over, and so is the game.
        let yet_to_move = if self.to_move == 0 { 0..0 } else { self.to_move()..self.n_seats() };
        if let Some(seat) = yet_to_move.into_iter().find(|&seat| self.n_out(seat) >= N_OUT_TO_WIN) {
            return Err(PositionError::FinishedBeforeTurn(seat));
        }
        let is_own = |figure: Figure| figure.seat() == self.moved_last();
        if self.ko().is_some_and(|(one, other)| !is_own(one) && !is_own(other)) {
            return Err(PositionError::KoWithoutLastMover);
        }
        Ok(())
    }
}

/// Returns the bytes of an encoded position: a stop for each figure, five for each
/// kind of block, the player to move, and the ko.
pub(crate) const fn size(n_seats: usize) -> usize {
    n_seats * N_COLOURS + (N_BLACK + N_GREY) as usize + 3
}

/// Writes the fields in that order, with 100 ([`OUT`]) for a figure that is out or a
/// grey block that is not on the board.
pub(crate) fn encode(position: &Position, bytes: &mut [u8]) {
    let n_figures = position.n_seats() * N_COLOURS;
    let (figures, rest) = bytes.split_at_mut(n_figures);
    figures.copy_from_slice(&position.stops[..n_figures]);
    let (black, rest) = rest.split_at_mut(N_BLACK as usize);
    let (grey, rest) = rest.split_at_mut(N_GREY as usize);
    let stops_or_out = |set: Stops| set.iter().map(|stop| stop.0).chain(std::iter::repeat(OUT));
    black.iter_mut().zip(stops_or_out(position.black)).for_each(|(to, from)| *to = from);
    grey.iter_mut().zip(stops_or_out(position.grey)).for_each(|(to, from)| *to = from);
    rest.copy_from_slice(&[position.to_move, position.ko[0], position.ko[1]]);
}

/// Decodes what [`encode`] writes; `None` for any other bytes.
pub(crate) fn decode(bytes: &[u8], n_seats: usize) -> Option<Position> {
    if bytes.len() != size(n_seats) {
        return None;
    }
    let mut position = Position::empty(n_seats);
    let (figures, rest) = bytes.split_at(n_seats * N_COLOURS);
    for (idx, &stop) in figures.iter().enumerate() {
        match stop {
            OUT => {}
            0..OUT => position.put(Figure(idx as u8), Stop(stop)),
            _ => return None,
        }
    }
    let (black, rest) = rest.split_at(N_BLACK as usize);
    let (grey, rest) = rest.split_at(N_GREY as usize);
    position.black = read_set(black)?;
    position.grey = read_set(grey)?;
    let &[to_move, lower, upper] = rest else { return None };
    position.to_move = to_move;
    position.ko = [lower, upper];
    let n_figures = (n_seats * N_COLOURS) as u8;
    let is_ko_valid = position.ko == NO_KO || (position.ko[0] < position.ko[1] && position.ko[1] < n_figures);
    let is_valid = usize::from(to_move) < n_seats
        && is_ko_valid
        && position.black.count() == N_BLACK
        && position.black.intersection(position.grey).is_empty();
    (is_valid && position.check().is_ok()).then_some(position)
}

/// Reads stops in ascending order, then [`OUT`] to the end.
fn read_set(bytes: &[u8]) -> Option<Stops> {
    let is_ascending = bytes.windows(2).all(|pair| pair[0] < pair[1] || (pair[0] == OUT && pair[1] == OUT));
    let is_known = bytes.iter().all(|&stop| stop <= OUT);
    (is_ascending && is_known).then(|| bytes.iter().filter(|&&stop| stop != OUT).map(|&stop| Stop(stop)).collect())
}
