//! Shared by both test binaries: rules by variant, random positions, searches, and
//! exact values by trying every move.

use std::collections::HashMap;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::Contract;
use pentad_sdk::{Limits, Report, Ruleset, testing};
use pentago_xl::search::PentagoXlSearch;
use pentago_xl::{Move, PentagoXl, Position};

use crate::reference::{ReferenceGame, players};

pub(crate) use pentad_sdk::testing::contract::nodes;
pub(crate) use pentad_sdk::testing::{moves, parse, text};

pub(crate) fn rules(variant: &str) -> PentagoXl {
    testing::rules(variant)
}

pub(crate) fn all_rules() -> impl Iterator<Item = PentagoXl> {
    testing::all_rules()
}

/// Returns the positions of a random game from the start to its end.
pub(crate) fn walk(rules: &PentagoXl, rng: &mut Rng) -> Vec<Position> {
    testing::walk(rules, rules.start(), rng)
}

/// Returns a position of a random game with this many marbles that is not over.
pub(crate) fn unfinished_position(rules: &PentagoXl, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let found = walk(rules, rng)
            .into_iter()
            .find(|position| position.occupied().count() == n_marbles && rules.outcome(position).is_none());
        if let Some(position) = found {
            return position;
        }
    }
}

/// Compares a file of this crate with what it should contain, or, with
/// `PENTAD_BLESS` set, writes it.
pub(crate) fn compare_or_bless(path: &str, expected: &str) {
    testing::compare_or_bless(env!("CARGO_MANIFEST_DIR"), path, expected);
}

pub(crate) fn contract(game: &PentagoXl) -> Contract<'_, PentagoXl, PentagoXlSearch> {
    Contract::new(game, game.variant().id(), |_, _| PentagoXlSearch::default(), PentagoXlSearch::search)
}

pub(crate) fn search(game: &PentagoXl, position: &Position, limits: Limits, n_lines: usize) -> Report<Move> {
    contract(game).search(position, limits, n_lines)
}

/// Returns the max^n value of a position by trying every move with the reference: the
/// scores if every seat maximises its own, or `None` where some seat chooses, or might
/// choose, between equals that differ for others.
pub(crate) fn solve_by_reference(
    reference: &ReferenceGame,
    known: &mut HashMap<String, Option<Vec<f64>>>,
) -> Option<Vec<f64>> {
    if let Some(outcome) = reference.outcome() {
        return Some(outcome.scores);
    }
    let key = reference.format();
    if let Some(value) = known.get(&key) {
        return value.clone();
    }
    let seat = players(&reference.variant).iter().position(|player| *player == reference.side).unwrap();
    let values: Vec<Option<Vec<f64>>> =
        reference.legal().iter().map(|mv| solve_by_reference(&reference.play(mv), known)).collect();
    let value = max_n(&values, seat, players(&reference.variant).len(), &reference.variant);
    known.insert(key, value.clone());
    value
}

/// Returns the same by the crate's rules, which agree with the reference and are fast
/// enough for more empty cells.
pub(crate) fn solve_by_rules(
    game: &PentagoXl,
    position: &Position,
    known: &mut HashMap<Vec<u8>, Option<Vec<f64>>>,
) -> Option<Vec<f64>> {
    if let Some(outcome) = game.outcome(position) {
        return Some(outcome.scores.as_slice().to_vec());
    }
    let mut key = vec![0; game.position_size()];
    game.encode(position, &mut key);
    if let Some(value) = known.get(&key) {
        return value.clone();
    }
    let nexts = moves(game, position).into_iter().map(|mv| game.play_unchecked(position, mv));
    let values: Vec<Option<Vec<f64>>> = nexts.map(|next| solve_by_rules(game, &next, known)).collect();
    let variant = game.variant();
    let value = max_n(&values, position.side() as usize, variant.n_seats(), variant.id());
    known.insert(key, value.clone());
    value
}

/// Returns the value that a seat chooses. A sole win is chosen whatever else there is:
/// where the first five ends the game, all sole wins are equal.
fn max_n(values: &[Option<Vec<f64>>], seat: usize, n_seats: usize, variant: &str) -> Option<Vec<f64>> {
    let is_win = |value: &&Vec<f64>| value[seat] == 1.0 && !variant.starts_with("places") && n_seats > 1;
    if let Some(win) = values.iter().flatten().find(is_win) {
        return Some(win.clone());
    }
    let known: Option<Vec<&Vec<f64>>> = values.iter().map(Option::as_ref).collect();
    let known = known?;
    let best = known.iter().map(|value| value[seat]).fold(f64::MIN, f64::max);
    let equals: Vec<&&Vec<f64>> = known.iter().filter(|value| value[seat] > best - 1e-9).collect();
    let same = |value: &&&Vec<f64>| value.iter().zip(equals[0].iter()).all(|(a, b)| (a - b).abs() < 1e-9);
    equals.iter().all(same).then(|| equals[0].to_vec())
}

/// Converts a position of the crate to one of the reference.
pub(crate) fn reference_of(game: &PentagoXl, position: &Position) -> ReferenceGame {
    ReferenceGame::parse(game.variant().id(), &text(game, position))
        .expect("the reference accepts what the crate writes")
}

/// Returns a position of a random game with this many empty cells that is not over.
pub(crate) fn late_position(game: &PentagoXl, rng: &mut Rng, n_empty: u32) -> Position {
    loop {
        let mut position = game.start();
        let mut reached = None;
        game.playout_with(
            &game.start(),
            || rng.next_u64(),
            |mv| {
                if position.empty().count() == n_empty {
                    reached = Some(position);
                }
                position = game.play_unchecked(&position, mv);
            },
        );
        if let Some(reached) = reached.filter(|reached| game.game_result(reached).is_none()) {
            return reached;
        }
    }
}

/// Returns a position that is not over, from a game of tactical moves: richer in
/// threats than random play.
pub(crate) fn tactical_position(game: &PentagoXl, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let mut position = game.start();
        while game.game_result(&position).is_none() {
            if position.empty().count() == 81 - n_marbles {
                return position;
            }
            position = game.play_unchecked(&position, tactical_move(game, &position, rng));
        }
    }
}

/// Returns the best of six random moves by the static evaluation; it ends the game
/// only if all of them do.
pub(crate) fn tactical_move(game: &PentagoXl, position: &Position, rng: &mut Rng) -> Move {
    let legal = moves(game, position);
    let seat = position.side() as usize;
    let tried = (0..6).map(|_| legal[rng.below(legal.len())]);
    let static_score = |mv: &Move| {
        let next = game.play_unchecked(position, *mv);
        match game.game_result(&next) {
            Some(_) => -1.0,
            None => game.static_scores(&next)[seat],
        }
    };
    tried.max_by(|a, b| static_score(a).total_cmp(&static_score(b))).unwrap()
}
