//! TLS to a shared store, by rustls: which certificates count, and what went wrong.
//!
//! The files are read for every connection, so that renewed certificates are taken up
//! without a restart; what is wrong with them is a reason to go on without the store, as
//! everything else is.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use redis::{ClientTlsConfig, RedisError, RedisResult, TlsCertificates};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{AlertDescription, CertificateError};

/// Who vouches for a shared store, and what it is shown. It matters for addresses with TLS
/// (`rediss://`) only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedTls {
    /// PEM file with the authorities that may have issued the server's certificate; those
    /// that the system trusts by default.
    pub ca: Option<PathBuf>,
    /// PEM files with the certificate that a server asks for (mTLS), and with its key.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// Chooses how rustls encrypts, unless the program has done so before.
pub(super) fn install_provider() {
    // An error says that there is one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

impl SharedTls {
    /// What is in the files.
    pub(super) fn certificates(&self) -> RedisResult<TlsCertificates> {
        let root_cert = self.ca.as_deref().map(certificates).transpose()?;
        let client_tls = match &self.identity {
            Some((cert, key)) => {
                Some(ClientTlsConfig { client_cert: certificates(cert)?, client_key: private_key(key)? })
            }
            None => None,
        };
        Ok(TlsCertificates { client_tls, root_cert })
    }

    /// Why no connection was made, as operators would say it.
    pub(super) fn explained(&self, error: RedisError, connect_timeout: Duration) -> RedisError {
        match self.reason(&error, connect_timeout) {
            Some(reason) => io::Error::other(reason).into(),
            None => error,
        }
    }

    fn reason(&self, error: &RedisError, connect_timeout: Duration) -> Option<String> {
        const SPEAKS_TLS: &str = "does the server speak TLS on this port?";
        if error.is_timeout() {
            return Some(format!("no TLS handshake within {} ms; {SPEAKS_TLS}", connect_timeout.as_millis()));
        }
        let io_error = io_error(error)?;
        let Some(tls_error) = io_error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) else {
            let is_hung_up = matches!(io_error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset);
            return is_hung_up.then(|| format!("the server hung up during the TLS handshake; {SPEAKS_TLS}"));
        };
        Some(match tls_error {
            rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => match &self.ca {
                Some(ca) => format!("the server's certificate was issued by none of those in {}", ca.display()),
                None => "the server's certificate was issued by nobody whom this system trusts".to_owned(),
            },
            rustls::Error::InvalidCertificate(why) => format!("the server's certificate is refused: {why}"),
            rustls::Error::InvalidMessage(_) => "the server does not speak TLS on this port".to_owned(),
            rustls::Error::AlertReceived(AlertDescription::CertificateRequired) => {
                "the server asks for a client certificate".to_owned()
            }
            other => format!("TLS: {other}"),
        })
    }
}

/// The bytes of a file with one certificate at least.
fn certificates(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read(path)?;
    match CertificateDer::pem_slice_iter(&bytes).next() {
        Some(Ok(_)) => Ok(bytes),
        Some(Err(error)) => Err(named(path, &format!("expected certificates in PEM format: {error}"))),
        None => Err(named(path, "expected certificates in PEM format: there are none")),
    }
}

fn private_key(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read(path)?;
    match PrivateKeyDer::from_pem_slice(&bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(named(path, &format!("expected a private key in PEM format: {error}"))),
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path).map_err(|error| named(path, &error.to_string()))
}

fn named(path: &Path, problem: &str) -> io::Error {
    io::Error::other(format!("{}: {problem}", path.display()))
}

/// What the client of Redis got from the connection, if that is what failed.
fn io_error(error: &RedisError) -> Option<&io::Error> {
    let source = error.source()?.downcast_ref::<Arc<dyn Error + Send + Sync>>()?;
    source.downcast_ref()
}
