//! Pages of a list.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::config::EngineConfig;
use crate::error::EngineError;

/// Where a page begins, and for which list. As text it is given to callers, who bring it
/// back with the same question for the next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageToken {
    /// Items on the pages before.
    pub(crate) start: u64,
    /// Items of this page, at most.
    pub(crate) page_size: usize,
    /// What a token must agree on with the question that it comes back with.
    fingerprint: u32,
}

impl PageToken {
    /// Reads the token of a question: empty for the first page. `list` is what the question
    /// lists, and a `page_size` of 0 the engine's bound.
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

    /// The token of the page that begins after so many items.
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
    let bad = |message: &str| EngineError::BadArgument { field: "pageToken".to_owned(), message: message.to_owned() };
    let unreadable = || bad("not a token that this server gave");
    let (start, print) = token.split_once('-').ok_or_else(unreadable)?;
    let start = u64::from_str_radix(start, 16).map_err(|_| unreadable())?;
    let print = u32::from_str_radix(print, 16).map_err(|_| unreadable())?;
    if print != fingerprint {
        return Err(bad("the token belongs to another question"));
    }
    Ok(start)
}

/// Reads a page token, whatever it is: for fuzzing. One that is accepted means the same
/// when it is written again, and only with the question that it was given for.
pub fn read_arbitrary_page_token(token: &str) {
    let fingerprint = token.rsplit('-').next().and_then(|print| u32::from_str_radix(print, 16).ok()).unwrap_or(0);
    let Ok(start) = read_start(token, fingerprint) else { return };
    let is_first = token.is_empty();
    assert!(
        is_first || matches!(read_start(&write_token(start, fingerprint), fingerprint), Ok(again) if again == start)
    );
    assert!(is_first || read_start(token, fingerprint.wrapping_add(1)).is_err());
}
