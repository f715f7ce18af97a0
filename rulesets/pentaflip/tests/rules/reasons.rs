//! Every reason given is checked with the reference.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::reasons::{Claim, ReasonChecker, ReferencePosition};
use pentad_sdk::{Limits, NeverStop, Reason, Reasons, Report, Request, Ruleset, Wdl};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Move, Pentaflip, Position, book};

use crate::reference::ReferenceGame;
use crate::support::{ongoing, parse, text};

fn search(position: &Position, nodes: u64, n_lines: usize) -> Report<Move> {
    let request = Request { n_lines, ..Request::new(Limits { nodes: Some(nodes), ..Limits::default() }) };
    PentaflipSearch::default().search(&Pentaflip, position, &request, &NeverStop)
}

/// Returns a report with one move, and perhaps its proven outcome.
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
    // Most of the coming five is underneath.
    ("3ww1/6/2WB2/2BW2/6/6 w5/w5/w5/6/6/6 b -", "~B", &["loses_to"], "a1' a2' a3' d1 e1"),
    ("3ww1/6/2WB2/2BW2/6/6 w5/w5/w5/6/6/6 b -", "d2", &["loses_to"], "a1' a2' a3' d1 e1"),
    ("6/6/2WB2/2BW2/b5/6 6/6/6/6/6/6 w -", "~L", &["turns_under"], "a2'"),
    ("6/6/2WB2/2BW2/b5/6 6/b5/6/w5/6/6 w -", "~L", &["brings_up"], "a3"),
    ("3w2/4w1/2WB2/2BW2/6/2b3 w5/w5/w5/6/6/6 w -", "e1", &["flip_threat"], "a1' a2' a3' d1 e1"),
    // A spot that a half would bring along is named at its current cell.
    ("6/6/2WB2/2BWw1/6/b5 6/6/1w4/5w/6/6 w -", "f4", &["flip_threat"], "b3' c3 d4 e4 f4"),
];

/// Known moves get the expected reasons.
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
        ReferenceGame { side: ['w', 'b'][seat], last: '-', ..self.clone() }
    }
}

/// Over random positions every reason holds by the reference, and every code
/// occurs.
#[test]
fn reasons_are_true() {
    let mut checker = ReasonChecker::new(&Pentaflip);
    let mut rng = Rng::new(61);
    for i in 0..1_200 {
        let position = ongoing(&mut rng, i % 40);
        // Occasionally all moves, so that bad ones are explained too.
        let report = search(&position, 500, if i % 8 == 0 { 40 } else { 3 });
        let reference = ReferenceGame::parse(&text(&position)).unwrap();
        checker.check(&Pentaflip, &position, &report, &reference, judge);
    }
    for code in Pentaflip::CODES.iter().map(|known| known.code) {
        assert!(checker.codes().contains_key(code), "no {code}");
    }
}

/// Judges the codes that not all games share.
fn judge(claim: &Claim<'_, ReferenceGame>) -> Option<bool> {
    let (before, after, mover) = (claim.before, claim.after, claim.mover);
    let on_top = |reference: &ReferenceGame, seat: usize| {
        reference.top.as_flattened().iter().filter(|&&letter| letter == ['w', 'b'][seat]).count() as i32
    };
    let change = |seat: usize| on_top(after, seat) - on_top(before, seat);
    let rings = |n: i32, comparison: &str| format!("{n} {comparison} ring{}", if n == 1 { "" } else { "s" });
    Some(match claim.reason.code {
        "draws_now" => after.final_scores() == Some(vec![0.5, 0.5]),
        "blocks" => {
            let idle = before.with_turn_of(1 - mover);
            let stopped = claim.named_move(&idle).is_some_and(|mv| idle.play(&mv).is_won_by(1 - mover));
            stopped && !after.has_win_in_one()
        }
        "flip_threat" | "threatens" => {
            let idle = after.with_turn_of(mover);
            let threat = claim.named_move(&idle)?;
            threat.starts_with('~') == (claim.reason.code == "flip_threat") && idle.play(&threat).is_won_by(mover)
        }
        "builds_line" => {
            let n_rings = on_top(after, 0) + on_top(after, 1) + hidden(after);
            let open = fullest_open_line(after, claim.mv);
            let words = ["two", "three", "four"][open.len() - 2];
            claim.says(&format!("makes {words} on a line"))
                && (open.len() > 2 || n_rings <= 6)
                && claim.reason.points.contains(&claim.mv.to_owned())
                && claim.reason.points.len() == open.len()
        }
        "brings_up" => {
            let others = change(1 - mover);
            let is_said = others >= 0 || claim.says(&rings(-others, "fewer"));
            change(mover) > 0 && change(mover) > others && claim.says(&rings(change(mover), "more")) && is_said
        }
        "turns_under" => change(mover) == 0 && change(1 - mover) < 0 && claim.says(&rings(-change(1 - mover), "fewer")),
        "opening" => {
            let book_move = book::probe(&Pentaflip, &parse(&before.format()))?;
            book_move.mv.text() == claim.mv && claim.says(&format!("scored {} of 24 points", book_move.points))
        }
        _ => return None,
    })
}

fn hidden(reference: &ReferenceGame) -> i32 {
    reference.under.as_flattened().iter().filter(|&&letter| letter != '.').count() as i32
}

/// Returns the own rings and spots on the fullest line through a cell that the opponent
/// has nothing on, by trying every run of five cells.
fn fullest_open_line(reference: &ReferenceGame, cell: &str) -> Vec<(i32, i32)> {
    let at = (i32::from(cell.as_bytes()[1] - b'1'), i32::from(cell.as_bytes()[0] - b'a'));
    let letter = |(row, column): (i32, i32)| reference.top[row as usize][column as usize].to_ascii_lowercase();
    let own = letter(at);
    let mut fullest = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for back in 0..5 {
            let line: Vec<_> = (0..5).map(|i| (at.0 + (i - back) * down, at.1 + (i - back) * right)).collect();
            let is_on_board = line.iter().all(|&(row, column)| (0..6).contains(&row) && (0..6).contains(&column));
            if is_on_board && line.iter().all(|&cell| [own, '.'].contains(&letter(cell))) {
                let filled: Vec<_> = line.into_iter().filter(|&cell| letter(cell) == own).collect();
                if filled.len() > fullest.len() {
                    fullest = filled;
                }
            }
        }
    }
    fullest
}

/// The first move's reasons are about the move, not its rank.
#[test]
fn first_move_is_compared_with_others() {
    let report = search(&Position::START, 20_000, 3);
    for line_idx in 0..report.lines.len() {
        let reasons = Pentaflip.explain(&Position::START, &report, line_idx);
        assert!(reasons.iter().all(|reason| !reason.text.contains("number")), "{reasons:?}");
        let ranking = reasons.iter().find(|reason| reason.code == "improves");
        assert!(ranking.is_none_or(|ranking| ranking.text.contains("points of it, ")), "{reasons:?}");
    }
}
