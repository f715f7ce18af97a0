//! Guard bytes behind the buffers that a plugin writes into.
//!
//! A plugin that writes a little too far would change memory of the host, and nothing
//! would show where. Behind every output buffer lie bytes that the host checks after the
//! call: a change is a fault of that call.

use pentad_model::Violation;

/// Number of guard bytes behind a buffer.
pub(crate) const GUARD_LEN: usize = 16;
/// An unlikely content of positions, texts and numbers.
const PATTERN: [u8; GUARD_LEN] = *b"\xb5\x1e\xa9\x53\xd7\x2b\x96\x6d\xb5\x1e\xa9\x53\xd7\x2b\x96\x6d";

/// A value that a plugin writes, with guard bytes directly behind it.
#[repr(C)]
pub(crate) struct Guarded<T> {
    value: T,
    guard: [u8; GUARD_LEN],
}

impl<T> Guarded<T> {
    #[inline]
    pub(crate) fn new(value: T) -> Self {
        Guarded { value, guard: PATTERN }
    }

    /// Returns the pointer for the plugin.
    #[inline]
    pub(crate) fn as_mut_ptr(&mut self) -> *mut T {
        (&raw mut *self).cast()
    }

    /// Returns the value, unless the plugin wrote beyond it.
    #[inline]
    pub(crate) fn into_checked(self) -> Result<T, Violation> {
        if self.guard == PATTERN { Ok(self.value) } else { Err(overrun()) }
    }
}

/// Returns the guard bytes of a buffer whose length is known only at run time.
#[inline]
pub(crate) fn guard() -> [u8; GUARD_LEN] {
    PATTERN
}

/// Checks the guard bytes of such a buffer.
#[inline]
pub(crate) fn check(guard: &[u8]) -> Result<(), Violation> {
    if *guard == PATTERN { Ok(()) } else { Err(overrun()) }
}

#[cold]
fn overrun() -> Violation {
    Violation::value("it wrote beyond the end of a buffer of the host")
}
