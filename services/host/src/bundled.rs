//! The rule sets that are built with this program.

use std::path::{Path, PathBuf};

use crate::allow::AllowList;
use crate::load_error::LoadError;
use crate::registry::list_files;

/// Their names, as in `libruleset_pentago.so`: the rule sets that the root package
/// depends on.
const NAMES: [&str; 4] = ["pentaflip", "pentagame", "pentago", "pentago_xl"];
/// Hashes of the bundled rule sets, beside the executable. Images and releases have it.
const SUMS: &str = "rulesets.sha256";

/// Recognises bundled rule sets among the files of their directory, where other files
/// may have been added or mounted.
///
/// A file is bundled if its hash is in `rulesets.sha256` beside the executable. Without
/// that file, as in a Cargo build, its name must be that of a bundled rule set.
#[derive(Clone, Debug)]
pub struct BundledRulesets {
    /// Canonical.
    dir: PathBuf,
    sums: Option<AllowList>,
}

impl BundledRulesets {
    /// Reads the hashes, if there are any. If they cannot be read, no file is bundled.
    pub fn find() -> Result<BundledRulesets, LoadError> {
        let dir = bundled_dir()?;
        let unreadable = |source| LoadError::Unreadable { path: dir.clone(), source };
        let sums = match std::fs::read_to_string(program_dir()?.join(SUMS)) {
            Ok(text) => Some(AllowList::parse(&text).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(_) => Some(AllowList::default()),
        };
        Ok(BundledRulesets { dir: dir.canonicalize().map_err(unreadable)?, sums })
    }

    /// Whether the file with this path and hash is one of them. A link from another
    /// directory is not.
    pub fn contains(&self, path: &Path, sha256: &str) -> bool {
        let is_here = |path: Option<PathBuf>| path.is_some_and(|path| path.parent() == Some(&*self.dir));
        let named_dir = path.parent().and_then(|dir| dir.canonicalize().ok());
        if named_dir.as_deref() != Some(&*self.dir) || !is_here(path.canonicalize().ok()) {
            return false;
        }
        match &self.sums {
            Some(sums) => sums.contains(sha256),
            None => path.file_stem().and_then(|stem| stem.to_str()?.strip_prefix("libruleset_")).is_some_and(is_name),
        }
    }
}

fn is_name(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Returns the files of the directory of the bundled rule sets, in order.
pub fn bundled_files() -> Result<Vec<PathBuf>, LoadError> {
    let dir = bundled_dir()?;
    // Cargo's directory also holds proc macros and test plugins.
    list_files(&dir, if dir.ends_with("deps") { "libruleset_" } else { "" })
}

/// The directory of the bundled rule sets: `rulesets/` beside the executable if
/// it exists, else Cargo's `deps/`, where a build puts them as `libruleset_*`.
/// That is beside the executable, or, for tests, the executable's own directory.
pub fn bundled_dir() -> Result<PathBuf, LoadError> {
    let dir = program_dir()?;
    let installed = dir.join("rulesets");
    Ok(if installed.is_dir() {
        installed
    } else if dir.ends_with("deps") {
        dir
    } else {
        dir.join("deps")
    })
}

fn program_dir() -> Result<PathBuf, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: PathBuf::from("the running executable"), source };
    let program = std::env::current_exe().map_err(unreadable)?;
    Ok(program.parent().unwrap_or(Path::new("/")).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names are the rule sets that the root package depends on.
    #[test]
    fn names_are_those_of_the_build() {
        let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml")).unwrap();
        let package = manifest.split_once("[package]").expect("the root has a package").1;
        let names = package.lines().filter_map(|line| line.strip_prefix("ruleset-")?.strip_suffix(".workspace = true"));
        let mut names: Vec<String> = names.map(|name| name.replace('-', "_")).collect();
        names.sort();
        assert_eq!(names, NAMES);
    }

    /// Names decide where there are no hashes, hashes where there are; a file of another
    /// directory is never bundled.
    #[test]
    fn other_files_in_the_directory_are_not_bundled() {
        let (dir, elsewhere) = (pentad_test_plugins::scratch_dir(), pentad_test_plugins::scratch_dir());
        let dir = dir.canonicalize().unwrap();
        for name in ["libruleset_pentago.so", "libruleset_other.so"] {
            std::fs::write(dir.join(name), "").unwrap();
        }
        std::os::unix::fs::symlink(dir.join("libruleset_pentago.so"), elsewhere.join("libruleset_pentago.so")).unwrap();
        std::fs::write(elsewhere.join("other.so"), "").unwrap();
        std::os::unix::fs::symlink(elsewhere.join("other.so"), dir.join("libruleset_pentagame.so")).unwrap();
        let (listed, other) = ("a".repeat(64), "b".repeat(64));
        let by_name = BundledRulesets { dir: dir.clone(), sums: None };
        let by_sum = BundledRulesets { sums: Some(AllowList::parse(&listed).unwrap()), ..by_name.clone() };
        for (path, sha256, expected) in [
            (dir.join("libruleset_pentago.so"), &listed, (true, true)),
            (dir.join("libruleset_pentago.so"), &other, (true, false)),
            (dir.join("libruleset_other.so"), &other, (false, false)),
            (dir.join("libruleset_pentagame.so"), &listed, (false, false)),
            (elsewhere.join("libruleset_pentago.so"), &listed, (false, false)),
        ] {
            let found = (by_name.contains(&path, sha256), by_sum.contains(&path, sha256));
            assert_eq!(found, expected, "{} {sha256}", path.display());
        }
    }
}
