//! The 20 lines that join the ten nodes, as tables.
//!
//! Five arcs of the ring and five sides of the inner pentagon with three stops
//! each, ten arms of the star with six. A corner meets two arcs and two arms, a
//! crossing two sides and two arms.

use crate::stop::{N_NODES, N_STOPS, Stop};

pub(crate) const N_LINES: usize = 20;

/// One line, from the node that its stops are counted from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Its first small stop; the others follow.
    pub(crate) base: usize,
    /// Small stops on it.
    pub(crate) len: usize,
}

impl Line {
    /// One bit for every stop on it, from bit 0.
    #[inline]
    pub(crate) const fn mask(self) -> u32 {
        (1 << self.len) - 1
    }
}

/// One of the four ways that lead away from a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) line: usize,
    /// The node is the line's first end.
    pub(crate) forwards: bool,
    /// The node at its other end.
    pub(crate) to: usize,
}

pub(crate) static LINES: [Line; N_LINES] = lines();

pub(crate) const fn lines() -> [Line; N_LINES] {
    let mut lines = [Line { first: 0, last: 0, base: 0, len: 3 }; N_LINES];
    let mut i = 0;
    while i < 5 {
        // Arcs and sides close with E-A and e-a, counted from A and a.
        let (first, last) = if i == 4 { (0, 4) } else { (i, i + 1) };
        lines[i] = Line { first, last, base: 10 + 3 * i, len: 3 };
        lines[5 + i] = Line { first: 5 + first, last: 5 + last, base: 25 + 3 * i, len: 3 };
        lines[10 + 2 * i] = Line { first: i, last: 5 + (i + 2) % 5, base: 40 + 12 * i, len: 6 };
        lines[11 + 2 * i] = Line { first: i, last: 5 + (i + 3) % 5, base: 46 + 12 * i, len: 6 };
        i += 1;
    }
    lines
}

/// The ways from every node.
pub(crate) static WAYS: [[Way; 4]; N_NODES] = ways();

const fn ways() -> [[Way; 4]; N_NODES] {
    let lines = lines();
    let mut ways = [[Way { line: 0, forwards: true, to: 0 }; 4]; N_NODES];
    let mut counts = [0; N_NODES];
    let mut line = 0;
    while line < N_LINES {
        let Line { first, last, .. } = lines[line];
        ways[first][counts[first]] = Way { line, forwards: true, to: last };
        counts[first] += 1;
        ways[last][counts[last]] = Way { line, forwards: false, to: first };
        counts[last] += 1;
        line += 1;
    }
    ways
}

/// The line of every small stop; of nodes it means nothing.
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

/// The line between two nodes, and whether it is counted from the first.
pub(crate) fn line_between(first: usize, last: usize) -> Option<(usize, bool)> {
    let way = WAYS[first].iter().find(|way| way.to == last)?;
    Some((way.line, way.forwards))
}

/// The number of a small stop's line, and its place on it from 0.
#[inline]
pub(crate) fn place_on_line(stop: Stop) -> (usize, usize) {
    let line = usize::from(LINE_OF[stop.index()]);
    (line, stop.index() - LINES[line].base)
}
