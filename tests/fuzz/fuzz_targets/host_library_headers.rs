//! Headers of a file that claims to be a shared library, checked before the dynamic
//! linker sees the file.

#![no_main]

use libfuzzer_sys::fuzz_target;

/// The start of a library for this machine, so that the fuzzer need not find it.
const HEADER: [u8; 20] = [0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, MACHINE, 0];
const MACHINE: u8 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };

fuzz_target!(|bytes: &[u8]| {
    let headed = [&HEADER, bytes].concat();
    for file in [bytes, &headed] {
        if let Err(message) = pentad_host::check_library_headers(file) {
            assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
        }
    }
});
