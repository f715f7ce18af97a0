//! `RULES.md`, sentence by sentence: for each a position, a move, and the position
//! after it.

use pentad_sdk::Ruleset;
use pentad_sdk::testing::rule_text::{check_play, check_refused_after_end, check_refused_move, check_refused_position};
use pentaflip::Pentaflip;

use crate::reference::ReferenceGame;
use crate::support::{moves, parse, text};

/// The state of the game after a move.
#[derive(Debug, PartialEq)]
enum Status {
    White,
    Black,
    Draw,
    Ongoing,
}
use Status::{Black, Draw, Ongoing, White};

/// The rule, a position, a move, the position after it, and its status.
type RuleCase = (&'static str, &'static str, &'static str, &'static str, Status);

#[rustfmt::skip]
const RULE_CASES: &[RuleCase] = &[
    ("a ring goes next to a spot of one's colour",
        "6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "c2", "6/2w3/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", Ongoing),
    ("either colour may start",
        "6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", "d2", "6/3b2/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", Ongoing),
    ("or next to a ring of one's own, above it",
        "6/2w3/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "c1", "2w3/2w3/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", Ongoing),
    ("below it",
        "w5/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "a2", "w5/w5/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", Ongoing),
    ("to its left",
        "5w/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "e1", "4ww/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", Ongoing),
    ("to its right, in another panel too",
        "6/2w3/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "d2", "6/2ww2/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", Ongoing),
    ("or wherever a ring of one's own is underneath",
        "6/6/2WB2/2BW2/6/6 w5/6/6/6/6/6 w -", "a1", "w5/6/2WB2/2BW2/6/6 w5/6/6/6/6/6 b -", Ongoing),
    ("a spot that a half has moved counts where it is now",
        "6/6/2BB2/2WW2/6/6 6/6/6/6/6/6 w L", "c5", "6/6/2BB2/2WW2/2w3/6 6/6/6/6/6/6 b -", Ongoing),

    ("panel 1 is reflected on its main diagonal and changes sides: b1 goes under a2",
        "1w4/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", "~1", "6/6/2WB2/2BW2/6/6 6/w5/6/6/6/6 w 1", Ongoing),
    ("what was underneath comes up: c1 to a3, c2 to b3",
        "6/6/2WB2/2BW2/6/6 2w3/2b3/6/6/6/6 b -", "~1", "6/6/wbWB2/2BW2/6/6 6/6/6/6/6/6 w 1", Ongoing),
    ("a1 and b2 keep their places, and both sides change at once",
        "w5/1b4/2WB2/2BW2/6/6 b5/1w4/6/6/6/6 w -", "~1", "b5/1w4/2WB2/2BW2/6/6 w5/1b4/6/6/6/6 b 1", Ongoing),
    ("panel 2 on the other diagonal: d1 and f3, e1 and f2, d2 and e3",
        "3wb1/3b2/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "~2", "6/6/2WB2/2BW2/6/6 6/5b/4bw/6/6/6 b 2", Ongoing),
    ("f1 and e2 stay",
        "5w/4b1/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "~2", "6/6/2WB2/2BW2/6/6 5w/4b1/6/6/6/6 b 2", Ongoing),
    ("panel 3 likewise: a4 and c6, a5 and b6, b4 and c5",
        "6/6/2WB2/wbBW2/b5/6 6/6/6/6/6/6 w -", "~3", "6/6/2WB2/2BW2/6/6 6/6/6/6/2b3/1bw3 b 3", Ongoing),
    ("panel 4 on its main diagonal: e4 and d5, f4 and d6, f5 and e6",
        "6/6/2WB2/2BWwb/5b/6 6/6/6/6/6/6 w -", "~4", "6/6/2WB2/2BW2/6/6 6/6/6/6/3w2/3bb1 b 4", Ongoing),
    ("the left half is mirrored rank by rank, spots included",
        "w5/1b4/2WB2/2BW2/6/6 6/6/6/6/6/2w3 w -", "~L", "2w3/6/2BB2/2WW2/6/6 6/6/6/6/1b4/w5 b L", Ongoing),
    ("and the right half",
        "w4b/4w1/2WB2/2BW2/6/6 6/6/6/5w/6/6 w -", "~R", "w5/6/2WW1w/2BB2/6/6 6/6/6/6/4w1/5b b R", Ongoing),
    ("the top half is mirrored file by file, spots included",
        "w5/1b4/2WB2/2BW2/5w/6 2b3/6/6/6/6/6 w -", "~T", "3b2/6/2BW2/2BW2/5w/6 5w/4b1/6/6/6/6 b T", Ongoing),
    ("and the bottom half",
        "w5/6/2WB2/2BW2/w5/1b4 6/6/6/6/6/5w w -", "~B", "w5/6/2WB2/2WB2/6/w5 6/6/6/6/5w/4b1 b B", Ongoing),
    ("another flip may follow one",
        "6/6/2BB2/2WW2/6/6 6/6/6/6/6/6 b L", "~R", "6/6/2BW2/2WB2/6/6 6/6/6/6/6/6 w R", Ongoing),
    ("a placement forgets the last flip",
        "6/6/2BB2/2WW2/6/6 6/6/6/6/6/6 b L", "c2", "6/2b3/2BB2/2WW2/6/6 6/6/6/6/6/6 w -", Ongoing),

    ("five by placing wins", "wwww2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "e1",
        "wwwww1/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", White),
    ("black wins in the same way", "5b/5b/2WB1b/2BW1b/6/6 6/6/6/6/6/6 b -", "f5",
        "5b/5b/2WB1b/2BW1b/5b/6 6/6/6/6/6/6 w -", Black),
    ("six in a row are five or more", "www1ww/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "d1",
        "wwwwww/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", White),
    ("spots count", "1w4/1w4/2WB2/2BW2/4w1/6 6/6/6/6/6/6 w -", "a1",
        "ww4/1w4/2WB2/2BW2/4w1/6 6/6/6/6/6/6 b -", White),
    ("a short slanted line will do", "6/w5/1wBB2/2WW2/6/4w1 6/6/6/6/6/6 w -", "d5",
        "6/w5/1wBB2/2WW2/3w2/4w1 6/6/6/6/6/6 b -", White),
    ("and one that goes the other way", "4w1/3w2/2WB2/1wBW2/6/6 6/6/6/6/w5/6 w -", "a5",
        "4w1/3w2/2WB2/1wBW2/w5/6 6/6/6/6/w5/6 b -", White),
    ("but not with the other one's spot in it", "6/6/wwWB2/2BW2/6/6 6/6/4w1/6/6/6 w -", "e3",
        "6/6/wwWBw1/2BW2/6/6 6/6/4w1/6/6/6 b -", Ongoing),
    ("four in a row do not win", "www3/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "d1",
        "wwww2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", Ongoing),
    ("five underneath do not win", "6/6/2WB2/2BW2/6/6 wwwww1/6/6/6/6/6 w -", "c2",
        "6/2w3/2WB2/2BW2/6/6 wwwww1/6/6/6/6/6 b -", Ongoing),
    ("five by a flip of one's own wins", "3ww1/6/2WB2/2BW2/6/6 w5/w5/w5/6/6/6 w -", "~1",
        "wwwww1/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b 1", White),
    ("five by the other one's flip wins, too", "3ww1/6/2WB2/2BW2/6/6 w5/w5/w5/6/6/6 b -", "~1",
        "wwwww1/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w 1", White),
    ("and for black", "6/6/2WB2/2BW2/6/6 6/b5/b5/b5/b5/b5 w -", "~L",
        "b5/b5/b1BB2/b1WW2/b5/6 6/6/6/6/6/6 b L", Black),
    ("a spot that comes along completes five", "6/6/2WB2/2BWww/6/6 6/6/1w4/6/6/6 w -", "~L",
        "6/6/2BB2/1wWWww/6/6 6/6/6/6/6/6 b L", White),
    ("five for both at once is a draw", "3ww1/3bb1/2WB2/2BW2/6/6 wb4/wb4/wb4/6/6/6 w -", "~1",
        "wwwww1/bbbbb1/2WB2/2BW2/6/6 6/6/6/6/6/6 b 1", Draw),
    ("whoever flips", "3ww1/3bb1/2WB2/2BW2/6/6 wb4/wb4/wb4/6/6/6 b -", "~1",
        "wwwww1/bbbbb1/2WB2/2BW2/6/6 6/6/6/6/6/6 w 1", Draw),

    ("all 44 rings and no five is a draw",
        "1bwb1b/bwwww1/wwWBbw/1wBW2/3bbb/bwww1w wbbwb1/1bwwb1/4bb/b3ww/1bwbb1/w3bb w -", "a1",
        "wbwb1b/bwwww1/wwWBbw/1wBW2/3bbb/bwww1w wbbwb1/1bwwb1/4bb/b3ww/1bwbb1/w3bb b -", Draw),
    ("the last ring can still win",
        "1bwb1b/bwwww1/wwWBbw/1wBW2/3bwb/bwww1b wbbwb1/1bwwb1/4bb/b3ww/1bwbb1/w3bb w -", "a1",
        "wbwb1b/bwwww1/wwWBbw/1wBW2/3bwb/bwww1b wbbwb1/1bwwb1/4bb/b3ww/1bwbb1/w3bb b -", White),
    ("without rings a player flips, and the game goes on",
        "bwwwwb/bb3w/1bWBwb/wwBW1w/b4b/1wb2w 1w1w2/1wb1wb/bb2bw/ww2w1/2bwbb/wwb3 w T", "~3",
        "bwwwwb/bb3w/1bWBwb/bbBW1w/w1w2b/w1w2w 1w1w2/1wb1wb/bb2bw/b3w1/w1wwbb/1bw3 b 3", Ongoing),
];

/// Each rule holds in the crate and in the reference.
#[test]
fn rules_hold() {
    for (rule, position, mv, after, status) in RULE_CASES {
        check_play(&Pentaflip, rule, position, mv, after);
        assert_eq!(ReferenceGame::parse(position).unwrap().play(mv).format(), *after, "{rule}");
        assert_eq!(status_of(after), *status, "{rule}");
    }
}

/// Returns the status of a position given as text.
fn status_of(position: &str) -> Status {
    match Pentaflip.outcome(&parse(position)) {
        None => Ongoing,
        Some(outcome) if outcome.places == [1, 2] && outcome.scores.as_slice() == [1.0, 0.0] => White,
        Some(outcome) if outcome.places == [2, 1] && outcome.scores.as_slice() == [0.0, 1.0] => Black,
        Some(outcome) => {
            assert_eq!((outcome.places, outcome.scores.as_slice()), (vec![1, 1], &[0.5, 0.5][..]));
            Draw
        }
    }
}

const START: &str = "6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -";

/// Moves that are refused: position, move, the column of a malformed one or
/// none for an illegal one, and words of the message.
#[rustfmt::skip]
const REFUSED_MOVES: &[(&str, &str, Option<usize>, &str)] = &[
    (START, "d2", None, "not next to"),
    (START, "a1", None, "not next to"),
    (START, "b2", None, "not next to"),
    (START, "c3", None, "spot"),
    (START, "d3", None, "spot"),
    ("6/2b3/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "c2", None, "on top already"),
    // A ring on top blocks the hole, even above an own ring underneath.
    ("6/2b3/2WB2/2BW2/6/6 6/2w3/6/6/6/6 w -", "c2", None, "on top already"),
    // A hole next to a ring underneath is not next to one on top.
    ("6/6/2WB2/2BW2/6/6 w5/6/6/6/6/6 w -", "b1", None, "not next to"),
    ("6/6/2WB2/2BW2/6/6 b5/6/6/6/6/6 w -", "a1", None, "not next to"),
    ("6/6/2BB2/2WW2/6/6 6/6/6/6/6/6 b L", "~L", None, "undone"),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b 1", "~1", None, "undone"),
    ("bwwwwb/bb3w/1bWBwb/wwBW1w/b4b/1wb2w 1w1w2/1wb1wb/bb2bw/ww2w1/2bwbb/wwb3 w T", "c2", None, "no rings left"),
    (START, "", Some(1), "a file"),
    (START, "g1", Some(1), "a file"),
    (START, "C2", Some(1), "a file"),
    (START, "c", Some(2), "a rank"),
    (START, "c0", Some(2), "a rank"),
    (START, "c7", Some(2), "a rank"),
    (START, "c2 ", Some(3), "nothing more"),
    (START, "c2'", Some(3), "nothing more"),
    (START, "~", Some(2), "`L`"),
    (START, "~5", Some(2), "`L`"),
    (START, "~l", Some(2), "`L`"),
    (START, "~LL", Some(3), "nothing more"),
    (START, "L", Some(1), "a file"),
    (START, "é", Some(1), "a file"),
];

/// Malformed and illegal moves are distinguished, and the message says why.
#[test]
fn bad_moves_are_refused() {
    for (position, mv, column, words) in REFUSED_MOVES {
        check_refused_move(&Pentaflip, position, mv, *column, words);
    }
    check_refused_after_end(&Pentaflip, "wwwww1/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", "~1");
}

/// Positions that are refused: text, field, column.
#[rustfmt::skip]
const REFUSED_POSITIONS: &[(&str, &str, usize)] = &[
    ("", "top", 1),
    (" ", "top", 1),
    ("6/6/2WB2/2BW2/6/6", "under", 18),
    ("6/6/2WB2/2BW2/6/6 ", "under", 19),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6", "side", 30),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 ", "side", 31),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 x -", "side", 31),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 W -", "side", 31),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w", "last", 32),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w ", "last", 33),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 ww -", "side", 32),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w 5", "last", 33),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w l", "last", 33),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w - ", "last", 34),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w ~L", "last", 33),
    ("6/6/2WB2/2BW2/6/6  6/6/6/6/6/6 w -", "under", 19),
    ("5/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "top", 2),
    ("61/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "top", 2),
    ("7/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "top", 1),
    ("0w5/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "top", 1),
    ("6/6/2WB2/2BW2/6 6/6/6/6/6/6 w -", "top", 16),
    ("6/6/2WB2/2BW2/6/6/6 6/6/6/6/6/6 w -", "top", 18),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6 w -", "under", 28),
    // Spots: two of each colour, in the middle, on top.
    ("6/6/6/2BW2/6/6 6/6/6/6/6/6 w -", "top", 5),
    ("6/6/2W3/2BW2/6/6 6/6/6/6/6/6 w -", "top", 7),
    ("6/6/2WB2/2WW2/6/6 6/6/6/6/6/6 w -", "top", 12),
    ("6/6/2WB2/2BB2/6/6 6/6/6/6/6/6 w -", "top", 12),
    ("6/6/2wB2/2BW2/6/6 6/6/6/6/6/6 w -", "top", 6),
    ("W5/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "top", 1),
    ("6/6/2WB2/2BW2/6/6 6/6/2WB2/2BW2/6/6 w -", "under", 24),
    ("6/6/2WB2/2BW2/6/6 6/6/2w3/6/6/6 w -", "under", 24),
    ("é5/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -", "top", 1),
    // 23 white rings, the last one on top; 23 black ones, the last underneath.
    ("wbwwbw/bwwbww/wwWBbw/wwBWbw/wbwwbw/wwbwww 6/6/6/6/6/6 w -", "top", 41),
    ("wbwbbw/bwbbwb/bwWBbw/wbBWbw/wbwwbw/wbbwbw b5/b5/b5/bb4/b5/b5 w -", "under", 59),
];

/// A bad position is refused with its field and column.
#[test]
fn bad_positions_are_refused() {
    for (text, field, column) in REFUSED_POSITIONS {
        check_refused_position(&Pentaflip, text, field, Some(*column), "");
    }
}

/// 22 rings of a colour are accepted wherever they are.
#[test]
fn all_rings_may_lie_anywhere() {
    let position = parse("wwwwww/6/w1WBww/w1BWww/6/6 6/6/ww2ww/6/wwwwww/6 b 2");
    assert_eq!((position.n_rings(), position.in_hand(position.side().other())), (22, 0));
}

/// Split runs are accepted and written as one.
#[test]
fn split_runs_are_normalised() {
    for (given, canonical) in [
        ("33/6/11WB2/2BW11/15/6 6/6/6/6/222/111111 w -", START),
        ("w11111/6/2WB2/2BW2/6/6 1b13/6/33/6/6/6 b T", "w5/6/2WB2/2BW2/6/6 1b4/6/6/6/6/6 b T"),
    ] {
        assert_eq!(text(&parse(given)), canonical);
    }
}

/// Positions whose number of moves is easy to count by hand.
#[rustfmt::skip]
const COUNTS: &[(&str, u64)] = &[
    (START, 12),
    ("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b 3", 11),
    // Every place next to white's spots is taken: only flips are left.
    ("6/2b3/1bWB2/2BWb1/3b2/6 6/6/6/6/6/6 w -", 8),
    ("6/2b3/1bWB2/2BWb1/3b2/6 6/6/6/6/6/6 w 1", 7),
    // One more place by a ring underneath.
    ("6/2b3/1bWB2/2BWb1/3b2/6 5w/6/6/6/6/6 w 1", 8),
    // White has no rings left.
    ("bwwwwb/bb3w/1bWBwb/wwBW1w/b4b/1wb2w 1w1w2/1wb1wb/bb2bw/ww2w1/2bwbb/wwb3 w -", 8),
    // All rings are on the board.
    ("b1b1bw/b1ww1b/wbWBb1/wbBWwb/ww2bb/bbw2w 2bbbw/www1bb/1b2w1/w4w/w1ww1b/1wbw1b w -", 0),
    ("wwwww1/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -", 0),
];

/// The number of legal moves is the same counted and listed.
#[test]
fn counts_are_right() {
    for (position, count) in COUNTS {
        let position = parse(position);
        assert_eq!(moves(&position).len() as u64, *count, "{}", text(&position));
        assert_eq!(Pentaflip.count_moves(&position, ""), *count, "{}", text(&position));
    }
}
