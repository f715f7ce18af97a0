//! The engine over real rule sets.
//!
//! - `answers`: what is answered, with Pentago and with tic-tac-toe in plain C
//! - `limits`: deadlines, cancelling, queues, shared and remembered answers
//! - `rules_calls`: calls of the rules that are slow, endless or hang
//! - `memory`: tables that are larger than memory, or idle
//! - `cost`: what callers are charged
//! - `stored`: answers that outlive an engine
//! - `claims`: searches that another replica may be making
//! - `threats`: wins in one and longer ones
//! - `traces`: where the time of a call goes
//! - `misbehaving`: rule sets that misbehave

mod answers;
mod claims;
mod classes;
mod cost;
mod limits;
mod memory;
mod misbehaving;
mod rules_calls;
mod stored;
mod support;
mod threats;
mod traces;
