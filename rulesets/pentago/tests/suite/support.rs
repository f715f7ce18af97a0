pub(crate) use pentad_sdk::testing::{moves, parse, text};

use std::collections::HashMap;
use std::fmt::Write;

use pentad_sdk::search::rng::Rng;
use pentad_sdk::testing::contract::depth;
use pentad_sdk::{Limits, Report, Ruleset, testing};
use pentago::{Move, Pentago, Position};

pub(crate) fn rules(variant: &str) -> Pentago {
    testing::rules(variant)
}

pub(crate) fn all_rules() -> impl Iterator<Item = Pentago> {
    testing::all_rules()
}

/// The positions of a random game from the start, the last one finished. Either
/// colour may start.
pub(crate) fn walk(rules: &Pentago, rng: &mut Rng) -> Vec<Position> {
    let start = if rng.below(2) == 1 { parse(rules, "6/6/6/6/6/6 b") } else { rules.start() };
    testing::walk(rules, start, rng)
}

/// A position of a game that goes on, with that many marbles.
pub(crate) fn running(rules: &Pentago, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let found = walk(rules, rng)
            .into_iter()
            .find(|position| position.occupied().count() == n_marbles && rules.outcome(position).is_none());
        if let Some(position) = found {
            return position;
        }
    }
}

/// Compares a file of this crate with what it should be, or writes it.
pub(crate) fn compare_or_bless(path: &str, expected: &str) {
    testing::compare_or_bless(env!("CARGO_MANIFEST_DIR"), path, expected);
}

/// 1, 0 or -1 for the side to move, by trying everything.
pub(crate) fn everything(game: &Pentago, position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(verdict) = game.verdict(position) {
        return verdict.winner().map_or(0, |winner| if winner == position.side() { 1 } else { -1 });
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let mut best = -1;
    for mv in moves(game, position) {
        let next = game.play(position, &mv);
        let value = everything(game, &next, known);
        best = best.max(if next.side() == position.side() { value } else { -value });
        if best == 1 {
            break;
        }
    }
    known.insert(*position, best);
    best
}

/// Node counts, moves and values of a search, over variants, depths and
/// positions, are those of a file.
pub(crate) fn check_signature(
    path: &str,
    searches: &[(&str, u32, &str)],
    search: impl Fn(&Pentago, &Position, Limits, usize) -> Report<Move>,
) {
    let mut out = String::from("# variant, depth, nodes, best move, score of the side to move, position\n");
    for (variant, plies, position) in searches {
        let game = rules(variant);
        let position = parse(&game, position);
        let report = search(&game, &position, depth(*plies), 1);
        let (mv, score) = (report.lines[0].moves[0].text(), report.evaluation.scores[position.side() as usize]);
        writeln!(out, "{variant} {plies} {} {mv} {score:.4} {}", report.nodes, text(&game, &position)).unwrap();
    }
    compare_or_bless(path, &out);
}
