//! `RULES.md`, sentence by sentence: for each a position, a move, and the position and
//! outcome after it.

use pentad_sdk::Ruleset;
use pentad_sdk::testing::rule_text::{
    check_count, check_play, check_refused_after_end, check_refused_move, check_refused_position,
};
use pentago::Pentago;

use crate::support::{all_rules, parse, rules, text};

const ALL: &[&str] = &["standard", "finnish", "czech", "clockwise"];
const NOT_CZECH: &[&str] = &["standard", "finnish", "clockwise"];
const NOT_FINNISH: &[&str] = &["standard", "czech", "clockwise"];
const STANDARD: &[&str] = &["standard"];
const FINNISH: &[&str] = &["finnish"];
const CZECH: &[&str] = &["czech"];
const CLOCKWISE: &[&str] = &["clockwise"];

/// The outcome after a move.
#[derive(Debug, PartialEq)]
enum Expected {
    White,
    Black,
    Draw,
    Ongoing,
}
use Expected::{Black, Draw, Ongoing, White};

struct Clause {
    rule: &'static str,
    variants: &'static [&'static str],
    position: &'static str,
    mv: &'static str,
    after: &'static str,
    outcome: Expected,
}

const fn clause(
    rule: &'static str,
    variants: &'static [&'static str],
    position: &'static str,
    mv: &'static str,
    after: &'static str,
    outcome: Expected,
) -> Clause {
    Clause { rule, variants, position, mv, after, outcome }
}

#[rustfmt::skip]
const CLAUSES: &[Clause] = &[
    clause("r turns clockwise as the board is drawn: a1 goes to c1", ALL,
        "6/6/6/6/6/6 w", "a1-1r", "2w3/6/6/6/6/6 b", Ongoing),
    clause("l turns counter-clockwise: a1 goes to a3", &["standard", "finnish", "czech"],
        "6/6/6/6/6/6 w", "a1-1l", "6/6/w5/6/6/6 b", Ongoing),
    clause("block 2 is top right", ALL, "6/6/6/6/6/6 w", "d1-2r", "5w/6/6/6/6/6 b", Ongoing),
    clause("block 3 is bottom left", ALL, "6/6/6/6/6/6 w", "a4-3r", "6/6/6/2w3/6/6 b", Ongoing),
    clause("block 4 is bottom right", ALL, "6/6/6/6/6/6 w", "d4-4r", "6/6/6/5w/6/6 b", Ongoing),
    clause("the middle of a block stays", ALL, "6/6/6/6/6/6 w", "e5-4r", "6/6/6/6/4w1/6 b", Ongoing),
    clause("an empty block may be turned", ALL, "6/6/6/6/6/6 w", "a1-4r", "w5/6/6/6/6/6 b", Ongoing),
    clause("either colour may start", ALL, "6/6/6/6/6/6 b", "a1-4r", "b5/6/6/6/6/6 w", Ongoing),
    clause("a block takes both colours along", ALL, "b5/6/6/6/6/6 w", "b1-1r", "2b3/2w3/6/6/6/6 b", Ongoing),

    clause("five by placing wins at once, without a turn", ALL,
        "wwww2/6/6/6/6/bbb1b1 w", "e1", "wwwww1/6/6/6/6/bbb1b1 b", White),
    clause("black wins in the same way", ALL,
        "bbbb2/6/6/6/6/www1w1 b", "e1", "bbbbb1/6/6/6/6/www1w1 w", Black),
    clause("six in a row are five or more", ALL,
        "www1ww/6/6/6/6/bbb1bb w", "d1", "wwwwww/6/6/6/6/bbb1bb b", White),
    clause("a file will do", ALL, "w4b/w4b/w4b/w5/6/5b w", "a5", "w4b/w4b/w4b/w5/w5/5b b", White),
    clause("so will the long slanted line", ALL, "w5/1w4/2w3/3w2/6/bbb1b1 w", "e5", "w5/1w4/2w3/3w2/4w1/bbb1b1 b", White),
    clause("and a short one, through three blocks", ALL,
        "1w4/2w3/3w2/4w1/6/bbb1b1 w", "f5", "1w4/2w3/3w2/4w1/5w/bbb1b1 b", White),
    clause("and one that goes the other way", ALL,
        "4w1/3w2/2w3/1w4/6/1bbb1b w", "a5", "4w1/3w2/2w3/1w4/w5/1bbb1b b", White),
    clause("four in a row do not win", ALL,
        "www3/6/6/6/6/bb2b1 w", "d1-3r", "wwww2/6/6/b5/b5/4b1 b", Ongoing),

    clause("five for the mover by turning wins", NOT_CZECH,
        "w2ww1/w5/6/6/6/bbb1b1 w", "a3-1r", "wwwww1/6/6/6/6/bbb1b1 b", White),
    clause("five for the mover by turning may be answered", CZECH,
        "w2ww1/w5/6/6/6/bbb1b1 w", "a3-1r", "wwwww1/6/6/6/6/bbb1b1 b reply", Ongoing),
    clause("five for the opponent only, by turning, wins for the opponent", ALL,
        "b2bb1/b5/b5/6/6/ww1ww1 w", "c4-1r", "bbbbb1/6/6/2w3/6/ww1ww1 b", Black),
    clause("five for both by turning is a draw", NOT_FINNISH,
        "wb1ww1/wb1bb1/1b4/6/6/6 w", "a3-1r", "wwwww1/bbbbb1/6/6/6/6 b", Draw),
    clause("five for both by turning wins for the player who turned", FINNISH,
        "wb1ww1/wb1bb1/1b4/6/6/6 w", "a3-1r", "wwwww1/bbbbb1/6/6/6/6 b", White),
    clause("and so it does for black", FINNISH,
        "bw1bb1/bw1ww1/1w4/6/6/6 b", "a3-1r", "bbbbb1/wwwww1/6/6/6/6 w", Black),
    clause("the 36th marble is followed by a turn, and a full board without five is a draw", &["standard", "finnish", "czech"],
        "bbwbwb/wbwwwb/bwbwbw/bwbbbw/b1wbww/wwwbwb b", "b5-3l", "bbwbwb/wbwwwb/bwbwbw/bwwbbw/wbwbww/bbwbwb w", Draw),
    clause("the last turn can still win; with no empty cell there is no reply", ALL,
        "wwbwbb/w1bwwb/bwwbbw/bbwwbw/wbbbwb/wbwwwb b", "b2-1r", "bwwwbb/wbwwwb/wbbbbw/bbwwbw/wbbbwb/wbwwwb w", Black),

    clause("while a block is empty the turn may be skipped", FINNISH,
        "6/6/6/6/6/6 w", "a1", "w5/6/6/6/6/6 b", Ongoing),
    clause("an empty block after the placement is enough", FINNISH,
        "w4b/6/6/b5/6/6 w", "a2", "w4b/w5/6/b5/6/6 b", Ongoing),

    clause("a reply that makes five is a draw", CZECH,
        "wwwww1/6/6/6/6/bbb1b1 b reply", "d6", "wwwww1/6/6/6/6/bbbbb1 w", Draw),
    clause("a reply that does not leaves the win to the player who turned", CZECH,
        "wwwww1/6/6/6/6/bbb1b1 b reply", "f5", "wwwww1/6/6/6/5b/bbb1b1 w", White),
    clause("pass drops the field and leaves the side as it is: the game is over", CZECH,
        "wwwww1/6/6/6/6/bbb1b1 b reply", "pass", "wwwww1/6/6/6/6/bbb1b1 b", White),
    clause("the reply of white is the same", CZECH,
        "bbbbb1/6/6/6/6/www1w1 w reply", "pass", "bbbbb1/6/6/6/6/www1w1 w", Black),
    clause("a reply may fill the board", CZECH,
        "bwwwbb/wbwwwb/w1bbbw/bbwwbw/bbbbbw/bbwwww w reply", "b3",
        "bwwwbb/wbwwwb/wwbbbw/bbwwbw/bbbbbw/bbwwww b", Black),
];

/// Checks each clause in each variant it applies to.
#[test]
fn clauses_hold() {
    for clause in CLAUSES {
        for variant in clause.variants {
            let game = rules(variant);
            let rule = format!("{variant}: {}", clause.rule);
            check_play(&game, &rule, clause.position, clause.mv, clause.after);
            assert_eq!(outcome(&game, clause.after), clause.outcome, "{rule}");
        }
    }
}

/// Returns the outcome of a position given as text.
fn outcome(game: &Pentago, position: &str) -> Expected {
    match game.outcome(&parse(game, position)) {
        None => Ongoing,
        Some(outcome) if outcome.places == [1, 2] && outcome.scores.as_slice() == [1.0, 0.0] => White,
        Some(outcome) if outcome.places == [2, 1] && outcome.scores.as_slice() == [0.0, 1.0] => Black,
        Some(outcome) => {
            assert_eq!((outcome.places, outcome.scores.as_slice()), (vec![1, 1], &[0.5, 0.5][..]));
            Draw
        }
    }
}

type RefusedMove = (&'static [&'static str], &'static str, &'static str, Option<usize>, &'static str);

/// Moves that are refused: variants, position, move, the column of a malformed
/// one or none for an illegal one, and words of the message.
#[rustfmt::skip]
const REFUSED_MOVES: &[RefusedMove] = &[
    (ALL, "w5/6/6/6/6/6 b", "a1-1r", None, "a1 is occupied"),
    (ALL, "wwww2/6/6/6/6/bbb1b1 w", "e1-1r", None, "without a turn"),
    (ALL, "wwww2/6/6/b5/3b2/b1b3 w", "f6", None, "must be turned"),
    (NOT_FINNISH, "6/6/6/6/6/6 w", "a1", None, "must be turned"),
    (FINNISH, "w4b/6/6/b5/6/6 w", "f6", None, "must be turned"),
    (CLOCKWISE, "6/6/6/6/6/6 w", "a1-1l", None, "clockwise here: `a1-1r`"),
    (ALL, "6/6/6/6/6/6 w", "pass", None, "reply"),
    (CZECH, "wwwww1/6/6/6/6/bbb1b1 b reply", "f5-1r", None, "without a turn"),
    (CZECH, "wwwww1/6/6/6/6/bbb1b1 b reply", "a1", None, "occupied"),
    (CZECH, "w2ww1/w5/6/6/6/bbb1b1 w", "pass", None, "reply"),
    (ALL, "6/6/6/6/6/6 w", "", Some(1), "a file"),
    (ALL, "6/6/6/6/6/6 w", "g1-1r", Some(1), "a file"),
    (ALL, "6/6/6/6/6/6 w", "A1-1r", Some(1), "a file"),
    (ALL, "6/6/6/6/6/6 w", "a", Some(2), "a rank"),
    (ALL, "6/6/6/6/6/6 w", "a7-1r", Some(2), "a rank"),
    (ALL, "6/6/6/6/6/6 w", "a0", Some(2), "a rank"),
    (ALL, "6/6/6/6/6/6 w", "a1 1r", Some(3), "`-`"),
    (ALL, "6/6/6/6/6/6 w", "a1-", Some(4), "a block"),
    (ALL, "6/6/6/6/6/6 w", "a1-5r", Some(4), "a block"),
    (ALL, "6/6/6/6/6/6 w", "a1-1", Some(5), "`r`"),
    (ALL, "6/6/6/6/6/6 w", "a1-1R", Some(5), "`r`"),
    (ALL, "6/6/6/6/6/6 w", "a1-1r ", Some(6), "nothing"),
    (ALL, "6/6/6/6/6/6 w", "Pass", Some(1), "a file"),
];

/// Malformed and illegal moves are refused as such, with a reason.
#[test]
fn bad_moves_are_refused() {
    for (variants, position, mv, column, words) in REFUSED_MOVES {
        variants.iter().for_each(|variant| check_refused_move(&rules(variant), position, mv, *column, words));
    }
    for game in all_rules() {
        check_refused_after_end(&game, "wwwww1/6/6/6/6/bbb1b1 b", "f6-1r");
    }
}

/// Positions that are refused: variants, text, field, column.
#[rustfmt::skip]
const REFUSED_POSITIONS: &[(&[&str], &str, &str, Option<usize>)] = &[
    (ALL, "", "board", Some(1)),
    (ALL, " ", "board", Some(1)),
    (ALL, "6/6/6/6/6/6", "side", Some(12)),
    (ALL, "6/6/6/6/6/6 ", "side", Some(13)),
    (ALL, "6/6/6/6/6/6 x", "side", Some(13)),
    (ALL, "6/6/6/6/6/6 W", "side", Some(13)),
    (ALL, "6/6/6/6/6/6  w", "side", Some(13)),
    (ALL, "6/6/6/6/6/6 w ", "reply", Some(14)),
    (CZECH, "6/6/6/6/6/6 w ", "reply", Some(15)),
    (ALL, " 6/6/6/6/6/6 w", "board", Some(1)),
    (ALL, "6/6/6/6/6 w", "board", Some(10)),
    (ALL, "6/6/6/6/6/6/6 w", "board", Some(12)),
    (ALL, "7/6/6/6/6/6 w", "board", Some(1)),
    (ALL, "06/6/6/6/6/6 w", "board", Some(1)),
    (ALL, "6/5/6/6/6/6 w", "board", Some(4)),
    (ALL, "6/5w1/6/6/6/6 b", "board", Some(5)),
    (ALL, "6/44/6/6/6/6 w", "board", Some(4)),
    (ALL, "6//6/6/6/6 w", "board", Some(3)),
    (ALL, "6/W5/6/6/6/6 b", "board", Some(3)),
    (ALL, "6/é5/6/6/6/6 b", "board", Some(3)),
    (ALL, "w5/6/6/6/6/6 w", "side", Some(14)),
    (ALL, "ww4/6/6/6/6/6 b", "board", None),
    (NOT_CZECH, "wwwww1/6/6/6/6/bbb1b1 b reply", "reply", Some(25)),
    (CZECH, "6/6/6/6/6/6 w reply", "reply", Some(15)),
    (CZECH, "wwwww1/6/6/6/6/bbb1b1 b Reply", "reply", Some(25)),
    (CZECH, "wwwww1/6/6/6/6/bbb1b1 b repl", "reply", Some(29)),
    (CZECH, "wwwww1/6/6/6/6/bbb1b1 b reply ", "reply", Some(30)),
    (CZECH, "wwwww1/6/6/6/6/bbbbb1 w reply", "reply", Some(25)),
    (CZECH, "wwwww1/6/6/6/6/bbb1bb w reply", "reply", Some(25)),
    (CZECH, "bwwwbb/wbwwwb/wbbbbw/bbwwbw/wbbbwb/wbwwwb w reply", "reply", Some(45)),
];

/// A bad position is refused with its field and column.
#[test]
fn bad_positions_are_refused() {
    for (variants, text, field, column) in REFUSED_POSITIONS {
        // The Czech edition reads a further field.
        let overridden = |variant: &str| {
            variants.len() > 1 && REFUSED_POSITIONS.iter().any(|other| other.1 == *text && other.0 == [variant])
        };
        for variant in variants.iter().filter(|variant| !overridden(variant)) {
            check_refused_position(&rules(variant), text, field, *column, "");
        }
    }
}

/// Split runs are accepted and written as one.
#[test]
fn split_runs_are_normalised() {
    for game in all_rules() {
        for (given, canonical) in [
            ("33/6/6/6/6/6 w", "6/6/6/6/6/6 w"),
            ("111111/222/15/51/1113/6 w", "6/6/6/6/6/6 w"),
            ("w11111/6/6/6/6/1b13 w", "w5/6/6/6/6/1b4 w"),
        ] {
            assert_eq!(text(&game, &parse(&game, given)), canonical);
        }
    }
}

/// Number of moves in positions where it is easy to count.
#[rustfmt::skip]
const COUNTS: &[(&[&str], &str, u64)] = &[
    (&["standard", "czech"], "6/6/6/6/6/6 w", 288),
    (FINNISH, "6/6/6/6/6/6 w", 324),
    (CLOCKWISE, "6/6/6/6/6/6 w", 144),
    // One of 28 cells wins and is listed alone.
    (STANDARD, "wwww2/6/6/6/6/bbb1b1 w", 27 * 8 + 1),
    (CLOCKWISE, "wwww2/6/6/6/6/bbb1b1 w", 27 * 4 + 1),
    // Nine cells fill the last empty block.
    (FINNISH, "w4b/6/6/b5/6/6 w", 33 * 8 + 24),
    // 27 cells and the pass.
    (CZECH, "wwwww1/6/6/6/6/bbb1b1 b reply", 28),
    (STANDARD, "bbwbwb/wbwwwb/bwbwbw/bwbbbw/b1wbww/wwwbwb b", 8),
    (ALL, "wwwww1/6/6/6/6/bbb1b1 b", 0),
];

/// The number of legal moves is the same counted and listed.
#[test]
fn counts_are_right() {
    for (variants, position, count) in COUNTS {
        variants.iter().for_each(|variant| check_count(&rules(variant), position, *count));
    }
}
