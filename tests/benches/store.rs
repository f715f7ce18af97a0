//! Hints answered from memory and from a file, compared with a bare gRPC server.
//!
//! `cargo bench --bench store` requests hints for some hundred positions of Pentago once, and
//! then repeatedly, at 32 concurrent calls, and prints calls per second and server CPU per
//! call of
//!
//! - a bare tonic echo that answers with as many bytes,
//! - a server without a store, which answers from memory,
//! - one with a store, which answers from memory too,
//! - one with a store and without a cache in memory: every hint is read from the file.
//!
//! The same client calls all servers in alternating rounds; servers run on core 0, the
//! client on core 1, where `taskset` is available. Compare the ratios: each compares two
//! rounds of one turn, and the median of nine turns counts. `cargo bench -p pentad-store`
//! measures the size of a million answers and the time to open them.

mod echo;
#[allow(dead_code, reason = "only the positions are used")]
mod served;

use std::process::Command;

use bytes::Bytes;
use pentad::proto::HintRequest;
use prost::Message;

use echo::{
    CONCURRENT, ECHO_PATH, ROUNDS, Round, Server, channel, echo_server, load, pin, print_ratios, raw_call, runtime,
};

const HINT_PATH: &str = "/pentad.v1.Analysis/Hint";
const POSITIONS: u64 = 400;

fn main() {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("echo-server") => runtime().block_on(echo_server()),
        // `cargo test --benches` only checks that it starts.
        Some("--test") => {}
        _ => runtime().block_on(measure()),
    }
}

async fn measure() {
    pin(std::process::id(), 1);
    let dir = std::env::temp_dir().join(format!("pentad-bench-store-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for temporary files");
    let start = |more: &[String]| {
        let ports = ["--grpc-listen=127.0.0.1:0", "--rest-listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"];
        Server::start(Command::new(env!("CARGO_BIN_EXE_pentad")).args(ports).args(more))
    };
    let store = |name: &str| format!("--store={}", dir.join(name).display());
    let me = std::env::current_exe().expect("the path of this benchmark");
    let mut servers = [
        ("bare echo", Server::start(Command::new(me).arg("echo-server"))),
        ("memory, no store", start(&[])),
        ("memory, store on", start(&[store("beside")])),
        ("file", start(&[store("alone"), "--cache-mib=0".to_owned()])),
    ];
    let question = |number| HintRequest {
        game: "pentago".to_owned(),
        position: served::position(number * 997),
        ..Default::default()
    };
    let questions: Vec<Bytes> = (0..POSITIONS).map(|number| question(number).encode_to_vec().into()).collect();
    let mut size = 0;
    for (_, server) in &servers[1..] {
        let channel = channel(server.address).await;
        size = 0;
        for question in &questions {
            size += raw_call(&channel, HINT_PATH, question.clone()).await.len();
        }
    }
    let size = size / questions.len();
    // A bytes field adds its key and length.
    let payload = [Bytes::from(Bytes::from(vec![b'x'; size - 3]).encode_to_vec())];
    let mut results = vec![Vec::new(); servers.len()];
    for _ in 0..ROUNDS {
        for (idx, (_, server)) in servers.iter().enumerate() {
            let (path, messages) = if idx == 0 { (ECHO_PATH, &payload[..]) } else { (HINT_PATH, &questions[..]) };
            let cpu_before = server.cpu();
            let n_calls = load(server.address, path, messages).await;
            results[idx].push(Round { n_calls, cpu: server.cpu() - cpu_before });
        }
    }
    println!("hints over gRPC, {POSITIONS} positions, {size} bytes a reply, {CONCURRENT} calls at a time");
    print_ratios(servers.iter().map(|(name, _)| *name).zip(&results));
    for (_, server) in &mut servers {
        server.child.kill().expect("the server was running");
    }
    // Leaves only temporary files.
    let _ = std::fs::remove_dir_all(&dir);
}
