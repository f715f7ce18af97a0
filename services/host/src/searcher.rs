//! The calls of `pentad.search/1`.

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use pentad_abi as abi;
use pentad_model::{Control, Evaluation, Report, Request};
use pentad_model::{Seating, Violation, evaluation, report, request};

use crate::call::{ErrorSet, check_input};
use crate::error::CallError;
use crate::guard::Guarded;
use crate::isolation::SearchChannel;
use crate::output::Completion;
use crate::position::Position;
use crate::ruleset::{Backend, Ruleset};
use crate::tables::{Tables, non_null};

/// A search context of a rule set, which keeps its transposition table from one
/// run to the next.
///
/// After a fault the context is dropped, because a plugin that panicked may have
/// left it inconsistent, and the next run creates a new one.
#[derive(Debug)]
pub struct Searcher {
    ruleset: Arc<Ruleset>,
    variant: usize,
    memory_bytes: u64,
    threads: usize,
    context: Option<SearchContext>,
}

/// A context of the plugin, in this process or behind a channel.
#[derive(Debug)]
enum SearchContext {
    InProcess(Context),
    Worker(SearchChannel),
}

impl Ruleset {
    /// Creates a context that searches one variant with at most this memory and
    /// this many threads, the calling one included.
    pub fn searcher(
        self: &Arc<Self>,
        variant: usize,
        memory_bytes: u64,
        threads: usize,
    ) -> Result<Searcher, CallError> {
        let context = Some(SearchContext::create(self, variant, memory_bytes, threads)?);
        Ok(Searcher { ruleset: Arc::clone(self), variant, memory_bytes, threads, context })
    }

    /// Evaluates a position statically; a finished game has its outcome.
    pub fn evaluate(&self, variant: usize, position: &Position) -> Result<Evaluation, CallError> {
        const CALL: &str = "evaluate";
        let bytes = self.position_ptr(CALL, variant, position)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.evaluate(self, variant, position),
        };
        let Some(table) = &tables.search else { return Err(CallError::Unsupported) };
        let mut raw = Guarded::new(abi::Evaluation {
            certainty: u32::MAX,
            outcome: 0,
            plies_to_end: 0,
            source: 0,
            depth: 0,
            n_seats: 0,
            scores: [0.0; abi::SEATS_MAX],
        });
        // SAFETY: the table was checked at load; position and evaluation
        // outlive the call.
        let status = unsafe { non_null(table.evaluate)(variant as u32, bytes, raw.as_mut_ptr()) };
        let raw = self.checked(CALL, raw)?;
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete))?;
        evaluation::from_plugin(&raw, self.variants[variant].seating()).map_err(|violation| self.fault(CALL, violation))
    }
}

impl Searcher {
    /// The rule set it belongs to.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// The variant it was made for.
    pub fn variant(&self) -> usize {
        self.variant
    }

    /// Searches until a limit is reached, the value is proven or `control` stops it.
    /// Intermediate reports go to `control`, possibly on another thread but one at a
    /// time; the final one is returned. Root moves are in canonical notation.
    ///
    /// The plugin gets memory and threads when its context is created, so those given
    /// to [`Ruleset::searcher`] apply; `memory_bytes` and `threads` of the request have
    /// no effect.
    pub fn run(
        &mut self,
        position: &Position,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        const CALL: &str = "run";
        let bytes = self.ruleset.position_ptr(CALL, self.variant, position)?;
        for mv in &request.root_moves {
            check_input("move", mv, abi::MOVE_LEN_MAX)?;
        }
        let mut context = match self.context.take() {
            Some(context) => context,
            None => SearchContext::create(&self.ruleset, self.variant, self.memory_bytes, self.threads)?,
        };
        let result = match &mut context {
            SearchContext::InProcess(context) => self.run_in_process(context, bytes, request, control),
            SearchContext::Worker(channel) => match &self.ruleset.backend {
                Backend::Worker(worker) => worker.run(&self.ruleset, channel, self.variant, position, request, control),
                Backend::InProcess(_) => unreachable!("its context would be in this process"),
            },
        };
        if !matches!(result, Err(CallError::Fault(_) | CallError::Unavailable { .. })) {
            self.context = Some(context);
        }
        result
    }

    /// `bytes` must point to a position of the variant.
    fn run_in_process(
        &self,
        context: &Context,
        bytes: *const u8,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        request::with_abi(request, |request| {
            let callbacks = RunCallbacks {
                control,
                seating: self.ruleset.variants[self.variant].seating(),
                n_lines: request.n_lines,
                cancelled: AtomicBool::new(false),
                aborted: AtomicBool::new(false),
                state: Mutex::new(RunState::default()),
            };
            let control = abi::Control { ctx: ptr::from_ref(&callbacks).cast_mut().cast(), should_stop, report };
            let mut error = Guarded::new(abi::Error::empty());
            // SAFETY: the table was checked at load; the context is this plugin's
            // and used by this call alone; position, request with its moves,
            // control with its callbacks, and error outlive the call.
            let status = unsafe {
                let run = non_null(context.table.run);
                run(context.raw.as_ptr(), bytes, &raw const *request, &raw const control, error.as_mut_ptr())
            };
            let error = self.ruleset.checked("run", error)?;
            callbacks.into_result(&self.ruleset, status, &error)
        })
    }
}

impl SearchContext {
    fn create(
        ruleset: &Ruleset,
        variant: usize,
        memory_bytes: u64,
        threads: usize,
    ) -> Result<SearchContext, CallError> {
        ruleset.checked_variant("create", variant)?;
        match &ruleset.backend {
            Backend::InProcess(tables) => {
                Context::create(ruleset, tables, variant, memory_bytes, threads).map(SearchContext::InProcess)
            }
            Backend::Worker(worker) if ruleset.info.capabilities.search => {
                worker.create_searcher(variant, memory_bytes, threads).map(SearchContext::Worker)
            }
            Backend::Worker(_) => Err(CallError::Unsupported),
        }
    }
}

/// A context from the plugin's `create`; destroyed when dropped.
#[derive(Debug)]
struct Context {
    table: abi::Search,
    raw: NonNull<c_void>,
}

// SAFETY: the header tags the functions of a context [one-thread]: any thread,
// one at a time, which ownership ensures.
unsafe impl Send for Context {}

impl Context {
    fn create(
        ruleset: &Ruleset,
        tables: &Tables,
        variant: usize,
        memory_bytes: u64,
        threads: usize,
    ) -> Result<Context, CallError> {
        const CALL: &str = "create";
        let Some(table) = &tables.search else { return Err(CallError::Unsupported) };
        let threads = u32::try_from(threads).unwrap_or(u32::MAX).max(1);
        let (mut raw, mut error) = (Guarded::new(ptr::null_mut()), Guarded::new(abi::Error::empty()));
        // SAFETY: the table was checked at load; pointer and error outlive the call.
        let status = unsafe {
            non_null(table.create)(variant as u32, memory_bytes, threads, raw.as_mut_ptr(), error.as_mut_ptr())
        };
        let (raw, error) = (ruleset.checked(CALL, raw)?, ruleset.checked(CALL, error)?);
        ruleset.check_status(CALL, status, ErrorSet::SEARCH, Some(&error), Ok(Completion::Complete))?;
        match NonNull::new(raw) {
            Some(raw) => Ok(Context { table: *table, raw }),
            None => Err(ruleset.fault(CALL, Violation::value("a null context"))),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context came from `create` of this table, is destroyed
        // once, and no run of it can be going on while it is owned here.
        unsafe { non_null(self.table.destroy)(self.raw.as_ptr()) }
    }
}

/// The host's side of one run, behind the plugin's callbacks.
struct RunCallbacks<'a> {
    control: &'a dyn Control<String>,
    seating: Seating,
    n_lines: u32,
    /// `should_stop` has returned true to the plugin.
    cancelled: AtomicBool,
    /// A report was invalid or a callback panicked: the search must end.
    aborted: AtomicBool,
    /// The lock serialises reports of several threads.
    state: Mutex<RunState>,
}

#[derive(Default)]
struct RunState {
    final_report: Option<Report<String>>,
    has_reported: bool,
    violation: Option<Violation>,
    panic: Option<Box<dyn Any + Send>>,
}

impl RunCallbacks<'_> {
    fn report(&self, raw: *const abi::Report) {
        let mut state = self.state();
        if state.violation.is_some() || state.panic.is_some() {
            return;
        }
        state.has_reported = true;
        if state.final_report.is_some() {
            return self.abort(&mut state, Violation::value("a report after the final one"));
        }
        // SAFETY: the header says that a report is readable during this call;
        // null and lengths are checked first.
        let report = match unsafe { report::from_plugin(raw, self.seating, self.n_lines) } {
            Ok(report) => report,
            Err(violation) => return self.abort(&mut state, violation),
        };
        if report.stop.is_some() {
            state.final_report = Some(report);
        } else if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.control.report(&report))) {
            state.panic = Some(panic);
            self.aborted.store(true, Ordering::Relaxed);
        }
    }

    fn should_stop(&self) -> bool {
        if self.aborted.load(Ordering::Relaxed) {
            return true;
        }
        let stop = catch_unwind(AssertUnwindSafe(|| self.control.should_stop())).unwrap_or_else(|panic| {
            self.state().panic = Some(panic);
            self.aborted.store(true, Ordering::Relaxed);
            true
        });
        if stop {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        stop
    }

    fn abort(&self, state: &mut RunState, violation: Violation) {
        state.violation = Some(violation);
        self.aborted.store(true, Ordering::Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, RunState> {
        // No code panics while it holds the lock.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns the final report, or why there is none. Resumes a panic of the caller's
    /// control.
    fn into_result(
        self,
        ruleset: &Ruleset,
        status: abi::Status,
        error: &abi::Error,
    ) -> Result<Report<String>, CallError> {
        const CALL: &str = "run";
        let cancelled = self.cancelled.into_inner();
        let state = self.state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(panic) = state.panic {
            resume_unwind(panic);
        }
        // A cancelled search may return `STOPPED` after its final report.
        let status = if status == abi::STOPPED && cancelled && state.final_report.is_some() { abi::OK } else { status };
        let output = state.violation.map_or(Ok(Completion::Complete), Err);
        match ruleset.check_status(CALL, status, ErrorSet::SEARCH, Some(error), output) {
            Ok(_) => state.final_report.ok_or_else(|| ruleset.fault(CALL, Violation::value("no final report"))),
            Err(CallError::GameOver) if state.has_reported => {
                Err(ruleset.fault(CALL, Violation::status("GAME_OVER after a report")))
            }
            Err(error) => Err(error),
        }
    }
}

unsafe extern "C" fn should_stop(ctx: *mut c_void) -> i32 {
    // SAFETY: the plugin hands back the `ctx` of the control it was given,
    // whose callbacks live until `run` returns and are `Sync`.
    let callbacks = unsafe { &*ctx.cast::<RunCallbacks<'_>>() };
    callbacks.should_stop().into()
}

unsafe extern "C" fn report(ctx: *mut c_void, report: *const abi::Report) {
    // SAFETY: as in `should_stop`.
    let callbacks = unsafe { &*ctx.cast::<RunCallbacks<'_>>() };
    callbacks.report(report);
}
