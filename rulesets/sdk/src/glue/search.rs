//! `pentad.search/1`.

use std::ffi::c_void;
use std::ptr;
use std::time::Duration;

use pentad_abi as abi;
use pentad_search::{Certainty, Control, Evaluation, Limits, Report, Request, Source, StopReason, Wdl};

use super::{Instance, Plugin, catch_panic, host_text, lookup, refuse};
use crate::abilities::{Resources, Search};
use crate::ruleset::Ruleset;

/// The extension, if that is its id.
pub fn extension<P: Plugin<Rules: Search>>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, abi::SEARCH_1, const { &Table::<P>::SEARCH })
}

struct Table<P>(P);

impl<P: Plugin<Rules: Search>> Table<P> {
    const SEARCH: abi::Search = abi::Search {
        create: Some(create::<P>),
        run: Some(run::<P>),
        destroy: Some(destroy::<P>),
        evaluate: Some(evaluate::<P>),
    };
}

/// What the host's opaque context pointer points to.
struct Context<R: Search> {
    instance: &'static Instance<R>,
    resources: Resources,
    inner: R::Context,
}

unsafe extern "C" fn create<P: Plugin<Rules: Search>>(
    variant: u32,
    memory_bytes: u64,
    threads: u32,
    context: *mut *mut c_void,
    error: *mut abi::Error,
) -> abi::Status {
    catch_panic(error, || {
        let instance = P::instances().get(variant)?;
        let resources = Resources { memory_bytes, threads: threads.max(1) as usize };
        let inner = instance.rules.context(resources).map_err(|refusal| refuse(error, &refusal))?;
        let boxed: Box<Context<P::Rules>> = Box::new(Context { instance, resources, inner });
        // SAFETY: the host passes `context` writable. `destroy` takes the box back.
        unsafe { context.write(Box::into_raw(boxed).cast()) };
        Ok(())
    })
}

unsafe extern "C" fn destroy<P: Plugin<Rules: Search>>(context: *mut c_void) {
    catch_panic(ptr::null_mut(), || {
        // SAFETY: the host passes what `create` made, once, and not while it runs.
        drop(unsafe { Box::from_raw(context.cast::<Context<P::Rules>>()) });
        Ok(())
    });
}

unsafe extern "C" fn run<P: Plugin<Rules: Search>>(
    context: *mut c_void,
    position: *const u8,
    request: *const abi::SearchRequest,
    control: *const abi::Control,
    error: *mut abi::Error,
) -> abi::Status {
    catch_panic(error, || {
        // SAFETY: the host passes what `create` made, from one thread at a
        // time, with a request and a control.
        let (context, request, control) = unsafe { (&mut *context.cast::<Context<P::Rules>>(), &*request, &*control) };
        let rules = &context.instance.rules;
        // SAFETY: the host passes a position of the context's variant.
        let position = unsafe { context.instance.read(position) }?;
        if rules.outcome(&position).is_some() {
            return Err(abi::GAME_OVER);
        }
        let nonzero = |n: u64| (n > 0).then_some(n);
        let request = Request {
            limits: Limits {
                time: nonzero(request.time_ns).map(Duration::from_nanos),
                nodes: nonzero(request.nodes),
                depth: nonzero(request.depth.into()).map(|depth| depth as u32),
            },
            n_lines: request.n_lines.max(1) as usize,
            seed: request.seed,
            // SAFETY: the host passes `n_root_moves` readable texts.
            root_moves: unsafe { root_moves(rules, &position, request, error) }?,
            threads: context.resources.threads,
            memory_bytes: context.resources.memory_bytes,
        };
        let host = HostControl { rules, position: &position, control };
        let report = rules.search(&mut context.inner, &position, &request, &host);
        debug_assert!(report.stop.is_some(), "the final report has a stop reason");
        host.send(&report, report.stop.unwrap_or(StopReason::Cancelled));
        Ok(())
    })
}

unsafe extern "C" fn evaluate<P: Plugin<Rules: Search>>(
    variant: u32,
    position: *const u8,
    out: *mut abi::Evaluation,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant and `out` writable.
        unsafe { out.write(evaluation_to_abi(&instance.rules.evaluate(&instance.read(position)?))) };
        Ok(())
    })
}

/// # Safety
/// The request's root moves must be readable.
unsafe fn root_moves<R: Ruleset>(
    rules: &R,
    position: &R::Position,
    request: &abi::SearchRequest,
    error: *mut abi::Error,
) -> Result<Vec<R::Move>, abi::Status> {
    // SAFETY: the caller promises `n_root_moves` readable texts.
    unsafe { texts(request.root_moves, request.n_root_moves) }
        .iter()
        .map(|&text| {
            // SAFETY: as above.
            let text = unsafe { host_text(text) }?;
            rules.parse_move(position, text).map_err(|refusal| refuse(error, &refusal))
        })
        .collect()
}

/// # Safety
/// `texts` must lead to `n` readable texts, or `n` be 0.
pub(super) unsafe fn texts<'a>(texts: *const abi::Str, n: u64) -> &'a [abi::Str] {
    if n == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(texts, n as usize) }
}

/// The host's callbacks as the search sees them.
struct HostControl<'a, R: Ruleset> {
    rules: &'a R,
    position: &'a R::Position,
    control: &'a abi::Control,
}

// SAFETY: the header says that both callbacks may be called from any thread of
// the search; the position is only read, on the thread that reports.
unsafe impl<R: Ruleset> Sync for HostControl<'_, R> {}

impl<R: Ruleset> Control<R::Move> for HostControl<'_, R> {
    fn should_stop(&self) -> bool {
        // SAFETY: the host's callback takes its own context.
        unsafe { (self.control.should_stop)(self.control.ctx) != 0 }
    }

    fn report(&self, report: &Report<R::Move>) {
        self.send_as(report, abi::RUNNING);
    }
}

impl<R: Ruleset> HostControl<'_, R> {
    fn send(&self, report: &Report<R::Move>, stop: StopReason) {
        let stop = match stop {
            StopReason::Proven => abi::STOP_PROVEN,
            StopReason::Time => abi::STOP_TIME,
            StopReason::Nodes => abi::STOP_NODES,
            StopReason::Depth => abi::STOP_DEPTH,
            StopReason::Cancelled => abi::STOP_CANCELLED,
        };
        self.send_as(report, stop);
    }

    fn send_as(&self, report: &Report<R::Move>, stop: u32) {
        let lines_text: Vec<Vec<String>> =
            report.lines.iter().map(|line| line_to_text(self.rules, self.position, &line.moves)).collect();
        let lines_str: Vec<Vec<abi::Str>> =
            lines_text.iter().map(|line| line.iter().map(|text| abi::Str::new(text)).collect()).collect();
        let lines: Vec<abi::Line> = lines_str
            .iter()
            .zip(&report.lines)
            .map(|(moves, line)| abi::Line {
                moves: moves.as_ptr(),
                n_moves: moves.len() as u64,
                evaluation: evaluation_to_abi(&line.evaluation),
            })
            .collect();
        let report = abi::Report {
            lines: lines.as_ptr(),
            n_lines: lines.len() as u64,
            nodes: report.nodes,
            depth: report.depth,
            stop,
            evaluation: evaluation_to_abi(&report.evaluation),
        };
        // SAFETY: everything the report points to lives until the call returns.
        unsafe { (self.control.report)(self.control.ctx, &raw const report) };
    }
}

fn line_to_text<R: Ruleset>(rules: &R, position: &R::Position, moves: &[R::Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for mv in moves.iter().take(abi::LINE_LEN_MAX as usize) {
        let mut text = String::with_capacity(16);
        rules.format_move(&position, mv, &mut text);
        texts.push(text);
        position = rules.play(&position, mv);
    }
    texts
}

fn evaluation_to_abi(evaluation: &Evaluation) -> abi::Evaluation {
    let mut scores = [0.0; abi::SEATS_MAX];
    let n_seats = evaluation.scores.as_slice().len();
    scores[..n_seats].copy_from_slice(evaluation.scores.as_slice());
    abi::Evaluation {
        certainty: match evaluation.certainty {
            Certainty::Proven => abi::PROVEN,
            Certainty::Estimate => abi::ESTIMATE,
        },
        outcome: match evaluation.outcome {
            None => abi::UNKNOWN,
            Some(Wdl::Loss) => abi::LOSS,
            Some(Wdl::Draw) => abi::DRAW,
            Some(Wdl::Win) => abi::WIN,
        },
        plies_to_end: evaluation.plies_to_end.unwrap_or(abi::PLIES_UNKNOWN),
        source: match evaluation.source {
            Source::Terminal => abi::SOURCE_TERMINAL,
            Source::Book => abi::SOURCE_BOOK,
            Source::Solver => abi::SOURCE_SOLVER,
            Source::Search => abi::SOURCE_SEARCH,
            Source::Static => abi::SOURCE_STATIC,
        },
        depth: evaluation.depth,
        n_seats: n_seats as u32,
        scores,
    }
}
