//! Shared by both test binaries: rules by variant, random positions, racing players.

pub(crate) use pentad_sdk::testing::{moves, parse, text};

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::Contract;
use pentad_sdk::{Ruleset, Search, testing};
use pentagame::{Move, Pentagame, Position};

pub(crate) fn all_rules() -> impl Iterator<Item = Pentagame> {
    testing::all_rules()
}

pub(crate) fn rules(variant: &str) -> Pentagame {
    testing::rules(variant)
}

/// Returns the search contract of a variant, to run searches with.
pub(crate) fn contract(game: &Pentagame) -> Contract<'_, Pentagame, <Pentagame as Search>::Context> {
    Contract::of(game, ["2p", "3p", "4p"][game.n_seats() - 2])
}

/// Returns a random legal position: pieces on any stops, a few figures out, with more
/// pieces on nodes and more swaps than a uniform choice gives.
pub(crate) fn random_position(rules: &Pentagame, rng: &mut Rng) -> Position {
    loop {
        let text = random_position_text(rules.n_seats(), rng);
        if let Ok(position) = rules.parse(&text) {
            return position;
        }
    }
}

fn random_position_text(n_seats: usize, rng: &mut Rng) -> String {
    let mut free: Vec<String> = pentagame::Stop::all().map(|stop| stop.to_string()).collect();
    let mut draw = |rng: &mut Rng| {
        // Four of ten draws are corners or crossings while there are any.
        let n_nodes = free.iter().filter(|name| name.len() == 1).count();
        let at = if n_nodes > 0 && rng.below(10) < 4 { rng.below(n_nodes) } else { rng.below(free.len()) };
        free.remove(at)
    };
    let mut n_out = 0;
    let mut figures = Vec::new();
    for _ in 0..n_seats {
        let mut out_left = rng.below(4);
        let stops: Vec<String> = (0..5)
            .map(|_| {
                if out_left > 0 && rng.below(2) == 0 {
                    (out_left, n_out) = (out_left - 1, n_out + 1);
                    return "*".to_owned();
                }
                draw(rng)
            })
            .collect();
        figures.push(stops.join(","));
    }
    let black: Vec<String> = (0..5).map(|_| draw(rng)).collect();
    let n_grey = if rng.below(3) == 0 { n_out.min(5) } else { rng.below(n_out.min(5) + 1) };
    let grey: Vec<String> = (0..n_grey).map(|_| draw(rng)).collect();
    let grey = if grey.is_empty() { "-".to_owned() } else { grey.join(",") };
    let figure = |rng: &mut Rng| format!("{}{}", 1 + rng.below(n_seats), ["a", "b", "c", "d", "e"][rng.below(5)]);
    let ko = if rng.below(3) == 0 { format!("{}{}", figure(rng), figure(rng)) } else { "-".to_owned() };
    format!("{} {} {grey} {} {ko}", figures.join("/"), black.join(","), 1 + rng.below(n_seats))
}

/// Number of moves that [`racing_move`] chooses from.
const SAMPLE: usize = 24;

/// Returns a move of a short-sighted racer: moves out if possible, or else the best of a
/// few random moves, those first that bring others to their goals (which forces
/// their turns), end on crossings, or swap.
pub(crate) fn racing_move(rules: &Pentagame, position: &Position, rng: &mut Rng) -> Move {
    let all = moves(rules, position);
    let out: Vec<Move> = all.iter().copied().filter(|mv| mv.greys().next().is_some()).collect();
    let double: Vec<Move> = out.iter().copied().filter(|mv| mv.greys().count() == 2).collect();
    let pool = if double.is_empty() { out } else { double };
    if !pool.is_empty() && rng.below(8) > 0 {
        return pool[rng.below(pool.len())];
    }
    let seat = position.to_move();
    let rating = |mv: &Move| {
        let next = rules.play(position, mv);
        let on_goals = |seat: usize| {
            let on_goal = |colour| {
                let figure = pentagame::Figure::new(seat, colour);
                next.stop_of(figure) == Some(figure.goal())
            };
            (0..5).filter(|&colour| on_goal(colour)).count() as i32
        };
        let others: i32 = (0..rules.n_seats()).filter(|&other| other != seat).map(on_goals).sum();
        let at_crossing = mv.to().is_some_and(|to| !to.is_corner() && to.name().len() == 1);
        6 * others + 2 * i32::from(at_crossing) + i32::from(mv.swapped_figure().is_some())
    };
    let sample: Vec<Move> = (0..SAMPLE).map(|_| all[rng.below(all.len())]).collect();
    sample.into_iter().max_by_key(rating).unwrap_or(all[0])
}

/// Compares a file of this crate with what it should contain, or, with
/// `PENTAD_BLESS` set, writes it.
pub(crate) fn compare_or_bless(path: &str, expected: &str) {
    testing::compare_or_bless(env!("CARGO_MANIFEST_DIR"), path, expected);
}
