//! Strength of the search, in matches against simple opponents.
//!
//! ```text
//! cargo bench -p pentagame --bench strength                          both matches below for two players
//! cargo bench -p pentagame --bench strength -- greedy 60 300         60 games against the greedy player, 300 ms per move
//! cargo bench -p pentagame --bench strength -- uct 60 300            ... against plain UCT with 3,000 playouts per move
//! cargo bench -p pentagame --bench strength -- greedy 30 300 4p      one seat of four, the others greedy
//! ```
//!
//! Games begin with a random move of each player; each opening is played from every
//! seat. A game of more than 300 plies counts as even.
//!
//! The greedy player takes a move after which its own figures need the fewest moves.
//! Plain UCT knows only the rules. It chooses in stages: a figure, where it goes, and
//! each block; all choices of a stage are equally likely in playouts. A playout is cut
//! off after 40 turns and valued by the figures out.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pentad_sdk::rng::Rng;
use pentad_sdk::search::{Game, MctsOptions, mcts};
use pentad_sdk::testing::random_move;
use pentad_sdk::{Limits, NeverStop, Request, Resources, Ruleset, Scores, Search};
use pentagame::{Move, Pentagame, Position};

const PLIES_MAX: usize = 300;
const PLAYOUTS: u64 = 3_000;
const PLAYOUT_TURNS: u32 = 40;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(default, |word| word.parse().expect("a number"));
    let variant = words.get(3).map_or("2p", String::as_str);
    let idx = Pentagame::variants().iter().position(|known| known.id == variant).expect("a variant");
    let game = Pentagame::new(idx);
    let time = Duration::from_millis(number(2, 300));
    match words.first().map(String::as_str) {
        None => {
            play_match(&game, 60, time, &mut Greedy, 0.95);
            play_match(&game, 60, time, &mut Uct, 0.90);
        }
        Some("greedy") => play_match(&game, number(1, 60), time, &mut Greedy, 0.95),
        Some("uct") => play_match(&game, number(1, 60), time, &mut Uct, 0.90),
        Some(word) => panic!("{word}: expected greedy or uct"),
    }
}

trait Opponent {
    fn name(&self) -> &'static str;
    fn choose(&mut self, game: &Pentagame, position: &Position, rng: &mut Rng) -> Move;
}

struct Greedy;

impl Opponent for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn choose(&mut self, game: &Pentagame, position: &Position, rng: &mut Rng) -> Move {
        let mut best = (u8::MAX, Vec::new());
        let _complete = game.legal_moves(position, |mv| {
            let needed = game.play(position, &mv).features(position.to_move()).moves;
            if needed < best.0 {
                best = (needed, Vec::new());
            }
            if needed == best.0 {
                best.1.push(mv);
            }
            ControlFlow::Continue(())
        });
        best.1[rng.below(best.1.len())]
    }
}

struct Uct;

impl Opponent for Uct {
    fn name(&self) -> &'static str {
        "plain UCT"
    }

    fn choose(&mut self, game: &Pentagame, position: &Position, rng: &mut Rng) -> Move {
        let staged = StagedGame { n_seats: game.n_seats() };
        let mut at = StagedPosition { position: *position, partial: None, turns_left: PLAYOUT_TURNS };
        let request = Request { seed: rng.next_u64(), memory_bytes: 256 << 20, ..Request::new(Limits::default()) };
        loop {
            // If the line does not name all stages of the turn, the rest is searched
            // separately.
            let report = mcts(&staged, &at, &request, &MctsOptions::plain(PLAYOUTS), &NeverStop);
            for step in &report.lines[0].moves {
                at = staged.play(&at, step);
                if at.partial.is_none() {
                    return *step;
                }
            }
        }
    }
}

/// The game with one choice per move: a step, then each block.
struct StagedGame {
    n_seats: usize,
}

/// A position, possibly in the middle of a turn.
#[derive(Clone)]
struct StagedPosition {
    position: Position,
    partial: Option<Move>,
    turns_left: u32,
}

impl Game for StagedGame {
    type Position = StagedPosition;
    type Move = Move;

    fn n_seats(&self) -> usize {
        self.n_seats
    }

    fn to_move(&self, staged: &StagedPosition) -> usize {
        staged.position.to_move()
    }

    fn key(&self, _staged: &StagedPosition) -> u64 {
        0
    }

    /// Turns are counted, so no position repeats.
    fn can_cycle(&self) -> bool {
        false
    }

    fn outcome(&self, staged: &StagedPosition) -> Option<Scores> {
        if staged.position.is_over() {
            return Pentagame::for_players(self.n_seats).outcome(&staged.position).map(|outcome| outcome.scores);
        }
        (staged.turns_left == 0).then(|| {
            let out: Vec<f64> = (0..self.n_seats).map(|seat| f64::from(staged.position.n_out(seat)) + 0.5).collect();
            let total: f64 = out.iter().sum();
            Scores::new(&out.iter().map(|out| out / total).collect::<Vec<f64>>())
        })
    }

    fn moves(&self, staged: &StagedPosition, out: &mut Vec<Move>) {
        match staged.partial {
            None => staged.position.steps(out),
            Some(partial) => staged.position.next_blocks(partial, out),
        }
    }

    fn play(&self, staged: &StagedPosition, mv: &Move) -> StagedPosition {
        let mut next = Vec::new();
        staged.position.next_blocks(*mv, &mut next);
        if next.is_empty() {
            StagedPosition {
                position: staged.position.play_unchecked(*mv),
                partial: None,
                turns_left: staged.turns_left - 1,
            }
        } else {
            StagedPosition { partial: Some(*mv), ..staged.clone() }
        }
    }

    fn evaluate(&self, _staged: &StagedPosition) -> i32 {
        0
    }

    fn evaluate_seats(&self, _staged: &StagedPosition) -> Scores {
        Scores::even(self.n_seats)
    }

    fn ends_turn(&self, _before: &StagedPosition, after: &StagedPosition) -> bool {
        after.partial.is_none()
    }
}

fn play_match(game: &Pentagame, n_games: u64, time: Duration, opponent: &mut dyn Opponent, goal: f64) {
    let resources = Resources { memory_bytes: 64 << 20, threads: 1 };
    let mut context = game.context(resources).expect("a context");
    let (mut points, mut plies_total, mut slowest) = (0.0, 0, Duration::ZERO);
    let n_seats = game.n_seats() as u64;
    for n in 0..n_games {
        let mut rng = Rng::new(7_000 + n / n_seats);
        let own_seat = (n % n_seats) as usize;
        let mut position = game.start();
        let mut plies = 0;
        while !position.is_over() && plies < PLIES_MAX {
            let mv = if plies < game.n_seats() {
                random_move(game, &position, &mut rng)
            } else if position.to_move() == own_seat {
                let request = Request {
                    memory_bytes: resources.memory_bytes,
                    ..Request::new(Limits { time: Some(time), ..Limits::default() })
                };
                let begin = Instant::now();
                let report = game.search(&mut context, &position, &request, &NeverStop);
                slowest = slowest.max(begin.elapsed());
                report.lines[0].moves[0]
            } else {
                opponent.choose(game, &position, &mut rng)
            };
            position = game.play(&position, &mv);
            plies += 1;
        }
        let score = game.outcome(&position).map_or(1.0 / n_seats as f64, |outcome| outcome.scores[own_seat]);
        points += score;
        plies_total += plies;
        println!(
            "game {n} as player {}: {score:.2} in {plies} plies; {points:.1} of {} against {}",
            own_seat + 1,
            n + 1,
            opponent.name()
        );
    }
    println!(
        "{}: {points:.1} of {n_games} points ({:.1} %, goal {:.0} %), {} plies a game, slowest move {slowest:?}",
        opponent.name(),
        100.0 * points / n_games as f64,
        100.0 * goal,
        plies_total as u64 / n_games.max(1)
    );
}
