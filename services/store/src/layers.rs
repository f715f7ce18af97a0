//! Several layers as one store, queried from the nearest to the farthest.

use std::future::Future;
use std::io::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use pentad_engine::{
    AnswerStore, Claim, Explored, LocalLookup, PositionKey, Recorded, RecordedGame, SearchLease, StoreClaim,
    StoreExplore, StoreKey, StoreLookup, StoreRecord, StoredAnswer,
};

use crate::error::StoreError;
use crate::file::dump::DumpStats;
use crate::status::LayerStatus;

/// A store that reports its status.
pub trait Layer: AnswerStore {
    /// Returns the current status without waiting.
    fn status(&self) -> LayerStatus;

    /// Writes a dump of a snapshot, from which [`StoreFile::from_dump`](crate::StoreFile::from_dump)
    /// builds an equal file; `None` if this layer has no file.
    fn dump_blocking(&self, _out: &mut dyn Write) -> Option<Result<DumpStats, StoreError>> {
        None
    }

    /// Writes the answers offered so far and closes, waiting for at most `within`.
    fn close(&self, within: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// Layers of a store, nearest first.
#[derive(Clone, Debug)]
pub struct Layers(Arc<[Arc<dyn Layer>]>);

impl Layers {
    /// Combines layers, nearest first.
    pub fn new(layers: Vec<Arc<dyn Layer>>) -> Self {
        Layers(layers.into())
    }

    /// Returns the status of each layer.
    pub fn status(&self) -> Vec<LayerStatus> {
        self.0.iter().map(|layer| layer.status()).collect()
    }

    /// Dumps the nearest layer that has a file; `None` if none has.
    pub fn dump_blocking(&self, out: &mut dyn Write) -> Option<Result<DumpStats, StoreError>> {
        self.0.iter().find_map(|layer| layer.dump_blocking(&mut *out))
    }

    /// Closes all layers, one after another, each within `within`.
    pub async fn close(&self, within: Duration) {
        for layer in &*self.0 {
            layer.close(within).await;
        }
    }
}

impl AnswerStore for Layers {
    /// Queries the layers in order until one has an answer that it vouches for, and offers
    /// an answer of a farther layer to the nearer ones.
    fn get(&self, key: &StoreKey) -> StoreLookup {
        if let [layer] = &*self.0 {
            return layer.get(key);
        }
        let (layers, key) = (self.0.clone(), key.clone());
        Box::pin(async move {
            let mut best = None;
            for (idx, layer) in layers.iter().enumerate() {
                let Some(answer) = layer.get(&key).await else { continue };
                if best.as_ref().is_some_and(|best: &StoredAnswer| best.rank() >= answer.rank()) {
                    continue;
                }
                layers[..idx].iter().for_each(|nearer| nearer.offer(&key, &answer));
                let is_trusted = answer.is_trusted;
                best = Some(answer);
                if is_trusted {
                    break;
                }
            }
            best
        })
    }

    /// Queries the nearest layer; if it has no trusted answer, the caller queries all of them.
    fn get_here(&self, key: &StoreKey) -> LocalLookup {
        match &*self.0 {
            [layer] => layer.get_here(key),
            [nearest, ..] => match nearest.get_here(key) {
                LocalLookup::Found(answer) if answer.is_trusted => LocalLookup::Found(answer),
                _ => LocalLookup::Elsewhere,
            },
            [] => LocalLookup::Nothing,
        }
    }

    fn get_time_max(&self) -> Duration {
        self.0.iter().map(|layer| layer.get_time_max()).fold(Duration::ZERO, Duration::saturating_add)
    }

    fn offer(&self, key: &StoreKey, answer: &StoredAnswer) {
        self.0.iter().for_each(|layer| layer.offer(key, answer));
    }

    fn refuse(&self, key: &StoreKey, reason: &'static str) {
        self.0.iter().for_each(|layer| layer.refuse(key, reason));
    }

    /// Grants the claim if all layers grant it.
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

    /// Merges the layers: the better of two answers, and the larger of two counts of games,
    /// since a game is recorded in every layer but a layer may be older than another.
    fn explore(&self, position: &StoreKey, after: &[PositionKey]) -> StoreExplore {
        if let [layer] = &*self.0 {
            return layer.explore(position, after);
        }
        let (layers, position, after) = (self.0.clone(), position.clone(), after.to_vec());
        Box::pin(async move {
            let mut merged = Explored::default();
            for layer in &*layers {
                merge(&mut merged, layer.explore(&position, &after).await);
            }
            merged
        })
    }

    /// Records the game in all layers.
    fn record(&self, game: &Arc<RecordedGame>) -> StoreRecord {
        if let [layer] = &*self.0 {
            return layer.record(game);
        }
        let recordings: Vec<StoreRecord> = self.0.iter().map(|layer| layer.record(game)).collect();
        Box::pin(async move {
            let mut all = Recorded::Known;
            for recording in recordings {
                all = match (all, recording.await) {
                    (Recorded::Failed, _) | (_, Recorded::Failed) => Recorded::Failed,
                    (Recorded::New, _) | (_, Recorded::New) => Recorded::New,
                    (Recorded::Known, Recorded::Known) => Recorded::Known,
                };
            }
            all
        })
    }
}

fn merge(into: &mut Explored, other: Explored) {
    let better = |present: &mut Option<StoredAnswer>, other: Option<StoredAnswer>| {
        if other.as_ref().map(StoredAnswer::rank) > present.as_ref().map(StoredAnswer::rank) {
            *present = other;
        }
    };
    better(&mut into.answer, other.answer);
    into.answers_after.resize(into.answers_after.len().max(other.answers_after.len()), None);
    for (present, other) in into.answers_after.iter_mut().zip(other.answers_after) {
        better(present, other);
    }
    for (after, tally) in other.played {
        match into.played.iter_mut().find(|(present, _)| *present == after) {
            Some((_, present)) if present.games < tally.games => *present = tally,
            Some(_) => {}
            None => into.played.push((after, tally)),
        }
    }
}
