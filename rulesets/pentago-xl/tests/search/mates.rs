use pentad_sdk::rng::Rng;
use pentad_sdk::{Certainty, Limits, Ruleset, Wdl};
use pentago_xl::{Colour, Move, Objective, PentagoXl, Position};

use crate::support::{all_rules, moves, reference_of, search, tactical_position, text};

/// Returns whether a move wins at once: the mover's side scores everything. For
/// places: the mover finishes, and nobody else by the same move.
fn wins_at_once(game: &PentagoXl, position: &Position, mv: &Move) -> bool {
    let next = game.play(position, mv);
    if game.variant().objective() == Objective::Places {
        let placed = |at: &Position| Colour::ALL.into_iter().filter(|&colour| at.place(colour).is_some()).count();
        return next.place(position.side()).is_some() && placed(&next) == placed(position) + 1;
    }
    game.outcome(&next).is_some_and(|outcome| outcome.scores[position.side() as usize] == 1.0)
}

/// `winning_move` finds a win exactly if one of the legal moves is one.
#[test]
fn winning_move_finds_every_win() {
    for game in all_rules() {
        let mut rng = Rng::new(9);
        let mut n_found = 0;
        for i in 0..300 {
            let position = tactical_position(&game, &mut rng, 16 + i % 40);
            let found = game.winning_move(&position);
            let context = format!("{} {}", game.variant().id(), text(&game, &position));
            let legal = moves(&game, &position);
            assert_eq!(found.is_some(), legal.iter().any(|mv| wins_at_once(&game, &position, mv)), "{context}");
            if let Some(mv) = found {
                assert!(legal.contains(&mv) && wins_at_once(&game, &position, &mv), "{context} {mv:?}");
                n_found += 1;
            }
        }
        assert!(n_found > 20, "{}: only {n_found} wins", game.variant().id());
    }
}

/// With two sides: returns whether there is a move after which every reply leaves a
/// win in one, or ends the game with a win. Every move and reply is tried; the last
/// ply is left to `winning_move`.
fn wins_in_three(game: &PentagoXl, position: &Position) -> bool {
    let ours = position.side() as usize;
    let won = |position: &Position| game.game_result(position).map(|result| game.scores(&result)[ours] == 1.0);
    moves(game, position).into_iter().any(|mv| {
        let next = game.play(position, &mv);
        won(&next).unwrap_or_else(|| {
            moves(game, &next).into_iter().all(|reply| {
                let after = game.play(&next, &reply);
                won(&after).unwrap_or_else(|| game.winning_move(&after).is_some())
            })
        })
    })
}

/// Wins within three plies are always found, with a fraction of the nodes that 200 ms
/// allow: 300 positions with a win at once or, with two sides, after a threat that
/// cannot be stopped.
#[test]
fn near_wins_are_found() {
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    for game in all_rules() {
        let mut rng = Rng::new(77);
        let two_sided = game.variant().is_two_sided();
        let (mut n_at_once, mut n_long) = (0, 0);
        let n_long_wanted = if two_sided { 20 } else { 0 };
        let mut round = 0;
        while n_at_once < 50 || n_long < n_long_wanted {
            round += 1;
            let position = tactical_position(&game, &mut rng, 14 + round % 24);
            let context = format!("{} {}", game.variant().id(), text(&game, &position));
            let at_once = game.winning_move(&position).is_some();
            if at_once && n_at_once < 50 {
                n_at_once += 1;
            } else if !at_once && n_long < n_long_wanted && wins_in_three(&game, &position) {
                n_long += 1;
            } else {
                continue;
            }
            let report = search(&game, &position, limits, 1);
            if at_once {
                assert!(wins_at_once(&game, &position, &report.lines[0].moves[0]), "{context} {report:?}");
            }
            if game.variant().objective() != Objective::Places {
                assert_eq!(report.evaluation.certainty, Certainty::Proven, "{context}");
                assert_eq!(report.evaluation.plies_to_end, Some(if at_once { 1 } else { 3 }), "{context} {report:?}");
            }
            if two_sided {
                assert_eq!(report.evaluation.outcome, Some(Wdl::Win), "{context}");
            }
        }
    }
}

/// A threat of the next player is stopped if some move stops it: by the reference,
/// the next player does not win at once after the move.
#[test]
fn threats_are_met() {
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    for game in all_rules().filter(|game| game.variant().objective() != Objective::Places) {
        let mut rng = Rng::new(78);
        let mut n_threats = 0;
        for round in 0.. {
            if n_threats == 20 {
                break;
            }
            let position = tactical_position(&game, &mut rng, 14 + round % 30);
            if game.winning_move(&position).is_some() {
                continue;
            }
            let loses = |mv: &Move| {
                let next = game.play(&position, mv);
                match game.game_result(&next) {
                    Some(result) => game.scores(&result)[position.side() as usize] == 0.0,
                    None => game.winning_move(&next).is_some(),
                }
            };
            let legal = moves(&game, &position);
            let n_losing = legal.iter().filter(|mv| loses(mv)).count();
            // A threat: most moves lose, but not all.
            if n_losing == legal.len() || n_losing * 2 < legal.len() {
                continue;
            }
            n_threats += 1;
            let report = search(&game, &position, limits, 1);
            let mv = report.lines[0].moves[0];
            assert!(!loses(&mv), "{} {} {mv:?}", game.variant().id(), text(&game, &position));
            let after = reference_of(&game, &position).play(mv.text());
            let next_wins = |reply: &String| {
                let seat = game.play(&position, &mv).side() as usize;
                after.play(reply).outcome().is_some_and(|outcome| outcome.scores[seat] == 1.0)
            };
            assert!(!after.legal().iter().any(next_wins), "{} {mv:?}", text(&game, &position));
        }
    }
}
