//! Answers to resolved questions: where they are found, and the searches that find new ones.

pub(crate) mod avoided;
pub(crate) mod cache;
pub(crate) mod contexts;
pub(crate) mod immediate_move;
pub(crate) mod job;
pub(crate) mod lease;
pub(crate) mod queue;
pub(crate) mod root_moves;
pub(crate) mod single_flight;
pub(crate) mod sources;
pub(crate) mod subscription;
pub(crate) mod time_share;
