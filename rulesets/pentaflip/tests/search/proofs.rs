use pentad_sdk::Wdl;
use pentad_sdk::rng::Rng;
use pentaflip::{Pentaflip, Position};

use crate::positions::{moves, ongoing, text};
use crate::support::{minimax, nodes, search};

/// Number of checked claims of four or five plies: each takes a second.
const N_LONG_CLAIMS: u32 = 4;

fn sign(outcome: Option<Wdl>) -> i32 {
    match outcome {
        Some(Wdl::Win) => 1,
        Some(Wdl::Loss) => -1,
        _ => 0,
    }
}

/// All of 300 positions that are decided within three plies are proven with a
/// fraction of the nodes that 200 ms allow, at their true distance; in other
/// positions no such distance is claimed.
#[test]
fn finds_all_wins_within_three_plies() {
    let mut rng = Rng::new(31);
    let mut n_decided = 0;
    for i in 0.. {
        let position = ongoing(&mut rng, 5 + i % 30);
        let truth = minimax(&position, 3);
        if n_decided == 300 {
            break;
        }
        // Most of them are wins in one, the easiest ones.
        if Pentaflip.winning_move(&position).is_some() && i % 8 != 0 {
            continue;
        }
        n_decided += usize::from(truth != 0);
        let report = search(&position, nodes(20_000), 1);
        let (outcome, plies) = (sign(report.evaluation.outcome), report.evaluation.plies_to_end);
        let context = format!("{}: {:?}", text(&position), report.evaluation);
        if truth != 0 {
            assert_eq!(outcome, truth, "{context}");
            let distance = (1..=3).find(|&plies| minimax(&position, plies) != 0);
            assert_eq!(plies, distance, "{context}");
        } else {
            assert!(plies.is_none_or(|plies| plies > 3), "{context}");
        }
    }
}

/// 300 claims with a distance of up to five plies are true, and no shorter distance is
/// possible.
#[test]
fn claims_are_true() {
    let mut rng = Rng::new(91);
    for i in 0..300 {
        let (position, plies, outcome) = claimed_position(&mut rng, i);
        let context = format!("{} {plies} {outcome}", text(&position));
        assert_eq!(minimax(&position, plies), outcome, "{context}");
        assert_eq!(minimax(&position, plies - 1), 0, "{context}");
    }
}

/// A win in three or five plies is shown to its end.
#[test]
fn near_wins_have_their_whole_line() {
    let mut rng = Rng::new(92);
    let mut n_checked = 0;
    while n_checked < 60 {
        let position = ongoing(&mut rng, 5 + n_checked % 25);
        for line in &search(&position, nodes(3_000), 3).lines {
            let (Some(Wdl::Win), Some(plies @ (3 | 5))) = (line.evaluation.outcome, line.evaluation.plies_to_end)
            else {
                continue;
            };
            let end = line.moves.iter().fold(position, |position, mv| Pentaflip.play_unchecked(&position, *mv));
            let context = format!("{} {line:?}", text(&position));
            assert_eq!(line.moves.len(), plies as usize, "{context}");
            let winner = Pentaflip.game_result(&end).and_then(|result| result.winner());
            assert_eq!(winner, Some(position.side()), "{context}");
            n_checked += 1;
        }
    }
}

/// Returns a position with a claimed distance of two plies or more. Long claims take
/// long to check, so only the first few are.
fn claimed_position(rng: &mut Rng, i: u32) -> (Position, u32, i32) {
    let plies_max = if i < N_LONG_CLAIMS { 5 } else { 3 };
    loop {
        let position = ongoing(rng, 5 + i % 25);
        let evaluation = search(&position, nodes(5_000), 1).evaluation;
        let outcome = sign(evaluation.outcome);
        if let Some(plies) = evaluation.plies_to_end.filter(|plies| (2..=plies_max).contains(plies))
            && (i >= N_LONG_CLAIMS || plies >= 4)
        {
            return (position, plies, outcome);
        }
    }
}

/// A move that does not lose within four plies is chosen if there is one.
#[test]
fn stops_stoppable_threats() {
    let mut rng = Rng::new(55);
    let mut n_threatened = 0;
    while n_threatened < 150 {
        let position = ongoing(&mut rng, 6 + n_threatened % 24);
        if Pentaflip.winning_move(&position).is_some() {
            continue;
        }
        let survives = |mv| minimax(&Pentaflip.play_unchecked(&position, mv), 3) != 1;
        let legal = moves(&position);
        let n_safe = legal.iter().filter(|&&mv| survives(mv)).count();
        if n_safe == 0 || n_safe == legal.len() {
            continue;
        }
        n_threatened += 1;
        let report = search(&position, nodes(20_000), 1);
        assert!(survives(report.lines[0].moves[0]), "{}: {:?}", text(&position), report.lines[0]);
    }
}

/// A claimed win holds against every reply: the search still claims it, with a shorter
/// distance if it reports one.
#[test]
fn claimed_wins_hold_against_every_reply() {
    let mut rng = Rng::new(77);
    let mut n_checked = 0;
    for i in 0..200 {
        let position = ongoing(&mut rng, 4 + i % 16);
        let evaluation = search(&position, nodes(20_000), 1).evaluation;
        let is_long = evaluation.plies_to_end.is_none_or(|plies| plies >= 5);
        if evaluation.outcome == Some(Wdl::Win) && is_long && n_checked < 6 {
            n_checked += 1;
            check_win(&position, 3);
        }
    }
    assert!(n_checked >= 3, "{n_checked}");
}

fn check_win(position: &Position, moves_left: u32) {
    let report = search(position, nodes(60_000), 1);
    assert_eq!(report.evaluation.outcome, Some(Wdl::Win), "{}", text(position));
    let next = Pentaflip.play_unchecked(position, report.lines[0].moves[0]);
    if Pentaflip.game_result(&next).is_some() || moves_left == 0 {
        return;
    }
    for (idx, reply) in moves(&next).into_iter().enumerate() {
        let context = format!("{} {:?} {reply:?}", text(position), report.lines[0].moves[0]);
        let after = Pentaflip.play_unchecked(&next, reply);
        if let Some(result) = Pentaflip.game_result(&after) {
            assert_eq!(result.winner(), Some(position.side()), "{context}");
            continue;
        }
        let later = search(&after, nodes(60_000), 1).evaluation;
        assert_eq!(later.outcome, Some(Wdl::Win), "{context}");
        if let (Some(before), Some(now)) = (report.evaluation.plies_to_end, later.plies_to_end) {
            assert!(now < before, "{context}: {before} then {now}");
        }
        if idx % 6 == 0 {
            check_win(&after, moves_left - 1);
        }
    }
}
