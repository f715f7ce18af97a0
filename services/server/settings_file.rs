//! Reads the files that settings name: tokens, certificates, lists, the settings
//! themselves.
//!
//! They have to be regular files. Opening a pipe would wait until something opens its
//! other end, and reloads run one at a time: no token could be revoked meanwhile.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Maximum size of a file that a setting names.
const BYTES_MAX: u64 = 64 << 20;

/// Reads a regular file of at most 64 MiB. It never waits for another process.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut content = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut content)?;
    if content.len() as u64 > BYTES_MAX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "more than 64 MiB"));
    }
    Ok(content)
}

/// As [`read`], for text.
pub(crate) fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Devices, directories and pipes are refused at once, and a pipe also if it is
    /// reached by a link.
    #[test]
    fn only_regular_files_are_read() {
        let dir = std::env::temp_dir().join(format!("pentad-settings-file-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let (pipe, link) = (dir.join("pipe"), dir.join("link"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for path in [&pipe, &link, &dir, Path::new("/dev/zero"), Path::new("/dev/null")] {
            let error = read(path).expect_err("it is no file");
            assert_eq!(error.to_string(), "not a regular file", "{}", path.display());
        }
        let file = dir.join("file");
        std::fs::write(&file, "text").unwrap();
        assert_eq!(read_to_string(&file).unwrap(), "text");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
