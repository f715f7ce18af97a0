//! How a game ended.

use pentad_abi as abi;

use crate::evaluation::{Scores, Seating, scores_from_plugin, scores_to_abi};
use crate::i18n::{Message, Sentence};
use crate::text;
use crate::violation::Violation;

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Score per seat, 0 to 1.
    pub scores: Scores,
    /// Place per seat; 1 is best, equal places repeat.
    pub places: Vec<u32>,
    /// One sentence for players, in English unless it was translated for a caller.
    pub text: String,
    /// The message that the text renders; `None` if the text is the same in every
    /// language.
    pub message: Option<Message>,
}

impl Outcome {
    /// Builds the outcome of a game for two: the seat that won, or `None` for a draw, and
    /// one sentence for players.
    pub fn of_two(winner: Option<usize>, sentence: impl Into<Sentence>) -> Self {
        let (scores, places) = match winner {
            Some(0) => ([1.0, 0.0], vec![1, 2]),
            Some(_) => ([0.0, 1.0], vec![2, 1]),
            None => ([0.5, 0.5], vec![1, 1]),
        };
        Outcome::new(Scores::new(&scores), places, sentence)
    }

    /// Builds an outcome from scores and places by seat, and one sentence for players.
    pub fn new(scores: Scores, places: Vec<u32>, sentence: impl Into<Sentence>) -> Self {
        let Sentence { text, message } = sentence.into();
        Outcome { scores, places, text, message }
    }

    /// Writes scores and places; the text goes to a writer.
    pub fn to_abi(&self) -> abi::Outcome {
        let mut places = [0; abi::SEATS_MAX];
        places[..self.places.len()].copy_from_slice(&self.places);
        abi::Outcome { over: 1, n_seats: self.places.len() as u32, scores: scores_to_abi(&self.scores), places }
    }

    /// Validates and copies an outcome and the text that the writer received; `None` while
    /// the game goes on.
    pub fn from_plugin(raw: &abi::Outcome, text: Vec<u8>, seating: Seating) -> Result<Option<Outcome>, Violation> {
        let Some(scores) = Outcome::scores_from_plugin(raw, seating)? else { return Ok(None) };
        let places = raw.places[..seating.n_seats].to_vec();
        if places.iter().any(|place| !(1..=places.len() as u32).contains(place)) {
            return Err(Violation::value(format!("invalid places {places:?}")));
        }
        Ok(Some(Outcome { scores, places, text: text::sentence(text)?, message: None }))
    }

    /// Reads the scores alone, as [`from_plugin`](Outcome::from_plugin) does.
    pub fn scores_from_plugin(raw: &abi::Outcome, seating: Seating) -> Result<Option<Scores>, Violation> {
        match raw.over {
            0 => Ok(None),
            1 => scores_from_plugin(&raw.scores, raw.n_seats, seating).map(Some),
            other => Err(Violation::value(format!("`over` is {other}, expected 0 or 1"))),
        }
    }
}
