//! One connection to the server, for one thread: the only place that sends commands.
//!
//! A connection is closed after any failure, because a late reply on it would be taken for
//! the reply to the next request.

use std::time::Duration;

use pentad_engine::{GameTally, RecordedGame, StoreKey};
use redis::{Client, Connection, Pipeline, RedisError, RedisResult, Value};

use super::address::SharedAddress;
use super::layout::{self, PROBE_KEY, VALUE_LEN_MAX};
use crate::shared_config::{SharedConfig, SharedTls};

/// Sets KEYS[1] to ARGV[1] unless it has a value of the same rank or a higher one. The
/// ranks are compared byte by byte, because Lua orders strings by the server's locale.
/// ARGV[2] is the length of a rank, ARGV[3] the milliseconds after which the answer
/// expires, or 0. A value that is not a string is replaced.
const PUT: &str = "\
local rank_len = tonumber(ARGV[2])
local present = redis.pcall('GETRANGE', KEYS[1], 0, rank_len - 1)
if type(present) == 'string' and #present == rank_len then
  local is_better = false
  for i = 1, rank_len do
    local a, b = present:byte(i), ARGV[1]:byte(i)
    if a > b then return 0 end
    if a < b then is_better = true break end
  end
  if not is_better then return 0 end
end
if ARGV[3] == '0' then redis.call('SET', KEYS[1], ARGV[1])
else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3]) end
return 1";

/// Deletes KEYS[1] if it is ARGV[1].
const REMOVE_IF: &str = "\
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0";

/// Sets KEYS[1] to ARGV[1] and counts the steps of a game, unless KEYS[1] exists. ARGV[2] is
/// the number of seats; for each of the other keys, which are hashes, the position after and
/// the score of each seat follow.
const RECORD: &str = "\
if not redis.call('SET', KEYS[1], ARGV[1], 'NX') then return 0 end
local n_seats = tonumber(ARGV[2])
local at = 3
for i = 2, #KEYS do
  local after = ARGV[at]
  redis.call('HINCRBY', KEYS[i], after .. ':games', 1)
  for seat = 0, n_seats - 1 do
    redis.call('HINCRBY', KEYS[i], after .. ':' .. seat, ARGV[at + 1 + seat])
  end
  at = at + 1 + n_seats
end
return 1";

/// Claims KEYS[1] with the token ARGV[1] for at most ARGV[2] milliseconds, and for ARGV[3]
/// if it is not renewed. The value is the token and the end of the claim by the server's
/// clock. Returns 1 and the value; or 0 and the milliseconds until the end of the present
/// claim.
const CLAIM: &str = "\
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('GET', KEYS[1])
if held then
  local ends_ms = tonumber(string.match(held, ':(%d+)$'))
  if ends_ms then return {0, math.max(ends_ms - now_ms, 1)} end
  return {0, redis.call('PTTL', KEYS[1])}
end
local value = ARGV[1] .. ':' .. string.format('%.0f', now_ms + ARGV[2])
redis.call('SET', KEYS[1], value, 'PX', ARGV[3])
return {1, value}";

/// Lets KEYS[1] expire after ARGV[2] milliseconds from now, if it is ARGV[1].
const RENEW: &str = "\
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0";

/// Requests that are sent at once, and whose replies are then read in order.
pub(super) struct Requests(Pipeline);

/// A reply, or the server's error.
pub(super) type Reply = Result<Value, String>;

impl Requests {
    pub(super) fn new() -> Self {
        let mut pipeline = Pipeline::new();
        pipeline.ignore_errors();
        Requests(pipeline)
    }

    /// Requests a value. One reply: the value, empty if there is none.
    pub(super) fn get(&mut self, key: &str) {
        self.0.cmd("GETRANGE").arg(key).arg(0).arg(VALUE_LEN_MAX);
    }

    /// Requests a claim. One reply: 1 and the value to renew and release it by; or 0 and the
    /// milliseconds until the present claim ends.
    pub(super) fn claim(&mut self, key: &str, token: &str, hold: Duration, lease: Duration) {
        let (hold_ms, lease_ms) = (ms(hold), ms(lease));
        self.0.cmd("EVAL").arg(CLAIM).arg(1).arg(key).arg(token).arg(hold_ms).arg(lease_ms);
    }

    /// Renews a lease. One reply: 1 if it was renewed, 0 if another process or none has it.
    pub(super) fn renew(&mut self, key: &str, value: &str, lease: Duration) {
        self.0.cmd("EVAL").arg(RENEW).arg(1).arg(key).arg(value).arg(ms(lease));
    }

    /// Stores an answer. One reply: 1 if it was stored, 0 if there was a better one.
    pub(super) fn put(&mut self, key: &str, value: &[u8], rank_len: usize, expiry: Option<Duration>) {
        let expiry_ms = expiry.map_or(0, ms);
        self.0.cmd("EVAL").arg(PUT).arg(1).arg(key).arg(value).arg(rank_len).arg(expiry_ms);
    }

    /// Requests a hash. One reply: its fields with their values.
    pub(super) fn fields(&mut self, key: &str) {
        self.0.cmd("HGETALL").arg(key);
    }

    /// Records a game. One reply: 1 if it was counted, 0 if it was already recorded.
    pub(super) fn record(&mut self, game: &RecordedGame, value: &[u8]) {
        let n_seats = game.scores.len();
        let command = self.0.cmd("EVAL").arg(RECORD).arg(1 + game.steps.len()).arg(layout::game_key(game));
        for step in &game.steps {
            let before = StoreKey { scope: game.scope.clone(), digest: step.before };
            command.arg(layout::steps_key(&before));
        }
        command.arg(value).arg(n_seats);
        for step in &game.steps {
            let mut tally = GameTally::default();
            tally.add(&step.scores);
            command.arg(step.after.to_string()).arg(&tally.points[..n_seats]);
        }
    }

    /// Removes a key. One reply.
    pub(super) fn remove(&mut self, key: &str) {
        self.0.cmd("DEL").arg(key);
    }

    /// Removes a key if it has this value. One reply.
    pub(super) fn remove_if(&mut self, key: &str, value: &[u8]) {
        self.0.cmd("EVAL").arg(REMOVE_IF).arg(1).arg(key).arg(value);
    }
}

/// Returns whole milliseconds, at least one: the server rejects 0.
fn ms(duration: Duration) -> u64 {
    (duration.as_millis() as u64).max(1)
}

pub(super) struct Server {
    address: SharedAddress,
    tls: SharedTls,
    connect_timeout: Duration,
    timeout: Duration,
    connection: Option<Connection>,
}

impl Server {
    pub(super) fn new(config: &SharedConfig, timeout: Duration) -> Server {
        let SharedConfig { address, tls, connect_timeout, .. } = config;
        Server {
            address: address.clone(),
            tls: tls.clone(),
            connect_timeout: *connect_timeout,
            timeout,
            connection: None,
        }
    }

    /// Sends requests and reads the replies, each within the timeout.
    pub(super) fn send(&mut self, requests: &Requests) -> Result<Vec<Reply>, String> {
        let is_fresh = self.connection.is_none();
        let sent = match self.try_send(requests) {
            // The server closed the connection before it saw the requests.
            Err(error) if !is_fresh && error.is_connection_dropped() => self.try_send(requests),
            sent => sent,
        };
        let replies = sent.map_err(|error| self.problem(&error))?;
        Ok(replies.into_iter().map(|reply| reply.map_err(|error| self.problem(&error))).collect())
    }

    /// Checks that the server answers and lets this process read.
    pub(super) fn probe(&mut self) -> Result<(), String> {
        let mut requests = Requests::new();
        requests.get(PROBE_KEY);
        self.send(&requests)?.pop().unwrap_or(Err("no reply".to_owned())).map(drop)
    }

    /// Connects if there is no connection, so that the next request does not have to.
    pub(super) fn connect(&mut self) -> Result<(), String> {
        self.connected().map(drop).map_err(|error| self.problem(&error))
    }

    fn try_send(&mut self, requests: &Requests) -> RedisResult<Vec<RedisResult<Value>>> {
        let replies = requests.0.query(self.connected()?);
        if replies.is_err() {
            self.connection = None;
        }
        replies
    }

    fn connected(&mut self) -> RedisResult<&mut Connection> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let connection = self.open()?;
                connection.set_read_timeout(Some(self.timeout))?;
                connection.set_write_timeout(Some(self.timeout))?;
                connection
            }
        };
        Ok(self.connection.insert(connection))
    }

    fn open(&self) -> RedisResult<Connection> {
        let info = self.address.connection_info();
        if !self.address.is_tls() {
            return Client::open(info)?.get_connection_with_timeout(self.connect_timeout);
        }
        let client = Client::build_with_tls(info, self.tls.certificates()?)?;
        let connected = client.get_connection_with_timeout(self.connect_timeout);
        connected.map_err(|error| self.tls.explained(error, self.connect_timeout))
    }

    fn problem(&self, error: &RedisError) -> String {
        match error.is_timeout() {
            true => format!("no reply within {} ms", self.timeout.as_millis()),
            false => self.address.sanitise(&error.to_string()),
        }
    }
}
