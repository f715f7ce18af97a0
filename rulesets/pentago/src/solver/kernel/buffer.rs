//! Large zeroed memory for words.

use super::word::Word;

/// Zeroed words.
///
/// The system maps pages when they are first written, so that the threads share that
/// work and stopping early saves it. A vector of words would not do: zeros with more
/// than the usual alignment are written immediately.
#[derive(Debug)]
pub(in crate::solver) struct Buffer {
    numbers: Vec<u128>,
    /// Number of words from the start that have been written to.
    n_touched: usize,
}

impl Buffer {
    pub(in crate::solver) fn new<W: Word>(len: usize) -> Self {
        let numbers = vec![0; Self::bytes(len * size_of::<W>()) / size_of::<u128>()];
        prefer_huge_pages(&numbers);
        Buffer { numbers, n_touched: 0 }
    }

    /// Returns the size of a buffer for `words_bytes` of words: a little more, because
    /// its start is not aligned for words.
    pub(in crate::solver) fn bytes(words_bytes: usize) -> usize {
        words_bytes + size_of::<u128>()
    }

    /// Returns the words; at least as many as requested.
    pub(in crate::solver) fn words<W: Word>(&mut self) -> &mut [W] {
        // SAFETY: words are plain vectors of bits, so any bytes are a word,
        // and the bytes of any word are numbers.
        unsafe { self.numbers.align_to_mut::<W>().1 }
    }

    /// Returns those of the first `len` words that it has not returned before.
    pub(in crate::solver) fn untouched<W: Word>(&mut self, len: usize) -> &mut [W] {
        let n_touched = self.n_touched;
        self.n_touched = len.max(n_touched);
        &mut self.words()[n_touched.min(len)..len]
    }
}

/// Requests pages of 2 MiB. A pass writes to thousands of rows in turn, and with pages
/// of 4 KiB a third of its time goes into address translation; releasing a GiB of those
/// when stopped takes 80 ms. It is only a hint: if refused, everything works, only
/// slower.
#[cfg(target_os = "linux")]
fn prefer_huge_pages(numbers: &[u128]) {
    use std::ffi::{c_int, c_void};

    const HUGE_PAGE: usize = 2 << 20;
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        /// Function of the C library, which the standard library links anyway.
        fn madvise(start: *mut c_void, len: usize, advice: c_int) -> c_int;
    }
    let range = numbers.as_ptr_range();
    let skipped = range.start.addr().next_multiple_of(HUGE_PAGE) - range.start.addr();
    let len = (size_of_val(numbers).saturating_sub(skipped)) / HUGE_PAGE * HUGE_PAGE;
    if len > 0 {
        let start = range.start.wrapping_byte_add(skipped).cast_mut().cast();
        // SAFETY: the range is inside one allocation of ours, and this advice
        // changes no content.
        let _refused = unsafe { madvise(start, len, MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages(_: &[u128]) {}
