use pentad_sdk::rng::Rng;
use pentago::solver::{SolverOptions, Unsolvable, plan, solve};

use crate::support::{editions, random_position, solution, text};

/// Threads, SIMD and passes change the time of a solution, not its values.
#[test]
fn options_do_not_change_values() {
    for game in editions() {
        let mut rng = Rng::new(0xe4a1 + game.edition() as u64);
        for n_marbles in [22, 24, 25, 27, 30, 33, 35] {
            let position = random_position(&game, &mut rng, n_marbles);
            let Err(Unsolvable::Memory { needed_bytes }) = plan(&game, &position, 0) else {
                panic!("no memory is enough")
            };
            let [one, two] = [usize::MAX, needed_bytes].map(|bytes| plan(&game, &position, bytes).expect("it fits"));
            assert_eq!([one.n_passes(), two.n_passes()], [1, 2]);
            let expected = solution(&game, &position).moves;
            for (plan, n_threads, use_simd) in [
                (one, 1, false),
                (one, 2, false),
                (one, 1, true),
                (one, 3, true),
                (two, 1, false),
                (two, 1, true),
                (two, 3, true),
            ] {
                let options = SolverOptions { n_threads, use_simd };
                let found = solve(&game, &position, &plan, options, &|| false, &mut |_| {}).expect("never stopped");
                assert_eq!(found.moves, expected, "{options:?}, {plan:?}: {}", text(&game, &position));
            }
        }
    }
}

/// Progress begins small, never falls, and ends with everything.
#[test]
fn progress_grows_to_one() {
    let game = editions().next().expect("there is an edition");
    let position = random_position(&game, &mut Rng::new(3), 23);
    for n_threads in [1, 2] {
        let mut seen = Vec::new();
        let plan = plan(&game, &position, usize::MAX).expect("solvable");
        solve(&game, &position, &plan, SolverOptions::new(n_threads), &|| false, &mut |part| seen.push(part));
        assert!(seen[0] < 0.1 && seen.is_sorted(), "{seen:?}");
        assert_eq!(seen.last(), Some(&1.0));
    }
}
