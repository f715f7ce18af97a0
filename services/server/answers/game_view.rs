//! A game as the API describes it: the names of its seats, and its board.

use std::collections::BTreeMap;

use pentad_model::{Block, Board, Label, Piece, PieceShape, Point, PointShape};
use serde::Deserialize;

use super::fields::PositionAnswer;

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct GamesAnswer {
    pub(crate) games: Vec<Game>,
}

/// A game in a list.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) variants: Vec<Variant>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variant {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) summary: String,
    /// Ids in playing order.
    pub(crate) seats: Vec<String>,
    pub(crate) seat_names: BTreeMap<String, String>,
    pub(crate) sides: BTreeMap<String, u32>,
}

impl Variant {
    /// Returns the name of a seat; its id if it has none.
    pub(crate) fn seat_name<'a>(&'a self, seat: &'a str) -> &'a str {
        self.seat_names.get(seat).map_or(seat, String::as_str)
    }

    /// Number of seats and teams that win separately.
    pub(crate) fn n_sides(&self) -> usize {
        let mut sides: Vec<u32> = self.sides.values().copied().collect();
        sides.sort_unstable();
        sides.dedup();
        sides.len()
    }
}

/// One variant of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) variant: Variant,
    /// `None` if the rule set describes none.
    pub(crate) board: Option<Board>,
}

/// The answer of `GET /v1/games/{game}`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameAnswer {
    #[serde(flatten)]
    game: Game,
    layout: Option<Layout>,
    variant_layouts: BTreeMap<String, Layout>,
}

impl GameView {
    /// Reads one variant of a game; an empty id is its first. Fails with a sentence.
    pub(crate) fn new(answer: GameAnswer, variant: &str) -> Result<GameView, String> {
        let GameAnswer { game, layout, mut variant_layouts } = answer;
        let is_wanted = |it: &Variant| variant.is_empty() || it.id == variant;
        let Some(variant) = game.variants.iter().find(|it| is_wanted(it)).cloned() else {
            let known: Vec<&str> = game.variants.iter().map(|it| it.id.as_str()).collect();
            return Err(format!("{} has no variant `{variant}`; it has {}", game.id, known.join(", ")));
        };
        let layout = variant_layouts.remove(&variant.id).or(layout);
        let board = layout.map(|layout| layout.into_board(&variant)).transpose()?;
        Ok(GameView { id: game.id, name: game.name, variant, board })
    }

    /// Returns the pieces of a position, as indices of points and kinds of the board.
    pub(crate) fn pieces(&self, position: &PositionAnswer) -> Vec<(u32, u32)> {
        let Some(board) = &self.board else { return Vec::new() };
        let on_point = |(idx, point): (usize, &Point)| {
            let ids = position.board.get(&point.id).map_or(&[][..], Vec::as_slice);
            let kind = |id: &String| Some((idx as u32, board.pieces.iter().position(|piece| piece.id == *id)? as u32));
            ids.iter().filter_map(kind).collect::<Vec<_>>()
        };
        board.points.iter().enumerate().flat_map(on_point).collect()
    }

    /// Returns the indices of points by their ids; unknown ones are left out.
    pub(crate) fn points(&self, ids: &[String]) -> Vec<u32> {
        let Some(board) = &self.board else { return Vec::new() };
        let point = |id: &String| board.points.iter().position(|point| point.id == *id);
        ids.iter().filter_map(point).map(|idx| idx as u32).collect()
    }
}

#[derive(Deserialize)]
struct Layout {
    width: f64,
    height: f64,
    points: Vec<LayoutPoint>,
    edges: Vec<LayoutEdge>,
    blocks: Vec<LayoutBlock>,
    labels: Vec<LayoutLabel>,
    pieces: Vec<LayoutPiece>,
}

#[derive(Deserialize)]
struct LayoutPoint {
    id: String,
    x: f64,
    y: f64,
    radius: f64,
    shape: String,
    colour: String,
}

#[derive(Deserialize)]
struct LayoutEdge {
    from: String,
    to: String,
}

#[derive(Deserialize)]
struct LayoutBlock {
    id: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    colour: String,
    points: Vec<String>,
}

#[derive(Deserialize)]
struct LayoutLabel {
    text: String,
    x: f64,
    y: f64,
}

#[derive(Deserialize)]
struct LayoutPiece {
    id: String,
    name: String,
    fill: String,
    stroke: String,
    label: String,
    shape: String,
    seat: String,
}

impl Layout {
    /// Converts names into indices. Shapes of a newer server are drawn as the plainest.
    fn into_board(self, variant: &Variant) -> Result<Board, String> {
        let Layout { width, height, points, edges, blocks, labels, pieces } = self;
        let index = |id: &str| {
            let found = points.iter().position(|point| point.id == id).map(|idx| idx as u32);
            found.ok_or_else(|| format!("the layout has no point `{id}`"))
        };
        let edges = edges.iter().map(|it| Ok((index(&it.from)?, index(&it.to)?))).collect::<Result<_, String>>()?;
        let block = |it: LayoutBlock| -> Result<Block, String> {
            let points = it.points.iter().map(|id| index(id)).collect::<Result<_, _>>()?;
            let LayoutBlock { id, x, y, width, height, colour, .. } = it;
            Ok(Block { id, x, y, width, height, colour, points })
        };
        let blocks = blocks.into_iter().map(block).collect::<Result<_, _>>()?;
        let label = |LayoutLabel { text, x, y }| Label { text, x, y };
        let seat = |id: &str| variant.seats.iter().position(|seat| seat == id).map(|idx| idx as u32);
        let piece = |it: LayoutPiece| {
            let (shape, seat) = (piece_shape(&it.shape), seat(&it.seat));
            let LayoutPiece { id, name, fill, stroke, label, .. } = it;
            Piece { id, name, fill, stroke, label, shape, seat }
        };
        let (labels, pieces) = (labels.into_iter().map(label).collect(), pieces.into_iter().map(piece).collect());
        let point = |LayoutPoint { id, x, y, radius, shape, colour }| {
            let shape = point_shape(&shape);
            Point { id, x, y, radius, shape, colour }
        };
        let points = points.into_iter().map(point).collect();
        Ok(Board { width, height, points, edges, blocks, labels, pieces })
    }
}

fn point_shape(name: &str) -> PointShape {
    match name {
        "hidden" => PointShape::Hidden,
        "cell" => PointShape::Cell,
        "stop" => PointShape::Stop,
        _ => PointShape::Hole,
    }
}

fn piece_shape(name: &str) -> PieceShape {
    match name {
        "ring" => PieceShape::Ring,
        "square" => PieceShape::Square,
        "spot" => PieceShape::Spot,
        _ => PieceShape::Disc,
    }
}
