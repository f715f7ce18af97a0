//! Answers and games that outlive the process: the trait of a store, and how the engine uses one.

pub(crate) mod answer_store;
pub(crate) mod check;
mod checked;
mod consistency;
pub(crate) mod fingerprint;
pub(crate) mod game_store;
pub(crate) mod recorded;
mod short_proof;
pub(crate) mod stored;
