use std::ops::ControlFlow;

use pentad_sdk::Ruleset;
use pentad_sdk::search::rng::Rng;
use pentago_xl::{Contest, Move, PentagoXl, Position};

pub(crate) fn rules(variant: &str) -> PentagoXl {
    let contest = Contest::ALL.into_iter().find(|contest| contest.id() == variant);
    PentagoXl::of(contest.unwrap_or_else(|| panic!("no variant {variant}")))
}

pub(crate) fn all_rules() -> impl Iterator<Item = PentagoXl> {
    Contest::ALL.into_iter().map(PentagoXl::of)
}

pub(crate) fn parse(rules: &PentagoXl, text: &str) -> Position {
    rules.parse(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

pub(crate) fn text(rules: &PentagoXl, position: &Position) -> String {
    let mut text = String::new();
    rules.format(position, &mut text);
    text
}

pub(crate) fn moves(rules: &PentagoXl, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    let _complete = rules.legal_moves(position, &mut |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

pub(crate) fn play(rules: &PentagoXl, position: &Position, mv: &str) -> Position {
    let parsed = rules.parse_move(position, mv);
    let parsed = parsed.unwrap_or_else(|refusal| panic!("{mv} in {}: {refusal}", text(rules, position)));
    rules.play(position, &parsed)
}

/// The positions of a random game from the start, the last one finished.
pub(crate) fn walk(rules: &PentagoXl, rng: &mut Rng) -> Vec<Position> {
    let mut positions = vec![rules.start()];
    loop {
        let last = positions[positions.len() - 1];
        let moves = moves(rules, &last);
        if moves.is_empty() {
            return positions;
        }
        positions.push(rules.play(&last, &moves[rng.below(moves.len())]));
    }
}

/// A position of a game that goes on, with that many marbles.
pub(crate) fn running(rules: &PentagoXl, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let found = walk(rules, rng)
            .into_iter()
            .find(|position| position.occupied().count() == n_marbles && rules.outcome(position).is_none());
        if let Some(position) = found {
            return position;
        }
    }
}

/// Compares a file of this crate with what it should be, or writes it if the
/// environment has `PENTAD_BLESS`.
pub(crate) fn compare_or_bless(path: &str, expected: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("PENTAD_BLESS").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "{}, line {}; PENTAD_BLESS=1 writes it anew", path.display(), number + 1);
    }
    assert_eq!(found.len(), expected.len(), "{}; PENTAD_BLESS=1 writes it anew", path.display());
}
