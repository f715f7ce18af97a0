//! Where a shared store is, and how to log on to it.
//!
//! The address may have a password in it, which nobody is shown: neither its `Display`
//! nor its `Debug`, nor an error about it, has more than host, port and database.

use std::fmt;

use redis::io::tcp::TcpSettings;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo};

use crate::error::StoreError;

/// Longest text of a server's error that is passed on.
const PROBLEM_LEN_MAX: usize = 200;

/// The address of a shared store: `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]`, the
/// same with `rediss://` for TLS, or `redis+unix:///PATH[?db=DATABASE]`; `valkey` is the
/// same as `redis`.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedAddress {
    url: String,
    /// Without user and password.
    place: String,
    /// What must not be in any text.
    password: Option<String>,
    is_tls: bool,
}

impl SharedAddress {
    /// Whether a text is meant to be one.
    pub fn is_meant(text: &str) -> bool {
        text.split_once("://").is_some_and(|(scheme, _)| {
            ["redis", "rediss", "valkey", "valkeys", "unix", "redis+unix", "valkey+unix"].contains(&scheme)
        })
    }

    /// Reads an address.
    pub fn parse(url: &str) -> Result<SharedAddress, StoreError> {
        let info = url.into_connection_info().map_err(|_| StoreError::BadAddress(SYNTAX))?;
        let settings = info.redis_settings();
        let on_network = |scheme: &str, host: &str, port: u16| {
            let is_bare_ipv6 = host.contains(':') && !host.starts_with('[');
            let host = if is_bare_ipv6 { format!("[{host}]") } else { host.to_owned() };
            format!("{scheme}://{host}:{port}/{}", settings.db())
        };
        let (place, is_tls) = match info.addr() {
            ConnectionAddr::Tcp(host, port) => (on_network("redis", host, *port), false),
            ConnectionAddr::TcpTls { insecure: true, .. } => return Err(StoreError::BadAddress(UNCHECKED)),
            ConnectionAddr::TcpTls { host, port, .. } => (on_network("rediss", host, *port), true),
            ConnectionAddr::Unix(path) => (format!("redis+unix://{}?db={}", path.display(), settings.db()), false),
            _ => return Err(StoreError::BadAddress(SYNTAX)),
        };
        let password = settings.password().map(str::to_owned);
        Ok(SharedAddress { url: url.to_owned(), place, password, is_tls })
    }

    /// Whether the connection is encrypted, and the server known by its certificate.
    pub fn is_tls(&self) -> bool {
        self.is_tls
    }

    pub(super) fn connection_info(&self) -> ConnectionInfo {
        let info = (&*self.url).into_connection_info().expect("it was read before");
        // A request is one small packet, which must not wait for others.
        info.set_tcp_settings(TcpSettings::default().set_nodelay(true))
    }

    /// What a server or the system said, fit for operators: short, on one line and without
    /// the password, which servers repeat in errors about commands that they do not know.
    pub(super) fn presentable(&self, problem: &str) -> String {
        let problem = match self.password.as_deref().filter(|password| !password.is_empty()) {
            Some(password) => problem.replace(password, "***"),
            None => problem.to_owned(),
        };
        problem.chars().map(|c| if c.is_control() { ' ' } else { c }).take(PROBLEM_LEN_MAX).collect()
    }
}

const SYNTAX: &str = "not an address of a store; it looks like redis://USER:PASSWORD@HOST:PORT/DATABASE, \
    with all but HOST left out as you like, and %-escapes for special characters in the password; rediss:// is TLS";
const UNCHECKED: &str = "the certificate of a store is always checked; leave out #insecure, and name the authority \
    that issued it";

impl fmt::Display for SharedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)
    }
}

impl fmt::Debug for SharedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// User and password are in no text, be the address right or wrong.
    #[test]
    fn passwords_are_not_shown() {
        for (url, place) in [
            ("redis://store", "redis://store:6379/0"),
            ("redis://:s3cret@store:7000/2", "redis://store:7000/2"),
            ("valkey://admin:s3cret@[::1]", "redis://[::1]:6379/0"),
            ("rediss://admin:s3cret@[::1]/1", "rediss://[::1]:6379/1"),
            ("valkeys://:s3cret@store:7000", "rediss://store:7000/0"),
            ("redis+unix:///run/store.sock?db=3&pass=s3cret", "redis+unix:///run/store.sock?db=3"),
        ] {
            let address = SharedAddress::parse(url).expect(url);
            assert_eq!(address.to_string(), place);
            assert_eq!(format!("{address:?}"), place);
            assert_eq!(address.is_tls(), place.starts_with("rediss://"));
            assert!(SharedAddress::is_meant(url));
        }
        for url in [
            "redis://:s3cret@",
            "redis://:s3cret#x@store",
            "redis://admin:s3cret@store:port",
            "redis://:s3cret@store/first",
            "rediss://:s3cret@store#insecure",
            "http://:s3cret@store",
        ] {
            let error = SharedAddress::parse(url).expect_err(url).to_string();
            assert!(!error.contains("s3cret") && !error.contains("admin"), "{error}");
        }
        assert!(!SharedAddress::is_meant("/var/lib/redis") && !SharedAddress::is_meant("http://store"));
    }

    /// What a server says is passed on without the password, and not endlessly.
    #[test]
    fn servers_are_quoted_with_care() {
        let address = SharedAddress::parse("redis://:s3cret@store").expect("an address");
        let said = address.presentable("ERR unknown command 'AUTH', with args beginning with: 's3cret'\r\nx");
        assert_eq!(said, "ERR unknown command 'AUTH', with args beginning with: '***'  x");
        assert_eq!(address.presentable(&"é".repeat(1000)).chars().count(), PROBLEM_LEN_MAX);
    }
}
