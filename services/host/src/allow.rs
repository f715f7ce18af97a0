//! The list of files that may be loaded, by content hash.

use std::collections::HashSet;

/// SHA-256 hashes of files that may be loaded, as `sha256sum` prints them.
///
/// ```
/// let list = pentad_host::AllowList::parse(
///     "# release 7\n\
///      e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  libruleset_pentago.so\n",
/// )?;
/// assert!(list.contains("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
/// # Ok::<(), pentad_host::AllowListError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList {
    hashes: HashSet<String>,
}

/// A line that is not in `sha256sum`'s format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "allow-list, line {line}: expected a SHA-256 in 64 hexadecimal digits and a file name, as `sha256sum` prints them"
)]
pub struct AllowListError {
    /// The line's number, from 1.
    pub line: usize,
}

impl AllowList {
    /// Reads `sha256sum` output. Empty lines and lines that begin with `#` are
    /// skipped. File names are not compared: a hash allows its content, wherever
    /// the file is.
    pub fn parse(text: &str) -> Result<AllowList, AllowListError> {
        let mut hashes = HashSet::new();
        for (line_idx, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            // `sha256sum` puts a backslash before a line whose file name is escaped.
            let hash = line.trim_start_matches('\\').split_whitespace().next().unwrap_or_default();
            if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(AllowListError { line: line_idx + 1 });
            }
            hashes.insert(hash.to_ascii_lowercase());
        }
        Ok(AllowList { hashes })
    }

    /// Whether a file with this hash (in hexadecimal) may be loaded.
    pub fn contains(&self, sha256: &str) -> bool {
        self.hashes.contains(&sha256.to_ascii_lowercase())
    }

    /// The number of distinct hashes.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether the list has no hash, so that nothing may be loaded.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }
}

/// Allows what any of the lists allows.
impl FromIterator<AllowList> for AllowList {
    fn from_iter<I: IntoIterator<Item = AllowList>>(lists: I) -> Self {
        AllowList { hashes: lists.into_iter().flat_map(|list| list.hashes).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /// Text mode, binary mode, upper case, comments and blank lines are read.
    #[test]
    fn reads_what_sha256sum_prints() {
        let other = HASH.replace('e', "f");
        let text = format!("# games\n\n{HASH}  libx.so\r\n{} *a b.so\n", other.to_uppercase());
        let list = AllowList::parse(&text).unwrap();
        assert_eq!(list.len(), 2);
        assert!(list.contains(HASH) && list.contains(&other) && list.contains(&HASH.to_uppercase()));
        assert!(!list.contains(&HASH.replace('0', "1")) && !list.contains(""));
        assert!(AllowList::parse("").unwrap().is_empty());
    }

    /// A damaged line is an error; it is not skipped.
    #[test]
    fn names_the_damaged_line() {
        for bad in ["abc  x.so", &HASH[1..], &format!("{HASH}0 x"), "z".repeat(64).as_str()] {
            assert_eq!(AllowList::parse(&format!("{HASH} x\n{bad}\n")), Err(AllowListError { line: 2 }), "{bad}");
        }
    }
}
