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

/// The address of a shared store: `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]`, or
/// `redis+unix:///PATH[?db=DATABASE]`; `valkey` is the same as `redis`.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedAddress {
    url: String,
    /// Without user and password.
    place: String,
    /// What must not be in any text.
    password: Option<String>,
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
        if url.starts_with("rediss://") || url.starts_with("valkeys://") {
            return Err(StoreError::BadAddress("this server speaks no TLS to a store; use redis://"));
        }
        let info = url.into_connection_info().map_err(|_| StoreError::BadAddress(SYNTAX))?;
        let settings = info.redis_settings();
        let place = match info.addr() {
            ConnectionAddr::Tcp(host, port) if host.contains(':') && !host.starts_with('[') => {
                format!("redis://[{host}]:{port}/{}", settings.db())
            }
            ConnectionAddr::Tcp(host, port) => format!("redis://{host}:{port}/{}", settings.db()),
            ConnectionAddr::Unix(path) => format!("redis+unix://{}?db={}", path.display(), settings.db()),
            _ => return Err(StoreError::BadAddress(SYNTAX)),
        };
        let password = settings.password().map(str::to_owned);
        Ok(SharedAddress { url: url.to_owned(), place, password })
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
    with all but HOST left out as you like, and %-escapes for special characters in the password";

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
            ("redis+unix:///run/store.sock?db=3&pass=s3cret", "redis+unix:///run/store.sock?db=3"),
        ] {
            let address = SharedAddress::parse(url).expect(url);
            assert_eq!(address.to_string(), place);
            assert_eq!(format!("{address:?}"), place);
            assert!(SharedAddress::is_meant(url));
        }
        for url in [
            "redis://:s3cret@",
            "redis://:s3cret#x@store",
            "redis://admin:s3cret@store:port",
            "redis://:s3cret@store/first",
            "rediss://:s3cret@store",
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
