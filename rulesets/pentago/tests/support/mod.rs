pub(crate) use pentad_sdk::testing::{moves, parse, text};

use std::collections::HashMap;
use std::fmt::Write;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::depth;
use pentad_sdk::{Limits, Report, Ruleset, Wdl, testing};
use pentago::{Move, Pentago, Position};

pub(crate) fn rules(variant: &str) -> Pentago {
    testing::rules(variant)
}

pub(crate) fn all_rules() -> impl Iterator<Item = Pentago> {
    testing::all_rules()
}

/// Returns the positions of a random game from the start, the last one finished. Either
/// colour may start.
pub(crate) fn walk(rules: &Pentago, rng: &mut Rng) -> Vec<Position> {
    let start = if rng.below(2) == 1 { parse(rules, "6/6/6/6/6/6 b") } else { rules.start() };
    testing::walk(rules, start, rng)
}

/// Returns a position of a random game in progress, with `n_marbles` marbles.
pub(crate) fn random_position(rules: &Pentago, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let found = walk(rules, rng)
            .into_iter()
            .find(|position| position.occupied().count() == n_marbles && rules.outcome(position).is_none());
        if let Some(position) = found {
            return position;
        }
    }
}

/// Compares a file of this package with its expected content, or writes it if
/// `PENTAD_BLESS` is set.
pub(crate) fn compare_or_bless(path: &str, expected: &str) {
    testing::compare_or_bless(env!("CARGO_MANIFEST_DIR"), path, expected);
}

/// Evaluates by minimax over all moves: 1, 0 or -1 for the side to move.
pub(crate) fn minimax(game: &Pentago, position: &Position, memo: &mut HashMap<Position, i32>) -> i32 {
    if let Some(result) = game.game_result(position) {
        return result.winner().map_or(0, |winner| if winner == position.side() { 1 } else { -1 });
    }
    if let Some(&value) = memo.get(position) {
        return value;
    }
    let mut best = -1;
    for mv in moves(game, position) {
        let next = game.play(position, &mv);
        let value = minimax(game, &next, memo);
        best = best.max(if next.side() == position.side() { value } else { -value });
        if best == 1 {
            break;
        }
    }
    memo.insert(*position, best);
    best
}

/// Compares node counts, moves and values of a search, over variants, depths and
/// positions, with a file.
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

/// Checks the Czech edition: a five by turning that cannot be answered is a win, and
/// one that can is a draw.
pub(crate) fn check_czech_reply(search: impl Fn(&Pentago, &Position, Limits, usize) -> Report<Move>) {
    let game = rules("czech");
    let answerable = parse(&game, "wwwww1/6/6/6/6/bbb1b1 b reply");
    let report = search(&game, &answerable, depth(2), 1);
    assert_eq!(report.lines[0].moves[0].text(), "d6");
    assert_eq!(report.evaluation.outcome, Some(Wdl::Draw));

    let lost = parse(&game, "wwwww1/6/6/6/6/bb2bb b reply");
    assert_eq!(search(&game, &lost, depth(2), 1).evaluation.outcome, Some(Wdl::Loss));

    let winning = parse(&game, "w2ww1/w5/6/6/b5/bb3b w");
    let report = search(&game, &winning, depth(3), 1);
    assert_eq!(report.lines[0].moves[0].text(), "a3-1r");
    assert_eq!((report.evaluation.outcome, report.evaluation.plies_to_end), (Some(Wdl::Win), Some(2)));
}

/// The generic search on Pentago.
pub(crate) mod generic {
    use pentad_sdk::search::Searcher;
    use pentad_sdk::testing::contract::Contract;

    use super::*;

    pub(crate) fn contract(game: &Pentago) -> Contract<'_, Pentago, Searcher> {
        Contract::new(game, game.edition().id(), |_, _| Searcher::new(), Searcher::search)
    }

    pub(crate) fn search(game: &Pentago, position: &Position, limits: Limits, n_lines: usize) -> Report<Move> {
        contract(game).search(position, limits, n_lines)
    }
}
