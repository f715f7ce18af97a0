use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Certainty, Control, Limits, NeverStop, Report, Request, Ruleset, StopReason, Wdl};
use pentago::alphabeta::{Oracle, PentagoSearch};
use pentago::{Move, Position};

use crate::support::{depth, nodes, request, search};
use crate::walks::{all_rules, moves, parse, play, rules, running, text};

const MIDDLE: &str = "6/w3b1/2b2w/b3w1/4w1/1bb3 w";

/// The same question gets the same answer, whatever the searcher did before.
#[test]
fn same_question_same_answer() {
    let mut used = PentagoSearch::new();
    for game in all_rules() {
        let mut rng = Rng::new(5);
        for n_marbles in [0, 4, 9, 14, 20] {
            let position = running(&game, &mut rng, n_marbles);
            for threads in [1, 2] {
                let request = Request { threads, n_lines: 2, ..request(nodes(15_000)) };
                let fresh = PentagoSearch::new().search(&game, &position, &request, &NeverStop);
                let again = used.search(&game, &position, &request, &NeverStop);
                assert_eq!(fresh, again, "{} {}", game.edition().id(), text(&game, &position));
            }
        }
    }
}

/// No limit is passed, and the reason to stop is the limit that tripped.
#[test]
fn limits_are_kept() {
    let game = rules("standard");
    let position = parse(&game, MIDDLE);
    for n in [0, 1, 50, 1_000, 20_000] {
        let report = search(&game, &position, nodes(n), 1);
        assert!(report.nodes <= n.max(1), "{} of {n}", report.nodes);
        assert_eq!(report.stop, Some(StopReason::Nodes));
        assert_eq!(report.lines.len(), 1);
        assert!(moves(&game, &position).contains(&report.lines[0].moves[0]));
    }
    let report = search(&game, &position, depth(2), 1);
    assert_eq!((report.depth, report.stop), (2, Some(StopReason::Depth)));
    let time = Duration::from_millis(30);
    let begin = Instant::now();
    let report = search(&game, &position, Limits { time: Some(time), ..Limits::default() }, 1);
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
    let game = rules("standard");
    for text in ["6/6/6/6/6/6 w", MIDDLE, "1bww2/b1ww2/wb1wbw/2bbb1/3w1b/6 w"] {
        for threads in [1, 2] {
            let control = StopAfter { begin: Instant::now(), n_asked: AtomicU32::new(0) };
            let request = Request { threads, memory_bytes: 256 << 20, ..request(Limits::default()) };
            let report = PentagoSearch::new().search(&game, &parse(&game, text), &request, &control);
            let elapsed = control.begin.elapsed();
            assert_eq!(report.stop, Some(StopReason::Told), "{text}");
            assert!(!report.lines.is_empty(), "{text}");
            assert!(elapsed < Duration::from_millis(400), "{text}: {elapsed:?}");
            assert!(control.n_asked.load(Ordering::Relaxed) >= 10, "{text}: {:?}", control.n_asked);
        }
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
    for game in all_rules() {
        let report = PentagoSearch::new().search(&game, &game.start(), &request(Limits::default()), &Stop);
        assert_eq!(report.stop, Some(StopReason::Told));
        assert!(moves(&game, &game.start()).contains(&report.lines[0].moves[0]));
    }
}

/// Lines are different moves, ranked, playable to their end, and as many as
/// asked for; the first says what the position is worth.
#[test]
fn lines_keep_their_laws() {
    for game in all_rules() {
        let mut rng = Rng::new(6);
        for n_marbles in [3, 8, 12, 16, 20, 28, 33, 35] {
            let position = running(&game, &mut rng, n_marbles);
            let context = format!("{} {}", game.edition().id(), text(&game, &position));
            let report = search(&game, &position, nodes(20_000), 5);
            let legal = moves(&game, &position);
            assert!(!report.lines.is_empty() && report.lines.len() <= 5, "{context}");
            let mut firsts = Vec::new();
            for pair in report.lines.windows(2) {
                let score = |i: usize| pair[i].evaluation.scores[position.side() as usize];
                let valued = |i: usize| pair[i].evaluation.depth;
                assert!(score(0) >= score(1) || valued(0) > valued(1), "{context}: {pair:?}");
                let class = |i: usize| pair[i].evaluation.outcome == Some(Wdl::Win);
                assert!(class(0) || !class(1), "{context}: a win ranks first");
            }
            for line in &report.lines {
                assert!(legal.contains(&line.moves[0]), "{context}");
                assert!(!firsts.contains(&line.moves[0]), "{context}");
                firsts.push(line.moves[0]);
                let mut at = position;
                for mv in &line.moves {
                    at = play(&game, &at, mv.text());
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
}

/// Only the moves asked about are considered, each of them, also those that
/// lead where another does.
#[test]
fn root_moves_are_honoured() {
    for game in all_rules() {
        let mut rng = Rng::new(51);
        for position in [game.start(), running(&game, &mut rng, 5), running(&game, &mut rng, 20)] {
            let legal = moves(&game, &position);
            for _ in 0..8 {
                let pair = [legal[rng.below(legal.len())], legal[rng.below(legal.len())]];
                let request = Request { root_moves: pair.to_vec(), n_lines: 2, ..request(nodes(3_000)) };
                let report = PentagoSearch::new().search(&game, &position, &request, &NeverStop);
                let mut found: Vec<&str> = report.lines.iter().map(|line| line.moves[0].text()).collect();
                let mut asked: Vec<&str> = pair.iter().map(|mv| mv.text()).collect();
                found.sort_unstable();
                asked.sort_unstable();
                asked.dedup();
                assert_eq!(found, asked, "{}", text(&game, &position));
            }
        }
    }
}

/// A win that is not among the moves asked about is not claimed.
#[test]
fn root_moves_limit_the_claims() {
    let game = rules("standard");
    let position = parse(&game, "wwww2/6/6/6/6/bbb1b1 w");
    let root_moves = vec![game.parse_move(&position, "f6-1r").unwrap()];
    let request = Request { root_moves, ..request(nodes(5_000)) };
    let report = PentagoSearch::new().search(&game, &position, &request, &NeverStop);
    assert_eq!(report.lines[0].moves[0].text(), "f6-1r");
    assert_ne!(report.evaluation.outcome, Some(Wdl::Win));
}

/// A game that is over has no lines and its result.
#[test]
fn finished_games_are_reported() {
    let game = rules("standard");
    let over = parse(&game, "wwwww1/6/6/6/6/bbb1b1 b");
    let report = search(&game, &over, Limits::default(), 1);
    assert!(report.lines.is_empty());
    assert_eq!((report.evaluation.outcome, report.stop), (Some(Wdl::Loss), Some(StopReason::Proven)));
}

/// Says one thing about every position that has a given number of marbles.
struct Says(u32, Wdl, AtomicBool);

impl Oracle for Says {
    fn value(&self, position: &Position, _depth: i32) -> Option<Wdl> {
        self.2.store(true, Ordering::Relaxed);
        (position.occupied().count() == self.0).then_some(self.1)
    }
}

/// What an oracle says is proven, for the side to move where it says it, and
/// has no distance; a win at hand is still seen.
#[test]
fn oracles_are_believed() {
    let game = rules("standard");
    let position = parse(&game, "1bww2/b1ww2/wb1wbw/2bbb1/3w1b/6 w");
    let ask = |wdl| {
        let oracle = Says(17, wdl, AtomicBool::new(false));
        let report =
            PentagoSearch::new().search_with(&game, &position, &request(nodes(50_000)), &NeverStop, Some(&oracle));
        assert!(oracle.2.load(Ordering::Relaxed));
        report
    };
    let report = ask(Wdl::Loss);
    assert_eq!((report.evaluation.outcome, report.stop), (Some(Wdl::Win), Some(StopReason::Proven)));
    assert_eq!(ask(Wdl::Draw).evaluation.outcome, Some(Wdl::Draw));
    let report = ask(Wdl::Win);
    assert_eq!((report.evaluation.outcome, report.evaluation.plies_to_end), (Some(Wdl::Loss), None));
}

/// Reports come with growing depth and end with the answer.
#[test]
fn improvements_are_reported() {
    struct Hear(Mutex<RefCell<Vec<Report<Move>>>>);
    impl Control<Move> for Hear {
        fn should_stop(&self) -> bool {
            false
        }
        fn report(&self, report: &Report<Move>) {
            self.0.lock().unwrap().borrow_mut().push(report.clone());
        }
    }
    let game = rules("standard");
    let hear = Hear(Mutex::default());
    let report = PentagoSearch::new().search(&game, &parse(&game, MIDDLE), &request(depth(4)), &hear);
    let heard = hear.0.lock().unwrap().take();
    assert!(heard.len() >= 4);
    assert!(heard.windows(2).all(|pair| pair[0].depth <= pair[1].depth && pair[0].nodes <= pair[1].nodes));
    assert!(heard.iter().all(|report| report.stop.is_none() && !report.lines.is_empty()));
    assert_eq!(heard[heard.len() - 1].lines, report.lines);
}

/// Threads without a node limit agree with the truth on a position that one
/// thread proves.
#[test]
fn threads_prove_the_same() {
    let game = rules("standard");
    let mut rng = Rng::new(8);
    for _ in 0..6 {
        let position = running(&game, &mut rng, 31);
        let one = search(&game, &position, Limits::default(), 1);
        let request = Request { threads: 3, ..request(Limits::default()) };
        let three = PentagoSearch::new().search(&game, &position, &request, &NeverStop);
        assert_eq!(one.evaluation.outcome, three.evaluation.outcome, "{}", text(&game, &position));
        assert_eq!(three.stop, Some(StopReason::Proven));
    }
}
