//! Shared stores in a real server, Redis or Valkey. `.ci/redis` runs this.

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pentad_engine::{AnswerStore, Claim, Recorded, StopReason, StoredAnswer};
use pentad_model::rng::Rng;
use pentad_store::{FileStore, Layer, LayerState, Layers, SharedAddress, SharedConfig, SharedStore};
use redis::Commands;

use support::redis_server::RedisServer;
use support::{ScratchDir, answer, assert_eventually, game, key_in, patient, scope};

const MINUTE: Duration = Duration::from_mins(1);

async fn flushed(store: &SharedStore) {
    assert!(store.flush().await.expect("the writer lives"), "{store:?}");
}

/// One replica finds exactly what another offers.
#[tokio::test]
async fn replicas_share_answers() {
    let server = RedisServer::start(&[]);
    let (one, other) = (server.open(), server.open());
    let key = key_in(&scope("1"), 1);
    assert_eq!(other.get(&key).await, None);
    let proof = answer(1, StopReason::Proven, 7);
    one.offer(&key, &proof);
    flushed(&one).await;
    assert_eq!(other.get(&key).await, Some(proof));
    assert_eq!(other.get(&key_in(&scope("2"), 1)).await, None, "of another version");
    let reads = other.status().reads;
    assert_eq!((reads.hit, reads.miss), (1, 2));
    let mut connection = server.connection();
    let keys: Vec<String> = connection.keys("*").expect("keys");
    assert!(matches!(&keys[..], [key] if key.starts_with("pentad:1:signed:pentago:1:")), "{keys:?}");
}

/// The better answer replaces the worse one, never the reverse.
#[tokio::test]
async fn the_better_answer_stays() {
    let server = RedisServer::start(&[]);
    let store = server.open();
    let key = key_in(&scope("1"), 1);
    let estimate = |depth| answer(1, StopReason::Time, depth);
    let proof = answer(1, StopReason::Proven, 3);
    let more_lines = StoredAnswer { n_lines: 2, ..proof.clone() };
    for (offered, kept) in [
        (estimate(9), estimate(9)),
        (estimate(8), estimate(9)),
        (estimate(300), estimate(300)),
        (estimate(255), estimate(300)),
        (proof.clone(), proof.clone()),
        (estimate(500), proof.clone()),
        (more_lines.clone(), more_lines.clone()),
        (proof, more_lines),
    ] {
        store.offer(&key, &offered);
        flushed(&store).await;
        assert_eq!(store.get(&key).await, Some(kept));
    }
    let writes = store.status().writes;
    assert_eq!((writes.stored, writes.kept), (4, 4));
}

/// Four replicas write answers to the same questions at once, in any order: a reader never
/// sees a worse answer than before, and the best one stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn four_writers_at_once() {
    const KEYS: u64 = 8;
    const PER_WRITER: u64 = 400;
    let server = RedisServer::start(&[]);
    let scope = scope("1");
    let nth = |n: u64| {
        let mut rng = Rng::new(n);
        let stop = if rng.below(10) == 0 { StopReason::Proven } else { StopReason::Time };
        answer(n, stop, rng.below(400) as u32)
    };
    let writers: Vec<Arc<SharedStore>> = (0..4).map(|_| Arc::new(server.open())).collect();
    let is_done = Arc::new(AtomicBool::new(false));
    let watching = {
        let (reader, scope, is_done) = (server.open(), scope.clone(), is_done.clone());
        tokio::spawn(async move {
            let mut seen = [const { None }; KEYS as usize];
            while !is_done.load(Ordering::SeqCst) {
                for (n, seen) in seen.iter_mut().enumerate() {
                    let rank = reader.get(&key_in(&scope, n as u64)).await.map(|answer| answer.rank());
                    assert!(rank >= *seen, "{rank:?} after {seen:?}");
                    *seen = rank;
                }
            }
        })
    };
    let writing: Vec<_> = (0..4)
        .map(|writer| {
            let (store, scope) = (writers[writer as usize].clone(), scope.clone());
            tokio::spawn(async move {
                for n in writer * PER_WRITER..(writer + 1) * PER_WRITER {
                    store.offer(&key_in(&scope, n % KEYS), &nth(n));
                    if n.is_multiple_of(50) {
                        flushed(&store).await;
                    }
                }
                flushed(&store).await;
            })
        })
        .collect();
    for writer in writing {
        writer.await.expect("it writes");
    }
    is_done.store(true, Ordering::SeqCst);
    watching.await.expect("no answer was replaced by a worse one");
    let n_counted: u64 = writers.iter().map(|store| store.status().writes).map(|it| it.stored + it.kept).sum();
    assert_eq!(n_counted, 4 * PER_WRITER);
    for key in 0..KEYS {
        let best = (0..4 * PER_WRITER).filter(|n| n % KEYS == key).map(nth).max_by_key(StoredAnswer::rank);
        let kept = writers[0].get(&key_in(&scope, key)).await.expect("an answer");
        assert_eq!(kept.rank(), best.expect("some").rank());
    }
}

/// A killed server is detected, and used again when it is back.
#[tokio::test]
async fn a_server_that_is_killed_and_comes_back() {
    let mut server = RedisServer::start(&[]);
    let store = server.open();
    let scope = scope("1");
    store.offer(&key_in(&scope, 0), &answer(0, StopReason::Proven, 1));
    flushed(&store).await;
    server.kill();
    assert_eventually_down(&store, "").await;
    store.offer(&key_in(&scope, 1), &answer(1, StopReason::Proven, 1));
    assert_eq!(store.get(&key_in(&scope, 0)).await, None);
    server.restart();
    assert_eventually_up(&store).await;
    // Answers offered meanwhile waited; those in the server are lost with it.
    flushed(&store).await;
    assert_eq!(store.get(&key_in(&scope, 1)).await, Some(answer(1, StopReason::Proven, 1)));
    assert_eq!(store.get(&key_in(&scope, 0)).await, None);
}

/// A server that does not answer within 5 ms gets a few requests and then none until it
/// answers again.
#[tokio::test]
async fn a_slow_server() {
    let server = RedisServer::start(&[]);
    let address = server.patient().address;
    let store = SharedStore::open(SharedConfig { open_wait: MINUTE, ..SharedConfig::new(address) });
    assert_eventually_up(&store).await;
    let before = store.status().reads;
    server.suspend();
    let key = key_in(&scope("1"), 1);
    let mut n = 0;
    while store.status().reads.skipped < before.skipped + 50 {
        assert_eq!(store.get(&key).await, None);
        assert!(matches!(store.claim(&key, MINUTE).await, Claim::Granted(_)));
        n += 1;
    }
    let reads = store.status().reads;
    let n_tried = reads.timeout + reads.failed - before.timeout - before.failed;
    assert_eq!(n_tried + 50, n, "{reads:?}");
    // Fewer if the idle writer has also noticed it.
    assert!((1..=5).contains(&n_tried), "{reads:?}");
    assert!(matches!(store.status().state, LayerState::Down(reason) if reason == "no reply within 5 ms"));
    server.resume();
    assert_eventually_up(&store).await;
}

/// A value that is not an answer is a miss and is replaced.
#[tokio::test]
async fn values_that_are_not_answers() {
    let server = RedisServer::start(&[]);
    let store = server.open();
    let key = key_in(&scope("1"), 1);
    let proof = answer(1, StopReason::Proven, 7);
    store.offer(&key, &proof);
    flushed(&store).await;
    let mut connection = server.connection();
    let name = connection.keys::<_, Vec<String>>("*").expect("keys").remove(0);
    let value: Vec<u8> = connection.get(&name).expect("a value");
    let outranking = [&[0xff; 21][..], &value[21..]].concat();
    let mut damaged = value.clone();
    *damaged.last_mut().expect("bytes") ^= 1;
    let bad = [damaged, outranking, value[..20].to_vec(), vec![0xff; 1 << 20]];
    for (n, value) in bad.iter().enumerate() {
        let _: () = connection.set(&name, value).expect("it is set");
        assert_eq!(store.get(&key).await, None, "value {n}");
        flushed(&store).await;
        assert!(!connection.exists::<_, bool>(&name).expect("a number"), "value {n} is deleted");
    }
    let _: () = connection.rpush(&name, "a list").expect("it is set");
    assert_eq!(store.get(&key).await, None);
    let _: () = connection.rpush(&name, "a list").expect("it is set");
    store.offer(&key, &proof);
    flushed(&store).await;
    assert_eq!(store.get(&key).await, Some(proof));
    assert_eq!(store.status().reads.bad, bad.len() as u64 + 1);
    assert!(store.status().state.is_up());
}

/// One replica holds a search until it releases it or its time is up.
#[tokio::test]
async fn searches_are_claimed() {
    let server = RedisServer::start(&[]);
    let (one, other) = (server.open(), server.open());
    let search = key_in(&scope("1"), 1);
    let Claim::Granted(lease) = one.claim(&search, MINUTE).await else { panic!("nobody has it") };
    let Claim::Taken { expires_in } = other.claim(&search, MINUTE).await else { panic!("it is taken") };
    assert!(expires_in <= MINUTE);
    assert!(matches!(other.claim(&key_in(&scope("1"), 2), MINUTE).await, Claim::Granted(_)), "another search");
    drop(lease);
    flushed(&one).await;
    let Claim::Granted(lease) = other.claim(&search, Duration::from_millis(20)).await else { panic!("it is free") };
    // As if the process had died.
    std::mem::forget(lease);
    let mut again = None;
    for _ in 0..6000 {
        if let Claim::Granted(lease) = one.claim(&search, MINUTE).await {
            again = Some(lease);
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let again = again.expect("it expires");
    // Releasing a lease does not release another replica's.
    assert!(matches!(other.claim(&search, MINUTE).await, Claim::Taken { .. }));
    drop(again);
}

/// However long a search may take, its lease is short and renewed while it is held; other
/// replicas learn how long the search takes at most.
#[tokio::test]
async fn leases_are_renewed_while_they_are_held() {
    let server = RedisServer::start(&[]);
    let (one, other) = (server.open(), server.open());
    let mut connection = server.connection();
    // On a machine that stalls for two seconds a lease may expire.
    for n in 0..10 {
        let search = key_in(&scope("1"), n);
        let Claim::Granted(lease) = one.claim(&search, MINUTE).await else { panic!("nobody has it") };
        let name = format!("pentad:1:lease:pentago:1:{}:standard:{}", search.scope.fingerprint, search.digest);
        let mut left_ms: i64 = connection.pttl(&name).expect("a number");
        assert!(left_ms <= 2000, "{left_ms} ms");
        if let Claim::Taken { expires_in } = other.claim(&search, MINUTE).await {
            assert!((Duration::from_secs(2)..=MINUTE).contains(&expires_in), "{expires_in:?}");
        }
        while left_ms > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let before_ms = std::mem::replace(&mut left_ms, connection.pttl(&name).expect("a number"));
            if left_ms > before_ms {
                drop(lease);
                flushed(&one).await;
                assert!(!connection.exists::<_, bool>(&name).expect("a number"), "it is given back");
                return;
            }
        }
    }
    panic!("no lease was renewed");
}

/// A lease that another replica has claimed is neither renewed nor released.
#[tokio::test]
async fn leases_of_others_are_left_alone() {
    let server = RedisServer::start(&[]);
    let store = server.open();
    let Claim::Granted(lease) = store.claim(&key_in(&scope("1"), 1), MINUTE).await else { panic!("nobody has it") };
    let mut connection = server.connection();
    let name = connection.keys::<_, Vec<String>>("pentad:1:lease:*").expect("keys").remove(0);
    let _: () = connection.pset_ex(&name, "another's", 600_000).expect("it is set");
    let n_scripts = |connection: &mut redis::Connection| {
        let info: String = redis::cmd("INFO").arg("commandstats").query(connection).expect("a text");
        let calls = info.lines().find_map(|line| line.strip_prefix("cmdstat_eval:calls="));
        calls.and_then(|calls| calls.split(',').next()?.parse::<u64>().ok()).unwrap_or(0)
    };
    let n_before = n_scripts(&mut connection);
    assert_eventually("it would be renewed", || match n_scripts(&mut connection) {
        n if n > n_before => Ok(()),
        n => Err(format!("{n} scripts")),
    })
    .await;
    drop(lease);
    flushed(&store).await;
    assert_eq!(connection.get::<_, String>(&name).expect("a text"), "another's");
    assert!(connection.pttl::<_, i64>(&name).expect("a number") > 60_000);
}

/// With a wrong password the service runs without the store, and the password is not shown.
#[tokio::test]
async fn passwords() {
    let server = RedisServer::start(&["--requirepass", "s3cret"]);
    let open = |password: &str| {
        let url = format!("{}?pass={password}", server.url());
        SharedStore::open(SharedConfig { address: SharedAddress::parse(&url).expect("an address"), ..server.patient() })
    };
    let refused = open("s3kret");
    assert_eventually_down(&refused, "").await;
    assert!(!format!("{refused:?}").contains("s3kret"), "{refused:?}");
    assert!(open("s3cret").status().state.is_up());
}

/// A user with only the rights named in the runbook can do everything.
#[tokio::test]
async fn rights_of_a_user() {
    let server = RedisServer::start(&[]);
    let mut connection = server.connection();
    let rights =
        ["on", ">s3cret", "~pentad:*", "+eval", "+set", "+get", "+getrange", "+del", "+pttl", "+pexpire", "+time"];
    let begins = ["+auth", "+select", "+client"];
    let set: String =
        redis::cmd("ACL").arg("SETUSER").arg("pentad").arg(&rights).arg(&begins).query(&mut connection).expect("OK");
    assert_eq!(set, "OK");
    let url = format!("{}?user=pentad&pass=s3cret", server.url());
    let open = || {
        SharedStore::open(SharedConfig { address: SharedAddress::parse(&url).expect("an address"), ..server.patient() })
    };
    let (one, other) = (open(), open());
    let key = key_in(&scope("1"), 1);
    one.offer(&key, &answer(1, StopReason::Proven, 7));
    flushed(&one).await;
    assert!(other.get(&key).await.is_some());
    let Claim::Granted(lease) = one.claim(&key, Duration::from_secs(1)).await else { panic!("nobody has it") };
    assert!(matches!(other.claim(&key, MINUTE).await, Claim::Taken { .. }));
    drop(lease);
    flushed(&one).await;
    let Claim::Granted(lease) = other.claim(&key, MINUTE).await else { panic!("it is free") };
    let denied = |connection: &mut redis::Connection| -> Vec<redis::Value> {
        redis::cmd("ACL").arg("LOG").query(connection).expect("a list")
    };
    drop(lease);
    flushed(&other).await;
    assert_eq!(denied(&mut connection), []);
}

/// A full server refuses writes: its answers are still found, and the status reports the
/// problem until it writes again.
#[tokio::test]
async fn a_full_server() {
    let server = RedisServer::start(&[]);
    let store = server.open();
    let scope = scope("1");
    store.offer(&key_in(&scope, 0), &answer(0, StopReason::Proven, 1));
    flushed(&store).await;
    let mut connection = server.connection();
    let mut set_memory = |bytes: &str| {
        let set: String = redis::cmd("CONFIG").arg(&["SET", "maxmemory", bytes]).query(&mut connection).expect("OK");
        assert_eq!(set, "OK");
    };
    set_memory("1");
    store.offer(&key_in(&scope, 1), &answer(1, StopReason::Proven, 1));
    assert!(!store.flush().await.expect("the writer lives"));
    assert_eventually_down(&store, "answers cannot be written: ").await;
    assert!(store.get(&key_in(&scope, 0)).await.is_some());
    set_memory("0");
    store.offer(&key_in(&scope, 1), &answer(1, StopReason::Proven, 1));
    flushed(&store).await;
    assert!(store.status().state.is_up());
}

/// Estimates expire if configured, proofs do not.
#[tokio::test]
async fn estimates_expire() {
    let server = RedisServer::start(&[]);
    let store = SharedStore::open(SharedConfig { estimate_expiry: Some(MINUTE), ..server.patient() });
    let scope = scope("1");
    for (n, stop, may_expire) in [(0, StopReason::Time, true), (1, StopReason::Proven, false)] {
        store.offer(&key_in(&scope, n), &answer(n, stop, 9));
        flushed(&store).await;
        let mut connection = server.connection();
        let digest = key_in(&scope, n).digest;
        let name = connection.keys::<_, Vec<String>>(format!("*:{digest}")).expect("keys").remove(0);
        let ttl_ms: i64 = connection.pttl(name).expect("a number");
        assert_eq!((1..=60_000).contains(&ttl_ms), may_expire, "{stop:?}: {ttl_ms}");
    }
}

/// An answer found in the shared layer is then also in the file.
#[tokio::test]
async fn layers_are_stacked() {
    let server = RedisServer::start(&[]);
    let (one, other) = (server.open(), Arc::new(server.open()));
    let dir = ScratchDir::new();
    let file = Arc::new(FileStore::open(patient(&dir.path("answers"))));
    let layers = Layers::new(vec![file.clone(), other]);
    let key = key_in(&scope("1"), 1);
    let proof = answer(1, StopReason::Proven, 7);
    one.offer(&key, &proof);
    flushed(&one).await;
    assert_eq!(layers.get(&key).await, Some(proof.clone()));
    assert!(file.flush().await.expect("the writer lives"));
    assert_eq!(file.get(&key).await, Some(proof));
    let Claim::Granted(lease) = layers.claim(&key, MINUTE).await else { panic!("nobody has it") };
    assert!(matches!(one.claim(&key, MINUTE).await, Claim::Taken { .. }));
    drop(lease);
    layers.close(MINUTE).await;
    assert!(matches!(one.claim(&key, MINUTE).await, Claim::Granted(_)));
}

/// Keeps making lookups, as a service does, until the store is down.
async fn assert_eventually_down(store: &SharedStore, problem: &str) {
    let key = key_in(&scope("1"), 0);
    assert_eventually("it is down", || {
        // The status has the result.
        drop(tokio::spawn(store.get(&key)));
        match store.status().state {
            LayerState::Down(reason) if reason.contains(problem) => Ok(()),
            state => Err(format!("{state:?}")),
        }
    })
    .await;
}

async fn assert_eventually_up(store: &SharedStore) {
    assert_eventually("it is up", || match store.status().state {
        LayerState::Up => Ok(()),
        state => Err(format!("{state:?}")),
    })
    .await;
}

/// A game recorded by one replica counts once for the other, also with a file in front.
#[tokio::test]
async fn replicas_share_games() {
    let server = RedisServer::start(&[]);
    let (one, other) = (server.open(), server.open());
    let scope = scope("1");
    for n in 0..21 {
        assert_eq!(one.record(&game(&scope, n)).await, Recorded::New, "{one:?}");
        assert_eq!(other.record(&game(&scope, n)).await, Recorded::Known, "{other:?}");
    }
    let key = key_in(&scope, 2);
    one.offer(&key, &answer(2, StopReason::Proven, 5));
    flushed(&one).await;
    let explored = other.explore(&key_in(&scope, 0), &[key.digest, key_in(&scope, 3).digest]).await;
    assert_eq!(explored.answers_after, [Some(answer(2, StopReason::Proven, 5)), None]);
    assert_eq!(explored.played.len(), 7);
    for (position, tally) in &explored.played {
        assert_eq!(tally.games, 3, "{position}");
        assert_eq!(tally.mean(2).map(|mean| mean.as_slice().to_vec()), Some(vec![0.5, 0.5]), "{position}");
    }
    let dir = ScratchDir::new();
    let file = Arc::new(FileStore::open(patient(&dir.path("games"))));
    let layers = Layers::new(vec![file.clone(), Arc::new(other)]);
    assert_eq!(layers.record(&game(&scope, 0)).await, Recorded::New, "it was not in the file");
    let merged = layers.explore(&key_in(&scope, 0), &[]).await;
    assert_eq!(merged.played.iter().map(|(_, tally)| tally.games).sum::<u64>(), 21);
}
