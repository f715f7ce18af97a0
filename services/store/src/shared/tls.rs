//! TLS to a shared store with rustls: certificates and error messages.
//!
//! The files are read for every connection, so that renewed certificates are used without
//! a restart; a problem with them makes the store unavailable, like any other.

use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use redis::{ClientTlsConfig, RedisError, RedisResult, TlsCertificates};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{AlertDescription, CertificateError};

use crate::shared_config::SharedTls;

/// Installs the cryptography provider of rustls, unless the program has done so.
pub(super) fn install_provider() {
    // An error means that one is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

impl SharedTls {
    /// Reads the files.
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

    /// Replaces a connection error by one that operators understand.
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
                Some(ca) => {
                    format!("the server's certificate was issued by none of the authorities in {}", ca.display())
                }
                None => "the server's certificate was not issued by an authority that this system trusts; set store_ca"
                    .to_owned(),
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

/// Reads a file with at least one certificate.
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
    // Reading a pipe would wait until something writes to it.
    let content = match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("not a regular file")),
        _ => fs::read(path),
    };
    content.map_err(|error| named(path, &error.to_string()))
}

fn named(path: &Path, problem: &str) -> io::Error {
    io::Error::other(format!("{}: {problem}", path.display()))
}

/// Returns the I/O error of the connection behind an error of the Redis client, if any.
fn io_error(error: &RedisError) -> Option<&io::Error> {
    let source = error.source()?.downcast_ref::<Arc<dyn Error + Send + Sync>>()?;
    source.downcast_ref()
}
