//! Callbacks that receive a plugin's output.
//!
//! An [`OutputSink`] lives on the host's stack during one call and passes every item to
//! a closure. The closure's panics are caught, because they must not unwind through the
//! plugin, and resumed when the plugin has returned. Calls from another thread, or from
//! within the callback, are rejected: the closure is neither `Sync` nor reentrant.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{c_char, c_void};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use pentad_abi as abi;
use pentad_model::{Violation, text};

/// Whether the closure wants more items, or what is wrong with this one. The
/// violation is boxed so that the result fits into registers: there is one per move.
pub(crate) type ItemResult = Result<ControlFlow<()>, Box<Violation>>;

/// Passes the items of one call to `F`.
pub(crate) struct OutputSink<F> {
    /// The thread that made the call, as [`thread_token`].
    caller_thread: usize,
    /// Set by a callback on another thread, or from within the closure.
    wrong_thread: AtomicBool,
    inner: RefCell<Inner<F>>,
}

struct Inner<F> {
    consume: F,
    state: State,
}

enum State {
    Open,
    Stopped,
    /// Items arrived after a callback had returned non-zero.
    Overrun,
    Violated(Box<Violation>),
    Panicked(Box<dyn Any + Send>),
}

/// How the output of a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// The host received every item.
    Complete,
    /// The host stopped the plugin.
    Stopped,
}

impl<F> OutputSink<F> {
    pub(crate) fn new(consume: F) -> Self {
        OutputSink {
            caller_thread: thread_token(),
            wrong_thread: AtomicBool::new(false),
            inner: RefCell::new(Inner { consume, state: State::Open }),
        }
    }

    /// Receives one item; a non-zero result stops the plugin.
    #[inline]
    fn accept<I>(&self, item: I) -> i32
    where
        F: FnMut(I) -> ItemResult,
    {
        if thread_token() != self.caller_thread {
            self.wrong_thread.store(true, Ordering::Relaxed);
            return 1;
        }
        let Ok(mut inner) = self.inner.try_borrow_mut() else {
            self.wrong_thread.store(true, Ordering::Relaxed);
            return 1;
        };
        let Inner { consume, state } = &mut *inner;
        match state {
            State::Open => {}
            State::Stopped => {
                *state = State::Overrun;
                return 1;
            }
            State::Overrun | State::Violated(_) | State::Panicked(_) => return 1,
        }
        *state = match catch_unwind(AssertUnwindSafe(|| consume(item))) {
            Ok(Ok(ControlFlow::Continue(()))) => return 0,
            Ok(Ok(ControlFlow::Break(()))) => State::Stopped,
            Ok(Err(violation)) => State::Violated(violation),
            Err(panic) => State::Panicked(panic),
        };
        1
    }

    /// Returns how the output ended, once the plugin has returned.
    ///
    /// # Panics
    /// If the closure panicked, with its panic.
    pub(crate) fn finish(self) -> Result<Completion, Violation> {
        if self.wrong_thread.into_inner() {
            return Err(Violation::value("a callback was called from another thread or from within itself"));
        }
        match self.inner.into_inner().state {
            State::Open => Ok(Completion::Complete),
            State::Stopped => Ok(Completion::Stopped),
            State::Overrun => Err(Violation::status("more output after a callback had returned non-zero")),
            State::Violated(violation) => Err(*violation),
            State::Panicked(panic) => resume_unwind(panic),
        }
    }
}

impl<F: FnMut(abi::Str) -> ItemResult> OutputSink<F> {
    /// The sink as a writer, which must not be used after the sink is gone.
    pub(crate) fn writer(&self) -> abi::Writer {
        abi::Writer { ctx: std::ptr::from_ref(self).cast_mut().cast(), write: write::<F> }
    }
}

impl<F: FnMut((u32, u32)) -> ItemResult> OutputSink<F> {
    /// The sink as a placer, which must not be used after the sink is gone.
    pub(crate) fn placer(&self) -> abi::Placer {
        abi::Placer { ctx: std::ptr::from_ref(self).cast_mut().cast(), place: place::<F> }
    }
}

impl<F: FnMut(*const abi::Reason) -> ItemResult> OutputSink<F> {
    /// The sink as an explainer, which must not be used after the sink is gone.
    pub(crate) fn explainer(&self) -> abi::Explainer {
        abi::Explainer { ctx: std::ptr::from_ref(self).cast_mut().cast(), give: give::<F> }
    }
}

impl<F: FnMut(*const abi::ReasonCode) -> ItemResult> OutputSink<F> {
    /// The sink as a lister of codes, which must not be used after the sink is gone.
    pub(crate) fn code_lister(&self) -> abi::CodeLister {
        abi::CodeLister { ctx: std::ptr::from_ref(self).cast_mut().cast(), give: give_code::<F> }
    }
}

impl<F: FnMut(*const abi::ThreatKind) -> ItemResult> OutputSink<F> {
    /// The sink as a lister of kinds, which must not be used after the sink is gone.
    pub(crate) fn threat_kind_lister(&self) -> abi::ThreatKindLister {
        abi::ThreatKindLister { ctx: std::ptr::from_ref(self).cast_mut().cast(), give: give_kind::<F> }
    }
}

impl<F: FnMut(*const abi::Threat) -> ItemResult> OutputSink<F> {
    /// The sink as a lister of threats, which must not be used after the sink is gone.
    pub(crate) fn threat_lister(&self) -> abi::ThreatLister {
        abi::ThreatLister { ctx: std::ptr::from_ref(self).cast_mut().cast(), give: give_threat::<F> }
    }
}

impl<F: FnMut((abi::Str, u64, u32)) -> ItemResult> OutputSink<F> {
    /// The sink as a lister of stops, which must not be used after the sink is gone.
    pub(crate) fn stop_lister(&self) -> abi::StopLister {
        abi::StopLister { ctx: std::ptr::from_ref(self).cast_mut().cast(), give: give_stop::<F> }
    }
}

impl<F: FnMut(*const abi::SpokenReason) -> ItemResult> OutputSink<F> {
    /// The sink as a taker of reasons, which must not be used after the sink is gone.
    pub(crate) fn reason_taker(&self) -> abi::ReasonTaker {
        abi::ReasonTaker { ctx: std::ptr::from_ref(self).cast_mut().cast(), give: give_spoken_reason::<F> }
    }
}

impl<F: FnMut(*const abi::Message) -> ItemResult> OutputSink<F> {
    /// The sink as a taker of messages, which must not be used after the sink is gone.
    pub(crate) fn message_taker(&self) -> abi::MessageTaker {
        abi::MessageTaker { ctx: std::ptr::from_ref(self).cast_mut().cast(), give: give_message::<F> }
    }
}

/// An item that a lister of messages receives.
pub(crate) enum ListedText {
    Message(*const abi::MessageInfo),
    Template(*const abi::Template),
}

impl<F: FnMut(ListedText) -> ItemResult> OutputSink<F> {
    /// The sink as a lister of messages, which must not be used after the sink is gone.
    pub(crate) fn message_lister(&self) -> abi::MessageLister {
        let ctx = std::ptr::from_ref(self).cast_mut().cast();
        abi::MessageLister { ctx, message: list_message::<F>, text: list_template::<F> }
    }
}

/// Appends text to `out`, up to `len_max` bytes in all.
pub(crate) fn append_text(out: &mut Vec<u8>, len_max: u64) -> impl FnMut(abi::Str) -> ItemResult {
    move |part| {
        // SAFETY: the header says that a writer gets readable bytes; null and
        // too long are checked first.
        let part = unsafe { text::bytes(part, len_max - out.len() as u64) }?;
        out.extend_from_slice(part);
        Ok(ControlFlow::Continue(()))
    }
}

/// Stores a move, which must arrive in a single call.
pub(crate) fn single_move(out: &mut Option<String>) -> impl FnMut(abi::Str) -> ItemResult {
    move |text| {
        if out.is_some() {
            return Err(Violation::text("a move in more than one call of the writer").into());
        }
        // SAFETY: as in `append_text`.
        let bytes = unsafe { text::bytes(text, abi::MOVE_LEN_MAX) }?;
        *out = Some(text::move_text(bytes)?.to_owned());
        Ok(ControlFlow::Continue(()))
    }
}

unsafe extern "C" fn write<F>(ctx: *mut c_void, data: *const c_char, len: u64) -> i32
where
    F: FnMut(abi::Str) -> ItemResult,
{
    // SAFETY: the plugin hands back the `ctx` of a writer made by `OutputSink::writer`
    // with the same `F`; the sink outlives the call it is lent for and is only
    // shared, never borrowed mutably.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(abi::Str { data, len })
}

unsafe extern "C" fn place<F>(ctx: *mut c_void, point: u32, piece: u32) -> i32
where
    F: FnMut((u32, u32)) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::placer`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept((point, piece))
}

unsafe extern "C" fn give<F>(ctx: *mut c_void, reason: *const abi::Reason) -> i32
where
    F: FnMut(*const abi::Reason) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::explainer`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(reason)
}

unsafe extern "C" fn give_code<F>(ctx: *mut c_void, code: *const abi::ReasonCode) -> i32
where
    F: FnMut(*const abi::ReasonCode) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::code_lister`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(code)
}

unsafe extern "C" fn give_kind<F>(ctx: *mut c_void, kind: *const abi::ThreatKind) -> i32
where
    F: FnMut(*const abi::ThreatKind) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::threat_kind_lister`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(kind)
}

unsafe extern "C" fn give_threat<F>(ctx: *mut c_void, threat: *const abi::Threat) -> i32
where
    F: FnMut(*const abi::Threat) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::threat_lister`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(threat)
}

unsafe extern "C" fn give_stop<F>(ctx: *mut c_void, mv: abi::Str, stopped: u64, stops_all: u32) -> i32
where
    F: FnMut((abi::Str, u64, u32)) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::stop_lister`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept((mv, stopped, stops_all))
}

unsafe extern "C" fn give_spoken_reason<F>(ctx: *mut c_void, reason: *const abi::SpokenReason) -> i32
where
    F: FnMut(*const abi::SpokenReason) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::reason_taker`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(reason)
}

unsafe extern "C" fn give_message<F>(ctx: *mut c_void, message: *const abi::Message) -> i32
where
    F: FnMut(*const abi::Message) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::message_taker`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(message)
}

unsafe extern "C" fn list_message<F>(ctx: *mut c_void, message: *const abi::MessageInfo) -> i32
where
    F: FnMut(ListedText) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::message_lister`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(ListedText::Message(message))
}

unsafe extern "C" fn list_template<F>(ctx: *mut c_void, template: *const abi::Template) -> i32
where
    F: FnMut(ListedText) -> ItemResult,
{
    // SAFETY: as in `write`, for `OutputSink::message_lister`.
    let sink = unsafe { &*ctx.cast::<OutputSink<F>>() };
    sink.accept(ListedText::Template(template))
}

/// A number that no other living thread has: the address of a thread-local.
/// Cheaper than `thread::current().id()`, and needed for every move.
fn thread_token() -> usize {
    thread_local!(static TOKEN: u8 = const { 0 });
    TOKEN.with(|token| std::ptr::from_ref(token).addr())
}
