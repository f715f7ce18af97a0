//! What holds for every report.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use pentad_search::{
    AlphaBetaOptions, Certainty, Control, Game, Limits, MctsOptions, Report, Request, Scores, Source, StopReason, Wdl,
    alpha_beta, max_n, mcts, search,
};

use crate::games::dag::{Dag, Place};
use crate::games::tictactoe::TicTacToe;
use crate::games::{Caller, depth, nodes};

/// A game whose moves take 50 µs to list and 50 µs to play.
struct Slow(Dag);

impl Game for Slow {
    type Position = Place;
    type Move = u8;

    fn n_seats(&self) -> usize {
        self.0.n_seats()
    }
    fn to_move(&self, place: &Place) -> usize {
        self.0.to_move(place)
    }
    fn key(&self, place: &Place) -> u64 {
        self.0.key(place)
    }
    fn outcome(&self, place: &Place) -> Option<Scores> {
        self.0.outcome(place)
    }
    fn moves(&self, place: &Place, out: &mut Vec<u8>) {
        work();
        self.0.moves(place, out);
    }
    fn play(&self, place: &Place, mv: &u8) -> Place {
        work();
        self.0.play(place, mv)
    }
    fn evaluate(&self, place: &Place) -> i32 {
        self.0.evaluate(place)
    }
    fn evaluate_seats(&self, place: &Place) -> Scores {
        self.0.evaluate_seats(place)
    }
}

fn work() {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_micros(50) {
        std::hint::spin_loop();
    }
}

fn large(seed: u64, n_seats: usize) -> Dag {
    Dag {
        n_seats,
        n_plies: 40,
        width: 1 << 40,
        n_moves_max: 40,
        draws: 90,
        helpful: false,
        ends_early: false,
        ..Dag::two_sides(seed)
    }
}

fn assert_lawful<G: Game>(game: &G, root: &G::Position, report: &Report<G::Move>, request: &Request<G::Move>) {
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

/// Lines are legal, different, ranked and allowed, for every algorithm, number
/// of lines and threads, however early the search ends.
#[test]
fn reports_are_lawful() {
    for seed in 0..300 {
        let game = Dag { n_plies: 9, ..Dag::two_sides(seed) };
        let mut legal = Vec::new();
        game.moves(&Place::START, &mut legal);
        let root_moves = if seed % 2 == 0 { Vec::new() } else { legal.iter().step_by(2).copied().collect() };
        let limited = nodes([1, 2, 5, 30, 200, 3_000][seed as usize % 6]);
        let request = Request { n_lines: 1 + seed as usize % 4, threads: 1 + seed as usize % 3, root_moves, ..limited };
        let caller = Caller::new();
        let reports = [
            search(&game, &Place::START, &request, &caller),
            mcts(&game, &Place::START, &request, &MctsOptions::default(), &caller),
            mcts(&game, &Place::START, &request, &MctsOptions::plain(1_000), &caller),
            max_n(&game, &Place::START, &request, &caller),
        ];
        assert!(reports.iter().all(|report| report.stop.is_some()));
        for report in caller.reports.into_inner().unwrap().iter().chain(&reports) {
            assert_lawful(&game, &Place::START, report, &request);
        }
    }
}

/// With a restriction at the root, the position is worth what the best of
/// those moves is worth; named twice, a move is still one.
#[test]
fn restricted_moves_are_all_there_is() {
    let game = TicTacToe { helpful: true };
    // Crosses have two in a row; every other move is worse than the win.
    let board = [0o3, 0o30];
    let ask = |root_moves: Vec<u8>| {
        let request = Request { root_moves, n_lines: 3, ..Request::new(Limits::default()) };
        search(&game, &board, &request, &Caller::new())
    };
    assert_eq!(ask(vec![2]).evaluation.outcome, Some(Wdl::Win));
    let report = ask(vec![8, 8]);
    assert_eq!(report.lines.len(), 1);
    assert_eq!(report.lines[0].moves[0], 8);
    assert_eq!(report.evaluation.outcome, Some(Wdl::Loss));
    assert_eq!(report.evaluation.plies_to_end, Some(2));
}

/// A finished game has no lines and its final scores.
#[test]
fn finished_games_are_reported() {
    let game = TicTacToe { helpful: true };
    let report = search(&game, &[0o7, 0o30], &Request::new(Limits::default()), &Caller::new());
    assert!(report.lines.is_empty());
    assert_eq!(report.evaluation.source, Source::Terminal);
    assert_eq!(report.evaluation.scores, Scores::new(&[1.0, 0.0]));
    assert_eq!((report.evaluation.outcome, report.evaluation.plies_to_end), (Some(Wdl::Loss), Some(0)));
}

/// Each limit stops the search and is named; no node is visited beyond it.
#[test]
fn limits_are_named() {
    let game = large(3, 2);
    let caller = Caller::new();
    let report = search(&game, &Place::START, &depth(3), &caller);
    assert_eq!((report.stop, report.depth), (Some(StopReason::Depth), 3));
    let report = search(&game, &Place::START, &nodes(12_345), &caller);
    assert_eq!((report.stop, report.nodes), (Some(StopReason::Nodes), 12_345));
    let begin = Instant::now();
    let time = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let report = search(&game, &Place::START, &Request::new(time), &caller);
    println!("50 ms took {:?}", begin.elapsed());
    assert_eq!(report.stop, Some(StopReason::Time));
    let sampled = mcts(&game, &Place::START, &nodes(12_345), &MctsOptions::default(), &caller);
    assert_eq!((sampled.stop, sampled.nodes), (Some(StopReason::Nodes), 12_345));
    caller.stop.store(true, Ordering::Relaxed);
    let report = search(&game, &Place::START, &Request::new(Limits::default()), &caller);
    assert_eq!((report.stop, report.lines.len()), (Some(StopReason::Told), 1));
}

/// How long a search takes to stop: the best of three, because others use the
/// machine too.
fn latency(run: impl Fn(&Caller<u8>) -> Report<u8> + Sync) -> Duration {
    (0..3).map(|_| latency_once(&run)).min().expect("three of them")
}

fn latency_once(run: &(impl Fn(&Caller<u8>) -> Report<u8> + Sync)) -> Duration {
    let caller = Caller::new();
    let (stop, end) = thread::scope(|scope| {
        let handle = scope.spawn(|| (run(&caller), Instant::now()));
        thread::sleep(Duration::from_millis(60));
        let stop = Instant::now();
        caller.stop.store(true, Ordering::Relaxed);
        let (report, end) = handle.join().unwrap();
        assert_eq!(report.stop, Some(StopReason::Told));
        (stop, end)
    });
    end - stop
}

/// Told to stop, a search ends within 5 ms, also in a slow game and with
/// several threads. The assertion leaves room for a busy machine.
#[test]
fn stops_are_quick() {
    let fast = large(5, 2);
    let slow = Slow(large(5, 2));
    let forever = |threads| Request { threads, ..Request::new(Limits::default()) };
    let options = AlphaBetaOptions::default();
    for threads in [1, 2] {
        let request = forever(threads);
        let taken = [
            latency(|caller| alpha_beta(&fast, &Place::START, &request, &options, caller)),
            latency(|caller| alpha_beta(&slow, &Place::START, &request, &options, caller)),
            latency(|caller| mcts(&fast, &Place::START, &request, &MctsOptions::default(), caller)),
            latency(|caller| mcts(&slow, &Place::START, &request, &MctsOptions::plain(u64::MAX), caller)),
            latency(|caller| max_n(&slow, &Place::START, &request, caller)),
        ];
        println!("{threads} threads stopped after {taken:?}");
        assert!(taken.iter().all(|taken| *taken < Duration::from_millis(25)), "{taken:?}");
    }
}

/// Reports come on the way and get deeper.
#[test]
fn improvements_are_reported() {
    let caller = Caller::new();
    let last = search(&large(9, 2), &Place::START, &depth(4), &caller);
    let reports = caller.reports.into_inner().unwrap();
    assert!(reports.len() >= 4 && reports.iter().all(|report| report.stop.is_none()), "{reports:?}");
    assert!(reports.is_sorted_by_key(|report| (report.depth, report.nodes)));
    assert_eq!(last.depth, 4);
    let _: &dyn Control<u8> = &Caller::new();
}
