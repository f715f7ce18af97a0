//! Questions about games to answers.
//!
//! The engine stands between the edges, which speak protocols, and the host,
//! which speaks to rule sets. It knows neither: no sockets, no serialisation,
//! no `unsafe`.
//!
//! | module | noun |
//! | --- | --- |
//! | `engine` | the questions that can be asked; `Engine::hint` is the way of one |
//! | `question`, `answer`, `error` | what is asked and answered |
//! | `resolve`, `query` | a question's texts, made a position to search |
//! | `searches`, `single_flight`, `cache` | cached answers, searches under way, new ones |
//! | `subscription`, `analysis` | waiting for a search, to its end or for each improvement |
//! | `search_job`, `root_moves` | one search |
//! | `searchers` | the contexts of searches and their memory |
//! | `present`, `level` | from a search's report to the answer |
//! | `rules_calls`, `describe`, `legal_moves`, `distinct_moves` | calls of the rules |
//! | `rules_job`, `rules_queue`, `rules_pool` | one such call, which is next, and the threads they run on |
//! | `pool`, `queue_time`, `cancel` | threads and queues of searches, the watchdog, cancelling |
//! | `trace`, `observer`, `cost` | what is recorded and counted |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod analysis;
mod answer;
mod cache;
mod cancel;
mod config;
mod cost;
mod describe;
mod distinct_moves;
mod engine;
mod error;
mod generic_reasons;
mod legal_moves;
mod level;
mod nudge;
mod observer;
mod pool;
mod present;
mod query;
mod question;
mod queue_time;
mod resolve;
mod root_moves;
mod rules_calls;
mod rules_job;
mod rules_pool;
mod rules_queue;
mod search_job;
mod searchers;
mod searches;
mod served_game;
mod single_flight;
mod subscription;
mod trace;

// By which [`Trace`] names a call.
pub use opentelemetry::trace::TraceId;

pub use analysis::Analysis;
pub use answer::{Description, Hint, Hints, MovePage, PositionValue, StopReason, VariantRef};
pub use config::EngineConfig;
pub use cost::CostMeter;
pub use engine::{Engine, PoolStats, QueueStats, Stats};
pub use error::EngineError;
pub use observer::{CacheResult, FaultContext, Observer};
pub use question::{Caller, Class, Detail, HintQuestion, MovesQuestion, PositionSpec, QuestionLimits};
pub use trace::Trace;
