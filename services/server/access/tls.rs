//! TLS of the public ports, by rustls: 1.2 and 1.3, HTTP/2 and HTTP/1.1 by ALPN.
//!
//! With `tls_client_ca` a client needs a certificate as well (mTLS), or the handshake
//! fails. Handshakes after a reload use the new certificates; open connections stay.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::RootCertStore;
use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{VerifierBuilderError, WebPkiClientVerifier};

use super::not_after::{not_after_s, not_before_s};
use crate::config::Config;

/// Why certificates cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// From reading it.
        error: io::Error,
    },
    /// A file does not have the expected contents.
    #[error("{}: expected {expected} in PEM format: {error}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Expected contents.
        expected: &'static str,
        /// From parsing it.
        error: String,
    },
    /// The certificate is invalid, or the key belongs to another one.
    #[error("{} and {}: {error}", cert.display(), key.display())]
    Rejected {
        /// `tls_cert`.
        cert: PathBuf,
        /// `tls_key`.
        key: PathBuf,
        /// From rustls.
        error: rustls::Error,
    },
    /// No client could be verified by these authorities.
    #[error("{}: {error}", path.display())]
    ClientCa {
        /// `tls_client_ca`.
        path: PathBuf,
        /// From rustls.
        error: VerifierBuilderError,
    },
}

/// Settings of the public ports, and when the certificates in their files are valid.
#[derive(Debug)]
pub(super) struct Tls {
    pub(super) config: Arc<ServerConfig>,
    pub(super) cert: CertificateDates,
    pub(super) client_ca: CertificateDates,
}

/// When all certificates of a file are valid, in seconds since 1970; `None` without one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CertificateDates {
    /// The setting that names the file.
    pub(crate) setting: &'static str,
    pub(crate) not_before_s: Option<i64>,
    pub(crate) not_after_s: Option<i64>,
}

impl CertificateDates {
    fn new(setting: &'static str, certificates: &[CertificateDer<'_>]) -> CertificateDates {
        let not_before_s = certificates.iter().filter_map(|certificate| not_before_s(certificate)).max();
        let not_after_s = certificates.iter().filter_map(|certificate| not_after_s(certificate)).min();
        CertificateDates { setting, not_before_s, not_after_s }
    }
}

/// Returns `None` without `tls_cert` and `tls_key`; the configuration has both or
/// neither.
pub(super) fn load(config: &Config) -> Result<Option<Tls>, TlsError> {
    let (Some(cert), Some(key)) = (&config.tls_cert, &config.tls_key) else { return Ok(None) };
    let chain = certificates(cert)?;
    let cert_dates = CertificateDates::new("tls_cert", &chain);
    let authorities = config.tls_client_ca.as_ref().map(|path| Ok((path, certificates(path)?))).transpose()?;
    let client_ca = authorities.as_ref().map_or(&[][..], |(_, certificates)| certificates);
    let client_ca = CertificateDates::new("tls_client_ca", client_ca);
    let private_key = private_key(key)?;
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| TlsError::Rejected { cert: cert.clone(), key: key.clone(), error })?;
    let builder = match authorities {
        Some((path, authorities)) => builder.with_client_cert_verifier(client_verifier(path, authorities, provider)?),
        None => builder.with_no_client_auth(),
    };
    let mut tls = builder.with_single_cert(chain, private_key).map_err(|error| TlsError::Rejected {
        cert: cert.clone(),
        key: key.clone(),
        error,
    })?;
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Some(Tls { config: Arc::new(tls), cert: cert_dates, client_ca }))
}

fn client_verifier(
    path: &Path,
    authorities: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn rustls::server::danger::ClientCertVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in authorities {
        roots.add(certificate).map_err(|error| malformed(path, "certificates", error.to_string()))?;
    }
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
    verifier.map_err(|error| TlsError::ClientCa { path: path.to_owned(), error })
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let expected = "certificates";
    let bytes = read(path)?;
    let found: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(&bytes).collect();
    match found {
        Ok(found) if found.is_empty() => Err(malformed(path, expected, "there are none".to_owned())),
        Ok(found) => Ok(found),
        Err(error) => Err(malformed(path, expected, error.to_string())),
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let key = PrivateKeyDer::from_pem_slice(&read(path)?);
    key.map_err(|error| malformed(path, "a private key", error.to_string()))
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    crate::settings_file::read(path).map_err(|error| TlsError::Unreadable { path: path.to_owned(), error })
}

fn malformed(path: &Path, expected: &'static str, error: String) -> TlsError {
    TlsError::Malformed { path: path.to_owned(), expected, error }
}
