//! Environment variables other than those of the settings.

use std::path::Path;

use super::source::nearest;
use super::value::SettingValue;
use super::{ConfigError, EffectiveConfig, LogFormat, OtlpEndpoint, SETTINGS, Source};
use crate::settings_file;

const PREFIX: &str = "PENTAD_";
/// Variables with the prefix that are not settings: the path of the settings file, the server that
/// commands ask and its token, what `cargo run` passes on, and those of tests and benchmarks, whose
/// programs inherit them.
pub(super) const OTHER_VARIABLES: [&str; 12] = [
    "PENTAD_CONFIG",
    "PENTAD_SERVER",
    "PENTAD_TOKEN",
    "PENTAD_TOKEN_FILE",
    "PENTAD_REVISION",
    "PENTAD_TARGET",
    "PENTAD_BLESS",
    "PENTAD_BENCH_SERVER",
    "PENTAD_PERFT_NODES",
    "PENTAD_REPOSITORY",
    "PENTAD_STORE_KILLS",
    "PENTAD_WEB_DEV",
];
/// OpenTelemetry's variables for the collector of traces, in order of precedence.
const OTLP_ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// Reads the collector from OpenTelemetry's variables. An unsuitable value may be meant
/// for other programs, so it only causes a warning.
pub(super) fn set_otlp_endpoint(effective: &mut EffectiveConfig, env: impl Fn(&str) -> Option<String>) {
    let given = |name: &&'static str| Some((*name, env(name).filter(|endpoint| !endpoint.is_empty())?));
    let Some((name, endpoint)) = OTLP_ENDPOINTS.iter().find_map(given) else { return };
    if !cfg!(feature = "otlp") {
        effective
            .warnings
            .push(format!("{name}: this server is built without the feature `otlp`; no traces are exported"));
        return;
    }
    match OtlpEndpoint::new(&endpoint) {
        Ok(endpoint) => {
            effective.config.otlp_endpoint = Some(endpoint);
            effective.sources.insert("otlp_endpoint", Source::Env(name.to_owned()));
        }
        Err(message) => effective.warnings.push(format!("{name}: {message}; no traces are exported")),
    }
}

/// Fails if variables look like settings but are none: a misspelt limit would not limit
/// anything. Names them with the nearest settings.
pub fn check_variables(variables: impl IntoIterator<Item = (String, String)>) -> Result<(), ConfigError> {
    let misspelt = variables.into_iter().filter(|(name, value)| is_misspelt(name, value));
    let mut unknown: Vec<String> = misspelt
        .map(|(name, _)| {
            let setting = nearest(&name[PREFIX.len()..].to_lowercase());
            let suggestion = setting.map_or_else(String::new, |it| format!("; did you mean `{}`?", it.env()));
            format!("{name} is not a setting{suggestion}")
        })
        .collect();
    unknown.sort_unstable();
    if unknown.is_empty() { Ok(()) } else { Err(ConfigError::UnknownVariables(unknown.join("\n"))) }
}

fn is_misspelt(name: &str, value: &str) -> bool {
    let is_known = || OTHER_VARIABLES.contains(&name) || SETTINGS.iter().any(|setting| setting.env() == name);
    name.starts_with(PREFIX) && !is_service_link(name, value) && !is_known()
}

/// Whether Kubernetes sets it for a service called `pentad` or `pentad-…`.
fn is_service_link(name: &str, value: &str) -> bool {
    let is_address = value.starts_with("tcp://") || value.starts_with("udp://");
    let parts = ["_SERVICE_HOST", "_TCP_PROTO", "_TCP_PORT", "_TCP_ADDR", "_UDP_PROTO", "_UDP_PORT", "_UDP_ADDR"];
    is_address || name.contains("_SERVICE_PORT") || parts.iter().any(|part| name.ends_with(part))
}

/// Finds the format of the log before the settings are parsed: in the arguments, the
/// environment or the file, even if these are otherwise invalid.
pub fn log_format_of(arguments: &[String], env: impl Fn(&str) -> Option<String>, file: Option<&Path>) -> LogFormat {
    let after = |pair: &[String]| (pair[0] == "--log-format").then(|| pair[1].clone());
    let joined = |argument: &String| argument.strip_prefix("--log-format=").map(str::to_owned);
    let flag = arguments.windows(2).find_map(after).or_else(|| arguments.iter().find_map(joined));
    let in_file = || {
        let table: toml::Table = settings_file::read_to_string(file?).ok()?.parse().ok()?;
        table.get("log_format")?.as_str().map(str::to_owned)
    };
    let text = flag.or_else(|| env("PENTAD_LOG_FORMAT")).or_else(in_file);
    text.and_then(|text| LogFormat::parse(&text).ok()).unwrap_or(LogFormat::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        |wanted| pairs.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned())
    }

    /// Unknown variables are named with the nearest setting, except for those that
    /// Kubernetes sets for a service.
    #[test]
    fn unknown_variables_are_named() {
        let variables = [
            ("PENTAD_ZZZ", "1"),
            ("PENTAD_WROKERS", "4"),
            ("PENTAD_WORKERS", "4"),
            ("PENTAD_CONFIG", "x"),
            ("PENTAD_REVISION", "0123456789ab"),
            ("PENTAD_SERVICE_HOST", "10.0.0.1"),
            ("PENTAD_SERVICE_PORT_GRPC", "50051"),
            ("PENTAD_PORT", "tcp://10.0.0.1:50051"),
            ("PENTAD_PORT_50051_TCP_ADDR", "10.0.0.1"),
            ("PENTADS", "1"),
        ];
        let check = |variables: &[(&str, &str)]| {
            check_variables(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
        };
        let expected = "PENTAD_WROKERS is not a setting; did you mean `PENTAD_WORKERS`?\nPENTAD_ZZZ is not a setting";
        assert_eq!(check(&variables).unwrap_err().to_string(), expected);
        check(&variables[2..]).unwrap();
    }

    /// The variable for traces takes precedence over the general one; an unsuitable value
    /// causes a warning.
    #[cfg(feature = "otlp")]
    #[test]
    fn otel_variables_name_the_collector() {
        let read = |variables: &[(&str, &str)]| {
            let mut effective = EffectiveConfig::default();
            set_otlp_endpoint(&mut effective, env(variables));
            (effective.config.otlp_endpoint.map(|endpoint| endpoint.as_str().to_owned()), effective.warnings)
        };
        let general = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://general:4317");
        let of_traces = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://traces:4317");
        assert_eq!(read(&[]), (None, vec![]));
        assert_eq!(read(&[general]), (Some("http://general:4317".to_owned()), vec![]));
        assert_eq!(read(&[general, of_traces]), (Some("http://traces:4317".to_owned()), vec![]));
        let (endpoint, warnings) = read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://general:4317")]);
        assert_eq!(endpoint, None);
        assert!(matches!(&warnings[..], [one] if one.contains("not a collector's address")), "{warnings:?}");
    }

    /// The log's format is found although the settings are invalid.
    #[test]
    fn log_format_is_known_early() {
        let format = |arguments: &[&str], variables: &[(&str, &str)]| {
            let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            log_format_of(&arguments, env(variables), None)
        };
        assert_eq!(format(&["--wrokers", "2"], &[]), LogFormat::Text);
        assert_eq!(format(&["--wrokers", "--log-format", "json"], &[]), LogFormat::Json);
        assert_eq!(format(&["--log-format=json"], &[]), LogFormat::Json);
        assert_eq!(format(&["--log-format=text"], &[("PENTAD_LOG_FORMAT", "json")]), LogFormat::Text);
        assert_eq!(format(&[], &[("PENTAD_LOG_FORMAT", "json")]), LogFormat::Json);
        assert_eq!(format(&[], &[("PENTAD_LOG_FORMAT", "xml")]), LogFormat::Text);
    }
}
