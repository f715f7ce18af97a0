//! The request of a search.

use std::time::{Duration, Instant};

use pentad_abi as abi;

use crate::{strs, trusted};

/// Limits of a search; the first one that is reached ends it. Without any, it runs until
/// the value is proven or it is cancelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Positions visited, over all threads.
    pub nodes: Option<u64>,
    /// Plies searched.
    pub depth: Option<u32>,
}

impl Limits {
    /// Returns when the time of a search that began at `begin` is up.
    pub fn deadline(&self, begin: Instant) -> Option<Instant> {
        self.time.and_then(|time| begin.checked_add(time))
    }
}

/// One search.
#[derive(Clone, Debug)]
pub struct Request<M> {
    /// Limits that end the search.
    pub limits: Limits,
    /// Number of different moves to evaluate, at least 1. Fewer are reported if fewer are
    /// legal.
    pub n_lines: usize,
    /// Seed of every random choice.
    pub seed: u64,
    /// The moves considered at the root, all of them legal; if empty, all legal moves.
    pub root_moves: Vec<M>,
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Bound on the memory of tables and trees.
    pub memory_bytes: u64,
}

impl<M> Request<M> {
    /// Creates a request for one line, with one thread and 16 MiB, within `limits`.
    pub fn new(limits: Limits) -> Self {
        Request { limits, n_lines: 1, seed: 0, root_moves: Vec::new(), threads: 1, memory_bytes: 16 << 20 }
    }

    /// Returns the request with its memory capped at `bytes_max`, a bound of the search's
    /// own.
    #[must_use]
    pub fn with_memory_max(&self, bytes_max: u64) -> Self
    where
        M: Clone,
    {
        Request { memory_bytes: self.memory_bytes.min(bytes_max), ..self.clone() }
    }

    /// Returns whether only the clock and the caller end the search, so that its result
    /// may depend on timing.
    pub fn is_limited_by_time(&self) -> bool {
        self.limits.nodes.is_none() && self.limits.depth.is_none()
    }
}

/// Calls `give` with a request in the ABI's form, readable during that call. Threads
/// and memory belong to the search context and are left out.
pub fn with_abi<T>(request: &Request<String>, give: impl FnOnce(&abi::SearchRequest) -> T) -> T {
    // The ABI's 0 means no limit, so a limit of 0 becomes 1.
    let limit = |limit: Option<u64>| limit.map_or(0, |limit| limit.max(1));
    let root_moves = strs(&request.root_moves);
    give(&abi::SearchRequest {
        time_ns: limit(request.limits.time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))),
        nodes: limit(request.limits.nodes),
        seed: request.seed,
        depth: request.limits.depth.map_or(0, |depth| depth.max(1)),
        n_lines: u32::try_from(request.n_lines).unwrap_or(u32::MAX).max(1),
        root_moves: root_moves.as_ptr(),
        n_root_moves: root_moves.len() as u64,
    })
}

/// Reads a request but borrows its root moves; `None` if one of them is not UTF-8. Threads and memory are those of [`Request::new`].
///
/// # Safety
/// The request must be complete and readable for `'a`.
pub unsafe fn from_host<'a>(raw: &abi::SearchRequest) -> Option<Request<&'a str>> {
    let limits = Limits {
        time: (raw.time_ns > 0).then(|| Duration::from_nanos(raw.time_ns)),
        nodes: (raw.nodes > 0).then_some(raw.nodes),
        depth: (raw.depth > 0).then_some(raw.depth),
    };
    // SAFETY: the caller promises `n_root_moves` readable texts.
    let root_moves = unsafe { trusted::texts(raw.root_moves, raw.n_root_moves) }?;
    Some(Request { n_lines: raw.n_lines.max(1) as usize, seed: raw.seed, root_moves, ..Request::new(limits) })
}
