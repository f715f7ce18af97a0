//! Three seats, and four in two teams.

use std::collections::HashMap;

use pentad_model::{Certainty, Limits, Report, Request};
use pentad_search::{MctsOptions, mcts, search};

use crate::games::dag::{Dag, Place};
use crate::games::{CollectingControl, nodes};
use crate::proofs;
use crate::reference::{self, minimax};

fn three(seed: u64) -> Dag {
    let draws = [0, 40, 80][seed as usize % 3];
    Dag { n_seats: 3, draws, n_plies: 4 + seed as u32 % 3, n_moves_max: 4, ..Dag::two_sides(seed) }
}

/// With three seats a proof is the only outcome that max^n allows.
#[test]
fn proofs_with_three_seats_are_true() {
    let mut n_proven = 0;
    for seed in 0..600 {
        let game = three(seed);
        let possible = reference::max_n(&game, &Place::START, &mut HashMap::new());
        let control = CollectingControl::new();
        let sampled = mcts(&game, &Place::START, &nodes(60_000), &MctsOptions::default(), &control);
        if sampled.evaluation.certainty == Certainty::Proven {
            n_proven += 1;
            assert_eq!(possible, [sampled.evaluation.scores], "seed {seed}: {sampled:?}");
            assert_eq!(sampled.evaluation.outcome, None, "seed {seed}");
        }
        let assert_line = |report: &Report<u8>| {
            for line in report.lines.iter().filter(|line| line.evaluation.certainty == Certainty::Proven) {
                let after = pentad_search::Game::play(&game, &Place::START, &line.moves[0]);
                let possible = reference::max_n(&game, &after, &mut HashMap::new());
                assert_eq!(possible, [line.evaluation.scores], "seed {seed}: {report:?}");
            }
        };
        control.reports.into_inner().unwrap().iter().chain([&sampled]).for_each(assert_line);
    }
    println!("{n_proven} of 600 proven");
    assert!(n_proven > 200, "{n_proven}: too few cases to be a test");
}

/// Four seats in two teams are two sides, whichever seat of a team moves.
#[test]
fn teams_are_sides() {
    for seed in 0..500 {
        let game = Dag { n_seats: 4, teams: true, ..Dag::two_sides(seed) };
        let mut memory = HashMap::new();
        let report = search(&game, &Place::START, &Request::new(Limits::default()), &CollectingControl::new());
        let (wdl, _) = minimax(&game, &Place::START, &mut memory);
        assert_eq!(report.evaluation.outcome, Some(wdl), "seed {seed}");
        proofs::assert_claims(&game, &Place::START, &report, &mut memory, "teams");
        let scores = report.evaluation.scores;
        assert_eq!((scores[0], scores[1]), (scores[2], scores[3]), "seed {seed}");
        let sampled = mcts(&game, &Place::START, &nodes(30_000), &MctsOptions::default(), &CollectingControl::new());
        proofs::assert_claims(&game, &Place::START, &sampled, &mut memory, "teams, sampled");
    }
}
