use std::collections::HashMap;

use pentad_sdk::rng::Rng;
use pentad_sdk::{Certainty, Limits, Ruleset, StopReason, Wdl};
use pentago::{Pentago, Position};

use crate::harness::{depth, nodes, outcome_within, search};
use crate::support::{all_rules, check_czech_reply, minimax, moves, random_position, text};

/// Without limits the search proves the minimax value of late positions, and its
/// move keeps that value.
#[test]
fn late_positions_are_solved() {
    for game in all_rules() {
        let mut rng = Rng::new(41);
        for i in 0..160 {
            let n_marbles = if i < 8 {
                29
            } else if i < 40 {
                30 + i % 2
            } else {
                32 + i % 4
            };
            let position = random_position(&game, &mut rng, n_marbles);
            let mut known = HashMap::new();
            let value = minimax(&game, &position, &mut known);
            let report = search(&game, &position, Limits::default(), 1);
            let context = format!("{} {}", game.edition().id(), text(&game, &position));
            assert_eq!(report.evaluation.certainty, Certainty::Proven, "{context}");
            assert_eq!(report.evaluation.outcome, Some(as_wdl(value)), "{context}");
            let next = game.play(&position, &report.lines[0].moves[0]);
            let kept = minimax(&game, &next, &mut known);
            let kept = if next.side() == position.side() { kept } else { -kept };
            assert_eq!(kept, value, "{context}: the move keeps the value");
        }
    }
}

/// Every outcome that a multi-line search of a late position reports is exact.
#[test]
fn every_line_agrees_with_minimax() {
    for game in all_rules() {
        let mut rng = Rng::new(42);
        for i in 0..40 {
            let position = random_position(&game, &mut rng, 30 + i % 5);
            let mut known = HashMap::new();
            let report = search(&game, &position, nodes(3_000), 4);
            for line in &report.lines {
                let next = game.play(&position, &line.moves[0]);
                let value = minimax(&game, &next, &mut known);
                let value = if next.side() == position.side() { value } else { -value };
                let context = format!("{} {} {:?}", game.edition().id(), text(&game, &position), line);
                if let Some(outcome) = line.evaluation.outcome {
                    assert_eq!(outcome, as_wdl(value), "{context}");
                }
            }
            let value = minimax(&game, &position, &mut known);
            if let Some(outcome) = report.evaluation.outcome {
                assert_eq!(outcome, as_wdl(value), "{} {}", game.edition().id(), text(&game, &position));
            }
        }
    }
}

/// A win or loss within three plies is found exactly where minimax finds one, even with
/// few nodes, and its distance is reported.
#[test]
fn misses_nothing_within_three_plies() {
    for game in all_rules() {
        let mut rng = Rng::new(31);
        for i in 0..60 {
            let position = random_position(&game, &mut rng, 8 + i % 16);
            let known = outcome_within(&game, &position, 3);
            let report = search(&game, &position, nodes(30_000), 1);
            let context = format!("{} {}", game.edition().id(), text(&game, &position));
            let found = match (report.evaluation.outcome, report.evaluation.plies_to_end) {
                (Some(Wdl::Win), Some(..=3)) => 1,
                (Some(Wdl::Loss), Some(..=3)) => -1,
                _ => 0,
            };
            assert_eq!(found, known, "{context} {:?}", report.evaluation);
            if let (Some(Wdl::Win | Wdl::Loss), Some(plies @ ..=3)) =
                (report.evaluation.outcome, report.evaluation.plies_to_end)
            {
                assert_ne!(outcome_within(&game, &position, plies), 0, "{context}: within {plies}");
                assert_eq!(outcome_within(&game, &position, plies - 1), 0, "{context}: not before {plies}");
            }
        }
    }
}

/// A claimed win holds whatever the other side replies: after every reply the search
/// still claims it, with a shorter distance if it reported one.
#[test]
fn claimed_wins_are_won() {
    for game in all_rules() {
        let mut rng = Rng::new(77);
        let mut n_checked = 0;
        for i in 0..60 {
            let position = random_position(&game, &mut rng, 9 + i % 9);
            let report = search(&game, &position, nodes(20_000), 1);
            let long = report.evaluation.plies_to_end.is_none_or(|plies| plies >= 3);
            if report.evaluation.outcome == Some(Wdl::Win) && long && n_checked < 6 {
                n_checked += 1;
                check_win(&game, &position, 4);
            }
        }
        assert!(n_checked > 0, "{}: no win was claimed", game.edition().id());
    }
}

fn check_win(game: &Pentago, position: &Position, attacks_left: u32) {
    let context = text(game, position);
    let report = search(game, position, nodes(40_000), 1);
    assert_eq!(report.evaluation.outcome, Some(Wdl::Win), "{} {context}", game.edition().id());
    let next = game.play(position, &report.lines[0].moves[0]);
    if next.is_reply() || game.game_result(&next).is_some() || attacks_left == 0 {
        return;
    }
    let mut seen = std::collections::HashSet::new();
    for reply in moves(game, &next) {
        let after = game.play(&next, &reply);
        if game.game_result(&after).is_some_and(|result| result.winner() == Some(position.side()))
            || !seen.insert(after)
        {
            continue;
        }
        assert!(game.game_result(&after).is_none(), "{context} {reply:?}: the reply ends the game otherwise");
        if game.winning_move(&after).is_none() {
            let nearer = search(game, &after, nodes(40_000), 1).evaluation;
            assert_eq!(nearer.outcome, Some(Wdl::Win), "{} {context} {reply:?}", game.edition().id());
            if let (Some(before), Some(now)) = (report.evaluation.plies_to_end, nearer.plies_to_end) {
                assert!(now < before, "{context} {reply:?}: {before} then {now}");
            }
            if attacks_left > 1 && seen.len() % 16 == 0 {
                check_win(game, &after, attacks_left - 1);
            }
        }
    }
}

/// Reported distances are exact, even beyond three plies: within four or five plies
/// minimax agrees.
#[test]
fn reported_distances_are_exact() {
    for game in all_rules() {
        let mut rng = Rng::new(91);
        let mut n_checked = 0;
        for i in 0..150 {
            let position = random_position(&game, &mut rng, 20 + i % 7);
            let report = search(&game, &position, nodes(20_000), 1);
            let Some(plies) = report.evaluation.plies_to_end.filter(|plies| (4..=5).contains(plies)) else { continue };
            if n_checked == 4 {
                break;
            }
            let expected = if report.evaluation.outcome == Some(Wdl::Win) { 1 } else { -1 };
            let context = format!("{} {} {plies}", game.edition().id(), text(&game, &position));
            assert_eq!(outcome_within(&game, &position, plies), expected, "{context}");
            assert_eq!(outcome_within(&game, &position, plies - 1), 0, "{context}");
            n_checked += 1;
        }
        assert!(n_checked > 0, "{}: no distance was checked", game.edition().id());
    }
}

/// A win or loss in up to six plies is shown to its end.
#[test]
fn near_wins_and_losses_have_their_whole_line() {
    for game in all_rules() {
        let mut rng = Rng::new(92);
        let (mut n_wins, mut n_losses) = ([0; 7], [0; 7]);
        for i in 0..240 {
            let position = random_position(&game, &mut rng, 12 + i % 14);
            let report = search(&game, &position, depth(3), 3);
            for line in &report.lines {
                let (winner, count) = match line.evaluation.outcome {
                    Some(Wdl::Win) => (position.side(), &mut n_wins),
                    Some(Wdl::Loss) => (position.side().other(), &mut n_losses),
                    _ => continue,
                };
                let Some(plies @ 1..=6) = line.evaluation.plies_to_end else { continue };
                let context = format!("{} {} {line:?}", game.edition().id(), text(&game, &position));
                assert_eq!(line.moves.len(), plies as usize, "{context}");
                let end = line.moves.iter().fold(position, |position, mv| {
                    assert!(moves(&game, &position).contains(mv), "{mv:?} is not legal: {context}");
                    game.play(&position, mv)
                });
                assert_eq!(game.game_result(&end).and_then(|result| result.winner()), Some(winner), "{context}");
                count[plies as usize] += 1;
            }
        }
        // After a five by turning the Czech edition has one more ply.
        let is_czech = game.edition().id() == "czech";
        let (wins, losses) = if is_czech { ([1, 2, 4], [3, 5]) } else { ([1, 3, 5], [2, 4]) };
        let is_enough =
            wins.iter().all(|&plies| n_wins[plies] >= 5) && losses.iter().all(|&plies| n_losses[plies] >= 5);
        assert!(is_enough, "{}: {n_wins:?} wins, {n_losses:?} losses", game.edition().id());
    }
}

/// If a move wins and the others are not decided, its distance is found during the
/// search, even beyond the three plies that the first evaluation covers.
#[test]
fn single_wins_have_their_distance() {
    let mut n_longer = 0;
    for game in all_rules() {
        let mut rng = Rng::new(93);
        for i in 0..120 {
            let position = random_position(&game, &mut rng, 12 + i % 14);
            let report = search(&game, &position, nodes(20_000), 3);
            let first = &report.lines[0];
            let is_single = report.stop == Some(StopReason::Nodes) && first.evaluation.outcome == Some(Wdl::Win);
            let Some(plies @ 4..=6) = first.evaluation.plies_to_end.filter(|_| is_single) else { continue };
            let end = first.moves.iter().fold(position, |position, mv| game.play(&position, mv));
            let context = format!("{} {} {first:?}", game.edition().id(), text(&game, &position));
            assert!(first.moves.len() == plies as usize && game.game_result(&end).is_some(), "{context}");
            n_longer += 1;
        }
    }
    assert!(n_longer >= 8, "only {n_longer} wins with a distance");
}

/// In the Czech edition a five by turning that cannot be answered is a win,
/// and one that can is a draw.
#[test]
fn czech_reply_is_searched() {
    check_czech_reply(search);
}

fn as_wdl(value: i32) -> Wdl {
    [Wdl::Loss, Wdl::Draw, Wdl::Win][(value + 1) as usize]
}
