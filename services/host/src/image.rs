//! A private copy of a library's bytes, which the dynamic linker maps instead of
//! the file.
//!
//! A mapping follows its file: copying over a mapped library replaces the running code,
//! and truncating it kills the process with SIGBUS. The copy cannot change, and is
//! exactly what was hashed.
//!
//! On Linux the copy is a sealed memfd, named after the file and opened as
//! `/proc/self/fd/N`. Where that is impossible (no `/proc`, a policy against memfds,
//! another system) it is a temporary file, removed once it is mapped.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file that only this process can reach, and its path for the dynamic linker.
#[derive(Debug)]
pub(crate) struct Image {
    path: PathBuf,
    /// Stays open as long as the library is loaded: the linker identifies libraries by
    /// path, so the number in it must not be reused. `None` for a temporary file.
    memfd: Option<File>,
}

impl Image {
    /// Creates a sealed memfd.
    #[cfg(target_os = "linux")]
    pub(crate) fn in_memory(file_name: &str, content: &[u8]) -> io::Result<Image> {
        use std::os::fd::AsRawFd as _;

        use rustix::fs::{SealFlags, fcntl_add_seals};

        let mut memfd = create_memfd(file_name)?;
        memfd.write_all(content)?;
        fcntl_add_seals(&memfd, SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", memfd.as_raw_fd()));
        path.metadata()?;
        Ok(Image { path, memfd: Some(memfd) })
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn in_memory(_file_name: &str, _content: &[u8]) -> io::Result<Image> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Wraps a sealed memfd created by another process.
    #[cfg(target_os = "linux")]
    pub(crate) fn from_descriptor(memfd: File) -> Image {
        use std::os::fd::AsRawFd as _;

        Image { path: PathBuf::from(format!("/proc/self/fd/{}", memfd.as_raw_fd())), memfd: Some(memfd) }
    }

    /// The memfd, for another process.
    pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.memfd.as_ref().map(AsFd::as_fd)
    }

    /// Creates a temporary file, readable only by this user.
    pub(crate) fn in_temp_dir(file_name: &str, content: &[u8]) -> io::Result<Image> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("pentad-{}-{count}-{file_name}", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let image = Image { path, memfd: None };
        file.write_all(content).inspect_err(|_| image.remove_name())?;
        Ok(image)
    }

    /// Path for the dynamic linker.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the name of a temporary file; its mappings stay.
    pub(crate) fn remove_name(&self) {
        if self.memfd.is_none() {
            // A leftover file does no harm.
            let _ignored = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(target_os = "linux")]
fn create_memfd(file_name: &str) -> io::Result<File> {
    use rustix::fs::{MemfdFlags, memfd_create};

    // The kernel allows 249 bytes; a character has up to 4.
    let name: String = file_name.chars().take(60).collect();
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // A library is mapped, never executed as a program, and some systems require that
    // flag; kernels before 6.3 do not know it.
    let memfd = memfd_create(&name, flags | MemfdFlags::NOEXEC_SEAL).or_else(|_| memfd_create(&name, flags))?;
    Ok(File::from(memfd))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The copy in memory is not writable, not even by this process.
    #[test]
    #[cfg(target_os = "linux")]
    fn copy_in_memory_is_sealed() {
        let image = Image::in_memory("libx.so", b"content").unwrap();
        assert_eq!(std::fs::read(image.path()).unwrap(), b"content");
        let target = image.path().read_link().unwrap();
        assert!(target.to_string_lossy().contains("libx.so"), "{}", target.display());
        let written = OpenOptions::new().write(true).open(image.path()).and_then(|mut file| file.write_all(b"x"));
        assert!(written.is_err());
        assert!(image.memfd.as_ref().unwrap().set_len(0).is_err());
        assert_eq!(std::fs::read(image.path()).unwrap(), b"content");
    }

    /// A long name, also of characters of several bytes, is cut.
    #[test]
    #[cfg(target_os = "linux")]
    fn long_names_are_cut() {
        Image::in_memory(&"𝄞".repeat(300), b"content").unwrap();
    }

    /// A temporary copy is private and disappears with its name.
    #[test]
    fn temporary_copy_is_private() {
        use std::os::unix::fs::PermissionsExt as _;

        let image = Image::in_temp_dir("libx.so", b"content").unwrap();
        assert_eq!(std::fs::read(image.path()).unwrap(), b"content");
        assert_eq!(image.path().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        image.remove_name();
        assert!(!image.path().exists());
    }
}
