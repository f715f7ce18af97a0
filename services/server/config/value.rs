//! Types of setting values: parsed from text, printed as TOML.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use http::Uri;
use ipnet::IpNet;
use pentad_store::SharedAddress;
use tracing_subscriber::EnvFilter;

/// The kind of a setting's values, for the file's types and the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `HOST:PORT`.
    Address,
    /// A file or directory.
    Path,
    /// A whole number.
    Number,
    /// `true` or `false`; as a flag, alone for `true`.
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
    /// One or more stores: a flag for each, separated by `,` in the environment, a string
    /// or an array in the file.
    Stores,
}

impl ValueKind {
    /// Placeholder for the value in the help.
    pub fn placeholder(self) -> &'static str {
        match self {
            ValueKind::Address => "HOST:PORT",
            ValueKind::Path => "PATH",
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

/// A type that a setting can have.
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

    /// Host names are resolved once, at the start.
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

/// The directories of rule sets, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulesetDirs(Vec<RulesetEntry>);

/// One directory of rule sets, and where they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetEntry {
    /// The directory.
    pub dir: RulesetDir,
    /// Instead of the setting `isolation`.
    pub isolation: Option<Isolation>,
}

/// One directory of rule sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesetDir {
    /// That of the bundled ones.
    Bundled,
    /// Any other.
    Path(PathBuf),
}

impl RulesetDirs {
    /// Those that were set; the bundled one if none was.
    pub fn as_slice(&self) -> &[RulesetEntry] {
        static BUNDLED: RulesetEntry = RulesetEntry { dir: RulesetDir::Bundled, isolation: None };
        if self.0.is_empty() { std::slice::from_ref(&BUNDLED) } else { &self.0 }
    }

    /// Whether none was set.
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
    /// In the settings; a directory of that name is `./bundled`.
    const BUNDLED: &str = "bundled";
}

impl RulesetEntry {
    /// `DIR`, or `DIR=process` and so on; any other text after a `=` is a part of the
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

    /// Empty text is no directory.
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

/// Where answers are stored, the nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreLocations(Vec<StoreLocation>);

/// One store of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreLocation {
    /// A file.
    File(PathBuf),
    /// A server that several replicas share.
    Shared(SharedAddress),
}

impl StoreLocations {
    /// The nearest first; none by default.
    pub fn as_slice(&self) -> &[StoreLocation] {
        &self.0
    }

    /// Whether the connection to one of them is encrypted.
    pub(crate) fn has_tls(&self) -> bool {
        self.0.iter().any(|store| matches!(store, StoreLocation::Shared(address) if address.is_tls()))
    }
}

impl StoreLocation {
    fn parse(text: &str) -> Result<StoreLocation, String> {
        match text.split_once("://") {
            None => Ok(StoreLocation::File(text.into())),
            // The address may have a password in it, and is not part of the error.
            Some(_) if SharedAddress::is_meant(text) => {
                SharedAddress::parse(text).map(StoreLocation::Shared).map_err(|error| error.to_string())
            }
            Some((scheme, _)) => Err(format!(
                "`{scheme}://` is no store that this server knows; name a file, or a server by redis:// or rediss://"
            )),
        }
    }
}

impl std::fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreLocation::File(path) => path.display().fmt(f),
            StoreLocation::Shared(address) => address.fmt(f),
        }
    }
}

impl From<PathBuf> for StoreLocations {
    fn from(path: PathBuf) -> Self {
        StoreLocations(vec![StoreLocation::File(path)])
    }
}

impl SettingValue for StoreLocations {
    const KIND: ValueKind = ValueKind::Stores;

    fn parse(text: &str) -> Result<Self, String> {
        Self::parse_all(&[text.to_owned()])
    }

    /// Empty text is no store.
    fn parse_all(texts: &[String]) -> Result<Self, String> {
        let stores = texts.iter().filter(|text| !text.is_empty()).map(|text| StoreLocation::parse(text));
        let stores: Vec<StoreLocation> = stores.collect::<Result<_, _>>()?;
        match stores.iter().enumerate().find(|(idx, store)| stores[..*idx].contains(store)) {
            Some((_, store)) => Err(format!("`{store}` is named twice")),
            None => Ok(StoreLocations(stores)),
        }
    }

    fn to_toml(&self) -> Option<String> {
        let stores: Vec<String> = self.0.iter().map(|store| quoted(&store.to_string())).collect();
        match &stores[..] {
            [] => None,
            [store] => Some(store.clone()),
            stores => Some(format!("[{}]", stores.join(", "))),
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
    /// As in the settings.
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

    /// In the order given.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
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

/// Addresses and networks of proxies that are believed about their callers.
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

/// Where a JSON Web Key Set is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JwksSource {
    /// In a file.
    File(PathBuf),
    /// To be fetched.
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
            // Whoever is in between could put keys of their own there.
            Some("http") if is_here => Ok(JwksSource::Url(uri)),
            Some("http") => Err(bad("is not protected by TLS")),
            _ => Err(bad("is not a URL of HTTP")),
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

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
