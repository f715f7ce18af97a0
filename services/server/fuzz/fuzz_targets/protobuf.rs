//! Messages of gRPC calls, as every request and the question that it becomes.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pentad::arbitrary_bytes::protobuf(bytes));
