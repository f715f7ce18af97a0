use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentago::{Edition, Pentago};

use crate::support::{all_rules, moves, random_position, walk};

/// Every move of a random game is legal, and the game ends when the rules say so, with
/// their result.
#[test]
fn playouts_follow_the_rules() {
    for game in all_rules() {
        let mut rng = Rng::new(21);
        let mut starts = vec![game.start(); 1_500];
        for _ in 0..60 {
            starts.extend(walk(&game, &mut rng).into_iter().filter(|position| game.game_result(position).is_none()));
        }
        let mut n_draws = 0;
        for start in starts {
            let mut position = start;
            let mut plies = 0;
            let mut random = rng.clone();
            let played = game.playout_with(
                &start,
                || random.next_u64(),
                |mv| {
                    assert!(moves(&game, &position).contains(&mv), "{position:?} {mv:?}");
                    position = game.play(&position, &mv);
                    plies += 1;
                },
            );
            let result = game.game_result(&position).expect("a playout goes to the end");
            assert_eq!((played.winner, played.plies), (result.winner(), plies), "{position:?}");
            let mut random = rng.clone();
            assert_eq!(game.playout(&start, || random.next_u64()), played);
            rng.next_u64();
            n_draws += usize::from(played.winner.is_none());
        }
        assert!(n_draws > 0);
    }
}

/// Cells are chosen uniformly, and turns uniformly for each cell.
#[test]
fn first_moves_are_even() {
    for game in all_rules() {
        let mut rng = Rng::new(22);
        for n_marbles in [0, 3, 7] {
            let start = random_position(&game, &mut rng, n_marbles);
            let legal = moves(&game, &start);
            let mut counts = vec![0.0; legal.len()];
            let n_playouts = 400_000;
            for _ in 0..n_playouts {
                let mut first = None;
                game.playout_with(&start, || rng.next_u64(), |mv| first = first.or(Some(mv)));
                counts[legal.iter().position(|&mv| Some(mv) == first).unwrap()] += 1.0;
            }
            let n_cells = f64::from(start.empty().count());
            for (mv, count) in legal.iter().zip(counts) {
                let n_turns = legal.iter().filter(|other| other.cell() == mv.cell()).count() as f64;
                let expected = f64::from(n_playouts) / n_cells / n_turns;
                // Five standard deviations.
                assert!((count - expected).abs() < 5.0 * expected.sqrt(), "{mv:?}: {count}, not {expected}");
            }
        }
    }
}

/// Replies are chosen uniformly among all empty cells and the pass.
#[test]
fn replies_are_even() {
    let game = Pentago::of(Edition::Czech);
    let start = crate::support::parse(&game, "wwwww1/6/6/6/6/bbb1b1 b reply");
    let mut rng = Rng::new(23);
    let mut counts = vec![0.0; moves(&game, &start).len()];
    for _ in 0..200_000 {
        game.playout_with(
            &start,
            || rng.next_u64(),
            |mv| {
                counts[moves(&game, &start).iter().position(|&legal| legal == mv).unwrap()] += 1.0;
            },
        );
    }
    let expected = 200_000.0 / counts.len() as f64;
    assert!(counts.iter().all(|count: &f64| (count - expected).abs() < 5.0 * expected.sqrt()), "{counts:?}");
}
