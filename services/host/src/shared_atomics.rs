//! Words of memory shared by processes.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicU64;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// The first words of a file, shared with every process that maps the same file.
///
/// What one process stores, the others load, even after it has crashed. A store costs a
/// few nanoseconds, where a write to the file costs a system call.
#[derive(Debug)]
pub struct SharedAtomics {
    words: NonNull<AtomicU64>,
    len: usize,
}

impl SharedAtomics {
    /// Creates words in an in-memory file that no process can resize, and returns that
    /// file for the others.
    #[cfg(target_os = "linux")]
    pub fn create(len: usize) -> io::Result<(SharedAtomics, File)> {
        use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = File::from(memfd_create("pentad-shared", flags)?);
        ftruncate(&file, (len * size_of::<AtomicU64>()) as u64)?;
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok((SharedAtomics::map(&file, Some(len))?, file))
    }

    /// Maps the first `len` words of a file that is open for reading and writing, or
    /// all of them. The file must not become shorter.
    pub fn map(file: &File, len: Option<usize>) -> io::Result<SharedAtomics> {
        let n_words = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)? / size_of::<AtomicU64>();
        let len = len.unwrap_or(n_words);
        if len == 0 || n_words < len {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the file is too short to be shared"));
        }
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let size = len * size_of::<AtomicU64>();
        // SAFETY: the kernel chooses the address, so no other memory is affected.
        let address = unsafe { mmap(ptr::null_mut(), size, access, MapFlags::SHARED, file, 0) }?;
        let words = NonNull::new(address.cast()).expect("a mapping is not at the address 0");
        Ok(SharedAtomics { words, len })
    }
}

impl Deref for SharedAtomics {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: `map` mapped that many words, aligned to a page, until `drop`; every
        // process reads and writes them as atomics.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.len) }
    }
}

impl Drop for SharedAtomics {
    fn drop(&mut self) {
        // SAFETY: `map` mapped these bytes, and no borrow of them is left.
        // Fails only for an address that is not mapped.
        let _ignored = unsafe { munmap(self.words.as_ptr().cast(), self.len * size_of::<AtomicU64>()) };
    }
}

// SAFETY: a mapping belongs to the process, not to a thread, and atomics may be shared.
unsafe impl Send for SharedAtomics {}
// SAFETY: as above.
unsafe impl Sync for SharedAtomics {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    /// Two mappings of one file see each other's stores; a short file is refused.
    #[test]
    fn mappings_share_words() {
        let path = pentad_test_plugins::file("words", &[0; 32]);
        let file = File::options().read(true).write(true).open(&path).unwrap();
        let (one, other) = (SharedAtomics::map(&file, Some(4)).unwrap(), SharedAtomics::map(&file, None).unwrap());
        assert_eq!((one.len(), other.len()), (4, 4));
        one[3].store(7, Ordering::Relaxed);
        assert_eq!(other[3].load(Ordering::Relaxed), 7);
        drop(one);
        assert_eq!(std::fs::read(&path).unwrap()[24..], 7u64.to_ne_bytes());
        file.set_len(8).unwrap();
        assert!(SharedAtomics::map(&file, Some(4)).is_err());
    }

    /// A created file cannot be truncated, which would make a load crash.
    #[test]
    #[cfg(target_os = "linux")]
    fn created_words_cannot_be_cut_short() {
        let (words, file) = SharedAtomics::create(512).unwrap();
        assert!(file.set_len(0).is_err());
        assert_eq!(words[511].load(Ordering::Relaxed), 0);
    }
}
