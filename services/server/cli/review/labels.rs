//! The names of labels, and how bad they are.

use crate::cli::style::{Palette, Styled};

/// How a label is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    Good,
    Neutral,
    Doubtful,
    Bad,
}

impl Severity {
    pub(super) fn of(label: Option<&str>) -> Severity {
        match label {
            Some("best" | "good" | "only_move") => Severity::Good,
            Some("inaccuracy" | "slower_win") => Severity::Doubtful,
            Some("mistake" | "blunder" | "missed_win") => Severity::Bad,
            _ => Severity::Neutral,
        }
    }

    /// The class of the label in the page.
    pub(super) fn class(self) -> &'static str {
        match self {
            Severity::Good => "good",
            Severity::Neutral => "neutral",
            Severity::Doubtful => "doubtful",
            Severity::Bad => "bad",
        }
    }

    pub(super) fn styled(self, palette: Palette, text: &str) -> Styled<&str> {
        match self {
            Severity::Good => palette.good(text),
            Severity::Neutral => palette.quiet(text),
            Severity::Doubtful => palette.doubtful(text),
            Severity::Bad => palette.bad(text),
        }
    }
}

/// Returns the label in words; empty without one.
pub(super) fn words(label: Option<&str>) -> String {
    label.unwrap_or_default().replace('_', " ")
}

/// Whether a move gave something away.
pub(super) fn is_mistake(label: Option<&str>) -> bool {
    Severity::of(label) == Severity::Bad
}
