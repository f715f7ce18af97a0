use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentaflip::{Pentaflip, Position};

use crate::support::{moves, ongoing, parse, text, walk};

const PLIES_MAX: u32 = 500;

/// Every move of a random game is legal, and the game ends when the rules say so, with
/// their result, or at `plies_max`.
#[test]
fn playouts_follow_the_rules() {
    let mut rng = Rng::new(21);
    let mut starts = vec![Position::START; 1_500];
    for _ in 0..60 {
        starts.extend(walk(&mut rng).into_iter().filter(|position| Pentaflip.game_result(position).is_none()));
    }
    for (i, start) in starts.into_iter().enumerate() {
        let mut position = start;
        let mut plies = 0;
        let mut random = rng.clone();
        let plies_max = if i % 3 == 0 { 10 } else { PLIES_MAX };
        let playout = Pentaflip.playout_with(
            &start,
            plies_max,
            || random.next_u64(),
            |mv| {
                assert!(moves(&position).contains(&mv), "{} {mv:?}", text(&position));
                position = Pentaflip.play(&position, &mv);
                plies += 1;
            },
        );
        let result = Pentaflip.game_result(&position);
        assert_eq!((result.is_some(), playout.plies), (playout.ended, plies), "{}", text(&position));
        assert_eq!(result.and_then(|result| result.winner()), playout.winner, "{}", text(&position));
        assert!(playout.ended || plies == plies_max);
        let mut random = rng.clone();
        assert_eq!(Pentaflip.playout(&start, plies_max, || random.next_u64()), playout);
        rng.next_u64();
    }
}

/// All legal moves are equally frequent.
#[test]
fn moves_are_uniform() {
    let mut rng = Rng::new(22);
    let no_rings = "bwwwwb/bb3w/1bWBwb/wwBW1w/b4b/1wb2w 1w1w2/1wb1wb/bb2bw/ww2w1/2bwbb/wwb3 w T";
    for start in [Position::START, ongoing(&mut rng, 5), ongoing(&mut rng, 14), parse(no_rings)] {
        let legal = moves(&start);
        let mut counts = vec![0.0; legal.len()];
        let n_playouts = 200_000;
        for _ in 0..n_playouts {
            Pentaflip.playout_with(
                &start,
                1,
                || rng.next_u64(),
                |mv| counts[legal.iter().position(|&legal| legal == mv).unwrap()] += 1.0,
            );
        }
        let expected = f64::from(n_playouts) / legal.len() as f64;
        // Five standard deviations.
        assert!(counts.iter().all(|count: &f64| (count - expected).abs() < 5.0 * expected.sqrt()), "{counts:?}");
    }
}
