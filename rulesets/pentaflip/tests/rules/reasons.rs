//! Every reason given is checked with the reference.

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Layout, Limits, NeverStop, Reason, Reasons, Report, Request, Ruleset, Wdl};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Move, Pentaflip, Position};

use crate::reference::ReferenceGame;
use crate::support::{ongoing, parse, text};

fn search(position: &Position, nodes: u64, n_lines: usize) -> Report<Move> {
    let request = Request { n_lines, ..Request::new(Limits { nodes: Some(nodes), ..Limits::default() }) };
    PentaflipSearch::default().search(&Pentaflip, position, &request, &NeverStop)
}

/// A report with one move, and perhaps its proven outcome.
fn report_on(position: &Position, mv: &str, outcome: Option<Wdl>) -> Report<Move> {
    let mut report = search(position, 1, 1);
    report.lines[0].moves = vec![Pentaflip.parse_move(position, mv).unwrap()];
    report.lines[0].evaluation.outcome = outcome;
    report.lines[0].evaluation.plies_to_end = None;
    report
}

fn codes(reasons: &[Reason]) -> Vec<&'static str> {
    reasons.iter().map(|reason| reason.code).collect()
}

/// Position, move, its first reasons in order, and the points of the first one.
#[rustfmt::skip]
const EXPECTED_REASONS: &[(&str, &str, &[&str], &str)] = &[
    ("wwww2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "e1", &["wins_now"], "a1 b1 c1 d1 e1"),
    ("3ww1/6/2WB2/2BW2/6/6 w5/w5/w5/6/6/6 w -", "~1", &["wins_now"], "a1 b1 c1 d1 e1"),
    ("3ww1/6/2WB2/2BW2/6/6 w5/w5/w5/6/6/6 b -", "~1", &["loses_now"], "a1 b1 c1 d1 e1"),
    ("3ww1/3bb1/2WB2/2BW2/6/6 wb4/wb4/wb4/6/6/6 w -", "~1", &["draws_now"], "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2"),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "c2", &["improves"], ""),
    ("6/6/2BB2/2WW2/6/6 6/6/6/6/6/6 w L", "e4", &["builds_line"], "c4 d4 e4"),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "~1", &["improves"], ""),
    // The five that is to come lies underneath for the most part.
    ("3ww1/6/2WB2/2BW2/6/6 w5/w5/w5/6/6/6 b -", "~B", &["loses_to"], "a1' a2' a3' d1 e1"),
    ("3ww1/6/2WB2/2BW2/6/6 w5/w5/w5/6/6/6 b -", "d2", &["loses_to"], "a1' a2' a3' d1 e1"),
    ("3w2/4w1/2WB2/2BW2/6/2b3 w5/w5/w5/6/6/6 w -", "e1", &["flip_threat", "builds_line"], "a1' a2' a3' d1 e1"),
    // A spot that a half would bring along is named where it is.
    ("6/6/2WB2/2BWw1/6/b5 6/6/1w4/5w/6/6 w -", "f4", &["flip_threat"], "b3' c3 d4 e4 f4"),
];

/// Known moves get the reasons expected.
#[test]
fn known_moves_are_explained() {
    for (position, mv, expected, points) in EXPECTED_REASONS {
        let position = parse(position);
        let reasons = Pentaflip.explain(&position, &report_on(&position, mv, None), 0);
        let context = format!("{} {mv}: {reasons:#?}", text(&position));
        assert!(codes(&reasons).starts_with(expected), "{context}");
        assert_eq!(reasons[0].points.join(" "), *points, "{context}");
        for reason in &reasons {
            assert!(reason.text.ends_with('.') && reason.text.starts_with(char::is_uppercase), "{context}");
        }
    }
}

/// A proven outcome of the report becomes a reason.
#[test]
fn proofs_become_reasons() {
    let start = Position::START;
    let reasons = Pentaflip.explain(&start, &report_on(&start, "c2", Some(Wdl::Win)), 0);
    assert_eq!(codes(&reasons), ["forced_win"]);
    let reasons = Pentaflip.explain(&start, &report_on(&start, "~1", Some(Wdl::Loss)), 0);
    assert_eq!(codes(&reasons), ["loses_to"]);
}

/// Over random positions every reason holds by the reference, its points are
/// points of the board, and every code occurs.
#[test]
fn reasons_are_true() {
    let ids: Vec<String> = Pentaflip.board().points.into_iter().map(|point| point.id).collect();
    let mut rng = Rng::new(61);
    let mut seen: Vec<&str> = Vec::new();
    for i in 0..400 {
        let position = ongoing(&mut rng, 3 + i % 28);
        // All moves now and then, so that bad ones are explained too.
        let report = search(&position, 2_000, if i % 4 == 0 { 40 } else { 3 });
        for line_idx in 0..report.lines.len() {
            let reasons = Pentaflip.explain(&position, &report, line_idx);
            assert!(!reasons.is_empty());
            for reason in &reasons {
                assert!(reason.points.iter().all(|point| ids.contains(point)), "{reason:?}");
                check(&position, &report, line_idx, reason);
                seen.push(reason.code);
            }
        }
    }
    for code in ["wins_now", "loses_to", "double_threat", "forced_win", "blocks", "flip_threat", "threatens"] {
        assert!(seen.contains(&code), "no {code}");
    }
    for code in ["loses_now", "only_move", "builds_line", "brings_up"] {
        assert!(seen.contains(&code), "no {code}");
    }
}

fn check(position: &Position, report: &Report<Move>, line_idx: usize, reason: &Reason) {
    let line = &report.lines[line_idx];
    let mv = line.moves[0];
    let context = format!("{} {mv:?}: {reason:?}", text(position));
    let mover = position.side() as usize;
    let reference = ReferenceGame::parse(&text(position)).unwrap();
    let after = reference.play(mv.text());
    let score = |reference: &ReferenceGame| reference.outcome().map(|outcome| outcome.scores[mover]);
    let winning = |reference: &ReferenceGame, seat: usize| {
        let wins = |mv: &String| reference.play(mv).outcome().is_some_and(|outcome| outcome.scores[seat] == 1.0);
        if reference.side == ['w', 'b'][seat] {
            reference.legal().into_iter().filter(wins).collect()
        } else {
            Vec::new()
        }
    };
    let null_move = |reference: &ReferenceGame, seat: usize| ReferenceGame {
        side: ['w', 'b'][seat],
        last: '-',
        ..reference.clone()
    };
    let proven = line.evaluation.outcome;
    let threats = winning(&null_move(&after, mover), mover);
    let loses = |mv: &String| {
        let next = reference.play(mv);
        let known =
            |line: &pentad_sdk::Line<Move>| line.moves[0].text() == mv && line.evaluation.outcome == Some(Wdl::Loss);
        score(&next) == Some(0.0) || !winning(&next, 1 - mover).is_empty() || report.lines.iter().any(known)
    };
    let holds = match reason.code {
        "wins_now" => score(&after) == Some(1.0),
        "loses_now" => score(&after) == Some(0.0),
        "draws_now" => score(&after) == Some(0.5),
        "loses_to" => !winning(&after, 1 - mover).is_empty() || proven == Some(Wdl::Loss),
        "double_threat" => after.legal().iter().all(|reply| {
            let next = after.play(reply);
            score(&next) == Some(1.0) || !winning(&next, mover).is_empty()
        }),
        "forced_win" => proven == Some(Wdl::Win),
        "blocks" => {
            !winning(&null_move(&reference, 1 - mover), 1 - mover).is_empty() && winning(&after, 1 - mover).is_empty()
        }
        "flip_threat" => threats.iter().any(|mv| mv.starts_with('~') && reason.text.contains(mv.as_str())),
        "threatens" => threats.iter().any(|mv| !mv.starts_with('~') && reason.text.contains(mv.as_str())),
        "only_move" => reference.legal().iter().all(|other| other == mv.text() || loses(other)),
        "builds_line" => {
            let owner = reference.side;
            let has = |point: &String| {
                let (column, row) = ((point.as_bytes()[0] - b'a') as usize, (point.as_bytes()[1] - b'1') as usize);
                after.top[row][column].to_ascii_lowercase() == owner
            };
            reason.points.contains(&mv.text().to_owned()) && reason.points.iter().all(has)
        }
        "brings_up" => {
            let balance = |reference: &ReferenceGame| {
                let count = |seat: usize| {
                    reference.top.as_flattened().iter().filter(|&&letter| letter == ['w', 'b'][seat]).count()
                };
                count(mover) as i32 - count(1 - mover) as i32
            };
            balance(&after) > balance(&reference)
        }
        "improves" => true,
        other => panic!("{other} is not documented"),
    };
    assert!(holds, "{context}");
}
