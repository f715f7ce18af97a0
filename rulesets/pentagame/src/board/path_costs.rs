//! Shortest paths: the fewest obstacles between any two nodes.
//!
//! A figure goes any free distance in one move, and every piece on its path costs
//! one move: the figure ends there, beats or swaps the piece, and goes on in the
//! next turn. The moves to a goal are therefore one more than the fewest occupied
//! stops on a path. All paths lead over the ten nodes; the costs of all pairs are computed at once (Floyd and
//! Warshall, a row of sixteen bytes at a time, which compilers turn into vector
//! instructions).
//!
//! A cost is 16 per obstacle plus 1 per line, so that of two paths with equally many
//! obstacles the one with fewer lines is cheaper; following a cheapest path then
//! never runs in circles.

use crate::board::lines::{INCIDENT_LINES, IncidentLine, LINES, N_LINES, place_on_line};
use crate::board::stop::{N_NODES, Stop};
use crate::board::stops::Stops;

const OBSTACLE: u8 = 16;
const LINE: u8 = 1;
/// No path, or one whose cost does not fit a byte.
const UNREACHABLE: u8 = u8::MAX;
/// Entries of a row: the ten nodes, padded to fill a vector register.
const ROW_LEN: usize = 16;

/// Path costs from one stop to every node. An occupied node at the end counts
/// as an obstacle; the stop at the beginning never does.
pub(crate) type Row = [u8; ROW_LEN];

/// Costs of all paths on a board with these stops occupied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathCosts {
    rows: [Row; N_NODES],
    occupied: Stops,
}

impl PathCosts {
    #[inline]
    pub(crate) fn of(occupied: Stops) -> PathCosts {
        let mut rows = [[UNREACHABLE; ROW_LEN]; N_NODES];
        let mut node_cost = [0; N_NODES];
        for node in 0..N_NODES {
            rows[node][node] = 0;
            node_cost[node] = OBSTACLE * u8::from(occupied.contains(Stop(node as u8)));
        }
        for line in &LINES {
            let pieces = OBSTACLE * POPCOUNT[occupied.on_line(line) as usize] + LINE;
            rows[line.first][line.last] = pieces + node_cost[line.last];
            rows[line.last][line.first] = pieces + node_cost[line.first];
        }
        for over in 0..N_NODES {
            let onward = rows[over];
            for row in &mut rows {
                let there = row[over];
                for (cost, onward) in row.iter_mut().zip(onward) {
                    *cost = (*cost).min(there.saturating_add(onward));
                }
            }
        }
        PathCosts { rows, occupied }
    }

    /// Returns the costs from a stop to every node.
    #[inline]
    pub(crate) fn row(&self, stop: Stop) -> Row {
        if stop.is_node() {
            return self.rows[stop.index()];
        }
        let [(first, first_cost), (last, last_cost)] = self.ends(stop);
        let mut row = [UNREACHABLE; ROW_LEN];
        for (to, cost) in row.iter_mut().enumerate() {
            let by_first = first_cost.saturating_add(self.rows[first][to]);
            *cost = by_first.min(last_cost.saturating_add(self.rows[last][to]));
        }
        row
    }

    /// Returns both ends of the line of a small stop, with the costs to reach them.
    #[inline]
    fn ends(&self, stop: Stop) -> [(usize, u8); 2] {
        let (line, at) = place_on_line(stop);
        let line = &LINES[line];
        let pieces = self.occupied.on_line(line);
        let cost = |between: u32, node: usize| {
            let n_obstacles = POPCOUNT[between as usize] + u8::from(self.occupied.contains(Stop(node as u8)));
            OBSTACLE * n_obstacles + LINE
        };
        [(line.first, cost(pieces & ((1 << at) - 1), line.first)), (line.last, cost(pieces >> (at + 1), line.last))]
    }

    /// Returns the obstacles between the stop that `row` belongs to and another stop,
    /// the goal; one on the goal itself does not count.
    #[inline]
    pub(crate) fn obstacles(&self, row: &Row, goal: Stop) -> u8 {
        let at_goal = u8::from(self.occupied.contains(goal));
        (row[goal.index()] / OBSTACLE).saturating_sub(at_goal)
    }

    /// Returns the moves that a figure needs from a stop to its goal: 1 if it stands
    /// there already, since it has yet to move out.
    #[inline]
    pub(crate) fn moves_to_goal(&self, stop: Stop, goal: Stop) -> u8 {
        if stop == goal {
            return 1;
        }
        let cost = if stop.is_node() {
            self.rows[stop.index()][goal.index()]
        } else {
            let [(first, first_cost), (last, last_cost)] = self.ends(stop);
            let by_first = first_cost.saturating_add(self.rows[first][goal.index()]);
            by_first.min(last_cost.saturating_add(self.rows[last][goal.index()]))
        };
        (cost / OBSTACLE).saturating_sub(u8::from(self.occupied.contains(goal))) + 1
    }

    /// Returns whether one block in the right place lengthens the shortest path, judged
    /// at its two ends only: all shortest paths leave the stop on one line, or
    /// all reach the goal on one.
    #[inline]
    pub(crate) fn is_narrow(&self, stop: Stop, row: &Row, goal: Stop) -> bool {
        if stop == goal {
            return false;
        }
        let total = self.obstacles(row, goal);
        let goal_cost = u8::from(self.occupied.contains(goal));
        let onward = |node: usize| (self.rows[node][goal.index()] / OBSTACLE).saturating_sub(goal_cost);
        let mut n_exits = 0;
        if stop.is_node() {
            for exit in &INCIDENT_LINES[stop.index()] {
                let there = self.obstacles_on_line(exit.line)
                    + u8::from(exit.to != goal.index() && self.is_node_occupied(exit.to));
                let rest = if exit.to == goal.index() { 0 } else { onward(exit.to) };
                n_exits += u8::from(there + rest == total);
            }
        } else {
            for (node, cost) in self.ends(stop) {
                let there = cost / OBSTACLE;
                let to_goal = if node == goal.index() { there - goal_cost } else { there + onward(node) };
                n_exits += u8::from(to_goal == total);
            }
        }
        if n_exits < 2 {
            return true;
        }
        let mut n_entries = 0;
        for exit in &INCIDENT_LINES[goal.index()] {
            let before = if Stop(exit.to as u8) == stop { 0 } else { row[exit.to] / OBSTACLE };
            n_entries += u8::from(before + self.obstacles_on_line(exit.line) == total);
        }
        if !stop.is_node()
            && self.ends(stop).iter().any(|&(node, cost)| node == goal.index() && cost / OBSTACLE - goal_cost == total)
        {
            n_entries += 1;
        }
        n_entries < 2
    }

    /// Returns the stops between a stop and its goal on one cheapest path, free and
    /// occupied ones.
    pub(crate) fn path(&self, stop: Stop, goal: Stop) -> Stops {
        let mut path = Stops::NONE;
        let mut node = stop.index();
        if stop == goal {
            return path;
        }
        if !stop.is_node() {
            let total = self.row(stop)[goal.index()];
            let is_cheapest = |&(node, cost): &(usize, u8)| cost.saturating_add(self.rows[node][goal.index()]) == total;
            let Some((end, _)) = self.ends(stop).into_iter().find(is_cheapest) else { return path };
            let (line, at) = place_on_line(stop);
            let line = &LINES[line];
            let run = if end == line.first { (1 << at) - 1 } else { line.mask() & !((2 << at) - 1) };
            path.0 |= u128::from(run) << line.base;
            node = end;
        }
        while node != goal.index() {
            path = path.with(Stop(node as u8));
            let left = self.rows[node][goal.index()];
            let is_cheapest = |exit: &&IncidentLine| {
                let there =
                    OBSTACLE * (self.obstacles_on_line(exit.line) + u8::from(self.is_node_occupied(exit.to))) + LINE;
                there.saturating_add(self.rows[exit.to][goal.index()]) == left && left != UNREACHABLE
            };
            let Some(exit) = INCIDENT_LINES[node].iter().find(is_cheapest) else { break };
            path.0 |= u128::from(LINES[exit.line].mask()) << LINES[exit.line].base;
            node = exit.to;
        }
        path.without(stop)
    }

    #[inline]
    fn obstacles_on_line(&self, line: usize) -> u8 {
        POPCOUNT[self.occupied.on_line(&LINES[line]) as usize]
    }

    #[inline]
    fn is_node_occupied(&self, node: usize) -> bool {
        self.occupied.contains(Stop(node as u8))
    }
}

/// Returns one of `stops` for every run of free stops on a line, and all of its
/// nodes: which stop of a run a block lies on does not change who can pass.
pub(crate) fn one_per_run(stops: Stops, occupied: Stops) -> Stops {
    let nodes = Stops((1 << N_NODES) - 1);
    let mut chosen = stops.intersection(nodes);
    for line in &LINES {
        let (mut wanted, pieces) = (stops.on_line(line), occupied.on_line(line));
        while wanted != 0 {
            let begin = wanted.trailing_zeros();
            let end = (pieces >> begin | 1 << (line.len as u32 - begin)).trailing_zeros() + begin;
            // The middle one of `stops` in this run.
            let run = wanted & ((1 << end) - 1);
            let mut left = run;
            for _ in 0..run.count_ones() / 2 {
                left &= left - 1;
            }
            chosen = chosen.with(Stop((line.base as u32 + left.trailing_zeros()) as u8));
            wanted &= !((1 << end) - 1);
        }
    }
    chosen
}

/// Counts the set bits of the up to six stops of a line.
static POPCOUNT: [u8; 64] = {
    let mut table = [0; 64];
    let mut i: usize = 0;
    while i < 64 {
        table[i] = i.count_ones() as u8;
        i += 1;
    }
    table
};

const _: () = assert!(N_LINES == 20 && N_NODES < ROW_LEN);
