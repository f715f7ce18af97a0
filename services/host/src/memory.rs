//! Memory that rule sets have freed.

/// Returns free memory of the C library's allocator to the system.
///
/// Rule sets in this process use that allocator for their tables. It keeps freed pages
/// for the next allocation, so a process that was busy once would stay large. Takes a few
/// milliseconds per 100 MiB. Does nothing where the C library is not glibc.
pub fn release_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` may be called at any time and from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}
