//! Metrics of searches, cache and rule sets, as the engine reports them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use metrics::{Counter, Histogram, counter, histogram};
use pentad_engine::{CacheResult, Class, FaultContext, Observer, StopReason};
use pentad_host::Fault;
use pentad_model::FaultKind;
use pentad_model::{Certainty, Evaluation, Source};

use super::logs::Excerpt;
use crate::calls::labels;

const CERTAINTIES: [Certainty; 2] = [Certainty::Proven, Certainty::Estimate];
const SOURCES: [Source; 5] = [Source::Terminal, Source::Book, Source::Solver, Source::Search, Source::Static];
const CACHE_RESULTS: [CacheResult; 3] = [CacheResult::Hit, CacheResult::Miss, CacheResult::Shared];

/// The engine's [`Observer`].
pub(crate) struct EngineMetrics {
    /// Metrics of every game that is or was served.
    games: ArcSwap<HashMap<String, Arc<GameMetrics>>>,
    /// By [`Class`]: interactive, bulk.
    queue_wait: [Histogram; 2],
}

struct GameMetrics {
    search_duration: Histogram,
    search_nodes: Counter,
    cancel_latency: Histogram,
    /// Indexed as [`StopReason::ALL`]; the ones below by their own lists.
    stops: Vec<Counter>,
    evaluations: Vec<Counter>,
    cache: Vec<Counter>,
    faults: Vec<Counter>,
}

impl EngineMetrics {
    /// Registers the series that need no game. Call it with the recorder set.
    pub(super) fn new() -> EngineMetrics {
        EngineMetrics {
            games: ArcSwap::default(),
            queue_wait: [Class::Interactive, Class::Bulk]
                .map(|class| histogram!("pentad_queue_wait_seconds", "class" => class.as_str())),
        }
    }

    /// Registers the series of new games. Call it with the recorder set.
    pub(super) fn add_games(&self, games: &[&str]) {
        let mut all = HashMap::clone(&self.games.load());
        for game in games {
            all.entry((*game).to_owned()).or_insert_with(|| Arc::new(GameMetrics::new(game)));
        }
        self.games.store(Arc::new(all));
    }

    fn game(&self, game: &str) -> Option<Arc<GameMetrics>> {
        self.games.load().get(game).cloned()
    }
}

impl GameMetrics {
    fn new(game: &str) -> GameMetrics {
        let game = game.to_owned();
        let stop = |stop: &StopReason| counter!("pentad_search_stops_total", "game" => game.clone(), "reason" => stop.as_str());
        let cache = |result: &CacheResult| counter!("pentad_cache_requests_total", "game" => game.clone(), "result" => result.as_str());
        let fault =
            |kind: &FaultKind| counter!("pentad_ruleset_faults_total", "game" => game.clone(), "kind" => kind.as_str());
        let evaluation = |(certainty, source): (Certainty, Source)| {
            counter!(
                "pentad_evaluations_total",
                "game" => game.clone(),
                "certainty" => labels::certainty(certainty),
                "source" => labels::source(source),
            )
        };
        let values = CERTAINTIES.into_iter().flat_map(|certainty| SOURCES.map(|source| (certainty, source)));
        GameMetrics {
            search_duration: histogram!("pentad_search_duration_seconds", "game" => game.clone()),
            search_nodes: counter!("pentad_search_nodes_total", "game" => game.clone()),
            cancel_latency: histogram!("pentad_cancel_latency_seconds", "game" => game.clone()),
            stops: StopReason::ALL.iter().map(stop).collect(),
            evaluations: values.map(evaluation).collect(),
            cache: CACHE_RESULTS.iter().map(cache).collect(),
            faults: FaultKind::ALL.iter().map(fault).collect(),
        }
    }
}

impl Observer for EngineMetrics {
    fn search_finished(&self, game: &str, took: Duration, nodes: u64, stop: StopReason) {
        let Some(game) = self.game(game) else { return };
        game.search_duration.record(took.as_secs_f64());
        game.search_nodes.increment(nodes);
        count(&game.stops, &StopReason::ALL, stop);
    }

    fn evaluation_given(&self, game: &str, evaluation: &Evaluation) {
        let Some(game) = self.game(game) else { return };
        let certainty = CERTAINTIES.iter().position(|known| *known == evaluation.certainty);
        let source = SOURCES.iter().position(|known| *known == evaluation.source);
        if let (Some(certainty), Some(source)) = (certainty, source) {
            game.evaluations[certainty * SOURCES.len() + source].increment(1);
        }
    }

    fn cache_looked_up(&self, game: &str, result: CacheResult) {
        let Some(game) = self.game(game) else { return };
        count(&game.cache, &CACHE_RESULTS, result);
    }

    fn search_cancelled(&self, game: &str, latency: Duration) {
        let Some(game) = self.game(game) else { return };
        game.cancel_latency.record(latency.as_secs_f64());
    }

    fn job_dequeued(&self, class: Class, waited: Duration) {
        self.queue_wait[class as usize].record(waited.as_secs_f64());
    }

    fn ruleset_faulted(&self, game: &str, fault: &Fault, about: FaultContext<'_>) {
        tracing::error!(
            game,
            request_id = about.trace.request_id(),
            trace_id = about.trace.id().map(tracing::field::display),
            kind = fault.kind.as_str(),
            call = fault.call,
            detail = %Excerpt(&fault.detail),
            position = %Excerpt(about.position),
            "rule set fault"
        );
        let Some(game) = self.game(game) else { return };
        count(&game.faults, &FaultKind::ALL, fault.kind);
    }
}

fn count<T: PartialEq + Copy>(counters: &[Counter], known: &[T], value: T) {
    if let Some(idx) = known.iter().position(|known| *known == value) {
        counters[idx].increment(1);
    }
}
