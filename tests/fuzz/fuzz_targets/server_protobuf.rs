//! Messages of gRPC calls, decoded as every request and converted to its question.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pentad::arbitrary_bytes::protobuf(bytes));
