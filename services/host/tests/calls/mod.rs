//! Every call of a rule set by name, for the game of matches that the misbehaving
//! and the panicking plugins share.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::ops::ControlFlow;
use std::sync::Arc;

use pentad_host::{CallError, Position, Ruleset};
use pentad_model::{Certainty, Control, Evaluation, Limits, Line, Report, Request, Scores, Source};

/// The calls that [`call`] knows.
pub(crate) const CALLS: [&str; 20] = [
    "start",
    "parse",
    "format",
    "to-move",
    "legal-moves",
    "count-moves",
    "play",
    "outcome",
    "create",
    "run",
    "evaluate",
    "inverse",
    "apply",
    "apply-move",
    "apply-seat",
    "canonical",
    "pieces",
    "explain",
    "turn-of",
    "threats",
];

/// A control that never stops a search and discards its reports.
pub(crate) struct NeverStop;

impl Control<String> for NeverStop {
    fn should_stop(&self) -> bool {
        false
    }
    fn report(&self, _report: &Report<String>) {}
}

/// Makes one call and checks its result.
pub(crate) fn call(ruleset: &Arc<Ruleset>, variant: usize, name: &str) -> Result<(), CallError> {
    match name {
        "start" => return ruleset.start(variant).map(|_| ()),
        "parse" => return ruleset.parse(variant, "5 a").map(|_| ()),
        _ => {}
    }
    // The variant whose `start` panics can still parse a position.
    let position = ruleset.start(variant).or_else(|_| ruleset.parse(variant, "5 a"))?;
    match name {
        "format" => ruleset.format(variant, &position).map(|_| ()),
        "to-move" => ruleset.to_move(variant, &position).map(|seat| assert_eq!(seat, 0)),
        "legal-moves" => {
            let mut n_moves = 0;
            ruleset
                .legal_moves(variant, &position, "", &mut |_| {
                    n_moves += 1;
                    ControlFlow::Continue(())
                })
                .map(|_| assert!((1..=2).contains(&n_moves), "{n_moves} moves"))
        }
        "count-moves" => ruleset.count_moves(variant, &position, "").map(|count| assert_eq!(count, 2)),
        "play" => ruleset.play(variant, &position, "1").map(|played| assert_eq!(played.canonical, "1")),
        "outcome" => {
            let over = ruleset.parse(variant, "0 b")?;
            ruleset.outcome(variant, &over).map(|outcome| assert_eq!(outcome.unwrap().scores.as_slice(), [1.0, 0.0]))
        }
        "create" => ruleset.searcher(variant, 1 << 20, 1).map(|_| ()),
        "run" => search(ruleset, variant, &position).map(|report| assert_eq!(report.lines[0].moves, ["1"])),
        "evaluate" => ruleset.evaluate(variant, &position).map(|_| ()),
        "inverse" => ruleset.inverse_symmetry(variant, 1).map(|inverse| assert_eq!(inverse, 1)),
        "apply" => ruleset.apply_symmetry(variant, 1, &position).map(|_| ()),
        "apply-move" => ruleset.apply_symmetry_to_move(variant, 1, &position, "1").map(|mv| assert_eq!(mv, "1")),
        "apply-seat" => ruleset.apply_symmetry_to_seat(variant, 1, 0).map(|seat| assert_eq!(seat, 1)),
        "canonical" => ruleset.canonical(variant, &position).map(|(_, symmetry)| assert_eq!(symmetry, 0)),
        "pieces" => ruleset.pieces(variant, &position).map(|pieces| assert_eq!(pieces[0], (0, 0))),
        "explain" => {
            ruleset.explain(variant, &position, &report(), &[0]).map(|reasons| assert_eq!(reasons[0].len(), 1))
        }
        "turn-of" => ruleset.turn_of(variant, &position, 1).map(|turn| assert!(turn.is_some())),
        "threats" => {
            let two_left = ruleset.parse(variant, "2 a")?;
            let list = ruleset.threats(variant, &two_left, &|| false)?;
            let threats: Vec<_> = list.threats.iter().map(|it| (it.seat, &*it.kind, &*it.mv)).collect();
            assert_eq!(threats, [(0, "last", "2"), (1, "last", "2")]);
            assert_eq!(
                (&list.threats[0].stopped_by[..], &list.threats[1].stopped_by[..]),
                (&[][..], &["2".to_owned()][..])
            );
            assert_eq!((list.stops_all, list.is_truncated), (vec!["2".to_owned()], false));
            Ok(())
        }
        other => panic!("no call is named {other}"),
    }
}

/// Asserts that the rule set still works in a well-behaved variant.
pub(crate) fn assert_works(ruleset: &Ruleset, variant: usize) {
    let start = ruleset.start(variant).unwrap();
    let played = ruleset.play(variant, &start, "1").unwrap();
    assert!(ruleset.format(variant, &played.position).unwrap().ends_with(" b"));
}

/// One search without limits.
pub(crate) fn search(ruleset: &Arc<Ruleset>, variant: usize, position: &Position) -> Result<Report<String>, CallError> {
    let request = Request { n_lines: 2, ..Request::new(Limits::default()) };
    ruleset.searcher(variant, 1 << 20, 1)?.run(position, &request, &NeverStop)
}

fn report() -> Report<String> {
    let evaluation = Evaluation {
        certainty: Certainty::Estimate,
        outcome: None,
        plies_to_end: None,
        scores: Scores::even(2),
        source: Source::Search,
        depth: 1,
    };
    let line = Line { moves: vec!["1".to_owned(), "2".to_owned()], evaluation };
    Report { lines: vec![line], evaluation, depth: 1, nodes: 1, stop: None }
}
