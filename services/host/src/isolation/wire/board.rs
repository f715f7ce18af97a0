//! Boards in a worker's messages.

use pentad_abi as abi;
use pentad_model::{Board, BoardTables, Violation};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct WireBoard {
    width: f64,
    height: f64,
    points: Vec<WirePoint>,
    edges: Vec<(u32, u32)>,
    blocks: Vec<WireBlock>,
    labels: Vec<(String, f64, f64)>,
    pieces: Vec<WirePiece>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WirePoint {
    id: String,
    x: f64,
    y: f64,
    radius: f64,
    shape: u32,
    colour: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WireBlock {
    id: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    colour: String,
    points: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WirePiece {
    id: String,
    name: String,
    fill: String,
    stroke: String,
    label: String,
    shape: u32,
    seat: u32,
}

impl WireBoard {
    pub(super) fn new(board: Board) -> WireBoard {
        let tables = BoardTables::new(board);
        let raw = tables.to_abi();
        // SAFETY: the tables and what they point to live until the end of this function.
        let (points, blocks, labels, pieces, edges) = unsafe {
            (
                slice(raw.points, raw.n_points),
                slice(raw.blocks, raw.n_blocks),
                slice(raw.labels, raw.n_labels),
                slice(raw.pieces, raw.n_pieces),
                slice(raw.edges, raw.n_edges),
            )
        };
        // SAFETY: as above.
        let text = |text: abi::Str| unsafe { pentad_model::trusted::text(text) }.unwrap_or_default().to_owned();
        let point = |it: &abi::Point| WirePoint {
            id: text(it.id),
            x: it.x,
            y: it.y,
            radius: it.radius,
            shape: it.shape,
            colour: text(it.colour),
        };
        let block = |it: &abi::Block| WireBlock {
            id: text(it.id),
            x: it.x,
            y: it.y,
            width: it.width,
            height: it.height,
            colour: text(it.colour),
            // SAFETY: as above.
            points: unsafe { slice(it.points, it.n_points) }.to_vec(),
        };
        let piece = |it: &abi::Piece| WirePiece {
            id: text(it.id),
            name: text(it.name),
            fill: text(it.fill),
            stroke: text(it.stroke),
            label: text(it.label),
            shape: it.shape,
            seat: it.seat,
        };
        WireBoard {
            width: raw.width,
            height: raw.height,
            points: points.iter().map(point).collect(),
            edges: edges.iter().map(|edge| (edge.from, edge.to)).collect(),
            blocks: blocks.iter().map(block).collect(),
            labels: labels.iter().map(|it| (text(it.text), it.x, it.y)).collect(),
            pieces: pieces.iter().map(piece).collect(),
        }
    }

    pub(super) fn read(&self, n_seats: usize) -> Result<Board, Violation> {
        let str = |text: &String| abi::Str::new(text);
        let point = |it: &WirePoint| abi::Point {
            id: str(&it.id),
            x: it.x,
            y: it.y,
            radius: it.radius,
            shape: it.shape,
            reserved: 0,
            colour: str(&it.colour),
        };
        let block = |it: &WireBlock| abi::Block {
            id: str(&it.id),
            x: it.x,
            y: it.y,
            width: it.width,
            height: it.height,
            colour: str(&it.colour),
            points: it.points.as_ptr(),
            n_points: it.points.len() as u64,
        };
        let piece = |it: &WirePiece| abi::Piece {
            id: str(&it.id),
            name: str(&it.name),
            fill: str(&it.fill),
            stroke: str(&it.stroke),
            label: str(&it.label),
            shape: it.shape,
            seat: it.seat,
        };
        let label = |(text, x, y): &(String, f64, f64)| abi::Label { text: str(text), x: *x, y: *y };
        let points: Vec<abi::Point> = self.points.iter().map(point).collect();
        let edges: Vec<abi::Edge> = self.edges.iter().map(|&(from, to)| abi::Edge { from, to }).collect();
        let blocks: Vec<abi::Block> = self.blocks.iter().map(block).collect();
        let labels: Vec<abi::Label> = self.labels.iter().map(label).collect();
        let pieces: Vec<abi::Piece> = self.pieces.iter().map(piece).collect();
        let raw = abi::Board {
            width: self.width,
            height: self.height,
            points: points.as_ptr(),
            n_points: points.len() as u64,
            edges: edges.as_ptr(),
            n_edges: edges.len() as u64,
            blocks: blocks.as_ptr(),
            n_blocks: blocks.len() as u64,
            labels: labels.as_ptr(),
            n_labels: labels.len() as u64,
            pieces: pieces.as_ptr(),
            n_pieces: pieces.len() as u64,
        };
        // SAFETY: the arrays and the texts in `self` are readable until the end of
        // this function.
        unsafe { Board::from_plugin(&raw, n_seats) }
    }
}

/// # Safety
/// `data` must lead to `n` readable elements for `'a`, or `n` be 0.
unsafe fn slice<'a, T>(data: *const T, n: u64) -> &'a [T] {
    if n == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, n as usize) }
}
