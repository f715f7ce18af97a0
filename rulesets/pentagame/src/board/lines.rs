//! Tables of the 20 lines that join the ten nodes.
//!
//! Five arcs of the ring and five sides of the inner pentagon with three stops
//! each, ten arms of the star with six. A corner meets two arcs and two arms, a
//! crossing two sides and two arms.

use crate::board::stop::{N_NODES, N_STOPS, Stop};

pub(crate) const N_LINES: usize = 20;

/// A directed line: its stops are counted from node `first`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Number of its first small stop; the others follow.
    pub(crate) base: usize,
    /// Small stops on it, 3 or 6.
    pub(crate) len: usize,
}

impl Line {
    /// Returns a mask with one bit per small stop of the line.
    #[inline]
    pub(crate) const fn mask(self) -> u32 {
        (1 << self.len) - 1
    }
}

/// One of the four lines that meet in a node, as seen from that node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IncidentLine {
    pub(crate) line: usize,
    /// Whether the node is the line's `first`, so that its stops are counted from it.
    pub(crate) is_forwards: bool,
    /// The node at its other end.
    pub(crate) to: usize,
}

pub(crate) static LINES: [Line; N_LINES] = lines();

pub(crate) const fn lines() -> [Line; N_LINES] {
    let mut lines = [Line { first: 0, last: 0, base: 0, len: 3 }; N_LINES];
    let mut i = 0;
    while i < 5 {
        // The last arc and side are E-A and e-a, counted from A and a.
        let (first, last) = if i == 4 { (0, 4) } else { (i, i + 1) };
        lines[i] = Line { first, last, base: 10 + 3 * i, len: 3 };
        lines[5 + i] = Line { first: 5 + first, last: 5 + last, base: 25 + 3 * i, len: 3 };
        lines[10 + 2 * i] = Line { first: i, last: 5 + (i + 2) % 5, base: 40 + 12 * i, len: 6 };
        lines[11 + 2 * i] = Line { first: i, last: 5 + (i + 3) % 5, base: 46 + 12 * i, len: 6 };
        i += 1;
    }
    lines
}

/// The four lines at every node.
pub(crate) static INCIDENT_LINES: [[IncidentLine; 4]; N_NODES] = incident_lines();

const fn incident_lines() -> [[IncidentLine; 4]; N_NODES] {
    let lines = lines();
    let mut incident = [[IncidentLine { line: 0, is_forwards: true, to: 0 }; 4]; N_NODES];
    let mut counts = [0; N_NODES];
    let mut line = 0;
    while line < N_LINES {
        let Line { first, last, .. } = lines[line];
        incident[first][counts[first]] = IncidentLine { line, is_forwards: true, to: last };
        counts[first] += 1;
        incident[last][counts[last]] = IncidentLine { line, is_forwards: false, to: first };
        counts[last] += 1;
        line += 1;
    }
    incident
}

/// The line of every small stop; entries of nodes are unused.
pub(crate) static LINE_OF: [u8; N_STOPS] = line_of();

const fn line_of() -> [u8; N_STOPS] {
    let lines = lines();
    let mut line_of = [0; N_STOPS];
    let mut line = 0;
    while line < N_LINES {
        let mut i = 0;
        while i < lines[line].len {
            line_of[lines[line].base + i] = line as u8;
            i += 1;
        }
        line += 1;
    }
    line_of
}

/// Returns the line between two nodes, and whether its stops are counted from `first`.
pub(crate) fn line_between(first: usize, last: usize) -> Option<(usize, bool)> {
    let exit = INCIDENT_LINES[first].iter().find(|exit| exit.to == last)?;
    Some((exit.line, exit.is_forwards))
}

/// Returns the number of a small stop's line, and its place on it from 0.
#[inline]
pub(crate) fn place_on_line(stop: Stop) -> (usize, usize) {
    let line = usize::from(LINE_OF[stop.index()]);
    (line, stop.index() - LINES[line].base)
}
