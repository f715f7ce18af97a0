//! Characters that reorder the text around them. In a name or a quotation they could make a
//! text read as another one.

/// Whether it embeds, overrides or isolates a direction. Plain marks, which texts in Hebrew
/// and Arabic need, do not count.
pub(crate) fn is_override(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
