//! The calls of `pentad.search/1`.

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use pentad_abi as abi;
use pentad_search::{Control, Evaluation, Report, Request};

use crate::call::{Allow, check_input};
use crate::error::{CallError, Lie};
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::sink::End;
use crate::tables::present;
use crate::variant::Variant;
use crate::wire;

/// A search context of a rule set: its tables stay warm from one run to the next.
///
/// After a fault the context is thrown away, because a plugin that panicked may
/// have left it half changed, and the next run begins with a new one.
#[derive(Debug)]
pub struct Searcher {
    ruleset: Arc<Ruleset>,
    variant: usize,
    memory_bytes: u64,
    threads: usize,
    context: Option<Context>,
}

impl Ruleset {
    /// Makes a context that searches one variant with no more than this memory
    /// and these threads, the calling one among them.
    pub fn searcher(
        self: &Arc<Self>,
        variant: usize,
        memory_bytes: u64,
        threads: usize,
    ) -> Result<Searcher, CallError> {
        let context = Some(Context::create(self, variant, memory_bytes, threads)?);
        Ok(Searcher { ruleset: Arc::clone(self), variant, memory_bytes, threads, context })
    }

    /// Values a position as it stands, without looking ahead; of a finished
    /// game, its outcome.
    pub fn evaluate(&self, variant: usize, position: &Position) -> Result<Evaluation, CallError> {
        const CALL: &str = "evaluate";
        let bytes = self.bytes(CALL, variant, position)?;
        let Some(table) = &self.tables.search else { return Err(CallError::Unsupported) };
        let mut raw = abi::Evaluation {
            certainty: u32::MAX,
            outcome: 0,
            plies_to_end: 0,
            source: 0,
            depth: 0,
            n_seats: 0,
            scores: [0.0; abi::SEATS_MAX],
        };
        // SAFETY: the table was checked at load; position and evaluation
        // outlive the call.
        let status = unsafe { present(table.evaluate)(variant as u32, bytes, &raw mut raw) };
        self.settle(CALL, status, Allow::EXTENSION, None, Ok(End::Complete))?;
        wire::read_evaluation(&raw, &self.variants[variant]).map_err(|lie| self.fault(CALL, lie))
    }
}

impl Searcher {
    /// Whose search it is.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// The variant it was made for.
    pub fn variant(&self) -> usize {
        self.variant
    }

    /// Searches until the first limit trips, the value is proven or `control`
    /// says stop. Reports made on the way go to `control`, possibly on another
    /// thread but one at a time; the last one is returned.
    ///
    /// The request's `threads` and `memory_bytes` are not read: the searcher
    /// was made with its own. Root moves are in canonical text.
    pub fn run(
        &mut self,
        position: &Position,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        const CALL: &str = "run";
        let bytes = self.ruleset.bytes(CALL, self.variant, position)?;
        for mv in &request.root_moves {
            check_input("move", mv, abi::MOVE_LEN_MAX)?;
        }
        let context = match self.context.take() {
            Some(context) => context,
            None => Context::create(&self.ruleset, self.variant, self.memory_bytes, self.threads)?,
        };
        let root_moves: Vec<abi::Str> = request.root_moves.iter().map(|mv| abi::Str::new(mv)).collect();
        let raw_request = write_request(request, &root_moves);
        let watch = Watch {
            control,
            variant: &self.ruleset.variants[self.variant],
            n_lines: raw_request.n_lines,
            told: AtomicBool::new(false),
            halted: AtomicBool::new(false),
            seen: Mutex::new(Seen::default()),
        };
        let callbacks = abi::Control { ctx: ptr::from_ref(&watch).cast_mut().cast(), should_stop, report: take_report };
        let mut error = abi::Error::empty();
        // SAFETY: the table was checked at load; the context is this plugin's
        // and used by this call alone; position, request with its moves,
        // callbacks with their watch, and error outlive the call.
        let status = unsafe {
            let run = present(context.table.run);
            run(context.raw.as_ptr(), bytes, &raw const raw_request, &raw const callbacks, &raw mut error)
        };
        let answer = watch.settle(&self.ruleset, status, &error);
        if !matches!(answer, Err(CallError::Fault(_))) {
            self.context = Some(context);
        }
        answer
    }
}

/// What a plugin's `create` made; destroyed when dropped.
#[derive(Debug)]
struct Context {
    table: abi::Search,
    raw: NonNull<c_void>,
}

// SAFETY: the header tags the functions of a context [one-thread]: any thread,
// one at a time, which ownership ensures.
unsafe impl Send for Context {}

impl Context {
    fn create(ruleset: &Ruleset, variant: usize, memory_bytes: u64, threads: usize) -> Result<Context, CallError> {
        const CALL: &str = "create";
        ruleset.described(CALL, variant)?;
        let Some(table) = &ruleset.tables.search else { return Err(CallError::Unsupported) };
        let threads = u32::try_from(threads).unwrap_or(u32::MAX).max(1);
        let (mut raw, mut error) = (ptr::null_mut(), abi::Error::empty());
        // SAFETY: the table was checked at load; pointer and error outlive the call.
        let status =
            unsafe { present(table.create)(variant as u32, memory_bytes, threads, &raw mut raw, &raw mut error) };
        ruleset.settle(CALL, status, Allow::SEARCH, Some(&error), Ok(End::Complete))?;
        match NonNull::new(raw) {
            Some(raw) => Ok(Context { table: *table, raw }),
            None => Err(ruleset.fault(CALL, Lie::value("no context"))),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context came from `create` of this table, is destroyed
        // once, and no run of it can be going on while it is owned here.
        unsafe { present(self.table.destroy)(self.raw.as_ptr()) }
    }
}

/// The host's side of one run.
struct Watch<'a> {
    control: &'a dyn Control<String>,
    variant: &'a Variant,
    n_lines: u32,
    /// The caller said stop.
    told: AtomicBool,
    /// A report was refused or a callback panicked: nothing more is wanted.
    halted: AtomicBool,
    /// The lock puts callbacks of several threads one after the other.
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    last: Option<Report<String>>,
    any: bool,
    lie: Option<Lie>,
    panic: Option<Box<dyn Any + Send>>,
}

impl Watch<'_> {
    fn take(&self, raw: *const abi::Report) {
        let mut seen = self.seen();
        if seen.lie.is_some() || seen.panic.is_some() {
            return;
        }
        seen.any = true;
        if seen.last.is_some() {
            return self.halt(&mut seen, Lie::value("a report after the last one"));
        }
        // SAFETY: the header says that a report is readable during this call;
        // null and lengths are checked first.
        let report = match unsafe { wire::read_report(raw, self.variant, self.n_lines) } {
            Ok(report) => report,
            Err(lie) => return self.halt(&mut seen, lie),
        };
        if report.stop.is_some() {
            seen.last = Some(report);
        } else if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.control.report(&report))) {
            seen.panic = Some(panic);
            self.halted.store(true, Ordering::Relaxed);
        }
    }

    fn should_stop(&self) -> bool {
        if self.halted.load(Ordering::Relaxed) {
            return true;
        }
        let stop = catch_unwind(AssertUnwindSafe(|| self.control.should_stop())).unwrap_or_else(|panic| {
            self.seen().panic = Some(panic);
            self.halted.store(true, Ordering::Relaxed);
            true
        });
        if stop {
            self.told.store(true, Ordering::Relaxed);
        }
        stop
    }

    fn halt(&self, seen: &mut Seen, lie: Lie) {
        seen.lie = Some(lie);
        self.halted.store(true, Ordering::Relaxed);
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // Nothing panics while it holds the lock; a poisoned one would be whole.
        self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The last report, or what went wrong. Resumes a caller's panic.
    fn settle(self, ruleset: &Ruleset, status: abi::Status, error: &abi::Error) -> Result<Report<String>, CallError> {
        const CALL: &str = "run";
        let told = self.told.into_inner();
        let seen = self.seen.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(panic) = seen.panic {
            resume_unwind(panic);
        }
        // A search that was told to stop may say so, once it gave its report.
        let status = if status == abi::STOPPED && told && seen.last.is_some() { abi::OK } else { status };
        let items = seen.lie.map_or(Ok(End::Complete), Err);
        match ruleset.settle(CALL, status, Allow::SEARCH, Some(error), items) {
            Ok(_) => seen.last.ok_or_else(|| ruleset.fault(CALL, Lie::value("no last report"))),
            Err(CallError::GameOver) if seen.any => {
                Err(ruleset.fault(CALL, Lie::status("a report about a game that is over")))
            }
            Err(error) => Err(error),
        }
    }
}

fn write_request(request: &Request<String>, root_moves: &[abi::Str]) -> abi::SearchRequest {
    // 0 means no limit, so a limit of nothing becomes the smallest there is.
    let limit = |limit: Option<u64>| limit.map_or(0, |limit| limit.max(1));
    abi::SearchRequest {
        time_ns: limit(request.limits.time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))),
        nodes: limit(request.limits.nodes),
        seed: request.seed,
        depth: request.limits.depth.map_or(0, |depth| depth.max(1)),
        n_lines: u32::try_from(request.n_lines).unwrap_or(u32::MAX).max(1),
        root_moves: root_moves.as_ptr(),
        n_root_moves: root_moves.len() as u64,
    }
}

unsafe extern "C" fn should_stop(ctx: *mut c_void) -> i32 {
    // SAFETY: the plugin hands back the `ctx` of the control it was given,
    // whose watch lives until `run` returns and may be shared by threads.
    let watch = unsafe { &*ctx.cast::<Watch<'_>>() };
    watch.should_stop().into()
}

unsafe extern "C" fn take_report(ctx: *mut c_void, report: *const abi::Report) {
    // SAFETY: as in `should_stop`.
    let watch = unsafe { &*ctx.cast::<Watch<'_>>() };
    watch.take(report);
}
