//! Engines to ask, and an observer that remembers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pentad_engine::{
    CacheResult, Engine, EngineConfig, HintQuestion, Observer, Place, QuestionLimits, StopReason, TraceId,
};
use pentad_host::{Fault, Ruleset};
use pentad_search::Evaluation;

/// Counts what it is told.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) searches: Mutex<Vec<StopReason>>,
    pub(crate) cache: Mutex<BTreeMap<&'static str, usize>>,
    pub(crate) cancels: Mutex<Vec<Duration>>,
    pub(crate) faults: Mutex<Vec<&'static str>>,
}

impl Observer for Notes {
    fn search_finished(&self, _game: &str, _took: Duration, _nodes: u64, stop: StopReason) {
        self.searches.lock().unwrap().push(stop);
    }
    fn evaluation_given(&self, _game: &str, _evaluation: &Evaluation) {}
    fn cache_asked(&self, _game: &str, result: CacheResult) {
        *self.cache.lock().unwrap().entry(result.as_str()).or_default() += 1;
    }
    fn cancel_took(&self, latency: Duration) {
        self.cancels.lock().unwrap().push(latency);
    }
    fn ruleset_faulted(&self, _game: &str, fault: &Fault, _trace: Option<TraceId>) {
        self.faults.lock().unwrap().push(fault.kind.as_str());
    }
}

/// An engine with Pentago and, by their names, plugins of the tests.
pub(crate) fn engine(config: EngineConfig, plugins: &[&str]) -> (Arc<Engine>, Arc<Notes>) {
    let bundled = pentad_host::bundled_dir().expect("a running program has a path");
    let pentago = bundled.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
    let files = plugins.iter().map(|plugin| pentad_test_plugins::build(plugin));
    let load = |path: PathBuf| Ruleset::load(&path, None).expect("the plugin loads");
    let rulesets = std::iter::once(pentago).chain(files).map(load).collect();
    let notes = Arc::new(Notes::default());
    (Engine::new(config, rulesets, notes.clone()), notes)
}

pub(crate) fn place(game: &str, position: &str) -> Place {
    Place { game: game.to_owned(), position: position.to_owned(), ..Place::default() }
}

pub(crate) fn question(game: &str, position: &str, time_ms: u64) -> HintQuestion {
    let limits = QuestionLimits { time: Some(Duration::from_millis(time_ms)), ..QuestionLimits::default() };
    HintQuestion { limits, ..HintQuestion::new(place(game, position)) }
}

/// A place in the Finnish edition, whose openings are not solved: a search of
/// it takes all the time it gets.
pub(crate) fn open_place(position: &str) -> Place {
    Place { variant: "finnish".to_owned(), ..place("pentago", position) }
}

/// As [`question`], in the Finnish edition.
pub(crate) fn open_question(position: &str, time_ms: u64) -> HintQuestion {
    HintQuestion { place: open_place(position), ..question("pentago", "", time_ms) }
}

/// Waits until something is true, or says what did not become so.
pub(crate) async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..500 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("after five seconds still not so: {what}");
}
