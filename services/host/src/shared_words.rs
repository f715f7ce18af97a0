//! Words of memory that processes share.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicU64;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// The first words of a file, shared with every process that maps the same file.
///
/// What one process stores, the others load, also after it has crashed. A store
/// costs a few nanoseconds, where a write to the file costs a system call.
#[derive(Debug)]
pub struct SharedWords {
    words: NonNull<AtomicU64>,
}

impl SharedWords {
    /// The number of words.
    pub const LEN: usize = 4;
    const BYTES: usize = SharedWords::LEN * size_of::<AtomicU64>();

    /// Maps a file that is open for reading and writing and at least
    /// [`LEN`](SharedWords::LEN) words long. It must not become shorter.
    pub fn map(file: &File) -> io::Result<SharedWords> {
        if file.metadata()?.len() < SharedWords::BYTES as u64 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the file is too short to be shared"));
        }
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: the kernel chooses the address, so no other memory is affected.
        let address = unsafe { mmap(ptr::null_mut(), SharedWords::BYTES, access, MapFlags::SHARED, file, 0) }?;
        let words = NonNull::new(address.cast()).expect("a mapping is not at the address 0");
        Ok(SharedWords { words })
    }
}

impl Deref for SharedWords {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: `map` mapped that many words, aligned to a page, until `drop`; every
        // process reads and writes them as atomics.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), SharedWords::LEN) }
    }
}

impl Drop for SharedWords {
    fn drop(&mut self) {
        // SAFETY: `map` mapped these bytes, and no borrow of them is left.
        // It fails only for an address that is not mapped.
        let _ignored = unsafe { munmap(self.words.as_ptr().cast(), SharedWords::BYTES) };
    }
}

// SAFETY: a mapping belongs to the process, not to a thread, and atomics may be shared.
unsafe impl Send for SharedWords {}
// SAFETY: as above.
unsafe impl Sync for SharedWords {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    /// Two mappings of one file see each other's stores; a short file is refused.
    #[test]
    fn mappings_share_words() {
        let path = pentad_test_plugins::file("words", &[0; SharedWords::BYTES]);
        let file = File::options().read(true).write(true).open(&path).unwrap();
        let (one, other) = (SharedWords::map(&file).unwrap(), SharedWords::map(&file).unwrap());
        one[SharedWords::LEN - 1].store(7, Ordering::Relaxed);
        assert_eq!(other[SharedWords::LEN - 1].load(Ordering::Relaxed), 7);
        drop(one);
        assert_eq!(std::fs::read(&path).unwrap()[SharedWords::BYTES - 8..], 7u64.to_ne_bytes());
        file.set_len(8).unwrap();
        assert!(SharedWords::map(&file).is_err());
    }
}
