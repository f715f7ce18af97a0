//! Types of setting values: parsed from text, printed as TOML. This file has what they
//! share and the general types; the others have a file per concern.

mod callers;
mod rulesets;
mod stores;
mod telemetry;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

pub use callers::{AllowedHosts, CorsOrigins, JwksSource, TrustedProxies};
pub use rulesets::{GameIds, Isolation, ProtectionNames, RulesetDir, RulesetDirs, RulesetEntry};
pub use stores::{StoreLocation, StoreLocations};
pub use telemetry::{AccessLog, LogFilter, LogFormat, OtlpEndpoint};

/// The kind of a setting's values, for the types in the file and the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `HOST:PORT`.
    Address,
    /// A file or directory.
    Path,
    /// A whole number.
    Number,
    /// `true` or `false`; a flag without a value means `true`.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Free text.
    Text,
    /// Separated by commas; an array in the file.
    List,
    /// One or more directories: a flag for each, separated by `:` or `,` in the
    /// environment, a string or an array in the file.
    Dirs,
    /// One or more files: a flag for each, separated by `,` in the environment, a string or
    /// an array in the file.
    Paths,
    /// One or more stores: a flag for each, separated by `,` in the environment, a string
    /// or an array in the file.
    Stores,
}

impl ValueKind {
    /// Placeholder for the value in the help.
    pub fn placeholder(self) -> &'static str {
        match self {
            ValueKind::Address => "HOST:PORT",
            ValueKind::Path | ValueKind::Paths => "PATH",
            ValueKind::Number => "N",
            ValueKind::Switch => "BOOL",
            ValueKind::Choice(_) => "WORD",
            ValueKind::Text => "TEXT",
            ValueKind::List => "LIST",
            ValueKind::Dirs => "DIR",
            ValueKind::Stores => "PATH|URL",
        }
    }
}

/// A type of setting values.
pub(crate) trait SettingValue: Sized {
    const KIND: ValueKind;
    fn parse(text: &str) -> Result<Self, String>;
    /// Parses a value that may be given more than once.
    fn parse_all(texts: &[String]) -> Result<Self, String> {
        match texts {
            [text] => Self::parse(text),
            _ => Err("must be given once".to_owned()),
        }
    }
    /// `None` if it is unset.
    fn to_toml(&self) -> Option<String>;
}

pub(crate) fn check_bounds<T: TryInto<u64> + Copy>(value: &T, min: u64, max: u64) -> Result<(), String> {
    match (*value).try_into() {
        Ok(value) if (min..=max).contains(&value) => Ok(()),
        _ => Err(format!("must be from {min} to {max}")),
    }
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl SettingValue for $type {
            const KIND: ValueKind = ValueKind::Number;
            fn parse(text: &str) -> Result<Self, String> {
                text.parse().map_err(|_| format!("`{text}` is not a whole number"))
            }
            fn to_toml(&self) -> Option<String> {
                Some(self.to_string())
            }
        }
    )*};
}

number!(u32, u64, usize);

impl SettingValue for bool {
    const KIND: ValueKind = ValueKind::Switch;

    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(format!("`{other}` is neither true nor false")),
        }
    }

    fn to_toml(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl SettingValue for SocketAddr {
    const KIND: ValueKind = ValueKind::Address;

    /// Host names are resolved once, at start-up.
    fn parse(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse() {
            return Ok(address);
        }
        let found = text.to_socket_addrs().ok().and_then(|mut found| found.next());
        found.ok_or_else(|| format!("`{text}` is not an address; write HOST:PORT, e.g. 0.0.0.0:8080"))
    }

    fn to_toml(&self) -> Option<String> {
        Some(quoted(&self.to_string()))
    }
}

impl SettingValue for Option<PathBuf> {
    const KIND: ValueKind = ValueKind::Path;

    /// Empty text unsets it.
    fn parse(text: &str) -> Result<Self, String> {
        Ok((!text.is_empty()).then(|| PathBuf::from(text)))
    }

    fn to_toml(&self) -> Option<String> {
        self.as_ref().map(|path| quoted(&path.to_string_lossy()))
    }
}

/// Files, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths(pub Vec<PathBuf>);

impl SettingValue for Paths {
    const KIND: ValueKind = ValueKind::Paths;

    fn parse(text: &str) -> Result<Self, String> {
        Self::parse_all(&[text.to_owned()])
    }

    /// Empty texts are ignored.
    fn parse_all(texts: &[String]) -> Result<Self, String> {
        Ok(Paths(texts.iter().filter(|text| !text.is_empty()).map(PathBuf::from).collect()))
    }

    fn to_toml(&self) -> Option<String> {
        let paths: Vec<String> = self.0.iter().map(|path| quoted(&path.to_string_lossy())).collect();
        match &paths[..] {
            [] => None,
            [path] => Some(path.clone()),
            paths => Some(format!("[{}]", paths.join(", "))),
        }
    }
}

/// A text that may be unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionalText(pub Option<String>);

impl SettingValue for OptionalText {
    const KIND: ValueKind = ValueKind::Text;

    /// Empty text unsets it.
    fn parse(text: &str) -> Result<Self, String> {
        Ok(OptionalText((!text.is_empty()).then(|| text.to_owned())))
    }

    fn to_toml(&self) -> Option<String> {
        self.0.as_deref().map(quoted)
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
