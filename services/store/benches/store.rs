//! Cost of a million stored answers.
//!
//! `cargo bench -p pentad-store` fills a file as a service would, in commits of some
//! hundred answers in random order. It prints the time that takes, the size of the file,
//! the time to open it after a clean end and after a kill, and the time of a lookup and of
//! an acknowledged write. `PENTAD_STORE_ANSWERS` sets another number of answers.

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pentad_engine::{AnswerStore, StopReason};
use pentad_store::{FileConfig, FileStore, Layer, StoreFile};
use support::{ScratchDir, answer, key_in, scope};

/// Number of answers that wait during a commit.
const COMMIT: u64 = 500;
const LOOKUPS: u64 = 200_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // Killed by the parent.
        ["hold", path] => {
            let store = open(Path::new(path));
            let done = store.put(&key_in(&scope("1"), u64::MAX), &answer(1, StopReason::Proven, 5));
            println!("{:?}", done.blocking_recv());
            std::thread::sleep(Duration::from_hours(1));
        }
        // `cargo test --benches` only checks that it starts.
        _ if args.iter().any(|arg| arg == "--test") => {}
        _ => measure(),
    }
}

fn measure() {
    let n_answers: u64 = std::env::var("PENTAD_STORE_ANSWERS").map_or(1_000_000, |n| n.parse().expect("a number"));
    let dir = ScratchDir::new();
    let path = dir.path("answers");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    fill(&path, n_answers);
    open_times(&path, n_answers);

    let store = open(&path);
    let scope = scope("1");
    let mut slowest = Duration::ZERO;
    let started = Instant::now();
    for n in 0..LOOKUPS {
        let began = Instant::now();
        let found = runtime.block_on(store.get(&key_in(&scope, n * 7919 % n_answers)));
        slowest = slowest.max(began.elapsed());
        assert!(found.is_some(), "{:?}", store.status());
    }
    let us = started.elapsed().as_secs_f64() * 1e6 / LOOKUPS as f64;
    println!("lookup, one after the other: {us:.1} us, slowest {:.1} ms", slowest.as_secs_f64() * 1e3);

    let started = Instant::now();
    for n in 0..20 {
        let done = store.put(&key_in(&scope, n_answers + n), &answer(n, StopReason::Proven, 5));
        assert_eq!(done.blocking_recv(), Ok(true));
    }
    println!("write until it is acknowledged: {:.1} ms", started.elapsed().as_secs_f64() * 1e3 / 20.0);
    let started = Instant::now();
    for n in 0..100_000 {
        store.offer(&key_in(&scope, n), &answer(n, StopReason::Time, 5));
    }
    println!("offer, as the search sees it: {:.2} us", started.elapsed().as_secs_f64() * 1e6 / 100_000.0);
}

/// Stores answers in commits and prints the time.
fn fill(path: &Path, n_answers: u64) {
    let scope = scope("1");
    let store = open(path);
    let started = Instant::now();
    for start in (0..n_answers).step_by(COMMIT as usize) {
        for n in start..(start + COMMIT).min(n_answers) {
            store.offer(&key_in(&scope, n), &answer(n, StopReason::Proven, 5));
        }
        assert_eq!(store.flush().blocking_recv(), Ok(true), "{:?}", store.status());
    }
    let seconds = started.elapsed().as_secs_f64();
    let status = store.status();
    assert_eq!((status.entries, status.writes.dropped), (n_answers, 0));
    drop(store);
    println!("{n_answers} answers in commits of {COMMIT}: {:.0} a second", n_answers as f64 / seconds);
    let metadata = std::fs::metadata(path).expect("the file is there");
    let allocated = std::os::unix::fs::MetadataExt::blocks(&metadata) * 512;
    let per_answer = |bytes: u64| bytes as f64 / n_answers as f64;
    println!(
        "bytes an answer: {:.0} stored, {:.0} of the file, {:.0} on disk",
        per_answer(status.bytes),
        per_answer(metadata.len()),
        per_answer(allocated)
    );
}

fn open_times(path: &Path, n_answers: u64) {
    let started = Instant::now();
    let store = open(path);
    let clean = started.elapsed();
    assert_eq!(store.status().entries, n_answers);
    drop(store);
    let mut holder = Command::new(std::env::current_exe().expect("a path"))
        .arg("hold")
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let mut out = std::io::BufReader::new(holder.stdout.take().expect("it is piped"));
    std::io::BufRead::read_line(&mut out, &mut line).expect("text");
    assert_eq!(line, "Ok(true)\n");
    holder.kill().expect("it runs");
    holder.wait().expect("it ends");
    let started = Instant::now();
    let store = open(path);
    let killed = started.elapsed();
    assert!(store.status().state.is_up(), "{:?}", store.status());
    drop(store);
    let started = Instant::now();
    let n = StoreFile::open(path).expect("it opens").n_entries();
    let direct = started.elapsed();
    assert_eq!(n, n_answers + 1);
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("open: {:.1} ms, after a kill {:.1} ms, for maintenance {:.1} ms", ms(clean), ms(killed), ms(direct));
}

fn open(path: &Path) -> FileStore {
    FileStore::open(FileConfig { queue_len_max: 100_000, bytes_max: 1 << 40, ..support::patient(path) })
}
