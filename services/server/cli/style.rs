//! Colours of text output: only on a terminal, and never with `NO_COLOR`.
//!
//! `CLICOLOR_FORCE=1` turns them on in a pipe, too, as for other programs.

use std::fmt::{self, Display};
use std::io::stdout;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// Styles of one output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    is_on: bool,
}

impl Palette {
    /// For standard output.
    pub(super) fn of_stdout() -> Palette {
        Palette { is_on: AutoStream::choice(&stdout()) != ColorChoice::Never }
    }

    #[cfg(test)]
    pub(super) const PLAIN: Palette = Palette { is_on: false };

    pub(super) fn heading<T: Display>(self, text: T) -> Styled<T> {
        self.styled(Style::new().bold(), text)
    }

    pub(super) fn quiet<T: Display>(self, text: T) -> Styled<T> {
        self.styled(Style::new().dimmed(), text)
    }

    /// For wins and best moves.
    pub(super) fn good<T: Display>(self, text: T) -> Styled<T> {
        self.styled(AnsiColor::Green.on_default(), text)
    }

    /// For inaccuracies and the like.
    pub(super) fn doubtful<T: Display>(self, text: T) -> Styled<T> {
        self.styled(AnsiColor::Yellow.on_default(), text)
    }

    /// For losses and blunders.
    pub(super) fn bad<T: Display>(self, text: T) -> Styled<T> {
        self.styled(AnsiColor::Red.on_default(), text)
    }

    fn styled<T>(self, style: Style, text: T) -> Styled<T> {
        Styled { style: if self.is_on { style } else { Style::new() }, text }
    }
}

/// A text in a style. Padding counts its letters only.
pub(super) struct Styled<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.style.render())?;
        self.text.fmt(f)?;
        write!(f, "{}", self.style.render_reset())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Styles do not change the width of a column.
    #[test]
    fn padding_counts_letters() {
        let on = Palette { is_on: true };
        assert_eq!(format!("{:<5}|", on.good("ab")), "\u{1b}[32mab   \u{1b}[0m|");
        assert_eq!(format!("{:<5}|", Palette::PLAIN.good("ab")), "ab   |");
    }
}
