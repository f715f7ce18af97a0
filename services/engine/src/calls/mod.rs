//! Calls that take several searches, or a stream of one.

pub(crate) mod analysis;
pub(crate) mod compare;
pub(crate) mod explore;
pub(crate) mod judge;
pub(crate) mod long_call;
pub(crate) mod puzzles;
pub(crate) mod review;
