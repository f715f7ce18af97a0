//! Where answers are stored.

use std::path::PathBuf;

use pentad_store::SharedAddress;

use super::{SettingValue, ValueKind, quoted};

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
    /// Nearest first; empty by default.
    pub fn as_slice(&self) -> &[StoreLocation] {
        &self.0
    }

    /// Whether one of them is a shared store.
    pub(crate) fn has_shared(&self) -> bool {
        self.0.iter().any(|store| matches!(store, StoreLocation::Shared(_)))
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
            // The address may contain a password, so the error leaves it out.
            Some(_) if SharedAddress::is_meant(text) => {
                SharedAddress::parse(text).map(StoreLocation::Shared).map_err(|error| error.to_string())
            }
            Some((scheme, _)) => Err(format!(
                "`{scheme}://` is not a supported store; write a path, or redis:// or rediss:// for a server"
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

impl From<StoreLocation> for StoreLocations {
    fn from(store: StoreLocation) -> Self {
        StoreLocations(vec![store])
    }
}

impl SettingValue for StoreLocations {
    const KIND: ValueKind = ValueKind::Stores;

    fn parse(text: &str) -> Result<Self, String> {
        Self::parse_all(&[text.to_owned()])
    }

    /// Empty texts are ignored.
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
