use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Certainty, Control, Limits, NeverStop, Report, Request, Resources, Ruleset, Search, StopReason, Wdl};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Move, Pentaflip, Position};

use crate::support::{depth, nodes, request, search};
use crate::walks::{moves, parse, play, running, text};

const MIDDLE: &str = "6/2w3/1wWBb1/2BWb1/3b2/6 6/6/6/6/2w3/6 w -";

/// The same question gets the same answer, whatever the searcher did before
/// and however many threads it may use.
#[test]
fn same_question_same_answer() {
    let mut used = PentaflipSearch::new();
    let mut rng = Rng::new(5);
    for n_rings in [0, 4, 9, 14, 20, 30] {
        let position = running(&mut rng, n_rings);
        for threads in [1, 2] {
            let request = Request { threads, n_lines: 2, ..request(nodes(15_000)) };
            let fresh = PentaflipSearch::new().search(&Pentaflip, &position, &request, &NeverStop);
            let again = used.search(&Pentaflip, &position, &request, &NeverStop);
            assert_eq!(fresh, again, "{}", text(&position));
        }
    }
}

/// No limit is passed, and the reason to stop is the limit that tripped.
#[test]
fn limits_are_kept() {
    let position = parse(MIDDLE);
    for n in [0, 1, 50, 1_000, 20_000] {
        let report = search(&position, nodes(n), 1);
        assert!(report.nodes <= n.max(1), "{} of {n}", report.nodes);
        assert_eq!(report.stop, Some(StopReason::Nodes));
        assert_eq!(report.lines.len(), 1);
        assert!(moves(&position).contains(&report.lines[0].moves[0]));
    }
    let report = search(&position, depth(2), 1);
    assert_eq!((report.depth, report.stop), (2, Some(StopReason::Depth)));
    let begin = Instant::now();
    let time = Some(Duration::from_millis(30));
    let report = search(&position, Limits { time, ..Limits::default() }, 1);
    assert_eq!(report.stop, Some(StopReason::Time));
    assert!(begin.elapsed() < Duration::from_millis(400), "{:?}", begin.elapsed());
}

/// Stops a while after its start, and counts how often it was asked.
struct StopAfter {
    begin: Instant,
    n_asked: AtomicU32,
}

impl Control<Move> for StopAfter {
    fn should_stop(&self) -> bool {
        self.n_asked.fetch_add(1, Ordering::Relaxed);
        self.begin.elapsed() >= Duration::from_millis(60)
    }
    fn report(&self, _: &Report<Move>) {}
}

/// A search asks often whether to stop, and does. The bounds are wide because
/// other work on the machine counts too: the aim is a question every 0.2 ms.
#[test]
fn stops_when_told() {
    for position in [Position::START, parse(MIDDLE)] {
        let control = StopAfter { begin: Instant::now(), n_asked: AtomicU32::new(0) };
        let mut context = Pentaflip.context(Resources { memory_bytes: 1 << 30, threads: 1 }).unwrap();
        let request = Request { memory_bytes: 1 << 30, ..request(Limits::default()) };
        let report = Search::search(&Pentaflip, &mut context, &position, &request, &control);
        let elapsed = control.begin.elapsed();
        assert_eq!(report.stop, Some(StopReason::Told), "{}", text(&position));
        assert!(!report.lines.is_empty());
        assert!(elapsed < Duration::from_millis(400), "{}: {elapsed:?}", text(&position));
        assert!(control.n_asked.load(Ordering::Relaxed) >= 10, "{:?}", control.n_asked);
    }
}

/// Told to stop before it begins, a search still names a legal move.
#[test]
fn names_a_move_at_once() {
    struct Stop;
    impl Control<Move> for Stop {
        fn should_stop(&self) -> bool {
            true
        }
        fn report(&self, _: &Report<Move>) {}
    }
    let report = PentaflipSearch::new().search(&Pentaflip, &Position::START, &request(Limits::default()), &Stop);
    assert_eq!(report.stop, Some(StopReason::Told));
    assert!(moves(&Position::START).contains(&report.lines[0].moves[0]));
}

/// Lines are different moves, ranked, playable to their end, and as many as
/// asked for; the first says what the position is worth.
#[test]
fn lines_keep_their_laws() {
    let mut rng = Rng::new(6);
    for i in 0..60 {
        let position = running(&mut rng, i % 40);
        let report = search(&position, nodes(15_000), 5);
        let context = format!("{} {report:?}", text(&position));
        let legal = moves(&position);
        assert_eq!(report.lines.len(), legal.len().min(5), "{context}");
        for pair in report.lines.windows(2) {
            let score = |i: usize| pair[i].evaluation.scores[position.side() as usize];
            assert!(score(0) >= score(1) || pair[0].evaluation.depth > pair[1].evaluation.depth, "{context}");
            let wins = |i: usize| pair[i].evaluation.outcome == Some(Wdl::Win);
            assert!(wins(0) || !wins(1), "{context}: a win ranks first");
        }
        let firsts: HashSet<Move> = report.lines.iter().map(|line| line.moves[0]).collect();
        assert_eq!(firsts.len(), report.lines.len(), "{context}");
        for line in &report.lines {
            let mut at = position;
            for mv in &line.moves {
                at = play(&at, mv.text());
            }
            if let Some(plies) = line.evaluation.plies_to_end {
                assert!(line.moves.len() <= plies as usize, "{context}: {line:?}");
            }
            let score = line.evaluation.scores[position.side() as usize];
            if line.evaluation.certainty == Certainty::Estimate {
                assert!(score > 0.0 && score < 1.0, "{context}");
            }
        }
    }
}

/// Only the moves asked about are considered, each of them.
#[test]
fn root_moves_are_honoured() {
    let mut rng = Rng::new(51);
    for position in [Position::START, running(&mut rng, 5), running(&mut rng, 20)] {
        let legal = moves(&position);
        for _ in 0..8 {
            let pair = [legal[rng.below(legal.len())], legal[rng.below(legal.len())]];
            let request = Request { root_moves: pair.to_vec(), n_lines: 2, ..request(nodes(3_000)) };
            let report = PentaflipSearch::new().search(&Pentaflip, &position, &request, &NeverStop);
            let found: HashSet<Move> = report.lines.iter().map(|line| line.moves[0]).collect();
            assert_eq!(found, HashSet::from(pair), "{}", text(&position));
        }
    }
}

/// A win that is not among the moves asked about is not claimed.
#[test]
fn root_moves_limit_the_claims() {
    let position = parse("wwww2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -");
    assert_eq!(search(&position, nodes(5_000), 1).lines[0].moves[0].text(), "e1");
    let root_moves = vec![Pentaflip.parse_move(&position, "~1").unwrap()];
    let request = Request { root_moves, ..request(nodes(5_000)) };
    let report = PentaflipSearch::new().search(&Pentaflip, &position, &request, &NeverStop);
    assert_eq!(report.lines[0].moves[0].text(), "~1");
    assert_ne!(report.evaluation.plies_to_end, Some(1));
}

/// A game that is over has no lines and its result.
#[test]
fn finished_games_are_reported() {
    let over = parse("wwwww1/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -");
    let report = search(&over, Limits::default(), 1);
    assert!(report.lines.is_empty());
    assert_eq!((report.evaluation.outcome, report.stop), (Some(Wdl::Loss), Some(StopReason::Proven)));
}

/// Reports come with growing depth and end with the answer.
#[test]
fn improvements_are_reported() {
    struct Hear(Mutex<Vec<Report<Move>>>);
    impl Control<Move> for Hear {
        fn should_stop(&self) -> bool {
            false
        }
        fn report(&self, report: &Report<Move>) {
            self.0.lock().unwrap().push(report.clone());
        }
    }
    let hear = Hear(Mutex::default());
    let report = PentaflipSearch::new().search(&Pentaflip, &parse(MIDDLE), &request(depth(5)), &hear);
    let heard = hear.0.into_inner().unwrap();
    assert!(heard.len() >= 5 || report.stop == Some(StopReason::Proven));
    assert!(heard.windows(2).all(|pair| pair[0].depth <= pair[1].depth && pair[0].nodes <= pair[1].nodes));
    assert!(heard.iter().all(|report| report.stop.is_none() && !report.lines.is_empty()));
    assert_eq!(heard[heard.len() - 1].lines[0].moves[0], report.lines[0].moves[0]);
}
