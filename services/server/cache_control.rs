//! `Cache-Control` of a request, in HTTP and in the metadata of gRPC: whether the caller
//! takes answers that were found earlier.

use http::{HeaderMap, header};

/// Returns whether the caller wants a new answer: `no-cache`. A conditional request does not,
/// although browsers add `no-cache` to it: an unchanged answer is what it hopes for.
pub(crate) fn skips_cache(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let mut directives = values.flat_map(|value| value.split(',')).map(str::trim);
    directives.any(|directive| directive.eq_ignore_ascii_case("no-cache"))
        && !headers.contains_key(header::IF_NONE_MATCH)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    /// Only `no-cache` of a request without a condition asks for a new answer.
    #[test]
    fn no_cache_is_recognised() {
        let headers =
            |value: &'static str| HeaderMap::from_iter([(header::CACHE_CONTROL, HeaderValue::from_static(value))]);
        for (value, expected) in [
            ("no-cache", true),
            ("max-age=0, No-Cache", true),
            ("max-age=0", false),
            ("no-store", false),
            ("no-cache-please", false),
            ("", false),
        ] {
            assert_eq!(skips_cache(&headers(value)), expected, "{value}");
        }
        let mut conditional = headers("no-cache");
        conditional.insert(header::IF_NONE_MATCH, HeaderValue::from_static("*"));
        assert!(!skips_cache(&conditional) && !skips_cache(&HeaderMap::new()));
    }
}
