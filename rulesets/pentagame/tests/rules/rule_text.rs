//! Every rule of `RULES.md`, on a position made for it. Numbers are those of its
//! section "Rules".

use pentad_sdk::testing::rule_text::check_refused_position;
use pentad_sdk::testing::{move_texts, play};
use pentad_sdk::{RefusalKind, Ruleset};
use pentagame::Pentagame;

use crate::support::{all_rules, parse, rules, text};

const START: &str = "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -";

/// Asserts that a move is legal and leads to a position.
fn assert_plays(variant: &str, from: &str, mv: &str, to: &str) {
    let game = rules(variant);
    let next = play(&game, &parse(&game, from), mv);
    assert_eq!(text(&game, &next), to, "{mv} in {from}");
}

/// Asserts that a move is illegal and not listed, and that the refusal says why.
fn assert_illegal(variant: &str, from: &str, mv: &str, why: &str) {
    let game = rules(variant);
    let refusal = game.parse_move(&parse(&game, from), mv).expect_err(mv);
    assert_eq!(refusal.kind, RefusalKind::Illegal, "{mv} in {from}: {refusal}");
    assert!(refusal.message.contains(why), "{mv} in {from}: {refusal}");
    assert!(!move_texts(&game, &parse(&game, from), "").contains(&mv.to_owned()), "{mv} in {from} is listed");
}

/// Position.
#[test]
fn start_positions() {
    assert_eq!(text(&rules("2p"), &rules("2p").start()), START);
    let four = "A,B,C,D,E/A,B,C,D,E/A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -";
    assert_eq!(text(&rules("4p"), &rules("4p").start()), four);
}

/// Rule 1.
#[test]
fn figures_go_as_far_as_they_please() {
    assert_plays("2p", START, "a-A3c", "A3c,B,C,D,E/A,B,C,D,E a,b,c,d,e - 2 -");
    assert_plays("2p", START, "a-A1B", "A1B,B,C,D,E/A,B,C,D,E a,b,c,d,e - 2 -");
    // Around corners and crossings: c and d are free, so A reaches the middle.
    let open = "A,B,C,D,E/A,B,C,D,E A1B,A2B,A3B,B1C,B2C - 1 -";
    assert_plays("2p", open, "a-D5a", "D5a,B,C,D,E/A,B,C,D,E A1B,A2B,A3B,B1C,B2C - 2 -");
}

/// Rule 1.
#[test]
fn nothing_is_jumped_over() {
    assert_illegal("2p", START, "a-B1C", "cannot reach");
    assert_illegal("2p", START, "a-c1d", "cannot reach");
    let own = "A,A2c,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -";
    assert_illegal("2p", own, "a-A3c", "cannot reach");
    assert_plays("2p", own, "a-A1c", "A1c,A2c,C,D,E/A,B,C,D,E a,b,c,d,e - 2 -");
}

/// Rule 1.
#[test]
fn a_turn_ends_elsewhere() {
    assert_illegal("2p", START, "a-A", "must end elsewhere");
    assert_illegal("2p", START, "a-A=2a", "must end elsewhere");
}

/// Rule 2.
#[test]
fn black_blocks_are_put_anywhere_free() {
    assert_plays("2p", START, "a-c@A2B", "c,B,C,D,E/A,B,C,D,E a,b,d,e,A2B - 2 -");
    assert_illegal("2p", START, "a-c", "say where the black block");
    assert_illegal("2p", START, "a-c@c", "c is not free");
    assert_illegal("2p", START, "a-c@a", "a is not free");
    // The origin is free only if nothing is left there.
    assert_illegal("2p", START, "a-c@A", "A is not free");
    assert_plays("2p", "A1c,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -", "a-c@A1c", "c,B,C,D,E/A,B,C,D,E a,b,d,e,A1c - 2 -");
    assert_illegal("2p", START, "a-A1c@A2c", "no black block");
}

/// Rule 2.
#[test]
fn grey_blocks_leave_the_board() {
    let grey = "A,*,C,D,E/A,B,C,D,E a,b,c,d,e A4c 1 -";
    assert_plays("2p", grey, "a-A4c", "A4c,*,C,D,E/A,B,C,D,E a,b,c,d,e - 2 -");
    assert_illegal("2p", grey, "a-A4c@A1B", "no black block");
    assert_illegal("2p", grey, "a-A5c", "cannot reach");
}

/// Rule 3.
#[test]
fn swaps_name_the_other_figure() {
    assert_plays("2p", START, "a-B=2b", "B,B,C,D,E/A,A,C,D,E a,b,c,d,e - 2 1a2b");
    assert_plays("2p", START, "a-B=1b", "B,A,C,D,E/A,B,C,D,E a,b,c,d,e - 2 1a1b");
    assert_illegal("2p", START, "a-B", "name the figure");
    assert_illegal("2p", START, "a-B=2c", "does not stand on B");
    assert_illegal("2p", START, "a-A1B=2a", "no figure on A1B");
    // The figure is named even if only one stands there.
    let alone = "A,B,C,D,E/A1c,B,C,D,E a,b,c,d,e - 1 -";
    assert_illegal("2p", alone, "a-A1c", "name the figure");
    assert_plays("2p", alone, "a-A1c=2a", "A1c,B,C,D,E/A,B,C,D,E a,b,c,d,e - 2 1a2a");
}

/// Rule 4.
#[test]
fn a_figure_on_its_goal_is_out() {
    let near = "A,B,C,c3d,E/A,B,C,D,E a,b,c,d,e - 1 -";
    assert_plays("2p", near, "d-d@A1B+C2D", "A,B,C,*,E/A,B,C,D,E a,b,c,e,A1B C2D 2 -");
    // The goal just left is free for the grey block, not for the black one.
    assert_plays("2p", near, "d-d@A1B+d", "A,B,C,*,E/A,B,C,D,E a,b,c,e,A1B d 2 -");
    assert_plays("2p", near, "d-d@c3d+d", "A,B,C,*,E/A,B,C,D,E a,b,c,e,c3d d 2 -");
    assert_illegal("2p", near, "d-d@d+A1B", "d is not free");
    assert_illegal("2p", near, "d-d@A1B+A1B", "A1B is not free");
    assert_illegal("2p", near, "d-d@A1B", "put one grey block");
    assert_illegal("2p", near, "d-d@A1B+C2D+C3D", "put one grey block");
    assert_illegal("2p", near, "d-d@A1B+C1D+C2D+C3D", "put one grey block");
    assert_illegal("2p", near, "d-c3d", "must end elsewhere");
    assert_illegal("2p", near, "d-c2d+A1B", "no figure moves out");
    let free = "A,B,C,c3d,E/A,B,C,D,E a,b,c,A1B,e - 1 -";
    assert_plays("2p", free, "d-d+C2D", "A,B,C,*,E/A,B,C,D,E a,b,c,e,A1B C2D 2 -");
    // A grey block on the goal is beaten first.
    let grey = "A,*,C,c3d,E/A,B,C,D,E a,b,c,A1B,e d 1 -";
    assert_plays("2p", grey, "d-d+d", "A,*,C,*,E/A,B,C,D,E a,b,c,e,A1B d 2 -");
}

/// Rules 4 and 5.
#[test]
fn swaps_bring_figures_out() {
    // Onto the goal, by swapping with another player's figure.
    let other = "A,B,C,c3d,E/A,B,C,d,E a,b,c,A1B,e - 1 -";
    assert_plays("2p", other, "d-d=2d+C2D", "A,B,C,*,E/A,B,C,c3d,E a,b,c,e,A1B C2D 2 1d2d");
    // The player's figure that is swapped to its goal goes out, the moving one does not.
    let own = "A,B,C,c3d,d/A,B,C,D,E a,b,c,A1B,e - 1 -";
    assert_plays("2p", own, "e-c3d=1d+C2D", "A,B,C,*,c3d/A,B,C,D,E a,b,c,e,A1B C2D 2 1d1e");
    // Another player's figure that comes to its goal stays there.
    let stays = "A,B,C,d,E/A,B,C,c3d,E a,b,c,A1B,A2B - 1 -";
    assert_illegal("2p", stays, "d-c3d=2d", "must move out");
    let stays = "d,B,C,D,E/A,B,C,c3d,E a,b,c,A1B,e - 1 -";
    assert_plays("2p", stays, "a-c3d=2d", "c3d,B,C,D,E/A,B,C,d,E a,b,c,e,A1B - 2 1a2d");
}

/// Rule 4.
#[test]
fn two_figures_move_out_at_once() {
    let both = "A,B,C,e,d/A,B,C,D,E a,b,c,A1B,A2B - 1 -";
    assert_plays("2p", both, "d-d=1e+C1D+C2D", "A,B,C,*,*/A,B,C,D,E a,b,c,A1B,A2B C1D,C2D 2 1d1e");
    assert_plays("2p", both, "d-d=1e+e+d", "A,B,C,*,*/A,B,C,D,E a,b,c,A1B,A2B d,e 2 1d1e");
    assert_illegal("2p", both, "d-d=1e+C1D", "two figures move out");
    assert_illegal("2p", both, "d-d=1e+C1D+C1D", "C1D is not free");
    // Each order is a move of its own: n × (n - 1) for n free stops.
    let game = rules("2p");
    assert_eq!(game.count_moves(&parse(&game, both), "d-d=1e"), 90 * 89);
    // One waits outside: the second is moved, and may be the one just put.
    let one = "*,*,C,e,d/*,*,C,D,E a,b,c,A1B,A2B B1C,B2C,B3C,C1D 1 -";
    assert_plays("2p", one, "d-d=1e+E1b+E1b>E2b", "*,*,C,*,*/*,*,C,D,E a,b,c,A1B,A2B B1C,B2C,B3C,C1D,E2b 2 1d1e");
    assert_illegal("2p", one, "d-d=1e+E1b+E2b", "no grey block is left outside");
    assert_illegal("2p", one, "d-d=1e+B1C>E1b+E2b", "waits outside");
    let n = 100 - 3 - 5 - 4;
    assert_eq!(game.count_moves(&parse(&game, one), "d-d=1e"), n * 5 * (n - 1));
    // None waits outside: the second may take the stop that the first leaves.
    let none = "*,*,C,e,d/*,*,*,D,E a,b,c,A1B,A2B B1C,B2C,B3C,C1D,C2D 1 -";
    assert!(game.parse(none).is_ok_and(|position| position.is_over()), "player 2 has three out");
    let none = "*,*,*,D,E/*,*,C,e,d a,b,c,A1B,A2B B1C,B2C,B3C,C1D,C2D 2 -";
    assert_plays("2p", none, "d-d=2e+B1C>E1b+B2C>B1C", "*,*,*,D,E/*,*,C,*,* a,b,c,A1B,A2B B1C,B3C,C1D,C2D,E1b 1 2d2e");
    let n = 100 - 3 - 5 - 5;
    assert_eq!(game.count_moves(&parse(&game, none), "d-d=2e"), 25 * n * n);
}

/// Rule 4.
#[test]
fn a_grey_block_is_moved_if_none_is_left_outside() {
    let none = "*,*,C,c3d,E/*,*,A,D,E a,b,c,A1B,e B1C,B2C,B3C,C1D 1 -";
    assert_illegal("2p", none, "d-d+B1C>C2D", "waits outside");
    let none = "*,*,*,D,E/*,*,C,c3d,E a,b,c,A1B,e B1C,B2C,B3C,C1D,C2D 2 -";
    assert_plays("2p", none, "d-d+B1C>C3D", "*,*,*,D,E/*,*,C,*,E a,b,c,e,A1B B2C,B3C,C1D,C2D,C3D 1 -");
    assert_illegal("2p", none, "d-d+C3D", "no grey block is left outside");
    assert_illegal("2p", none, "d-d+A1E>C3D", "no grey block on A1E");
    assert_illegal("2p", none, "d-d+B1C>B1C", "B1C is not free");
    assert_illegal("2p", none, "d-d+B1C>B2C", "B2C is not free");
    assert_plays("2p", none, "d-d+B1C>d", "*,*,*,D,E/*,*,C,*,E a,b,c,e,A1B d,B2C,B3C,C1D,C2D 1 -");
}

/// Rule 5.
#[test]
fn a_figure_brought_to_its_goal_must_move_out() {
    let brought = "A,B,C,d,E/A,B,C,D,E a,b,c,A1B,e - 1 -";
    assert_plays("2p", brought, "d!+C2D", "A,B,C,*,E/A,B,C,D,E a,b,c,e,A1B C2D 2 -");
    assert_plays("2p", brought, "d!+d", "A,B,C,*,E/A,B,C,D,E a,b,c,e,A1B d 2 -");
    assert_illegal("2p", brought, "a-A1c", "must move out");
    assert_illegal("2p", brought, "a!+C2D", "must move out");
    assert_illegal("2p", brought, "d-d1e", "must move out");
    assert_illegal("2p", brought, "d!", "put one grey block");
    assert_illegal("2p", brought, "d!@A2B+C2D", "no black block");
    assert_illegal("2p", START, "a!+C2D", "does not stand on its goal");
    // One of two is chosen; the other follows in the next turn.
    let two = "A,B,c,d,E/A,B,C,D,E a,b,A2B,A1B,e - 1 -";
    let game = rules("2p");
    assert_eq!(game.count_moves(&parse(&game, two), "c!"), game.count_moves(&parse(&game, two), "d!"));
    assert_eq!(game.count_moves(&parse(&game, two), ""), 2 * game.count_moves(&parse(&game, two), "d!"));
    assert_plays("2p", two, "c!+C2D", "A,B,*,d,E/A,B,C,D,E a,b,e,A1B,A2B C2D 2 -");
    // Another player's figure on its goal forces nothing.
    let others = "A,B,C,D,E/A,B,C,d,E a,b,c,A1B,e - 1 -";
    assert_plays("2p", others, "a-A1c", "A1c,B,C,D,E/A,B,C,d,E a,b,c,e,A1B - 2 -");
}

/// Rule 6.
#[test]
fn ko_forbids_swapping_back() {
    let ko = "B,B,C,D,E/A,A,C,D,E a,b,c,d,e - 2 1a2b";
    assert_illegal("2p", ko, "b-B=1a", "may not be swapped back");
    assert_plays("2p", ko, "b-B=1b", "B,A,C,D,E/A,B,C,D,E a,b,c,d,e - 1 1b2b");
    assert_plays("2p", ko, "a-A1E", "B,B,C,D,E/A1E,A,C,D,E a,b,c,d,e - 1 -");
    // Any player: with three players, the next one owns neither of the two.
    let three = "B,B,C,D,E/A,A,C,D,E/A,B,C,D,E a,b,c,d,e - 2 1a2b";
    assert_illegal("3p", three, "b-B=1a", "may not be swapped back");
    // The ko is written even if a figure went out with the swap.
    let out = "A,B,C,c3d,E/A,B,C,d,E a,b,c,A1B,e - 1 -";
    assert_plays("2p", out, "d-d=2d+C2D", "A,B,C,*,E/A,B,C,c3d,E a,b,c,e,A1B C2D 2 1d2d");
}

/// Rule 7.
#[test]
fn passing_needs_a_lack_of_moves() {
    for game in all_rules() {
        let refusal = game.parse_move(&game.start(), "pass").unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::Illegal);
        assert!(refusal.message.contains("without a legal move"), "{refusal}");
    }
}

/// Rule 8.
#[test]
fn the_round_is_played_to_its_end() {
    let game = rules("2p");
    // Player 1 has three out, and player 2 has a turn left.
    let last = parse(&game, "*,*,*,D,E/*,*,C,c3d,E A1B,A2B,A3B,B1C,B2C - 2 -");
    assert!(game.outcome(&last).is_none());
    let lost = play(&game, &last, "c-C1D");
    let outcome = game.outcome(&lost).unwrap();
    assert_eq!((outcome.scores.as_slice(), outcome.places), (&[1.0, 0.0][..], vec![1, 2]));
    assert_eq!(outcome.text, "Player 1 has three figures out and wins.");
    let shared = play(&game, &last, "d-d+C1D");
    let outcome = game.outcome(&shared).unwrap();
    assert_eq!((outcome.scores.as_slice(), outcome.places), (&[0.5, 0.5][..], vec![1, 1]));
    assert!(outcome.text.contains("share the win"), "{}", outcome.text);
    let refusal = game.parse_move(&shared, "d-D1E").unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::GameOver);
    assert_eq!(game.count_moves(&shared, ""), 0);
    // The last player of a round wins at once.
    let won = play(&game, &parse(&game, "A,B,C,D,E/*,*,C,c3d,E a,b,c,A1B,e - 2 -"), "d-d+C1D");
    assert_eq!(game.outcome(&won).unwrap().scores.as_slice(), [0.0, 1.0]);
}

/// Rule 8.
#[test]
fn three_and_four_players_share_wins() {
    let three = rules("3p");
    let over = parse(&three, "*,*,*,D,E/A,B,C,D,E/*,*,*,*,E a,b,c,d,e - 1 -");
    let outcome = three.outcome(&over).unwrap();
    assert_eq!((outcome.scores.as_slice(), outcome.places), (&[0.5, 0.0, 0.5][..], vec![1, 3, 1]));
    let four = rules("4p");
    let over = parse(&four, "*,*,*,D,E/*,*,*,D,E/*,*,*,*,E/A,B,C,D,E a,b,c,d,e - 1 -");
    let outcome = four.outcome(&over).unwrap();
    let third = 1.0 / 3.0;
    assert_eq!((outcome.scores.as_slice(), outcome.places), (&[third, third, third, 0.0][..], vec![1, 1, 1, 4]));
    assert!(four.outcome(&parse(&four, "*,*,*,D,E/A,B,C,D,E/A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 3 -")).is_none());
}

/// Position, Move: aliases and unsorted lists are parsed and written in canonical
/// form.
#[test]
fn aliases_are_accepted() {
    let game = rules("2p");
    for (alias, canonical) in [
        ("B3A,B,C,D,E/A,B,C,D,E e,d,c,b,a - 1 -", "A1B,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -"),
        ("c1A,B,C,D,E/A,B,C,D,E E1A,b,c,d,e1a - 1 -", "A6c,B,C,D,E/A,B,C,D,E b,c,d,A3E,a3e - 1 -"),
        ("A,*,C,D,E/A,*,C,D,E e,d,c,b,a b3a,B2A 1 -", "A,*,C,D,E/A,*,C,D,E a,b,c,d,e A2B,a1b 1 -"),
    ] {
        assert_eq!(text(&game, &parse(&game, alias)), canonical);
    }
    let start = game.start();
    for (alias, canonical) in [("a-B3A", "a-A1B"), ("a-c@B2A", "a-c@A2B"), ("a-c1A", "a-A6c")] {
        assert_eq!(game.parse_move(&start, alias).unwrap().text(), canonical);
    }
}

/// Position: refused texts, with field and column.
#[test]
fn malformed_positions_are_refused() {
    let cases: &[(&str, &str, &str, Option<usize>)] = &[
        ("2p", "", "figures", Some(1)),
        ("2p", "A,B,C,D,E", "figures", Some(10)),
        ("2p", "A,B,C,D/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(8)),
        ("2p", "A,B,C,D,E,A/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(10)),
        ("2p", "A,B,C,D,E/A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(20)),
        ("2p", "A,B,C,D,x/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(9)),
        ("2p", "A4B,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(2)),
        ("2p", "A1C,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(1)),
        ("2p", "A1,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(3)),
        ("2p", "A1B,A1B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(5)),
        ("2p", "A,A,A,D,E/A,B,C,D,E a,b,c,d,e - 1 -", "figures", Some(5)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d - 1 -", "black", Some(28)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e,A1B - 1 -", "black", Some(31)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,d - 1 -", "black", Some(29)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,A - 1 -", "black", Some(29)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e A1B 1 -", "grey", Some(31)),
        ("2p", "*,B,C,D,E/A,B,C,D,E a,b,c,d,e e 1 -", "grey", Some(31)),
        ("2p", "*,*,*,*,E/*,*,C,D,E a,b,c,d,e A1B,A2B,A3B,B1C,B2C,B3C 1 -", "grey", Some(51)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 3 -", "to-move", Some(33)),
        ("2p", "A,B,C,D,E/*,*,*,D,E a,b,c,d,e - 2 -", "to-move", Some(33)),
        ("3p", "A,B,C,D,E/A,B,C,D,E/*,*,*,D,E a,b,c,d,e - 2 -", "to-move", Some(43)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1", "ko", Some(34)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 x", "ko", Some(35)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 1a", "ko", Some(37)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 2b1a", "ko", Some(37)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 2a2a", "ko", Some(37)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 1a1b", "ko", Some(35)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 1a3b", "ko", Some(37)),
        ("2p", "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 - ", "ko", Some(36)),
        ("2p", "A,B,C,D,E/A,B,C,D,E  a,b,c,d,e - 1 -", "black", Some(21)),
    ];
    for &(variant, text, field, column) in cases {
        check_refused_position(&rules(variant), text, field, column, "");
    }
}

/// Position: accepted texts that are close to the refused ones.
#[test]
fn unusual_positions_are_accepted() {
    for (variant, text) in [
        ("2p", "A,A,C,D,E/B,B,C,D,E a,b,c,d,e - 1 -"),
        ("2p", "*,*,*,D,E/A,B,C,D,E a,b,c,d,e - 2 -"),
        ("2p", "*,*,*,*,E/*,*,*,D,E a,b,c,d,e A1B,A2B,A3B,B1C,B2C 1 -"),
        ("3p", "*,*,*,D,E/A,B,C,D,E/A,B,C,D,E a,b,c,d,e A1B,A2B,A3B 3 1a2c"),
        ("4p", "A,A,A,D,E/A,B,C,D,E/A1B,B,C,D,E/A2B,B,C,D,E a,b,c,d,e - 1 1a4b"),
    ] {
        let parsed = rules(variant).parse(text);
        assert!(parsed.is_ok(), "{text}: {parsed:?}");
    }
}

/// Move: malformed moves are refused at the first character that does not fit.
#[test]
fn malformed_moves_are_refused() {
    let game = rules("2p");
    for (mv, column) in [
        ("", 1),
        ("x", 1),
        ("f-A", 1),
        ("a", 2),
        ("a+", 2),
        ("a-", 3),
        ("a-x", 3),
        ("a-A1", 5),
        ("a-A1C", 3),
        ("a-A9B", 4),
        ("a-B=", 5),
        ("a-B=3b", 5),
        ("a-B=2x", 6),
        ("a-c@", 5),
        ("a-c@A2B+", 9),
        ("a-c@A2B+C1D>", 13),
        ("a-c@A2B ", 8),
        ("a-c@A2B@A3B", 8),
        ("a-A1Bé", 6),
        ("pas", 1),
        ("pass ", 1),
        ("A-A1B", 1),
    ] {
        let refusal = game.parse_move(&game.start(), mv).expect_err(mv);
        assert_eq!(
            (refusal.kind, refusal.field, refusal.column),
            (RefusalKind::Malformed, "move", Some(column)),
            "{mv}"
        );
    }
}

/// Variants.
#[test]
fn variants_are_two_to_four_players() {
    let variants = Pentagame::variants();
    let ids: Vec<_> = variants.iter().map(|variant| (variant.id, variant.seats.len())).collect();
    assert_eq!(ids, [("2p", 2), ("3p", 3), ("4p", 4)]);
}
