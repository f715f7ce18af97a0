//! Rule sets load, conform, and include the required games.

use std::path::PathBuf;

use super::super::{check_briefly, this_program_as_worker};
use super::finding::Findings;
use crate::config::Config;
use crate::rulesets::{self, Found};

pub(super) fn check(config: &Config, findings: &mut Findings) {
    let found = match rulesets::load(config, &this_program_as_worker()) {
        Ok(found) => found,
        Err(error) => return findings.failed(error.to_string(), "see `rulesets` and `allow_list`"),
    };
    let Found { rulesets, refused } = found;
    for file in refused {
        findings.warning(file.error, "repair or remove the file, or add it to allow_list; the others are served");
    }
    let games: Vec<&str> = rulesets.iter().map(|ruleset| ruleset.info().id.as_str()).collect();
    let missing: Vec<&str> = config.require_games.iter().filter(|game| !games.contains(game)).collect();
    if !missing.is_empty() {
        findings.failed(
            format!("required games are missing: {}; there are {}", missing.join(", "), games.join(", ")),
            "add their rule sets, or remove them from require_games: the server would never be ready",
        );
    }
    for error in broken(rulesets.iter().map(|ruleset| ruleset.info().path.clone()).collect()) {
        findings.failed(error, "remove the rule set, and report it to its author (`pentad check FILE` shows more)");
    }
    findings.ok(format!("{} load and conform", games.join(", ")));
}

/// Checks the files side by side; returns what is wrong with them.
fn broken(files: Vec<PathBuf>) -> Vec<String> {
    std::thread::scope(|scope| {
        let checks: Vec<_> = files
            .into_iter()
            .map(|file| {
                scope.spawn(move || check_briefly(&file).map_err(|error| format!("{}: {error}", file.display())))
            })
            .collect();
        checks.into_iter().filter_map(|check| check.join().expect("a check does not panic").err()).collect()
    })
}
