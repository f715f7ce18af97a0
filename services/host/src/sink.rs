//! The callbacks that take a plugin's output.
//!
//! A [`Sink`] lives on the host's stack during one call. Whatever arrives goes
//! through a closure; the closure's panics are caught, because they must not
//! unwind through the plugin, and resumed when the plugin has returned. A
//! plugin that calls from another thread, or from within the callback, is
//! refused: the closure belongs to one caller.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{c_char, c_void};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use pentad_abi as abi;

use crate::error::Lie;
use crate::text;

/// Whether a closure wants more items, or what is wrong with this one. The lie
/// is boxed so that the answer fits into registers: it is given for every move.
pub(crate) type Taken = Result<ControlFlow<()>, Box<Lie>>;

/// Takes the items of one call through `F`.
pub(crate) struct Sink<F> {
    /// The thread that made the call.
    home: usize,
    strayed: AtomicBool,
    inner: RefCell<Inner<F>>,
}

struct Inner<F> {
    take: F,
    state: State,
}

enum State {
    Open,
    Stopped,
    /// Items came although the plugin had been told to stop.
    Overrun,
    Lied(Box<Lie>),
    Panicked(Box<dyn Any + Send>),
}

/// How the items ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The host took all of them.
    Complete,
    /// The host wanted no more.
    Stopped,
}

impl<F> Sink<F> {
    pub(crate) fn new(take: F) -> Self {
        Sink {
            home: thread_mark(),
            strayed: AtomicBool::new(false),
            inner: RefCell::new(Inner { take, state: State::Open }),
        }
    }

    /// Takes one item; non-zero tells the plugin to stop.
    #[inline]
    fn accept<I>(&self, item: I) -> i32
    where
        F: FnMut(I) -> Taken,
    {
        if thread_mark() != self.home {
            self.strayed.store(true, Ordering::Relaxed);
            return 1;
        }
        let Ok(mut inner) = self.inner.try_borrow_mut() else {
            self.strayed.store(true, Ordering::Relaxed);
            return 1;
        };
        let Inner { take, state } = &mut *inner;
        match state {
            State::Open => {}
            State::Stopped => {
                *state = State::Overrun;
                return 1;
            }
            State::Overrun | State::Lied(_) | State::Panicked(_) => return 1,
        }
        *state = match catch_unwind(AssertUnwindSafe(|| take(item))) {
            Ok(Ok(ControlFlow::Continue(()))) => return 0,
            Ok(Ok(ControlFlow::Break(()))) => State::Stopped,
            Ok(Err(lie)) => State::Lied(lie),
            Err(panic) => State::Panicked(panic),
        };
        1
    }

    /// What became of the items, after the plugin returned.
    ///
    /// # Panics
    /// If the closure panicked, with its panic.
    pub(crate) fn end(self) -> Result<End, Lie> {
        if self.strayed.into_inner() {
            return Err(Lie::value("the host's callback was called from another thread or from within itself"));
        }
        match self.inner.into_inner().state {
            State::Open => Ok(End::Complete),
            State::Stopped => Ok(End::Stopped),
            State::Overrun => Err(Lie::status("it went on after it was told to stop")),
            State::Lied(lie) => Err(*lie),
            State::Panicked(panic) => resume_unwind(panic),
        }
    }
}

impl<F: FnMut(abi::Str) -> Taken> Sink<F> {
    /// The sink as a writer, which must not be used after the sink is gone.
    pub(crate) fn writer(&self) -> abi::Writer {
        abi::Writer { ctx: std::ptr::from_ref(self).cast_mut().cast(), write: write::<F> }
    }
}

impl<F: FnMut((u32, u32)) -> Taken> Sink<F> {
    /// The sink as a placer, which must not be used after the sink is gone.
    pub(crate) fn placer(&self) -> abi::Placer {
        abi::Placer { ctx: std::ptr::from_ref(self).cast_mut().cast(), place: place::<F> }
    }
}

impl<F: FnMut(*const abi::Reason) -> Taken> Sink<F> {
    /// The sink as an explainer, which must not be used after the sink is gone.
    pub(crate) fn explainer(&self) -> abi::Explainer {
        abi::Explainer { ctx: std::ptr::from_ref(self).cast_mut().cast(), give: give::<F> }
    }
}

/// Appends pieces of text to `out`, up to `len_max` bytes in all.
pub(crate) fn collect(out: &mut Vec<u8>, len_max: u64) -> impl FnMut(abi::Str) -> Taken {
    move |piece| {
        // SAFETY: the header says that a writer gets readable bytes; null and
        // too long are checked first.
        let piece = unsafe { text::bytes(piece, len_max - out.len() as u64) }?;
        out.extend_from_slice(piece);
        Ok(ControlFlow::Continue(()))
    }
}

/// Keeps a move that comes in one call.
pub(crate) fn one_move(out: &mut Option<String>) -> impl FnMut(abi::Str) -> Taken {
    move |whole| {
        if out.is_some() {
            return Err(Lie::text("a move in more than one piece").into());
        }
        // SAFETY: as in `collect`.
        let bytes = unsafe { text::bytes(whole, abi::MOVE_LEN_MAX) }?;
        *out = Some(text::move_text(bytes)?.to_owned());
        Ok(ControlFlow::Continue(()))
    }
}

unsafe extern "C" fn write<F>(ctx: *mut c_void, data: *const c_char, len: u64) -> i32
where
    F: FnMut(abi::Str) -> Taken,
{
    // SAFETY: the plugin hands back the `ctx` of a writer made by `Sink::writer`
    // with the same `F`; the sink outlives the call it is lent for and is only
    // shared, never borrowed mutably.
    let sink = unsafe { &*ctx.cast::<Sink<F>>() };
    sink.accept(abi::Str { data, len })
}

unsafe extern "C" fn place<F>(ctx: *mut c_void, point: u32, piece: u32) -> i32
where
    F: FnMut((u32, u32)) -> Taken,
{
    // SAFETY: as in `write`, for `Sink::placer`.
    let sink = unsafe { &*ctx.cast::<Sink<F>>() };
    sink.accept((point, piece))
}

unsafe extern "C" fn give<F>(ctx: *mut c_void, reason: *const abi::Reason) -> i32
where
    F: FnMut(*const abi::Reason) -> Taken,
{
    // SAFETY: as in `write`, for `Sink::explainer`.
    let sink = unsafe { &*ctx.cast::<Sink<F>>() };
    sink.accept(reason)
}

/// A number that only this thread has while it lives. Cheaper than asking for
/// the thread's id, and this is asked for every move.
fn thread_mark() -> usize {
    thread_local!(static MARK: u8 = const { 0 });
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}
