//! Batch: many questions in one call, answered as they finish.
//!
//! The batch itself is the same for both protocols, in `crate::batch`.

pub(crate) mod grpc;
pub(crate) mod rest;

#[cfg(test)]
pub(crate) use rest::__path_post;
pub(crate) use rest::post;
