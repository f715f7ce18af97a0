//! What only this game's author knows: counts of moves, results, the best move of a
//! position. The laws of every game are here, too, on positions of random games.

use std::time::Duration;

use pentad_sdk::testing::contract::Contract;
use pentad_sdk::testing::{laws, layout, move_text, parse, perft, walk};
use pentad_sdk::{Limits, Outcome, Ruleset as _, Wdl, rng};

use crate::Rules;

/// Sequences of moves from the start, as anybody can count them. Sources of such tables
/// are the best test of rules.
#[test]
fn moves_are_counted() {
    let rows = perft::rows::<Rules>(
        "perft 1 9\nperft 2 72\nperft 5 15120\nperft 6 54720\n",
        100_000,
    );
    rows.iter().for_each(perft::Row::check);
    assert_eq!(rows.len(), 4);
}

#[test]
fn laws_hold_in_random_games() {
    let rules = Rules;
    let mut positions = Vec::new();
    for seed in 0..100 {
        positions.extend(walk(&rules, rules.start(), &mut rng::Rng::new(seed)));
    }
    laws::check_texts_and_bytes(&rules, &positions);
    for position in positions.iter().step_by(5) {
        laws::check_list(&rules, position, &["a", "b2", "d"]);
        laws::check_symmetries(&rules, position, &mut rng::Rng::new(1));
    }
}

#[test]
fn three_in_a_row_win() {
    let rules = Rules;
    let row = parse(&rules, "bbb/ww1/3 w");
    assert_eq!(
        rules.outcome(&row),
        Some(Outcome::of_two(
            Some(0),
            "Black has three in a row".to_owned()
        ))
    );
    assert_eq!(rules.outcome(&parse(&rules, "bb1/ww1/3 b")), None);
}

/// An error names the part of the text, the column and what is expected there.
#[test]
fn impossible_positions_are_refused() {
    for (text, message) in [
        (
            "3/3/2x b",
            "board: expected `b`, `w`, `1` to `3` or `/`, found 'x' (column 6)",
        ),
        (
            "3/3/2b b",
            "board: the numbers of stones do not fit the side to move (column 1)",
        ),
        (
            "bbb/3/www w",
            "board: the numbers of stones do not fit the side to move (column 1)",
        ),
    ] {
        assert_eq!(
            Rules.parse(text).map_err(|refusal| refusal.to_string()),
            Err(message.to_owned())
        );
    }
}

#[test]
fn the_search_keeps_its_contract() {
    let rules = Rules;
    let contract = Contract::of(&rules, "standard");
    contract.check_nodes(&rules.start(), 5_000);
    contract.check_time(&rules.start(), Duration::from_millis(20));
    let position = parse(&rules, "bb1/ww1/3 b");
    let report = contract.search(
        &position,
        Limits {
            nodes: Some(1_000),
            ..Limits::default()
        },
        1,
    );
    assert_eq!(
        move_text(&rules, &position, &report.lines[0].moves[0]),
        "c1"
    );
    assert_eq!(
        (report.evaluation.outcome, report.evaluation.plies_to_end),
        (Some(Wdl::Win), Some(1))
    );
}

#[test]
fn the_drawing_is_consistent() {
    use pentad_sdk::Layout as _;
    layout::check_board(&Rules.board());
}
