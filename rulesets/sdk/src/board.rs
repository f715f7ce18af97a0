//! Parts that boards have in common: two colours, the cells of a square grid, and sets
//! of points stored as the bits of an integer.
//!
//! Cells and sets are defined by [`grid_cell!`](crate::grid_cell) and
//! [`bit_set!`](crate::bit_set) in the crate of the game, which adds its own
//! methods to them.

/// One of the two players of a game for White and Black, numbered like their seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// `w`, seat 0.
    White = 0,
    /// `b`, seat 1.
    Black = 1,
}

impl Colour {
    /// Both colours, in the order of the seats.
    pub const ALL: [Colour; 2] = [Colour::White, Colour::Black];

    /// Returns the opponent.
    #[inline]
    #[must_use]
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// Returns `White` or `Black`, for messages.
    pub fn name(self) -> &'static str {
        ["White", "Black"][self as usize]
    }

    /// Returns `w` or `b`, as in positions.
    pub fn letter(self) -> char {
        ['w', 'b'][self as usize]
    }
}

/// Maps a cell of an `n` × `n` square by one of its eight symmetries: 0 to 3 are that
/// many quarter turns clockwise, 4 to 7 mirror left and right first.
pub const fn map_square(symmetry: usize, n: usize, row: usize, column: usize) -> (usize, usize) {
    let (mut row, mut column) = (row, if symmetry >= 4 { n - 1 - column } else { column });
    let mut turns = symmetry % 4;
    while turns > 0 {
        (row, column) = (column, n - 1 - row);
        turns -= 1;
    }
    (row, column)
}

/// Reads the binary digits of a number below 2^9 as digits of another base.
pub const fn in_base(base: u32, bits: usize) -> u32 {
    let mut number = 0;
    let mut bit = 9;
    while bit > 0 {
        bit -= 1;
        number = number * base + (bits >> bit & 1) as u32;
    }
    number
}

/// Defines a cell of a square board, named by a file from `a` at the left and a
/// rank from `1` at the top, and numbered in the order of these names.
///
/// ```
/// pentad_sdk::grid_cell! {
///     /// One of the nine cells: a1, a2 .. c3.
///     pub struct Cell of 3 x 3;
/// }
///
/// let cell = Cell::at(1, 2);
/// assert_eq!((cell.to_string().as_str(), cell.row(), cell.column(), cell.index()), ("c2", 1, 2, 7));
/// assert_eq!(Cell::all().count(), 9);
/// ```
#[macro_export]
macro_rules! grid_cell {
    ($(#[$attribute:meta])* pub struct $Cell:ident of $n_files:literal x $n_ranks:literal;) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Cell(pub(crate) u8);

        impl $Cell {
            /// Returns all cells, in order.
            pub fn all() -> impl Iterator<Item = $Cell> {
                (0..$n_files * $n_ranks).map($Cell)
            }

            /// Returns the cell in a row from the top and a column from the left, from 0.
            pub fn at(row: usize, column: usize) -> $Cell {
                debug_assert!(row < $n_ranks && column < $n_files);
                $Cell((column * $n_ranks + row) as u8)
            }

            /// Reads the name of a cell, as a part of `field`.
            pub fn read(reader: &mut $crate::notation::Reader<'_>, field: &'static str) -> Result<$Cell, $crate::Refusal> {
                let column = reader.letter(field, "a file", 'a', $n_files)?;
                Ok($Cell::at(reader.letter(field, "a rank", '1', $n_ranks)?, column))
            }

            /// Returns the row from the top, from 0.
            pub fn row(self) -> usize {
                usize::from(self.0 % $n_ranks)
            }

            /// Returns the column from the left, from 0.
            pub fn column(self) -> usize {
                usize::from(self.0 / $n_ranks)
            }

            /// Returns the cell's index in this order, from 0.
            #[inline]
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }

        impl ::std::fmt::Display for $Cell {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{}{}", char::from(b'a' + self.0 / $n_ranks), self.row() + 1)
            }
        }

        impl ::std::fmt::Debug for $Cell {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// Defines a set of points as the bits of an unsigned integer.
///
/// `all` has the bits of all points, `mask` returns the bit of a point (0 for one that
/// is in no set), `at_bit` the point of a bit number. The game adds `iter`, which returns
/// the points in the order of its notation; if that is the order of the bits, it calls
/// `iter_by_bit`.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// pub struct Square(u8);
///
/// pentad_sdk::bit_set! {
///     /// A set of the sixteen squares.
///     pub struct Squares(u16) of Square {
///         all: u16::MAX,
///         mask: |square: Square| 1 << square.0,
///         at_bit: |bit| Square(bit as u8),
///     }
/// }
///
/// impl Squares {
///     /// The squares, in order.
///     pub fn iter(self) -> impl Iterator<Item = Square> {
///         self.iter_by_bit()
///     }
/// }
///
/// let corners: Squares = [0, 3, 12, 15].map(Square).into_iter().collect();
/// assert!(corners.contains(Square(3)) && !corners.contains(Square(4)));
/// assert_eq!((corners.count(), corners.complement().count()), (4, 12));
/// assert_eq!(corners.without(Square(0)).first(), Some(Square(3)));
/// assert_eq!(corners.intersection(Squares::only(Square(15))).iter().collect::<Vec<_>>(), [Square(15)]);
/// ```
#[macro_export]
macro_rules! bit_set {
    (
        $(#[$attribute:meta])*
        pub struct $Set:ident($Word:ty) of $Point:ty { all: $all:expr, mask: $mask:expr, at_bit: $at_bit:expr $(,)? }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $Set(pub(crate) $Word);

        impl $Set {
            /// The empty set.
            pub const NONE: $Set = $Set(0);
            /// The set of all points.
            pub const ALL: $Set = $Set($all);

            /// Returns the set of one point.
            #[inline]
            pub fn only(point: $Point) -> $Set {
                $Set(($mask)(point))
            }

            /// Returns whether a point is in the set.
            #[inline]
            pub fn contains(self, point: $Point) -> bool {
                self.0 & ($mask)(point) != 0
            }

            /// Returns the set with one more point.
            #[inline]
            #[must_use]
            pub fn with(self, point: $Point) -> $Set {
                $Set(self.0 | ($mask)(point))
            }

            /// Returns the set without a point.
            #[inline]
            #[must_use]
            pub fn without(self, point: $Point) -> $Set {
                $Set(self.0 & !($mask)(point))
            }

            /// Returns the points in either set.
            #[inline]
            #[must_use]
            pub fn union(self, other: $Set) -> $Set {
                $Set(self.0 | other.0)
            }

            /// Returns the points in both sets.
            #[inline]
            #[must_use]
            pub fn intersection(self, other: $Set) -> $Set {
                $Set(self.0 & other.0)
            }

            /// Returns the points that are not in the set.
            #[inline]
            #[must_use]
            pub fn complement(self) -> $Set {
                $Set(!self.0 & $Set::ALL.0)
            }

            /// Returns the number of points.
            #[inline]
            pub fn count(self) -> u32 {
                self.0.count_ones()
            }

            /// Returns whether the set has no point.
            #[inline]
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Returns the point with the lowest bit, if any.
            #[inline]
            pub fn first(self) -> Option<$Point> {
                (self.0 != 0).then(|| ($at_bit)(self.0.trailing_zeros()))
            }

            /// Returns the points in the order of their bits.
            #[inline]
            pub fn iter_by_bit(self) -> impl Iterator<Item = $Point> {
                let mut rest = self;
                ::std::iter::from_fn(move || {
                    let point = rest.first();
                    rest.0 &= rest.0.wrapping_sub(1);
                    point
                })
            }
        }

        impl FromIterator<$Point> for $Set {
            fn from_iter<I: IntoIterator<Item = $Point>>(points: I) -> Self {
                points.into_iter().fold($Set::NONE, $Set::with)
            }
        }

        impl ::std::fmt::Debug for $Set {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }
    };
}
