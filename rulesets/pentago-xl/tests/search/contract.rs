use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Certainty, Control, Limits, NeverStop, Report, Request, Ruleset, StopReason};
use pentago_xl::search::XlSearch;
use pentago_xl::{Move, Position};

use crate::support::{lively, nodes, request, search};
use crate::walks::{all_rules, moves, parse, play, rules, text};

/// The same question gets the same answer, whatever the searcher did before
/// and however many threads it may use.
#[test]
fn same_question_same_answer() {
    let mut used = XlSearch::new();
    for game in all_rules() {
        let mut rng = Rng::new(5);
        for n_marbles in [0, 4, 12, 24, 40] {
            let position = lively(&game, &mut rng, n_marbles);
            let request = Request { n_lines: 2, ..request(nodes(3_000)) };
            let fresh = XlSearch::new().search(&game, &position, &request, &NeverStop);
            let threads = Request { threads: 2, ..request.clone() };
            let again = used.search(&game, &position, &threads, &NeverStop);
            assert_eq!(fresh, again, "{} {}", game.contest().id(), text(&game, &position));
        }
    }
}

/// No limit is passed, and the reason to stop is the limit that tripped.
#[test]
fn limits_are_kept() {
    for game in all_rules() {
        let position = game.start();
        for n in [0, 1, 50, 1_000, 8_000] {
            let report = search(&game, &position, nodes(n), 1);
            assert!(report.nodes <= n, "{} of {n}", report.nodes);
            assert_eq!(report.stop, Some(StopReason::Nodes));
            assert_eq!(report.lines.len(), 1);
            assert!(moves(&game, &position).contains(&report.lines[0].moves[0]));
        }
        for depth in [1, 2, 4] {
            let report = search(&game, &position, Limits { depth: Some(depth), ..Limits::default() }, 1);
            assert_eq!(report.stop, Some(StopReason::Depth));
            assert!(report.depth >= depth);
        }
        for time in [Duration::ZERO, Duration::from_millis(30)] {
            let begin = Instant::now();
            let report = search(&game, &position, Limits { time: Some(time), ..Limits::default() }, 1);
            assert_eq!((report.stop, report.lines.len()), (Some(StopReason::Time), 1));
            assert!(begin.elapsed() < time + Duration::from_millis(300), "{:?}", begin.elapsed());
        }
    }
}

/// A small memory is kept to, and the search goes on all the same.
#[test]
fn small_memory_suffices() {
    for game in all_rules() {
        let tiny = Request { memory_bytes: 1, ..request(nodes(6_000)) };
        let report = XlSearch::new().search(&game, &game.start(), &tiny, &NeverStop);
        assert_eq!(report.stop, Some(StopReason::Nodes));
        assert!(report.lines[0].evaluation.depth >= 1);
    }
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
    for game in all_rules() {
        let mut rng = Rng::new(7);
        for n_marbles in [0, 6, 12] {
            let position = lively(&game, &mut rng, n_marbles);
            let control = StopAfter { begin: Instant::now(), n_asked: AtomicU32::new(0) };
            let request = Request { memory_bytes: 256 << 20, n_lines: 2_000, ..request(Limits::default()) };
            let report = XlSearch::new().search(&game, &position, &request, &control);
            let elapsed = control.begin.elapsed();
            assert_eq!(report.stop, Some(StopReason::Told), "{}", text(&game, &position));
            assert!(elapsed < Duration::from_millis(400), "{elapsed:?}");
            assert!(control.n_asked.load(Ordering::Relaxed) >= 10, "{:?}", control.n_asked);
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
        let report = XlSearch::new().search(&game, &game.start(), &request(Limits::default()), &Stop);
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
        for n_marbles in [3, 12, 20, 28, 40, 60, 76] {
            let position = lively(&game, &mut rng, n_marbles);
            let context = format!("{} {}", game.contest().id(), text(&game, &position));
            let report = search(&game, &position, nodes(4_000), 5);
            let legal = moves(&game, &position);
            assert_eq!(report.lines.len(), 5.min(legal.len()), "{context}");
            let seat = position.side() as usize;
            for pair in report.lines.windows(2) {
                let score = |i: usize| pair[i].evaluation.scores[seat];
                assert!(score(0) >= score(1) - 1e-6, "{context}: {pair:?}");
            }
            let mut firsts = Vec::new();
            for line in &report.lines {
                assert!(legal.contains(&line.moves[0]) && !firsts.contains(&line.moves[0]), "{context}");
                firsts.push(line.moves[0]);
                let mut at = position;
                for mv in &line.moves {
                    at = play(&game, &at, mv.text());
                }
                if let Some(plies) = line.evaluation.plies_to_end {
                    assert_eq!(line.moves.len(), plies as usize, "{context}: {line:?}");
                    assert!(game.verdict(&at).is_some(), "{context}: {line:?}");
                }
                let total: f64 = line.evaluation.scores.as_slice().iter().sum();
                let expected = match game.contest().id() {
                    "places3" => 1.5,
                    "places4" | "teams" => 2.0,
                    _ => 1.0,
                };
                assert!((total - expected).abs() < 2e-3, "{context}: {line:?}");
                if line.evaluation.certainty == Certainty::Estimate {
                    assert!(line.evaluation.scores.as_slice().iter().all(|&s| s > 0.0 && s < 1.0), "{context}");
                }
            }
        }
    }
}

/// All moves can be asked for: one for each position that can be reached.
#[test]
fn every_move_can_be_listed() {
    for game in all_rules() {
        let mut rng = Rng::new(8);
        for n_marbles in [0, 30, 75] {
            let position = lively(&game, &mut rng, n_marbles);
            let report = search(&game, &position, nodes(3_000), 5_000);
            let reached: std::collections::HashSet<Position> =
                moves(&game, &position).iter().map(|mv| game.play(&position, mv)).collect();
            let listed: std::collections::HashSet<Position> =
                report.lines.iter().map(|line| game.play(&position, &line.moves[0])).collect();
            assert_eq!((listed.len(), &listed), (report.lines.len(), &reached), "{}", text(&game, &position));
        }
    }
}

/// Only the moves asked about are considered, each of them, also those that
/// lead where another does.
#[test]
fn root_moves_are_honoured() {
    for game in all_rules() {
        let mut rng = Rng::new(51);
        for position in [game.start(), lively(&game, &mut rng, 9), lively(&game, &mut rng, 40)] {
            let legal = moves(&game, &position);
            for _ in 0..6 {
                let pair = [legal[rng.below(legal.len())], legal[rng.below(legal.len())]];
                let request = Request { root_moves: pair.to_vec(), n_lines: 2, ..request(nodes(500)) };
                let report = XlSearch::new().search(&game, &position, &request, &NeverStop);
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
    let game = rules("ffa2");
    let position = parse(&game, "rrrr5/9/9/9/9/9/9/9/y1y1y1y2 r -");
    let root_moves = vec![game.parse_move(&position, "i5-1r").unwrap()];
    let report = XlSearch::new().search(&game, &position, &Request { root_moves, ..request(nodes(2_000)) }, &NeverStop);
    assert_eq!(report.lines[0].moves[0].text(), "i5-1r");
    assert_ne!(report.evaluation.plies_to_end, Some(1));
}

/// A game that is over has no lines and its result.
#[test]
fn finished_games_are_reported() {
    let game = rules("ffa2");
    let over = parse(&game, "rrrrr4/9/9/9/9/9/9/9/y1y1y1y2 y -");
    let report = search(&game, &over, Limits::default(), 1);
    assert!(report.lines.is_empty());
    assert_eq!((report.evaluation.scores[0], report.stop), (1.0, Some(StopReason::Proven)));
}

/// Reports come on the way, and none of them is the last word.
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
    for game in all_rules() {
        let hear = Hear(Mutex::default());
        XlSearch::new().search(&game, &game.start(), &request(nodes(6_000)), &hear);
        let heard = hear.0.lock().unwrap().take();
        assert!(heard.len() >= 3, "{}", heard.len());
        assert!(heard.windows(2).all(|pair| pair[0].nodes < pair[1].nodes));
        assert!(heard.iter().all(|report| report.stop.is_none() && !report.lines.is_empty()));
    }
}
