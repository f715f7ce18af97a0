//! Negotiates the language of texts: `Accept-Language` of HTTP and gRPC, the locale of a
//! terminal.
//!
//! Only texts for players have languages: reasons, outcomes, and the names of seats,
//! pieces and variants. Errors are for developers and stay in English.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use pentad_model::i18n::Language;

/// Maximum number of ranges that are read. Browsers send fewer than ten.
const RANGES_MAX: usize = 32;

/// Returns the language with the highest quality in `Accept-Language` (RFC 9110), the
/// first of equals. Regions are ignored: `sv-FI` is Swedish. Without a supported language
/// it is English; malformed ranges are ignored.
pub(crate) fn negotiate(headers: &HeaderMap) -> Language {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<Range> =
        values.flat_map(|value| value.split(',')).take(RANGES_MAX).filter_map(Range::parse).collect();
    let any = ranges.iter().filter(|range| range.language.is_none() && range.is_any).map(|range| range.quality).max();
    let mut best = (0, Language::English);
    let named = ranges.iter().filter_map(|range| range.language);
    for language in named.chain(Language::ALL) {
        let own = ranges.iter().filter(|range| range.language == Some(language)).map(|range| range.quality).max();
        let quality = own.or(any).unwrap_or(0);
        if quality > best.0 {
            best = (quality, language);
        }
    }
    best.1
}

/// Writes the language of a response, and that it varies with the request.
pub(crate) fn write_headers(headers: &mut HeaderMap, language: Language) {
    headers.insert(header::CONTENT_LANGUAGE, content_language(language));
    headers.append(header::VARY, HeaderValue::from_name(HeaderName::from_static("accept-language")));
}

pub(crate) fn content_language(language: Language) -> HeaderValue {
    HeaderValue::from_static(language.tag())
}

/// The language of a terminal: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is
/// set decides, as in POSIX.
pub(crate) fn from_locale(env: impl Fn(&str) -> Option<String>) -> Language {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| env(name).filter(|it| !it.is_empty()));
    let tag = locale.unwrap_or_default();
    let tag = tag.split(['.', '@']).next().unwrap_or_default().replace('_', "-");
    Language::from_tag(&tag).unwrap_or_default()
}

/// A language as an argument: `sv`, `sv-SE`.
pub(crate) fn parse_argument(tag: &str) -> Result<Language, String> {
    let known = || Language::ALL.map(Language::tag).join(", ");
    Language::from_tag(tag).ok_or_else(|| format!("expected one of {}", known()))
}

/// An element of `Accept-Language`.
struct Range {
    /// `None` for `*` and for unsupported languages.
    language: Option<Language>,
    is_any: bool,
    /// In thousandths.
    quality: u16,
}

impl Range {
    fn parse(element: &str) -> Option<Range> {
        let (tag, weight) = match element.split_once(';') {
            Some((tag, weight)) => (tag.trim(), quality(weight.trim())?),
            None => (element.trim(), 1000),
        };
        let is_subtag =
            |subtag: &str| (1..=8).contains(&subtag.len()) && subtag.bytes().all(|it| it.is_ascii_alphanumeric());
        let is_any = tag == "*";
        if !is_any && !tag.split('-').all(|subtag| is_subtag(subtag) || subtag == "*") {
            return None;
        }
        Some(Range { language: Language::from_tag(tag), is_any, quality: weight })
    }
}

/// `q=0.5` in thousandths; at most three decimals, and at most 1.
fn quality(weight: &str) -> Option<u16> {
    let (name, value) = weight.split_once('=')?;
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    let is_number =
        ["0", "1"].contains(&whole) && decimals.len() <= 3 && decimals.bytes().all(|it| it.is_ascii_digit());
    if !name.eq_ignore_ascii_case("q") || !is_number {
        return None;
    }
    let thousandths: u16 = format!("{whole}{decimals:0<3}").parse().ok()?;
    (thousandths <= 1000).then_some(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negotiated(values: &[&str]) -> &'static str {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::ACCEPT_LANGUAGE, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        negotiate(&headers).tag()
    }

    /// Qualities, regions, wildcards and exclusions are those of RFC 9110.
    #[test]
    fn languages_are_negotiated() {
        for (value, expected) in [
            ("", "en"),
            ("sv", "sv"),
            ("SV-fi", "sv"),
            ("de-CH-1996", "de"),
            ("de-*-DE", "de"),
            ("nl, sv;q=0.5", "sv"),
            ("nl", "en"),
            ("fi;q=0.4, fr;q=0.8, de;q=0.8", "fr"),
            ("fi;q=0.9,en;q=0.95", "en"),
            ("sv;q=0.2, sv-SE;q=0.9, fi;q=0.5", "sv"),
            ("*", "en"),
            ("fr;q=0.3, *;q=0.8", "en"),
            ("fr, *;q=0.8", "fr"),
            ("en;q=0, *", "sv"),
            ("en;q=0, sv;q=0, *", "fi"),
            ("sv;q=0", "en"),
            ("*;q=0", "en"),
            (" fi ; q=1.000 ,\tsv ; Q=0.999", "fi"),
            // Not well-formed, and left out.
            ("sv;q=2, fi;q=0.1", "fi"),
            ("sv;q=0.1234, fi;q=0.1", "fi"),
            ("sv;q=-1, fi;q=0.1", "fi"),
            ("sv;q, fi;q=0.1", "fi"),
            ("sv;level=1, fi;q=0.1", "fi"),
            ("s v, fi;q=0.1", "fi"),
            ("sv-, fi;q=0.1", "fi"),
            ("svenska-på-riktigt, fi;q=0.1", "en"),
            ("verylongtag, fi;q=0.1", "fi"),
            (",,;;,=,q=1,;q=1, fi;q=0.1", "fi"),
        ] {
            assert_eq!(negotiated(&[value]), expected, "{value}");
        }
        assert_eq!(negotiated(&["nl", "fr;q=0.5", "sv;q=0.6"]), "sv");
        // The supported language is beyond `RANGES_MAX`.
        assert_eq!(negotiated(&[&("nl,".repeat(32) + "sv")]), "en");
        assert_eq!(negotiated(&[&("nl,".repeat(31) + "sv")]), "sv");
    }

    /// The first variable that is set decides.
    #[test]
    fn locales_are_read() {
        let of = |set: &[(&str, &str)]| {
            let set: Vec<(String, String)> = set.iter().map(|&(name, value)| (name.into(), value.into())).collect();
            from_locale(move |name| set.iter().find(|(it, _)| it == name).map(|(_, value)| value.clone())).tag()
        };
        assert_eq!(of(&[]), "en");
        assert_eq!(of(&[("LANG", "sv_SE.UTF-8")]), "sv");
        assert_eq!(of(&[("LANG", "sv_SE.UTF-8"), ("LC_MESSAGES", "de_AT@euro"), ("LC_ALL", "")]), "de");
        assert_eq!(of(&[("LANG", "sv_SE.UTF-8"), ("LC_ALL", "C.UTF-8")]), "en");
        assert_eq!(of(&[("LANG", "POSIX")]), "en");
    }
}
