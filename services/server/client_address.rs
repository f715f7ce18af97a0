//! Client address of a request, with or without trusted proxies.
//!
//! Without a proxy it is the peer of the connection. A peer among `trusted_proxies`
//! forwards requests of others: each proxy appends the address of its caller to
//! `X-Forwarded-For`, or to `Forwarded` (RFC 7239). So the list is read from its end,
//! past trusted proxies, to the first other address. Entries before that one can be
//! forged.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName, header};

use crate::config::TrustedProxies;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Client address of a request, stored in its extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl ClientAddress {
    /// `X-Forwarded-For` takes precedence over `Forwarded`: most proxies write only the
    /// first, and pass on a `Forwarded` of their caller unchanged.
    pub(crate) fn of(peer: SocketAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> ClientAddress {
        let peer = peer.ip().to_canonical();
        if !trusted.contains(peer) {
            return ClientAddress(peer);
        }
        ClientAddress(if headers.contains_key(X_FORWARDED_FOR) {
            last_untrusted(peer, elements_from_end(headers, &X_FORWARDED_FOR), parse_node, trusted)
        } else {
            last_untrusted(peer, elements_from_end(headers, &header::FORWARDED), parse_forwarded, trusted)
        })
    }
}

/// Returns the first address from the end of the list that is not a trusted proxy. An
/// element that is not an address (`unknown`, a pseudonym) ends the list: the proxy
/// that wrote it is the last known one.
fn last_untrusted<'a>(
    peer: IpAddr,
    elements: impl Iterator<Item = &'a str>,
    parse: impl Fn(&str) -> Option<IpAddr>,
    trusted: &TrustedProxies,
) -> IpAddr {
    let mut client = peer;
    for element in elements {
        let Some(address) = parse(element) else { break };
        client = address.to_canonical();
        if !trusted.contains(client) {
            break;
        }
    }
    client
}

/// Iterates over the elements of all lines of a header as one list, from its end. A
/// line that is not ASCII yields an element that is not an address.
fn elements_from_end<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines: Vec<&str> = headers.get_all(name).iter().map(|line| line.to_str().unwrap_or_default()).collect();
    lines.into_iter().rev().flat_map(|line| line.rsplit(',')).map(str::trim)
}

/// Parses the `for` of one element of `Forwarded`:
/// `for="[2001:db8::1]:4711";proto=https`. A quoted comma would split the element, but
/// no address contains one.
fn parse_forwarded(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, node) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let node = node.trim();
    parse_node(node.strip_prefix('"').and_then(|node| node.strip_suffix('"')).unwrap_or(node))
}

/// Parses an address with or without a port: `192.0.2.1`, `192.0.2.1:80`,
/// `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`.
fn parse_node(node: &str) -> Option<IpAddr> {
    let bracketed = || node.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    let with_port = || node.parse().ok().map(|address: SocketAddr| address.ip());
    node.parse().ok().or_else(bracketed).or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, lines: &[(HeaderName, &str)]) -> String {
        let trusted = TrustedProxies::new("10.0.0.0/8, 2001:db8:1::/48, 127.0.0.1").unwrap();
        let mut headers = HeaderMap::new();
        for (name, line) in lines {
            headers.append(name, line.parse().unwrap());
        }
        ClientAddress::of(peer.parse().unwrap(), &headers, &trusted).0.to_string()
    }

    /// Headers of untrusted peers are ignored.
    #[test]
    fn strangers_cannot_choose_their_address() {
        let forged = [(X_FORWARDED_FOR, "192.0.2.1"), (header::FORWARDED, "for=192.0.2.1")];
        assert_eq!(client("198.51.100.7:1", &forged), "198.51.100.7");
        assert_eq!(client("[2001:db8:2::1]:1", &forged), "2001:db8:2::1");
    }

    /// The right-most address that is not a trusted proxy counts, over all lines of the
    /// header.
    #[test]
    fn last_untrusted_address_is_the_client() {
        for (lines, expected) in [
            (&["192.0.2.1"][..], "192.0.2.1"),
            (&["203.0.113.9, 192.0.2.1"], "192.0.2.1"),
            (&["203.0.113.9, 192.0.2.1, 10.1.1.1"], "192.0.2.1"),
            (&["203.0.113.9", "192.0.2.1,10.1.1.1", "10.2.2.2"], "192.0.2.1"),
            (&["192.0.2.1:4711"], "192.0.2.1"),
            (&["2001:db8::7"], "2001:db8::7"),
            (&["[2001:db8::7]:4711"], "2001:db8::7"),
            (&["[2001:db8::7]"], "2001:db8::7"),
            (&["::ffff:192.0.2.1, ::ffff:10.3.3.3"], "192.0.2.1"),
        ] {
            let lines: Vec<_> = lines.iter().map(|line| (X_FORWARDED_FOR, *line)).collect();
            assert_eq!(client("10.0.0.1:1", &lines), expected, "{lines:?}");
            assert_eq!(client("[::ffff:10.0.0.1]:1", &lines), expected, "{lines:?}, over a dual-stack socket");
        }
    }

    /// Without an untrusted address, the farthest known one counts.
    #[test]
    fn unknown_clients_are_the_last_known_proxy() {
        assert_eq!(client("10.0.0.1:1", &[]), "10.0.0.1");
        assert_eq!(client("10.0.0.1:1", &[(X_FORWARDED_FOR, "10.0.0.3, 10.0.0.2")]), "10.0.0.3");
        for unknown in ["unknown", "_hidden", "", "192.0.2.1:port", "192.0.2", "é"] {
            let line = format!("192.0.2.1, {unknown}, 10.0.0.2");
            let mut headers = HeaderMap::new();
            headers.insert(X_FORWARDED_FOR, http::HeaderValue::from_bytes(line.as_bytes()).unwrap());
            let trusted = TrustedProxies::new("10.0.0.0/8").unwrap();
            let client = ClientAddress::of("10.0.0.1:1".parse().unwrap(), &headers, &trusted);
            let expected = if unknown == "é" { "10.0.0.1" } else { "10.0.0.2" };
            assert_eq!(client.0.to_string(), expected, "{line}");
        }
    }

    /// `Forwarded` is read if there is no `X-Forwarded-For`.
    #[test]
    fn forwarded_is_understood() {
        for (line, expected) in [
            ("for=192.0.2.1", "192.0.2.1"),
            ("for=192.0.2.1;proto=https;by=10.0.0.1", "192.0.2.1"),
            ("proto=https; For=\"192.0.2.1:4711\"", "192.0.2.1"),
            ("for=\"[2001:db8::7]:4711\"", "2001:db8::7"),
            ("for=203.0.113.9, for=192.0.2.1, for=10.0.0.2", "192.0.2.1"),
            ("for=192.0.2.1, for=unknown", "10.0.0.1"),
            ("for=192.0.2.1, proto=https", "10.0.0.1"),
        ] {
            assert_eq!(client("10.0.0.1:1", &[(header::FORWARDED, line)]), expected, "{line}");
        }
        let both = [(header::FORWARDED, "for=203.0.113.9"), (X_FORWARDED_FOR, "192.0.2.1")];
        assert_eq!(client("10.0.0.1:1", &both), "192.0.2.1");
    }
}
