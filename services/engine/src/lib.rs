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
//! | `answer_store`, `stored` | what the engine needs of a store of answers, and how it uses one |
//! | `game_store`, `recorded` | games that were played, as a store counts them |
//! | `explore` | what is known of each move of a position |
//! | `claim` | who of those that share a store makes a search |
//! | `position_key`, `fingerprint` | what stored answers are found by: the position, and the rules |
//! | `subscription`, `analysis` | waiting for a search, to its end or for each improvement |
//! | `search_job`, `root_moves` | one search |
//! | `searchers` | the contexts of searches and their memory |
//! | `compare`, `review`, `puzzles`, `long_call` | answers that take several searches |
//! | `present`, `level` | from a search's report to the answer |
//! | `presented` | answers as they were given, for who asks the same again |
//! | `words`, `generic_reasons`, `nudge` | sentences of the engine's own, and all of an answer in a caller's language |
//! | `rules_calls`, `describe`, `legal_moves`, `distinct_moves`, `page_token` | calls of the rules |
//! | `threats` | wins in one, and longer ones that a search proves |
//! | `rules_job`, `rules_queue`, `rules_pool` | one such call, which is next, and the threads they run on |
//! | `pool`, `fair_queue`, `queue_time`, `cancel` | threads and queues of searches, fairness between callers, the watchdog, cancelling |
//! | `trace`, `observer`, `cost` | what is recorded and counted |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod calls;
mod config;
mod cost;
mod engine;
mod error;
mod keyed_hash;
mod observer;
mod present;
mod question;
mod resolve;
mod rules;
mod schedule;
mod search;
mod served_game;
mod stats;
mod store;
mod trace;

// By which [`Trace`] names a call.
pub use opentelemetry::trace::TraceId;

pub use answer::{Description, Hint, Hints, MovePage, PositionValue, SeatThreat, StopReason, Threats, VariantRef};
pub use calls::analysis::Analysis;
pub use calls::compare::{CompareQuestion, ComparedMove, Comparison};
pub use calls::explore::{Exploration, ExploreQuestion, ExploredMove};
pub use calls::puzzles::{Puzzle, PuzzleProgress, PuzzleQuestion, PuzzleUpdate, Puzzles};
pub use calls::review::{
    MoveLabel, Review, ReviewProgress, ReviewQuestion, ReviewSummary, ReviewUpdate, ReviewedMove, SeatReview,
};
pub use config::EngineConfig;
pub use cost::CostMeter;
pub use engine::Engine;
pub use error::EngineError;
pub use observer::{CacheResult, FaultContext, Observer};
pub use present::i18n::{text_in, to_move_text};
pub use question::{
    Caller, CallerKey, Class, Detail, HintQuestion, MovesQuestion, PositionSpec, Priority, QuestionLimits,
    ThreatsQuestion,
};
pub use resolve::position_key::PositionKey;
#[doc(hidden)]
pub use rules::page_token::read_arbitrary_page_token;
pub use rules::threats::THREAT_DEPTH_MAX;
pub use schedule::wakeups::Wakeups;
pub use stats::{PoolStats, QueueStats, Stats};
pub use store::answer_store::{
    AnswerRank, AnswerStore, Claim, LocalLookup, SearchLease, StoreClaim, StoreKey, StoreLookup, StoreScope,
    StoredAnswer, StoredLine,
};
pub use store::game_store::{
    Explored, GameKey, GameStep, GameTally, Recorded, RecordedGame, StoreExplore, StoreRecord,
};
pub use store::recorded::GameToRecord;
pub use trace::Trace;
