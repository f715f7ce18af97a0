//! `impl Layout`: the board as a drawing, a pentagram in its ring.
//!
//! Corners lie on a circle, crossings where the lines between corners cross.
//! Small stops are spaced evenly between the two nodes of their line.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use pentad_sdk::{Board, Label, Layout, Piece, PieceShape, Point, PointShape};

use crate::Pentagame;
use crate::board::{COLOUR_NAMES, Figure, LINES, Line, N_COLOURS, Stop, place_on_line};
use crate::position::Position;

/// Radius of the ring through the corners, in the drawing's own unit.
const RING_RADIUS: f64 = 10.0;
/// Radius of the circle through the crossings of a pentagram: the ring's divided
/// by the golden ratio squared.
const CROSSINGS_RADIUS: f64 = RING_RADIUS * 0.381_966;
/// The centre, from the left and from the top.
const CENTRE: f64 = RING_RADIUS + 1.5;
const SIZE: f64 = 2.0 * CENTRE;
/// Large enough for four figures.
const NODE_RADIUS: f64 = 0.78;
const STOP_RADIUS: f64 = 0.4;
/// Distance of a label from its node: outwards of corners, inwards of crossings.
const LABEL_GAP: f64 = 1.15;

const FILLS: [&str; N_COLOURS] = ["#fbf8ef", "#2f6fc4", "#c8352e", "#f2c530", "#3c9a4b"];
const STROKES: [&str; N_COLOURS] = ["#8c8573", "#173a69", "#6d1714", "#8f7310", "#1a4f24"];
/// Paler than the figures, so that figures stand out on their own corner.
const NODE_FILLS: [&str; N_COLOURS] = ["#fffdf6", "#b9d0ee", "#efbdb9", "#faeab3", "#bfe0c4"];
const STOP_FILL: &str = "#efe6d3";

impl Layout for Pentagame {
    fn board(&self) -> Board {
        let mut pieces: Vec<Piece> = Position::start(self.n_seats).all_figures().map(figure_piece).collect();
        pieces.push(block_piece("black", "#26262a", "#000000"));
        pieces.push(block_piece("grey", "#a3a7ad", "#5f6368"));
        Board {
            width: SIZE,
            height: SIZE,
            points: Stop::all().map(point).collect(),
            edges: LINES.iter().flat_map(edges).collect(),
            blocks: Vec::new(),
            labels: (0..10).map(label).collect(),
            pieces,
        }
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        let black = self.n_seats * N_COLOURS;
        for stop in position.occupied().iter() {
            for figure in position.figures_at(stop) {
                place(stop.index(), figure.index());
            }
            if position.black.contains(stop) {
                place(stop.index(), black);
            }
            if position.grey.contains(stop) {
                place(stop.index(), black + 1);
            }
        }
    }
}

/// Returns the angle of a node in radians, clockwise from the right as drawn; corner A
/// is at the top, and crossings lie opposite their corners.
fn angle(node: usize) -> f64 {
    let corner = TAU * (node % 5) as f64 / 5.0 - FRAC_PI_2;
    if node < 5 { corner } else { corner + PI }
}

fn polar(radius: f64, angle: f64) -> (f64, f64) {
    (CENTRE + radius * angle.cos(), CENTRE + radius * angle.sin())
}

fn coordinates(stop: Stop) -> (f64, f64) {
    let node = |node: usize| polar(if node < 5 { RING_RADIUS } else { CROSSINGS_RADIUS }, angle(node));
    if stop.is_node() {
        return node(stop.index());
    }
    let (number, at) = place_on_line(stop);
    let line = &LINES[number];
    if number < 5 {
        return on_arc(line, at);
    }
    let ((x1, y1), (x2, y2)) = (node(line.first), node(line.last));
    let length = (x2 - x1).hypot(y2 - y1);
    let gap = (length - 2.0 * NODE_RADIUS - 2.0 * STOP_RADIUS * line.len as f64) / (line.len + 1) as f64;
    let along = NODE_RADIUS + gap + STOP_RADIUS + at as f64 * (2.0 * STOP_RADIUS + gap);
    (x1 + (x2 - x1) * along / length, y1 + (y2 - y1) * along / length)
}

/// Returns the coordinates of a stop on the ring. The arc between A and E is counted
/// from A, anticlockwise.
fn on_arc(line: &Line, at: usize) -> (f64, f64) {
    let part = TAU / 5.0 * (at + 1) as f64 / (line.len + 1) as f64;
    let clockwise = line.last == line.first + 1;
    polar(RING_RADIUS, angle(line.first) + if clockwise { part } else { -part })
}

fn point(stop: Stop) -> Point {
    let (x, y) = coordinates(stop);
    let is_node = stop.is_node();
    Point {
        id: stop.name().to_owned(),
        x,
        y,
        radius: if is_node { NODE_RADIUS } else { STOP_RADIUS },
        shape: PointShape::Stop,
        colour: if is_node { NODE_FILLS[stop.index() % 5] } else { STOP_FILL }.to_owned(),
    }
}

/// Iterates over the pairs of neighbouring stops along a line, both nodes included.
fn edges(line: &Line) -> impl Iterator<Item = (u32, u32)> {
    let stops = std::iter::once(line.first).chain(line.base..line.base + line.len);
    let next = (line.base..line.base + line.len).chain(std::iter::once(line.last));
    stops.zip(next).map(|(from, to)| (from as u32, to as u32))
}

fn label(node: usize) -> Label {
    let radius = if node < 5 { RING_RADIUS + LABEL_GAP } else { CROSSINGS_RADIUS - LABEL_GAP };
    let (x, y) = polar(radius, angle(node));
    Label { text: Stop(node as u8).name().to_owned(), x, y }
}

fn figure_piece(figure: Figure) -> Piece {
    Piece {
        id: figure.to_string(),
        name: format!("{} figure of player {}", COLOUR_NAMES[figure.colour()], figure.seat() + 1),
        fill: FILLS[figure.colour()].to_owned(),
        stroke: STROKES[figure.colour()].to_owned(),
        label: (figure.seat() + 1).to_string(),
        shape: PieceShape::Disc,
        seat: Some(figure.seat() as u32),
    }
}

fn block_piece(colour: &str, fill: &str, stroke: &str) -> Piece {
    Piece {
        id: colour.to_owned(),
        name: format!("{colour} block"),
        fill: fill.to_owned(),
        stroke: stroke.to_owned(),
        label: String::new(),
        shape: PieceShape::Square,
        seat: None,
    }
}
