//! Games and counts of games as bytes, in the format of `codec`.

use pentad_engine::{GameTally, RecordedGame};
use pentad_model::SEATS_MAX;

use crate::codec::{Reader, Writer, bad};
use crate::error::StoreError;

/// A stored game without its tallies, which are stored separately.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GameText {
    pub(crate) id: String,
    pub(crate) position: String,
    pub(crate) moves: Vec<String>,
    pub(crate) scores: Vec<(String, f64)>,
}

/// Scores are stored in millionths.
const UNITS: f64 = 1e6;

/// Encodes a game; `None` if it is too long.
pub(crate) fn encode_game(key: &[u8], game: &RecordedGame) -> Option<Vec<u8>> {
    let mut out = Writer::new();
    out.text(&game.id);
    out.text(&game.position);
    out.texts(&game.moves);
    out.number(game.scores.len() as u64);
    for (seat, score) in &game.scores {
        out.text(seat);
        out.number((score * UNITS).round() as u64);
    }
    out.sealed(key)
}

pub(crate) fn decode_game(key: &[u8], value: &[u8]) -> Result<GameText, StoreError> {
    let mut reader = Reader::unsealed(key, value)?;
    let (id, position, moves) = (reader.text()?, reader.text()?, reader.texts()?);
    let n_seats = reader.count()?;
    let score = |reader: &mut Reader<'_>| Ok((reader.text()?, reader.number()? as f64 / UNITS));
    let scores = (0..n_seats).map(|_| score(&mut reader)).collect::<Result<_, StoreError>>()?;
    reader.end()?;
    Ok(GameText { id, position, moves, scores })
}

/// Encodes a tally.
pub(crate) fn encode_tally(key: &[u8], tally: &GameTally) -> Vec<u8> {
    let mut out = Writer::new();
    out.number(tally.games);
    tally.points.iter().for_each(|&points| out.number(points));
    out.sealed(key).expect("a few numbers are short")
}

pub(crate) fn decode_tally(key: &[u8], value: &[u8]) -> Result<GameTally, StoreError> {
    let mut reader = Reader::unsealed(key, value)?;
    let games = reader.number()?;
    let mut points = [0; SEATS_MAX];
    for sum in &mut points {
        *sum = reader.number()?;
        // A seat gets at most one point per game.
        if *sum as f64 > games as f64 * UNITS {
            return Err(bad("more points than games"));
        }
    }
    reader.end()?;
    Ok(GameTally { games, points })
}
