//! Certificates for tests, and their files.

use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};

use super::ScratchDir;

/// Issues certificates.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new(name: &str) -> Authority {
        let mut params = CertificateParams::new([]).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().expect("a key");
        Authority(CertifiedIssuer::self_signed(params, key).expect("a certificate"))
    }

    /// Returns its own certificate in PEM format.
    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// Issues a certificate for a server or client of this name.
    pub(crate) fn issue(&self, name: &str) -> Identity {
        self.issue_until(name, 2999)
    }

    /// Issues a certificate that is valid until the start of a year.
    pub(crate) fn issue_until(&self, name: &str, year: i32) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).expect("a name");
        params.not_after = date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        Identity { certificate: certificate.pem(), key: key.serialize_pem() }
    }
}

/// A certificate and its key in PEM format.
pub(crate) struct Identity {
    certificate: String,
    key: String,
}

impl Identity {
    /// Writes both into files.
    pub(crate) fn write(&self, dir: &ScratchDir, name: &str) -> (PathBuf, PathBuf) {
        let cert = write(dir, &format!("{name}.pem"), &self.certificate);
        (cert, write(dir, &format!("{name}.key"), &self.key))
    }
}

pub(crate) fn write(dir: &ScratchDir, name: &str, text: &str) -> PathBuf {
    let path = dir.path(name);
    std::fs::write(&path, text).expect("a file");
    path
}
