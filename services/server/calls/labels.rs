//! The contract's strings for enums that have no wire type, and for metrics.

use pentad_model::{Certainty, Source};
use pentad_model::{PieceShape, PointShape};

pub(crate) fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Proven => "proven",
        Certainty::Estimate => "estimate",
    }
}

pub(crate) fn source(source: Source) -> &'static str {
    match source {
        Source::Terminal => "terminal",
        Source::Book => "book",
        Source::Solver => "solver",
        Source::Search => "search",
        Source::Static => "static",
    }
}

pub(crate) fn point_shape(shape: PointShape) -> &'static str {
    match shape {
        PointShape::Hidden => "hidden",
        PointShape::Hole => "hole",
        PointShape::Cell => "cell",
        PointShape::Stop => "stop",
    }
}

pub(crate) fn piece_shape(shape: PieceShape) -> &'static str {
    match shape {
        PieceShape::Disc => "disc",
        PieceShape::Ring => "ring",
        PieceShape::Square => "square",
        PieceShape::Spot => "spot",
    }
}
