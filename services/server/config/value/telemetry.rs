//! What the log says, and where traces go.

use http::Uri;
use tracing_subscriber::EnvFilter;

use super::{SettingValue, ValueKind, quoted};

/// Format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

impl SettingValue for LogFormat {
    const KIND: ValueKind = ValueKind::Choice(&["text", "json"]);

    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            other => Err(format!("`{other}` is neither text nor json")),
        }
    }

    fn to_toml(&self) -> Option<String> {
        Some(quoted(match self {
            LogFormat::Text => "text",
            LogFormat::Json => "json",
        }))
    }
}

/// Which calls are logged when they end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessLog {
    /// None.
    Off,
    /// Every hundredth.
    Sampled,
    /// All.
    All,
}

impl SettingValue for AccessLog {
    const KIND: ValueKind = ValueKind::Choice(&["off", "sampled", "all"]);

    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(AccessLog::Off),
            "sampled" => Ok(AccessLog::Sampled),
            "all" => Ok(AccessLog::All),
            other => Err(format!("`{other}` is neither off, sampled nor all")),
        }
    }

    fn to_toml(&self) -> Option<String> {
        Some(quoted(match self {
            AccessLog::Off => "off",
            AccessLog::Sampled => "sampled",
            AccessLog::All => "all",
        }))
    }
}

/// A valid filter of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFilter(String);

impl LogFilter {
    /// As written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for LogFilter {
    fn default() -> Self {
        LogFilter("info".to_owned())
    }
}

impl SettingValue for LogFilter {
    const KIND: ValueKind = ValueKind::Text;

    fn parse(text: &str) -> Result<Self, String> {
        match EnvFilter::builder().parse(text) {
            Ok(_) if !text.trim().is_empty() => Ok(LogFilter(text.to_owned())),
            _ => Err(format!("`{text}` is not a level or filter; write e.g. info, or info,pentad=debug")),
        }
    }

    fn to_toml(&self) -> Option<String> {
        Some(quoted(&self.0))
    }
}

/// The collector for traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtlpEndpoint(String);

impl OtlpEndpoint {
    /// Parses `http://HOST:PORT`.
    pub fn new(text: &str) -> Result<OtlpEndpoint, String> {
        if text.starts_with("https:") {
            return Err(format!(
                "`{text}` wants TLS, which is not supported; use a local collector that forwards over TLS"
            ));
        }
        let is_endpoint = text.parse().is_ok_and(|uri: Uri| {
            uri.scheme_str() == Some("http")
                && uri.port_u16().is_some()
                && uri.path_and_query().is_none_or(|path| path == "/")
        });
        if !is_endpoint {
            return Err(format!("`{text}` is not a collector's address; write e.g. http://localhost:4317"));
        }
        Ok(OtlpEndpoint(text.trim_end_matches('/').to_owned()))
    }

    /// `http://HOST:PORT`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SettingValue for Option<OtlpEndpoint> {
    const KIND: ValueKind = ValueKind::Text;

    /// Empty text unsets it.
    fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() { Ok(None) } else { OtlpEndpoint::new(text).map(Some) }
    }

    fn to_toml(&self) -> Option<String> {
        self.as_ref().map(|endpoint| quoted(&endpoint.0))
    }
}
