//! Address and credentials of a shared store.
//!
//! An address may contain a password, which is never shown: `Display`, `Debug` and errors
//! contain only host, port and database.

use std::fmt;

use redis::io::tcp::TcpSettings;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo};

use crate::error::StoreError;
use crate::shared_config::has_shared_scheme;

/// Maximum length of a server's error in messages.
const PROBLEM_LEN_MAX: usize = 200;

/// Address of a shared store: `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]`, the same
/// with `rediss://` for TLS, or `redis+unix:///PATH[?db=DATABASE]`; `valkey` is a synonym of
/// `redis`.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedAddress {
    url: String,
    /// Address without user and password.
    place: String,
    /// Password, which must not appear in any text.
    password: Option<String>,
    is_tls: bool,
}

impl SharedAddress {
    /// Returns whether a text has the scheme of a shared store.
    pub fn is_meant(text: &str) -> bool {
        has_shared_scheme(text)
    }

    /// Parses an address.
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

    /// Returns whether the connection is encrypted and the server's certificate checked.
    pub fn is_tls(&self) -> bool {
        self.is_tls
    }

    pub(super) fn connection_info(&self) -> ConnectionInfo {
        let info = (&*self.url).into_connection_info().expect("it was parsed before");
        // A request is one small packet, which must not wait for more data.
        info.set_tcp_settings(TcpSettings::default().set_nodelay(true))
    }

    /// Sanitises an error of the server or the system: short, on one line and without the
    /// password, which servers repeat in errors about unknown commands.
    pub(super) fn sanitise(&self, problem: &str) -> String {
        let problem = match self.password.as_deref().filter(|password| !password.is_empty()) {
            Some(password) => problem.replace(password, "***"),
            None => problem.to_owned(),
        };
        problem.chars().map(|c| if c.is_control() { ' ' } else { c }).take(PROBLEM_LEN_MAX).collect()
    }
}

const SYNTAX: &str = "not an address of a store; expected redis://USER:PASSWORD@HOST:PORT/DATABASE, where all but \
    HOST may be left out and special characters in the password are %-escaped; rediss:// is TLS";
const UNCHECKED: &str = "the certificate of a store is always checked; leave out #insecure, and set store_ca to the \
    authority that issued it";

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

    /// Neither user nor password appears in any text, whether the address is valid or not.
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

    /// Errors of a server are shown without the password and truncated.
    #[test]
    fn servers_are_quoted_with_care() {
        let address = SharedAddress::parse("redis://:s3cret@store").expect("an address");
        let shown = address.sanitise("ERR unknown command 'AUTH', with args beginning with: 's3cret'\r\nx");
        assert_eq!(shown, "ERR unknown command 'AUTH', with args beginning with: '***'  x");
        assert_eq!(address.sanitise(&"é".repeat(1000)).chars().count(), PROBLEM_LEN_MAX);
    }
}
