//! A board as data, for drawing.

use pentad_host::Variant;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use super::games::Translations;
use super::labels;
use super::wire::{Keyed, message, point_id, seat_id};

/// A board as data, for drawing. Coordinates are in units of about one cell, x to the
/// right, y downwards, from 0, 0 to width, height. Colours are `#rrggbb` or empty.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Layout {
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// Points that may hold pieces.
    pub points: Vec<LayoutPoint>,
    /// Lines between points.
    pub edges: Vec<LayoutEdge>,
    /// Groups of points.
    pub blocks: Vec<LayoutBlock>,
    /// Text beside the board.
    pub labels: Vec<LayoutLabel>,
    /// Kinds of pieces.
    pub pieces: Vec<LayoutPiece>,
}

message!(Layout => Layout { width, height, points, edges, blocks, labels, pieces });

/// A point that may hold pieces.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct LayoutPoint {
    /// As used in moves.
    pub id: String,
    /// Centre, from the left.
    pub x: f64,
    /// Centre, from the top.
    pub y: f64,
    /// Radius of the point as drawn.
    pub radius: f64,
    /// `hidden`, `hole`, `cell` or `stop`.
    pub shape: &'static str,
    /// `#rrggbb` or empty.
    pub colour: String,
}

message!(LayoutPoint => layout::Point { id, x, y, radius, shape, colour });

/// A line between two points, by their ids.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct LayoutEdge {
    /// Id of a point.
    pub from: String,
    /// Id of a point.
    pub to: String,
}

message!(LayoutEdge => layout::Edge { from, to });

/// A group of points, drawn as a rectangle behind them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct LayoutBlock {
    /// As used in moves; may be empty.
    pub id: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downwards.
    pub height: f64,
    /// `#rrggbb` or empty.
    pub colour: String,
    /// Ids of points.
    pub points: Vec<String>,
}

message!(LayoutBlock => layout::Block { id, x, y, width, height, colour, points });

/// Text beside the board, centred at a point.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct LayoutLabel {
    /// The text.
    pub text: String,
    /// Centre, from the left.
    pub x: f64,
    /// Centre, from the top.
    pub y: f64,
}

message!(LayoutLabel => layout::Label { text, x, y });

/// A kind of piece.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct LayoutPiece {
    /// As used in positions and in `board`.
    pub id: String,
    /// Display name.
    pub name: String,
    /// `#rrggbb` or empty.
    pub fill: String,
    /// `#rrggbb` or empty.
    pub stroke: String,
    /// Drawn on the piece; may be empty.
    pub label: String,
    /// `disc`, `ring`, `square` or `spot`.
    pub shape: &'static str,
    /// Id of the seat that owns it; empty if none does.
    pub seat: String,
}

message!(LayoutPiece => layout::Piece { id, name, fill, stroke, label, shape, seat });

/// The board of a variant; `None` if its rule set has no layout.
pub(super) fn layout(variant: &Variant, words: Translations<'_>) -> Option<Layout> {
    let board = variant.board.as_ref()?;
    let point = |point: &pentad_model::Point| LayoutPoint {
        id: point.id.clone(),
        x: point.x,
        y: point.y,
        radius: point.radius,
        shape: labels::point_shape(point.shape),
        colour: point.colour.clone(),
    };
    let edge = |&(from, to): &(u32, u32)| LayoutEdge { from: point_id(board, from), to: point_id(board, to) };
    let block = |block: &pentad_model::Block| LayoutBlock {
        id: block.id.clone(),
        x: block.x,
        y: block.y,
        width: block.width,
        height: block.height,
        colour: block.colour.clone(),
        points: block.points.iter().map(|point| point_id(board, *point)).collect(),
    };
    let label = |label: &pentad_model::Label| LayoutLabel { text: label.text.clone(), x: label.x, y: label.y };
    let piece = |piece: &pentad_model::Piece| LayoutPiece {
        id: piece.id.clone(),
        name: words.term("piece", &piece.id, "", &piece.name),
        fill: piece.fill.clone(),
        stroke: piece.stroke.clone(),
        label: piece.label.clone(),
        shape: labels::piece_shape(piece.shape),
        seat: piece.seat.map(|seat| seat_id(variant, seat as usize)).unwrap_or_default(),
    };
    Some(Layout {
        width: board.width,
        height: board.height,
        points: board.points.iter().map(point).collect(),
        edges: board.edges.iter().map(edge).collect(),
        blocks: board.blocks.iter().map(block).collect(),
        labels: board.labels.iter().map(label).collect(),
        pieces: board.pieces.iter().map(piece).collect(),
    })
}

/// The boards that differ from the default variant's, by variant id.
pub(super) fn variant_layouts(variants: &[Variant], words: Translations<'_>) -> Keyed<Layout> {
    let others = variants.iter().filter(|variant| variant.board != variants[0].board);
    others.filter_map(|variant| Some((variant.id.clone(), layout(variant, words)?))).collect()
}
