//! How many obstacles lie between any two nodes.
//!
//! A figure goes any free distance in one move, and every piece in its way
//! costs one: it ends there, beats or swaps it, and goes on. So the moves to a
//! goal are one more than the fewest occupied stops between. All ways lead over
//! the ten nodes; their costs are found for all pairs at once (Floyd and
//! Warshall, a row of sixteen bytes at a time, which compilers turn into vector
//! instructions).
//!
//! A cost counts obstacles times 16, plus the lines gone along, so that of
//! equal ways the one with fewer lines is the cheaper: a way can then be
//! followed without going in circles.

use crate::lines::{LINES, N_LINES, WAYS, place_on_line};
use crate::stop::{N_NODES, Stop};
use crate::stops::Stops;

/// One obstacle.
const OBSTACLE: u8 = 16;
/// One line more.
const LINE: u8 = 1;
/// No way, or one of too many obstacles to tell.
const FAR: u8 = u8::MAX;
/// Nodes, and some room to fill a vector.
const ROW: usize = 16;

/// Costs of ways to every node. The node at the end counts if it is occupied,
/// the stop at the beginning never does.
pub(crate) type Row = [u8; ROW];

/// The costs of all ways over one board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways {
    rows: [Row; N_NODES],
    occupied: Stops,
}

impl Ways {
    #[inline]
    pub(crate) fn of(occupied: Stops) -> Ways {
        let mut rows = [[FAR; ROW]; N_NODES];
        let mut node_cost = [0; N_NODES];
        for node in 0..N_NODES {
            rows[node][node] = 0;
            node_cost[node] = OBSTACLE * u8::from(occupied.contains(Stop(node as u8)));
        }
        for line in &LINES {
            let pieces = OBSTACLE * POPULATION[occupied.on_line(line) as usize] + LINE;
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
        Ways { rows, occupied }
    }

    /// The costs from a stop to every node.
    #[inline]
    pub(crate) fn from(&self, stop: Stop) -> Row {
        if stop.is_node() {
            return self.rows[stop.index()];
        }
        let [(first, first_cost), (last, last_cost)] = self.ends(stop);
        let mut row = [FAR; ROW];
        for (to, cost) in row.iter_mut().enumerate() {
            let by_first = first_cost.saturating_add(self.rows[first][to]);
            *cost = by_first.min(last_cost.saturating_add(self.rows[last][to]));
        }
        row
    }

    /// Both ends of the line of a small stop, with the costs to get there.
    #[inline]
    fn ends(&self, stop: Stop) -> [(usize, u8); 2] {
        let (line, at) = place_on_line(stop);
        let line = &LINES[line];
        let pieces = self.occupied.on_line(line);
        let cost = |between: u32, node: usize| {
            let n_obstacles = POPULATION[between as usize] + u8::from(self.occupied.contains(Stop(node as u8)));
            OBSTACLE * n_obstacles + LINE
        };
        [(line.first, cost(pieces & ((1 << at) - 1), line.first)), (line.last, cost(pieces >> (at + 1), line.last))]
    }

    /// The obstacles between a stop, whose row it is, and a goal elsewhere.
    #[inline]
    pub(crate) fn obstacles(&self, row: &Row, goal: Stop) -> u8 {
        let at_goal = u8::from(self.occupied.contains(goal));
        (row[goal.index()] / OBSTACLE).saturating_sub(at_goal)
    }

    /// The moves that a figure needs from a stop to its goal: one if it is
    /// there, since it has to be moved out.
    #[inline]
    pub(crate) fn moves(&self, stop: Stop, goal: Stop) -> u8 {
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

    /// Whether one block in the right place lengthens the way, as far as can be
    /// told near its two ends: all shortest ways leave the stop on one line, or
    /// reach the goal on one.
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
            for way in &WAYS[stop.index()] {
                let there = self.line_cost(way.line) + u8::from(way.to != goal.index() && self.has_node(way.to));
                let rest = if way.to == goal.index() { 0 } else { onward(way.to) };
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
        for way in &WAYS[goal.index()] {
            let before = if Stop(way.to as u8) == stop { 0 } else { row[way.to] / OBSTACLE };
            n_entries += u8::from(before + self.line_cost(way.line) == total);
        }
        if !stop.is_node()
            && self.ends(stop).iter().any(|&(node, cost)| node == goal.index() && cost / OBSTACLE - goal_cost == total)
        {
            n_entries += 1;
        }
        n_entries < 2
    }

    /// The stops between a stop and its goal on a cheapest way, free and
    /// occupied ones.
    pub(crate) fn path(&self, stop: Stop, goal: Stop) -> Stops {
        let mut path = Stops::NONE;
        let mut node = stop.index();
        if stop == goal {
            return path;
        }
        if !stop.is_node() {
            let total = self.from(stop)[goal.index()];
            let leads = |&(node, cost): &(usize, u8)| cost.saturating_add(self.rows[node][goal.index()]) == total;
            let Some((end, _)) = self.ends(stop).into_iter().find(leads) else { return path };
            let (line, at) = place_on_line(stop);
            let line = &LINES[line];
            let run = if end == line.first { (1 << at) - 1 } else { line.mask() & !((2 << at) - 1) };
            path.0 |= u128::from(run) << line.base;
            node = end;
        }
        while node != goal.index() {
            path = path.with(Stop(node as u8));
            let left = self.rows[node][goal.index()];
            let leads = |way: &&crate::lines::Way| {
                let there = OBSTACLE * (self.line_cost(way.line) + u8::from(self.has_node(way.to))) + LINE;
                there.saturating_add(self.rows[way.to][goal.index()]) == left && left != FAR
            };
            let Some(way) = WAYS[node].iter().find(leads) else { break };
            path.0 |= u128::from(LINES[way.line].mask()) << LINES[way.line].base;
            node = way.to;
        }
        path.without(stop)
    }

    #[inline]
    fn line_cost(&self, line: usize) -> u8 {
        POPULATION[self.occupied.on_line(&LINES[line]) as usize]
    }

    #[inline]
    fn has_node(&self, node: usize) -> bool {
        self.occupied.contains(Stop(node as u8))
    }
}

/// One stop for every run of free stops on a line, and every free node: for who
/// may pass, it is all the same where in a run a block lies.
pub(crate) fn one_per_run(stops: Stops, occupied: Stops) -> Stops {
    let nodes = Stops((1 << N_NODES) - 1);
    let mut chosen = stops.and(nodes);
    for line in &LINES {
        let (mut wanted, pieces) = (stops.on_line(line), occupied.on_line(line));
        while wanted != 0 {
            let begin = wanted.trailing_zeros();
            let end = (pieces >> begin | 1 << (line.len as u32 - begin)).trailing_zeros() + begin;
            // The middle one that is wanted, counted from the begin of the run.
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

/// Bits of a number below 64.
static POPULATION: [u8; 64] = {
    let mut table = [0; 64];
    let mut i: usize = 0;
    while i < 64 {
        table[i] = i.count_ones() as u8;
        i += 1;
    }
    table
};

const _: () = assert!(N_LINES == 20 && N_NODES < ROW);
