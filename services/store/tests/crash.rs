//! Kills a writing process repeatedly, and fills its disk.
//!
//! After each kill the store must open with every acknowledged answer and without setting
//! a file aside. `PENTAD_STORE_KILLS=100 cargo test -p pentad-store --test crash` sets the
//! number of kills; the default is lower, to be quick.
//!
//! The disk is full in two ways: by a limit on the file's size (EFBIG), which works
//! everywhere, and by a small tmpfs (ENOSPC), where the system allows mounting one. With
//! tmpfs the store must recover by itself once there is room again.
//!
//! This program is both the tests and the process they kill.

#![forbid(unsafe_code)]

mod support;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use pentad_engine::{AnswerStore, Recorded, StopReason};
use pentad_model::rng::Rng;
use pentad_store::{FileConfig, FileStore, Layer, LayerState, StoreFile};
use support::{ScratchDir, answer, game, key_in, scope};

/// Number of answers in flight.
const WINDOW: u64 = 64;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", path, from] => write_until_killed(Path::new(path), from.parse().expect("a number")),
        ["record", path, from] => record_until_killed(Path::new(path), from.parse().expect("a number")),
        ["fill", path] => return fill(Path::new(path), None),
        ["fill", path, ballast] => return fill(Path::new(path), Some(Path::new(ballast))),
        // Used by tools that count tests.
        ["--list", ..] => {}
        _ => {
            let n_kills = std::env::var("PENTAD_STORE_KILLS").map_or(6, |n| n.parse().expect("a number"));
            kill_writers(n_kills);
            kill_recorders(n_kills.div_ceil(2));
            fill_by_limit();
            fill_tmpfs();
        }
    }
    ExitCode::SUCCESS
}

/// Starts a writer, kills it at a random time, and checks the file; repeatedly with the
/// same file.
fn kill_writers(n_kills: u32) {
    let dir = ScratchDir::new();
    let path = dir.path("answers");
    let mut rng = Rng::new(u64::from(std::process::id()));
    let mut acknowledged = BTreeSet::new();
    let started = Instant::now();
    for kill in 0..n_kills {
        let from = acknowledged.last().map_or(0, |last| last + 1 + WINDOW);
        let mut writer = start(Command::new(me()).arg("write").arg(&path).arg(from.to_string()));
        let lines = BufReader::new(writer.stdout.take().expect("it is piped")).lines();
        // Some are killed while opening the file, most while writing.
        let n_acks_max = if kill.is_multiple_of(5) { 0 } else { 1 + rng.below(1500) };
        let mut n_acks = 0;
        let mut lines = lines.map(|line| line.expect("text"));
        while n_acks < n_acks_max {
            let Some(line) = lines.next() else { panic!("the writer ended") };
            n_acks += 1;
            acknowledged.insert(line.parse().expect("a number"));
        }
        std::thread::sleep(Duration::from_micros(rng.below(15_000) as u64));
        writer.kill().expect("it was running");
        // Output before the kill also counts; the last line may be cut off.
        acknowledged.extend(lines.filter_map(|line| line.parse::<u64>().ok()).filter(|&n| n < from + 1_000_000));
        writer.wait().expect("it can be waited for");
        let is_last = kill + 1 == n_kills;
        let checked = if kill % 10 == 9 || is_last { acknowledged.clone() } else { acknowledged.split_off(&from) };
        assert_all_there(&path, &checked, &format!("kill {kill}"));
        acknowledged.extend(checked);
    }
    let (n, s) = (acknowledged.len(), started.elapsed().as_secs_f64());
    println!("{n_kills} kills: all {n} acknowledged answers are there, every start succeeded ({s:.1} s)");
}

/// Kills a process that records games: acknowledged games are stored, and each stored
/// game was counted once.
fn kill_recorders(n_kills: u32) {
    let dir = ScratchDir::new();
    let path = dir.path("games");
    let mut rng = Rng::new(u64::from(std::process::id()) + 1);
    let mut n_acknowledged = 0_u64;
    for kill in 0..n_kills {
        // Some games are recorded again.
        let from = n_acknowledged.saturating_sub(rng.below(100) as u64);
        let mut recorder = start(Command::new(me()).arg("record").arg(&path).arg(from.to_string()));
        let mut lines = BufReader::new(recorder.stdout.take().expect("it is piped")).lines();
        for _ in 0..1 + rng.below(400) {
            let line = lines.next().unwrap_or_else(|| panic!("the writer ended")).expect("text");
            n_acknowledged = n_acknowledged.max(1 + line.parse::<u64>().expect("a number"));
        }
        recorder.kill().expect("it was running");
        recorder.wait().expect("it can be waited for");
        let n_games = StoreFile::open(&path).expect("it opens").n_games().expect("it can be read");
        assert!(n_games >= n_acknowledged, "kill {kill}: {n_games} of {n_acknowledged} acknowledged games are there");
        let store = open(&path);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let explored = runtime.block_on(store.explore(&key_in(&scope("1"), 0), &[]));
        let n_counted: u64 = explored.played.iter().map(|(_, tally)| tally.games).sum();
        assert_eq!(n_counted, n_games, "kill {kill}: games, and what they count for");
    }
    println!("{n_kills} kills: all {n_acknowledged} acknowledged games are there, and count once");
}

/// Records games and prints the acknowledged ones.
fn record_until_killed(path: &Path, from: u64) {
    let store = open(path);
    let scope = scope("1");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut pending = std::collections::VecDeque::new();
    for n in from.. {
        pending.push_back((n, store.record(&game(&scope, n))));
        if pending.len() as u64 >= WINDOW {
            let (n, recorded) = pending.pop_front().expect("it is not empty");
            assert_ne!(runtime.block_on(recorded), Recorded::Failed, "{:?}", store.status());
            acknowledge(n);
        }
    }
}

/// A file that may not grow: writes fail, and acknowledged answers stay.
fn fill_by_limit() {
    let dir = ScratchDir::new();
    let path = dir.path("answers");
    // SIGXFSZ is ignored, so that the write fails instead. 4096 blocks of 512 or 1,024 bytes.
    let limited = "trap '' XFSZ; ulimit -f 4096; exec \"$0\" fill \"$1\"";
    let filler = start(Command::new("sh").args(["-c", limited]).arg(me()).arg(&path));
    let acknowledged = acknowledged_by(filler);
    assert!(acknowledged.len() > 1000, "only {} answers fitted", acknowledged.len());
    assert_all_there(&path, &acknowledged, "full by limit");
    println!("file at its limit: all {} acknowledged answers are there", acknowledged.len());
}

/// A full disk: the store is down, and up again once there is room.
fn fill_tmpfs() {
    let dir = ScratchDir::new();
    let mount = dir.path("disk");
    std::fs::create_dir(&mount).expect("a directory");
    let script = "mount -t tmpfs -o size=6m tmpfs \"$1\" || exit 77; exec \"$0\" fill \"$1/answers\" \"$1/ballast\"";
    let unshared = ["--user", "--map-root-user", "--mount", "sh", "-c", script];
    let filler = Command::new("unshare").args(unshared).arg(me()).arg(&mount).stderr(Stdio::null()).status();
    match filler.ok().and_then(|status| status.code()) {
        Some(0) => println!("full tmpfs: nothing acknowledged is lost, and the store comes back"),
        Some(1 | 77) | None => println!("full tmpfs: not tried, no tmpfs can be mounted here"),
        Some(code) => panic!("the store did not survive a full disk: exit code {code}"),
    }
}

/// Writes answers and prints the acknowledged ones.
fn write_until_killed(path: &Path, from: u64) {
    let store = open(path);
    let scope = scope("1");
    let mut pending = std::collections::VecDeque::new();
    for n in from.. {
        pending.push_back((n, store.put(&key_in(&scope, n), &answer(n, StopReason::Proven, 5))));
        if pending.len() as u64 >= WINDOW {
            let (n, done) = pending.pop_front().expect("it is not empty");
            assert_eq!(done.blocking_recv(), Ok(true), "{:?}", store.status());
            acknowledge(n);
        }
    }
}

/// Writes until a write fails, and checks the file; with ballast, removes it and expects
/// the store to recover. The exit code tells what failed.
fn fill(path: &Path, ballast: Option<&Path>) -> ExitCode {
    if let Some(ballast) = ballast {
        std::fs::write(ballast, vec![1; 2 << 20]).expect("there is room at the start");
    }
    let store = open(path);
    let scope = scope("1");
    let mut acknowledged = BTreeSet::new();
    for n in 0.. {
        let batch: Vec<_> = (n * 256..(n + 1) * 256)
            .map(|n| (n, store.put(&key_in(&scope, n), &answer(n, StopReason::Proven, 5))))
            .collect();
        let mut is_full = false;
        for (n, done) in batch {
            match done.blocking_recv() {
                Ok(true) => {
                    acknowledged.insert(n);
                    if ballast.is_none() {
                        acknowledge(n);
                    }
                }
                _ => is_full = true,
            }
        }
        if is_full {
            break;
        }
    }
    if !eventually(|| matches!(store.status().state, LayerState::Down(_))) {
        return ExitCode::from(3);
    }
    let Some(ballast) = ballast else { return ExitCode::SUCCESS };
    std::fs::remove_file(ballast).expect("it is there");
    if !eventually(|| store.status().state.is_up()) {
        return ExitCode::from(4);
    }
    let all_there =
        |store: &FileStore| acknowledged.iter().all(|&n| look_up(store, n) == Some(answer(n, StopReason::Proven, 5)));
    if acknowledged.is_empty() || !all_there(&store) || store.status().set_aside > 0 {
        return ExitCode::from(5);
    }
    let more = store.put(&key_in(&scope, u64::MAX), &answer(0, StopReason::Proven, 5));
    if more.blocking_recv() != Ok(true) {
        return ExitCode::from(6);
    }
    drop(store);
    if !all_there(&open(path)) { ExitCode::from(7) } else { ExitCode::SUCCESS }
}

fn acknowledge(n: u64) {
    let mut out = stdout().lock();
    writeln!(out, "{n}").and_then(|()| out.flush()).expect("the parent reads");
}

fn acknowledged_by(mut filler: Child) -> BTreeSet<u64> {
    let lines = BufReader::new(filler.stdout.take().expect("it is piped")).lines();
    let acknowledged = lines.map(|line| line.expect("text").parse().expect("a number")).collect();
    let status = filler.wait().expect("it can be waited for");
    assert!(status.success(), "the writer ended with {status}");
    acknowledged
}

fn assert_all_there(path: &Path, acknowledged: &BTreeSet<u64>, when: &str) {
    let store = open(path);
    let status = store.status();
    assert_eq!((&status.state, status.set_aside), (&LayerState::Up, 0), "{when}: {status:?}");
    for &n in acknowledged {
        assert_eq!(look_up(&store, n), Some(answer(n, StopReason::Proven, 5)), "{when}: answer {n} is lost");
    }
}

/// Looks up an answer, however long it takes.
fn look_up(store: &FileStore, n: u64) -> Option<pentad_engine::StoredAnswer> {
    static RUNTIME: LazyLock<tokio::runtime::Runtime> =
        LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap());
    let key = key_in(&scope("1"), n);
    let mut found = None;
    eventually(|| {
        let before = store.status().reads;
        found = RUNTIME.block_on(store.get(&key));
        let now = store.status().reads;
        found.is_some() || now.miss > before.miss
    });
    found
}

fn open(path: &Path) -> FileStore {
    FileStore::open(FileConfig { queue_len_max: 100_000, ..support::patient(path) })
}

fn eventually(mut is_so: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    while !is_so() {
        if started.elapsed() > Duration::from_mins(2) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts")
}

fn me() -> std::path::PathBuf {
    std::env::current_exe().expect("a running program has a path")
}
