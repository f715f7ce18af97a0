//! Tokens for the pages of a list.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::field::Field;

/// Start of a page, and the list it belongs to. Callers get it as text and send it back with the same
/// question for the next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageToken {
    /// Number of items on the pages before.
    pub(crate) start: u64,
    /// Maximum number of items on this page.
    pub(crate) page_size: usize,
    /// Hash of the question's list, which a token must match.
    fingerprint: u32,
}

impl PageToken {
    /// Reads the token of a question; empty for the first page. `list` identifies what the question lists,
    /// and a `page_size` of 0 means the engine's bound.
    pub(crate) fn read(
        text: &str,
        list: impl Hash,
        page_size: usize,
        config: &EngineConfig,
    ) -> Result<Self, EngineError> {
        let page_size = match page_size {
            0 => config.page_len_max,
            size => size.min(config.page_len_max),
        };
        let mut hasher = DefaultHasher::new();
        list.hash(&mut hasher);
        let fingerprint = hasher.finish() as u32;
        Ok(PageToken { start: read_start(text, fingerprint)?, page_size, fingerprint })
    }

    /// Returns the token of the page that begins after `start` items.
    pub(crate) fn write(&self, start: u64) -> String {
        write_token(start, self.fingerprint)
    }
}

fn write_token(start: u64, fingerprint: u32) -> String {
    format!("{start:x}-{fingerprint:08x}")
}

fn read_start(token: &str, fingerprint: u32) -> Result<u64, EngineError> {
    if token.is_empty() {
        return Ok(0);
    }
    let bad = |message: &str| EngineError::bad_argument(Field::PageToken, message);
    let unreadable = || bad("not a token that this server gave");
    let (start, print) = token.split_once('-').ok_or_else(unreadable)?;
    let start = u64::from_str_radix(start, 16).map_err(|_| unreadable())?;
    let print = u32::from_str_radix(print, 16).map_err(|_| unreadable())?;
    if print != fingerprint {
        return Err(bad("the token belongs to another question"));
    }
    Ok(start)
}

/// Reads arbitrary text as a page token, for fuzzing. An accepted token means the same when it is written
/// again, and only with the question that it was made for.
pub fn read_arbitrary_page_token(token: &str) {
    let fingerprint = token.rsplit('-').next().and_then(|print| u32::from_str_radix(print, 16).ok()).unwrap_or(0);
    let Ok(start) = read_start(token, fingerprint) else { return };
    let is_first = token.is_empty();
    assert!(
        is_first || matches!(read_start(&write_token(start, fingerprint), fingerprint), Ok(again) if again == start)
    );
    assert!(is_first || read_start(token, fingerprint.wrapping_add(1)).is_err());
}
