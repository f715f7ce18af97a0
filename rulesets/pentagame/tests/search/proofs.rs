//! Everything that the two-player search proves is true, short proofs are found, and
//! proven lines are complete.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::nodes;
use pentad_sdk::{Certainty, NeverStop, Request, Ruleset, Wdl};
use pentagame::{Move, Position};

use crate::brute_force::{ExactValue, exact_value, last_player_value};
use crate::support::{all_rules, contract, moves, parse, random_position, rules, text};

/// Returns random late positions of two-player games with at most this many moves.
fn late_positions(seed: u64, n: usize, n_moves_max: u64) -> Vec<Position> {
    let game = rules("2p");
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < n {
        let position = random_position(&game, &mut rng);
        let is_late = position.n_out(0) + position.n_out(1) >= 3;
        if !position.is_over() && is_late && game.count_moves(&position, "") <= n_moves_max {
            found.push(position);
        }
    }
    found
}

/// Values that the next turns decide are proven with their distance in plies, and no
/// others are claimed at that distance.
#[test]
fn short_proofs_are_exact() {
    let game = rules("2p");
    let mut n_by_kind = [0; 4];
    for position in late_positions(31, 400, 1_500) {
        let exact = exact_value(&game, &position);
        let report = contract(&game).search(&position, nodes(4_000), 1);
        let found = (report.evaluation.outcome, report.evaluation.plies_to_end);
        let context = text(&game, &position);
        let (kind, wanted) = match exact {
            ExactValue::Win(plies) => (0, (Some(Wdl::Win), Some(plies))),
            ExactValue::Draw(plies) => (1, (Some(Wdl::Draw), Some(plies))),
            ExactValue::Loss(plies) => (2, (Some(Wdl::Loss), Some(plies))),
            ExactValue::Undecided => {
                let is_longer_win = matches!(found, (Some(Wdl::Win), Some(3 | 4)));
                assert!(found.0.is_none() || is_longer_win, "{context}: {found:?} is claimed");
                n_by_kind[3] += 1;
                continue;
            }
        };
        assert_eq!(found, wanted, "{context}");
        n_by_kind[kind] += 1;
    }
    assert!(n_by_kind.iter().all(|&n| n >= 5), "{n_by_kind:?}");
}

/// The same holds if a request names every move, more than are searched, and asks for
/// several lines.
#[test]
fn short_proofs_are_exact_with_many_root_moves() {
    let game = rules("2p");
    let mut n_by_kind = [0; 3];
    for position in late_positions(33, 160, 1_200) {
        let exact = exact_value(&game, &position);
        let request = Request { n_lines: 3, root_moves: moves(&game, &position), ..Request::new(nodes(6_000)) };
        let found = contract(&game).ask(&position, &request, &NeverStop).evaluation;
        let (kind, wanted) = match exact {
            ExactValue::Win(plies) => (0, (Some(Wdl::Win), Some(plies))),
            ExactValue::Draw(plies) => (1, (Some(Wdl::Draw), Some(plies))),
            ExactValue::Loss(plies) => (2, (Some(Wdl::Loss), Some(plies))),
            ExactValue::Undecided => continue,
        };
        assert_eq!((found.outcome, found.plies_to_end), wanted, "{}", text(&game, &position));
        n_by_kind[kind] += 1;
    }
    assert!(n_by_kind.iter().all(|&n| n >= 5), "{n_by_kind:?}");
}

/// A draw by the last of many named moves is not reported as a loss.
#[test]
fn losses_rest_on_every_root_move() {
    let game = rules("2p");
    let mut n_checked = 0;
    for position in late_positions(35, 600, 3_000) {
        if position.to_move() == 0 || !matches!(last_player_value(&game, &position), ExactValue::Draw(_)) {
            continue;
        }
        let is_finish = |mv: &Move| position.n_out(1) as usize + mv.greys().count() >= 3;
        let (finishing, others): (Vec<Move>, Vec<Move>) = moves(&game, &position).into_iter().partition(is_finish);
        if others.len() < 300 {
            continue;
        }
        for &draw in finishing.iter().step_by(1 + finishing.len() / 4) {
            let root_moves = others.iter().copied().chain([draw]).collect();
            let request = Request { root_moves, ..Request::new(nodes(2_000)) };
            let report = contract(&game).ask(&position, &request, &NeverStop);
            assert_ne!(report.evaluation.outcome, Some(Wdl::Loss), "{} {draw}", text(&game, &position));
            n_checked += 1;
        }
        if n_checked >= 40 {
            break;
        }
    }
    assert!(n_checked >= 10, "only {n_checked} were checked");
}

/// A claimed win in three or four plies is real: after the first move, brute force
/// finds the opponent lost.
#[test]
fn longer_wins_are_real() {
    let game = rules("2p");
    let mut n_checked = 0;
    for position in late_positions(77, 600, 1_200) {
        let report = contract(&game).search(&position, nodes(3_000), 1);
        let (Some(Wdl::Win), Some(plies @ 3..)) = (report.evaluation.outcome, report.evaluation.plies_to_end) else {
            continue;
        };
        let next = game.play(&position, &report.lines[0].moves[0]);
        if game.count_moves(&next, "") > 2_500 {
            continue;
        }
        assert_eq!(exact_value(&game, &next), ExactValue::Loss(plies - 1), "{}", text(&game, &position));
        n_checked += 1;
    }
    assert!(n_checked >= 10, "only {n_checked} were checked");
}

/// A win that is not among the moves of the request is not claimed.
#[test]
fn wins_outside_root_moves_are_not_claimed() {
    let game = rules("2p");
    let position = parse(&game, "*,*,C,D,E/*,*,a2b,D,E A1B,A2B,A3B,B1C,B2C a,b 2 -");
    assert_eq!(contract(&game).search(&position, nodes(500), 1).evaluation.outcome, Some(Wdl::Win));
    let report = contract(&game).search_only(&position, nodes(500), &["d-D1E"]);
    assert_eq!(report.lines[0].moves[0].text(), "d-D1E");
    assert_ne!(report.evaluation.outcome, Some(Wdl::Win));
}

/// Figures that move back and forth never lead to a proof.
#[test]
fn repetitions_prove_nothing() {
    let game = rules("2p");
    let position = parse(&game, "A1B,B,C,D,E/A,B1C,C,D,E a,b,c,d,e - 1 -");
    let report = contract(&game).search(&position, nodes(20_000), 1);
    assert_eq!(report.evaluation.certainty, Certainty::Estimate);
}

/// With three players, the move before the last turn of a round is exact if that turn
/// is: player 2 finishes, and player 3 cannot do the same.
#[test]
fn move_before_the_last_turn_is_exact() {
    let game = rules("3p");
    let position = parse(&game, "A,B,C,D,E/*,*,C,c3d,E/A,B,C,D,E a,b,c,A1B,e - 2 -");
    let report = contract(&game).search(&position, nodes(300), 3);
    for evaluation in [report.evaluation, report.lines[0].evaluation] {
        assert_eq!(evaluation.certainty, Certainty::Proven, "{report:?}");
        assert_eq!(
            (evaluation.scores.as_slice(), evaluation.plies_to_end),
            (&[0.0, 1.0, 0.0][..], Some(2)),
            "{report:?}"
        );
    }
}

/// Lines proven won or lost (for three and four players: decided) lead to the end of
/// the game with the proven scores.
#[test]
fn proven_lines_lead_to_the_end() {
    for game in all_rules() {
        let mut rng = Rng::new(37);
        let mut n_by_plies = [0; 6];
        for _ in 0..300 {
            let position = random_position(&game, &mut rng);
            if position.is_over() || (0..game.n_seats()).all(|seat| position.n_out(seat) < 2) {
                continue;
            }
            let report = contract(&game).search(&position, nodes(1_000), 3);
            for line in report.lines.iter().filter(|line| line.evaluation.certainty == Certainty::Proven) {
                let context = format!("{} {line:?}", text(&game, &position));
                let plies = line.evaluation.plies_to_end.unwrap_or_else(|| panic!("no distance: {context}"));
                assert_eq!(line.moves.len(), plies as usize, "{context}");
                let end = line.moves.iter().fold(position, |position, mv| {
                    assert!(moves(&game, &position).contains(mv), "{mv} is not legal: {context}");
                    game.play(&position, mv)
                });
                let outcome = game.outcome(&end).unwrap_or_else(|| panic!("not over: {context}"));
                assert_eq!(outcome.scores, line.evaluation.scores, "{context}");
                n_by_plies[plies as usize] += 1;
            }
        }
        let n_longest = if game.n_seats() == 2 { 4 } else { 2 };
        assert!(n_by_plies[1..=n_longest].iter().all(|&n| n >= 5), "{n_by_plies:?} lines by plies");
    }
}
