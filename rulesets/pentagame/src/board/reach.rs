//! Where a figure can go in one move: any distance along free stops, and onto the
//! first occupied stop on its path.
//!
//! The flood fill goes from node to node: a line without pieces is crossed in one
//! step; of any other line, the free run at its near end is added.

use crate::board::lines::{INCIDENT_LINES, LINES, Line, place_on_line};
use crate::board::stop::Stop;
use crate::board::stops::Stops;

/// Stops that a figure can reach, without its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    pub(crate) free: Stops,
    /// Occupied stops next to free ones: pieces to beat or to swap with.
    pub(crate) blockers: Stops,
}

/// Returns the stops within reach of `origin`, which counts as occupied.
#[inline]
pub(crate) fn reach(origin: Stop, occupied: Stops) -> Reach {
    let mut fill = FloodFill { occupied, origin, free: Stops::NONE, blockers: Stops::NONE, nodes: 0 };
    if origin.is_node() {
        fill.expand_node(origin.index());
    } else {
        fill.expand_stop(origin);
    }
    while fill.nodes != 0 {
        let node = fill.nodes.trailing_zeros() as usize;
        fill.nodes &= fill.nodes - 1;
        fill.expand_node(node);
    }
    Reach { free: fill.free, blockers: fill.blockers }
}

struct FloodFill {
    occupied: Stops,
    origin: Stop,
    free: Stops,
    blockers: Stops,
    /// Free nodes reached whose lines are not followed yet, one bit each.
    nodes: u32,
}

impl FloodFill {
    #[inline]
    fn reach_node(&mut self, node: usize) {
        let stop = Stop(node as u8);
        if stop == self.origin || self.free.contains(stop) {
            return;
        }
        if self.occupied.contains(stop) {
            self.blockers = self.blockers.with(stop);
        } else {
            self.free = self.free.with(stop);
            self.nodes |= 1 << node;
        }
    }

    /// Follows the four lines of a node.
    #[inline]
    fn expand_node(&mut self, node: usize) {
        for exit in &INCIDENT_LINES[node] {
            let line = &LINES[exit.line];
            let pieces = self.occupied.union(Stops::only(self.origin)).on_line(line);
            if pieces == 0 {
                self.add_run(line, line.mask());
                self.reach_node(exit.to);
            } else if exit.is_forwards {
                self.scan_forwards(line, pieces, 0);
            } else {
                self.scan_backwards(line, pieces, line.len);
            }
        }
    }

    /// Follows a small stop's line in both directions.
    fn expand_stop(&mut self, origin: Stop) {
        let (line, at) = place_on_line(origin);
        let line = &LINES[line];
        let pieces = self.occupied.on_line(line) & !(1 << at);
        self.scan_forwards(line, pieces, at + 1);
        self.scan_backwards(line, pieces, at);
    }

    /// Adds the free run from index `from` of a line towards its end.
    #[inline]
    fn scan_forwards(&mut self, line: &Line, pieces: u32, from: usize) {
        let ahead = pieces >> from << from;
        if ahead == 0 {
            self.add_run(line, line.mask() >> from << from);
            return self.reach_node(line.last);
        }
        let hit = ahead.trailing_zeros() as usize;
        self.add_run(line, (1 << hit) - (1 << from));
        self.add_blocker(line, hit);
    }

    /// Adds the free run below index `below` of a line, towards its beginning.
    #[inline]
    fn scan_backwards(&mut self, line: &Line, pieces: u32, below: usize) {
        let ahead = pieces & ((1 << below) - 1);
        if ahead == 0 {
            self.add_run(line, (1 << below) - 1);
            return self.reach_node(line.first);
        }
        let hit = ahead.ilog2() as usize;
        self.add_run(line, (1 << below) - (2 << hit));
        self.add_blocker(line, hit);
    }

    #[inline]
    fn add_run(&mut self, line: &Line, run: u32) {
        self.free.0 |= u128::from(run) << line.base;
    }

    #[inline]
    fn add_blocker(&mut self, line: &Line, at: usize) {
        let stop = Stop((line.base + at) as u8);
        if stop != self.origin {
            self.blockers = self.blockers.with(stop);
        }
    }
}
