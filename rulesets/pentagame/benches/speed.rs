//! Speed of rules and search: `cargo bench -p pentagame --bench speed`.
//!
//! [`Speed`] documents how rates are measured and which are selected.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::speed::{self, Speed, texts};
use pentad_sdk::{Control, Limits, Report, Request, Resources, Ruleset, Search, Symmetry};
use pentagame::{Move, Pentagame, Position};

fn main() {
    let speed = Speed::from_args();
    for game in (2..=4).map(Pentagame::for_players) {
        let n = game.n_seats();
        let positions = sample(&game, n as u64);
        speed.take(&format!("full lists, {n}p"), "moves", Some(5e6), || list_moves(&game, &positions));
        speed.take(&format!("full texts, {n}p"), "texts", None, || texts(&game, &positions));
        speed.take(&format!("first 1,000 texts, {n}p"), "pages", Some(200.0), || first_pages(&game, &positions));
        speed.take(&format!("counts, {n}p"), "counts", Some(1e3), || each(&positions, |at| game.count_moves(at, "")));
        speed.take(&format!("counts by prefix, {n}p"), "counts", Some(1e3), || prefixes(&game, &positions));
        speed.take(&format!("play, {n}p"), "moves", None, || plays(&game, &positions));
        speed.take(&format!("evaluation, {n}p"), "positions", None, || each(&positions, |at| at.expected_scores()));
        speed.take(&format!("canonical, {n}p"), "positions", None, || each(&positions, |at| game.canonical(at)));
        speed.take(&format!("search, {n}p"), "nodes", Some(1e5), || search(&game, &positions));
        if speed.wants("poll interval") {
            println!(
                "longest poll interval, {n}p      {:?} between two calls of should_stop",
                poll_interval(&game, &positions)
            );
        }
    }
}

/// Returns positions of games in which figures move out as soon as they can.
fn sample(game: &Pentagame, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < 60 {
        let mut position = game.start();
        while !position.is_over() && positions.len() < 60 {
            positions.push(position);
            let mut steps = Vec::new();
            position.steps(&mut steps);
            let out: Vec<Move> = steps.iter().copied().filter(|step| is_out(&position, *step)).collect();
            let pool = if out.is_empty() { steps } else { out };
            let mut mv = pool[rng.below(pool.len())];
            loop {
                let mut next = Vec::new();
                position.next_blocks(mv, &mut next);
                if next.is_empty() {
                    break;
                }
                mv = next[rng.below(next.len())];
            }
            position = game.play(&position, &mv);
        }
    }
    positions
}

fn is_out(position: &Position, step: Move) -> bool {
    step.figure().is_some_and(|figure| step.to().unwrap_or(figure.goal()) == figure.goal() && position.n_out(0) < 5)
}

/// Runs twenty times over the positions, since there are few.
fn each<T>(positions: &[Position], mut run: impl FnMut(&Position) -> T) -> u64 {
    (0..20).map(|_| speed::each(positions, &mut run)).sum()
}

fn list_moves(game: &Pentagame, positions: &[Position]) -> u64 {
    let mut n = 0;
    for position in positions {
        let _complete = game.legal_moves(position, |mv| {
            black_box(mv);
            n += 1;
            ControlFlow::Continue(())
        });
    }
    n
}

fn first_pages(game: &Pentagame, positions: &[Position]) -> u64 {
    each(positions, |position| {
        let mut n = 0;
        let _stopped = game.legal_move_texts(position, "", |text| {
            black_box(text);
            n += 1;
            if n == 1_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        n
    })
}

fn prefixes(game: &Pentagame, positions: &[Position]) -> u64 {
    let mut n = 0;
    for prefix in ["a", "b-", "c-A", "d-c@", "e-e@A1B+"] {
        n += each(positions, |position| game.count_moves(position, prefix));
    }
    n
}

fn plays(game: &Pentagame, positions: &[Position]) -> u64 {
    let mut n = 0;
    for position in positions {
        let _complete = game.legal_moves(position, |mv| {
            black_box(game.play(position, &mv));
            n += 1;
            ControlFlow::Continue(())
        });
    }
    n
}

/// Records the longest time between two calls of `should_stop`.
struct PollTimer(Mutex<(Instant, Duration)>);

impl Control<Move> for PollTimer {
    fn should_stop(&self) -> bool {
        let mut last = self.0.lock().expect("nobody panics here");
        last.1 = last.1.max(last.0.elapsed());
        last.0 = Instant::now();
        false
    }
    fn report(&self, _: &Report<Move>) {}
}

fn search(game: &Pentagame, positions: &[Position]) -> u64 {
    let mut context = game.context(Resources { memory_bytes: 16 << 20, threads: 1 }).expect("a context");
    let request = Request::new(Limits { nodes: Some(20_000), ..Limits::default() });
    let control = PollTimer(Mutex::new((Instant::now(), Duration::ZERO)));
    positions.iter().step_by(6).map(|position| game.search(&mut context, position, &request, &control).nodes).sum()
}

/// Returns the longest interval of all positions, each the shortest of several runs.
fn poll_interval(game: &Pentagame, positions: &[Position]) -> Duration {
    let mut context = game.context(Resources { memory_bytes: 16 << 20, threads: 1 }).expect("a context");
    let request = Request::new(Limits { time: Some(Duration::from_millis(30)), ..Limits::default() });
    let longest = positions.iter().step_by(3).map(|position| {
        let tries = (0..5).map(|_| {
            let control = PollTimer(Mutex::new((Instant::now(), Duration::ZERO)));
            game.search(&mut context, position, &request, &control);
            control.0.into_inner().expect("nobody panics here").1
        });
        tries.min().unwrap_or_default()
    });
    longest.max().unwrap_or_default()
}
