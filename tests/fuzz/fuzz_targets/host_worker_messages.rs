//! Messages and raw bytes that a worker process may send on its channel.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    pentad_host::read_arbitrary_bytes(bytes);
    pentad_host::receive_arbitrary_bytes(bytes);
});
