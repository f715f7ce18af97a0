//! Replies of a worker.

use pentad_abi as abi;
use pentad_model::Evaluation;
use pentad_model::i18n::Catalogue;
use pentad_model::{Outcome, Reason, Violation, evaluation};
use serde::{Deserialize, Serialize};

use super::refusal::{Refusal, WireFault};
use super::report::{EvaluationDef, WireReport};
use crate::isolation::threats::WireThreatList;
use crate::isolation::wire_translations::WireMessage;
use crate::variant::Variant;

/// A reply of the worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply<'a> {
    Position(&'a [u8]),
    /// Concatenated.
    Positions(&'a [u8]),
    Played {
        position: &'a [u8],
        canonical: &'a str,
    },
    /// Position after the first `n_played` moves; the next one failed, if there is a
    /// refusal.
    Reached {
        position: &'a [u8],
        n_played: u32,
        #[serde(borrow)]
        refusal: Option<Refusal<'a>>,
    },
    Text(&'a str),
    Number(u64),
    /// Moves, each followed by a line feed.
    Moves {
        text: &'a str,
        is_last: bool,
    },
    /// `raw.over` is 0 if the game is not over.
    Outcome {
        #[serde(with = "OutcomeDef")]
        raw: abi::Outcome,
        text: &'a str,
        /// Replaces the text.
        #[serde(borrow)]
        message: Option<WireMessage<'a>>,
    },
    Canonical {
        position: &'a [u8],
        symmetry: u32,
    },
    Line(#[serde(borrow)] Vec<&'a str>),
    Pieces(Vec<(u32, u32)>),
    /// A message for each move, where the rule set has one.
    Messages(#[serde(borrow)] Vec<Option<WireMessage<'a>>>),
    Reasons {
        /// A list for each requested line.
        #[serde(borrow)]
        lists: Vec<Vec<WireReason<'a>>>,
        /// Why some reasons were dropped.
        fault: Option<WireFault>,
    },
    Threats(#[serde(borrow)] WireThreatList<'a>),
    Evaluation(#[serde(with = "EvaluationDef")] abi::Evaluation),
    Created,
    /// The final report has a stop reason.
    Report(#[serde(borrow)] WireReport<'a>),
    Refused(#[serde(borrow)] Refusal<'a>),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireReason<'a> {
    code: &'a str,
    /// Empty if there is a message.
    text: &'a str,
    #[serde(borrow)]
    points: Vec<&'a str>,
    #[serde(borrow)]
    message: Option<WireMessage<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "abi::Outcome")]
struct OutcomeDef {
    over: u32,
    n_seats: u32,
    scores: [f64; abi::SEATS_MAX],
    places: [u32; abi::SEATS_MAX],
}

impl<'a> WireReason<'a> {
    pub(crate) fn new(reason: &'a Reason) -> WireReason<'a> {
        let points = reason.points.iter().map(String::as_str).collect();
        let message = reason.message.as_ref().map(WireMessage::new);
        WireReason { code: &reason.code, text: if message.is_some() { "" } else { &reason.text }, points, message }
    }

    /// Validates a reason of a variant.
    pub(crate) fn read(&self, catalogue: Option<&Catalogue>, variant: &Variant) -> Result<Reason, Violation> {
        let board = variant.board.as_ref();
        let points: Vec<abi::Str> = self.points.iter().map(|point| abi::Str::new(point)).collect();
        if let Some(message) = &self.message {
            let catalogue = catalogue.ok_or_else(|| Violation::value("a message without a table of words"))?;
            return message.with_abi(|message| {
                let (points, n_points) = (points.as_ptr(), points.len() as u64);
                let raw = abi::SpokenReason { message: *message, points, n_points };
                // SAFETY: message and points are readable until the end of this function.
                unsafe { Reason::from_spoken_plugin(&raw const raw, catalogue, &variant.seats, board) }
            });
        }
        let raw = abi::Reason {
            code: abi::Str::new(self.code),
            text: abi::Str::new(self.text),
            points: points.as_ptr(),
            n_points: points.len() as u64,
        };
        // SAFETY: the points, and the texts in `self`, are readable until the end of
        // this function.
        unsafe { Reason::from_plugin(&raw const raw, board) }
    }
}

/// Encodes an outcome: as a message if there is one, else as a text.
pub(crate) fn outcome_reply(outcome: &Outcome) -> Reply<'_> {
    let message = outcome.message.as_ref().map(WireMessage::new);
    let text = if message.is_some() { "" } else { outcome.text.as_str() };
    Reply::Outcome { raw: outcome.to_abi(), text, message }
}

/// Reads an outcome of a variant.
pub(crate) fn read_outcome(
    (raw, text, message): (&abi::Outcome, &str, Option<&WireMessage<'_>>),
    catalogue: Option<&Catalogue>,
    variant: &Variant,
) -> Result<Option<Outcome>, Violation> {
    let Some(mut outcome) = Outcome::from_plugin(raw, text.into(), variant.seating())? else { return Ok(None) };
    if let Some(message) = message {
        let sentence = message.read(catalogue, variant)?;
        outcome.text = sentence.text;
        outcome.message = sentence.message;
    }
    Ok(Some(outcome))
}

/// Encodes an evaluation in the ABI's form.
pub(crate) fn evaluation_reply(evaluation: &Evaluation) -> Reply<'static> {
    Reply::Evaluation(evaluation::to_abi(evaluation))
}
