//! Headers of requests: client addresses, deadlines, traces, ids, origins, host names.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|lines: &[u8]| pentad::arbitrary_bytes::headers(lines));
