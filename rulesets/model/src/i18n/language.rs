//! The languages of the host, with their plurals, lists and decimal separators.

use std::fmt;

/// A language of the games' rule sheets for which every game is translated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English, the default and the fallback.
    #[default]
    English,
    /// Swedish.
    Swedish,
    /// Finnish.
    Finnish,
    /// German.
    German,
    /// French.
    French,
}

/// A plural form, as in the Unicode CLDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluralCategory {
    /// Used for the number 1 in most languages.
    One,
    /// Used for all other numbers.
    Other,
}

impl Language {
    /// All languages, the default first.
    pub const ALL: [Language; 5] =
        [Language::English, Language::Swedish, Language::Finnish, Language::German, Language::French];

    /// Returns the BCP 47 tag.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Swedish => "sv",
            Language::Finnish => "fi",
            Language::German => "de",
            Language::French => "fr",
        }
    }

    /// Returns the language of a tag, whatever its region or script: `sv`, `sv-SE`,
    /// `SV-fi`.
    pub fn from_tag(tag: &str) -> Option<Language> {
        let primary = tag.split('-').next().unwrap_or_default();
        Language::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// Returns the plural form for a whole number.
    pub fn plural_category(self, number: u64) -> PluralCategory {
        let is_one = match self {
            Language::French => number <= 1,
            Language::English | Language::Swedish | Language::Finnish | Language::German => number == 1,
        };
        if is_one { PluralCategory::One } else { PluralCategory::Other }
    }

    /// Returns the character between a number's whole part and its decimals.
    pub(crate) fn decimal_separator(self) -> char {
        if self == Language::English { '.' } else { ',' }
    }

    /// Returns the word before the last item of a list.
    pub(crate) fn and(self) -> &'static str {
        match self {
            Language::English => "and",
            Language::Swedish => "och",
            Language::Finnish => "ja",
            Language::German => "und",
            Language::French => "et",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}
