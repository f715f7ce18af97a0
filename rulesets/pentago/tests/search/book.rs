//! The book agrees with the rules, and hints from it are best moves.

use pentad_sdk::rng::Rng;
use pentad_sdk::{Certainty, Limits, NeverStop, Report, Request, Search, Source, StopReason, Wdl};
use pentago::{Move, Pentago, Position, book};

use crate::support::{moves, parse, random_position, rules, text};

fn search(rules: &Pentago, position: &Position, request: &Request<Move>) -> Report<Move> {
    let mut context = rules.context(pentad_sdk::Resources { memory_bytes: 1 << 20, threads: 1 }).unwrap();
    rules.search(&mut context, position, request, &NeverStop)
}

/// The value of a position is that of its best move, on 20,000 random positions of
/// 0 to 5 marbles.
#[test]
fn values_follow_from_those_of_the_moves() {
    let rules = rules("standard");
    let mut rng = Rng::new(1);
    for round in 0..20_000 {
        let position = random_position(&rules, &mut rng, round % 6);
        let best = moves(&rules, &position).into_iter().map(|mv| {
            let next = rules.play_unchecked(&position, mv);
            book::value(&next).expect("at most six marbles").opposite()
        });
        assert_eq!(book::value(&position), best.max(), "{}", text(&rules, &position));
    }
}

/// Reports of the book rank the moves by value, each proven and correct.
#[test]
fn hints_are_best_moves() {
    let rules = rules("standard");
    let mut rng = Rng::new(2);
    for round in 0..120 {
        let position = random_position(&rules, &mut rng, round % 6);
        let report = search(&rules, &position, &Request { n_lines: 500, ..Request::new(Limits::default()) });
        assert_eq!(report.stop, Some(StopReason::Proven));
        assert_eq!(report.evaluation.outcome, book::value(&position));
        assert_eq!(report.lines[0].evaluation.outcome, book::value(&position));
        assert!(report.lines.is_sorted_by_key(|line| std::cmp::Reverse(line.evaluation.outcome)));
        for line in &report.lines {
            let evaluation = line.evaluation;
            assert_eq!((evaluation.certainty, evaluation.source), (Certainty::Proven, Source::Book));
            let next = rules.play_unchecked(&position, line.moves[0]);
            assert_eq!(evaluation.outcome, book::value(&next).map(Wdl::opposite), "{}", text(&rules, &position));
        }
    }
}

/// Every first move that wins is as good as the others; the one in the middle of a
/// block comes first.
#[test]
fn first_hint_is_the_middle_of_a_block() {
    let rules = rules("standard");
    let start = parse(&rules, "6/6/6/6/6/6 w");
    let report = search(&rules, &start, &Request { n_lines: 3, ..Request::new(Limits::default()) });
    assert_eq!(report.evaluation.outcome, Some(Wdl::Win));
    let first = report.lines[0].moves[0].text();
    assert!(["b2", "b5", "e2", "e5"].contains(&&first[..2]), "{first}");
}

/// Among moves that draw, those that leave the opponent fewer drawing replies
/// come first.
#[test]
fn drawing_moves_are_ranked_by_drawing_replies() {
    let rules = rules("standard");
    let position = parse(&rules, "w5/6/6/6/6/6 b");
    assert_eq!(book::value(&position), Some(Wdl::Draw));
    let report = search(&rules, &position, &Request { n_lines: 500, ..Request::new(Limits::default()) });
    let n_drawing_replies = |mv: Move| {
        let next = rules.play_unchecked(&position, mv);
        let mut reached: Vec<u64> = moves(&rules, &next)
            .into_iter()
            .map(|reply| rules.play_unchecked(&next, reply))
            .filter(|after| book::value(after) == Some(Wdl::Draw))
            .map(|after| after.code())
            .collect();
        reached.sort_unstable();
        reached.dedup();
        reached.len()
    };
    let drawn = report.lines.iter().filter(|line| line.evaluation.outcome == Some(Wdl::Draw));
    let counts: Vec<usize> = drawn.map(|line| n_drawing_replies(line.moves[0])).collect();
    assert!(counts.len() > 1 && counts.is_sorted(), "{counts:?}");
}

/// With six marbles the position's value is known and no move contradicts it.
#[test]
fn six_marbles_have_a_value_without_moves() {
    let rules = rules("standard");
    let mut rng = Rng::new(3);
    let mut seen = [0; 3];
    for _ in 0..60 {
        let position = random_position(&rules, &mut rng, 6);
        let value = book::value(&position).expect("six marbles");
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let report = search(&rules, &position, &Request { n_lines: 5, ..Request::new(limits) });
        assert_eq!((report.evaluation.outcome, report.evaluation.source), (Some(value), Source::Book));
        for line in &report.lines {
            let mine = line.evaluation.scores[position.side() as usize];
            match value {
                Wdl::Loss => assert_eq!(line.evaluation.outcome, Some(Wdl::Loss)),
                Wdl::Draw => assert!(mine <= 0.5, "{mine}"),
                Wdl::Win => {}
            }
        }
        seen[value as usize] += 1;
    }
    assert!(seen[1] > 0 && seen[2] > 0, "{seen:?}");
}

/// Other editions have no book: their values differ.
#[test]
fn only_the_standard_rules_have_a_book() {
    for variant in ["finnish", "czech", "clockwise"] {
        let rules = rules(variant);
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let report = search(&rules, &Position::START, &Request::new(limits));
        assert_eq!(report.evaluation.source, Source::Search, "{variant}");
    }
}
