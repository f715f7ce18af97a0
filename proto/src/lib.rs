//! The contract in `proto/pentad/v1` as Rust types.
//!
//! `pentad.v1.rs` and `descriptors.bin` are generated and checked in, so that a build
//! needs no protobuf compiler. The test `generated` compares them with the `.proto` files;
//! with `PENTAD_BLESS=1` it rewrites them.
//!
//! One message is written by hand: [`ListLegalMovesResponse`].

#![forbid(unsafe_code)]
#![allow(unreachable_pub, clippy::needless_pass_by_value, clippy::large_enum_variant, reason = "generated")]
#![allow(clippy::doc_markdown, clippy::doc_lazy_continuation, rustdoc::all, reason = "comments of the .proto files")]

mod legal_moves;

pub use legal_moves::ListLegalMovesResponse;

include!("pentad.v1.rs");

/// The descriptors of `pentad.v1`, for gRPC reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!("descriptors.bin");
