//! The threads that look up and claim.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_engine::{Claim, Explored, PositionKey, SearchLease, StoreKey, StoredAnswer};
use redis::{Value, from_redis_value};
use tokio::sync::oneshot;

use super::leases::LEASE;
use super::queue::Work;
use super::server::{Reply, Requests, Server};
use super::writer::Write;
use super::{Shared, layout};
use crate::counters::{BAD, HIT, MISS, READ_FAILED};

/// Requests that are sent at once.
const BATCH: usize = 32;
/// How often a reader without a connection tries to have one before it is needed.
const IDLE: Duration = Duration::from_millis(100);

/// What a caller waits for.
pub(super) enum Read {
    /// Without a reply it has failed.
    Get {
        key: StoreKey,
        reply: oneshot::Sender<LookedUp>,
    },
    Claim {
        key: String,
        hold: Duration,
        reply: oneshot::Sender<Claim>,
    },
    Explore {
        position: StoreKey,
        after: Vec<PositionKey>,
        reply: oneshot::Sender<Explored>,
    },
}

/// What became of a lookup. Its caller counts it, and so knows of each exactly once.
pub(super) struct LookedUp {
    /// Which counter.
    pub(super) result: usize,
    pub(super) answer: Option<StoredAnswer>,
}

impl Read {
    /// Whether the caller has not given up.
    fn is_wanted(&self) -> bool {
        match self {
            Read::Get { reply, .. } => !reply.is_closed(),
            Read::Claim { reply, .. } => !reply.is_closed(),
            Read::Explore { reply, .. } => !reply.is_closed(),
        }
    }
}

/// Reads until the queue is closed.
pub(super) fn run(shared: &Arc<Shared>) {
    let config = &shared.config;
    let mut server = Server::new(config, config.timeout);
    loop {
        match shared.reads.take(BATCH, IDLE) {
            Work::Items(reads) => answer(shared, &mut server, reads),
            // A failure shows when it matters.
            Work::Idle if shared.breaker.is_closed() => drop(server.connect()),
            Work::Idle => {}
            Work::Closed => return,
        }
    }
}

fn answer(shared: &Arc<Shared>, server: &mut Server, mut reads: Vec<Read>) {
    reads.retain(Read::is_wanted);
    let mut requests = Requests::new();
    for read in &reads {
        match read {
            Read::Get { key, .. } => requests.get(&layout::answer_key(key)),
            Read::Claim { key, hold, .. } => requests.claim(key, &token(), *hold, LEASE.min(*hold)),
            Read::Explore { position, after, .. } => {
                requests.fields(&layout::steps_key(position));
                for key in explored_keys(position, after) {
                    requests.get(&layout::answer_key(&key));
                }
            }
        }
    }
    if reads.is_empty() {
        return;
    }
    match server.send(&requests) {
        Ok(replies) => {
            let mut replies = replies.into_iter();
            let mut next = || replies.next().unwrap_or(Err("a reply is missing".to_owned()));
            for read in reads {
                match read {
                    Read::Get { key, reply } => looked_up(shared, &key, reply, next()),
                    Read::Claim { key, hold, reply } => claimed(shared, key, hold, reply, &next()),
                    Read::Explore { position, after, reply } => {
                        let explored = explored(&position, &after, &mut next);
                        // It may not be wanted any more.
                        let _ = reply.send(explored);
                    }
                }
            }
        }
        Err(problem) => {
            // Those who gave up have told the breaker already.
            if reads.iter().any(Read::is_wanted) {
                shared.breaker.failed(Instant::now(), &problem);
            }
        }
    }
}

fn looked_up(shared: &Shared, key: &StoreKey, reply: oneshot::Sender<LookedUp>, found: Reply) {
    let (result, answer) = match found.and_then(|value| from_redis_value::<Vec<u8>>(value).map_err(|it| it.to_string()))
    {
        Ok(value) => {
            shared.breaker.succeeded(Instant::now());
            match layout::decode(&key.digest, &value) {
                Some(answer) => (HIT, Some(answer)),
                None if value.is_empty() => (MISS, None),
                None => {
                    shared.remove(key);
                    (BAD, None)
                }
            }
        }
        // Something else is under this key, and nothing is wrong with the server.
        Err(problem) if problem.contains("WRONGTYPE") => {
            shared.remove(key);
            (BAD, None)
        }
        Err(problem) => {
            shared.breaker.failed(Instant::now(), &problem);
            (READ_FAILED, None)
        }
    };
    // It may not be wanted any more.
    let _ = reply.send(LookedUp { result, answer });
}

/// The answers that an exploration looks up: of the position, and of those after it.
fn explored_keys<'a>(position: &'a StoreKey, after: &'a [PositionKey]) -> impl Iterator<Item = StoreKey> + 'a {
    let digests = std::iter::once(&position.digest).chain(after);
    digests.map(|&digest| StoreKey { scope: position.scope.clone(), digest })
}

/// What is damaged or failed is not known.
fn explored(position: &StoreKey, after: &[PositionKey], next: &mut impl FnMut() -> Reply) -> Explored {
    let fields = next().ok().and_then(|fields| from_redis_value::<Vec<(String, u64)>>(fields).ok());
    let mut answers = explored_keys(position, after).map(|key| {
        let value = from_redis_value::<Vec<u8>>(next().ok()?).ok()?;
        layout::decode(&key.digest, &value)
    });
    let answer = answers.next().flatten();
    let answers_after = answers.collect();
    Explored { played: layout::tallies(fields.unwrap_or_default()), answer, answers_after }
}

fn claimed(shared: &Arc<Shared>, key: String, hold: Duration, reply: oneshot::Sender<Claim>, claimed: &Reply) {
    let claim = match claimed.as_ref().map(Value::as_sequence) {
        Ok(Some([Value::Int(1), Value::BulkString(value)])) => {
            let value = String::from_utf8_lossy(value).into_owned();
            shared.leases.hold(Instant::now(), &key, &value, hold);
            let shared = Arc::downgrade(shared);
            let release = move || {
                if let Some(shared) = shared.upgrade() {
                    shared.leases.release(&value);
                    // If there is no room for it, it expires.
                    let _ = shared.writes.push(Write::Release { key, token: value });
                }
            };
            Claim::Granted(SearchLease::new(release))
        }
        Ok(Some([Value::Int(0), Value::Int(left_ms @ 1..)])) => {
            Claim::Taken { expires_in: Duration::from_millis(*left_ms as u64) }
        }
        // It was free again by then, or the server refused.
        _ => Claim::Granted(SearchLease::default()),
    };
    // Who does not want it any more drops it, and it is given back.
    let _ = reply.send(claim);
}

/// Whoever knows it may renew a lease or give it back.
fn token() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    format!("{:032x}", u128::from_be_bytes(bytes))
}
