//! Callers: web origins, host names, proxies and identity providers.

use std::net::IpAddr;
use std::path::PathBuf;

use http::Uri;
use ipnet::IpNet;

use super::{SettingValue, ValueKind, quoted};

/// Which web origins may call from a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorsOrigins {
    /// All.
    Any,
    /// These; none if empty.
    List(Vec<String>),
}

impl SettingValue for CorsOrigins {
    const KIND: ValueKind = ValueKind::List;

    fn parse(text: &str) -> Result<Self, String> {
        let origins: Vec<&str> = text.split(',').map(str::trim).filter(|origin| !origin.is_empty()).collect();
        if origins == ["*"] {
            return Ok(CorsOrigins::Any);
        }
        for origin in &origins {
            let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            if host.is_none_or(|host| host.is_empty() || host.contains(['/', '*', ' '])) {
                return Err(format!("`{origin}` is not an origin; write e.g. https://example.org, or * alone"));
            }
        }
        Ok(CorsOrigins::List(origins.into_iter().map(str::to_owned).collect()))
    }

    fn to_toml(&self) -> Option<String> {
        Some(match self {
            CorsOrigins::Any => "[\"*\"]".to_owned(),
            CorsOrigins::List(origins) => {
                format!("[{}]", origins.iter().map(|origin| quoted(origin)).collect::<Vec<_>>().join(", "))
            }
        })
    }
}

/// Host names by which a server may be addressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedHosts {
    /// All.
    Any,
    /// These, in lower case.
    List(Vec<String>),
}

impl SettingValue for AllowedHosts {
    const KIND: ValueKind = ValueKind::List;

    fn parse(text: &str) -> Result<Self, String> {
        let names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        if names == ["*"] {
            return Ok(AllowedHosts::Any);
        }
        let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
        match names.iter().find(|name| !is_name(name)) {
            Some(name) => Err(format!("`{name}` is not a host name; write e.g. games.example.org, or * alone")),
            None => Ok(AllowedHosts::List(names.into_iter().map(str::to_ascii_lowercase).collect())),
        }
    }

    fn to_toml(&self) -> Option<String> {
        Some(match self {
            AllowedHosts::Any => "[\"*\"]".to_owned(),
            AllowedHosts::List(names) => {
                format!("[{}]", names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", "))
            }
        })
    }
}

/// Addresses and networks of proxies whose forwarding headers are trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Parses addresses and networks separated by commas.
    pub fn new(text: &str) -> Result<TrustedProxies, String> {
        let network = |text: &str| {
            let address = || text.parse().map(|address: IpAddr| IpNet::from(address.to_canonical()));
            text.parse().or_else(|_| address()).map_err(|_| {
                format!("`{text}` is neither an address nor a network; write e.g. 10.0.0.7 or 10.0.0.0/8,fd00::/8")
            })
        };
        let texts = text.split(',').map(str::trim).filter(|text| !text.is_empty());
        texts.map(network).collect::<Result<_, _>>().map(TrustedProxies)
    }

    /// Whether this address is that of a trusted proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl SettingValue for TrustedProxies {
    const KIND: ValueKind = ValueKind::List;

    fn parse(text: &str) -> Result<Self, String> {
        TrustedProxies::new(text)
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("[{}]", self.0.iter().map(|network| quoted(&network.to_string())).collect::<Vec<_>>().join(", ")))
    }
}

/// Location of a JSON Web Key Set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JwksSource {
    /// In a file.
    File(PathBuf),
    /// A URL.
    Url(Uri),
}

impl JwksSource {
    /// Parses a path or a URL.
    pub fn new(text: &str) -> Result<JwksSource, String> {
        if !text.contains("://") {
            return Ok(JwksSource::File(PathBuf::from(text)));
        }
        let bad = |why: &str| format!("`{text}` {why}; write e.g. https://login.example.org/keys, or a path");
        let uri: Uri = text.parse().map_err(|_| bad("is not a URL"))?;
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_here = host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        match uri.scheme_str() {
            Some("https") => Ok(JwksSource::Url(uri)),
            // An intermediary could replace the keys.
            Some("http") if is_here => Ok(JwksSource::Url(uri)),
            Some("http") => Err(bad("is not protected by TLS")),
            _ => Err(bad("is not an HTTP URL")),
        }
    }
}

impl SettingValue for Option<JwksSource> {
    const KIND: ValueKind = ValueKind::Text;

    /// Empty text unsets it.
    fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() { Ok(None) } else { JwksSource::new(text).map(Some) }
    }

    fn to_toml(&self) -> Option<String> {
        self.as_ref().map(|source| match source {
            JwksSource::File(path) => quoted(&path.to_string_lossy()),
            JwksSource::Url(url) => quoted(&url.to_string()),
        })
    }
}
