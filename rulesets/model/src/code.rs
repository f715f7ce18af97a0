//! Enums that cross the ABI as numbers.

use pentad_abi as abi;

use crate::board::{PieceShape, PointShape};
use crate::evaluation::{Certainty, Source, Wdl};
use crate::i18n::ParamKind;
use crate::report::StopReason;
use crate::violation::Violation;

/// An enum whose variants are constants of the ABI.
pub(crate) trait Code: Sized {
    /// Name with its article, for violations.
    const NAME: &'static str;

    fn to_abi(self) -> u32;

    fn from_abi(code: u32) -> Option<Self>;

    fn from_plugin(code: u32) -> Result<Self, Violation> {
        Self::from_abi(code).ok_or_else(|| Violation::value(format!("{} of {code}", Self::NAME)))
    }
}

macro_rules! codes {
    ($($name:literal $type:ident { $($variant:ident = $constant:ident),+ $(,)? })+) => {$(
        impl Code for $type {
            const NAME: &'static str = $name;

            fn to_abi(self) -> u32 {
                match self {
                    $($type::$variant => abi::$constant,)+
                }
            }

            fn from_abi(code: u32) -> Option<Self> {
                match code {
                    $(abi::$constant => Some($type::$variant),)+
                    _ => None,
                }
            }
        }
    )+};
}

codes! {
    "a certainty" Certainty { Estimate = ESTIMATE, Proven = PROVEN }
    "an outcome" Wdl { Loss = LOSS, Draw = DRAW, Win = WIN }
    "a source" Source {
        Terminal = SOURCE_TERMINAL,
        Book = SOURCE_BOOK,
        Solver = SOURCE_SOLVER,
        Search = SOURCE_SEARCH,
        Static = SOURCE_STATIC,
    }
    "a stop reason" StopReason {
        Proven = STOP_PROVEN,
        Time = STOP_TIME,
        Nodes = STOP_NODES,
        Depth = STOP_DEPTH,
        Cancelled = STOP_CANCELLED,
    }
    "a point shape" PointShape { Hidden = POINT_HIDDEN, Hole = POINT_HOLE, Cell = POINT_CELL, Stop = POINT_STOP }
    "a kind of parameter" ParamKind {
        Integer = PARAM_INTEGER,
        Decimal = PARAM_DECIMAL,
        Seats = PARAM_SEATS,
        Points = PARAM_POINTS,
        Move = PARAM_MOVE,
        Terms = PARAM_TERMS,
        Text = PARAM_TEXT,
    }
    "a piece shape" PieceShape { Disc = PIECE_DISC, Ring = PIECE_RING, Square = PIECE_SQUARE, Spot = PIECE_SPOT }
}
