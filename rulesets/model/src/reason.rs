//! Why a move is good or bad.

use pentad_abi as abi;

use crate::board::Board;
use crate::i18n::{Catalogue, Language, Message};
use crate::variant::Seat;
use crate::violation::Violation;
use crate::{strs, text};

/// Why a move is good or bad. A rule set's own codes are `&'static str`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason<Code = String> {
    /// One of a short list that the game documents, such as `only_move`.
    pub code: Code,
    /// One sentence for players, in English unless it was translated for a caller.
    pub text: String,
    /// The points of the board that it is about, by id.
    pub points: Vec<String>,
    /// The message that the text renders; `None` if the text is the same in every
    /// language.
    pub message: Option<Message>,
}

/// A code that a game's reasons carry. A rule set's own are `&'static str`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReasonCode<Text = String> {
    /// Code, as in [`Reason::code`].
    pub code: Text,
    /// Meaning of the code.
    pub description: Text,
    /// Whether its reasons may name points of the board.
    pub names_points: bool,
}

impl<Code> Reason<Code> {
    /// Creates a reason whose text is the same in every language.
    pub fn new(code: Code, text: impl Into<String>, points: Vec<String>) -> Self {
        Reason { code, text: text.into(), points, message: None }
    }
}

impl<Code: AsRef<str>> Reason<Code> {
    /// Calls `give` with the reason in the ABI's form, readable during that call.
    pub fn with_abi<T>(&self, give: impl FnOnce(&abi::Reason) -> T) -> T {
        let points = strs(&self.points);
        give(&abi::Reason {
            code: abi::Str::new(self.code.as_ref()),
            text: abi::Str::new(&self.text),
            points: points.as_ptr(),
            n_points: points.len() as u64,
        })
    }

    /// Calls `give` with the reason in the form of `pentad.reasons/2`, readable during
    /// that call; `None` if it has no message.
    pub fn with_spoken_abi<T>(&self, give: impl FnOnce(&abi::SpokenReason) -> T) -> Option<T> {
        let points = strs(&self.points);
        let message = self.message.as_ref()?;
        Some(message.with_abi(|message| {
            give(&abi::SpokenReason { message: *message, points: points.as_ptr(), n_points: points.len() as u64 })
        }))
    }
}

impl<Text: AsRef<str>> ReasonCode<Text> {
    /// Returns the code in the ABI's form, readable as long as `self`.
    pub fn to_abi(&self) -> abi::ReasonCode {
        abi::ReasonCode {
            code: abi::Str::new(self.code.as_ref()),
            description: abi::Str::new(self.description.as_ref()),
            names_points: self.names_points.into(),
            reserved: 0,
        }
    }
}

impl ReasonCode {
    /// Validates and copies a code.
    ///
    /// # Safety
    /// `raw` must be null or lead to a code whose texts are readable as far as their
    /// lengths are within the bounds.
    pub unsafe fn from_plugin(raw: *const abi::ReasonCode) -> Result<ReasonCode, Violation> {
        // SAFETY: the caller's promise, here and for each text below.
        let [raw] = unsafe { text::slice(raw, 1, 1) }? else { return Err(Violation::value("a null code")) };
        // SAFETY: as above.
        let (code, description) = unsafe { (text::short_id(raw.code)?, text::line(raw.description)?) };
        Ok(ReasonCode { code, description, names_points: raw.names_points != 0 })
    }
}

impl Reason {
    /// Validates and copies a reason. Its points must be on `board`, if there is one.
    ///
    /// # Safety
    /// `raw` must be null or lead to a reason whose parts are readable as far as
    /// their lengths are within the bounds.
    pub unsafe fn from_plugin(raw: *const abi::Reason, board: Option<&Board>) -> Result<Reason, Violation> {
        // SAFETY: the caller's promise, here and for each text below.
        let [raw] = unsafe { text::slice(raw, 1, 1) }? else { return Err(Violation::value("a null reason")) };
        // SAFETY: as above.
        let (code, text) = unsafe { (text::short_id(raw.code)?, text::line(raw.text)?) };
        // SAFETY: as above.
        let points = unsafe { read_points(raw.points, raw.n_points, board) }?;
        Ok(Reason { code, text, points, message: None })
    }

    /// Validates and copies a reason of `pentad.reasons/2`. Its message must be in the
    /// catalogue, which renders the English text.
    ///
    /// # Safety
    /// As [`from_plugin`](Reason::from_plugin).
    pub unsafe fn from_spoken_plugin(
        raw: *const abi::SpokenReason,
        catalogue: &Catalogue,
        seats: &[Seat],
        board: Option<&Board>,
    ) -> Result<Reason, Violation> {
        // SAFETY: the caller's promise, here and below.
        let [raw] = unsafe { text::slice(raw, 1, 1) }? else { return Err(Violation::value("a null reason")) };
        // SAFETY: as above.
        let message = unsafe { Message::from_plugin(&raw.message, seats, board) }?;
        catalogue.check(&message)?;
        // SAFETY: as above.
        let points = unsafe { read_points(raw.points, raw.n_points, board) }?;
        let text = catalogue.render(Language::English, &message, seats);
        Ok(Reason { code: message.code().to_owned(), text, points, message: Some(message) })
    }
}

/// # Safety
/// As [`Reason::from_plugin`].
unsafe fn read_points(points: *const abi::Str, n_points: u64, board: Option<&Board>) -> Result<Vec<String>, Violation> {
    // SAFETY: the caller's promise, here and for each point.
    let raw_points = unsafe { text::slice(points, n_points, abi::POINTS_MAX) }?;
    let mut points = Vec::with_capacity(raw_points.len());
    for &point in raw_points {
        // SAFETY: as above.
        let id = unsafe { text::short_id(point) }?;
        if board.is_some_and(|board| !board.points.iter().any(|point| point.id == id)) {
            return Err(Violation::text(format!("`{id}` is not a point of the board")));
        }
        points.push(id);
    }
    Ok(points)
}
