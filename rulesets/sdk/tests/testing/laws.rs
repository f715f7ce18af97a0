use pentad_sdk::search::rng::Rng;
use pentad_sdk::testing::laws::{check_canonical, check_list, check_symmetries, check_texts_and_bytes, check_visitors};
use pentad_sdk::testing::layout::{check_board, pieces};
use pentad_sdk::testing::reference::{Expected, check_acceptance, check_moves, check_position};
use pentad_sdk::testing::{text, walk};
use pentad_sdk::{Layout, Ruleset};

use crate::catches;
use crate::digits::{Digits, Fault, LENGTH};

/// The positions of a random game.
fn positions() -> Vec<Vec<u8>> {
    let game = Digits(Fault::None);
    walk(&game, game.start(), &mut Rng::new(1))
}

/// Texts, bytes and lists that do not fit each other.
#[test]
fn texts_and_lists() {
    let faults = [
        (Fault::ForgetsDigits, "is read otherwise"),
        (Fault::SameBytes, "is read otherwise"),
        (Fault::Unsorted, "is not in order"),
        (Fault::WrongCount, "number of moves from \"\""),
        (Fault::WrongPrefix, "moves from \"3\""),
        (Fault::MissingText, "number of moves"),
        (Fault::NeverStops, "moves and texts seen"),
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

/// Symmetries that change the game.
#[test]
fn symmetries() {
    let faults = [
        (Fault::MovesSeats, "who is to move"),
        (Fault::LeadsElsewhere, "leads elsewhere"),
        (Fault::NoWayBack, "does not go back"),
        (Fault::WrongCanonical, "different canonical ones"),
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

/// Drawings with something out of place.
#[test]
fn drawings() {
    let faults = [
        (Fault::SameName, "the same name"),
        (Fault::Overlap, "overlap"),
        (Fault::Outside, "not inside the drawing"),
        (Fault::PiecesOutOfOrder, "not in order"),
    ];
    catches(&faults, |fault| {
        let game = Digits(fault);
        check_board(&game.board());
        assert_eq!(pieces(&game, &vec![7, 1, 7]), "7a 1b 7c");
    });
}

/// Rules that are not those of the twin, which here is the game without a fault.
#[test]
fn twins() {
    let faults = [
        (Fault::ForgetsDigits, "is read otherwise"),
        (Fault::OtherPlayer, "who is to move"),
        (Fault::OtherResult, "seed 1 >"),
        (Fault::Unsorted, "texts of moves"),
        (Fault::MissingText, "texts of moves"),
        (Fault::WrongCount, "as counted"),
        (Fault::LeadsElsewhere, ": 1"),
        (Fault::AcceptsNought, "only the rules accept it"),
    ];
    catches(&faults, |fault| {
        let (game, twin) = (Digits(fault), Digits(Fault::None));
        let written = |position: &Vec<u8>| text(&twin, position);
        for position in positions() {
            let outcome = twin.outcome(&position);
            let said = Expected {
                origin: "seed 1".to_owned(),
                text: written(&position),
                to_move: twin.to_move(&position),
                outcome: outcome.map(|outcome| (outcome.scores.as_slice().to_vec(), outcome.places)),
            };
            check_position(&game, &position, &said);
            let listed: Vec<String> =
                if said.outcome.is_some() { Vec::new() } else { (1..=9).map(|mv: u8| mv.to_string()).collect() };
            check_moves(&game, &position, &said, &listed, usize::MAX, |mv| format!("{}{mv}", said.text));
        }
        let texts = [">12", ">", "12", ">103", ">1234567891234"].map(String::from).into_iter();
        let n_accepted = check_acceptance(&game, texts, |text| twin.parse(text).ok(), written, |_, _, _| {});
        assert_eq!(n_accepted, 2);
    });
}
