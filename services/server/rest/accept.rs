//! Chooses the format of a stream by `Accept` (RFC 9110).

use http::{HeaderMap, header};

use crate::error::ApiError;

/// Maximum number of media ranges that are read. Browsers send fewer than ten.
const RANGES_MAX: usize = 32;

/// Whether the request accepts a media type; one without `Accept` accepts all.
pub(crate) fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let ranges = MediaRange::of_request(headers);
    let (type_name, subtype) = media_type.split_once('/').unwrap_or_default();
    let matching = ranges.iter().filter(|range| range.matches(type_name, subtype));
    let decisive = matching.map(|range| (range.specificity(), range.quality)).max();
    ranges.is_empty() || decisive.is_some_and(|(_, quality)| quality > 0)
}

/// The names of all formats of a stream.
const FORMATS: &str = "text/event-stream, application/x-ndjson or application/json";

/// The formats of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamFormat {
    /// `text/event-stream`, the default.
    ServerSentEvents,
    /// `application/x-ndjson`: a line for each message.
    JsonLines,
    /// `application/json`: one object with all messages, when the work is done.
    Json,
}

impl StreamFormat {
    const ALL: [StreamFormat; 3] = [StreamFormat::ServerSentEvents, StreamFormat::JsonLines, StreamFormat::Json];

    pub(super) fn content_type(self) -> &'static str {
        match self {
            StreamFormat::ServerSentEvents => "text/event-stream",
            StreamFormat::JsonLines => "application/x-ndjson",
            StreamFormat::Json => "application/json",
        }
    }

    /// Returns the format that the request prefers, or an error if it accepts none of them.
    /// Of formats that it accepts alike, JSON lines come first if they are named, then events.
    pub(super) fn negotiate(headers: &HeaderMap) -> Result<StreamFormat, ApiError> {
        let ranges = MediaRange::of_request(headers);
        if ranges.is_empty() {
            return Ok(StreamFormat::ServerSentEvents);
        }
        let rank = |format: StreamFormat| {
            let (type_name, subtype) = format.content_type().split_once('/').unwrap_or_default();
            let matching = ranges.iter().filter(|range| range.matches(type_name, subtype));
            // The most specific range decides; of equals, the most generous.
            let (specificity, quality) = matching.map(|range| (range.specificity(), range.quality)).max()?;
            let preference = match format {
                StreamFormat::JsonLines if specificity == MediaRange::EXACT => 3,
                StreamFormat::ServerSentEvents => 2,
                StreamFormat::Json => 1,
                StreamFormat::JsonLines => 0,
            };
            (quality > 0).then_some((quality, preference))
        };
        let best = StreamFormat::ALL.into_iter().filter_map(|format| Some((rank(format)?, format)));
        best.max_by_key(|(rank, _)| *rank).map(|(_, format)| format).ok_or(ApiError::NotAcceptable { formats: FORMATS })
    }
}

/// An element of `Accept`, in lower case.
struct MediaRange {
    /// Either may be `*`.
    type_name: String,
    subtype: String,
    /// In thousandths.
    quality: u16,
}

impl MediaRange {
    /// The specificity of a range without a `*`.
    const EXACT: u8 = 2;

    fn of_request(headers: &HeaderMap) -> Vec<MediaRange> {
        let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).take(RANGES_MAX).filter_map(MediaRange::parse).collect()
    }

    /// Reads an element; `None` if it is malformed. Other parameters than the quality are
    /// ignored.
    fn parse(element: &str) -> Option<MediaRange> {
        let mut parts = element.split(';').map(|part| part.trim().to_ascii_lowercase());
        let (type_name, subtype) = parts.next().as_deref().and_then(|it| it.split_once('/')).map(owned)?;
        let quality = parts.find_map(|part| part.strip_prefix("q=").map(str::to_owned));
        let quality = match quality {
            Some(quality) => thousandths(quality.trim())?,
            None => 1000,
        };
        Some(MediaRange { type_name, subtype, quality })
    }

    fn matches(&self, type_name: &str, subtype: &str) -> bool {
        let matches = |range: &str, name: &str| range == "*" || range == name;
        matches(&self.type_name, type_name) && matches(&self.subtype, subtype)
    }

    fn specificity(&self) -> u8 {
        u8::from(self.type_name != "*") + u8::from(self.subtype != "*")
    }
}

fn owned((a, b): (&str, &str)) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

/// Reads a quality from 0 to 1 in thousandths.
fn thousandths(quality: &str) -> Option<u16> {
    let value: f32 = quality.parse().ok().filter(|value| (0.0..=1.0).contains(value))?;
    Some((value * 1000.0).round() as u16)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn negotiated(accept: &str) -> Option<StreamFormat> {
        let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_str(accept).expect("a header"))]);
        StreamFormat::negotiate(&headers).ok()
    }

    /// Events are the default; other formats are given to requests that prefer them.
    #[test]
    fn the_preferred_format_is_chosen() {
        use StreamFormat::{Json, JsonLines, ServerSentEvents};
        for (accept, expected) in [
            ("*/*", ServerSentEvents),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ServerSentEvents),
            ("text/event-stream", ServerSentEvents),
            ("text/*", ServerSentEvents),
            ("application/json, text/plain, */*", ServerSentEvents),
            ("application/json, text/event-stream", ServerSentEvents),
            ("application/json;q=0.4, text/event-stream;q=0.5", ServerSentEvents),
            ("application/json", Json),
            ("Application/JSON; charset=utf-8", Json),
            ("application/*", Json),
            ("application/json, text/event-stream;q=0.5", Json),
            ("application/json, */*;q=0.1", Json),
            ("*/*, text/event-stream;q=0, application/x-ndjson;q=0", Json),
            ("application/x-ndjson", JsonLines),
            ("application/x-ndjson, text/event-stream", JsonLines),
            ("application/x-ndjson, application/json", JsonLines),
            ("nonsense, application/x-ndjson", JsonLines),
            ("nonsense", ServerSentEvents),
        ] {
            assert_eq!(negotiated(accept), Some(expected), "{accept}");
        }
        assert_eq!(StreamFormat::negotiate(&HeaderMap::new()).ok(), Some(ServerSentEvents));
    }

    /// The most specific range decides.
    #[test]
    fn single_types_are_accepted() {
        let accepted = |accept: &str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_str(accept).expect("a header"))]);
            accepts(&headers, "application/json")
        };
        assert!(accepts(&HeaderMap::new(), "application/json"));
        for accept in ["*/*", "application/json, text/event-stream", "text/html, application/*;q=0.1", "nonsense"] {
            assert!(accepted(accept), "{accept}");
        }
        for accept in ["text/event-stream", "application/json;q=0, */*", "text/*"] {
            assert!(!accepted(accept), "{accept}");
        }
    }

    /// A request that accepts no format is refused.
    #[test]
    fn other_formats_are_refused() {
        for accept in ["text/html", "image/*", "application/xml, text/csv;q=0.3", "*/*;q=0", "text/event-stream;q=0"] {
            assert_eq!(negotiated(accept), None, "{accept}");
        }
    }
}
