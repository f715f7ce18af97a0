//! Connection activity and its timeouts.
//!
//! A connection waits either for the server (a request is running) or for its peer: to
//! send a request, to read a response, to acknowledge a shutdown. Only waiting for the
//! peer is limited here; requests have deadlines of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::LongStream;

/// How long a connection without requests may take to end after a graceful shutdown. It
/// should end by itself as soon as its peer acknowledges.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);
/// Time from the peer's FIN to the cancellation of a request. Data sent with the FIN is
/// read first, and immediate answers are still sent.
const HANG_UP_DELAY: Duration = Duration::from_millis(25);

/// Timeouts and maximum age of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionLimits {
    /// From accepting it to the first request, or the HTTP/2 preface.
    pub(super) header_timeout: Duration,
    /// For HTTP/2 without a request. hyper limits HTTP/1.1 by the header timeout.
    pub(super) idle_timeout: Option<Duration>,
    /// For writes that the peer does not read.
    pub(super) write_timeout: Duration,
    pub(super) age_max: Option<Duration>,
    /// From a graceful shutdown to an abort.
    pub(super) grace: Duration,
}

/// Why the server closes a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloseReason {
    HeaderTimeout,
    Idle,
    WriteTimeout,
    Age,
    /// Its address has too many connections.
    AddressLimit,
    /// Its slot was needed for another.
    PortFull,
    /// The handshake failed or took too long.
    TlsHandshake,
    /// The peer closed its side during a request.
    HangUp,
    /// The port is closed.
    Drain,
}

impl CloseReason {
    /// Reasons that metrics count; the others are not decisions of the server about
    /// this connection.
    pub(crate) const COUNTED: [CloseReason; 7] = [
        CloseReason::HeaderTimeout,
        CloseReason::Idle,
        CloseReason::WriteTimeout,
        CloseReason::Age,
        CloseReason::AddressLimit,
        CloseReason::PortFull,
        CloseReason::TlsHandshake,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            CloseReason::HeaderTimeout => "header_timeout",
            CloseReason::Idle => "idle",
            CloseReason::WriteTimeout => "write_timeout",
            CloseReason::Age => "age",
            CloseReason::AddressLimit => "address_limit",
            CloseReason::PortFull => "port_full",
            CloseReason::TlsHandshake => "tls_handshake",
            CloseReason::HangUp => "hang_up",
            CloseReason::Drain => "drain",
        }
    }
}

/// Action on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Complete its requests, accept no new ones.
    Shutdown(CloseReason),
    Abort(CloseReason),
}

/// What keeps a connection open, in the order in which a full port closes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Occupation {
    /// It waits for its peer, and could be closed without cancelling work.
    Idle,
    /// All of its requests stream their answers.
    Streaming,
    /// A request waits for its answer.
    Working,
}

/// Activity of a connection, as reported by its stream, its requests and the port.
#[derive(Debug)]
pub(crate) struct ConnectionActivity(Mutex<Activity>);

#[derive(Debug)]
struct Activity {
    accepted: Instant,
    /// A request has begun, or the HTTP/2 preface is complete.
    is_established: bool,
    is_http2: bool,
    n_requests: usize,
    /// Number of these that are streams which their caller keeps open without a
    /// request.
    n_kept_open: usize,
    /// Number of these that stream their answer.
    n_streaming: usize,
    /// Number of these whose body has not arrived.
    n_receiving: usize,
    /// When the last of them began.
    receiving_since: Instant,
    /// Since when there are requests, or none, not counting those kept open.
    since: Instant,
    write_blocked_since: Option<Instant>,
    peer_closed: Option<Instant>,
    shutdown: Option<(Instant, CloseReason)>,
}

/// A request, from its arrival to the end of its response.
#[derive(Debug)]
pub(super) struct RequestUnderWay {
    activity: Arc<ConnectionActivity>,
    stream: Option<LongStream>,
}

/// A request whose body is being received: until the body ends or the response begins,
/// whichever comes first.
#[derive(Clone, Debug)]
pub(super) struct BodyUnderWay(Arc<BodyReception>);

#[derive(Debug)]
struct BodyReception {
    activity: Arc<ConnectionActivity>,
    has_ended: AtomicBool,
}

impl ConnectionActivity {
    pub(crate) fn new() -> Arc<ConnectionActivity> {
        let now = Instant::now();
        Arc::new(ConnectionActivity(Mutex::new(Activity {
            accepted: now,
            is_established: false,
            is_http2: false,
            n_requests: 0,
            n_kept_open: 0,
            n_streaming: 0,
            n_receiving: 0,
            receiving_since: now,
            since: now,
            write_blocked_since: None,
            peer_closed: None,
            shutdown: None,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Activity> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the HTTP/2 connection preface is complete.
    pub(crate) fn set_http2(&self) {
        let mut activity = self.lock();
        (activity.is_established, activity.is_http2) = (true, true);
        activity.since = Instant::now();
    }

    /// Whether several HTTP/2 streams are running.
    pub(super) fn has_streams(&self) -> bool {
        let activity = self.lock();
        activity.is_http2 && activity.n_requests > 1
    }

    pub(super) fn begin_request(self: &Arc<Self>) -> RequestUnderWay {
        let mut activity = self.lock();
        activity.is_established = true;
        activity.n_requests += 1;
        if activity.n_working() == 1 {
            activity.since = Instant::now();
        }
        RequestUnderWay { activity: Arc::clone(self), stream: None }
    }

    pub(super) fn begin_body(self: &Arc<Self>) -> BodyUnderWay {
        let mut activity = self.lock();
        activity.n_receiving += 1;
        activity.receiving_since = Instant::now();
        BodyUnderWay(Arc::new(BodyReception { activity: Arc::clone(self), has_ended: AtomicBool::new(false) }))
    }

    /// Sets since when the peer has read too little; `None` if it keeps up.
    pub(super) fn set_write_blocked(&self, since: Option<Instant>) {
        self.lock().write_blocked_since = since;
    }

    /// Records that the peer sends nothing more.
    pub(super) fn set_peer_closed(&self) {
        self.lock().peer_closed = Some(Instant::now());
    }

    /// Records that the graceful shutdown begins. Returns whether it is the first.
    pub(crate) fn set_shutdown(&self, reason: CloseReason) -> bool {
        let mut activity = self.lock();
        let is_first = activity.shutdown.is_none();
        activity.shutdown.get_or_insert((Instant::now(), reason));
        is_first
    }

    pub(crate) fn is_shutting_down(&self) -> bool {
        self.lock().shutdown.is_some()
    }

    pub(super) fn is_busy(&self) -> bool {
        self.lock().n_requests > 0
    }

    /// Since when the connection has waited for its peer and could be closed without
    /// cancelling work; `None` if a request waits for the server.
    pub(super) fn waiting_since(&self) -> Option<Instant> {
        let activity = self.lock();
        match activity.n_working() {
            0 => Some(activity.since),
            n_working if n_working == activity.n_receiving => Some(activity.receiving_since),
            _ => activity.write_blocked_since,
        }
    }

    /// Returns what a full port may close this connection for.
    pub(super) fn occupation(&self) -> (Occupation, Instant) {
        if let Some(since) = self.waiting_since() {
            return (Occupation::Idle, since);
        }
        let activity = self.lock();
        let streams_only = activity.n_working() == activity.n_streaming;
        (if streams_only { Occupation::Streaming } else { Occupation::Working }, activity.since)
    }

    /// Returns the next action if nothing changes, and its time.
    pub(super) fn next_action(&self, limits: &ConnectionLimits) -> Option<(Instant, Action)> {
        self.lock().next_action(limits)
    }
}

impl RequestUnderWay {
    /// Records that its response is a stream.
    pub(super) fn set_stream(&mut self, kind: LongStream) {
        let mut activity = self.activity.lock();
        self.stream = Some(kind);
        match kind {
            LongStream::KeptOpen => activity.n_kept_open += 1,
            LongStream::Updates => activity.n_streaming += 1,
        }
        if activity.n_working() == 0 {
            activity.since = Instant::now();
        }
    }
}

impl BodyUnderWay {
    pub(super) fn end(&self) {
        if !self.0.has_ended.swap(true, Ordering::Relaxed) {
            self.0.activity.lock().n_receiving -= 1;
        }
    }
}

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        let mut activity = self.activity.lock();
        activity.n_requests -= 1;
        match self.stream {
            Some(LongStream::KeptOpen) => activity.n_kept_open -= 1,
            Some(LongStream::Updates) => activity.n_streaming -= 1,
            None => {}
        }
        if activity.n_working() == 0 {
            activity.since = Instant::now();
        }
    }
}

impl Activity {
    fn n_working(&self) -> usize {
        self.n_requests - self.n_kept_open
    }

    fn next_action(&self, limits: &ConnectionLimits) -> Option<(Instant, Action)> {
        let is_busy = self.n_requests > 0;
        let unread = self
            .write_blocked_since
            .map(|since| (since + limits.write_timeout, Action::Abort(CloseReason::WriteTimeout)));
        let silent = (!self.is_established)
            .then_some((self.accepted + limits.header_timeout, Action::Abort(CloseReason::HeaderTimeout)));
        let hung_up = self
            .peer_closed
            .filter(|_| is_busy)
            .map(|closed| (closed.max(self.since) + HANG_UP_DELAY, Action::Abort(CloseReason::HangUp)));
        let (aged, idle) = match self.shutdown {
            None => {
                let aged = limits.age_max.map(|age| (self.accepted + age, Action::Shutdown(CloseReason::Age)));
                let idle = limits.idle_timeout.filter(|_| self.is_http2 && !is_busy);
                (aged, idle.map(|idle| (self.since + idle, Action::Shutdown(CloseReason::Idle))))
            }
            Some((began, reason)) => {
                // The drain has a deadline of its own.
                let aged = (reason != CloseReason::Drain).then_some((began + limits.grace, Action::Abort(reason)));
                // A stream that is kept open can be opened again on another connection.
                let is_done = self.n_working() == 0 && self.write_blocked_since.is_none();
                (aged, is_done.then_some((began.max(self.since) + SHUTDOWN_TIMEOUT, Action::Abort(reason))))
            }
        };
        [unread, silent, hung_up, aged, idle].into_iter().flatten().min_by_key(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ConnectionLimits = ConnectionLimits {
        header_timeout: Duration::from_secs(15),
        idle_timeout: Some(Duration::from_mins(5)),
        write_timeout: Duration::from_secs(30),
        age_max: Some(Duration::from_hours(1)),
        grace: Duration::from_mins(2),
    };

    /// Advances the clock to the next action, and returns it with the elapsed seconds.
    async fn next(activity: &ConnectionActivity) -> (u64, Action) {
        let now = Instant::now();
        let (at, action) = activity.next_action(&LIMITS).expect("a limit applies");
        tokio::time::sleep_until(at).await;
        (at.saturating_duration_since(now).as_secs(), action)
    }

    /// A silent peer gets the header timeout; on HTTP/2 the idle timeout then applies,
    /// and none while requests are running.
    #[tokio::test(start_paused = true)]
    async fn waiting_for_a_request_is_limited() {
        let silent = ConnectionActivity::new();
        assert_eq!(next(&silent).await, (15, Action::Abort(CloseReason::HeaderTimeout)));
        let http2 = ConnectionActivity::new();
        http2.set_http2();
        assert_eq!(next(&http2).await, (300, Action::Shutdown(CloseReason::Idle)));
        let busy = ConnectionActivity::new();
        busy.set_http2();
        let requests = [busy.begin_request(), busy.begin_request()];
        assert_eq!(busy.next_action(&LIMITS).unwrap().1, Action::Shutdown(CloseReason::Age));
        assert_eq!(busy.waiting_since(), None);
        tokio::time::advance(Duration::from_secs(100)).await;
        drop(requests);
        assert_eq!(busy.waiting_since(), Some(Instant::now()));
        assert_eq!(next(&busy).await, (300, Action::Shutdown(CloseReason::Idle)));
    }

    /// A stream that is kept open keeps its connection from being idle, but not from
    /// being evicted or from reaching its maximum age.
    #[tokio::test(start_paused = true)]
    async fn kept_open_streams_make_room() {
        let activity = ConnectionActivity::new();
        activity.set_http2();
        let mut watch = activity.begin_request();
        assert_eq!(activity.waiting_since(), None);
        tokio::time::advance(Duration::from_secs(1)).await;
        watch.set_stream(LongStream::KeptOpen);
        assert_eq!(activity.waiting_since(), Some(Instant::now()));
        assert_eq!(activity.next_action(&LIMITS).unwrap().1, Action::Shutdown(CloseReason::Age));
        let request = activity.begin_request();
        assert_eq!(activity.waiting_since(), None);
        drop(request);
        drop(watch);
        assert_eq!(next(&activity).await, (300, Action::Shutdown(CloseReason::Idle)));
        let mut watch = activity.begin_request();
        watch.set_stream(LongStream::KeptOpen);
        activity.set_shutdown(CloseReason::Age);
        assert_eq!(next(&activity).await, (3, Action::Abort(CloseReason::Age)));
    }

    /// A connection streams if all of its requests do.
    #[tokio::test(start_paused = true)]
    async fn streams_are_told_from_other_requests() {
        let activity = ConnectionActivity::new();
        let begun = Instant::now();
        let mut stream = activity.begin_request();
        assert_eq!(activity.occupation(), (Occupation::Working, begun));
        tokio::time::advance(Duration::from_secs(1)).await;
        stream.set_stream(LongStream::Updates);
        assert_eq!(activity.occupation(), (Occupation::Streaming, begun));
        let request = activity.begin_request();
        assert_eq!(activity.occupation(), (Occupation::Working, begun));
        drop(request);
        assert_eq!(activity.occupation(), (Occupation::Streaming, begun));
        drop(stream);
        assert_eq!(activity.occupation(), (Occupation::Idle, Instant::now()));
    }

    /// A request whose body does not arrive waits for its peer, unless another one is
    /// being processed.
    #[tokio::test(start_paused = true)]
    async fn missing_bodies_make_room() {
        let activity = ConnectionActivity::new();
        let (_request, body) = (activity.begin_request(), activity.begin_body());
        let begun = Instant::now();
        assert_eq!(activity.waiting_since(), Some(begun));
        tokio::time::advance(Duration::from_secs(1)).await;
        let complete = activity.begin_request();
        assert_eq!(activity.waiting_since(), None);
        drop(complete);
        assert_eq!(activity.waiting_since(), Some(begun));
        body.end();
        body.end();
        assert_eq!(activity.waiting_since(), None);
    }

    /// A graceful shutdown that the peer does not acknowledge ends soon without
    /// requests, and after the grace period with one.
    #[tokio::test(start_paused = true)]
    async fn shutdown_ends_in_time() {
        let activity = ConnectionActivity::new();
        let request = activity.begin_request();
        assert_eq!(next(&activity).await, (3600, Action::Shutdown(CloseReason::Age)));
        assert!(activity.set_shutdown(CloseReason::Age));
        assert!(!activity.set_shutdown(CloseReason::Drain));
        assert_eq!(activity.next_action(&LIMITS).unwrap().0, Instant::now() + LIMITS.grace);
        tokio::time::advance(Duration::from_secs(60)).await;
        drop(request);
        assert_eq!(next(&activity).await, (3, Action::Abort(CloseReason::Age)));
    }

    /// The drain's deadline is not the connection's; without requests it does not wait
    /// for the peer either.
    #[tokio::test(start_paused = true)]
    async fn drain_waits_for_requests_only() {
        let activity = ConnectionActivity::new();
        let request = activity.begin_request();
        activity.set_shutdown(CloseReason::Drain);
        assert_eq!(activity.next_action(&LIMITS), None);
        drop(request);
        assert_eq!(next(&activity).await, (3, Action::Abort(CloseReason::Drain)));
    }

    /// An unread response ends its connection, also during a shutdown.
    #[tokio::test(start_paused = true)]
    async fn unread_responses_are_limited() {
        let activity = ConnectionActivity::new();
        let request = activity.begin_request();
        activity.set_write_blocked(Some(Instant::now()));
        assert_eq!(activity.waiting_since(), Some(Instant::now()));
        activity.set_shutdown(CloseReason::Drain);
        drop(request);
        assert_eq!(next(&activity).await, (30, Action::Abort(CloseReason::WriteTimeout)));
    }

    /// A peer that has hung up cancels its requests, including one that begins later
    /// from bytes that had already arrived.
    #[tokio::test(start_paused = true)]
    async fn hang_up_cancels_requests() {
        let activity = ConnectionActivity::new();
        drop(activity.begin_request());
        activity.set_peer_closed();
        assert_eq!(activity.next_action(&LIMITS).unwrap().1, Action::Shutdown(CloseReason::Age));
        tokio::time::advance(Duration::from_secs(1)).await;
        let _pipelined = activity.begin_request();
        let expected = (Instant::now() + HANG_UP_DELAY, Action::Abort(CloseReason::HangUp));
        assert_eq!(activity.next_action(&LIMITS), Some(expected));
    }
}
