//! The reasons given for moves are true, by the reference.

use std::collections::BTreeSet;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::reasons::{Claim, ReasonChecker, ReferencePosition};
use pentad_sdk::{Certainty, Reason, Reasons, Report, Ruleset, Scores};
use pentago_xl::{Colour, Move, PentagoXl, Position};

use crate::reference::{Board, ReferenceGame, has_five, players, turn};
use crate::support::{all_rules, late_position, moves, nodes, parse, reference_of, rules, search, tactical_move, text};

/// Returns a report about one move, with proven scores or an even estimate.
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
    ("ffa2", "9/9/9/9/9/9/9/9/9 r -", "a1-9r", &["improves"], "points of it", ""),
    ("ffa2", "9/1r7/9/9/9/9/9/9/7y1 r -", "b1-9r", &["builds_line"], "two on a line", "b1 b2"),
];

/// Known moves get the expected reasons.
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

impl ReferencePosition for ReferenceGame {
    fn to_move(&self) -> usize {
        seat_of(self, self.side)
    }

    fn final_scores(&self) -> Option<Vec<f64>> {
        self.outcome().map(|outcome| outcome.scores)
    }

    fn legal_moves(&self) -> Vec<String> {
        self.legal()
    }

    fn after(&self, mv: &str) -> Self {
        self.play(mv)
    }

    fn with_turn_of(&self, seat: usize) -> Self {
        ReferenceGame { side: players(&self.variant)[seat], ..self.clone() }
    }

    /// Finds a five for the player or a partner and for nobody else, on the board as it
    /// is and after every turn: trying a thousand moves would take too long.
    fn has_win_in_one(&self) -> bool {
        let is_own = |player: char| {
            player == self.side || self.variant == "teams" && seat_of(self, player) % 2 == self.to_move() % 2
        };
        let counts = |player: &char| !self.places.iter().any(|(finished, _)| finished == player);
        let rivals: Vec<char> =
            players(&self.variant).into_iter().filter(|player| !is_own(*player) && counts(player)).collect();
        let partners: Vec<char> = players(&self.variant).into_iter().filter(|&player| is_own(player)).collect();
        if has_five_with_one_more(&self.board, self.side) {
            return true;
        }
        turned_boards(&self.board).iter().any(|board| {
            let has_own =
                has_five_with_one_more(board, self.side) || partners.iter().any(|&partner| has_five(board, partner));
            has_own && !rivals.iter().any(|&rival| has_five(board, rival))
        })
    }

    fn defeats_in_one(&self, seat: usize) -> bool {
        self.to_move() != seat && self.has_win_in_one()
    }
}

fn seat_of(reference: &ReferenceGame, player: char) -> usize {
    players(&reference.variant).iter().position(|other| *other == player).unwrap()
}

/// Returns the board after each of the 16 turns.
fn turned_boards(board: &Board) -> Vec<Board> {
    let blocks = [1, 2, 3, 4, 6, 7, 8, 9];
    blocks.into_iter().flat_map(|block| ['r', 'l'].map(|direction| turn(board, block, direction))).collect()
}

/// Returns whether there is a five in a row, or one more marble makes one.
fn has_five_with_one_more(board: &Board, player: char) -> bool {
    lines_of_five().any(|line| {
        let n_own = line.iter().filter(|&&(row, column)| board[row][column] == player).count();
        let n_empty = line.iter().filter(|&&(row, column)| board[row][column] == '.').count();
        n_own == 5 || n_own == 4 && n_empty == 1
    })
}

fn lines_of_five() -> impl Iterator<Item = [(usize, usize); 5]> {
    let cells = (0..81).map(|cell| (cell / 9, cell % 9));
    cells.flat_map(|(row, column): (i32, i32)| {
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().filter_map(move |(down, right)| {
            let (last_row, last_column) = (row + 4 * down, column + 4 * right);
            let is_on_board = (0..9).contains(&last_row) && (0..9).contains(&last_column);
            is_on_board.then(|| {
                std::array::from_fn(|i| ((row + i as i32 * down) as usize, (column + i as i32 * right) as usize))
            })
        })
    })
}

/// In positions with threats, every reason holds by the reference, and every code
/// occurs there or among the known moves.
#[test]
fn reasons_are_true() {
    let mut seen: BTreeSet<&str> = KNOWN_MOVES.iter().flat_map(|known| known.3).copied().collect();
    for game in all_rules() {
        let mut checker = ReasonChecker::new(&game);
        let mut rng = Rng::new(61);
        let mut positions: Vec<Position> = (1..=8).map(|i| late_position(&game, &mut rng, 1 + i % 2)).collect();
        let mut position = game.start();
        while positions.len() < 1_000 / all_rules().count() + 1 {
            if game.game_result(&position).is_some() {
                position = game.start();
            }
            if rng.below(3) == 0 {
                positions.push(position);
            }
            position = game.play_unchecked(&position, tactical_move(&game, &position, &mut rng));
        }
        for (i, position) in positions.into_iter().enumerate() {
            let report = search(&game, &position, nodes(50), if i % 16 == 0 { 12 } else { 3 });
            checker.check(&game, &position, &report, &reference_of(&game, &position), |claim| judge(claim, &position));
        }
        seen.extend(checker.codes().keys().copied());
    }
    for code in PentagoXl::CODES.iter().map(|known| known.code) {
        assert!(seen.contains(code), "no {code}");
    }
}

/// Judges the codes that this game has beyond the shared ones.
fn judge(claim: &Claim<'_, ReferenceGame>, position: &Position) -> Option<bool> {
    let (before, after, mover) = (claim.before, claim.after, claim.mover);
    let names = players(&before.variant);
    let seats = || Colour::ALL.into_iter().take(names.len());
    let named = |colour: &Colour| claim.says(colour.name());
    let threatens =
        |reference: &ReferenceGame, colour: Colour| reference.with_turn_of(colour as usize).has_win_in_one();
    let newly = |colour: Colour| {
        after.places.iter().any(|(player, _)| *player == colour.letter()) && position.place(colour).is_none()
    };
    Some(match claim.reason.code {
        "draws_now" => {
            let scores = after.final_scores()?;
            scores.iter().all(|score| (score - scores[0]).abs() < 1e-9)
        }
        "finishes_now" => {
            let (_, place) = after.places.iter().find(|(player, _)| *player == before.side)?;
            let place = ["first", "second", "third", "fourth"][*place as usize - 1];
            newly(position.side()) && claim.says(&format!("the {place} place"))
        }
        "gives_five" => seats().all(|colour| named(&colour) == newly(colour)),
        "lets_finish" => {
            let reply = claim.named_move(after)?;
            let next = after.play(&reply);
            next.places.len() + 2 <= names.len() && next.places.iter().any(|(player, _)| *player == after.side)
        }
        "blocks" => {
            let stopped = |colour: Colour| threatens(before, colour) && !threatens(after, colour);
            seats().any(|colour| named(&colour)) && seats().filter(named).all(stopped)
        }
        "leaves_threat" => {
            let rival = |a: usize, b: usize| if before.variant == "teams" { a % 2 != b % 2 } else { a != b };
            let first = seats().find(|colour| claim.reason.text.starts_with(colour.name()))?;
            let defender = seats().find(|colour| claim.says(&format!("and {} has to", colour.name())));
            threatens(after, first)
                && rival(first as usize, mover)
                && defender.is_none_or(|defender| rival(defender as usize, first as usize))
        }
        "threatens" => {
            let partner = if before.variant == "teams" { (mover + 2) % 4 } else { mover };
            [mover, partner].iter().any(|&seat| after.with_turn_of(seat).has_win_in_one())
        }
        "builds_line" => {
            let n_own = after.board.as_flattened().iter().filter(|&&letter| letter == before.side).count();
            let n = claim.reason.points.len();
            let words = ["two", "three", "four"][n - 2];
            claim.says(&format!("makes {words} on a line"))
                && (n > 2 || n_own <= 3)
                && is_open_line(after, before.side, &claim.reason.points)
        }
        "takes_centre" => {
            let (column, row) = (claim.mv.as_bytes()[0] - b'a', claim.mv.as_bytes()[1] - b'1');
            let is_fixed = (3..6).contains(&column) && (3..6).contains(&row);
            is_fixed && claim.says("fixed block") || column % 3 == 1 && row % 3 == 1
        }
        _ => return None,
    })
}

/// Returns whether some five cells in a row hold exactly these marbles of a player
/// and no others.
fn is_open_line(reference: &ReferenceGame, own: char, points: &[String]) -> bool {
    let name = |(row, column): (usize, usize)| format!("{}{}", "abcdefghi".as_bytes()[column] as char, row + 1);
    let letter = |(row, column): (usize, usize)| reference.board[row][column];
    lines_of_five().any(|line| {
        let filled: Vec<String> = line.into_iter().filter(|&cell| letter(cell) == own).map(name).collect();
        line.into_iter().all(|cell| [own, '.'].contains(&letter(cell)))
            && filled.len() == points.len()
            && filled.iter().all(|name| points.contains(name))
    })
}

/// A player who takes the second of four places has not lost, although the next
/// player finishes at once.
#[test]
fn finishing_second_is_not_a_loss() {
    let game = rules("places4");
    let position = parse(&game, "rrrr5/9/gggg5/yyyyy4/9/9/9/9/b1b1b1b2 r y1");
    let reasons = game.explain(&position, &report_of(&game, &position, "e1", None), 0);
    assert_eq!(codes(&reasons), ["finishes_now"], "{reasons:?}");
    assert!(reasons[0].text.contains("second place"), "{reasons:?}");
}
