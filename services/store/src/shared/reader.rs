//! The threads that make lookups and claims.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_engine::{Claim, Explored, PositionKey, SearchLease, StoreKey, StoredAnswer};
use redis::{Value, from_redis_value};
use tokio::sync::oneshot;

use super::layout::AnswerLayout;
use super::leases::LEASE;
use super::queue::Work;
use super::server::{Reply, Requests, Server};
use super::writer::Write;
use super::{Shared, layout};
use crate::counters::{BAD, HIT, MISS, READ_FAILED};

/// Maximum number of requests sent at once.
const BATCH: usize = 32;
/// How often an idle reader without a connection tries to connect.
const IDLE: Duration = Duration::from_millis(100);

/// A request that a caller waits for.
pub(super) enum Read {
    /// Failed if the reply is dropped.
    Get {
        key: StoreKey,
        reply: oneshot::Sender<LookupReply>,
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

/// Reply to a lookup. The caller counts it, so that each lookup is counted exactly once.
pub(super) struct LookupReply {
    /// Index of the counter.
    pub(super) result: usize,
    pub(super) answer: Option<StoredAnswer>,
}

impl Read {
    /// Returns whether the caller is still waiting.
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
            // The next request reports a failure.
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
            Read::Get { key, .. } => requests.get(&shared.layout.answer_key(key)),
            Read::Claim { key, hold, .. } => requests.claim(key, &token(), *hold, LEASE.min(*hold)),
            Read::Explore { position, after, .. } => {
                requests.fields(&layout::steps_key(position));
                for key in explored_keys(position, after) {
                    requests.get(&shared.layout.answer_key(&key));
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
                        let explored = explored(&shared.layout, &position, &after, &mut next);
                        // The caller may have stopped waiting.
                        let _ = reply.send(explored);
                    }
                }
            }
        }
        Err(problem) => {
            // Callers that timed out have already reported to the breaker.
            if reads.iter().any(Read::is_wanted) {
                shared.breaker.failed(Instant::now(), &problem);
            }
        }
    }
}

fn looked_up(shared: &Shared, key: &StoreKey, reply: oneshot::Sender<LookupReply>, value: Reply) {
    let (result, answer) = match value.and_then(|value| from_redis_value::<Vec<u8>>(value).map_err(|it| it.to_string()))
    {
        Ok(value) => {
            shared.breaker.succeeded(Instant::now());
            match shared.layout.decode(key, &value) {
                Ok(answer) => (HIT, Some(answer)),
                Err(_) if value.is_empty() => (MISS, None),
                Err(reason) => {
                    shared.refusals.log(&shared.config.address, key, reason);
                    shared.remove(key);
                    (BAD, None)
                }
            }
        }
        // The key has a value of another type; the server itself is fine.
        Err(problem) if problem.contains("WRONGTYPE") => {
            shared.remove(key);
            (BAD, None)
        }
        Err(problem) => {
            shared.breaker.failed(Instant::now(), &problem);
            (READ_FAILED, None)
        }
    };
    // The caller may have stopped waiting.
    let _ = reply.send(LookupReply { result, answer });
}

/// Iterates over the keys that an exploration looks up: the position, and those after it.
fn explored_keys<'a>(position: &'a StoreKey, after: &'a [PositionKey]) -> impl Iterator<Item = StoreKey> + 'a {
    let digests = std::iter::once(&position.digest).chain(after);
    digests.map(|&digest| StoreKey { scope: position.scope.clone(), digest })
}

/// Reads the replies to an exploration; damaged or failed ones are left out.
fn explored(
    layout: &AnswerLayout,
    position: &StoreKey,
    after: &[PositionKey],
    next: &mut impl FnMut() -> Reply,
) -> Explored {
    let fields = next().ok().and_then(|fields| from_redis_value::<Vec<(String, u64)>>(fields).ok());
    let mut answers = explored_keys(position, after).map(|key| {
        let value = from_redis_value::<Vec<u8>>(next().ok()?).ok()?;
        layout.decode(&key, &value).ok()
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
                    // If the queue is full, the lease expires.
                    let _ = shared.writes.push(Write::Release { key, token: value });
                }
            };
            Claim::Granted(SearchLease::new(release))
        }
        Ok(Some([Value::Int(0), Value::Int(left_ms @ 1..)])) => {
            Claim::Taken { expires_in: Duration::from_millis(*left_ms as u64) }
        }
        // The lease was free again by then, or the server refused.
        _ => Claim::Granted(SearchLease::default()),
    };
    // If the caller has stopped waiting, dropping the claim releases it.
    let _ = reply.send(claim);
}

/// Returns a random token; only its holder can renew or release the lease.
fn token() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    format!("{:032x}", u128::from_be_bytes(bytes))
}
