//! Small games, and a control for the search.

pub(crate) mod dag;
pub(crate) mod graph;
pub(crate) mod tictactoe;
pub(crate) mod wild;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use pentad_model::{Control, Limits, Report, Request};

/// A control that collects reports and can cancel the search.
#[derive(Debug)]
pub(crate) struct CollectingControl<M> {
    pub(crate) stop: AtomicBool,
    pub(crate) reports: Mutex<Vec<Report<M>>>,
}

impl<M> CollectingControl<M> {
    pub(crate) fn new() -> Self {
        CollectingControl { stop: AtomicBool::new(false), reports: Mutex::new(Vec::new()) }
    }
}

impl<M: Clone + Send> Control<M> for CollectingControl<M> {
    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn report(&self, report: &Report<M>) {
        self.reports.lock().unwrap().push(report.clone());
    }
}

/// Returns a request limited by nodes, with a small table.
pub(crate) fn nodes<M>(nodes: u64) -> Request<M> {
    Request { memory_bytes: 1 << 18, ..Request::new(Limits { nodes: Some(nodes), ..Limits::default() }) }
}

/// Returns a request limited by depth, with a small table.
pub(crate) fn depth<M>(depth: u32) -> Request<M> {
    Request { memory_bytes: 1 << 18, ..Request::new(Limits { depth: Some(depth), ..Limits::default() }) }
}
