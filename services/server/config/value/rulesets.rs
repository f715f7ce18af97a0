//! Which rule sets are served, and where they run.

use std::path::PathBuf;

use pentad_host::Protections;

use super::{SettingValue, ValueKind, quoted};

/// Directories of rule sets, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulesetDirs(Vec<RulesetEntry>);

/// A directory of rule sets, and where they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetEntry {
    /// The directory.
    pub dir: RulesetDir,
    /// Overrides the setting `isolation`.
    pub isolation: Option<Isolation>,
}

/// One directory of rule sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesetDir {
    /// The directory of the bundled rule sets.
    Bundled,
    /// Any other directory.
    Path(PathBuf),
}

impl RulesetDirs {
    /// Returns the directories; the bundled one if none is set.
    pub fn as_slice(&self) -> &[RulesetEntry] {
        static BUNDLED: RulesetEntry = RulesetEntry { dir: RulesetDir::Bundled, isolation: None };
        if self.0.is_empty() { std::slice::from_ref(&BUNDLED) } else { &self.0 }
    }

    /// Whether no directory is set.
    pub fn is_unset(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<PathBuf> for RulesetDirs {
    fn from(path: PathBuf) -> Self {
        RulesetDirs(vec![RulesetDir::Path(path).into()])
    }
}

impl From<RulesetDir> for RulesetEntry {
    fn from(dir: RulesetDir) -> Self {
        RulesetEntry { dir, isolation: None }
    }
}

impl RulesetDir {
    /// A directory of this name is written as `./bundled`.
    const BUNDLED: &str = "bundled";
}

impl RulesetEntry {
    /// Parses `DIR`, `DIR=process` and so on; any other text after `=` is part of the
    /// path.
    fn parse(text: &str) -> RulesetEntry {
        let split = text.rsplit_once('=').and_then(|(dir, word)| Some((dir, Isolation::parse(word).ok()?)));
        let (dir, isolation) = match split {
            Some((dir, isolation)) => (dir, Some(isolation)),
            None => (text, None),
        };
        let dir = if dir == RulesetDir::BUNDLED { RulesetDir::Bundled } else { RulesetDir::Path(dir.into()) };
        RulesetEntry { dir, isolation }
    }
}

impl std::fmt::Display for RulesetDir {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RulesetDir::Bundled => f.write_str(Self::BUNDLED),
            RulesetDir::Path(path) => path.display().fmt(f),
        }
    }
}

impl std::fmt::Display for RulesetEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.dir.fmt(f)?;
        self.isolation.map_or(Ok(()), |isolation| write!(f, "={}", isolation.as_str()))
    }
}

impl SettingValue for RulesetDirs {
    const KIND: ValueKind = ValueKind::Dirs;

    fn parse(text: &str) -> Result<Self, String> {
        Self::parse_all(&[text.to_owned()])
    }

    /// Empty texts are ignored.
    fn parse_all(texts: &[String]) -> Result<Self, String> {
        let dirs = texts.iter().filter(|text| !text.is_empty()).map(|text| RulesetEntry::parse(text));
        Ok(RulesetDirs(dirs.collect()))
    }

    fn to_toml(&self) -> Option<String> {
        let dirs: Vec<String> = self.0.iter().map(|entry| quoted(&entry.to_string())).collect();
        match &dirs[..] {
            [] => None,
            [dir] => Some(dir.clone()),
            dirs => Some(format!("[{}]", dirs.join(", "))),
        }
    }
}

/// Where rule sets run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Bundled ones in the server's process, all others in processes of their own.
    Auto,
    /// Each in a process of its own.
    Process,
    /// In the server's process.
    InProcess,
}

impl Isolation {
    /// The word in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Isolation::Auto => "auto",
            Isolation::Process => "process",
            Isolation::InProcess => "in-process",
        }
    }
}

impl SettingValue for Isolation {
    const KIND: ValueKind = ValueKind::Choice(&["auto", "process", "in-process"]);

    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Isolation::Auto),
            "process" => Ok(Isolation::Process),
            "in-process" => Ok(Isolation::InProcess),
            other => Err(format!("`{other}` is neither auto, process nor in-process")),
        }
    }

    fn to_toml(&self) -> Option<String> {
        Some(quoted(self.as_str()))
    }
}

/// Ids of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameIds(Vec<String>);

impl GameIds {
    /// Parses ids separated by commas.
    pub fn new(text: &str) -> Result<GameIds, String> {
        let ids: Vec<&str> = text.split(',').map(str::trim).filter(|id| !id.is_empty()).collect();
        let is_id =
            |id: &str| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        match ids.iter().find(|id| !is_id(id)) {
            Some(id) => Err(format!("`{id}` is not the id of a game; write e.g. pentago,pentago-xl")),
            None => Ok(GameIds(ids.into_iter().map(str::to_owned).collect())),
        }
    }

    /// Iterates in the given order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether no game is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this game is one of them.
    pub fn contains(&self, game: &str) -> bool {
        self.iter().any(|id| id == game)
    }
}

impl SettingValue for GameIds {
    const KIND: ValueKind = ValueKind::List;

    fn parse(text: &str) -> Result<Self, String> {
        GameIds::new(text)
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("[{}]", self.iter().map(quoted).collect::<Vec<_>>().join(", ")))
    }
}

/// Protections of worker processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProtectionNames(pub Protections);

impl SettingValue for ProtectionNames {
    const KIND: ValueKind = ValueKind::List;

    fn parse(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        Protections::from_names(names)
            .map(ProtectionNames)
            .map_err(|name| format!("`{name}` is not a protection; there are {}", Protections::all()))
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("[{}]", self.0.names().map(quoted).collect::<Vec<_>>().join(", ")))
    }
}
