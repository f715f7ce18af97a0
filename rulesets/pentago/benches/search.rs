//! Pentago's own search compared with the generic one, and games against others.
//!
//! ```text
//! cargo bench -p pentago --bench search                    the table below, one second each
//! cargo bench -p pentago --bench search -- table 200       ... 200 ms each
//! cargo bench -p pentago --bench search -- plain 20 1000   20 games against plain UCT (50,000 simulations)
//! cargo bench -p pentago --bench search -- generic 20 200  20 games against the generic alpha-beta
//! cargo bench -p pentago --bench search -- book 20 1000    20 games from won openings against plain UCT
//! cargo bench -p pentago --bench search -- late 21 40 60   40 positions of 21 marbles, compared with the solver
//! cargo bench -p pentago --bench search -- positions 7     new positions for the table, by seed
//! ```
//!
//! Games begin with two random moves; each opening is played with both colours. The
//! last number is the time per move in milliseconds; plain UCT takes the time of its
//! simulations.

use std::time::{Duration, Instant};

use pentad_sdk::rng::Rng;
use pentad_sdk::search::{MctsOptions, Searcher, mcts};
use pentad_sdk::testing::random_move;
use pentad_sdk::testing::speed::describe;
use pentad_sdk::{Certainty, Limits, NeverStop, Request, Resources, Ruleset, Search, Wdl};
use pentago::book;
use pentago::search::PentagoSearch;
use pentago::solver::{self, SolverOptions};
use pentago::{Colour, Edition, Move, Pentago, Position};

/// Positions from games of the search against itself, 8 to 16 marbles.
const POSITIONS: &[&str] = &[
    "1b4/2b2w/5w/5b/3wbw/6 w",
    "3b2/b5/1w1b2/4b1/5w/2w1w1 w",
    "1w1b1b/4ww/4bw/6/4bw/6 b",
    "6/1w2b1/w1b2w/3b2/b1b1w1/3w2 w",
    "3b2/3ww1/3b1w/b1bbw1/1w4/2w3 b",
    "1w4/1w1bw1/6/bbb3/1wb3/1ww2b w",
    "1bbbww/6/3wbb/2ww1w/1b3w/6 b",
    "1bw3/www1b1/2b3/1bb3/1w2b1/bww3 w",
    "b2w2/b3w1/b5/1bw3/wwbbww/bw4 b",
    "1bww2/b1ww2/wb1wbw/2bbb1/3w1b/6 w",
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(default, |word| word.parse().expect("a number"));
    let game = Pentago::of(Edition::Standard);
    match words.first().map(String::as_str) {
        None => table(&game, Duration::from_millis(1_000)),
        Some("table") => table(&game, Duration::from_millis(number(1, 1_000))),
        Some("positions") => positions(&game, number(1, 1)),
        Some("plain") => {
            play_match(&game, number(1, 10), Duration::from_millis(number(2, 1_000)), number(3, 1), &mut PlainMcts);
        }
        Some("generic") => {
            let time = Duration::from_millis(number(2, 1_000));
            play_match(
                &game,
                number(1, 10),
                time,
                number(3, 1),
                &mut GenericOpponent { searcher: Searcher::new(), time },
            );
        }
        Some("book") => book_games(&game, number(1, 10), Duration::from_millis(number(2, 1_000)), number(3, 1)),
        Some("late") => late(&game, number(1, 15) as u32, number(2, 10), Duration::from_millis(number(3, 5_000))),
        Some(word) => panic!("{word}: expected table, plain, generic, book, late or positions"),
    }
}

fn request(time: Duration) -> Request<Move> {
    Request { memory_bytes: 64 << 20, ..Request::new(Limits { time: Some(time), ..Limits::default() }) }
}

fn table(game: &Pentago, time: Duration) {
    let (mut own, mut generic) = (PentagoSearch::default(), Searcher::new());
    let mut proven = [0; 2];
    for text in POSITIONS {
        let position = game.parse(text).expect("a position");
        let begin = Instant::now();
        let report = own.search(game, &position, &request(time), &NeverStop);
        let mine = describe(&report, begin.elapsed());
        let begin = Instant::now();
        let other = generic.search(game, &position, &request(time), &NeverStop);
        let theirs = describe(&other, begin.elapsed());
        proven[0] += u32::from(report.evaluation.certainty == Certainty::Proven);
        proven[1] += u32::from(other.evaluation.certainty == Certainty::Proven);
        println!("{:2} {text}\n   own     {mine}\n   generic {theirs}", position.occupied().count());
    }
    println!("proven: own {} generic {} of {}", proven[0], proven[1], POSITIONS.len());
}

trait Opponent {
    fn choose(&mut self, game: &Pentago, position: &Position, seed: u64) -> Move;
}

struct PlainMcts;

impl Opponent for PlainMcts {
    fn choose(&mut self, game: &Pentago, position: &Position, seed: u64) -> Move {
        let request = Request { seed, memory_bytes: 256 << 20, ..Request::new(Limits::default()) };
        mcts(game, position, &request, &MctsOptions::plain(50_000), &NeverStop).lines[0].moves[0]
    }
}

struct GenericOpponent {
    searcher: Searcher,
    time: Duration,
}

impl Opponent for GenericOpponent {
    fn choose(&mut self, game: &Pentago, position: &Position, _seed: u64) -> Move {
        self.searcher.search(game, position, &request(self.time), &NeverStop).lines[0].moves[0]
    }
}

fn play_match(game: &Pentago, n_games: u64, time: Duration, seed: u64, opponent: &mut dyn Opponent) {
    let mut own = PentagoSearch::default();
    let mut tally = [0; 3];
    for n in 0..n_games {
        let mut rng = Rng::new(seed * 1_000 + n / 2);
        let own_side = if n % 2 == 0 { Colour::White } else { Colour::Black };
        let mut position = game.start();
        let mut plies = 0;
        while game.game_result(&position).is_none() {
            let mv = if plies < 2 {
                random_move(game, &position, &mut rng)
            } else if position.side() == own_side {
                own.search(game, &position, &request(time), &NeverStop).lines[0].moves[0]
            } else {
                opponent.choose(game, &position, seed * 1_000_000 + n * 100 + plies)
            };
            position = game.play(&position, &mv);
            plies += 1;
        }
        let winner = game.game_result(&position).and_then(|result| result.winner());
        let result = winner.map_or(1, |winner| if winner == own_side { 0 } else { 2 });
        tally[result] += 1;
        println!(
            "game {n}: {} in {plies} plies; {} won, {} drawn, {} lost",
            ["won", "drawn", "lost"][result],
            tally[0],
            tally[1],
            tally[2]
        );
    }
}

/// Plays games from openings that the book says are won for the side to move, by `impl
/// Search` with book, solver and search.
fn book_games(game: &Pentago, n_games: u64, time: Duration, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut tally = [0; 3];
    for n in 0..n_games {
        let mut position = won_opening(game, &mut rng, 4 + n as u32 % 3);
        let own_side = position.side();
        let mut context = game.context(Resources { memory_bytes: 1 << 30, threads: 1 }).expect("enough memory");
        while game.game_result(&position).is_none() {
            let mv = if position.side() == own_side {
                Search::search(game, &mut context, &position, &request(time), &NeverStop).lines[0].moves[0]
            } else {
                PlainMcts.choose(game, &position, seed * 1_000_000 + n * 100 + u64::from(position.occupied().count()))
            };
            position = game.play(&position, &mv);
        }
        let winner = game.game_result(&position).and_then(|result| result.winner());
        tally[winner.map_or(1, |winner| if winner == own_side { 0 } else { 2 })] += 1;
        println!("game {n}: {} won, {} drawn, {} lost", tally[0], tally[1], tally[2]);
    }
}

fn won_opening(game: &Pentago, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let mut position = game.start();
        while position.occupied().count() < n_marbles {
            position = game.play(&position, &random_move(game, &position, rng));
        }
        if book::value(&position) == Some(Wdl::Win) {
            return position;
        }
    }
}

/// Prints positions of games of the search against itself, for the table.
fn positions(game: &Pentago, seed: u64) {
    let (mut own, mut rng) = (PentagoSearch::default(), Rng::new(seed));
    for n_marbles in [8, 8, 9, 10, 11, 12, 13, 14, 15, 16] {
        let mut text = String::new();
        game.format(&undecided(game, &mut own, &mut rng, n_marbles), &mut text);
        println!("    \"{text}\",");
    }
}

/// Compares the alpha-beta search alone and `impl Search` with the solver.
fn late(game: &Pentago, n_marbles: u32, n_positions: u64, time: Duration) {
    let mut own = PentagoSearch::default();
    let (mut proven, mut right) = ([0; 2], [0; 2]);
    let mut values = [0; 3];
    for seed in 0..n_positions {
        let position = undecided(game, &mut own, &mut Rng::new(seed), n_marbles);
        let plan = solver::plan(game, &position, usize::MAX).expect("solvable");
        let solved = solver::solve(game, &position, &plan, SolverOptions::new(2), &|| false, &mut |_| {})
            .expect("never stopped");
        values[solved.value as usize] += 1;
        let resources = Resources { memory_bytes: 1 << 30, threads: 1 };
        let mut context = game.context(resources).expect("enough memory");
        let begin = Instant::now();
        let alone = own.search(game, &position, &request(time), &NeverStop);
        println!("alone  {} of {:?}", describe(&alone, begin.elapsed()), solved.value);
        let begin = Instant::now();
        let full = Search::search(game, &mut context, &position, &request(time), &NeverStop);
        println!("full   {}", describe(&full, begin.elapsed()));
        for (idx, report) in [alone, full].iter().enumerate() {
            proven[idx] += u32::from(report.evaluation.certainty == Certainty::Proven);
            let value = solved.moves.iter().find(|(mv, _)| *mv == report.lines[0].moves[0]).map(|(_, value)| *value);
            right[idx] += u32::from(value == Some(solved.value));
        }
    }
    println!(
        "{values:?}; proven: alone {} full {} of {n_positions}; right: {} {}",
        proven[0], proven[1], right[0], right[1]
    );
}

/// Returns a position of a game of the search against itself that a short search does
/// not decide.
fn undecided(game: &Pentago, own: &mut PentagoSearch, rng: &mut Rng, n_marbles: u32) -> Position {
    let mut search = |position: &Position| {
        let request = Request::new(Limits { nodes: Some(20_000), ..Limits::default() });
        own.search(game, position, &request, &NeverStop)
    };
    loop {
        let mut position = game.start();
        while game.game_result(&position).is_none() && position.occupied().count() < n_marbles {
            let is_random = position.occupied().count() < 4;
            let mv = if is_random { random_move(game, &position, rng) } else { search(&position).lines[0].moves[0] };
            position = game.play(&position, &mv);
        }
        if game.game_result(&position).is_none() && search(&position).evaluation.certainty == Certainty::Estimate {
            return position;
        }
    }
}
