use pentad_sdk::Wdl;
use pentad_sdk::search::rng::Rng;
use pentaflip::{Pentaflip, Position};

use crate::support::{nodes, search, within};
use crate::walks::{moves, running, text};

/// Claims of four or five plies that are tried: each takes a second.
const N_FAR: u32 = 4;

fn as_number(outcome: Option<Wdl>) -> i32 {
    match outcome {
        Some(Wdl::Win) => 1,
        Some(Wdl::Loss) => -1,
        _ => 0,
    }
}

/// Of 300 positions that are decided within three plies every one is found
/// with a fraction of the nodes that 200 ms allow, at its true distance; and
/// where nothing is decided nothing is claimed.
#[test]
fn misses_nothing_within_three_plies() {
    let mut rng = Rng::new(31);
    let mut n_decided = 0;
    for i in 0.. {
        let position = running(&mut rng, 5 + i % 30);
        let truth = within(&position, 3);
        if n_decided == 300 {
            break;
        }
        // Wins at hand are most of them, and the easiest.
        if Pentaflip.win_in_one(&position).is_some() && i % 8 != 0 {
            continue;
        }
        n_decided += usize::from(truth != 0);
        let report = search(&position, nodes(20_000), 1);
        let (found, plies) = (as_number(report.evaluation.outcome), report.evaluation.plies_to_end);
        let context = format!("{}: {:?}", text(&position), report.evaluation);
        if truth != 0 {
            assert_eq!(found, truth, "{context}");
            let distance = (1..=3).find(|&plies| within(&position, plies) != 0);
            assert_eq!(plies, distance, "{context}");
        } else {
            assert!(plies.is_none_or(|plies| plies > 3), "{context}");
        }
    }
}

/// What is claimed with a distance of up to five plies is so, and not sooner,
/// on 300 claims.
#[test]
fn claims_are_true() {
    let mut rng = Rng::new(91);
    for i in 0..300 {
        let (position, plies, outcome) = claimed(&mut rng, i);
        let context = format!("{} {plies} {outcome}", text(&position));
        assert_eq!(within(&position, plies), outcome, "{context}");
        assert_eq!(within(&position, plies - 1), 0, "{context}");
    }
}

/// A position of which the search claims something, from two plies away on.
/// Farther claims take longer to try, so only a few of them are taken.
fn claimed(rng: &mut Rng, i: u32) -> (Position, u32, i32) {
    let plies_max = if i < N_FAR { 5 } else { 3 };
    loop {
        let position = running(rng, 5 + i % 25);
        let evaluation = search(&position, nodes(5_000), 1).evaluation;
        let outcome = as_number(evaluation.outcome);
        if let Some(plies) = evaluation.plies_to_end.filter(|plies| (2..=plies_max).contains(plies))
            && (i >= N_FAR || plies >= 4)
        {
            return (position, plies, outcome);
        }
    }
}

/// A threat that can be stopped is stopped, and a move that does not lose
/// within four plies is chosen if there is one.
#[test]
fn stops_what_can_be_stopped() {
    let mut rng = Rng::new(55);
    let mut n_threatened = 0;
    while n_threatened < 150 {
        let position = running(&mut rng, 6 + n_threatened % 24);
        if Pentaflip.win_in_one(&position).is_some() {
            continue;
        }
        let survives = |mv| within(&Pentaflip.play_unchecked(&position, mv), 3) != 1;
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

/// A win that is claimed is there whatever the other side replies: after every
/// single reply the search still claims it, and if it named a distance, a
/// shorter one.
#[test]
fn claimed_wins_are_won() {
    let mut rng = Rng::new(77);
    let mut n_walked = 0;
    for i in 0..200 {
        let position = running(&mut rng, 4 + i % 16);
        let evaluation = search(&position, nodes(20_000), 1).evaluation;
        let is_long = evaluation.plies_to_end.is_none_or(|plies| plies >= 5);
        if evaluation.outcome == Some(Wdl::Win) && is_long && n_walked < 6 {
            n_walked += 1;
            walk_win(&position, 3);
        }
    }
    assert!(n_walked >= 3, "{n_walked}");
}

fn walk_win(position: &Position, attacks_left: u32) {
    let report = search(position, nodes(60_000), 1);
    assert_eq!(report.evaluation.outcome, Some(Wdl::Win), "{}", text(position));
    let next = Pentaflip.play_unchecked(position, report.lines[0].moves[0]);
    if Pentaflip.verdict(&next).is_some() || attacks_left == 0 {
        return;
    }
    for (idx, reply) in moves(&next).into_iter().enumerate() {
        let context = format!("{} {:?} {reply:?}", text(position), report.lines[0].moves[0]);
        let after = Pentaflip.play_unchecked(&next, reply);
        if let Some(verdict) = Pentaflip.verdict(&after) {
            assert_eq!(verdict.winner(), Some(position.side()), "{context}");
            continue;
        }
        let nearer = search(&after, nodes(60_000), 1).evaluation;
        assert_eq!(nearer.outcome, Some(Wdl::Win), "{context}");
        if let (Some(before), Some(now)) = (report.evaluation.plies_to_end, nearer.plies_to_end) {
            assert!(now < before, "{context}: {before} then {now}");
        }
        if idx % 6 == 0 {
            walk_win(&after, attacks_left - 1);
        }
    }
}
