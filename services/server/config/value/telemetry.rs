//! Log and traces.

use http::Uri;
use tracing_subscriber::filter::{LevelFilter, Targets};

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

/// A valid filter of the log: a level, or `target=level` directives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFilter(String);

impl LogFilter {
    /// For commands, whose results are not in a log: faults of rule sets, and panics.
    pub(crate) fn faults_only() -> LogFilter {
        LogFilter("off,pentad::telemetry=error".to_owned())
    }

    /// Returns the filter. A bare level applies to this program; the HTTP libraries,
    /// which log every frame, stay at `warn` unless the filter names them.
    pub fn targets(&self) -> Targets {
        let LogFilter(text) = self;
        let text = match text.contains([',', '=']) {
            true => text.clone(),
            false => format!("{text},h2=warn,hyper=warn,hyper_util=warn,tonic=warn,tower=warn"),
        };
        parse_directives(&text).expect("a filter of the log is parsed before it is kept")
    }
}

/// Returns `None` for texts without a directive, and for those with filters by span or
/// field, which need a larger parser.
fn parse_directives(text: &str) -> Option<Targets> {
    let directives: Vec<&str> = text.split(',').map(str::trim).filter(|directive| !directive.is_empty()).collect();
    // A bare word that is no level would be a target: it would silence all others.
    let is_level = |directive: &&str| directive.contains('=') || directive.parse::<LevelFilter>().is_ok();
    let is_supported = !directives.is_empty() && !text.contains(['[', '{']) && directives.iter().all(is_level);
    directives.join(",").parse().ok().filter(|_| is_supported)
}

impl Default for LogFilter {
    fn default() -> Self {
        LogFilter("info".to_owned())
    }
}

impl SettingValue for LogFilter {
    const KIND: ValueKind = ValueKind::Text;

    fn parse(text: &str) -> Result<Self, String> {
        match parse_directives(text) {
            Some(_) => Ok(LogFilter(text.to_owned())),
            None => Err(format!(
                "`{text}` is not a log filter; write off, error, warn, info, debug or trace, or a list of \
                 `target=level` such as info,pentad=debug"
            )),
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
    /// Parses `http://HOST:PORT` or `https://HOST:PORT`.
    pub fn new(text: &str) -> Result<OtlpEndpoint, String> {
        let is_endpoint = text.parse().is_ok_and(|uri: Uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.port_u16().is_some()
                && uri.path_and_query().is_none_or(|path| path == "/")
        });
        if !is_endpoint {
            return Err(format!("`{text}` is not a collector's address; write e.g. http://localhost:4317"));
        }
        Ok(OtlpEndpoint(text.trim_end_matches('/').to_owned()))
    }

    /// Whether the connection is encrypted.
    #[cfg(feature = "otlp")]
    pub(crate) fn is_tls(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// `http://HOST:PORT` or `https://HOST:PORT`.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that are refused, and that the message says what to write instead.
    #[test]
    fn invalid_log_filters() {
        for text in
            ["", " , ", "loud", "info,loud", "pentad", "pentad=loud", "a=b=c", "[span]=debug", "pentad[{field}]=debug"]
        {
            let message = LogFilter::parse(text).expect_err(text);
            assert!(message.contains("`target=level` such as info,pentad=debug"), "{message}");
        }
    }

    #[test]
    fn log_filters_by_target() {
        let levels = |text: &str| {
            let targets = LogFilter::parse(text).expect(text).targets();
            ["pentad::access", "h2::codec"].map(|target| {
                let levels = [LevelFilter::ERROR, LevelFilter::WARN, LevelFilter::INFO, LevelFilter::DEBUG];
                levels
                    .into_iter()
                    .filter_map(LevelFilter::into_level)
                    .filter(|it| targets.would_enable(target, it))
                    .max()
            })
        };
        use tracing::Level;
        assert_eq!(levels("info"), [Some(Level::INFO), Some(Level::WARN)]);
        assert_eq!(levels("off"), [None, Some(Level::WARN)]);
        assert_eq!(levels("info,"), [Some(Level::INFO); 2]);
        assert_eq!(levels("warn, pentad=debug"), [Some(Level::DEBUG), Some(Level::WARN)]);
        assert_eq!(levels("pentad::access=error"), [Some(Level::ERROR), None]);
    }
}
