//! Properties of every report.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pentad_model::{Certainty, Control, Limits, Report, Request, Scores, Source, StopReason, Wdl};
use pentad_search::{AlphaBetaOptions, Game, MctsOptions, alpha_beta, interleaved, mcts, search};

use crate::games::dag::{Dag, Place};
use crate::games::tictactoe::TicTacToe;
use crate::games::{CollectingControl, depth, nodes};

/// A clock that moves only when it is advanced, and a control that reads it and
/// stops its search at a given time.
struct SimulatedTime {
    begin: Instant,
    elapsed_ns: AtomicU64,
    stop_at: Duration,
}

impl SimulatedTime {
    fn stopping_at(stop_at: Duration) -> Self {
        SimulatedTime { begin: Instant::now(), elapsed_ns: AtomicU64::new(0), stop_at }
    }

    fn advance(&self, by: Duration) {
        self.elapsed_ns.fetch_add(by.as_nanos() as u64, Ordering::Relaxed);
    }

    fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed_ns.load(Ordering::Relaxed))
    }
}

impl Control<u8> for SimulatedTime {
    fn should_stop(&self) -> bool {
        self.elapsed() >= self.stop_at
    }
    fn report(&self, _: &Report<u8>) {}
    fn now(&self) -> Instant {
        self.begin + self.elapsed()
    }
}

/// A game in which listing moves and playing one each take `step` of simulated time.
struct Timed<'a> {
    game: Dag,
    step: Duration,
    time: &'a SimulatedTime,
}

impl Game for Timed<'_> {
    type Position = Place;
    type Move = u8;

    fn n_seats(&self) -> usize {
        self.game.n_seats()
    }
    fn to_move(&self, place: &Place) -> usize {
        self.game.to_move(place)
    }
    fn key(&self, place: &Place) -> u64 {
        self.game.key(place)
    }
    fn outcome(&self, place: &Place) -> Option<Scores> {
        self.game.outcome(place)
    }
    fn moves(&self, place: &Place, out: &mut Vec<u8>) {
        self.time.advance(self.step);
        self.game.moves(place, out);
    }
    fn play(&self, place: &Place, mv: &u8) -> Place {
        self.time.advance(self.step);
        self.game.play(place, mv)
    }
    fn evaluate(&self, place: &Place) -> i32 {
        self.game.evaluate(place)
    }
    fn evaluate_seats(&self, place: &Place) -> Scores {
        self.game.evaluate_seats(place)
    }
}

fn large(seed: u64, n_seats: usize) -> Dag {
    Dag {
        n_seats,
        n_plies: 40,
        width: 1 << 40,
        n_moves_max: 40,
        draws: 90,
        has_hints: false,
        ends_early: false,
        ..Dag::two_sides(seed)
    }
}

fn assert_valid<G: Game>(game: &G, root: &G::Position, report: &Report<G::Move>, request: &Request<G::Move>) {
    let mut legal = Vec::new();
    game.moves(root, &mut legal);
    let allowed = if request.root_moves.is_empty() { legal.clone() } else { request.root_moves.clone() };
    assert_eq!(report.lines.len(), request.n_lines.min(allowed.len()), "{report:?}");
    for (idx, line) in report.lines.iter().enumerate() {
        assert!(allowed.contains(&line.moves[0]), "{report:?}");
        assert!(report.lines[..idx].iter().all(|other| other.moves[0] != line.moves[0]), "{report:?}");
        let mut position = root.clone();
        for mv in &line.moves {
            assert!(game.outcome(&position).is_none(), "{report:?}");
            legal.clear();
            game.moves(&position, &mut legal);
            assert!(legal.contains(mv), "{mv:?} is not legal: {report:?}");
            position = game.play(&position, mv);
        }
    }
    let seat = game.to_move(root);
    let rank = |report: &Report<G::Move>, idx: usize| {
        let value = &report.lines[idx].evaluation;
        let score = value.scores[seat];
        let class =
            if value.certainty == Certainty::Estimate { 0 } else { i8::from(score == 1.0) - i8::from(score == 0.0) };
        let plies = value.plies_to_end.map_or(0, i64::from) * i64::from(class);
        (class, score, plies)
    };
    for idx in 1..report.lines.len() {
        let (better, worse) = (rank(report, idx - 1), rank(report, idx));
        assert!(better.0 > worse.0 || (better.0 == worse.0 && better.1 >= worse.1), "line {idx}: {report:?}");
        if better.0 == worse.0 && better.2 != 0 && worse.2 != 0 {
            assert!(better.2 <= worse.2, "nearer wins first, nearer losses last: {report:?}");
        }
    }
    assert!(request.limits.nodes.is_none_or(|max| report.nodes <= max), "{report:?}");
}

/// Lines are legal, different, sorted and among the root moves, for every algorithm,
/// number of lines and threads, however early the search ends.
#[test]
fn reports_are_valid() {
    for seed in 0..300 {
        let game = Dag { n_plies: 9, ..Dag::two_sides(seed) };
        let mut legal = Vec::new();
        game.moves(&Place::START, &mut legal);
        let root_moves = if seed % 2 == 0 { Vec::new() } else { legal.iter().step_by(2).copied().collect() };
        let limited = nodes([1, 2, 5, 30, 200, 3_000][seed as usize % 6]);
        let request = Request { n_lines: 1 + seed as usize % 4, threads: 1 + seed as usize % 3, root_moves, ..limited };
        let control = CollectingControl::new();
        let reports = [
            search(&game, &Place::START, &request, &control),
            mcts(&game, &Place::START, &request, &MctsOptions::default(), &control),
            mcts(&game, &Place::START, &request, &MctsOptions::plain(1_000), &control),
            interleaved(&game, &Place::START, &request, &MctsOptions::default(), &control),
        ];
        assert!(reports.iter().all(|report| report.stop.is_some()));
        for report in control.reports.into_inner().unwrap().iter().chain(&reports) {
            assert_valid(&game, &Place::START, report, &request);
        }
    }
}

/// With restricted root moves, the value of the position is that of the best of
/// them; a duplicate counts once.
#[test]
fn root_moves_restrict_the_search() {
    let game = TicTacToe { has_hints: true };
    // Crosses have two in a row; every other move is worse than the win.
    let board = [0o3, 0o30];
    let run = |root_moves: Vec<u8>| {
        let request = Request { root_moves, n_lines: 3, ..Request::new(Limits::default()) };
        search(&game, &board, &request, &CollectingControl::new())
    };
    assert_eq!(run(vec![2]).evaluation.outcome, Some(Wdl::Win));
    let report = run(vec![8, 8]);
    assert_eq!(report.lines.len(), 1);
    assert_eq!(report.lines[0].moves[0], 8);
    assert_eq!(report.evaluation.outcome, Some(Wdl::Loss));
    assert_eq!(report.evaluation.plies_to_end, Some(2));
}

/// A finished game has no lines and its final scores.
#[test]
fn finished_games_are_reported() {
    let game = TicTacToe { has_hints: true };
    let report = search(&game, &[0o7, 0o30], &Request::new(Limits::default()), &CollectingControl::new());
    assert!(report.lines.is_empty());
    assert_eq!(report.evaluation.source, Source::Terminal);
    assert_eq!(report.evaluation.scores, Scores::new(&[1.0, 0.0]));
    assert_eq!((report.evaluation.outcome, report.evaluation.plies_to_end), (Some(Wdl::Loss), Some(0)));
}

/// Each limit ends the search and is its stop reason; no node is visited beyond it.
#[test]
fn limits_are_stop_reasons() {
    let game = large(3, 2);
    let control = CollectingControl::new();
    let report = search(&game, &Place::START, &depth(3), &control);
    assert_eq!((report.stop, report.depth), (Some(StopReason::Depth), 3));
    let report = search(&game, &Place::START, &nodes(12_345), &control);
    assert_eq!((report.stop, report.nodes), (Some(StopReason::Nodes), 12_345));
    let sampled = mcts(&game, &Place::START, &nodes(12_345), &MctsOptions::default(), &control);
    assert_eq!((sampled.stop, sampled.nodes), (Some(StopReason::Nodes), 12_345));
    let in_turns = interleaved(&game, &Place::START, &nodes(12_345), &MctsOptions::default(), &control);
    assert_eq!((in_turns.stop, in_turns.nodes), (Some(StopReason::Nodes), 12_345));
    let in_turns = interleaved(&game, &Place::START, &depth(3), &MctsOptions::default(), &control);
    assert_eq!((in_turns.stop, in_turns.depth), (Some(StopReason::Depth), 3));
    control.stop.store(true, Ordering::Relaxed);
    let report = search(&game, &Place::START, &Request::new(Limits::default()), &control);
    assert_eq!((report.stop, report.lines.len()), (Some(StopReason::Cancelled), 1));
}

type Run = fn(&Timed<'_>, &Request<u8>) -> Report<u8>;

/// Every algorithm, in a game that it cannot solve.
const ENDLESS: [(&str, Run); 4] = [
    ("alpha-beta", |game, request| alpha_beta(game, &Place::START, request, &AlphaBetaOptions::default(), game.time)),
    ("mcts", |game, request| mcts(game, &Place::START, request, &MctsOptions::default(), game.time)),
    ("playouts", |game, request| mcts(game, &Place::START, request, &MctsOptions::plain(u64::MAX), game.time)),
    ("interleaved", |game, request| interleaved(game, &Place::START, request, &MctsOptions::default(), game.time)),
];

/// Returns the stop reason of a search that is cancelled, or out of time, after 60 ms,
/// and how much later it ends.
fn lateness(run: Run, step: Duration, threads: usize, by_limit: bool) -> (Option<StopReason>, Duration) {
    let limit = Duration::from_millis(60);
    let time = SimulatedTime::stopping_at(if by_limit { Duration::MAX } else { limit });
    let game = Timed { game: large(5, 2), step, time: &time };
    let limits = Limits { time: by_limit.then_some(limit), ..Limits::default() };
    let report = run(&game, &Request { threads, ..Request::new(limits) });
    (report.stop, time.elapsed() - limit)
}

/// Cancelled or out of time, a search ends within 5 ms, in a fast and in a slow game,
/// with one thread and with two, whose simulated time adds up.
#[test]
fn search_stops_within_5_ms() {
    for (name, run) in ENDLESS {
        for (step_ns, threads) in [(100, 1), (100, 2), (50_000, 1), (50_000, 2)] {
            for (by_limit, reason) in [(false, StopReason::Cancelled), (true, StopReason::Time)] {
                let (stop, late) = lateness(run, Duration::from_nanos(step_ns), threads, by_limit);
                let context = format!("{name}, {step_ns} ns, {threads} threads");
                assert_eq!(stop, Some(reason), "{context}");
                assert!(late < Duration::from_millis(5) * threads as u32, "{context}: {late:?}");
            }
        }
    }
}

/// There are intermediate reports of increasing depth.
#[test]
fn intermediate_reports() {
    let control = CollectingControl::new();
    let last = search(&large(9, 2), &Place::START, &depth(4), &control);
    let reports = control.reports.into_inner().unwrap();
    assert!(reports.len() >= 4 && reports.iter().all(|report| report.stop.is_none()), "{reports:?}");
    assert!(reports.is_sorted_by_key(|report| (report.depth, report.nodes)));
    assert_eq!(last.depth, 4);
    let _: &dyn Control<u8> = &CollectingControl::new();
}
