//! Calls of the rules: what they do, which is next, and the threads they run on.

pub(crate) mod calls;
pub(crate) mod describe;
pub(crate) mod distinct_moves;
pub(crate) mod job;
pub(crate) mod legal_moves;
pub(crate) mod page_token;
pub(crate) mod queue;
pub(crate) mod say_moves;
pub(crate) mod threats;
