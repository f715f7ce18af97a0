//! When the files of a folder have changed.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// More files than this are not looked at: the folder is not that of a game.
const FILES_MAX: usize = 10_000;

/// The sources below a folder: all files but hidden ones and what builds write.
pub(super) struct Sources {
    dir: PathBuf,
}

/// Paths, sizes and times of files.
#[derive(PartialEq)]
pub(super) struct Fingerprint(Vec<(PathBuf, u64, i64, i64)>);

impl Sources {
    pub(super) fn new(dir: &Path) -> Sources {
        Sources { dir: dir.to_owned() }
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        let (mut files, mut folders) = (Vec::new(), vec![self.dir.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let Ok(metadata) = entry.metadata() else { continue };
                if is_output(&name.to_string_lossy()) || files.len() == FILES_MAX {
                    continue;
                }
                if metadata.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path, metadata.size(), metadata.mtime(), metadata.mtime_nsec()));
                }
            }
        }
        files.sort();
        Fingerprint(files)
    }

    /// Waits until the files differ from `before`, and then stay the same for an interval:
    /// an editor may still be writing.
    pub(super) async fn wait_for_change(&self, before: Fingerprint, interval: Duration) {
        let mut last = before;
        let mut has_changed = false;
        loop {
            tokio::time::sleep(interval).await;
            let now = self.fingerprint();
            if now != last {
                has_changed = true;
            } else if has_changed {
                return;
            }
            last = now;
        }
    }
}

fn is_output(name: &str) -> bool {
    let is_built = |suffix| name.ends_with(suffix);
    name.starts_with('.')
        || matches!(name, "target" | "node_modules" | "Cargo.lock")
        || [".so", ".o", ".new"].iter().any(is_built)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_no_sources() {
        for name in [".git", "target", "libhex.so", "hex.o", "libhex.so.new", "Cargo.lock"] {
            assert!(is_output(name), "{name}");
        }
        for name in ["hex.c", "Cargo.toml", "Makefile", "src", "build.rs"] {
            assert!(!is_output(name), "{name}");
        }
    }
}
