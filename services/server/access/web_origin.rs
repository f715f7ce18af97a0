//! Decides which web pages may call.
//!
//! A browser sends requests of any page to any server that it can reach, including one
//! on the same machine. CORS keeps the page from reading the answer, but does not keep
//! the server from searching for it: a form or an image needs no preflight. So a
//! request from a page that is not allowed is refused before it costs anything.
//!
//! | request | page |
//! | --- | --- |
//! | `Origin` | that origin |
//! | no `Origin`, `Sec-Fetch-Site: cross-site` | the origin of `Referer`; without one, unknown |
//! | neither | the server's own, or no page at all |
//!
//! Against DNS rebinding, where a page points its own name to this machine, a server on
//! a loopback address also requires a loopback name in `Host`.

use std::net::{IpAddr, SocketAddr};

use http::uri::Authority;
use http::{HeaderMap, Uri, header};

use crate::config::{AllowedHosts, CorsOrigins};

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Origins that may call in addition to the server's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WebOrigins(CorsOrigins);

impl WebOrigins {
    pub(super) fn new(origins: CorsOrigins) -> WebOrigins {
        WebOrigins(origins)
    }

    pub(super) fn allows_any(&self) -> bool {
        self.0 == CorsOrigins::Any
    }

    /// Whether pages of this origin may read answers.
    pub(super) fn allows(&self, origin: &str) -> bool {
        match &self.0 {
            CorsOrigins::Any => true,
            CorsOrigins::List(origins) => origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)),
        }
    }

    /// Fails with the origin of the page that sent the request if that page may not
    /// call.
    pub(super) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), String> {
        let text = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        if let Some(origin) = text(header::ORIGIN.as_str()) {
            return if self.allows(&origin) || is_own(&origin, headers, uri) { Ok(()) } else { Err(origin) };
        }
        if text(SEC_FETCH_SITE).is_none_or(|site| site != "cross-site") {
            return Ok(());
        }
        let origin = text(header::REFERER.as_str()).and_then(|page| origin_of(&page));
        let origin = origin.unwrap_or_else(|| "null".to_owned());
        if self.allows(&origin) { Ok(()) } else { Err(origin) }
    }
}

/// Whether the page's host and port are those that it calls. Its scheme may differ: a
/// proxy may have terminated TLS.
fn is_own(origin: &str, headers: &HeaderMap, uri: &Uri) -> bool {
    let Some((scheme, page)) = origin.split_once("://") else { return false };
    let default_port = match scheme {
        "https" => 443,
        "http" => 80,
        _ => return false,
    };
    let (Ok(page), Some(called)) = (page.parse::<Authority>(), called_authority(headers, uri)) else { return false };
    let port = |authority: &Authority| authority.port_u16().unwrap_or(default_port);
    page.host().eq_ignore_ascii_case(called.host()) && port(&page) == port(&called)
}

/// `:authority` of HTTP/2, or `Host`.
fn called_authority(headers: &HeaderMap, uri: &Uri) -> Option<Authority> {
    let host = || headers.get(header::HOST)?.to_str().ok()?.parse().ok();
    uri.authority().cloned().or_else(host)
}

/// Returns `https://example.org` for `https://example.org/page`.
fn origin_of(page: &str) -> Option<String> {
    let uri: Uri = page.parse().ok()?;
    Some(format!("{}://{}", uri.scheme_str()?, uri.authority()?))
}

/// Host names by which the server may be addressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostNames {
    /// `None` allows any name.
    allowed: Option<Vec<String>>,
}

impl HostNames {
    /// Without `allowed_hosts`, a server that listens beyond this machine allows any
    /// name, since it does not know its own.
    pub(super) fn new(allowed: &AllowedHosts, listen: SocketAddr) -> HostNames {
        let allowed = match allowed {
            AllowedHosts::Any => None,
            AllowedHosts::List(names) if names.is_empty() && !listen.ip().to_canonical().is_loopback() => None,
            AllowedHosts::List(names) => Some(names.clone()),
        };
        HostNames { allowed }
    }

    /// Fails with the name. Addresses always pass, since they cannot be rebound, and so
    /// do requests without a name, which no browser sends.
    pub(super) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), String> {
        let Some(allowed) = &self.allowed else { return Ok(()) };
        let Some(called) = called_authority(headers, uri) else {
            return match headers.get(header::HOST) {
                Some(host) if !host.is_empty() => Err(String::from_utf8_lossy(host.as_bytes()).into_owned()),
                _ => Ok(()),
            };
        };
        let host = called.host().trim_end_matches('.').to_ascii_lowercase();
        let is_address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
        let is_this_machine = host == "localhost" || host.ends_with(".localhost");
        if is_address || is_this_machine || allowed.contains(&host) { Ok(()) } else { Err(host) }
    }
}

/// Checks the headers of any request: for fuzzing.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn check_arbitrary_page<B>(request: &http::Request<B>) {
    let (headers, uri) = (request.headers(), request.uri());
    let any = WebOrigins::new(CorsOrigins::Any);
    assert_eq!(any.check(headers, uri), Ok(()), "any page may call");
    let own = WebOrigins::new(CorsOrigins::List(Vec::new()));
    if own.check(headers, uri).is_ok() && headers.contains_key(header::ORIGIN) {
        assert!(called_authority(headers, uri).is_some(), "a page's own server has a name");
    }
    let listen = SocketAddr::from(([127, 0, 0, 1], 8080));
    let _known = HostNames::new(&AllowedHosts::List(Vec::new()), listen).check(headers, uri);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, value.parse().unwrap());
        }
        headers
    }

    fn is_allowed(origins: &str, pairs: &[(&'static str, &str)]) -> bool {
        let origins = match origins {
            "*" => CorsOrigins::Any,
            "" => CorsOrigins::List(vec![]),
            one => CorsOrigins::List(vec![one.to_owned()]),
        };
        WebOrigins::new(origins).check(&headers(pairs), &Uri::from_static("/v1/games")).is_ok()
    }

    /// Without a list, only the server's own pages call, and what is no browser.
    #[test]
    fn same_origin_by_default() {
        let host = ("host", "localhost:8080");
        for (pairs, expected) in [
            (&[host][..], true),
            (&[host, ("origin", "http://localhost:8080")], true),
            (&[host, ("origin", "http://LOCALHOST:8080")], true),
            (&[host, ("origin", "http://localhost:3000")], false),
            (&[host, ("origin", "http://127.0.0.1:8080")], false),
            (&[host, ("origin", "https://evil.example")], false),
            (&[host, ("origin", "null")], false),
            (&[host, ("origin", "")], false),
            (&[("origin", "http://localhost:8080")], false),
            (&[("host", "games.example"), ("origin", "https://games.example")], true),
            (&[("host", "games.example:443"), ("origin", "https://games.example")], true),
            (&[("host", "games.example"), ("origin", "http://games.example:80")], true),
            (&[("host", "games.example"), ("origin", "https://games.example:8443")], false),
            (&[("host", "games.example"), ("origin", "https://games.example.evil.example")], false),
            (&[("host", "games.example"), ("origin", "file://games.example")], false),
            (&[host, ("sec-fetch-site", "cross-site")], false),
            (&[host, ("sec-fetch-site", "cross-site"), ("referer", "http://localhost:8080/docs")], false),
            (&[host, ("sec-fetch-site", "same-origin")], true),
            (&[host, ("sec-fetch-site", "none")], true),
        ] {
            assert_eq!(is_allowed("", pairs), expected, "{pairs:?}");
        }
    }

    /// A list adds its origins, `*` any page.
    #[test]
    fn listed_origins_may_call() {
        let play = "https://play.example";
        for (pairs, by_list, by_any) in [
            (&[("origin", play)][..], true, true),
            (&[("origin", "http://play.example")], false, true),
            (&[("origin", "https://evil.example")], false, true),
            (&[("origin", "null")], false, true),
            // A picture has no origin but usually a referrer.
            (&[("sec-fetch-site", "cross-site"), ("referer", "https://play.example/")], true, true),
            (&[("sec-fetch-site", "cross-site"), ("referer", "https://play.example.evil.example/")], false, true),
            (
                &[("sec-fetch-site", "cross-site"), ("referer", "https://evil.example/?https://play.example")],
                false,
                true,
            ),
            (&[("sec-fetch-site", "cross-site"), ("referer", "not a URL")], false, true),
            (&[("sec-fetch-site", "cross-site")], false, true),
        ] {
            assert_eq!((is_allowed(play, pairs), is_allowed("*", pairs)), (by_list, by_any), "{pairs:?}");
        }
    }

    /// On loopback, names that a stranger could own are refused; elsewhere the server
    /// does not know its names unless they are set.
    #[test]
    fn foreign_names_are_refused_on_loopback() {
        let is_allowed = |list: &str, listen: &str, host: &str| {
            let list = list.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
            let names = HostNames::new(&AllowedHosts::List(list), listen.parse().unwrap());
            names.check(&headers(&[("host", host)]), &Uri::from_static("/")).is_ok()
        };
        let loopback = "127.0.0.1:8080";
        for (host, expected) in [
            ("localhost", true),
            ("localhost:8080", true),
            ("LocalHost.:8080", true),
            ("board.localhost:8080", true),
            ("127.0.0.1:8080", true),
            ("[::1]:8080", true),
            ("192.0.2.7", true),
            ("", true),
            ("evil.example", false),
            ("evil.example:8080", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("notlocalhost", false),
            ("a b", false),
        ] {
            assert_eq!(is_allowed("", loopback, host), expected, "{host}");
            assert!(is_allowed("", "0.0.0.0:8080", host), "{host}");
        }
        assert!(is_allowed("games.example", loopback, "Games.Example:80"));
        assert!(!is_allowed("games.example", loopback, "evil.example"));
        assert!(!is_allowed("games.example", "0.0.0.0:8080", "evil.example"), "a list counts everywhere");
        let any = HostNames::new(&AllowedHosts::Any, loopback.parse().unwrap());
        assert!(any.check(&headers(&[("host", "evil.example")]), &Uri::from_static("/")).is_ok());
        let names = HostNames::new(&AllowedHosts::List(vec![]), "[::1]:1".parse().unwrap());
        let of_http2 = Uri::from_static("http://evil.example:8080/v1/games");
        assert!(names.check(&HeaderMap::new(), &of_http2).is_err());
    }
}
