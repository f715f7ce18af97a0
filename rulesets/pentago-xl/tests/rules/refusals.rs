use pentad_sdk::testing::rule_text::{check_refused_after_end, check_refused_move, check_refused_position};

use crate::reference::ReferenceGame;
use crate::support::{all_rules, parse, rules, text};

const ALL: &[&str] = &["ffa2", "ffa3", "ffa4", "places3", "places4", "teams"];
const NO_PLACES: &[&str] = &["ffa2", "ffa3", "ffa4", "teams"];
const FOUR: &[&str] = &["ffa4", "places4", "teams"];
const THREE: &[&str] = &["ffa3", "places3"];
const FFA2: &[&str] = &["ffa2"];
const PLACES3: &[&str] = &["places3"];
const PLACES4: &[&str] = &["places4"];
const START: &str = "9/9/9/9/9/9/9/9/9 r -";

type RefusedMove = (&'static [&'static str], &'static str, &'static str, Option<usize>, &'static str);

/// Refused moves: variants, position, move, the column if it is malformed or none if
/// it is illegal, and words of the message.
#[rustfmt::skip]
const REFUSED_MOVES: &[RefusedMove] = &[
    (ALL, "r8/9/9/9/9/9/9/9/9 y -", "a1-1r", None, "a1 is occupied"),
    (FFA2, "rrrr5/9/9/9/9/9/9/9/y1y1y1y2 r -", "e1-1r", None, "wins at once, without a turn: `e1`"),
    (PLACES3, "rrrr5/9/9/y1y1y1y2/9/9/g1g1g1g2/9/9 r -", "e1-1r", None, "finishes at once"),
    (FFA2, "rrrr5/9/9/9/9/9/9/9/y1y1y1y2 r -", "f1", None, "must be turned, as in `f1-1r`"),
    (FFA2, "r2rr4/r8/9/9/9/9/9/9/y1y1y1y2 r -", "a3", None, "must be turned"),
    (ALL, START, "a1", None, "must be turned"),
    (ALL, START, "a1-5r", Some(4), "block 5"),
    (ALL, START, "a1-5", Some(4), "block 5"),
    (ALL, START, "pass", Some(1), "a file"),
    (ALL, START, "", Some(1), "a file"),
    (ALL, START, "j1-1r", Some(1), "a file"),
    (ALL, START, "A1-1r", Some(1), "a file"),
    (ALL, START, "a", Some(2), "a rank"),
    (ALL, START, "a0-1r", Some(2), "a rank"),
    (ALL, START, "aa-1r", Some(2), "a rank"),
    (ALL, START, "a1 1r", Some(3), "`-`"),
    (ALL, START, "a11r", Some(3), "`-`"),
    (ALL, START, "a1-", Some(4), "a block"),
    (ALL, START, "a1-0r", Some(4), "a block"),
    (ALL, START, "a1-1", Some(5), "`r`"),
    (ALL, START, "a1-1R", Some(5), "`r`"),
    (ALL, START, "a1-1r ", Some(6), "nothing"),
    (ALL, START, "é1-1r", Some(1), "a file"),
];

/// A bad move is refused as malformed or as illegal, with the reason.
#[test]
fn bad_moves_are_refused() {
    for (variants, position, mv, column, words) in REFUSED_MOVES {
        variants.iter().for_each(|variant| check_refused_move(&rules(variant), position, mv, *column, words));
    }
    for (variant, over) in
        [("ffa2", "rrrrr4/9/9/9/9/9/9/9/y1y1y1y2 y -"), ("places3", "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/9 g r2y1")]
    {
        check_refused_after_end(&rules(variant), over, "i9-1r");
    }
}

type RefusedPosition = (&'static [&'static str], &'static str, &'static str, Option<usize>, &'static str);

/// Refused positions: variants, text, field, column, words of the message.
#[rustfmt::skip]
const REFUSED_POSITIONS: &[RefusedPosition] = &[
    (ALL, "", "board", Some(1), "0 cells"),
    (ALL, " ", "board", Some(1), "0 cells"),
    (ALL, "9/9/9/9/9/9/9/9/9", "side", Some(18), "missing"),
    (ALL, "9/9/9/9/9/9/9/9/9 ", "side", Some(19), "the text ends"),
    (ALL, "9/9/9/9/9/9/9/9/9 w -", "side", Some(19), "'w'"),
    (ALL, "9/9/9/9/9/9/9/9/9 R -", "side", Some(19), "'R'"),
    (ALL, "9/9/9/9/9/9/9/9/9  r -", "side", Some(19), "' '"),
    (ALL, "9/9/9/9/9/9/9/9/9 r", "places", Some(20), "missing"),
    (ALL, "9/9/9/9/9/9/9/9/9 ry -", "side", Some(20), "a space"),
    (NO_PLACES, "9/9/9/9/9/9/9/9/9 r ", "places", Some(21), "expected `-`"),
    (NO_PLACES, "9/9/9/9/9/9/9/9/9 r -r1", "places", Some(21), "expected `-`"),
    (PLACES3, "9/9/9/9/9/9/9/9/9 r ", "places", Some(21), "expected `-`"),
    (PLACES3, "9/9/9/9/9/9/9/9/9 r - ", "places", Some(21), "expected `-`"),
    (NO_PLACES, "9/9/9/9/9/9/9/9/9 r - ", "places", Some(21), "expected `-`"),
    (ALL, " 9/9/9/9/9/9/9/9/9 r -", "board", Some(1), "0 cells"),
    (ALL, "9/9/9/9/9/9/9/9 r -", "board", Some(16), "8 ranks"),
    (ALL, "9/9/9/9/9/9/9/9/9/9 r -", "board", Some(18), "more than 9 ranks"),
    (ALL, "09/9/9/9/9/9/9/9/9 r -", "board", Some(1), "'0'"),
    (ALL, "9/8/9/9/9/9/9/9/9 r -", "board", Some(4), "8 cells"),
    (ALL, "9/8r1/9/9/9/9/9/9/9 y -", "board", Some(5), "more than 9 cells"),
    (ALL, "9/55/9/9/9/9/9/9/9 r -", "board", Some(4), "more than 9 cells"),
    (ALL, "9//9/9/9/9/9/9/9 r -", "board", Some(3), "0 cells"),
    (ALL, "9/R8/9/9/9/9/9/9/9 y -", "board", Some(3), "'R'"),
    (ALL, "9/é8/9/9/9/9/9/9/9 y -", "board", Some(3), "'é'"),
    // Colours that do not play.
    (FFA2, "g8/9/9/9/9/9/9/9/9 r -", "board", Some(1), "'g'"),
    (FFA2, "9/9/9/9/9/9/9/9/9 g -", "side", Some(19), "'g'"),
    (THREE, "b8/9/9/9/9/9/9/9/9 r -", "board", Some(1), "'b'"),
    (THREE, "9/9/9/9/9/9/9/9/9 b -", "side", Some(19), "'b'"),
    // Red starts, and the counts fit the side to move.
    (ALL, "9/9/9/9/9/9/9/9/9 y -", "side", Some(19), "the turn of `r`"),
    (ALL, "r8/9/9/9/9/9/9/9/9 r -", "side", Some(20), "the turn of `y`"),
    (ALL, "y8/9/9/9/9/9/9/9/9 r -", "board", None, "one more"),
    (ALL, "rr7/9/9/9/9/9/9/9/9 y -", "board", None, "one more"),
    (FFA2, "ry7/9/9/9/9/9/9/9/9 y -", "side", Some(21), "the turn of `r`"),
    (THREE, "ry7/9/9/9/9/9/9/9/9 r -", "side", Some(21), "the turn of `g`"),
    (FOUR, "ryg6/9/9/9/9/9/9/9/9 r -", "side", Some(22), "the turn of `b`"),
    (FOUR, "rgb6/9/9/9/9/9/9/9/9 y -", "board", None, "one more"),
    // The same among players who have not finished.
    (PLACES4, "yyyyy4/9/9/r1r1r1r2/9/9/g1g1g1g2/9/b1b1b4 r y1", "side", Some(43), "the turn of `b`"),
    (PLACES4, "yyyyy4/9/9/r1r1r1r2/9/9/g1g6/9/b1b1b4 r y1", "board", None, "one more"),
    // A player who has five in a row has finished.
    (PLACES4, "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y -", "places", Some(47), "red has five"),
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g r1", "places", Some(45), "yellow has five"),
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g y1", "places", Some(45), "red has five"),
    (PLACES3, "rrrrr4/9/9/yyyyy4/9/9/ggggg4/9/9 y r1", "places", Some(36), "yellow has five"),
    // A finished player does not move while another has not finished.
    (PLACES4, "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 r r1", "side", Some(45), "red has finished"),
    (PLACES3, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/9 r r2y1", "side", Some(36), "red has finished"),
    // Five in a row needs five marbles.
    (PLACES4, "rrrr5/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y r1", "places", Some(46), "too few"),
    (PLACES4, "9/9/9/9/9/9/9/9/9 y r1", "places", Some(21), "too few"),
    // Finished players with more marbles than a game can give them.
    (PLACES4, "rrrrr4/9/9/9/9/9/9/9/9 y r1", "board", None, "red has finished with too many"),
    (PLACES4, "rrrrr4/r8/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y r1", "board", None, "too many"),
    // Places that cannot arise.
    (PLACES4, "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y r2", "places", Some(48), "place 2"),
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g r1y3", "places", Some(48), "place 3"),
    (PLACES4, "yyyyy4/ggggg4/9/r1r1r1r2/9/8r/9/9/bbbbb4 r y1g1b2", "places", Some(49), "place 2"),
    (PLACES4, "yyyyy4/ggggg4/9/rrrrr4/9/9/9/9/bbbbb4 r r4y1g2b3", "places", Some(42), "place 4"),
    (PLACES3, "rrrrr4/9/9/yyyyy4/9/9/ggggg4/9/9 r r1y2g3", "places", Some(41), "place 3"),
    (PLACES3, "rrrrr4/9/9/yyyyy4/9/9/ggggg4/9/9 r r1y1g3", "places", Some(41), "place 3"),
    (PLACES3, "rrrrr4/9/9/yyyyy4/9/9/ggggg4/9/9 r r2y2g2", "places", Some(37), "place 2"),
    // Malformed places.
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g y1r2", "places", Some(47), "in playing order"),
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g r1r2", "places", Some(47), "once"),
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g r", "places", Some(46), "a place `1` to `4`"),
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g r5", "places", Some(46), "a place `1` to `4`"),
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g r0", "places", Some(46), "a place `1` to `4`"),
    (PLACES4, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/b1b1b1b2 g r1 y2", "places", Some(47), "expected `-`"),
    (PLACES3, "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/9 y b1", "places", Some(40), "expected `-`"),
    (PLACES3, "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/9 y r4", "places", Some(41), "a place `1` to `3`"),
    (NO_PLACES, "9/9/9/9/9/9/9/9/9 r r1", "places", Some(21), "only `places3`"),
];

/// A bad position is refused with its field and column, and the reference refuses it
/// as well.
#[test]
fn bad_positions_are_refused() {
    for (variants, text, field, column, words) in REFUSED_POSITIONS {
        for variant in *variants {
            check_refused_position(&rules(variant), text, field, *column, words);
            assert_eq!(ReferenceGame::parse(variant, text), None, "{variant} {text:?}");
        }
    }
}

/// Positions that need not be reachable are accepted.
#[test]
fn unreachable_positions_are_accepted() {
    for (variant, position) in [
        // Fives of two players, one of whom must have finished before.
        ("ffa2", "rrrrr4/9/9/9/9/9/9/9/yyyyy4 r -"),
        // A finished player whose five was broken by a turn, with one marble more than
        // the players who play on.
        ("places4", "y1y1y1y2/y8/9/r1r1r1r2/9/9/g1g1g1g2/9/b1b1b1b2 r y1"),
        // Nobody is left, so nobody's turn needs to fit.
        ("places3", "rrrrr4/9/9/yyyyy4/9/9/ggggg4/9/9 y r1y1g1"),
        ("places3", "rrrrr4/9/9/yyyyy4/9/9/ggggg4/9/9 g r1y2g2"),
    ] {
        let game = rules(variant);
        assert_eq!(text(&game, &parse(&game, position)), position);
    }
}

/// Split runs are accepted and written as one.
#[test]
fn split_runs_are_normalised() {
    for game in all_rules() {
        for (given, canonical) in [
            ("333/9/9/9/9/9/9/9/9 r -", START),
            ("111111111/2223/18/81/1116/9/9/9/54 r -", START),
            ("r11111111/9/9/9/9/9/9/9/9 y -", "r8/9/9/9/9/9/9/9/9 y -"),
        ] {
            assert_eq!(text(&game, &parse(&game, given)), canonical);
        }
    }
}
