//! Answers questions about games.
//!
//! The engine stands between the edges, which speak protocols, and the host, which calls rule sets. It knows
//! neither: no sockets, no serialisation, no `unsafe`. `README.md` has the stages, threads and bounds.
//!
//! | module | contents |
//! | --- | --- |
//! | `engine` | the facade: one method per call |
//! | `question`, `answer` | questions and answers that several calls share |
//! | `error`, `field` | failures, and the parts of a question that they name |
//! | `resolve` | from a question's texts to a position to search |
//! | `rules` | calls of the rules, and the answers that need no search |
//! | `schedule` | threads and queues: fairness, bounds, watchdogs, cancellation |
//! | `search` | the sources of answers, and searches |
//! | `present` | from a search's result to an answer in the caller's orientation and language |
//! | `store` | answers and games that outlive the process |
//! | `calls` | calls that take several searches, or a stream of one |
//! | `config` | all bounds |
//! | `served_game` | a rule set and how it behaves |
//! | `keyed_hash` | fingerprints that stand for values |
//! | `trace`, `observer`, `cost`, `stats` | spans, events, CPU time, load |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod calls;
mod config;
mod cost;
mod engine;
mod error;
mod field;
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

// Id of a [`Trace`].
pub use opentelemetry::trace::TraceId;

pub use answer::{
    Description, Hint, Hints, MovePage, PolicyMove, PositionValue, SeatThreat, StopReason, Threats, VariantRef,
};
pub use calls::analysis::Analysis;
pub use calls::compare::{CompareQuestion, ComparedMove, Comparison};
pub use calls::explore::{Exploration, ExploreQuestion, ExploredMove};
pub use calls::judge::{JudgeQuestion, Judgement, Judging, SeatJudgement};
pub use calls::puzzles::{Puzzle, PuzzleProgress, PuzzleQuestion, PuzzleUpdate, Puzzles};
pub use calls::review::{
    MoveLabel, Review, ReviewProgress, ReviewQuestion, ReviewSummary, ReviewUpdate, ReviewedMove, SeatReview,
};
pub use config::EngineConfig;
pub use cost::CostMeter;
pub use engine::Engine;
pub use error::EngineError;
pub use field::{Field, FieldMessage, FieldPath};
pub use observer::{CacheResult, FaultContext, Observer};
pub use present::i18n::{text_in, to_move_text};
pub use present::move_words::MoveWords;
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
pub use store::check::{AnswerChecker, AnswerVerdict};
pub use store::game_store::{
    Explored, GameKey, GameStep, GameTally, Recorded, RecordedGame, StoreExplore, StoreRecord,
};
pub use store::recorded::GameToRecord;
pub use trace::Trace;
