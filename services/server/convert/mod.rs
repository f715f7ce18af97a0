//! Conversions between wire types and engine types, the only place that names
//! both.

mod answers;
pub(crate) mod grpc;
pub(crate) mod json;
pub(crate) mod labels;

use std::time::Duration;

use pentad_host::{Board, RulesetInfo, Variant};
use pentad_search::Scores;

/// The names of a rule set's optional capabilities.
fn capabilities(info: &RulesetInfo) -> impl Iterator<Item = &'static str> {
    let has = &info.capabilities;
    [("search", has.search), ("symmetry", has.symmetry), ("layout", has.layout), ("reasons", has.reasons)]
        .into_iter()
        .filter_map(|(name, has)| has.then_some(name))
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
    by_seat(variant, scores.as_slice().iter().map(|score| (score * 1e6).round() / 1e6))
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

/// Milliseconds, rounded to microseconds.
fn elapsed_ms(elapsed: Duration) -> f64 {
    (elapsed.as_secs_f64() * 1e6).round() / 1e3
}
