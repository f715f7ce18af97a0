//! A slice that several threads fill, each with its own elements.
//!
//! The results of one tile are spread over all rows of the next slice, so the
//! rows cannot be divided among the threads beforehand.

use std::cell::Cell;

/// Exclusive access to a slice, shared by the threads that fill it.
pub(in crate::solver) struct Scatter<'a, W>(&'a [Cell<W>]);

// SAFETY: the only access is `put`, whose callers promise that no element is
// written by two threads; nothing is read while this value lives.
unsafe impl<W: Send> Sync for Scatter<'_, W> {}

impl<'a, W> Scatter<'a, W> {
    pub(super) fn new(slice: &'a mut [W]) -> Self {
        Scatter(Cell::from_mut(slice).as_slice_of_cells())
    }

    /// Writes an element.
    ///
    /// # Safety
    ///
    /// Only one thread may ever write this element of this value.
    #[inline(always)]
    pub(super) unsafe fn put(&self, idx: usize, word: W) {
        self.0[idx].set(word);
    }
}
