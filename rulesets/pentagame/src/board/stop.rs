//! The 100 stops and their names.
//!
//! Numbers: the five corners, the five crossings, then the small stops line by
//! line, so that the stops of a line are neighbouring bits of a set. Texts use
//! two other orders, both kept as tables: positions list nodes before small
//! stops, and moves are listed by the ASCII order of their texts.

use std::fmt;

use crate::board::lines::{LINES, N_LINES, line_between, lines};

/// Stops on the board.
pub const N_STOPS: usize = 100;
/// Corners and crossings, which have the lowest numbers.
pub(crate) const N_NODES: usize = 10;

/// A place on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stop(pub(crate) u8);

impl Stop {
    /// Iterates over all stops by number.
    pub fn all() -> impl Iterator<Item = Stop> {
        (0..N_STOPS as u8).map(Stop)
    }

    /// Returns its number, from 0 and below [`N_STOPS`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the corner of a colour, where its figures start.
    #[inline]
    pub fn corner(colour: usize) -> Stop {
        Stop(colour as u8)
    }

    /// Returns the crossing of a colour, the goal of its figures.
    #[inline]
    pub fn crossing(colour: usize) -> Stop {
        Stop(5 + colour as u8)
    }

    /// Returns whether several figures may stand here.
    #[inline]
    pub fn is_corner(self) -> bool {
        self.0 < 5
    }

    /// Returns whether it is a corner or a crossing.
    #[inline]
    pub(crate) fn is_node(self) -> bool {
        usize::from(self.0) < N_NODES
    }

    /// Returns its canonical name.
    #[inline]
    pub fn name(self) -> &'static str {
        let start = self.index() * 3;
        &NAMES[start..start + if self.is_node() { 1 } else { 3 }]
    }

    /// Returns its rank in the lists of a position's text, from 0.
    pub(crate) fn list_rank(self) -> u8 {
        LIST_RANK[self.index()]
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the number of the corner or crossing with this letter.
pub(crate) fn node_of(letter: char) -> Option<usize> {
    match letter {
        'A'..='E' => Some(letter as usize - 'A' as usize),
        'a'..='e' => Some(5 + letter as usize - 'a' as usize),
        _ => None,
    }
}

/// Returns the stop `number` (from 1) on the line from node `first` to node `last`,
/// counted from `first`. The error is the number of stops on that line, 0 if
/// there is no such line.
pub(crate) fn stop_on(first: usize, number: usize, last: usize) -> Result<Stop, usize> {
    let Some((line, is_forwards)) = line_between(first, last) else { return Err(0) };
    let line = &LINES[line];
    if number == 0 || number > line.len {
        return Err(line.len);
    }
    let at = if is_forwards { number - 1 } else { line.len - number };
    Ok(Stop((line.base + at) as u8))
}

/// Three bytes per stop, nodes padded with blanks.
static NAMES: &str = match std::str::from_utf8(&NAME_BYTES) {
    Ok(names) => names,
    Err(_) => panic!("only ASCII was written"),
};

static NAME_BYTES: [u8; 3 * N_STOPS] = name_bytes();

const fn letter(node: usize) -> u8 {
    if node < 5 { b'A' + node as u8 } else { b'a' + node as u8 - 5 }
}

const fn name_bytes() -> [u8; 3 * N_STOPS] {
    let mut bytes = [b' '; 3 * N_STOPS];
    let mut node = 0;
    while node < N_NODES {
        bytes[3 * node] = letter(node);
        node += 1;
    }
    let lines = lines();
    let mut at = 0;
    while at < N_LINES {
        let line = lines[at];
        let mut i = 0;
        while i < line.len {
            let stop = line.base + i;
            bytes[3 * stop] = letter(line.first);
            bytes[3 * stop + 1] = b'1' + i as u8;
            bytes[3 * stop + 2] = letter(line.last);
            i += 1;
        }
        at += 1;
    }
    bytes
}

/// Stops by the ASCII order of their names. Blanks come before all letters, so
/// the bytes can be compared as they are.
pub(crate) static NAME_ORDER: [Stop; N_STOPS] = name_order();

const fn name_order() -> [Stop; N_STOPS] {
    let bytes = name_bytes();
    let mut order = [Stop(0); N_STOPS];
    let mut i = 0;
    while i < N_STOPS {
        let mut rank = 0;
        let mut other = 0;
        while other < N_STOPS {
            rank += (sort_key(&bytes, other) < sort_key(&bytes, i)) as usize;
            other += 1;
        }
        order[rank] = Stop(i as u8);
        i += 1;
    }
    order
}

const fn sort_key(bytes: &[u8; 3 * N_STOPS], stop: usize) -> u32 {
    (bytes[3 * stop] as u32) << 16 | (bytes[3 * stop + 1] as u32) << 8 | bytes[3 * stop + 2] as u32
}

static LIST_RANK: [u8; N_STOPS] = list_rank();

const fn list_rank() -> [u8; N_STOPS] {
    let order = name_order();
    let mut ranks = [0; N_STOPS];
    let mut node = 0;
    while node < N_NODES {
        ranks[node] = node as u8;
        node += 1;
    }
    let (mut i, mut next) = (0, N_NODES as u8);
    while i < N_STOPS {
        let stop = order[i].0 as usize;
        if stop >= N_NODES {
            ranks[stop] = next;
            next += 1;
        }
        i += 1;
    }
    ranks
}
