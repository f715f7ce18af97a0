//! The tables of modules in the docs of crates and folders list every module.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A table that begins with `//! | module |` names exactly the modules of its file.
#[test]
fn tables_list_every_module() {
    let mut files = Vec::new();
    for folder in ["proto", "rulesets", "services", "tests"] {
        collect_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    let mut n_tables = 0;
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        let Some((_, table)) = source.split_once("//! | module |") else { continue };
        let rows = table.lines().skip(2).map_while(|line| line.strip_prefix("//! | "));
        let names = rows.flat_map(|row| row.split('|').next().unwrap_or_default().split('`').skip(1).step_by(2));
        let listed: BTreeSet<&str> = names.collect();
        let declared: BTreeSet<&str> = source.lines().filter_map(declared_module).collect();
        assert_eq!(listed, declared, "{}", file.display());
        n_tables += 1;
    }
    assert!(n_tables >= 30, "only {n_tables} tables were found");
}

fn collect_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let is_installed = ["target", "node_modules"].iter().any(|name| path.ends_with(name));
        if path.is_dir() && !is_installed {
            collect_sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Returns the name in `mod name;` with any visibility, except for unit tests.
fn declared_module(line: &str) -> Option<&str> {
    let declaration = line.strip_suffix(';')?;
    let (visibility, name) = declaration.rsplit_once("mod ")?;
    ((visibility.is_empty() || visibility.starts_with("pub")) && name != "tests").then_some(name)
}
