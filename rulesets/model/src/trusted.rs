//! Reads texts and arrays from the host, whose pointers and lengths are trusted.

use pentad_abi as abi;

/// Reads a text; `None` if it is not UTF-8.
///
/// # Safety
/// `text` must be readable for `'a`.
pub unsafe fn text<'a>(text: abi::Str) -> Option<&'a str> {
    // SAFETY: the caller promises readable bytes.
    std::str::from_utf8(unsafe { text.as_bytes() }).ok()
}

/// Reads texts; `None` if one of them is not UTF-8.
///
/// # Safety
/// `data` must lead to `n` readable texts for `'a`, or `n` be 0.
pub(crate) unsafe fn texts<'a>(data: *const abi::Str, n: u64) -> Option<Vec<&'a str>> {
    // SAFETY: the caller's promise, here and for each text.
    unsafe { slice(data, n).iter().map(|&it| text(it)).collect() }
}

/// Reads an array.
///
/// # Safety
/// `data` must lead to `n` readable elements for `'a`, or `n` be 0.
pub(crate) unsafe fn slice<'a, T>(data: *const T, n: u64) -> &'a [T] {
    if n == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, n as usize) }
}
