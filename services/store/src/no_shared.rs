//! Replaces `shared` in a build without the feature `redis`: addresses of shared stores are
//! recognised and refused, so neither type here has a value.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use pentad_engine::{AnswerStore, StoreKey, StoreLookup, StoredAnswer};

use crate::error::StoreError;
use crate::layers::Layer;
use crate::shared_config::{SharedConfig, has_shared_scheme};
use crate::status::LayerStatus;

/// Address of a shared store, which this build does not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedAddress {}

impl SharedAddress {
    /// Returns whether a text has the scheme of a shared store.
    pub fn is_meant(text: &str) -> bool {
        has_shared_scheme(text)
    }

    /// Refuses every address and says how to build with shared stores.
    pub fn parse(_url: &str) -> Result<SharedAddress, StoreError> {
        Err(StoreError::NoSharedStores)
    }

    /// Returns whether the connection is encrypted.
    pub fn is_tls(&self) -> bool {
        match *self {}
    }
}

impl fmt::Display for SharedAddress {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// A shared store, which this build does not support.
#[derive(Debug)]
pub enum SharedStore {}

impl SharedStore {
    /// Cannot be called, since there is no address.
    #[allow(clippy::needless_pass_by_value, reason = "as in builds with shared stores")]
    pub fn open(config: SharedConfig) -> SharedStore {
        match config.address {}
    }
}

impl AnswerStore for SharedStore {
    fn get(&self, _key: &StoreKey) -> StoreLookup {
        match *self {}
    }

    fn offer(&self, _key: &StoreKey, _answer: &StoredAnswer) {
        match *self {}
    }

    fn refuse(&self, _key: &StoreKey, _reason: &'static str) {
        match *self {}
    }
}

impl Layer for SharedStore {
    fn status(&self) -> LayerStatus {
        match *self {}
    }

    fn close(&self, _within: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The refusal names the remedy and not the address, which may contain a password.
    #[test]
    fn addresses_are_refused() {
        let url = "redis://:s3cret@store";
        assert!(SharedAddress::is_meant(url) && !SharedAddress::is_meant("/var/lib/pentad.store"));
        let error = SharedAddress::parse(url).expect_err("no shared stores").to_string();
        assert_eq!(error, "this build has no shared stores; build with `cargo build --release --features redis`");
    }
}
