use pentad_sdk::rng::Rng;
use pentad_sdk::{Certainty, Ruleset, Search, Source, Symmetry};

use crate::support::{all_rules, parse, rules, tactical_position, walk};

/// A finished game evaluates to its outcome, a win in one is proven, and everything
/// else is an estimate whose scores add up as final scores do. Symmetric positions
/// have equal values.
#[test]
fn evaluation_is_consistent() {
    for game in all_rules() {
        let mut rng = Rng::new(8);
        let mut positions: Vec<_> = (0..10).flat_map(|_| walk(&game, &mut rng)).collect();
        positions.extend((0..60).map(|i| tactical_position(&game, &mut rng, 10 + i)));
        for position in positions {
            let evaluation = Search::evaluate(&game, &position);
            let total: f64 = evaluation.scores.as_slice().iter().sum();
            let expected = match game.variant().id() {
                "places3" => 1.5,
                "places4" | "teams" => 2.0,
                _ => 1.0,
            };
            assert!((total - expected).abs() < 1e-9, "{position:?} {evaluation:?}");
            if let Some(outcome) = Ruleset::outcome(&game, &position) {
                assert_eq!((evaluation.source, evaluation.certainty), (Source::Terminal, Certainty::Proven));
                assert_eq!(evaluation.scores, outcome.scores);
                continue;
            }
            if evaluation.certainty == Certainty::Proven {
                let mv = game.winning_move(&position).expect("only a win in one is proven");
                let outcome = Ruleset::outcome(&game, &game.play_unchecked(&position, mv)).expect("it ends the game");
                assert_eq!(evaluation.scores, outcome.scores, "{position:?}");
            }
            for symmetry in 0..game.n_symmetries() {
                let mapped = game.static_scores(&game.apply(symmetry, &position));
                for (a, b) in mapped.as_slice().iter().zip(game.static_scores(&position).as_slice()) {
                    assert!((a - b).abs() < 1e-12, "{symmetry} {position:?}");
                }
            }
        }
    }
}

/// More marbles on an open line are worth more, for every seat.
#[test]
fn evaluation_prefers_longer_lines() {
    for (variant, better, worse, seat) in [
        ("ffa2", "rrr6/9/9/9/9/9/9/9/y2y3y1 r -", "r4r3/9/9/2r6/9/9/9/9/y2y3y1 r -", 0),
        ("ffa4", "9/9/9/3ggg3/9/9/9/r1r1r4/y2by2by b -", "9/9/9/3g1g3/9/9/g8/r1r1r4/y2by2by b -", 2),
        ("teams", "9/9/9/3ggg3/9/9/9/r1r1r4/y2by2by b -", "9/9/9/3g1g3/9/9/g8/r1r1r4/y2by2by b -", 0),
    ] {
        let game = rules(variant);
        let score = |text: &str| game.static_scores(&parse(&game, text))[seat];
        assert!(score(better) > score(worse), "{variant} {better}");
    }
}
