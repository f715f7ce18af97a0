//! Several layers as one store: asked from the nearest to the farthest.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use pentad_engine::{AnswerStore, Claim, SearchLease, StoreClaim, StoreKey, StoreLookup, StoredAnswer};

use crate::status::LayerStatus;

/// A store that can say how it fares.
pub trait Layer: AnswerStore {
    /// How it fares now. Does not wait for anything.
    fn status(&self) -> LayerStatus;

    /// Writes what was offered so far and closes, within `within`.
    fn close(&self, within: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// Layers, the nearest first.
#[derive(Clone, Debug)]
pub struct Layers(Arc<[Arc<dyn Layer>]>);

impl Layers {
    /// The nearest first.
    pub fn new(layers: Vec<Arc<dyn Layer>>) -> Self {
        Layers(layers.into())
    }

    /// How each of them fares.
    pub fn status(&self) -> Vec<LayerStatus> {
        self.0.iter().map(|layer| layer.status()).collect()
    }

    /// Closes all of them.
    pub async fn close(&self, within: Duration) {
        for layer in &*self.0 {
            layer.close(within).await;
        }
    }
}

impl AnswerStore for Layers {
    /// What a farther layer has is offered to the nearer ones.
    fn get(&self, key: &StoreKey) -> StoreLookup {
        if let [layer] = &*self.0 {
            return layer.get(key);
        }
        let (layers, key) = (self.0.clone(), key.clone());
        Box::pin(async move {
            for (idx, layer) in layers.iter().enumerate() {
                if let Some(answer) = layer.get(&key).await {
                    layers[..idx].iter().for_each(|nearer| nearer.offer(&key, &answer));
                    return Some(answer);
                }
            }
            None
        })
    }

    fn offer(&self, key: &StoreKey, answer: &StoredAnswer) {
        self.0.iter().for_each(|layer| layer.offer(key, answer));
    }

    fn refuse(&self, key: &StoreKey) {
        self.0.iter().for_each(|layer| layer.refuse(key));
    }

    /// Granted if all of them grant it.
    fn claim(&self, search: &StoreKey, hold: Duration) -> StoreClaim {
        if let [layer] = &*self.0 {
            return layer.claim(search, hold);
        }
        let (layers, search) = (self.0.clone(), search.clone());
        Box::pin(async move {
            let mut leases = Vec::new();
            for layer in &*layers {
                match layer.claim(&search, hold).await {
                    Claim::Granted(lease) => leases.push(lease),
                    taken @ Claim::Taken { .. } => return taken,
                }
            }
            Claim::Granted(SearchLease::new(move || drop(leases)))
        })
    }
}
