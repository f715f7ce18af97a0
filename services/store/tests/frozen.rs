//! Files that earlier builds wrote, with answers of searches and a recorded game.
//!
//! `frozen/format-N.redb` was written by a build with the format `N` and is never replaced; the lines beside it are what
//! that build exported.

#![forbid(unsafe_code)]

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentad_engine::{AnswerStore, PositionKey, StopReason, StoreKey, StoreScope};
use pentad_store::{FileStore, Layer, LayerState, StoreFile};
use serde_json::Value;
use support::{ScratchDir, answer, key_in, scope};

fn frozen(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen").join(name)
}

fn frozen_lines(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(frozen(name)).expect("it is in the tree");
    text.lines().map(str::to_owned).collect()
}

/// Returns the key of an exported answer.
fn key_of(answer: &Value) -> StoreKey {
    let text = |name: &str| answer[name].as_str().expect("a text").to_owned();
    let scope = StoreScope {
        game: text("game"),
        version: text("version"),
        fingerprint: text("fingerprint"),
        variant: text("variant"),
    };
    let digest = u128::from_str_radix(&text("key"), 16).expect("hexadecimal digits");
    StoreKey { scope: Arc::new(scope), digest: PositionKey(digest.to_be_bytes()) }
}

/// Answers and games of the format 1 are read as they were written, and the file takes more.
#[tokio::test]
async fn format_1_is_read() {
    let dir = ScratchDir::new();
    let path = dir.path("answers");
    std::fs::copy(frozen("format-1.redb"), &path).expect("it can be copied");
    let lines = frozen_lines("format-1-answers.ndjson");
    {
        let file = StoreFile::open(&path).expect("it opens");
        let (mut answers, mut games) = (Vec::new(), Vec::new());
        let read = file.export(|line| {
            answers.push(line.to_owned());
            Ok(())
        });
        assert_eq!(read.expect("answers can be read"), lines.len() as u64);
        let read = file.export_games(|line| {
            games.push(line.to_owned());
            Ok(())
        });
        assert_eq!(read.expect("games can be read"), 1);
        assert_eq!(answers, lines);
        assert_eq!(games, frozen_lines("format-1-games.ndjson"));
    }
    let store = FileStore::open(support::patient(&path));
    let status = store.status();
    assert_eq!((status.state, status.set_aside, status.entries), (LayerState::Up, 0, lines.len() as u64));
    let (new, added) = (key_in(&scope("1"), 1), answer(1, StopReason::Proven, 5));
    assert!(store.put(&new, &added).await.expect("the writer lives"), "{:?}", store.status());
    assert_eq!(store.get(&new).await, Some(added));
    for line in &lines {
        let written: Value = serde_json::from_str(line).expect("JSON");
        let key = key_of(&written);
        let read = store.get(&key).await.expect("it is found");
        assert_eq!(written["position"], read.position.as_str());
        assert_eq!(written["lines"][0]["moves"][0], read.lines[0].moves[0].as_str());
        assert!(read.is_trusted, "its own searches found it: {read:?}");
        // All of these positions are from the recorded game.
        let explored = store.explore(&key, &[]).await;
        assert_eq!(explored.played.iter().map(|(_, tally)| tally.games).sum::<u64>(), 1, "{explored:?}");
    }
}
