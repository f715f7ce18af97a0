//! Answers to store, and directories to store them in.

#![allow(dead_code, reason = "no test program needs all of it")]

#[cfg(feature = "redis-server-tests")]
pub(crate) mod certificates;
#[cfg(feature = "redis-server-tests")]
pub(crate) mod redis_server;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pentad_engine::{
    GameKey, GameStep, PositionKey, RecordedGame, StopReason, StoreKey, StoreScope, StoredAnswer, StoredLine,
};
use pentad_model::rng::mix;
use pentad_model::{Certainty, Evaluation, Scores, Source, Wdl};
use pentad_store::FileConfig;

/// A directory that is removed when the test ends.
pub(crate) struct ScratchDir(PathBuf);

impl ScratchDir {
    pub(crate) fn new() -> ScratchDir {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("pentad-store-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).expect("a directory for temporary files");
        ScratchDir(dir)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // The system cleans up whatever is left.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Configures a file with timeouts that suit slow machines.
pub(crate) fn patient(path: &Path) -> FileConfig {
    let minute = Duration::from_mins(1);
    FileConfig { open_wait: minute, read_timeout: minute, ..FileConfig::new(path.to_owned()) }
}

pub(crate) fn scope(version: &str) -> Arc<StoreScope> {
    Arc::new(StoreScope {
        game: "pentago".to_owned(),
        version: version.to_owned(),
        fingerprint: "000102030405060708090a0b0c0d0e0f".to_owned(),
        variant: "standard".to_owned(),
    })
}

/// Returns the key of the n-th position, spread over all keys as digests are.
pub(crate) fn key_in(scope: &Arc<StoreScope>, n: u64) -> StoreKey {
    let digest = (u128::from(mix(n)) << 64) | u128::from(mix(!n));
    StoreKey { scope: scope.clone(), digest: PositionKey(digest.to_be_bytes()) }
}

/// Returns an answer like those of Pentago searches that depends on `n`.
pub(crate) fn answer(n: u64, stop: StopReason, depth: u32) -> StoredAnswer {
    let is_proven = stop == StopReason::Proven;
    let evaluation = Evaluation {
        certainty: if is_proven { Certainty::Proven } else { Certainty::Estimate },
        outcome: is_proven.then_some(Wdl::Win),
        plies_to_end: is_proven.then_some(7),
        scores: if is_proven { Scores::pair(0, 1.0) } else { Scores::pair(0, 0.512_345_678) },
        source: Source::Search,
        depth,
    };
    let moves = ["c3-2r", "d4-1l", "b2-3r", "e5-4l", "a1-1r", "f6-2l", "c5-3l"].map(str::to_owned).to_vec();
    let line = StoredLine { moves, evaluation, equivalents: vec!["c3-2l".to_owned(), "d3-2r".to_owned()] };
    StoredAnswer {
        position: "w1b3/2w3/1b2w1/3b2/w4b/2b2w w".to_owned(),
        stop,
        n_lines: 1,
        took: Duration::from_micros(150_000 + n % 1000),
        depth,
        nodes: n,
        evaluation,
        lines: vec![line],
        n_choices: 180,
        n_moves: 220,
        is_trusted: true,
    }
}

/// Waits until `check` succeeds; after a minute, the test fails with its last error.
pub(crate) async fn assert_eventually<T>(what: &str, mut check: impl FnMut() -> Result<T, String>) -> T {
    let give_up = Instant::now() + Duration::from_mins(1);
    loop {
        match check() {
            Ok(value) => return value,
            Err(error) => assert!(Instant::now() < give_up, "{what}: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Returns the n-th game: from the first position to one of seven, and on to one of its
/// own.
pub(crate) fn game(scope: &Arc<StoreScope>, n: u64) -> Arc<RecordedGame> {
    let position = |n: u64| key_in(scope, n).digest;
    let scores = Scores::pair(0, [1.0, 0.5, 0.0][(n % 3) as usize]);
    let way = [position(0), position(1 + n % 7), position(100 + n)];
    Arc::new(RecordedGame {
        scope: scope.clone(),
        key: GameKey(position(!n).0),
        id: format!("game {n}"),
        position: "6/6/6/6/6/6 w".to_owned(),
        moves: vec!["c3-2r".to_owned(), "d4-1l".to_owned()],
        scores: vec![("w".to_owned(), scores[0]), ("b".to_owned(), scores[1])],
        steps: way.windows(2).map(|pair| GameStep { before: pair[0], after: pair[1], scores }).collect(),
    })
}
