//! A store in a file: what it keeps, and which failures it survives.

#![forbid(unsafe_code)]

mod support;

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pentad_engine::{AnswerStore, LocalLookup, PositionKey, Recorded, StopReason, StoreKey, StoredAnswer};
use pentad_store::{FileConfig, FileStore, Imported, Layer, LayerState, Layers, StoreError, StoreFile};
use support::{ScratchDir, answer, game, key_in, scope};

const PROVEN: StopReason = StopReason::Proven;
const TIME: StopReason = StopReason::Time;

fn open(path: &Path) -> FileStore {
    FileStore::open(support::patient(path))
}

async fn put(store: &FileStore, key: &StoreKey, answer: &StoredAnswer) {
    assert!(store.put(key, answer).await.expect("the writer lives"), "{:?}", store.status());
}

/// Waits until the store is up or down.
async fn until(store: &FileStore, what: &str, is_so: impl Fn(&LayerState) -> bool) {
    let waited = tokio::time::timeout(Duration::from_mins(1), async {
        while !is_so(&store.status().state) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("after a minute still not {what}: {:?}", store.status()));
}

/// An acknowledged answer is found at once and after a restart.
#[tokio::test]
async fn answers_outlive_the_process() {
    let dir = ScratchDir::new();
    let (scope, path) = (scope("1"), dir.path("answers"));
    {
        let store = open(&path);
        for n in 0..100 {
            store.offer(&key_in(&scope, n), &answer(n, PROVEN, 5));
        }
        assert!(store.flush().await.expect("the writer lives"));
        assert_eq!(store.get(&key_in(&scope, 7)).await, Some(answer(7, PROVEN, 5)));
    }
    let store = open(&path);
    assert_eq!(store.status().entries, 100);
    for n in 0..100 {
        assert_eq!(store.get(&key_in(&scope, n)).await, Some(answer(n, PROVEN, 5)));
    }
    assert_eq!(store.get(&key_in(&scope, 100)).await, None);
    let status = store.status();
    assert_eq!((status.reads.hit, status.reads.miss, status.state), (100, 1, LayerState::Up));
}

/// A proof replaces an estimate, and a deeper estimate a shallower one, never the reverse.
#[tokio::test]
async fn the_better_answer_stays() {
    let dir = ScratchDir::new();
    let store = open(&dir.path("answers"));
    let key = key_in(&scope("1"), 1);
    for (offered, stays) in [
        (answer(1, TIME, 8), answer(1, TIME, 8)),
        (answer(2, TIME, 7), answer(1, TIME, 8)),
        (answer(3, TIME, 9), answer(3, TIME, 9)),
        (answer(4, PROVEN, 2), answer(4, PROVEN, 2)),
        (answer(5, TIME, 40), answer(4, PROVEN, 2)),
    ] {
        put(&store, &key, &offered).await;
        assert_eq!(store.get(&key).await, Some(stays));
    }
    let status = store.status();
    assert_eq!((status.writes.stored, status.writes.kept, status.entries), (3, 2, 1));
}

/// Answers found under other rules are not returned.
#[tokio::test]
async fn rules_are_kept_apart() {
    let dir = ScratchDir::new();
    let store = open(&dir.path("answers"));
    put(&store, &key_in(&scope("1"), 1), &answer(1, PROVEN, 5)).await;
    assert_eq!(store.get(&key_in(&scope("2"), 1)).await, None);
    put(&store, &key_in(&scope("2"), 1), &answer(2, PROVEN, 5)).await;
    assert_eq!(store.get(&key_in(&scope("1"), 1)).await, Some(answer(1, PROVEN, 5)));
}

/// A damaged file, or one that is not a store, is kept under another name and replaced by
/// an empty store.
#[tokio::test]
async fn unreadable_files_are_set_aside() {
    let dir = ScratchDir::new();
    let path = dir.path("answers");
    let key = key_in(&scope("1"), 1);
    std::fs::write(&path, b"not a store, but 40 bytes of something else").unwrap();
    {
        let store = open(&path);
        assert_eq!((store.status().set_aside, store.status().state), (1, LayerState::Up));
        put(&store, &key, &answer(1, PROVEN, 5)).await;
    }
    // The first page identifies the file.
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all(&[0xaa; 4096]).unwrap();
    drop(file);
    let store = open(&path);
    assert_eq!((store.status().set_aside, store.status().state), (1, LayerState::Up));
    assert_eq!(store.get(&key).await, None);
    put(&store, &key, &answer(2, PROVEN, 5)).await;
    let names = std::fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.starts_with("answers.unreadable-")).count(), 2);
}

/// Wherever a file is damaged, the store opens and returns only answers that were stored.
#[tokio::test]
async fn damage_anywhere_costs_answers_and_no_more() {
    let dir = ScratchDir::new();
    let (path, scope) = (dir.path("answers"), scope("1"));
    {
        let store = open(&path);
        for n in 0..300 {
            store.offer(&key_in(&scope, n), &answer(n, PROVEN, 5));
        }
        assert!(store.flush().await.expect("the writer lives"));
    }
    let whole = std::fs::read(&path).unwrap();
    let mut rng = pentad_model::rng::Rng::new(5);
    let mut n_found = 0;
    for round in 0..30 {
        let damaged = dir.path(&format!("damaged-{round}"));
        std::fs::write(&damaged, &whole).unwrap();
        let mut file = std::fs::OpenOptions::new().write(true).open(&damaged).unwrap();
        file.seek(SeekFrom::Start(rng.below(whole.len()) as u64)).unwrap();
        file.write_all(&[rng.next_u64() as u8; 700][..1 + rng.below(700)]).unwrap();
        if round % 10 == 9 {
            file.set_len(rng.below(whole.len()) as u64).unwrap();
        }
        drop(file);
        let store = open(&damaged);
        until(&store, "up", LayerState::is_up).await;
        for n in 0..300 {
            if let Some(found) = store.get(&key_in(&scope, n)).await {
                assert_eq!(found, answer(n, PROVEN, 5), "round {round}");
                n_found += 1;
            }
        }
    }
    assert!(n_found > 0, "most damage leaves most answers");
}

/// A second process, here a second store, runs without the file, reports that, and opens
/// it once the first has closed it.
#[tokio::test]
async fn a_file_serves_one_process_at_a_time() {
    let dir = ScratchDir::new();
    let path = dir.path("answers");
    let key = key_in(&scope("1"), 1);
    let first = open(&path);
    put(&first, &key, &answer(1, PROVEN, 5)).await;
    let second = open(&path);
    let problem = second.status().state.problem().map(str::to_owned).expect("it is down");
    assert!(problem.contains("another process has this store open"), "{problem}");
    assert_eq!(second.get(&key).await, None);
    second.offer(&key_in(&scope("1"), 2), &answer(2, PROVEN, 5));
    assert!(matches!(StoreFile::open(&path), Err(StoreError::InUse { .. })));
    drop(first);
    until(&second, "up", LayerState::is_up).await;
    assert_eq!(second.get(&key).await, Some(answer(1, PROVEN, 5)));
    assert_eq!(second.status().set_aside, 0);
}

/// An impossible path is reported and has no other effect.
#[tokio::test]
async fn a_place_that_cannot_be_opened_is_said() {
    let dir = ScratchDir::new();
    for path in [dir.path("no/such/directory"), dir.path("")] {
        let store = open(&path);
        assert!(matches!(store.status().state, LayerState::Down(_)), "{:?}", store.status());
        assert_eq!(store.get(&key_in(&scope("1"), 1)).await, None);
        assert!(!store.flush().await.unwrap_or(false));
    }
}

/// A full file makes room by evicting answers that are quickly found again.
#[tokio::test]
async fn a_full_file_keeps_the_most_valuable() {
    let dir = ScratchDir::new();
    let path = dir.path("answers");
    let store = FileStore::open(FileConfig { bytes_max: 1 << 20, queue_len_max: 100_000, ..support::patient(&path) });
    let scope = scope("1");
    let is_costly = |n: u64| n.is_multiple_of(4);
    for n in 0..12_000 {
        let took = Duration::from_millis(if is_costly(n) { 60_000 } else { 100 });
        store.offer(&key_in(&scope, n), &StoredAnswer { took, ..answer(n, TIME, 8) });
        if n % 500 == 499 {
            assert!(store.flush().await.expect("the writer lives"));
        }
    }
    // An idle second also makes some room.
    let settled = tokio::time::timeout(Duration::from_mins(1), async {
        while store.status().bytes > 650_000 {
            store.offer(&key_in(&scope, 0), &answer(0, TIME, 8));
            assert!(store.flush().await.expect("the writer lives"));
        }
    });
    settled.await.expect("the file shrinks to its bound");
    assert!(store.status().writes.evicted > 0);
    let (mut n_costly, mut n_cheap) = (0, 0);
    for n in 0..12_000 {
        if store.get(&key_in(&scope, n)).await.is_some() {
            if is_costly(n) { n_costly += 1 } else { n_cheap += 1 }
        }
    }
    assert!(n_costly > 2 * n_cheap, "{n_costly} costly and {n_cheap} cheap ones are left");
    drop(store);
    let file_bytes = std::fs::metadata(&path).unwrap().len();
    assert!(file_bytes <= 4 << 20, "{file_bytes} bytes, of which some are free");
}

/// Exported answers can be imported elsewhere, where the better of two answers stays.
#[tokio::test]
async fn exports_can_be_imported() {
    let dir = ScratchDir::new();
    let (from, to, scope) = (dir.path("from"), dir.path("to"), scope("1"));
    {
        let store = open(&from);
        for n in 0..50 {
            store.offer(&key_in(&scope, n), &answer(n, if n % 2 == 0 { PROVEN } else { TIME }, 8));
        }
        assert!(store.flush().await.expect("the writer lives"));
        let other = open(&to);
        put(&other, &key_in(&scope, 1), &answer(99, PROVEN, 5)).await;
    }
    let mut lines = Vec::new();
    let exported = StoreFile::open(&from).unwrap().export(|line| {
        lines.push(line.to_owned());
        Ok(())
    });
    assert_eq!(exported.unwrap(), 50);
    let target = StoreFile::open(&to).unwrap();
    let imported = target.import(lines.iter().cloned().map(Ok), true, |_| {}).unwrap();
    assert_eq!(imported, Imported { stored: 49, kept: 1 });
    let stats = target.stats(|| {}).unwrap();
    assert_eq!((stats.entries, stats.scopes.len(), stats.scopes[0].proven), (50, 1, 26));
    assert_eq!(stats.scopes[0].scope, *scope);
    let bad = ["", "{\"game\": 1}"].map(|line| Ok(line.to_owned()));
    let error = target.import(bad.into_iter(), true, |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("line 2: invalid type"), "{error}");
    drop(target);
    let verified = StoreFile::open(&to).unwrap().verify(|_, _| None).unwrap();
    assert_eq!((verified.good, verified.unchecked, verified.damaged, verified.is_sound), (50, 50, 0, true));
    StoreFile::open(&to).unwrap().compact().unwrap();
    let store = open(&to);
    assert_eq!(store.get(&key_in(&scope, 3)).await, Some(answer(3, TIME, 8)));
    assert_eq!(store.get(&key_in(&scope, 1)).await, Some(answer(99, PROVEN, 5)));
}

/// Imported answers are not trusted unless the import is, however often they are moved; any
/// own proof replaces such a one, and it replaces none.
#[tokio::test]
async fn imports_are_not_trusted() {
    let dir = ScratchDir::new();
    let (scope, [first, second, third]) = (scope("1"), ["first", "second", "third"].map(|name| dir.path(name)));
    let (key, proof) = (key_in(&scope, 1), answer(1, PROVEN, 5));
    put(&open(&first), &key, &StoredAnswer { n_lines: 9, ..proof.clone() }).await;
    let copy = |from: &Path, to: &Path, is_trusted| {
        let mut lines = Vec::new();
        let write = |line: &str| {
            lines.push(Ok(line.to_owned()));
            Ok(())
        };
        StoreFile::open(from).unwrap().export(write).unwrap();
        StoreFile::create(to).unwrap().import(lines.into_iter(), is_trusted, |_| {}).unwrap()
    };
    copy(&first, &second, false);
    copy(&second, &third, true);
    for path in [&second, &third] {
        let imported = open(path).get(&key).await.expect("it was imported");
        assert!(!imported.is_trusted && !imported.is_proven(), "{imported:?}");
        let scopes = StoreFile::open(path).unwrap().stats(|| {}).unwrap().scopes;
        assert_eq!((scopes[0].proven, scopes[0].not_trusted), (0, 1));
    }
    put(&open(&second), &key, &proof).await;
    assert_eq!(copy(&first, &second, false), Imported { stored: 0, kept: 1 });
    assert_eq!(open(&second).get(&key).await, Some(proof));
    assert_eq!(copy(&first, &second, true), Imported { stored: 1, kept: 0 });
}

/// A game counts once, for each of its positions and with its scores, even after a restart
/// and only under its own rules; an exploration also finds answers of later positions.
#[tokio::test]
async fn games_count_once() {
    let dir = ScratchDir::new();
    let (scope, path) = (scope("1"), dir.path("answers"));
    let after: Vec<PositionKey> = (1..=3).map(|n| key_in(&scope, n).digest).collect();
    {
        let store = open(&path);
        put(&store, &key_in(&scope, 2), &answer(2, PROVEN, 5)).await;
        for n in 0..21 {
            assert_eq!(store.record(&game(&scope, n)).await, Recorded::New);
        }
        assert_eq!(store.record(&game(&scope, 7)).await, Recorded::Known);
    }
    let store = open(&path);
    assert_eq!(store.record(&game(&scope, 8)).await, Recorded::Known);
    let explored = store.explore(&key_in(&scope, 0), &after).await;
    assert_eq!(explored.answers_after, [None, Some(answer(2, PROVEN, 5)), None]);
    assert_eq!((explored.answer, explored.played.len()), (None, 7));
    for (position, tally) in &explored.played {
        assert_eq!(tally.games, 3, "{position}");
        assert_eq!(tally.mean(2).map(|mean| mean.as_slice().to_vec()), Some(vec![0.5, 0.5]), "{position}");
    }
    let second = store.explore(&key_in(&scope, 1), &[]).await;
    assert_eq!(second.played.iter().map(|(_, tally)| tally.games).collect::<Vec<_>>(), [1, 1, 1]);
    let other_rules = support::scope("2");
    assert_eq!(store.explore(&key_in(&other_rules, 0), &after).await.played, []);
    drop(store);
    let mut file = StoreFile::open(&path).expect("nobody has it open");
    let stats = file.stats(|| ()).expect("it can be read");
    assert_eq!((stats.games, stats.scopes[0].games, stats.entries), (21, 21, 1));
    let mut lines = Vec::new();
    file.export_games(|line| {
        lines.push(line.to_owned());
        Ok(())
    })
    .expect("it can be read");
    assert_eq!(lines.len(), 21);
    let scores = [r#"{"b":0.0,"w":1.0}"#, r#"{"b":0.5,"w":0.5}"#, r#"{"b":1.0,"w":0.0}"#];
    assert!(lines.iter().all(|line| scores.iter().any(|it| line.contains(it))), "{lines:?}");
    let verified = file.verify(|_, _| None).expect("it can be read");
    // One step from the first position to each of seven, and one from there for each game.
    assert_eq!((verified.good_games, verified.damaged_games), (21 + 7 + 21, 0));
}

/// Recorded games outlive an upgrade to another format of the file and a way back, also
/// if an earlier attempt was cut short.
#[tokio::test]
async fn games_outlive_other_formats() {
    let dir = ScratchDir::new();
    let (scope, path) = (scope("1"), dir.path("answers"));
    let record = async |games: std::ops::Range<u64>| {
        let store = open(&path);
        for n in games {
            assert_eq!(store.record(&game(&scope, n)).await, Recorded::New, "game {n}");
        }
        put(&store, &key_in(&scope, 2), &answer(2, PROVEN, 5)).await;
    };
    record(0..14).await;
    for (round, format) in [2, 7].into_iter().enumerate() {
        set_format(&path, format);
        std::fs::write(dir.path("answers.new"), b"cut short").unwrap();
        let first = 14 * (1 + round as u64);
        record(first..first + 14).await;
        let store = open(&path);
        assert_eq!(store.status().state, LayerState::Up);
        assert_eq!(store.record(&game(&scope, 3)).await, Recorded::Known);
        let explored = store.explore(&key_in(&scope, 0), &[]).await;
        assert!(explored.played.iter().all(|(_, tally)| tally.games == (first + 14) / 7), "{explored:?}");
        drop(store);
        let file = StoreFile::open(&path).expect("nobody has it open");
        let stats = file.stats(|| ()).expect("it can be read");
        assert_eq!((stats.games, stats.entries), (first + 14, 1), "answers are collected again");
    }
    let names = std::fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.starts_with("answers.unreadable-")).count(), 2, "the old files are kept");
}

/// Gives a store the number of another format, as another version of this program would.
fn set_format(path: &Path, format: u64) {
    let database = redb::Database::open(path).expect("nobody has it open");
    let write = database.begin_write().expect("it is writable");
    let about = redb::TableDefinition::<&str, u64>::new("about");
    write.open_table(about).expect("every store has it").insert("format", format).expect("it is writable");
    write.commit().expect("it is writable");
}

/// A thread that reads for itself gets answers of the nearest layer; others are looked up
/// in all layers and are then in the nearest one.
#[tokio::test]
async fn the_nearest_layer_is_read_at_once() {
    let dir = ScratchDir::new();
    let [near, far] = ["near", "far"].map(|name| Arc::new(open(&dir.path(name))));
    let layers = Layers::new(vec![near.clone(), far.clone()]);
    let scope = scope("1");
    let [in_near, in_far, nowhere] = [1, 2, 3].map(|n| key_in(&scope, n));
    put(&near, &in_near, &answer(1, PROVEN, 5)).await;
    put(&far, &in_near, &answer(9, TIME, 5)).await;
    put(&far, &in_far, &answer(2, PROVEN, 5)).await;
    let here = |key: &StoreKey| match layers.get_here(key) {
        LocalLookup::Found(found) => Some(found.nodes),
        LocalLookup::Elsewhere => None,
        LocalLookup::Nothing => panic!("a farther layer may have it"),
    };
    assert_eq!([here(&in_near), here(&in_far), here(&nowhere)], [Some(1), None, None]);
    assert_eq!(far.status().reads.hit + far.status().reads.miss, 0, "no thread waits for a farther layer");

    assert_eq!(layers.get(&in_far).await, Some(answer(2, PROVEN, 5)));
    assert_eq!(layers.get(&nowhere).await, None);
    assert!(near.flush().await.expect("the writer lives"));
    assert_eq!(here(&in_far), Some(2));
    // A proof that the nearest layer does not vouch for hides none that a farther one vouches for.
    let imported = key_in(&scope, 4);
    put(&near, &imported, &StoredAnswer { is_trusted: false, ..answer(4, PROVEN, 9) }).await;
    assert_eq!((here(&imported), layers.get(&imported).await.map(|it| it.nodes)), (None, Some(4)));
    put(&far, &imported, &answer(5, PROVEN, 5)).await;
    assert_eq!(layers.get(&imported).await, Some(answer(5, PROVEN, 5)));
    assert!(near.flush().await.expect("the writer lives"));
    assert_eq!(here(&imported), Some(5));
    let alone = Layers::new(vec![near]);
    assert!(matches!(alone.get_here(&nowhere), LocalLookup::Nothing), "there is no other layer");
}

/// The next lookup after an acknowledgement sees the answer, whatever others read meanwhile.
#[tokio::test]
async fn acknowledged_answers_are_seen_at_once() {
    let dir = ScratchDir::new();
    let store = FileStore::open(FileConfig { group_commit: Duration::ZERO, ..support::patient(&dir.path("answers")) });
    let key = key_in(&scope("1"), 1);
    let (store, is_over) = (Arc::new(store), Arc::new(AtomicBool::new(false)));
    let readers = [(); 2].map(|()| {
        let (store, key, is_over) = (store.clone(), key.clone(), is_over.clone());
        std::thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                drop(store.get_here(&key));
            }
        })
    });
    for depth in 1..300 {
        put(&store, &key, &answer(1, TIME, depth)).await;
        assert_eq!(store.get(&key).await.map(|answer| answer.depth), Some(depth));
    }
    is_over.store(true, Ordering::Relaxed);
    readers.into_iter().for_each(|reader| reader.join().expect("no panic"));
}
