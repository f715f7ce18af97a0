//! Matches of Pentaflip's own search against other players, and a comparison with
//! the generic search.
//!
//! ```text
//! cargo bench -p pentaflip --bench strength                     both searches on fixed positions, 200 ms each
//! cargo bench -p pentaflip --bench strength -- plain 100 200    100 games against plain UCT (10,000 playouts per move)
//! cargo bench -p pentaflip --bench strength -- sharp 100 200    ... that detects wins in one
//! cargo bench -p pentaflip --bench strength -- greedy 100 200   100 games against a one-ply greedy player
//! cargo bench -p pentaflip --bench strength -- generic 20 200   20 games against the generic alpha-beta
//! ```
//!
//! The second number is the time per move in milliseconds; UCT takes the time of its
//! playouts. A third number seeds the match, a fourth is the number of random moves at
//! the beginning of each game (none by default); each opening is played with both
//! colours. A game of 300 plies counts as a draw: flips may repeat forever. The score
//! is also listed by colour: white, who begins, scores far better.

use std::time::{Duration, Instant};

use pentad_sdk::rng::Rng;
use pentad_sdk::search::{Game, Searcher};
use pentad_sdk::testing::moves;
use pentad_sdk::testing::speed::describe;
use pentad_sdk::{Certainty, Limits, NeverStop, Request, Ruleset, Search};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Colour, Move, Pentaflip, Position};

#[path = "opponents/mod.rs"]
mod opponents;

use opponents::{RulesOnly, Uct};

const PLIES_MAX: u64 = 300;
const PLAYOUTS: u64 = 10_000;
/// Number of moves of each game that are printed.
const RECORDED_MAX: u64 = 40;

/// Openings, two positions in which play tends to repeat, and one in which white
/// has no rings left.
const POSITIONS: &[&str] = &[
    "6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -",
    "6/2w3/2WB2/2BW2/6/6 6/6/6/6/6/6 b -",
    "6/2w3/2WB2/1bBWw1/6/6 6/6/6/6/6/6 b -",
    "6/6/2BWww/1wWB2/2wb2/3b2 6/2b3/6/6/6/6 w L",
    "6/2w3/1wWBb1/2BWww/2b3/6 3b2/3b2/6/6/3w2/6 w L",
    "bwwwwb/bb3w/1bWBwb/wwBW1w/b4b/1wb2w 1w1w2/1wb1wb/bb2bw/ww2w1/2bwbb/wwb3 w T",
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(default, |word| word.parse().expect("a number"));
    let time = Duration::from_millis(number(2, 200));
    let play = |opponent: &mut dyn Opponent| play_match(number(1, 10), time, number(3, 1), number(4, 0), opponent);
    match words.first().map(String::as_str) {
        None => table(Duration::from_millis(200)),
        Some("table") => table(Duration::from_millis(number(1, 200))),
        Some("plain") => play(&mut Uct { game: RulesOnly, playouts: PLAYOUTS }),
        Some("sharp") => play(&mut Uct { game: Pentaflip, playouts: PLAYOUTS }),
        Some("greedy") => play(&mut Greedy),
        Some("generic") => play(&mut Generic { searcher: Searcher::new(), time }),
        Some(word) => panic!("{word}: expected table, plain, sharp, greedy or generic"),
    }
}

fn request(time: Duration) -> Request<Move> {
    Request { memory_bytes: 32 << 20, ..Request::new(Limits { time: Some(time), ..Limits::default() }) }
}

fn table(time: Duration) {
    let (mut own, mut generic) = (PentaflipSearch::default(), Searcher::new());
    let mut proven = [0; 2];
    for text in POSITIONS {
        let position = Pentaflip.parse(text).expect("a position");
        let start = Instant::now();
        let report = own.search(&Pentaflip, &position, &request(time), &NeverStop);
        let own_text = describe(&report, start.elapsed());
        let start = Instant::now();
        let other = generic.search(&Pentaflip, &position, &request(time), &NeverStop);
        let generic_text = describe(&other, start.elapsed());
        proven[0] += u32::from(report.evaluation.certainty == Certainty::Proven);
        proven[1] += u32::from(other.evaluation.certainty == Certainty::Proven);
        println!("{:2} {text}\n   own     {own_text}\n   generic {generic_text}", position.n_rings());
    }
    println!("proven: own {} generic {} of {}", proven[0], proven[1], POSITIONS.len());
}

trait Opponent {
    fn choose(&mut self, position: &Position, seed: u64) -> Move;
}

impl<G: Game<Position = Position, Move = Move>> Opponent for Uct<G> {
    fn choose(&mut self, position: &Position, seed: u64) -> Move {
        Uct::choose(self, position, seed)
    }
}

/// Plays a win in one, or else the move with the best static evaluation.
struct Greedy;

impl Opponent for Greedy {
    fn choose(&mut self, position: &Position, seed: u64) -> Move {
        let mut rng = Rng::new(seed);
        let value = |mv: Move| {
            let next = Pentaflip.play_unchecked(position, mv);
            match Pentaflip.game_result(&next) {
                Some(result) => {
                    result.winner().map_or(0, |winner| if winner == position.side() { 1 } else { -1 }) * 99_999
                }
                None => -Pentaflip.static_eval(&next),
            }
        };
        let ranked = moves(&Pentaflip, position).into_iter().map(|mv| (value(mv), rng.next_u64(), mv));
        ranked.max_by_key(|&(value, tie, _)| (value, tie)).expect("the game goes on").2
    }
}

struct Generic {
    searcher: Searcher,
    time: Duration,
}

impl Opponent for Generic {
    fn choose(&mut self, position: &Position, _seed: u64) -> Move {
        self.searcher.search(&Pentaflip, position, &request(self.time), &NeverStop).lines[0].moves[0]
    }
}

fn play_match(n_games: u64, time: Duration, seed: u64, n_random: u64, opponent: &mut dyn Opponent) {
    let mut own = PentaflipSearch::default();
    // Won, drawn and lost, with white and with black.
    let mut tallies = [[0; 3]; 2];
    for n in 0..n_games {
        let mut rng = Rng::new(seed * 1_000 + n / 2);
        let own_side = if n % 2 == 0 { Colour::White } else { Colour::Black };
        let mut position = Position::START;
        let mut plies = 0;
        let mut record = String::new();
        while Pentaflip.game_result(&position).is_none() && plies < PLIES_MAX {
            let mv = if plies < n_random {
                let moves = moves(&Pentaflip, &position);
                moves[rng.below(moves.len())]
            } else if position.side() == own_side {
                Pentaflip.search(&mut own, &position, &request(time), &NeverStop).lines[0].moves[0]
            } else {
                opponent.choose(&position, seed * 1_000_000 + n * 1_000 + plies)
            };
            if plies < RECORDED_MAX {
                record.push_str(mv.text());
                record.push(' ');
            }
            position = Pentaflip.play_unchecked(&position, mv);
            plies += 1;
        }
        let winner = Pentaflip.game_result(&position).and_then(|result| result.winner());
        let result = winner.map_or(1, |winner| if winner == own_side { 0 } else { 2 });
        tallies[own_side as usize][result] += 1;
        println!("game {n}: {own_side:?} {} in {plies} plies: {record}", ["won", "drawn", "lost"][result]);
    }
    for (name, rows) in [("white", &tallies[..1]), ("black", &tallies[1..]), ("both", &tallies[..])] {
        let [won, drawn, lost] = [0, 1, 2].map(|result| rows.iter().map(|row| f64::from(row[result])).sum::<f64>());
        let share = (won + drawn / 2.0) * 100.0 / (won + drawn + lost).max(1.0);
        println!("{name}: {won} won, {drawn} drawn, {lost} lost: {share:.1} %");
    }
}
