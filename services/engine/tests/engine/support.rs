//! Engines for tests, and an observer that counts.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use pentad_engine::{
    CacheResult, Caller, Class, Engine, EngineConfig, EngineError, FaultContext, HintQuestion, Hints, Observer,
    PositionSpec, QuestionLimits, StopReason,
};
use pentad_host::{Fault, Ruleset};
use pentad_model::Evaluation;
use tokio::task::JoinHandle;

/// Counts events.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) searches: Mutex<Vec<StopReason>>,
    pub(crate) cache: Mutex<BTreeMap<&'static str, usize>>,
    pub(crate) cancels: Mutex<Vec<Duration>>,
    pub(crate) dequeued: Mutex<Vec<Class>>,
    pub(crate) faults: Mutex<Vec<&'static str>>,
    /// Positions of the faults.
    pub(crate) fault_positions: Mutex<Vec<String>>,
}

impl Observer for Notes {
    fn search_finished(&self, _game: &str, _took: Duration, _nodes: u64, stop: StopReason) {
        self.searches.lock().unwrap().push(stop);
    }
    fn evaluation_given(&self, _game: &str, _evaluation: &Evaluation) {}
    fn cache_looked_up(&self, _game: &str, result: CacheResult) {
        *self.cache.lock().unwrap().entry(result.as_str()).or_default() += 1;
    }
    fn search_cancelled(&self, _game: &str, latency: Duration) {
        self.cancels.lock().unwrap().push(latency);
    }
    fn job_dequeued(&self, class: Class, _waited: Duration) {
        self.dequeued.lock().unwrap().push(class);
    }
    fn ruleset_faulted(&self, _game: &str, fault: &Fault, about: FaultContext<'_>) {
        self.fault_positions.lock().unwrap().push(about.position.to_owned());
        self.faults.lock().unwrap().push(fault.kind.as_str());
    }
}

/// Returns bounds with which no well-behaved rule set is taken for hung, however slow the machine.
pub(crate) fn config() -> EngineConfig {
    EngineConfig { hang_grace: Duration::from_mins(5), ..EngineConfig::default() }
}

/// Returns the same bounds with one worker per pool.
pub(crate) fn one_worker() -> EngineConfig {
    EngineConfig { workers: NonZeroUsize::MIN, ..config() }
}

/// Returns an engine with Pentago and the named test plugins.
pub(crate) fn engine(config: EngineConfig, plugins: &[&str]) -> (Arc<Engine>, Arc<Notes>) {
    let files = plugins.iter().map(|plugin| pentad_test_plugins::build(plugin));
    let load = |path: PathBuf| Ruleset::load(&path, None).expect("the plugin loads");
    let rulesets = std::iter::once(pentago()).chain(files).map(load).collect();
    let notes = Arc::new(Notes::default());
    (Engine::new(config, rulesets, notes.clone()), notes)
}

/// Returns the path of Pentago's library.
pub(crate) fn pentago() -> PathBuf {
    let bundled = pentad_host::bundled_dir().expect("a running program has a path");
    bundled.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX))
}

pub(crate) fn spec(game: &str, position: &str) -> PositionSpec {
    PositionSpec { game: game.to_owned(), position: position.to_owned(), ..PositionSpec::default() }
}

/// Returns a question with a time limit of a minute, for answers that come much earlier.
pub(crate) fn question(game: &str, position: &str) -> HintQuestion {
    timed_question(spec(game, position), Duration::from_mins(1))
}

pub(crate) fn timed_question(spec: PositionSpec, time: Duration) -> HintQuestion {
    let limits = QuestionLimits { time: Some(time), ..QuestionLimits::default() };
    HintQuestion { limits, ..HintQuestion::new(spec) }
}

/// The plugin whose search goes on until a limit trips or it is stopped.
pub(crate) const ENDLESS: &str = "search_endless";

/// Returns a question about the endless game. Questions with different numbers of matches, 1 to 9, are
/// different.
pub(crate) fn endless_question(n_matches: usize, time: Duration) -> HintQuestion {
    timed_question(spec("search-endless", &format!("{n_matches} a")), time)
}

/// Asks in the background.
pub(crate) fn ask(engine: &Arc<Engine>, question: HintQuestion, caller: Caller) -> JoinHandle<Answer> {
    let engine = engine.clone();
    tokio::spawn(async move { engine.hint(&question, caller).await })
}

pub(crate) type Answer = Result<Hints, EngineError>;

/// Waits until something is true. Works with a [`FrozenClock`] too.
pub(crate) async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_mins(1), "after a minute still not so: {what}");
        std::thread::sleep(Duration::from_millis(1));
        tokio::task::yield_now().await;
    }
}

/// Waits until all workers of a length are busy and a number of questions wait for one, of all questions so
/// far. A question counts only when it is resolved: before that it may wait in another queue.
pub(crate) async fn eventually_queued(engine: &Engine, notes: &Notes, n_searched: usize, n_queued: usize) {
    eventually(&format!("{n_queued} of {n_searched} wait"), || {
        let n_missed = notes.cache.lock().unwrap().get("miss").copied().unwrap_or(0);
        let n_waiting: usize = engine.stats().queues.iter().map(|queue| queue.depth).sum();
        n_missed == n_searched && n_waiting == n_queued
    })
    .await;
}

/// Stops the clock of the engine's futures, in a runtime of one thread: it moves only when it is advanced.
pub(crate) struct FrozenClock {
    /// Blocking work that never ends: without it, Tokio advances a paused clock when all tasks wait.
    _release: mpsc::Sender<()>,
}

impl FrozenClock {
    pub(crate) fn new() -> Self {
        tokio::time::pause();
        let (release, held) = mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || held.recv());
        FrozenClock { _release: release }
    }

    pub(crate) async fn advance(&self, by: Duration) {
        tokio::time::advance(by).await;
    }
}
