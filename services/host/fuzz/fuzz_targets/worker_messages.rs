//! Messages of a worker process with any content, and any bytes on its channel.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    pentad_host::read_arbitrary_bytes(bytes);
    pentad_host::receive_arbitrary_bytes(bytes);
});
