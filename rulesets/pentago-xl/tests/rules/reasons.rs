//! Every reason is checked against the reference.

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Certainty, Reason, Reasons, Report, Scores};
use pentago_xl::{Colour, Move, PentagoXl, Position};

use crate::reference::{ReferenceGame, players};
use crate::support::{all_rules, moves, nodes, parse, reference_of, rules, search, tactical_position, text};

/// A report about one move, with proven scores or with none that matter.
fn report_of(game: &PentagoXl, position: &Position, mv: &str, proven: Option<&[f64]>) -> Report<Move> {
    let mut report = search(game, position, nodes(1), 1);
    let line = &mut report.lines[0];
    line.moves = moves(game, position).into_iter().filter(|found| found.text() == mv).collect();
    assert_eq!(line.moves.len(), 1, "{mv} is legal");
    line.evaluation.certainty = if proven.is_some() { Certainty::Proven } else { Certainty::Estimate };
    line.evaluation.scores = proven.map_or(Scores::even(game.variant().n_seats()), Scores::new);
    line.evaluation.plies_to_end = None;
    report
}

fn codes(reasons: &[Reason]) -> Vec<&'static str> {
    reasons.iter().map(|reason| reason.code).collect()
}

type Expected = (&'static str, &'static str, &'static str, &'static [&'static str], &'static str, &'static str);

/// Variant, position, move, the first reasons expected in that order, words of
/// the first sentence, and its points.
#[rustfmt::skip]
const KNOWN_MOVES: &[Expected] = &[
    ("ffa2", "rrrr5/9/9/9/9/9/9/9/y1y1y1y2 r -", "e1", &["wins_now"], "wins at once", "a1 b1 c1 d1 e1"),
    ("ffa2", "r2rr4/r8/9/9/9/9/9/9/y1y1y1y2 r -", "a3-1r", &["wins_now"], "wins at once", "a1 b1 c1 d1 e1"),
    ("teams", "g2gg4/g8/g8/r1r1r1r1r/9/9/y1y1y1y1y/9/b1b1b1b1b r -", "i8-1r", &["wins_now"], "gives Green five", "a1 b1 c1 d1 e1"),
    ("ffa4", "y2yy4/y8/y8/r1r1r1r1r/9/9/g1g1g1g1g/9/b1b1b1b1b r -", "i8-1r", &["loses_now"], "gives Yellow five", "a1 b1 c1 d1 e1"),
    ("ffa2", "ry1rr4/ry1yy4/1y7/9/9/9/9/9/8r r -", "a3-1r", &["shares_now"], "Red and Yellow", "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2"),
    ("teams", "yg1yy4/yg1gg4/yg7/r1r1r1r1r/9/9/9/9/b1b1b1b1b r -", "i8-1r", &["draws_now"], "Both teams", "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2"),
    ("places4", "rrrr5/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "e1", &["finishes_now"], "takes the first place", "a1 b1 c1 d1 e1"),
    ("places3", "rrrr5/9/9/yyyyy4/9/9/g1g1g1g2/9/9 r y1", "e1", &["finishes_now"], "takes the second place", "a1 b1 c1 d1 e1"),
    ("places4", "y2yy4/y8/y8/r1r1r1r1r/9/9/g1g1g1g1g/9/b1b1b1b1b r -", "i8-1r", &["gives_five"], "gives Yellow five", "a1 b1 c1 d1 e1"),
    ("ffa4", "yyyy5/9/9/r1r1r1r2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "i5-9r", &["loses_to"], "Yellow makes five", "a1 b1 c1 d1 e1"),
    ("places4", "yyyy5/9/9/r1r1r1r2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "i5-9r", &["lets_finish"], "lets Yellow finish", "a1 b1 c1 d1 e1"),
    ("ffa4", "yyyy5/9/9/r1r1r1r2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "e1-9r", &["blocks"], "stops Yellow", "a1 b1 c1 d1 e1"),
    ("ffa4", "gggg5/9/9/r1r1r1r2/9/9/y1y1y1y2/9/b1b1b1b2 r -", "i5-9r", &["leaves_threat"], "Green threatens", "a1 b1 c1 d1 e1"),
    ("ffa2", "9/9/9/3rrr3/9/9/9/9/y3y3y r -", "g4-9r", &["double_threat"], "no reply stops", ""),
    ("ffa2", "9/9/9/9/9/9/9/9/9 r -", "e5-9r", &["takes_centre"], "fixed block", "e5"),
    ("ffa2", "9/9/9/9/9/9/9/9/9 r -", "b2-9r", &["takes_centre"], "middle of block 1", "b2"),
    ("ffa2", "9/9/9/9/9/9/9/9/9 r -", "a1-9r", &["improves"], "number 1", ""),
    ("ffa2", "9/1r7/9/9/9/9/9/9/7y1 r -", "b1-9r", &["builds_line"], "two on a line", "b1 b2"),
];

/// Known moves get the reasons they should.
#[test]
fn known_moves_are_explained() {
    for (variant, position, mv, expected, words, points) in KNOWN_MOVES {
        let game = rules(variant);
        let position = parse(&game, position);
        let reasons = game.explain(&position, &report_of(&game, &position, mv, None), 0);
        let context = format!("{variant} {} {mv}: {reasons:#?}", text(&game, &position));
        assert!(codes(&reasons).starts_with(expected), "{context}");
        assert!(reasons[0].text.contains(words), "{context}");
        if !points.is_empty() {
            assert_eq!(reasons[0].points.join(" "), *points, "{context}");
        }
        for reason in &reasons {
            assert!(reason.text.ends_with('.') && reason.text.starts_with(char::is_uppercase), "{context}");
        }
    }
}

/// A proven value of the report becomes a reason.
#[test]
fn proofs_are_reasons() {
    let game = rules("ffa3");
    let start = parse(&game, "9/9/9/9/9/9/9/9/9 r -");
    let reasons = game.explain(&start, &report_of(&game, &start, "a1-2r", Some(&[1.0, 0.0, 0.0])), 0);
    assert_eq!(codes(&reasons), ["forced_win"]);
    let reasons = game.explain(&start, &report_of(&game, &start, "a1-2r", Some(&[0.0, 0.0, 1.0])), 0);
    assert_eq!(codes(&reasons), ["loses_to"]);
}

/// In positions with threats, every reason holds by the reference's rules.
#[test]
fn reasons_are_true() {
    for game in all_rules() {
        let mut rng = Rng::new(61);
        for i in 0..6 {
            let position = tactical_position(&game, &mut rng, 12 + 5 * i);
            let report = search(&game, &position, nodes(2_500), 3);
            for line_idx in 0..report.lines.len() {
                let reasons = game.explain(&position, &report, line_idx);
                assert!(!reasons.is_empty());
                for reason in &reasons {
                    check(&game, &position, reason, &report, line_idx);
                }
            }
        }
    }
}

fn check(game: &PentagoXl, position: &Position, reason: &Reason, report: &Report<Move>, line_idx: usize) {
    let line = &report.lines[line_idx];
    let mv = line.moves[0];
    let context = format!("{} {} {mv:?}: {reason:?}", game.variant().id(), text(game, position));
    let reference = reference_of(game, position);
    let after = reference.play(mv.text());
    let names = players(&reference.variant);
    let mover = position.side() as usize;
    let score = |reference: &ReferenceGame| reference.outcome().map(|outcome| outcome.scores[mover]);
    let named = |colour: &Colour| reason.text.contains(colour.name());
    let proven = (line.evaluation.certainty == Certainty::Proven).then(|| line.evaluation.scores[mover]);
    let newly = |colour: Colour| {
        after.places.iter().any(|(player, _)| *player == colour.letter()) && position.place(colour).is_none()
    };
    let seats = || Colour::ALL.into_iter().take(names.len());
    let holds = match reason.code {
        "wins_now" => score(&after) == Some(1.0),
        "shares_now" => score(&after).is_some_and(|score| score > 0.0 && score < 1.0),
        "loses_now" => after.outcome().is_some(),
        "draws_now" => after.outcome().is_some(),
        "finishes_now" => newly(position.side()),
        "gives_five" => seats().all(|colour| named(&colour) == newly(colour)),
        "loses_to" => has_winning_move(&after, after.side) || proven == Some(0.0),
        "lets_finish" => has_winning_move(&after, after.side),
        "double_threat" => after.legal().iter().step_by(7).all(|reply| {
            let next = after.play(reply);
            score(&next).map_or_else(|| has_winning_move(&next, next.side), |score| score == 1.0)
        }),
        "forced_win" => proven == Some(1.0),
        "blocks" => seats()
            .filter(|colour| named(colour))
            .all(|colour| has_winning_move(&reference, colour.letter()) && !has_winning_move(&after, colour.letter())),
        "only_move" => moves(game, position).iter().all(|other| {
            let next = game.play_unchecked(position, *other);
            let same = next == game.play_unchecked(position, mv);
            let lost = |line: &pentad_sdk::Line<Move>| {
                line.evaluation.certainty == Certainty::Proven
                    && line.evaluation.scores[mover] == 0.0
                    && game.play_unchecked(position, line.moves[0]) == next
            };
            same || match game.game_result(&next) {
                Some(result) => game.scores(&result)[mover] == 0.0,
                None => game.winning_move(&next).is_some() || report.lines.iter().any(lost),
            }
        }),
        "leaves_threat" => seats().any(|colour| named(&colour) && has_winning_move(&after, colour.letter())),
        "threatens" => {
            let partner = if reference.variant == "teams" { (mover + 2) % 4 } else { mover };
            [mover, partner].iter().any(|&seat| has_winning_move(&after, names[seat]))
        }
        "builds_line" | "takes_centre" | "improves" => true,
        _ => false,
    };
    assert!(holds, "{context}");
}

/// Whether a player would have a win in one if it were their turn, by the
/// reference: a move after which their side has won, or they have finished
/// alone.
fn has_winning_move(reference: &ReferenceGame, player: char) -> bool {
    let seat = players(&reference.variant).iter().position(|other| *other == player).unwrap();
    let to_move = ReferenceGame { side: player, ..reference.clone() };
    to_move.legal().iter().any(|mv| {
        let next = to_move.play(mv);
        if reference.variant.starts_with("places") {
            next.places.len() == to_move.places.len() + 1 && next.places.iter().any(|(other, _)| *other == player)
        } else {
            next.outcome().is_some_and(|outcome| outcome.scores[seat] == 1.0)
        }
    })
}
