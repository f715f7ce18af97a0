//! Every explanation is checked against the rules.

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Limits, Reason, Reasons, Report, Ruleset, Wdl};
use pentago::{Cells, Move, Pentago, Position};

use crate::reference::ReferenceGame;
use crate::support::generic::search;
use crate::support::{all_rules, moves, parse, random_position, rules, text};

/// A report with one line of one move, and perhaps its outcome.
fn report_of(game: &Pentago, position: &Position, mv: &str, outcome: Option<Wdl>) -> Report<Move> {
    let nodes = Limits { nodes: Some(1), ..Limits::default() };
    let mut report = search(game, position, nodes, 1);
    report.lines.truncate(1);
    report.lines[0].moves = vec![game.parse_move(position, mv).unwrap()];
    report.lines[0].evaluation.outcome = outcome;
    report.lines[0].evaluation.plies_to_end = None;
    report
}

fn codes(reasons: &[Reason]) -> Vec<&'static str> {
    reasons.iter().map(|reason| reason.code).collect()
}

/// Variant, position, move, the first codes in order, and the points of the first
/// reason.
#[rustfmt::skip]
const EXPLAINED: &[(&str, &str, &str, &[&str], &str)] = &[
    ("standard", "wwww2/6/6/6/6/bbb1b1 w", "e1", &["wins_now"], "a1 b1 c1 d1 e1"),
    ("standard", "w2ww1/w5/6/6/6/bbb1b1 w", "a3-1r", &["wins_now"], "a1 b1 c1 d1 e1"),
    ("standard", "b2bb1/b5/b5/6/6/ww1ww1 w", "c4-1r", &["loses_now"], "a1 b1 c1 d1 e1"),
    ("standard", "wb1ww1/wb1bb1/1b4/6/6/6 w", "a3-1r", &["draws_now"], "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2"),
    ("standard", "6/6/6/6/6/6 w", "b2-3r", &["takes_centre"], "b2"),
    ("standard", "6/6/6/6/6/6 w", "a1-3r", &["improves"], ""),
    ("standard", "6/1w4/6/6/6/4b1 w", "b1-3r", &["builds_line"], "b1 b2"),
    ("standard", "bbbb2/6/6/6/w5/1w3w w", "f5-4r", &["loses_to", "builds_line"], "a1 b1 c1 d1 e1"),
    ("standard", "6/w3b1/2b2w/b1b2w/3www/1bb3 w", "f2-1l", &["double_threat", "builds_line"], "f1 f2 f3 f4 f5"),
    ("finnish", "6/6/6/6/6/6 w", "b2", &["takes_centre"], "b2"),
    ("czech", "w2ww1/w5/6/6/6/bbb1b1 w", "a3-1r", &["allows_draw"], "a1 b1 c1 d1 d6 e1"),
    ("czech", "w2ww1/w5/6/6/b5/bb3b w", "a3-1r", &["forced_win"], "a1 b1 c1 d1 e1"),
    ("czech", "wwwww1/6/6/6/6/bbb1b1 b reply", "pass", &["loses_now"], "a1 b1 c1 d1 e1"),
    ("czech", "wwwww1/6/6/6/6/bbb1b1 b reply", "d6", &["draws_now", "only_move"], "a1 a6 b1 b6 c1 c6 d1 d6 e1 e6"),
];

/// Each listed move gets the expected reasons.
#[test]
fn known_moves_are_explained() {
    for (variant, position, mv, expected, points) in EXPLAINED {
        let game = rules(variant);
        let position = parse(&game, position);
        let reasons = game.explain(&position, &report_of(&game, &position, mv, None), 0);
        let context = format!("{variant} {} {mv}: {reasons:#?}", text(&game, &position));
        assert!(codes(&reasons).starts_with(expected), "{context}");
        assert_eq!(reasons[0].points.join(" "), *points, "{context}");
        for reason in &reasons {
            assert!(reason.text.ends_with('.') && reason.text.starts_with(char::is_uppercase), "{context}");
        }
    }
}

/// A proven outcome of the report is explained.
#[test]
fn proofs_are_explained() {
    let game = rules("standard");
    let start = game.start();
    let reasons = game.explain(&start, &report_of(&game, &start, "b2-1r", Some(Wdl::Win)), 0);
    assert_eq!(codes(&reasons), ["forced_win", "takes_centre"]);
    let reasons = game.explain(&start, &report_of(&game, &start, "a1-2r", Some(Wdl::Loss)), 0);
    assert_eq!(codes(&reasons), ["loses_to"]);
}

/// On random positions, every reason holds by the rules of the reference.
#[test]
fn reasons_are_true() {
    for game in all_rules() {
        let mut rng = Rng::new(61);
        for i in 0..120 {
            let position = random_position(&game, &mut rng, 6 + i % 24);
            let report = search(&game, &position, Limits { nodes: Some(3_000), ..Limits::default() }, 3);
            for line_idx in 0..report.lines.len() {
                let mv = report.lines[line_idx].moves[0];
                let reasons = game.explain(&position, &report, line_idx);
                assert!(!reasons.is_empty());
                for reason in &reasons {
                    check(&game, &position, mv, reason, &report, line_idx);
                }
            }
        }
    }
}

fn check(game: &Pentago, position: &Position, mv: Move, reason: &Reason, report: &Report<Move>, line_idx: usize) {
    let context = format!("{} {} {mv:?}: {reason:?}", game.edition().id(), text(game, position));
    let mover = position.side() as usize;
    let reference = ReferenceGame::parse(game.edition().id(), &text(game, position)).unwrap();
    let after = reference.play(mv.text());
    let score = |reference: &ReferenceGame| reference.outcome().map(|outcome| outcome.scores[mover]);
    let wins_at_once = |reference: &ReferenceGame, seat: usize| {
        reference.side == ['w', 'b'][seat]
            && reference
                .legal()
                .iter()
                .any(|mv| reference.play(mv).outcome().is_some_and(|outcome| outcome.scores[seat] == 1.0))
    };
    let proven = report.lines[line_idx].evaluation.outcome;
    let idle = |reference: &ReferenceGame, seat: usize| ReferenceGame {
        side: ['w', 'b'][seat],
        reply: false,
        ..reference.clone()
    };
    let holds = match reason.code {
        "wins_now" => score(&after) == Some(1.0),
        "loses_now" => score(&after) == Some(0.0),
        "draws_now" => score(&after) == Some(0.5),
        "loses_to" => wins_at_once(&after, 1 - mover) || proven == Some(Wdl::Loss),
        "forced_win" => proven == Some(Wdl::Win) || after.reply,
        "allows_draw" => after.legal().iter().any(|reply| score(&after.play(reply)) == Some(0.5)),
        "double_threat" => after.legal().iter().all(|reply| {
            let next = after.play(reply);
            score(&next).map_or_else(|| wins_at_once(&next, mover), |score| score == 1.0)
        }),
        "blocks" => wins_at_once(&idle(&reference, 1 - mover), 1 - mover) && !wins_at_once(&after, 1 - mover),
        "threatens" => wins_at_once(&idle(&after, mover), mover),
        "only_move" => only(game, position, mv, report),
        "builds_line" => {
            let own = game.play(position, &mv).marbles(position.side());
            reason.points.len() >= 2 && points(&reason.points).iter().all(|cell| own.contains(cell))
        }
        "takes_centre" => reason.points.iter().all(|id| ["b2", "b5", "e2", "e5"].contains(&id.as_str())),
        "improves" => true,
        _ => false,
    };
    assert!(holds, "{context}");
}

fn points(ids: &[String]) -> Cells {
    pentago::Cell::all().filter(|cell| ids.contains(&cell.to_string())).collect()
}

fn only(game: &Pentago, position: &Position, mv: Move, report: &Report<Move>) -> bool {
    let after = game.play(position, &mv);
    let lost = |next: &Position| match game.game_result(next) {
        Some(result) => result.winner() == Some(position.side().other()),
        None => {
            game.winning_move(next).is_some()
                || report.lines.iter().any(|line| {
                    line.evaluation.outcome == Some(Wdl::Loss) && game.play(position, &line.moves[0]) == *next
                })
        }
    };
    moves(game, position).iter().map(|other| game.play(position, other)).all(|next| next == after || lost(&next))
}
