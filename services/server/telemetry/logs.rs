//! The log on standard error.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

/// Installs the logger, once per process. An existing one, as in tests, is kept.
pub(crate) fn init(config: &Config) {
    let filter = EnvFilter::new(with_library_levels(config.log_level.as_str()));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match config.log_format {
        LogFormat::Text => builder.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    if let Err(error) = started {
        tracing::debug!(error, "a logger is already installed");
    }
}

/// A bare level applies to this program; the HTTP libraries, which log every
/// frame, stay at `warn` unless the filter names them.
fn with_library_levels(text: &str) -> String {
    if text.contains([',', '=']) {
        return text.to_owned();
    }
    format!("{text},h2=warn,hyper=warn,hyper_util=warn,tonic=warn,tower=warn")
}
