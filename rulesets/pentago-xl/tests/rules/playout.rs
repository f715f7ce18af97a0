use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;

use crate::support::{all_rules, moves, unfinished_position, walk};

/// Every move of a random game is legal, and the game ends when the rules end it,
/// with their result.
#[test]
fn playouts_follow_the_rules() {
    for game in all_rules() {
        let mut rng = Rng::new(21);
        let mut starts = vec![game.start(); 300];
        for _ in 0..10 {
            starts.extend(walk(&game, &mut rng).into_iter().filter(|position| game.game_result(position).is_none()));
        }
        for start in starts {
            let mut position = start;
            let mut plies = 0;
            let mut random = rng.clone();
            let played = game.playout_with(
                &start,
                || random.next_u64(),
                |mv| {
                    assert!(game.parse_move(&position, mv.text()).is_ok(), "{position:?} {mv:?}");
                    position = game.play(&position, &mv);
                    plies += 1;
                },
            );
            let result = game.game_result(&position).expect("a playout goes to the end");
            assert_eq!((played.result, played.plies), (result, plies), "{position:?}");
            let mut random = rng.clone();
            assert_eq!(game.playout(&start, || random.next_u64()), played);
            rng.next_u64();
        }
    }
}

/// Each legal move has about its expected frequency: cells are uniform, and so are
/// the turns after each cell.
#[test]
fn first_moves_are_even() {
    for game in all_rules() {
        let mut rng = Rng::new(22);
        for n_marbles in [40, 70] {
            let start = unfinished_position(&game, &mut rng, n_marbles);
            let legal = moves(&game, &start);
            let mut counts = vec![0.0; pentago_xl::Move::COUNT];
            let n_playouts = 20_000;
            for _ in 0..n_playouts {
                let mut first = None;
                game.playout_with(&start, || rng.next_u64(), |mv| first = first.or(Some(mv)));
                counts[first.expect("a game has a move").index()] += 1.0;
            }
            let n_cells = f64::from(start.empty().count());
            for mv in &legal {
                let n_turns = if mv.turn().is_some() { 16.0 } else { 1.0 };
                let expected: f64 = f64::from(n_playouts) / n_cells / n_turns;
                let count: f64 = counts[mv.index()];
                // Six standard deviations.
                assert!((count - expected).abs() < 6.0 * expected.sqrt(), "{mv:?}: {count}, not {expected}");
            }
            let n_legal: f64 = legal.iter().map(|mv| counts[mv.index()]).sum();
            assert_eq!(n_legal, f64::from(n_playouts), "only legal moves");
        }
    }
}
