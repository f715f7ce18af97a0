//! The log on standard error.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

/// Starts logging, once per process. A logger that is already there, as in
/// tests, is kept.
pub(crate) fn init(config: &Config) {
    let filter = EnvFilter::new(filter_of(config.log_level.as_str()));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match config.log_format {
        LogFormat::Text => builder.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    if let Err(error) = started {
        tracing::debug!(error, "another logger is used");
    }
}

/// A level alone is about this program; what the HTTP libraries say frame by
/// frame has to be asked for by name.
fn filter_of(text: &str) -> String {
    if text.contains([',', '=']) {
        return text.to_owned();
    }
    format!("{text},h2=warn,hyper=warn,hyper_util=warn,tonic=warn,tower=warn")
}
