//! The engine over real rule sets.
//!
//! - `answers`: answers with Pentago and with tic-tac-toe in plain C
//! - `limits`: deadlines, cancellation, queues, shared and cached answers
//! - `classes`: interactive and bulk questions
//! - `rules_calls`: calls of the rules that are slow, endless or hang
//! - `memory`: tables that are larger than memory, or idle
//! - `cost`: CPU time charged to callers
//! - `stored`: answers that outlive an engine
//! - `forged`: forged answers in stores
//! - `claims`: searches that another replica may be making
//! - `threats`: wins in one and longer ones
//! - `traces`: spans of a call
//! - `misbehaving`: rule sets that misbehave
//! - `documents`: documents that list parts of the code

mod answers;
mod claims;
mod classes;
mod cost;
mod documents;
mod fake_redis;
mod forged;
mod limits;
mod memory;
mod misbehaving;
mod rules_calls;
mod stored;
mod support;
mod threats;
mod traces;
