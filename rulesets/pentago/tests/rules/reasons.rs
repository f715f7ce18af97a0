//! Every explanation is checked against the rules.

use std::collections::BTreeSet;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::reasons::{Claim, ReasonChecker, ReferencePosition};
use pentad_sdk::{Limits, Reason, Reasons, Report, Ruleset, Wdl};
use pentago::{Move, Pentago, Position};

use crate::reference::ReferenceGame;
use crate::support::generic::search;
use crate::support::{all_rules, parse, random_position, rules, text};

/// Returns a report with one line of one move, and perhaps its outcome.
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
    ("standard", "bbbb2/6/6/6/w5/1w3w w", "f5-4r", &["loses_to"], "a1 b1 c1 d1 e1"),
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

impl ReferencePosition for ReferenceGame {
    fn to_move(&self) -> usize {
        usize::from(self.side == 'b')
    }

    fn final_scores(&self) -> Option<Vec<f64>> {
        self.outcome().map(|outcome| outcome.scores.to_vec())
    }

    fn legal_moves(&self) -> Vec<String> {
        self.legal()
    }

    fn after(&self, mv: &str) -> Self {
        self.play(mv)
    }

    fn with_turn_of(&self, seat: usize) -> Self {
        ReferenceGame { side: ['w', 'b'][seat], reply: false, ..self.clone() }
    }
}

/// On random positions, every reason holds by the rules of the reference, and
/// every code occurs.
#[test]
fn reasons_are_true() {
    let mut seen = BTreeSet::new();
    for game in all_rules() {
        let mut checker = ReasonChecker::new(&game);
        let mut rng = Rng::new(61);
        for i in 0..1_000 / all_rules().count() as u32 + 1 {
            let position = random_position(&game, &mut rng, 2 + i % 33);
            let nodes = Limits { nodes: Some(1_000), ..Limits::default() };
            let report = search(&game, &position, nodes, if i % 16 == 0 { 40 } else { 3 });
            let reference = ReferenceGame::parse(game.edition().id(), &text(&game, &position)).unwrap();
            checker.check(&game, &position, &report, &reference, judge);
        }
        seen.extend(checker.codes().keys().copied());
    }
    // The book is the plugin's, not the generic search's.
    for code in Pentago::CODES.iter().map(|known| known.code).filter(|code| *code != "book") {
        assert!(seen.contains(code), "no {code}");
    }
}

/// Judges the codes that not all games share.
fn judge(claim: &Claim<'_, ReferenceGame>) -> Option<bool> {
    let (before, after, mover) = (claim.before, claim.after, claim.mover);
    Some(match claim.reason.code {
        "draws_now" => after.final_scores() == Some(vec![0.5, 0.5]),
        // A five by turning that no reply can equal.
        "forced_win" if after.reply => after.legal().iter().all(|reply| after.play(reply).is_won_by(mover)),
        "allows_draw" => {
            let reply = claim.named_move(after)?;
            after.play(&reply).final_scores() == Some(vec![0.5, 0.5])
        }
        "blocks" => {
            let idle = before.with_turn_of(1 - mover);
            let stopped = claim.named_move(&idle).is_some_and(|mv| idle.play(&mv).is_won_by(1 - mover));
            stopped && !after.has_win_in_one()
        }
        "threatens" => {
            let idle = after.with_turn_of(mover);
            claim.named_move(&idle).is_some_and(|mv| idle.play(&mv).is_won_by(mover))
        }
        "builds_line" => {
            let own = before.side;
            let n_own = after.board.as_flattened().iter().filter(|&&letter| letter == own).count();
            let n = claim.reason.points.len();
            let words = ["two", "three", "four"][n - 2];
            claim.says(&format!("makes {words} on a line"))
                && (n > 2 || n_own <= 3)
                && is_open_line(after, own, &claim.reason.points)
        }
        "takes_centre" => ["b2", "b5", "e2", "e5"].contains(&&claim.mv[..2]) && claim.reason.points == [&claim.mv[..2]],
        _ => return None,
    })
}

/// Returns whether some five cells in a row hold exactly these marbles of a side and
/// otherwise nothing.
fn is_open_line(reference: &ReferenceGame, own: char, points: &[String]) -> bool {
    let mut lines = Vec::new();
    for row in 0..6_i32 {
        for column in 0..6_i32 {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let line: Vec<(i32, i32)> = (0..5).map(|i| (row + i * down, column + i * right)).collect();
                if line.iter().all(|&(row, column)| (0..6).contains(&row) && (0..6).contains(&column)) {
                    lines.push(line);
                }
            }
        }
    }
    let letter = |&(row, column): &(i32, i32)| reference.board[row as usize][column as usize];
    let name = |&(row, column): &(i32, i32)| format!("{}{}", "abcdef".as_bytes()[column as usize] as char, row + 1);
    lines.iter().any(|line| {
        let own_names: Vec<String> = line.iter().filter(|cell| letter(cell) == own).map(name).collect();
        line.iter().all(|cell| [own, '.'].contains(&letter(cell)))
            && own_names.len() == points.len()
            && own_names.iter().all(|name| points.contains(name))
    })
}
