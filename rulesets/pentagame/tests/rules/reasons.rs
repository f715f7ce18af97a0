//! The reasons given for moves are true.

use std::collections::{BTreeSet, VecDeque};

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::nodes;
use pentad_sdk::testing::reasons::{Claim, ReasonChecker, ReferencePosition};
use pentad_sdk::{Reason, Reasons, Ruleset};
use pentagame::Pentagame;

use crate::reference::{MAP, ReferenceGame};
use crate::support::{all_rules, contract, parse, racing_move, random_position, rules, text};

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
    // Player 2's red figure is one free move from its goal, and only swapping it
    // away stops it.
    let threatened = "a2e,B,*,c2d,*/*,*,A6c,C,A2E C4a,E4c,a1e,c3d,d2e a,d,D4a 1 -";
    assert_reason("2p", threatened, "b-A6c=2c", "only_move", "Every other move loses");
    assert!(explain("2p", START, "a-A1B").iter().all(|reason| reason.code != "only_move"));
}

impl ReferencePosition for ReferenceGame {
    fn to_move(&self) -> usize {
        self.to_move
    }

    fn final_scores(&self) -> Option<Vec<f64>> {
        self.outcome().map(|(scores, _)| scores)
    }

    fn legal_moves(&self) -> Vec<String> {
        self.legal()
    }

    fn after(&self, mv: &str) -> Self {
        self.play(mv)
    }

    fn with_turn_of(&self, seat: usize) -> Self {
        ReferenceGame { to_move: seat, ko: None, ..self.clone() }
    }
}

/// On positions of races and on random ones, every reason holds by the reference, and
/// every code occurs.
#[test]
fn reasons_are_true() {
    let mut seen = BTreeSet::new();
    for game in all_rules() {
        let mut checker = ReasonChecker::new(&game);
        let mut rng = Rng::new(9);
        let mut race = game.start();
        for i in 0..1_000 / all_rules().count() + 1 {
            race = if race.is_over() { game.start() } else { game.play(&race, &racing_move(&game, &race, &mut rng)) };
            let random = random_position(&game, &mut rng);
            let position = if i % 2 == 0 || race.is_over() { random } else { race };
            if position.is_over() {
                continue;
            }
            let report = contract(&game).search(&position, nodes(60), 3);
            let reference = ReferenceGame::parse(game.n_seats(), &text(&game, &position)).unwrap();
            checker.check(&game, &position, &report, &reference, judge);
        }
        seen.extend(checker.codes().keys().copied());
    }
    // Wins of three plies and more are rare in such positions.
    for code in Pentagame::CODES.iter().map(|known| known.code).filter(|code| *code != "forced_win") {
        assert!(seen.contains(code), "no {code}");
    }
}

/// Judges the codes that this game has beyond the shared ones.
fn judge(claim: &Claim<'_, ReferenceGame>) -> Option<bool> {
    let (before, after, mover) = (claim.before, claim.after, claim.mover);
    let is_out = |reference: &ReferenceGame, figure| reference.find(figure).is_none();
    let own = || (0..5).map(move |colour| (mover, colour));
    let moved = (mover, "abcde".find(&claim.mv[..1]).unwrap_or(5));
    let swapped = claim
        .mv
        .split(['=', '+', '@'])
        .nth(1)
        .filter(|_| claim.mv.contains('='))
        .map(|name| (name[..1].parse::<usize>().unwrap() - 1, "abcde".find(&name[1..]).unwrap()));
    // The figure and player that the sentence names, and its two numbers.
    let figure = COLOUR_NAMES.iter().position(|name| claim.says(&format!(" {name} figure")));
    let number = claim.reason.text.split_once("player ").and_then(|(_, rest)| rest[..1].parse::<usize>().ok());
    let player = number.map_or(mover, |number| number - 1);
    let needs = |figure| (moves_needed(before, figure), moves_needed(after, figure));
    let says_needs = |figure: (usize, usize)| {
        let (was, is) = needs(figure);
        let moves = if is == 1 { "1 move".to_owned() } else { format!("{is} moves") };
        claim.says(&moves) && claim.says(&format!("instead of {was}."))
    };
    Some(match claim.reason.code {
        "wins_race" => {
            let replies = after.legal();
            after.n_out(mover) >= 3 && replies.iter().all(|reply| after.play(reply).is_won_by(mover))
        }
        "loses_to" if claim.says("at once") => {
            let next = after.play(claim.reason.text.split([' ', ',']).nth(5)?);
            next.final_scores().is_some_and(|scores| scores[mover] == 0.0)
        }
        "only_move" => {
            let others: Vec<ReferenceGame> = before.legal().iter().map(|mv| before.play(mv)).collect();
            // Checking all of them would take minutes.
            let mut sample = others.iter().filter(|next| *next != after).step_by(others.len() / 12 + 1);
            !loses_this_round(after, mover) && sample.all(|next| loses_this_round(next, mover))
        }
        "forced_out" => before.find((mover, figure?)) == Some(5 + figure?) && is_out(after, (mover, figure?)),
        "moves_out" => {
            let out = own().filter(|&figure| is_out(after, figure) && !is_out(before, figure)).count();
            let named = COLOUR_NAMES.iter().filter(|name| claim.says(&format!("the {name} "))).count();
            out == named && out > 0 && claim.says(&format!("{} of 3", after.n_out(mover)))
        }
        "blocks_path" => {
            let figure = (player, figure?);
            let (was, is) = needs(figure);
            player != mover && is > was && says_needs(figure)
        }
        "swaps_back" => {
            let figure = (player, figure?);
            swapped == Some(figure) && player != mover && needs(figure).1 > needs(figure).0 && says_needs(figure)
        }
        "advances" => {
            let figure = (mover, figure?);
            let is_moved = figure == moved || swapped == Some(figure);
            is_moved && needs(figure).1 < needs(figure).0 && says_needs(figure)
        }
        "frees_path" => {
            let figure = (mover, figure?);
            let has_stayed = figure != moved && swapped != Some(figure);
            has_stayed && needs(figure).1 < needs(figure).0 && says_needs(figure)
        }
        _ => return None,
    })
}

/// Returns whether the opponent has a move after which the mover ends without a point,
/// at once or whatever the mover plays last.
fn loses_this_round(next: &ReferenceGame, mover: usize) -> bool {
    let is_lost = |end: &ReferenceGame| end.final_scores().is_some_and(|scores| scores[mover] == 0.0);
    let mut replies = next.legal().into_iter().map(|reply| next.play(&reply));
    replies.any(|end| {
        let may_answer = end.outcome().is_none() && end.n_out(1 - mover) >= 3;
        is_lost(&end) || may_answer && end.legal().iter().all(|answer| is_lost(&end.play(answer)))
    })
}

const COLOUR_NAMES: [&str; 5] = ["white", "blue", "red", "yellow", "green"];

/// Returns one more than the fewest occupied stops between a figure and its goal.
fn moves_needed(reference: &ReferenceGame, figure: (usize, usize)) -> usize {
    let (Some(from), goal) = (reference.find(figure), 5 + figure.1) else { return 0 };
    let mut fewest = vec![usize::MAX; 100];
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((stop, n)) = queue.pop_front() {
        if n >= fewest[stop] {
            continue;
        }
        fewest[stop] = n;
        for &next in &MAP.neighbours[stop] {
            let pieces = &reference.board[next];
            let is_occupied = !pieces.figures.is_empty() || pieces.black || pieces.grey;
            queue.push_back((next, n + usize::from(is_occupied && next != goal)));
        }
    }
    1 + fewest[goal]
}
