//! Batch: many questions in one call, answered as they finish.
//!
//! The batch itself is the same for both protocols, in `crate::batch`.

pub(crate) mod grpc;
pub(crate) mod rest;

pub(crate) use rest::{__path_post, post};
