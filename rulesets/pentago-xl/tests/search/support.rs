use std::collections::HashMap;

use pentad_sdk::search::rng::Rng;
use pentad_sdk::testing::contract::Contract;
use pentad_sdk::{Limits, Report, Ruleset};
use pentago_xl::search::XlSearch;
use pentago_xl::{Move, PentagoXl, Position};

use crate::reference::{ReferenceGame, players};
use crate::walks::{moves, text};

pub(crate) use pentad_sdk::testing::contract::nodes;

pub(crate) fn contract(game: &PentagoXl) -> Contract<'_, PentagoXl, XlSearch> {
    Contract::new(game, game.contest().id(), |_, _| XlSearch::new(), XlSearch::search)
}

pub(crate) fn search(game: &PentagoXl, position: &Position, limits: Limits, n_lines: usize) -> Report<Move> {
    contract(game).search(position, limits, n_lines)
}

/// What a position is worth by trying everything with the reference: the scores by
/// seat if every seat plays for its own, or `None` where some seat has to
/// choose between equals that differ for others (or might have to).
pub(crate) fn everything(reference: &ReferenceGame, known: &mut HashMap<String, Option<Vec<f64>>>) -> Option<Vec<f64>> {
    if let Some(outcome) = reference.outcome() {
        return Some(outcome.scores);
    }
    let key = reference.format();
    if let Some(value) = known.get(&key) {
        return value.clone();
    }
    let seat = players(&reference.variant).iter().position(|player| *player == reference.side).unwrap();
    let values: Vec<Option<Vec<f64>>> =
        reference.legal().iter().map(|mv| everything(&reference.play(mv), known)).collect();
    let value = choice(&values, seat, players(&reference.variant).len(), &reference.variant);
    known.insert(key, value.clone());
    value
}

/// The same by the crate's rules, which the reference vouches for: fast enough for
/// more empty cells.
pub(crate) fn everything_fast(
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
    let values: Vec<Option<Vec<f64>>> = nexts.map(|next| everything_fast(game, &next, known)).collect();
    let contest = game.contest();
    let value = choice(&values, position.side() as usize, contest.n_seats(), contest.id());
    known.insert(key, value.clone());
    value
}

/// What a seat takes of some values. A win alone is taken whatever else there
/// is: where the first five ends the game, nothing differs from it.
fn choice(values: &[Option<Vec<f64>>], seat: usize, n_seats: usize, variant: &str) -> Option<Vec<f64>> {
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

/// The reference of a position.
pub(crate) fn reference_of(game: &PentagoXl, position: &Position) -> ReferenceGame {
    ReferenceGame::parse(game.contest().id(), &text(game, position))
        .expect("the reference accepts what the crate writes")
}

/// A late position that is not over, with so many empty cells, by random play.
pub(crate) fn late(game: &PentagoXl, rng: &mut Rng, n_empty: u32) -> Position {
    loop {
        let mut position = game.start();
        let mut found = None;
        game.playout_with(
            &game.start(),
            || rng.next_u64(),
            |mv| {
                if position.empty().count() == n_empty {
                    found = Some(position);
                }
                position = game.play_unchecked(&position, mv);
            },
        );
        if let Some(found) = found.filter(|found| game.verdict(found).is_none()) {
            return found;
        }
    }
}

/// A position of a random game in which everybody takes a five at hand and
/// else blocks or goes on at random: richer in threats than plain chance.
pub(crate) fn lively(game: &PentagoXl, rng: &mut Rng, n_marbles: u32) -> Position {
    loop {
        let mut position = game.start();
        while game.verdict(&position).is_none() {
            if position.empty().count() == 81 - n_marbles {
                return position;
            }
            let legal = moves(game, &position);
            let seat = position.side() as usize;
            // Of a few random moves the one that looks best.
            let tried = (0..6).map(|_| legal[rng.below(legal.len())]);
            let worth = |mv: &Move| {
                let next = game.play_unchecked(&position, *mv);
                match game.verdict(&next) {
                    Some(_) => -1.0,
                    None => game.static_scores(&next)[seat],
                }
            };
            let best = tried.max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap();
            position = game.play_unchecked(&position, best);
        }
    }
}
