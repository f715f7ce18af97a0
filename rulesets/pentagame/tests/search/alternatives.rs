//! Several lines are different ideas: another figure, or another stop for it.

use std::collections::HashSet;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::nodes;
use pentad_sdk::{NeverStop, Request, Ruleset};
use pentagame::{Move, Pentagame, Position};

use crate::brute_force::can_finish;
use crate::sample::played_positions;
use crate::support::{all_rules, contract, moves, random_position, rules, text};

/// Returns the text of the idea: the move without the swapped figure and without
/// blocks.
fn idea(mv: &Move) -> String {
    let text = mv.text();
    text[..text.find(['=', '@', '+']).unwrap_or(text.len())].to_owned()
}

fn ideas(moves: &[Move]) -> HashSet<String> {
    moves.iter().map(idea).collect()
}

/// Returns positions of games and random ones. Some have few ideas because a figure on
/// its goal must move out.
fn positions(game: &Pentagame) -> Vec<Position> {
    let mut rng = Rng::new(23);
    let random = std::iter::repeat_with(|| random_position(game, &mut rng)).filter(|position| !position.is_over());
    let mut found = played_positions(game, 21, 6);
    found.extend(random.filter(|position| game.count_moves(position, "") <= 4_000).take(18));
    found
}

/// The report shows as many ideas as lines are requested, or all if there are fewer;
/// whether all moves may be searched or only some, and however early the search stops.
#[test]
fn lines_are_different_ideas() {
    for game in all_rules() {
        let mut n_few = 0;
        for position in positions(&game) {
            let legal = moves(&game, &position);
            let avoided: Vec<Move> = legal.iter().copied().step_by(3).collect();
            let others: Vec<Move> = legal.iter().copied().filter(|mv| !avoided.contains(mv)).collect();
            let searches = [(Vec::new(), &legal), (legal.clone(), &legal), (others.clone(), &others)];
            for (n_lines, n_nodes) in [(2, 40), (3, 600), (12, 600)] {
                for (root_moves, allowed) in &searches {
                    let request = Request { n_lines, root_moves: root_moves.clone(), ..Request::new(nodes(n_nodes)) };
                    let report = contract(&game).ask(&position, &request, &NeverStop);
                    let shown: Vec<Move> = report.lines.iter().map(|line| line.moves[0]).collect();
                    let context = format!("{} {n_lines} {n_nodes} {shown:?}", text(&game, &position));
                    assert_eq!(shown.iter().collect::<HashSet<_>>().len(), n_lines.min(allowed.len()), "{context}");
                    assert!(shown.iter().all(|mv| allowed.contains(mv)), "{context}");
                    let n_ideas = ideas(allowed).len();
                    assert_eq!(ideas(&shown).len(), n_lines.min(n_ideas), "{context}");
                    n_few += usize::from(n_ideas < n_lines);
                }
            }
        }
        assert!(n_few > 5, "only {n_few} positions with few ideas");
    }
}

/// Each idea is shown with its best blocks: if only some of its moves win because they
/// keep player 2 from finishing, one of the winning moves is shown.
#[test]
fn ideas_come_with_their_best_blocks() {
    let game = rules("2p");
    let mut rng = Rng::new(29);
    let (mut n_mixed, mut n_several) = (0, 0);
    while n_mixed < 15 || n_several < 3 {
        let position = random_position(&game, &mut rng);
        let is_near = position.to_move() == 0 && position.n_out(0) == 2 && position.n_out(1) == 2;
        if position.is_over() || !is_near || game.count_moves(&position, "") > 1_000 {
            continue;
        }
        let legal = moves(&game, &position);
        let wins = |mv: &&Move| mv.greys().next().is_some() && !can_finish(&game, &game.play(&position, mv));
        let winning: Vec<Move> = legal.iter().filter(wins).copied().collect();
        let won_ideas = ideas(&winning);
        if winning.is_empty() {
            continue;
        }
        let n_moves = legal.iter().filter(|mv| won_ideas.contains(&idea(mv))).count();
        n_mixed += usize::from(winning.len() < n_moves);
        n_several += usize::from(won_ideas.len() > 1);
        let n_lines = won_ideas.len();
        let request = Request { n_lines, root_moves: legal.clone(), ..Request::new(nodes(5_000)) };
        let report = contract(&game).ask(&position, &request, &NeverStop);
        for line in &report.lines {
            assert!(winning.contains(&line.moves[0]), "{} {line:?}", text(&game, &position));
        }
        let alone = contract(&game).search(&position, nodes(500), 1);
        assert!(winning.contains(&alone.lines[0].moves[0]), "{} {alone:?}", text(&game, &position));
    }
}
