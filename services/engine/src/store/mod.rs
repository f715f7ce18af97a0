//! Answers and games that outlive the process: the trait of a store, and how the engine uses one.

pub(crate) mod answer_store;
pub(crate) mod fingerprint;
pub(crate) mod game_store;
pub(crate) mod recorded;
pub(crate) mod stored;
