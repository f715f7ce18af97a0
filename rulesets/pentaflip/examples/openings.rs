//! Builds the opening book from games against plain UCT.
//!
//! ```text
//! cargo run --release -p pentaflip --example openings -- 24 1
//! ```
//!
//! examines the start, the positions after one move, and those after the best first
//! move and a reply. In each, every move that the search scores close to the best one
//! begins 24 games, seeded by 1, of the search against UCT with 1,000, 3,000 and 10,000
//! playouts per move in turn. If the moves differ clearly, the best one is printed in
//! the form used in `src/book.rs`, with its points and those of the worst. Nodes are
//! limited, not time, so the numbers are reproducible.

use pentad_sdk::testing::{moves, text};
use pentad_sdk::{Certainty, Limits, NeverStop, Request, Symmetry};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Colour, Move, Pentaflip, Position};

#[path = "../benches/opponents/mod.rs"]
mod opponents;

use opponents::{RulesOnly, Uct};

/// Nodes of the search that selects the moves to try.
const SELECTION_NODES: u64 = 10_000_000;
/// Nodes per move of a game.
const MOVE_NODES: u64 = 200_000;
/// A move is tried if its score is at most this much below the best.
const MARGIN: f64 = 0.25;
/// A game that takes longer counts as drawn.
const PLIES_MAX: u64 = 60;
const PLAYOUTS: [u64; 3] = [1_000, 3_000, 10_000];
/// Smallest difference between best and worst for an entry, in points per game.
const DIFFERENCE_MIN: f64 = 0.15;

fn main() {
    let words: Vec<u64> = std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let number = |at: usize, default: u64| words.get(at).copied().unwrap_or(default);
    let mut builder = BookBuilder { search: PentaflipSearch::default(), n_games: number(0, 24), seed: number(1, 1) };
    let start = Position::START;
    let first = builder.add(&start);
    let mut seen = vec![Pentaflip.canonical(&start).0];
    for mv in moves(&Pentaflip, &start) {
        builder.add_once(&Pentaflip.play_unchecked(&start, mv), &mut seen);
    }
    let after = Pentaflip.play_unchecked(&start, first);
    for reply in moves(&Pentaflip, &after) {
        builder.add_once(&Pentaflip.play_unchecked(&after, reply), &mut seen);
    }
}

struct BookBuilder {
    search: PentaflipSearch,
    n_games: u64,
    seed: u64,
}

impl BookBuilder {
    /// Adds a position unless a symmetric one was examined before.
    fn add_once(&mut self, position: &Position, seen: &mut Vec<Position>) {
        let canonical = Pentaflip.canonical(position).0;
        if !seen.contains(&canonical) {
            seen.push(canonical);
            self.add(position);
        }
    }

    /// Tries the moves of a position, prints its entry if it is worth one, and
    /// returns the best move.
    fn add(&mut self, position: &Position) -> Move {
        let text = text(&Pentaflip, position);
        let limits = Limits { nodes: Some(SELECTION_NODES), ..Limits::default() };
        let request = Request { n_lines: Move::COUNT, memory_bytes: 256 << 20, ..Request::new(limits) };
        let report = self.search.search(&Pentaflip, position, &request, &NeverStop);
        if report.evaluation.certainty == Certainty::Proven {
            println!("// {text}: proven");
            return report.lines[0].moves[0];
        }
        let side = position.side() as usize;
        let score_min = report.lines[0].evaluation.scores[side] - MARGIN;
        let tried = report.lines.iter().filter(|line| line.evaluation.scores[side] >= score_min);
        let mut points: Vec<(Move, f64)> = tried.map(|line| (line.moves[0], 0.0)).collect();
        for (mv, points) in &mut points {
            *points = (0..self.n_games).map(|game| self.play(position, *mv, game)).sum();
        }
        println!("// {text}: {points:?}");
        let worst_points = points.iter().map(|&(_, points)| points).fold(f64::INFINITY, f64::min);
        // Among equals, the one that the search ranks first.
        let (best, best_points) = points.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a move");
        if best_points - worst_points >= DIFFERENCE_MIN * self.n_games as f64 {
            println!("(\"{text}\", \"{best:?}\", {best_points:?}, {worst_points:?}),");
        }
        best
    }

    /// Plays a game that begins with a move; returns the points scored.
    fn play(&mut self, position: &Position, mv: Move, game: u64) -> f64 {
        let own_side = position.side();
        let opponent = Uct { game: RulesOnly, playouts: PLAYOUTS[(game % 3) as usize] };
        let limits = Limits { nodes: Some(MOVE_NODES), ..Limits::default() };
        let request = Request { memory_bytes: 32 << 20, ..Request::new(limits) };
        let mut position = Pentaflip.play_unchecked(position, mv);
        for ply in 0..PLIES_MAX {
            if Pentaflip.game_result(&position).is_some() {
                break;
            }
            let mv = if position.side() == own_side {
                self.search.search(&Pentaflip, &position, &request, &NeverStop).lines[0].moves[0]
            } else {
                opponent.choose(&position, (self.seed * 1_000 + game) * 1_000 + ply)
            };
            position = Pentaflip.play_unchecked(&position, mv);
        }
        let winner: Option<Colour> = Pentaflip.game_result(&position).and_then(|result| result.winner());
        winner.map_or(0.5, |winner| if winner == own_side { 1.0 } else { 0.0 })
    }
}
