//! Formats colours, numbers and text for SVG.

use std::fmt::Write;

use crate::text_direction;

/// The layout's colour, or the default where it has none.
pub(super) fn or_default<'a>(colour: &'a str, default: &'a str) -> &'a str {
    if colour.is_empty() { default } else { colour }
}

pub(super) fn channels(colour: &str) -> [u8; 3] {
    let number = u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or(0x80_8080);
    [(number >> 16) as u8, (number >> 8) as u8, number as u8]
}

/// Mixes in white (`by` up to 1) or black (`by` down to -1).
pub(super) fn shade(colour: &str, by: f64) -> String {
    let towards = if by > 0.0 { 255.0 } else { 0.0 };
    let [r, g, b] = channels(colour).map(|channel| {
        let channel = f64::from(channel);
        (channel + (towards - channel) * by.abs()).round() as u8
    });
    format!("#{r:02x}{g:02x}{b:02x}")
}

pub(super) fn is_dark(colour: &str) -> bool {
    let [r, g, b] = channels(colour).map(f64::from);
    0.299 * r + 0.587 * g + 0.114 * b < 140.0
}

/// A number with at most three decimals and no trailing zeros.
pub(super) struct Num(pub(super) f64);

impl std::fmt::Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Adding zero turns -0 into 0.
        write!(f, "{}", (self.0 * 1000.0).round() / 1000.0 + 0.0)
    }
}

/// Text escaped for XML.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // XML 1.0 cannot represent most control characters and these two.
                '\u{fffe}' | '\u{ffff}' => f.write_char(' ')?,
                character if character.is_control() || text_direction::is_override(character) => f.write_char(' ')?,
                character => f.write_char(character)?,
            }
        }
        Ok(())
    }
}
