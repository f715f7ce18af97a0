//! `impl Symmetry`: the ten symmetries of the pentagon, applied to stops and
//! colours together.
//!
//! Number `s` below 5 rotates clockwise by `s` fifths; the others reflect first.
//! Seats are not permuted.

use pentad_sdk::Symmetry;

use crate::Pentagame;
use crate::board::{Figure, LINES, N_STOPS, Stop, Stops, line_between, place_on_line};
use crate::moves::{Grey, Move};
use crate::position::Position;

const N_SYMMETRIES: usize = 10;

impl Symmetry for Pentagame {
    fn n_symmetries(&self) -> usize {
        N_SYMMETRIES
    }

    fn inverse(&self, symmetry: usize) -> usize {
        // A reflection, with whatever rotation follows it, is its own inverse.
        if symmetry < 5 { (5 - symmetry) % 5 } else { symmetry }
    }

    fn apply(&self, symmetry: usize, position: &Position) -> Position {
        let map = StopMap(symmetry);
        let mut mapped = Position::empty(position.n_seats());
        for figure in position.all_figures() {
            if let Some(stop) = position.stop_of(figure) {
                mapped.put(map.figure(figure), map.stop(stop));
            }
        }
        mapped.black = map.stops(position.black);
        mapped.grey = map.stops(position.grey);
        mapped.to_move = position.to_move;
        mapped.set_ko(position.ko().map(|(one, other)| (map.figure(one), map.figure(other))));
        mapped
    }

    fn apply_move(&self, symmetry: usize, _position: &Position, mv: &Move) -> Move {
        let map = StopMap(symmetry);
        let Some(figure) = mv.figure().map(|figure| map.figure(figure)) else { return Move::PASS };
        let mut mapped = mv.to().map_or(Move::out(figure), |to| Move::go(figure, map.stop(to)));
        if let Some(other) = mv.swapped_figure() {
            mapped = mapped.with_swap(map.figure(other));
        }
        if let Some(to) = mv.black() {
            mapped = mapped.with_black(map.stop(to));
        }
        let grey = |grey: Grey| Grey { from: grey.from.map(|stop| map.stop(stop)), to: map.stop(grey.to) };
        mv.greys().fold(mapped, |mapped, put| mapped.with_grey(grey(put)))
    }
}

/// One of the ten symmetries, by number.
#[derive(Clone, Copy)]
struct StopMap(usize);

impl StopMap {
    fn colour(self, colour: usize) -> usize {
        let reflected = if self.0 < 5 { colour } else { 5 - colour };
        (reflected + self.0) % 5
    }

    fn figure(self, figure: Figure) -> Figure {
        Figure::new(figure.seat(), self.colour(figure.colour()))
    }

    fn stop(self, stop: Stop) -> Stop {
        static MAPPED: std::sync::LazyLock<[[Stop; N_STOPS]; N_SYMMETRIES]> =
            std::sync::LazyLock::new(|| std::array::from_fn(|symmetry| StopMap(symmetry).table()));
        MAPPED[self.0][stop.index()]
    }

    fn stops(self, stops: Stops) -> Stops {
        stops.iter().map(|stop| self.stop(stop)).collect()
    }

    fn table(self) -> [Stop; N_STOPS] {
        std::array::from_fn(|stop| {
            let stop = Stop(stop as u8);
            if stop.is_node() {
                return Stop(self.node(stop.index()) as u8);
            }
            let (line, at) = place_on_line(stop);
            let (first, last) = (self.node(LINES[line].first), self.node(LINES[line].last));
            let (line, is_forwards) = line_between(first, last).expect("symmetries map lines to lines");
            let line = &LINES[line];
            Stop((line.base + if is_forwards { at } else { line.len - 1 - at }) as u8)
        })
    }

    fn node(self, node: usize) -> usize {
        node / 5 * 5 + self.colour(node % 5)
    }
}
