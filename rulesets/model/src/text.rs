//! Validates texts and arrays from a plugin.
//!
//! Lengths are compared with the ABI's bounds before a byte is read. Values from
//! the host are read by [`trusted`](crate::trusted).

use pentad_abi as abi;

use crate::violation::Violation;

/// Reads a text of at most `len_max` bytes.
///
/// # Safety
/// If `text.len` is within the bound and `text.data` is not null, that many
/// bytes must be readable for `'a`.
#[inline]
pub unsafe fn bytes<'a>(text: abi::Str, len_max: u64) -> Result<&'a [u8], Violation> {
    // SAFETY: the caller's promise, for bytes, which have no alignment.
    unsafe { slice(text.data.cast::<u8>(), text.len, len_max) }
}

/// Reads an array of at most `n_max` elements.
///
/// # Safety
/// If `n` is within the bound and `data` neither null nor unaligned, that many
/// elements must be readable for `'a`.
#[inline]
pub unsafe fn slice<'a, T>(data: *const T, n: u64, n_max: u64) -> Result<&'a [T], Violation> {
    if n == 0 {
        return Ok(&[]);
    }
    if n > n_max || data.is_null() || !data.is_aligned() {
        return Err(bad_length(data.cast(), n, n_max));
    }
    // SAFETY: non-null, aligned and within the bound, so the caller's promise holds.
    Ok(unsafe { std::slice::from_raw_parts(data, n as usize) })
}

/// Reads at most `n_max` parts of a struct with `read`. A violation names the part
/// (`point 3`), or all of them (`points`) if their number is wrong.
///
/// # Safety
/// As [`slice()`].
pub(crate) unsafe fn parts<R: 'static, T>(
    name: &str,
    data: *const R,
    n: u64,
    n_max: u64,
    read: impl Fn(&R) -> Result<T, Violation>,
) -> Result<Vec<T>, Violation> {
    // SAFETY: the caller's promise.
    let raw = unsafe { slice(data, n, n_max) }.map_err(|violation| violation.at(format_args!("{name}s")))?;
    let read_at = |(idx, raw)| read(raw).map_err(|violation| violation.at(format_args!("{name} {idx}")));
    raw.iter().enumerate().map(read_at).collect()
}

/// Reads a game's id: lower-case letters, digits and `-`, starting with a letter.
///
/// # Safety
/// As [`bytes`].
pub unsafe fn game_id(text: abi::Str) -> Result<String, Violation> {
    // SAFETY: the caller's promise.
    kebab_id(unsafe { bytes(text, abi::ID_LEN_MAX) }?, u8::is_ascii_lowercase, "a letter")
}

/// Reads a variant's id: like a game's, but it may start with a digit, as `2p` does.
///
/// # Safety
/// As [`bytes`].
pub unsafe fn variant_id(text: abi::Str) -> Result<String, Violation> {
    // SAFETY: the caller's promise.
    kebab_id(unsafe { bytes(text, abi::ID_LEN_MAX) }?, |&first| first != b'-', "a letter or digit")
}

fn kebab_id(bytes: &[u8], starts: impl FnOnce(&u8) -> bool, start: &str) -> Result<String, Violation> {
    let fits = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    if bytes.first().is_some_and(starts) && bytes.iter().all(fits) {
        return utf8(bytes);
    }
    Err(Violation::text(format!(
        "`{}` is not an id: lower-case letters, digits and `-`, starting with {start}",
        bytes.escape_ascii()
    )))
}

/// Reads the id of a seat, point, piece or reason: not empty, no white space.
///
/// # Safety
/// As [`bytes`].
pub unsafe fn short_id(text: abi::Str) -> Result<String, Violation> {
    // SAFETY: the caller's promise.
    not_blank(unsafe { bytes(text, abi::ID_LEN_MAX) }?)
}

fn not_blank(bytes: &[u8]) -> Result<String, Violation> {
    let id = utf8(bytes)?;
    if id.is_empty() || id.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return Err(Violation::text(format!("`{}` is not an id: it is empty or has spaces", id.escape_default())));
    }
    Ok(id)
}

/// Reads the id of a message, which is made of up to four other ids: not empty, no white
/// space.
///
/// # Safety
/// As [`bytes`].
pub unsafe fn long_id(text: abi::Str) -> Result<String, Violation> {
    // SAFETY: the caller's promise.
    not_blank(unsafe { bytes(text, 4 * abi::ID_LEN_MAX) }?)
}

/// Reads one line for display; may be empty.
///
/// # Safety
/// As [`bytes`].
pub unsafe fn line(text: abi::Str) -> Result<String, Violation> {
    // SAFETY: the caller's promise.
    let line = utf8(unsafe { bytes(text, abi::TEXT_LEN_MAX) }?)?;
    if line.contains(char::is_control) {
        Err(Violation::text("a control character in a line of text"))
    } else {
        Ok(line)
    }
}

/// Reads several lines for display; may be empty.
///
/// # Safety
/// As [`bytes`].
pub unsafe fn prose(text: abi::Str) -> Result<String, Violation> {
    // SAFETY: the caller's promise.
    let prose = utf8(unsafe { bytes(text, abi::TEXT_LEN_MAX) }?)?;
    if prose.contains(|c: char| c.is_control() && c != '\n' && c != '\t') {
        return Err(Violation::text("a control character in text"));
    }
    Ok(prose)
}

/// Reads a colour as `#rrggbb`, or the empty text.
///
/// # Safety
/// As [`bytes`].
pub unsafe fn colour(text: abi::Str) -> Result<String, Violation> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { bytes(text, abi::ID_LEN_MAX) }?;
    let is_colour = |bytes: &[u8]| bytes.len() == 7 && bytes[0] == b'#' && bytes[1..].iter().all(u8::is_ascii_hexdigit);
    if bytes.is_empty() || is_colour(bytes) {
        return utf8(bytes);
    }
    Err(Violation::text(format!("`{}` is not a colour of the form `#rrggbb`", bytes.escape_ascii())))
}

/// Reads a move: printable ASCII without spaces.
#[inline]
pub fn move_text(bytes: &[u8]) -> Result<&str, Violation> {
    if bytes.is_empty() || bytes.len() as u64 > abi::MOVE_LEN_MAX || !bytes.iter().all(u8::is_ascii_graphic) {
        return Err(not_a_move(bytes));
    }
    // SAFETY: every byte is ASCII, as checked above, and ASCII is UTF-8.
    Ok(unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Reads a position: one line of printable ASCII.
pub fn position_text(bytes: Vec<u8>) -> Result<String, Violation> {
    let printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    if bytes.is_empty() || !bytes.iter().all(printable) {
        return Err(Violation::text(format!("`{}` is not a position in printable ASCII", bytes.escape_ascii())));
    }
    String::from_utf8(bytes).map_err(|_| Violation::text("not UTF-8"))
}

/// Reads a sentence from a writer: UTF-8 without control characters.
pub fn sentence(bytes: Vec<u8>) -> Result<String, Violation> {
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains(char::is_control) => Ok(text),
        Ok(_) => Err(Violation::text("a control character in a sentence")),
        Err(_) => Err(Violation::text("not UTF-8")),
    }
}

#[cold]
fn bad_length(data: *const u8, n: u64, n_max: u64) -> Violation {
    if n > n_max {
        return Violation::value(format!("a length of {n}; at most {n_max} is allowed"));
    }
    Violation::value(format!("a length of {n} at the address {data:p}"))
}

#[cold]
fn not_a_move(bytes: &[u8]) -> Violation {
    Violation::text(format!("`{}` is not a move in printable ASCII without spaces", bytes.escape_ascii()))
}

fn utf8(bytes: &[u8]) -> Result<String, Violation> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => Err(Violation::text(format!("not UTF-8 at byte {}", error.valid_up_to() + 1))),
    }
}
