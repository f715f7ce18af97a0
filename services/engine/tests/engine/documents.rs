//! Documents that list parts of the code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{config, engine};

const TRACE: &str = include_str!("../../src/trace.rs");
const CALLS: &str = include_str!("../../src/rules/calls.rs");
const README: &str = include_str!("../../README.md");

/// Returns the texts between backquotes.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the values of an attribute in the table of spans.
fn documented_values(attribute: &str) -> BTreeSet<&'static str> {
    let marker = format!("`{attribute}`: ");
    let (_, values) = TRACE.split_once(&marker).expect("the attribute is documented");
    quoted(values.split(['|', ';']).next().expect("a split has a first part"))
}

/// Operators filter spans by these values.
#[tokio::test]
async fn every_value_of_a_span_is_documented() {
    let names = CALLS.split_once("fn as_str").expect("calls have names").1;
    let names = names.split_once("\n    }\n").expect("a function ends").0;
    let names: BTreeSet<&str> = names.split('"').skip(1).step_by(2).collect();
    assert_eq!(documented_values("pentad.rules"), names);
    let (engine, _) = engine(config(), &[]);
    let pools: BTreeSet<&str> = engine.stats().pools.map(|pool| pool.name).into_iter().collect();
    assert_eq!(documented_values("pentad.pool"), pools);
}

/// The README names every file of the stages.
#[test]
fn the_readme_names_every_file() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut n_files = 0;
    for stage in ["resolve", "rules", "schedule", "search", "present", "store", "calls"] {
        let row = README.lines().find(|line| line.starts_with(&format!("| `{stage}/`")));
        let row = quoted(row.unwrap_or_else(|| panic!("README.md has no row for {stage}")));
        for entry in fs::read_dir(src.join(stage)).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = entry.file_stem().and_then(|name| name.to_str()).expect("a name");
            assert!(name == "mod" || row.contains(name), "README.md does not name {stage}/{name}");
            n_files += 1;
        }
    }
    assert!(n_files > 30, "{n_files}");
}
