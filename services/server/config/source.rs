//! Flags, environment and file, merged into one [`Config`].
//!
//! A value that cannot be read names where it was written: the flag, the
//! variable, or the file's line and key. Unknown keys in the file are errors,
//! for a misspelt bound is no bound. Unknown `PENTAD_*` variables are not:
//! Kubernetes sets some for a service of that name.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};
use toml::de::{DeTable, DeValue};

use super::{Config, KNOBS, Kind, Knob};

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A value is wrong.
    #[error("{at}: {message}")]
    BadValue {
        /// Where it was written.
        at: Source,
        /// What is wrong.
        message: String,
    },
    /// The file has a key that no knob has.
    #[error("{}:{line}: no setting `{key}`{}", path.display(), suggestion(key))]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// As written.
        key: String,
    },
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{}:{line}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// Two knobs do not fit each other.
    #[error("{0}")]
    Contradiction(String),
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nobody set it.
    Default,
    /// The file.
    File {
        /// Which.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// As written.
        key: String,
    },
    /// An environment variable.
    Env(String),
    /// A flag.
    Flag(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => write!(f, "default"),
            Source::File { path, line, key } => write!(f, "{}:{line}: {key}", path.display()),
            Source::Env(name) => write!(f, "{name}"),
            Source::Flag(name) => write!(f, "--{name}"),
        }
    }
}

/// The effective settings and where each comes from.
#[derive(Debug)]
pub struct Settings {
    /// The values.
    pub config: Config,
    /// By key; a key that is missing has its default.
    pub sources: BTreeMap<&'static str, Source>,
}

impl Settings {
    /// Merges the sources. `env` answers for the environment.
    pub fn load(
        flags: &KnobFlags,
        env: impl Fn(&str) -> Option<String>,
        file: Option<&Path>,
    ) -> Result<Settings, ConfigError> {
        let mut settings = Settings { config: Config::default(), sources: BTreeMap::new() };
        if let Some(path) = file {
            let text = std::fs::read_to_string(path)
                .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
            settings.read_file(path, &text)?;
        }
        for knob in KNOBS {
            if let Some(text) = env(&knob.env()) {
                settings.set(knob, &text, Source::Env(knob.env()))?;
            }
            if let Some(text) = flags.0.get(knob.key) {
                settings.set(knob, text, Source::Flag(knob.flag()))?;
            }
        }
        settings.config.check()?;
        Ok(settings)
    }

    fn read_file(&mut self, path: &Path, text: &str) -> Result<(), ConfigError> {
        let line_at = |offset: usize| text[..offset.min(text.len())].matches('\n').count() + 1;
        let table = DeTable::parse(text).map_err(|error| ConfigError::Malformed {
            path: path.to_owned(),
            line: line_at(error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        for (key, value) in table.get_ref() {
            let line = line_at(key.span().start);
            let key = key.get_ref().to_string();
            let Some(knob) = KNOBS.iter().find(|knob| knob.key == key) else {
                return Err(ConfigError::UnknownKey { path: path.to_owned(), line, key });
            };
            let at = Source::File { path: path.to_owned(), line, key };
            let text = plain_text(knob, value.get_ref())
                .map_err(|message| ConfigError::BadValue { at: at.clone(), message })?;
            self.set(knob, &text, at)?;
        }
        Ok(())
    }

    fn set(&mut self, knob: &Knob, text: &str, at: Source) -> Result<(), ConfigError> {
        match (knob.set)(&mut self.config, text) {
            Ok(()) => {
                self.sources.insert(knob.key, at);
                Ok(())
            }
            Err(message) => Err(ConfigError::BadValue { at, message }),
        }
    }
}

/// Knobs given as flags, by key.
#[derive(Clone, Debug, Default)]
pub struct KnobFlags(BTreeMap<&'static str, String>);

impl clap::Args for KnobFlags {
    fn augment_args(command: Command) -> Command {
        KNOBS.iter().fold(command, |command, knob| command.arg(flag(knob)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for KnobFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = KnobFlags::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for knob in KNOBS {
            if let Some(text) = matches.get_one::<String>(knob.key) {
                self.0.insert(knob.key, text.clone());
            }
        }
        Ok(())
    }
}

/// Where rule sets come from matters to every subcommand, the rest to the
/// server alone.
const GLOBAL: [&str; 2] = ["rulesets", "allow_list"];

fn flag(knob: &'static Knob) -> Arg {
    let default = (knob.show)(&Config::default());
    let mut notes = vec![format!("environment {}", knob.env())];
    notes.extend(default.map(|default| format!("default {}", default.trim_matches('"'))));
    notes.extend(knob.bounds.map(|(min, max)| format!("{min} to {max}")));
    if let Kind::Choice(words) = knob.kind {
        notes.push(words.join(" or "));
    }
    let doc = knob.doc.split_whitespace().collect::<Vec<_>>().join(" ");
    Arg::new(knob.key)
        .long(knob.flag())
        .value_name(knob.kind.placeholder())
        .help(format!("{doc} [{}]", notes.join("; ")))
        .help_heading("Settings")
        .global(GLOBAL.contains(&knob.key))
}

/// A value of the file as a flag would have it.
fn plain_text(knob: &Knob, value: &DeValue<'_>) -> Result<String, String> {
    let wanted = match (knob.kind, value) {
        (Kind::Number, DeValue::Integer(number)) if number.radix() == 10 => {
            return Ok(number.as_str().replace('_', "").trim_start_matches('+').to_owned());
        }
        (Kind::List, DeValue::Array(items)) => {
            let words: Option<Vec<&str>> = items.iter().map(|item| item.get_ref().as_str()).collect();
            return words.map(|words| words.join(",")).ok_or_else(|| "must be an array of strings".to_owned());
        }
        (Kind::Number, _) => "a whole number",
        (Kind::List, _) => "an array of strings",
        (Kind::Address | Kind::Path | Kind::Choice(_) | Kind::Text, DeValue::String(text)) => {
            return Ok(text.to_string());
        }
        (Kind::Address | Kind::Path | Kind::Choice(_) | Kind::Text, _) => "a string",
    };
    Err(format!("must be {wanted}, not {}", value.type_str()))
}

/// The known key most like a misspelt one, if one is alike at all.
fn suggestion(key: &str) -> String {
    let key = key.replace('-', "_");
    let shared = |known: &str| known.bytes().zip(key.bytes()).take_while(|(a, b)| a == b).count();
    let nearest = KNOBS.iter().map(|knob| knob.key).max_by_key(|known| shared(known));
    match nearest {
        Some(known) if shared(known) >= 4 => format!("; did you mean `{known}`?"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Option<String> {
        None
    }

    fn flags(pairs: &[(&'static str, &str)]) -> KnobFlags {
        KnobFlags(pairs.iter().map(|(key, text)| (*key, (*text).to_owned())).collect())
    }

    fn file(text: &str) -> Result<Settings, ConfigError> {
        let mut settings = Settings { config: Config::default(), sources: BTreeMap::new() };
        settings.read_file(Path::new("pentad.toml"), text).map(|()| settings)
    }

    /// A flag wins over the environment, that over the file, that over the default.
    #[test]
    fn precedence() {
        let dir = std::env::temp_dir().join(format!("pentad-config-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("pentad.toml");
        std::fs::write(&path, "workers = 3\nhints_max = 3\nqueue_len_max = 3\n").unwrap();
        let env = |name: &str| match name {
            "PENTAD_HINTS_MAX" | "PENTAD_QUEUE_LEN_MAX" => Some("4".to_owned()),
            _ => None,
        };
        let loaded = Settings::load(&flags(&[("queue_len_max", "5")]), env, Some(&path)).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        let config = &loaded.config;
        assert_eq!((config.workers, config.hints_max, config.queue_len_max), (3, 4, 5));
        assert_eq!(config.page_len_max, Config::default().page_len_max);
        assert_eq!(loaded.sources["workers"], Source::File { path, line: 1, key: "workers".into() });
        assert_eq!(loaded.sources["hints_max"], Source::Env("PENTAD_HINTS_MAX".into()));
        assert_eq!(loaded.sources["queue_len_max"], Source::Flag("queue-len-max".into()));
    }

    /// An unknown key names itself, its line and what may have been meant.
    #[test]
    fn unknown_keys_are_errors() {
        let error = file("workers = 2\n\nqueue_length = 7\n").unwrap_err();
        assert_eq!(error.to_string(), "pentad.toml:3: no setting `queue_length`; did you mean `queue_len_max`?");
    }

    /// A bad value says where it was written and what would do.
    #[test]
    fn bad_values_name_their_place() {
        let error = file("workers = \"two\"").unwrap_err();
        assert_eq!(error.to_string(), "pentad.toml:1: workers: must be a whole number, not string");
        let error = file("workers = 0").unwrap_err();
        assert_eq!(error.to_string(), "pentad.toml:1: workers: must be from 1 to 1024");
        let error = Settings::load(&flags(&[("grpc_listen", "nowhere")]), nothing, None).unwrap_err();
        assert!(error.to_string().starts_with("--grpc-listen: `nowhere` is not an address"), "{error}");
        let env = |name: &str| (name == "PENTAD_LOG_FORMAT").then(|| "xml".to_owned());
        let error = Settings::load(&KnobFlags::default(), env, None).unwrap_err();
        assert_eq!(error.to_string(), "PENTAD_LOG_FORMAT: `xml` is neither text nor json");
        let error = Settings::load(&flags(&[("time_max_ms", "10")]), nothing, None).unwrap_err();
        assert_eq!(error.to_string(), "time_default_ms is 1000, above time_max_ms, 10");
    }

    /// What is printed can be read again and means the same.
    #[test]
    fn printed_settings_are_a_file() {
        let given = flags(&[("cors_origins", "https://a.example,https://b.example"), ("rulesets", "/srv/rules")]);
        let settings = Settings::load(&given, nothing, None).unwrap();
        let printed = super::super::print(&settings);
        let again = file(&printed).unwrap();
        assert_eq!(format!("{:?}", again.config), format!("{:?}", settings.config), "{printed}");
    }
}
