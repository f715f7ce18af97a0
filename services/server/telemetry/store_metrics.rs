//! Metrics of the stores of answers, by layer.

use std::collections::BTreeMap;

use metrics::{counter, gauge};
use pentad_store::{LayerStatus, Layers, ReadCounts, WriteCounts};

/// All possible layers; each has its series from the start.
const LAYERS: [&str; 2] = ["file", "shared"];

/// Several stores of one kind are one layer, which is up if all are.
struct Layer {
    is_up: bool,
    entries: u64,
    bytes: u64,
    reads: ReadCounts,
    writes: WriteCounts,
    set_aside: u64,
}

/// Sets the metrics of all layers; without stores, to zero. Call it with the recorder set.
pub(super) fn export(stores: Option<&Layers>) {
    let statuses = stores.map(Layers::status).unwrap_or_default();
    let mut layers: BTreeMap<&'static str, Layer> = BTreeMap::new();
    for status in &statuses {
        add(&mut layers, status);
    }
    for name in LAYERS {
        let layer = layers.remove(name).unwrap_or_else(|| Layer::empty(false));
        gauge!("pentad_store_up", "layer" => name).set(f64::from(u8::from(layer.is_up)));
        gauge!("pentad_store_entries", "layer" => name).set(layer.entries as f64);
        gauge!("pentad_store_bytes", "layer" => name).set(layer.bytes as f64);
        counter!("pentad_store_set_aside_total", "layer" => name).absolute(layer.set_aside);
        for (result, count) in layer.reads.by_result() {
            counter!("pentad_store_requests_total", "layer" => name, "result" => result).absolute(count);
        }
        for (result, count) in layer.writes.by_result() {
            counter!("pentad_store_writes_total", "layer" => name, "result" => result).absolute(count);
        }
    }
    let n_down = statuses.iter().filter(|status| !status.state.is_up()).count();
    gauge!("pentad_stores_down").set(n_down as f64);
}

fn add(layers: &mut BTreeMap<&'static str, Layer>, status: &LayerStatus) {
    let layer = layers.entry(status.layer).or_insert_with(|| Layer::empty(true));
    layer.is_up &= status.state.is_up();
    layer.entries += status.entries;
    layer.bytes += status.bytes;
    layer.reads += status.reads;
    layer.writes += status.writes;
    layer.set_aside += status.set_aside;
}

impl Layer {
    fn empty(is_up: bool) -> Self {
        let (reads, writes) = (ReadCounts::default(), WriteCounts::default());
        Layer { is_up, entries: 0, bytes: 0, reads, writes, set_aside: 0 }
    }
}
