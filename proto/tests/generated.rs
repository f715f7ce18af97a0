//! The generated code matches the `.proto` files.
//!
//! This test needs nothing of the server, which may not compile before the code is
//! generated again.

use std::path::Path;
use std::{env, fs};

use prost::Message;

/// The checked-in types and descriptors are what the `.proto` files generate.
/// `PENTAD_BLESS=1` rewrites them.
#[test]
fn generated_code_is_current() {
    let out_dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let descriptors = protox::compile(proto_files(), ["."]).expect("the contract compiles");
    fs::write(out_dir.join("descriptors.bin"), descriptors.encode_to_vec()).expect("descriptors are written");
    tonic_prost_build::configure()
        .out_dir(out_dir)
        // Maps in key order, so that equal answers have equal bytes.
        .btree_map(".")
        .extern_path(".pentad.v1.ListLegalMovesResponse", "crate::ListLegalMovesResponse")
        .compile_fds(descriptors)
        .expect("code is generated");
    for file in ["pentad.v1.rs", "descriptors.bin"] {
        let generated = fs::read(out_dir.join(file)).expect("a generated file");
        let checked_in = Path::new("src").join(file);
        if env::var_os("PENTAD_BLESS").is_some() {
            fs::write(&checked_in, &generated).expect("the file is written");
        }
        let is_current = fs::read(&checked_in).is_ok_and(|content| content == generated);
        assert!(is_current, "proto/src/{file} is out of date; PENTAD_BLESS=1 rewrites it");
    }
}

/// Sorted by name, so that the descriptors have one order.
fn proto_files() -> Vec<String> {
    let names = fs::read_dir("pentad/v1").expect("the contract").map(|entry| entry.expect("a file").file_name());
    let mut files: Vec<String> = names.map(|name| format!("pentad/v1/{}", name.to_string_lossy())).collect();
    files.sort();
    files
}
