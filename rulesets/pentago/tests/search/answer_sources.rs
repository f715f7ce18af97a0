//! Which source answers: `impl Search` with solver, book and search.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use pentad_sdk::rng::Rng;
use pentad_sdk::search::{MctsOptions, mcts};
use pentad_sdk::{Certainty, Control, Limits, Report, Request, Resources, Search, Source, Wdl};
use pentago::book;
use pentago::solver::{self, SolverOptions};
use pentago::{Move, Pentago, Position};

use crate::support::{all_rules, random_position, rules, text};

/// Never stops a search. Its clock advances by a tenth of a millisecond with each
/// reading, so that time limits have the same effect on every machine.
struct TickingControl {
    begin: Instant,
    n_readings: AtomicU32,
}

impl TickingControl {
    fn new() -> Self {
        TickingControl { begin: Instant::now(), n_readings: AtomicU32::new(0) }
    }
}

impl Control<Move> for TickingControl {
    fn should_stop(&self) -> bool {
        false
    }
    fn report(&self, _report: &Report<Move>) {}
    fn now(&self) -> Instant {
        self.begin + Duration::from_micros(100) * self.n_readings.fetch_add(1, Ordering::Relaxed)
    }
}

fn solved(game: &Pentago, position: &Position) -> Option<solver::Solution> {
    let plan = solver::plan(game, position, 1 << 30).ok()?;
    solver::solve(game, position, &plan, SolverOptions::new(1), &|| false, &mut |_| {})
}

/// Enough time for every solution on any machine.
const AMPLE_TIME: Duration = Duration::from_secs(3600);

fn all_lines(time: Duration) -> Request<Move> {
    Request { n_lines: 300, ..Request::new(Limits { time: Some(time), ..Limits::default() }) }
}

/// With time and memory every move of a late position gets its exact value, in
/// every edition, and the best move comes first.
#[test]
fn late_positions_are_exact() {
    let mut rng = Rng::new(1);
    for game in all_rules() {
        let mut context = game.context(Resources { memory_bytes: 1 << 30, threads: 1 }).unwrap();
        for round in 0..12 {
            let position = random_position(&game, &mut rng, 24 + round % 8);
            let Some(solved) = solved(&game, &position) else { continue };
            let report = game.search(&mut context, &position, &all_lines(AMPLE_TIME), &TickingControl::new());
            let position_text = text(&game, &position);
            assert_eq!(report.evaluation.outcome, Some(solved.value), "{position_text}");
            assert_eq!(report.lines[0].evaluation.outcome, Some(solved.value), "{position_text}");
            for line in &report.lines {
                let (_, value) = solved.moves.iter().find(|(mv, _)| *mv == line.moves[0]).expect("a legal move");
                assert_eq!(line.evaluation.outcome, Some(*value), "{} in {position_text}", line.moves[0].text());
            }
        }
    }
}

/// Descendants of a solved position are answered without solving again.
#[test]
fn children_of_solved_positions_are_known() {
    let game = rules("standard");
    let mut rng = Rng::new(5);
    let mut context = game.context(Resources { memory_bytes: 1 << 30, threads: 1 }).unwrap();
    let mut n_answered = 0;
    while n_answered < 2 {
        let position = random_position(&game, &mut rng, 22);
        let report = game.search(&mut context, &position, &all_lines(AMPLE_TIME), &TickingControl::new());
        if report.evaluation.source != Source::Solver {
            continue;
        }
        let child = game.play_unchecked(&position, report.lines[0].moves[0]);
        if game.game_result(&child).is_some() {
            continue;
        }
        // A millisecond is too little to solve anything.
        let again = game.search(&mut context, &child, &all_lines(Duration::from_millis(1)), &TickingControl::new());
        assert_eq!((again.evaluation.source, again.evaluation.certainty), (Source::Solver, Certainty::Proven));
        let value = report.evaluation.outcome.expect("it is solved");
        assert_eq!(again.evaluation.outcome, Some(value.opposite()), "{}", text(&game, &child));
        n_answered += 1;
    }
}

/// Without enough memory for the solver, a search answers.
#[test]
fn without_memory_to_solve_it_searches() {
    let game = rules("standard");
    let mut rng = Rng::new(7);
    let mut context = game.context(Resources { memory_bytes: 1 << 20, threads: 1 }).unwrap();
    let position = random_position(&game, &mut rng, 18);
    let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
    let report = game.search(&mut context, &position, &Request::new(limits), &TickingControl::new());
    assert_eq!(report.evaluation.source, Source::Search);
    assert!(!report.lines.is_empty());
}

/// A position that the book says is won stays won: every move within the book keeps the
/// win, and after it the search loses no game to plain Monte-Carlo tree search.
#[test]
fn won_openings_are_not_lost() {
    let game = rules("standard");
    let mut rng = Rng::new(11);
    let mut n_won = 0;
    for n_marbles in [4, 5, 6, 4, 5, 6, 6, 6] {
        let mut position = won_opening(&game, &mut rng, n_marbles);
        let begun = text(&game, &position);
        let winner = position.side();
        let mut context = game.context(Resources { memory_bytes: 16 << 20, threads: 1 }).unwrap();
        while game.game_result(&position).is_none() {
            let request = Request::new(Limits { nodes: Some(100_000), ..Limits::default() });
            let report = if position.side() == winner {
                game.search(&mut context, &position, &request, &TickingControl::new())
            } else {
                mcts(&game, &position, &request, &MctsOptions::plain(2_000), &TickingControl::new())
            };
            position = game.play_unchecked(&position, report.lines[0].moves[0]);
            if position.side() != winner {
                let value = book::value(&position);
                assert!(value.is_none_or(|value| value == Wdl::Loss), "{begun}: {}", text(&game, &position));
            }
        }
        let got = game.game_result(&position).and_then(|result| result.winner());
        assert!(got.is_none_or(|got| got == winner), "{begun} was won and got lost: {}", text(&game, &position));
        n_won += u32::from(got == Some(winner));
    }
    assert!(n_won >= 7, "only {n_won} wins were kept to the end");
}

fn won_opening(game: &Pentago, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let position = random_position(game, rng, n_marbles);
        if book::value(&position) == Some(Wdl::Win) {
            return position;
        }
    }
}
