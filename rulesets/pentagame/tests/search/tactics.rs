//! Wins in one are played, and the opponents' are prevented.

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::nodes;
use pentagame::Move;

use crate::brute_force::can_finish;
use crate::support::{all_rules, contract, moves, random_position, text};

/// In 300 positions, 100 for each number of players, a win in one is played, and
/// the next player's win in one is prevented if that is possible. The positions
/// are chosen by brute force.
#[test]
fn wins_in_one_are_played_and_prevented() {
    for game in all_rules() {
        let mut rng = Rng::new(11);
        let (mut n_wins, mut n_prevented) = (0, 0);
        while n_wins < 60 || n_prevented < 40 {
            let position = random_position(&game, &mut rng);
            let nobody_has_three = (0..game.n_seats()).all(|seat| position.n_out(seat) < 3);
            if position.is_over() || !nobody_has_three || game.count_moves(&position, "") > 20_000 {
                continue;
            }
            let last = game.n_seats() - 1;
            if position.to_move() == last && can_finish(&game, &position) && n_wins < 60 {
                let next = game.play(&position, &contract(&game).search(&position, nodes(3_000), 1).lines[0].moves[0]);
                assert!(next.is_over() && next.n_out(last) >= 3, "{}", text(&game, &position));
                n_wins += 1;
            }
            if position.to_move() + 1 == last && !can_finish(&game, &position) && n_prevented < 40 {
                let safe = |mv: &Move| !can_finish(&game, &game.play(&position, mv));
                let legal = moves(&game, &position);
                let some = legal.iter().step_by(1 + legal.len() / 100);
                let is_tight = some.clone().filter(|mv| safe(mv)).count() * 4 < some.count();
                if !is_tight || !legal.iter().any(safe) {
                    continue;
                }
                let chosen = contract(&game).search(&position, nodes(3_000), 1).lines[0].moves[0];
                assert!(safe(&chosen), "{}: {chosen}", text(&game, &position));
                n_prevented += 1;
            }
        }
    }
}
