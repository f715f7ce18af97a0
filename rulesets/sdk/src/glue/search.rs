//! `pentad.search/1`.

use std::convert::Infallible;
use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;
use pentad_model::{Control, Report, Request, StopReason};
use pentad_model::{evaluation, report, request};

use super::{Instance, Plugin, catch_panic, lookup, refuse};
use crate::abilities::{Resources, Search};
use crate::ruleset::Ruleset;

/// Returns the table if `id` is `pentad.search/1`.
pub fn extension<P: Plugin<Rules: Search>>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, const { &Table::<P>::SEARCH })
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

/// The target of the host's opaque context pointer.
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
        // SAFETY: the host's request is complete and readable.
        let Request { limits, n_lines, seed, root_moves, .. } =
            unsafe { request::from_host(request) }.ok_or(abi::INVALID)?;
        let parse = |text: &str| rules.parse_move(&position, text).map_err(|refusal| refuse(error, &refusal));
        let request = Request {
            limits,
            n_lines,
            seed,
            root_moves: root_moves.into_iter().map(parse).collect::<Result<_, _>>()?,
            threads: context.resources.threads,
            memory_bytes: context.resources.memory_bytes,
        };
        let host = HostControl { rules, position: &position, control };
        let report = rules.search(&mut context.inner, &position, &request, &host);
        debug_assert!(report.stop.is_some(), "the final report has a stop reason");
        host.send(&report, report.stop.or(Some(StopReason::Cancelled)));
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
        unsafe { out.write(evaluation::to_abi(&instance.rules.evaluate(&instance.read(position)?))) };
        Ok(())
    })
}

/// The host's callbacks as a [`Control`].
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
        self.send(report, None);
    }
}

impl<R: Ruleset> HostControl<'_, R> {
    fn send(&self, report: &Report<R::Move>, stop: Option<StopReason>) {
        let format = |moves: &[R::Move]| Ok::<_, Infallible>(format_line(self.rules, self.position, moves));
        let Ok(report) = report::try_map_lines(report, format);
        // SAFETY: the host's callback takes a report that is readable during the call.
        report::with_abi(&Report { stop, ..report }, |report| unsafe {
            (self.control.report)(self.control.ctx, &raw const *report);
        });
    }
}

fn format_line<R: Ruleset>(rules: &R, position: &R::Position, moves: &[R::Move]) -> Vec<String> {
    let mut position = position.clone();
    let format_next = |mv| {
        let mut text = String::with_capacity(16);
        rules.format_move(&position, mv, &mut text);
        position = rules.play(&position, mv);
        text
    };
    moves.iter().take(abi::LINE_LEN_MAX as usize).map(format_next).collect()
}
