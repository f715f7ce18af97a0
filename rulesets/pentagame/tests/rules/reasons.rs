//! The reasons given for moves are true.

use pentad_sdk::search::rng::Rng;
use pentad_sdk::testing::contract::nodes;
use pentad_sdk::{Reason, Reasons, Ruleset};

use crate::support::{all_rules, contract, parse, racing_move, rules, text};

fn explain(variant: &str, from: &str, mv: &str) -> Vec<Reason> {
    let game = rules(variant);
    let position = parse(&game, from);
    let report = contract(&game).search_only(&position, nodes(2_000), &[mv]);
    game.explain(&position, &report, 0)
}

/// Asserts that a short search of one move gives a reason with this code, whose
/// text contains `words`.
fn assert_reason(variant: &str, from: &str, mv: &str, code: &str, words: &str) {
    let reasons = explain(variant, from, mv);
    let found = reasons.iter().find(|reason| reason.code == code);
    let found = found.unwrap_or_else(|| panic!("{mv} in {from}: no {code} in {reasons:?}"));
    assert!(found.text.contains(words), "{mv} in {from}: {found:?}");
}

const START: &str = "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -";

#[test]
fn game_ends_are_explained() {
    let last = "A,B,C,D,E/*,*,C,c3d,E a,b,c,A1B,e - 2 -";
    assert_reason("2p", last, "d-d+C1D", "wins_now", "wins the game");
    let shared = "*,*,*,D,E/*,*,C,c3d,E a,b,c,A1B,e - 2 -";
    assert_reason("2p", shared, "d-d+C1D", "shares_now", "shares the win");
    assert_reason("2p", shared, "c-C1D", "loses_now", "another player has three");
    let race = "*,*,C,c3d,E/*,*,C,D,E a,b,c,A1B,e - 1 -";
    assert_reason("2p", race, "d-d+d", "wins_race", "player 2 cannot do the same");
    assert_reason("2p", race, "d-d+d", "moves_out", "3 of 3");
}

#[test]
fn losses_are_explained() {
    let threatened = "A,B,C,D,E/*,*,C,c3d,E a,b,c,A1B,e - 1 -";
    assert_reason("2p", threatened, "a-A1E", "loses_to", "third figure of player 2");
    assert_reason("3p", "A,B,C,D,E/A,B,C,D,E/*,*,C,c3d,E a,b,c,A1B,e - 2 -", "a-A1E", "loses_to", "d-d+");
}

#[test]
fn moves_are_explained() {
    assert_reason("2p", START, "a-d@A1E", "advances", "needs 2 moves instead of 3");
    assert_reason("2p", "A,B,C,d,E/A,B,C,D,E a,b,c,A1B,e - 1 -", "d!+C2D", "forced_out", "brought to its goal");
    let both = "A,B,C,e,d/A,B,C,D,E a,b,c,A1B,A2B - 1 -";
    assert_reason("2p", both, "d-d=1e+C1D+C2D", "moves_out", "yellow and the green figure out at once: 2 of 3");
    // Player 2's yellow figure has one free path to its goal.
    let near = "A,B,C,D,E/A,B,C,d2e,E a,b,c,A1B,e - 1 -";
    assert_reason("2p", near, "a-c@d1e", "blocks_path", "yellow figure of player 2, which needs 2 moves instead of 1");
    let swap = "A,B,C,D,E/A,B,C,A4d,E a,b,c,A1B,e - 1 -";
    assert_reason("2p", swap, "a-A4d=2d", "swaps_back", "yellow figure of player 2 back: 2 moves");
    // White stands on e, and red between it and its goal a.
    let narrow = "e,B,a2e,D,E/A,B,C,D,E b,A1B,d,C3a,A2B - 1 -";
    assert_reason("2p", narrow, "c-D3a", "frees_path", "way of the white figure: 1 move instead of 2");
}

#[test]
fn only_moves_are_explained() {
    // Player 2's red figure is one free move from its goal, and nothing but
    // swapping it away stops it.
    let threatened = "a2e,B,*,c2d,*/*,*,A6c,C,A2E C4a,E4c,a1e,c3d,d2e a,d,D4a 1 -";
    assert_reason("2p", threatened, "b-A6c=2c", "only_move", "Every other move loses");
    assert!(explain("2p", START, "a-A1B").iter().all(|reason| reason.code != "only_move"));
}

/// Every move gets a reason; codes are documented ones, points are stops.
#[test]
fn every_move_has_reasons() {
    const CODES: &str = "wins_now shares_now loses_now wins_race loses_to forced_win only_move forced_out moves_out \
        blocks_path swaps_back frees_path advances improves";
    for game in all_rules() {
        let mut rng = Rng::new(9);
        let mut position = game.start();
        for _ in 0..30 {
            if position.is_over() {
                position = game.start();
            }
            let report = contract(&game).search(&position, nodes(600), 4);
            for line_idx in 0..report.lines.len() {
                let reasons = game.explain(&position, &report, line_idx);
                assert!(!reasons.is_empty(), "{}", text(&game, &position));
                for reason in &reasons {
                    assert!(CODES.split(' ').any(|code| code == reason.code), "{reason:?}");
                    assert!(reason.text.ends_with('.') && reason.text.len() > 20, "{reason:?}");
                    let is_stop = |id: &String| pentagame::Stop::all().any(|stop| stop.name() == id);
                    assert!(reason.points.iter().all(is_stop), "{reason:?}");
                }
            }
            position = game.play(&position, &racing_move(&game, &position, &mut rng));
        }
    }
}
