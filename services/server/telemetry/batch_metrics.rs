//! Metrics of batch items.

use metrics::{Counter, counter};

use crate::batch::ItemResult;
use crate::calls::kinds::Kind;

/// Kind of items that are not questions.
const UNKNOWN: &str = "unknown";

/// Counters by kind and result, all registered from the start.
pub(super) struct BatchMetrics {
    /// By kind, the unknown one last, then by result.
    items: Vec<Vec<Counter>>,
}

impl BatchMetrics {
    /// Registers the series. Call it with the recorder set.
    pub(super) fn new() -> BatchMetrics {
        let kinds = Kind::ALL.iter().map(|kind| kind.as_str()).chain([UNKNOWN]);
        let item = |kind: &'static str, result: ItemResult| counter!("pentad_batch_items_total", "kind" => kind, "result" => result.as_str());
        let items = kinds.map(|kind| ItemResult::ALL.iter().map(|result| item(kind, *result)).collect());
        BatchMetrics { items: items.collect() }
    }

    pub(super) fn count(&self, kind: Option<Kind>, result: ItemResult) {
        let kind = kind.map_or(Kind::ALL.len(), |kind| kind as usize);
        self.items[kind][result as usize].increment(1);
    }
}
