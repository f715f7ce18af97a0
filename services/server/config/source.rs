//! Merges flags, environment and file into one [`Config`].
//!
//! An invalid value is reported with its source: the flag, the variable, or the
//! file's line and key. Unknown keys in the file are errors, since a misspelt
//! limit would not limit anything. Other environment variables are read by
//! [`environment`](super::environment).

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};
use toml::de::{DeTable, DeValue};

use super::{Config, SETTINGS, Setting, ValueKind, environment, memory};
use crate::settings_file;

/// Why the configuration is invalid.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A value is invalid.
    #[error("{at}: {message}")]
    BadValue {
        /// The value's source.
        at: Source,
        /// What is wrong.
        message: String,
    },
    /// The file has an unknown key.
    #[error("{}:{line}: no setting `{key}`{}", path.display(), suggestion(key))]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// The key as written in the file.
        key: String,
    },
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// From reading it.
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
    /// Environment variables that look like settings and are none.
    #[error("{0}")]
    UnknownVariables(String),
    /// Two settings contradict each other.
    #[error("{0}")]
    Contradiction(String),
}

/// Source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Not set.
    Default,
    /// The file.
    File {
        /// The file's path.
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

/// The effective settings and their sources.
#[derive(Debug, Default)]
pub struct EffectiveConfig {
    /// The values.
    pub config: Config,
    /// By key, without settings that have their default.
    pub sources: BTreeMap<&'static str, Source>,
    /// Warnings about likely mistakes, for the log.
    pub warnings: Vec<String>,
}

impl EffectiveConfig {
    /// Merges the sources; `env` looks up environment variables.
    pub fn load(
        flags: &SettingFlags,
        env: impl Fn(&str) -> Option<String>,
        file: Option<&Path>,
    ) -> Result<EffectiveConfig, ConfigError> {
        let mut effective = EffectiveConfig::default();
        if let Some(path) = file {
            let text = settings_file::read_to_string(path)
                .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
            effective.read_file(path, &text)?;
        }
        for setting in SETTINGS {
            if let Some(text) = env(&setting.env()) {
                effective.set(setting, &env_texts(setting, &text), Source::Env(setting.env()))?;
            }
            if let Some(texts) = flags.0.get(setting.key) {
                effective.set(setting, texts, Source::Flag(setting.flag()))?;
            }
        }
        if !effective.sources.contains_key("memory_per_search_mib") {
            effective.config.memory_per_search_mib = memory::share_per_search_mib(effective.config.workers);
        }
        if !effective.sources.contains_key("otlp_endpoint") {
            environment::set_otlp_endpoint(&mut effective, env);
        }
        effective.config.check()?;
        effective.warnings.extend(memory::warning(&effective.config));
        effective.warnings.extend(effective.config.short_grace());
        Ok(effective)
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
            let Some(setting) = SETTINGS.iter().find(|setting| setting.key == key) else {
                return Err(ConfigError::UnknownKey { path: path.to_owned(), line, key });
            };
            let at = Source::File { path: path.to_owned(), line, key };
            let texts = flag_texts(setting, value.get_ref())
                .map_err(|message| ConfigError::BadValue { at: at.clone(), message })?;
            self.set(setting, &texts, at)?;
        }
        Ok(())
    }

    fn set(&mut self, setting: &Setting, texts: &[String], at: Source) -> Result<(), ConfigError> {
        match (setting.set)(&mut self.config, texts) {
            Ok(()) => {
                self.sources.insert(setting.key, at);
                Ok(())
            }
            Err(message) => Err(ConfigError::BadValue { at, message }),
        }
    }
}

/// Settings given as flags, by key.
#[derive(Clone, Debug, Default)]
pub struct SettingFlags(BTreeMap<&'static str, Vec<String>>);

/// The same flags, as those of `pentad serve`, whose help shows them.
#[derive(Clone, Debug, Default)]
pub struct ServeFlags(pub SettingFlags);

impl SettingFlags {
    /// Adds flags that override these.
    pub fn extend(&mut self, others: SettingFlags) {
        self.0.extend(others.0);
    }
}

impl clap::Args for ServeFlags {
    fn augment_args(command: Command) -> Command {
        SETTINGS.iter().fold(command, |command, setting| command.arg(flag_arg(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for ServeFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        SettingFlags::from_arg_matches(matches).map(ServeFlags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// They are hidden where commands have them, too.
impl clap::Args for SettingFlags {
    fn augment_args(command: Command) -> Command {
        let flag = |setting: &'static Setting| flag_arg(setting).hide(true).global(GLOBAL.contains(&setting.key));
        SETTINGS.iter().fold(command, |command, setting| command.arg(flag(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = SettingFlags::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in SETTINGS {
            if let Some(texts) = matches.get_many::<String>(setting.key) {
                self.0.insert(setting.key, texts.cloned().collect());
            }
        }
        Ok(())
    }
}

/// Settings that also apply to subcommands; the others apply only to the server.
const GLOBAL: [&str; 9] = [
    "rulesets",
    "isolation",
    "allow_list",
    "store",
    "store_mib",
    "store_ca",
    "store_cert",
    "store_key",
    "store_secret",
];

fn flag_arg(setting: &'static Setting) -> Arg {
    let default = (setting.to_toml)(&Config::default());
    let mut notes = vec![format!("environment {}", setting.env())];
    notes.extend(default.map(|default| format!("default {}", default.trim_matches('"'))));
    notes.extend(setting.bounds.map(|(min, max)| format!("{min} to {max}")));
    if let ValueKind::Choice(words) = setting.kind {
        notes.push(words.join(" or "));
    }
    let doc = setting.doc.split_whitespace().collect::<Vec<_>>().join(" ");
    let arg = Arg::new(setting.key);
    let arg = match setting.kind {
        ValueKind::Switch => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
        _ => arg,
    };
    arg.long(setting.flag())
        .value_name(setting.kind.placeholder())
        .action(if is_repeatable(setting) { ArgAction::Append } else { ArgAction::Set })
        .help(format!("{doc} [{}]", notes.join("; ")))
        .help_heading(subject(setting.key))
}

/// Subjects of the settings, each with its first setting in the order of the table.
const SUBJECTS: &[(&str, &str)] = &[
    ("grpc_listen", "Addresses"),
    ("rulesets", "Rule sets"),
    ("workers", "Searches"),
    ("cache_mib", "Cache and stores"),
    ("hang_grace_ms", "Limits of requests"),
    ("connections_max", "Connections"),
    ("tokens", "Who may call"),
    ("drain_delay_ms", "Shutdown"),
    ("log_format", "Log and traces"),
];

/// Returns the heading of a setting in the help.
fn subject(key: &str) -> &'static str {
    let keys = SETTINGS.iter().map(|setting| setting.key);
    let mut subject = "Settings";
    for known in keys {
        if let Some((_, heading)) = SUBJECTS.iter().find(|(first, _)| *first == known) {
            subject = heading;
        }
        if known == key {
            break;
        }
    }
    subject
}

fn is_repeatable(setting: &Setting) -> bool {
    matches!(setting.kind, ValueKind::Dirs | ValueKind::Paths | ValueKind::Stores)
}

/// Splits an environment variable into the texts that flags would have.
fn env_texts(setting: &Setting, text: &str) -> Vec<String> {
    match setting.kind {
        ValueKind::Dirs => text.split([':', ',']).map(|dir| dir.trim().to_owned()).collect(),
        ValueKind::Paths | ValueKind::Stores => text.split(',').map(|store| store.trim().to_owned()).collect(),
        _ => vec![text.to_owned()],
    }
}

/// Converts a value of the file into the texts that flags would have.
fn flag_texts(setting: &Setting, value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let strings = |items: &[toml::Spanned<DeValue<'_>>]| -> Result<Vec<String>, String> {
        let words = items.iter().map(|item| item.get_ref().as_str().map(str::to_owned));
        words.collect::<Option<_>>().ok_or_else(|| "must be an array of strings".to_owned())
    };
    let expected = match (setting.kind, value) {
        (ValueKind::Number, DeValue::Integer(number)) if number.radix() == 10 => {
            return Ok(vec![number.as_str().replace('_', "").trim_start_matches('+').to_owned()]);
        }
        (ValueKind::List, DeValue::Array(items)) => return Ok(vec![strings(items)?.join(",")]),
        (ValueKind::Dirs | ValueKind::Paths | ValueKind::Stores, DeValue::Array(items)) => return strings(items),
        (ValueKind::Switch, DeValue::Boolean(value)) => return Ok(vec![value.to_string()]),
        (ValueKind::Switch, _) => "true or false",
        (ValueKind::Number, _) => "a whole number",
        (ValueKind::List, _) => "an array of strings",
        (_, DeValue::String(text)) => return Ok(vec![text.to_string()]),
        (ValueKind::Dirs | ValueKind::Paths | ValueKind::Stores, _) => "a string or an array of strings",
        (ValueKind::Address | ValueKind::Path | ValueKind::Choice(_) | ValueKind::Text, _) => "a string",
    };
    Err(format!("must be {expected}, not {}", value.type_str()))
}

/// From 0 to 1; a key that is less similar is not suggested.
const SIMILARITY_MIN: f64 = 0.8;

/// The setting whose key is most similar.
pub(super) fn nearest(key: &str) -> Option<&'static Setting> {
    let similarity = |setting: &&Setting| strsim::jaro_winkler(key, setting.key);
    let nearest = SETTINGS.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)))?;
    (similarity(&nearest) >= SIMILARITY_MIN).then_some(nearest)
}

fn suggestion(key: &str) -> String {
    nearest(&key.replace('-', "_")).map_or_else(String::new, |setting| format!("; did you mean `{}`?", setting.key))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every subject begins with a setting that exists.
    #[test]
    fn settings_have_subjects() {
        for (first, heading) in SUBJECTS {
            assert!(SETTINGS.iter().any(|setting| setting.key == *first), "{heading}");
            assert_eq!(subject(first), *heading);
        }
        assert!(SETTINGS.iter().all(|setting| subject(setting.key) != "Settings"));
    }

    fn no_env(_: &str) -> Option<String> {
        None
    }

    fn flags(pairs: &[(&'static str, &str)]) -> SettingFlags {
        let mut flags = SettingFlags::default();
        for (key, text) in pairs {
            flags.0.entry(key).or_default().push((*text).to_owned());
        }
        flags
    }

    fn file(text: &str) -> Result<EffectiveConfig, ConfigError> {
        let mut effective = EffectiveConfig::default();
        effective.read_file(Path::new("pentad.toml"), text).map(|()| effective)
    }

    /// Flags override the environment, which overrides the file, which overrides the
    /// defaults.
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
        let loaded = EffectiveConfig::load(&flags(&[("queue_len_max", "5")]), env, Some(&path)).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        let config = &loaded.config;
        assert_eq!((config.workers, config.hints_max, config.queue_len_max), (3, 4, 5));
        assert_eq!(config.page_len_max, Config::default().page_len_max);
        assert_eq!(loaded.sources["workers"], Source::File { path, line: 1, key: "workers".into() });
        assert_eq!(loaded.sources["hints_max"], Source::Env("PENTAD_HINTS_MAX".into()));
        assert_eq!(loaded.sources["queue_len_max"], Source::Flag("queue-len-max".into()));
    }

    /// The error names the key, its line and the most similar setting.
    #[test]
    fn unknown_keys_are_errors() {
        let error = file("workers = 2\n\nqueue_length = 7\n").unwrap_err();
        assert_eq!(error.to_string(), "pentad.toml:3: no setting `queue_length`; did you mean `queue_len_max`?");
    }

    /// The error names the value's source and what is allowed.
    #[test]
    fn bad_values_name_their_source() {
        let error = file("workers = \"two\"").unwrap_err();
        assert_eq!(error.to_string(), "pentad.toml:1: workers: must be a whole number, not string");
        let error = file("workers = 0").unwrap_err();
        assert_eq!(error.to_string(), "pentad.toml:1: workers: must be from 1 to 1024");
        let error = EffectiveConfig::load(&flags(&[("grpc_listen", "nowhere")]), no_env, None).unwrap_err();
        assert!(error.to_string().starts_with("--grpc-listen: `nowhere` is not an address"), "{error}");
        let env = |name: &str| (name == "PENTAD_LOG_FORMAT").then(|| "xml".to_owned());
        let error = EffectiveConfig::load(&SettingFlags::default(), env, None).unwrap_err();
        assert_eq!(error.to_string(), "PENTAD_LOG_FORMAT: `xml` is neither text nor json");
        let error = EffectiveConfig::load(&flags(&[("time_max_ms", "10")]), no_env, None).unwrap_err();
        assert_eq!(error.to_string(), "time_default_ms is 1000, above time_max_ms, 10");
    }

    /// The output of `--print-config` parses to the same settings.
    #[test]
    fn print_config_round_trips() {
        let others = [
            ("cors_origins", "https://a.example,https://b.example"),
            ("require_games", "pentago, pentago-xl"),
            ("access_log", "sampled"),
            ("trusted_proxies", "10.0.0.0/8,fd00::/8,192.0.2.7"),
            ("allowed_hosts", "games.example"),
            ("insecure", "true"),
        ];
        for rulesets in [&[][..], &["/srv/rules"], &["bundled", "/srv/a,b:c"]] {
            let rulesets = rulesets.iter().map(|dir| ("rulesets", *dir));
            let given = flags(&others.into_iter().chain(rulesets).collect::<Vec<_>>());
            let effective = EffectiveConfig::load(&given, no_env, None).unwrap();
            let printed = super::super::print(&effective);
            let again = file(&printed).unwrap();
            assert_eq!(format!("{:?}", again.config), format!("{:?}", effective.config), "{printed}");
        }
    }

    /// Directories come from repeated flags, a list or a string in the file, and a
    /// separated list in the environment; empty texts are ignored.
    #[test]
    fn several_directories_of_rule_sets() {
        use super::super::{Isolation, RulesetDir, RulesetEntry};

        let path = |path: &str| RulesetEntry::from(RulesetDir::Path(path.into()));
        let bundled = || RulesetEntry::from(RulesetDir::Bundled);
        let two = [bundled(), path("./mine")];
        let dirs = |loaded: EffectiveConfig| loaded.config.rulesets.as_slice().to_vec();
        let flags_of = |texts: &[&str]| {
            let pairs: Vec<_> = texts.iter().map(|text| ("rulesets", *text)).collect();
            dirs(EffectiveConfig::load(&flags(&pairs), no_env, None).unwrap())
        };
        assert_eq!(flags_of(&["bundled", "./mine"]), two);
        assert_eq!(flags_of(&["/a:b,c"]), [path("/a:b,c")]);
        assert_eq!(flags_of(&[]), [bundled()]);
        let process = |entry| RulesetEntry { isolation: Some(Isolation::Process), ..entry };
        assert_eq!(flags_of(&["bundled=process", "/a=b"]), [process(bundled()), path("/a=b")]);
        assert_eq!(process(path("/a")).to_string(), "/a=process");
        for text in ["bundled:./mine", "bundled,./mine", "bundled, ./mine,", ":bundled:./mine"] {
            let env = |name: &str| (name == "PENTAD_RULESETS").then(|| text.to_owned());
            assert_eq!(dirs(EffectiveConfig::load(&SettingFlags::default(), env, None).unwrap()), two, "{text}");
        }
        assert_eq!(dirs(file("rulesets = [\"bundled\", \"./mine\"]").unwrap()), two);
        assert_eq!(dirs(file("rulesets = \"./mine\"").unwrap()), two[1..]);
        assert_eq!(dirs(file("rulesets = \"\"").unwrap()), [bundled()]);
        let error = file("rulesets = 7").unwrap_err();
        assert_eq!(error.to_string(), "pentad.toml:1: rulesets: must be a string or an array of strings, not integer");
    }

    /// Certificates of a store are for one with TLS, and a certificate needs its key; a
    /// secret is for a shared store.
    #[cfg(feature = "redis")]
    #[test]
    fn certificates_of_stores() {
        let load = |pairs: &[(&'static str, &str)]| EffectiveConfig::load(&flags(pairs), no_env, None);
        let tls = ("store", "rediss://store");
        let identity = [("store_cert", "cert.pem"), ("store_key", "key.pem")];
        assert!(load(&[tls, ("store_ca", "ca.pem"), identity[0], identity[1]]).is_ok());
        assert!(load(&[("store", "answers"), tls, ("store_ca", "ca.pem")]).is_ok());
        assert!(load(&[("store", "answers"), ("store", "redis://store"), ("store_secret", "secret")]).is_ok());
        for (pairs, expected) in [
            (&[tls, identity[0]][..], "store_cert and store_key need each other"),
            (&[tls, identity[1]], "store_cert and store_key need each other"),
            (&identity, "store_ca and store_cert need a store with TLS"),
            (&[("store", "redis://store"), ("store_ca", "ca.pem")], "store_ca and store_cert need a store with TLS"),
            (&[("store", "answers"), ("store_secret", "secret")], "store_secret needs a shared store"),
            (&[("store", "rediss://store#insecure")], "--store: the certificate of a store is always checked"),
            (&[("store", "https://store")], "--store: `https://` is not a supported store"),
        ] {
            let error = load(pairs).expect_err(expected).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    /// A grace period that cuts off calls within their time limit causes a warning.
    #[test]
    fn short_grace_is_warned_about() {
        let warnings = |pairs: &[(&'static str, &str)]| {
            let loaded = EffectiveConfig::load(&flags(pairs), no_env, None).unwrap();
            loaded.warnings.into_iter().filter(|warning| warning.contains("connection_grace_ms")).collect::<Vec<_>>()
        };
        assert_eq!(warnings(&[("connection_grace_ms", "5000")]), [""; 0], "connections have no maximum age");
        assert_eq!(warnings(&[("connection_age_ms_max", "1000")]), [""; 0]);
        let short = warnings(&[("connection_age_ms_max", "1000"), ("connection_grace_ms", "5000")]);
        let expected = "connection_grace_ms is 5000, below time_max_ms, 60000: calls may be cut off when their \
                        connection reaches connection_age_ms_max";
        assert_eq!(short, [expected]);
    }

    /// The default memory of a search follows from the number of workers that is set.
    #[test]
    fn more_workers_share_the_memory() {
        let share = |workers| {
            let loaded = EffectiveConfig::load(&flags(&[("workers", workers)]), no_env, None).unwrap();
            loaded.config.memory_per_search_mib
        };
        assert_eq!((share("2"), share("512")), (memory::share_per_search_mib(2), memory::share_per_search_mib(512)));
        assert!(share("512") <= share("1"));
    }
}
