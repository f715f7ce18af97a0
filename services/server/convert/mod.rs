//! Conversions between wire types and engine types, the only place that names
//! both.

mod answers;
pub(crate) mod batch;
pub(crate) mod grpc;
pub(crate) mod json;
pub(crate) mod labels;
pub(crate) mod threats;

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use pentad_engine::{PositionSpec, PuzzleQuestion};
use pentad_host::{RulesetInfo, Variant};
use pentad_model::Scores;
use pentad_model::i18n::{Catalogue, Language};
use pentad_model::{Board, Seat};

/// What a rule set calls its things, in a language.
#[derive(Clone, Copy)]
struct Translations<'a> {
    catalogue: Option<&'a Catalogue>,
    language: Language,
}

impl Translations<'_> {
    /// The term `group.id` with `part` after it, or else what the rule set says itself.
    fn of(self, group: &str, id: &str, part: &str, default: &str) -> String {
        let found = self.catalogue.and_then(|words| words.term(self.language, &format!("{group}.{id}{part}")));
        found.unwrap_or(default).to_owned()
    }

    fn of_seat(self, seat: &Seat) -> String {
        let found = self.catalogue.and_then(|words| words.seat_name(self.language, &seat.id));
        found.unwrap_or_else(|| seat.name.clone())
    }
}

/// The names of a rule set's optional capabilities.
fn capabilities(info: &RulesetInfo) -> impl Iterator<Item = &'static str> {
    let has = &info.capabilities;
    let all = [
        ("search", has.search),
        ("symmetry", has.symmetry),
        ("layout", has.layout),
        ("reasons", has.reasons),
        ("threats", has.threats),
    ];
    all.into_iter().filter_map(|(name, has)| has.then_some(name))
}

fn abi(info: &RulesetInfo) -> String {
    format!("{}.{}", info.abi_major, info.abi_minor)
}

fn seat_ids(variant: &Variant) -> Vec<String> {
    variant.seats.iter().map(|seat| seat.id.clone()).collect()
}

/// Empty if there is no such seat.
fn seat_id(variant: &Variant, seat: usize) -> String {
    variant.seats.get(seat).map(|seat| seat.id.clone()).unwrap_or_default()
}

/// Values by seat id, in playing order.
fn by_seat<T, C: FromIterator<(String, T)>>(variant: &Variant, values: impl IntoIterator<Item = T>) -> C {
    variant.seats.iter().zip(values).map(|(seat, value)| (seat.id.clone(), value)).collect()
}

/// Scores by seat id, rounded to six decimals, so that both edges send equal ones.
fn scores<C: FromIterator<(String, f64)>>(variant: &Variant, scores: &Scores) -> C {
    by_seat(variant, scores.as_slice().iter().copied().map(rounded))
}

/// To six decimals.
fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

/// A small number, as both edges send it.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Piece ids by point id, in the board's order.
fn pieces_by_point(board: Option<&Board>, pieces: &[(u32, u32)]) -> Vec<(String, Vec<String>)> {
    let Some(board) = board else { return Vec::new() };
    let mut sorted = pieces.to_vec();
    sorted.sort_by_key(|(point, _)| *point);
    let mut points: Vec<(String, Vec<String>)> = Vec::new();
    for same_point in sorted.chunk_by(|(a, _), (b, _)| a == b) {
        let Some(point) = board.points.get(same_point[0].0 as usize) else { continue };
        let ids = same_point.iter().filter_map(|(_, piece)| board.pieces.get(*piece as usize));
        points.push((point.id.clone(), ids.map(|piece| piece.id.clone()).collect()));
    }
    points
}

fn point_id(board: &Board, point: u32) -> String {
    board.points.get(point as usize).map(|point| point.id.clone()).unwrap_or_default()
}

/// Which puzzles are asked for, with what is not given by default.
fn puzzle_filter(
    spec: PositionSpec,
    count: Option<u32>,
    (min_plies, max_plies): (Option<u32>, Option<u32>),
    seed: Option<u64>,
) -> PuzzleQuestion {
    let default = PuzzleQuestion::new(spec);
    let max = max_plies.unwrap_or(default.plies.1);
    PuzzleQuestion {
        count: count.map_or(default.count, |count| count as usize),
        plies: (min_plies.unwrap_or(max), max),
        seed: seed.unwrap_or_else(|| RandomState::new().hash_one(())),
        ..default
    }
}

/// Milliseconds, rounded to microseconds.
fn elapsed_ms(elapsed: Duration) -> f64 {
    (elapsed.as_secs_f64() * 1e6).round() / 1e3
}
