//! What a game's own tests prove: counts of moves, laws, the search, the drawing.

use std::time::Duration;

use pentad_sdk::testing::contract::Contract;
use pentad_sdk::testing::{laws, layout, move_text, parse, perft, play, walk};
use pentad_sdk::{
    Layout as _, Limits, NeverStop, Reasons as _, Request, Resources, Ruleset as _, Search as _, Wdl, rng,
};

use super::ConnectFour;

/// 7^n up to six plies, because no file is full and no game over; in the seventh, seven
/// sequences would need a seventh disc in one file.
#[test]
fn moves_are_counted() {
    let rows = perft::rows::<ConnectFour>("perft 1 7\nperft 6 117649\nperft 7 823536\n", 120_000);
    rows.iter().for_each(perft::Row::check);
    assert!(rows.len() >= 2);
}

/// Texts, bytes, lists and the mirror image agree in random games.
#[test]
fn laws_hold_in_random_games() {
    let rules = ConnectFour;
    let mut positions = Vec::new();
    for seed in 0..200 {
        positions.extend(walk(&rules, rules.start(), &mut rng::Rng::new(seed)));
    }
    laws::check_texts_and_bytes(&rules, &positions);
    for position in positions.iter().step_by(7) {
        laws::check_list(&rules, position, &["a", "d", "h"]);
    }
}

/// A position from a client is refused with the field and the column.
#[test]
fn impossible_positions_are_refused() {
    for (text, message) in [
        ("7/7/7/7/7/7/7 r", "board: there are more than 6 ranks (column 12)"),
        ("7/7/7/7/7/8 r", "board: expected `r`, `y`, `1` to `7` or `/`, found '8' (column 11)"),
        ("7/7/7/7/3r3/7 y", "board: a disc lies on no other, or the numbers of discs are impossible (column 1)"),
        ("7/7/7/7/7/3r3 r", "side: it is the turn of Yellow (column 15)"),
    ] {
        assert_eq!(ConnectFour.parse(text).map_err(|refusal| refusal.to_string()), Err(message.to_owned()));
    }
}

/// The search finds a win in one, stops when it is cancelled, and does so with all of a
/// server's memory as with little.
#[test]
fn the_search_keeps_its_contract() {
    let rules = ConnectFour;
    let contract = Contract::of(&rules, "standard").with_memory(3 << 30);
    contract.check_nodes(&rules.start(), 5_000);
    contract.check_time(&rules.start(), Duration::from_millis(20));
    let three = parse(&rules, "7/7/7/7/yyy4/rrr4 r");
    let report = contract.search(&three, Limits { nodes: Some(1_000), ..Limits::default() }, 1);
    assert_eq!(move_text(&rules, &three, &report.lines[0].moves[0]), "d");
    assert_eq!((report.evaluation.outcome, report.evaluation.plies_to_end), (Some(Wdl::Win), Some(1)));
}

/// A winning move names the four, and a defence the cell.
#[test]
fn moves_are_explained() {
    let rules = ConnectFour;
    let mut context = rules.context(Resources { memory_bytes: 1 << 20, threads: 1 }).expect("it needs nothing");
    let mut explained = |text: &str| {
        let position = parse(&rules, text);
        let request = Request::new(Limits { nodes: Some(2_000), ..Limits::default() });
        let report = rules.search(&mut context, &position, &request, &NeverStop);
        let reason = rules.explain(&position, &report, 0).remove(0);
        (reason.code, reason.points.join(" "))
    };
    assert_eq!(explained("7/7/7/7/yyy4/rrr4 r"), ("wins", "a1 b1 c1 d1".to_owned()));
    assert_eq!(explained("7/7/7/7/6y/rrr3y y"), ("blocks", "d1".to_owned()));
}

/// The drawing is consistent, and a disc is where it fell.
#[test]
fn the_board_is_drawn() {
    let rules = ConnectFour;
    layout::check_board(&rules.board());
    let mut pieces = Vec::new();
    let position = ["d", "d", "a"].iter().fold(rules.start(), |position, mv| play(&rules, &position, mv));
    rules.pieces(&position, &mut |point, piece| pieces.push((rules.board().points[point].id.clone(), piece)));
    assert_eq!(pieces, [("a1".to_owned(), 0), ("d1".to_owned(), 0), ("d2".to_owned(), 1)]);
}
