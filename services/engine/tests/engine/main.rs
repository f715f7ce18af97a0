//! The engine over real rule sets.
//!
//! - `answers`: what is answered, with Pentago and with tic-tac-toe in plain C
//! - `limits`: deadlines, cancelling, queues, shared and remembered answers
//! - `cost`: what callers are charged
//! - `traces`: where the time of a call goes
//! - `misbehaving`: rule sets that misbehave

mod answers;
mod cost;
mod limits;
mod misbehaving;
mod support;
mod traces;
