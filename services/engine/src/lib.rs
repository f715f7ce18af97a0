//! Questions about games to answers.
//!
//! The engine stands between the edges, which speak protocols, and the host,
//! which speaks to rule sets. It knows neither: no sockets, no serialisation,
//! no `unsafe`.
//!
//! | module | noun |
//! | --- | --- |
//! | `engine` | the questions that can be asked |
//! | `situation` | a caller's words, made a position |
//! | `asked`, `findings`, `analysis` | a question about moves on its way |
//! | `calls` | short calls of the rules |
//! | `pool`, `stop` | threads, queues, and ending what runs |
//! | `flight`, `cache` | searches under way and answers remembered |
//! | `task`, `root`, `fallback` | one search |
//! | `trace` | whose call it is, and where its time goes |
//! | `hints`, `level` | what was found, as the asker reads it |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod analysis;
mod answer;
mod asked;
mod cache;
mod calls;
mod config;
mod describe;
mod engine;
mod error;
mod fallback;
mod findings;
mod flight;
mod game;
mod hints;
mod level;
mod moves;
mod observer;
mod pool;
mod question;
mod root;
mod situation;
mod stop;
mod task;
mod trace;

pub use analysis::Analysis;
pub use answer::{Description, Hint, Hints, MovePage, PositionValue, StopReason};
pub use config::EngineConfig;
pub use engine::{Engine, QueueStats, Stats};
pub use error::EngineError;
pub use observer::{CacheResult, Observer};
pub use question::{Caller, Class, Detail, HintQuestion, MovesQuestion, Place, QuestionLimits};
pub use trace::{Found, Part, Recorder, Trace, TraceId, Work};
