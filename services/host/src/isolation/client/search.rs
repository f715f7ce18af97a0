//! Searches in a worker.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::time::Duration;

use pentad_model::Seating;
use pentad_model::{Control, Report, Request};

use super::{Lost, WorkerClient, at, decode, finished_with, round_trip, unexpected};
use crate::call::ErrorSet;
use crate::error::CallError;
use crate::isolation::channel::is_timeout;
use crate::isolation::hang_clock::HangClock;
use crate::isolation::process::Lease;
use crate::isolation::wire::{Call, Reply, WireRequest};
use crate::position::Position;
use crate::ruleset::Ruleset;

/// How often a waiting caller checks whether its search is cancelled.
pub(in crate::isolation) const STOP_POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The channel of a searcher, whose context is at the other end.
#[derive(Debug)]
pub(crate) struct SearchChannel {
    lease: Lease,
}

impl WorkerClient {
    /// Returns a channel with a search context at its other end.
    pub(crate) fn create_searcher(
        &self,
        variant: usize,
        memory_bytes: u64,
        threads: usize,
    ) -> Result<SearchChannel, CallError> {
        const CALL: &str = "create";
        let mut lease = self.lease(CALL)?;
        let threads = u32::try_from(threads).unwrap_or(u32::MAX);
        let call = Call::CreateSearcher { variant: variant as u32, memory_bytes, threads };
        let created = round_trip(&mut lease, &call, |reply| match reply {
            Reply::Created => Ok(Ok(())),
            Reply::Refused(refusal) => Ok(Err(refusal.read(CALL))),
            reply => Err(unexpected(&reply)),
        });
        match self.checked(CALL, ErrorSet::SEARCH, &lease, created) {
            Ok(()) => {
                lease.complete();
                lease.set_threads(threads);
                Ok(SearchChannel { lease })
            }
            Err(error) => Err(finished_with(lease, error)),
        }
    }

    /// Runs a search on a searcher's channel.
    pub(crate) fn run(
        &self,
        rules: &Ruleset,
        searcher: &mut SearchChannel,
        variant: usize,
        position: &Position,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        const CALL: &str = "run";
        let call = Call::Run { at: at(variant, position), request: WireRequest::new(request) };
        searcher.lease.begin(CALL);
        let searched = search(&mut searcher.lease, &call, SearchInput::new(rules, variant, request, control));
        let result = self.checked(CALL, ErrorSet::SEARCH, &searcher.lease, searched);
        if !searcher.lease.process.is_ended() {
            searcher.lease.complete();
        }
        result
    }

    /// Runs the fallback search in the worker.
    pub(crate) fn fallback_search(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        const CALL: &str = "rules";
        let call = Call::FallbackSearch { at: at(variant, position), request: WireRequest::new(request) };
        let mut lease = self.lease(CALL)?;
        let searched = search(&mut lease, &call, SearchInput::new(rules, variant, request, control));
        match self.checked(CALL, ErrorSet::SEARCH, &lease, searched) {
            Ok(report) => {
                lease.finish();
                Ok(report)
            }
            Err(error) => Err(finished_with(lease, error)),
        }
    }
}

/// Inputs of a running search on the host's side.
#[derive(Clone, Copy)]
struct SearchInput<'a> {
    seating: Seating,
    n_lines: u32,
    control: &'a dyn Control<String>,
}

impl<'a> SearchInput<'a> {
    fn new(rules: &Ruleset, variant: usize, request: &Request<String>, control: &'a dyn Control<String>) -> Self {
        let n_lines = u32::try_from(request.n_lines).unwrap_or(u32::MAX).max(1);
        SearchInput { seating: rules.variants()[variant].seating(), n_lines, control }
    }
}

/// Runs a search: passes reports on, and the cancellation back.
fn search(
    lease: &mut Lease,
    call: &Call<'_>,
    input: SearchInput<'_>,
) -> Result<Result<Report<String>, CallError>, Lost> {
    let SearchInput { seating, n_lines, control } = input;
    lease.stop_flag().store(0, Ordering::Relaxed);
    lease.channel().set_read_timeout(STOP_POLL_INTERVAL)?;
    lease.channel().send(call)?;
    // Started when the search is cancelled.
    let mut clock: Option<HangClock> = None;
    // A panic of the caller's control is resumed when the search has ended.
    let mut panic: Option<Box<dyn Any + Send>> = None;
    let result = loop {
        if clock.as_mut().is_some_and(|clock| clock.has_hung(&lease.process)) {
            return Err(Lost::Hung(lease.process.stop_time_max));
        }
        if clock.is_none() && guarded(&mut panic, true, || control.should_stop()) {
            clock = Some(HangClock::for_cancelled_search(&lease.process));
            lease.stop_flag().store(1, Ordering::Relaxed);
        }
        let message = match lease.channel().receive() {
            Ok(message) => message,
            Err(error) if is_timeout(&error) => continue,
            Err(error) => return Err(error.into()),
        };
        match decode(message)? {
            Reply::Report(report) => {
                let report = report.read(seating, n_lines)?;
                if report.stop.is_some() {
                    break Ok(report);
                }
                if panic.is_none() {
                    guarded(&mut panic, (), || control.report(&report));
                }
            }
            Reply::Refused(refusal) => break Err(refusal.read("run")),
            reply => return Err(unexpected(&reply).into()),
        }
    };
    lease.reset_timeout()?;
    match panic {
        Some(panic) => resume_unwind(panic),
        None => Ok(result),
    }
}

/// Calls the caller's code. If it panics, keeps the panic and returns `otherwise`, also
/// for every later call.
fn guarded<T>(panic: &mut Option<Box<dyn Any + Send>>, otherwise: T, work: impl FnOnce() -> T) -> T {
    if panic.is_some() {
        return otherwise;
    }
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|caught| {
        *panic = Some(caught);
        otherwise
    })
}
