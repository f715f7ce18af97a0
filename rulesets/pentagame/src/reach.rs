//! Where a figure can go: along free stops as far as it pleases, and onto the
//! first occupied stop in its way.
//!
//! The filling goes node by node: a line without pieces is crossed at one
//! stroke, of any other the free run at its near end is taken.

use crate::lines::{LINES, Line, WAYS, place_on_line};
use crate::stop::Stop;
use crate::stops::Stops;

/// What a figure can reach, its own stop not among it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Free stops.
    pub(crate) free: Stops,
    /// Occupied stops, the first in some way.
    pub(crate) hits: Stops,
}

/// What can be reached from `origin`, which counts as occupied.
#[inline]
pub(crate) fn reach(origin: Stop, occupied: Stops) -> Reach {
    let mut fill = Fill { occupied, origin, free: Stops::NONE, hits: Stops::NONE, nodes: 0 };
    if origin.is_node() {
        fill.leave(origin.index());
    } else {
        fill.leave_line(origin);
    }
    while fill.nodes != 0 {
        let node = fill.nodes.trailing_zeros() as usize;
        fill.nodes &= fill.nodes - 1;
        fill.leave(node);
    }
    Reach { free: fill.free, hits: fill.hits }
}

struct Fill {
    occupied: Stops,
    origin: Stop,
    free: Stops,
    hits: Stops,
    /// Nodes that are reached and not yet left again.
    nodes: u32,
}

impl Fill {
    #[inline]
    fn enter(&mut self, node: usize) {
        let stop = Stop(node as u8);
        if stop == self.origin || self.free.contains(stop) {
            return;
        }
        if self.occupied.contains(stop) {
            self.hits = self.hits.with(stop);
        } else {
            self.free = self.free.with(stop);
            self.nodes |= 1 << node;
        }
    }

    /// Goes all four ways from a node.
    #[inline]
    fn leave(&mut self, node: usize) {
        for way in &WAYS[node] {
            let line = &LINES[way.line];
            let pieces = self.occupied.or(Stops::NONE.with(self.origin)).on_line(line);
            if pieces == 0 {
                self.add(line, line.mask());
                self.enter(way.to);
            } else if way.forwards {
                self.run_up(line, pieces, 0);
            } else {
                self.run_down(line, pieces, line.len);
            }
        }
    }

    /// Goes both ways from a small stop.
    fn leave_line(&mut self, origin: Stop) {
        let (line, at) = place_on_line(origin);
        let line = &LINES[line];
        let pieces = self.occupied.on_line(line) & !(1 << at);
        self.run_up(line, pieces, at + 1);
        self.run_down(line, pieces, at);
    }

    /// Takes the free run from a place on a line towards its end.
    #[inline]
    fn run_up(&mut self, line: &Line, pieces: u32, from: usize) {
        let ahead = pieces >> from << from;
        if ahead == 0 {
            self.add(line, line.mask() >> from << from);
            return self.enter(line.last);
        }
        let hit = ahead.trailing_zeros() as usize;
        self.add(line, (1 << hit) - (1 << from));
        self.hit(line, hit);
    }

    /// Takes the free run below a place on a line, towards its beginning.
    #[inline]
    fn run_down(&mut self, line: &Line, pieces: u32, below: usize) {
        let ahead = pieces & ((1 << below) - 1);
        if ahead == 0 {
            self.add(line, (1 << below) - 1);
            return self.enter(line.first);
        }
        let hit = ahead.ilog2() as usize;
        self.add(line, (1 << below) - (2 << hit));
        self.hit(line, hit);
    }

    #[inline]
    fn add(&mut self, line: &Line, run: u32) {
        self.free.0 |= u128::from(run) << line.base;
    }

    #[inline]
    fn hit(&mut self, line: &Line, at: usize) {
        let stop = Stop((line.base + at) as u8);
        if stop != self.origin {
            self.hits = self.hits.with(stop);
        }
    }
}
