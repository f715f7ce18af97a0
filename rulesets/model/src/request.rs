//! The request of a search.

use std::time::Duration;

use pentad_abi as abi;
use pentad_search::{Limits, Request};

use crate::{strs, trusted};

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

/// Reads a request, whose root moves stay where they are; `None` if one of them is
/// not UTF-8. Threads and memory are those of [`Request::new`].
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
