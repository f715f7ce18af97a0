use pentad_sdk::rng::Rng;
use pentad_sdk::testing::laws::{check_canonical, check_list, check_symmetries, check_texts_and_bytes, check_visitors};
use pentad_sdk::testing::layout::{check_board, check_files_and_ranks, pieces};
use pentad_sdk::testing::reference::{Expected, check_acceptance, check_moves, check_position};
use pentad_sdk::testing::{text, walk};
use pentad_sdk::{Layout, Ruleset, grid_board};

use crate::catches;
use crate::digits::{Digits, Fault, LENGTH};

/// Returns the positions of a random game.
fn positions() -> Vec<Vec<u8>> {
    let game = Digits(Fault::None);
    walk(&game, game.start(), &mut Rng::new(1))
}

/// Inconsistent texts, bytes and move lists.
#[test]
fn texts_and_lists() {
    let faults = [
        (Fault::TruncatesText, "does not round-trip"),
        (Fault::AmbiguousBytes, "does not round-trip"),
        (Fault::UnsortedMoves, "is not sorted"),
        (Fault::WrongCount, "number of moves with prefix \"\""),
        (Fault::IgnoresPrefix, "moves with prefix \"3\""),
        (Fault::MissingText, "number of moves"),
        (Fault::IgnoresBreak, "moves and texts visited"),
    ];
    catches(&faults, |fault| {
        let game = Digits(fault);
        assert_eq!(check_texts_and_bytes(&game, &positions()), LENGTH + 1);
        for position in positions() {
            let listed = check_list(&game, &position, &["3", "x"]);
            assert_eq!(listed.len(), if position.len() == LENGTH { 0 } else { 9 });
            check_visitors(&game, &position, 4);
        }
    });
}

/// Invalid symmetries and canonical positions.
#[test]
fn symmetries() {
    let faults = [
        (Fault::WrongSeatSymmetry, "seat to move"),
        (Fault::PlaysAnotherMove, "does not lead to symmetric positions"),
        (Fault::WrongInverse, "inverse does not undo it"),
        (Fault::WrongCanonical, "different canonical positions"),
    ];
    catches(&faults, |fault| {
        let game = Digits(fault);
        let mut rng = Rng::new(2);
        for position in positions() {
            check_symmetries(&game, &position, &mut rng);
            check_canonical(&game, &position);
        }
    });
}

/// Inconsistent board layouts.
#[test]
fn layouts() {
    let faults = [
        (Fault::DuplicatePointId, "the same id"),
        (Fault::OverlappingPoints, "overlap"),
        (Fault::PointOutside, "not inside the drawing"),
        (Fault::UnsortedPieces, "not sorted"),
    ];
    catches(&faults, |fault| {
        let game = Digits(fault);
        check_board(&game.board());
        assert_eq!(pieces(&game, &vec![7, 1, 7]), "7a 1b 7c");
    });
}

/// The drawing of a grid is consistent, and its blocks and holes have their colours.
#[test]
fn grids() {
    for n_cells in [3, 6, 9] {
        let n_blocks = n_cells * n_cells / 9;
        let board = grid_board(n_cells, |block| if block == 0 { ("#111111", "#222222") } else { ("", "") }, Vec::new());
        check_board(&board);
        check_files_and_ranks(&board);
        let (first, others) = board.blocks.split_first().unwrap();
        assert_eq!((first.colour.as_str(), others.len()), ("#111111", n_blocks - 1));
        let coloured = board.points.iter().enumerate().filter(|(_, point)| point.colour == "#222222");
        assert_eq!(coloured.map(|(idx, _)| idx as u32).collect::<Vec<_>>(), first.points);
    }
}

/// Differences from the reference, which here is the game without a fault.
#[test]
fn reference_implementation() {
    let faults = [
        (Fault::TruncatesText, "does not round-trip"),
        (Fault::WrongSeatToMove, "seat to move"),
        (Fault::WrongWinner, "seed 1 >"),
        (Fault::UnsortedMoves, "texts of moves"),
        (Fault::MissingText, "texts of moves"),
        (Fault::WrongCount, "count_moves"),
        (Fault::PlaysAnotherMove, ": 1"),
        (Fault::AcceptsZero, "only the rules accept it"),
    ];
    catches(&faults, |fault| {
        let (game, reference) = (Digits(fault), Digits(Fault::None));
        let written = |position: &Vec<u8>| text(&reference, position);
        for position in positions() {
            let outcome = reference.outcome(&position);
            let expected = Expected {
                origin: "seed 1".to_owned(),
                text: written(&position),
                to_move: reference.to_move(&position),
                outcome: outcome.map(|outcome| (outcome.scores.as_slice().to_vec(), outcome.places)),
            };
            check_position(&game, &position, &expected);
            let listed: Vec<String> =
                if expected.outcome.is_some() { Vec::new() } else { (1..=9).map(|mv: u8| mv.to_string()).collect() };
            check_moves(&game, &position, &expected, &listed, usize::MAX, |mv| format!("{}{mv}", expected.text));
        }
        let texts = [">12", ">", "12", ">103", ">1234567891234"].map(String::from).into_iter();
        let n_accepted = check_acceptance(&game, texts, |text| reference.parse(text).ok(), written, |_, _, _| {});
        assert_eq!(n_accepted, 2);
    });
}
