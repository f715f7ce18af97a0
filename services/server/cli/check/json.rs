//! The report for programs.

use std::collections::BTreeMap;

use pentad_conformance::{ConformanceReport, LawResult, LawState};
use serde::Serialize;

/// The result of a check.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'a> {
    ruleset: &'a str,
    seed: u64,
    passed: bool,
    laws: Vec<Law<'a>>,
    /// How often the rule set panicked, by call and message.
    panics: &'a BTreeMap<String, u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Law<'a> {
    law: &'a str,
    statement: &'a str,
    state: &'static str,
    tried: u64,
    failed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped_because: Option<&'a str>,
    failures: Vec<Failure<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Failure<'a> {
    law: &'a str,
    call: &'a str,
    variant: &'a str,
    position: &'a str,
    moves: &'a [String],
    found_at: &'a str,
    expected: &'a str,
    found: &'a str,
    advice: &'a str,
    times: u64,
}

impl<'a> Report<'a> {
    pub(super) fn new(report: &'a ConformanceReport) -> Self {
        Report {
            ruleset: report.title(),
            seed: report.seed(),
            passed: report.passed(),
            laws: report.laws().iter().map(Law::new).collect(),
            panics: report.panics(),
        }
    }
}

impl<'a> Law<'a> {
    fn new(law: &'a LawResult) -> Self {
        let (state, skipped_because) = match law.state() {
            LawState::Held => ("held", None),
            LawState::Failed => ("failed", None),
            LawState::Skipped => ("skipped", law.skipped.as_deref()),
            LawState::NotReached => ("not reached", None),
        };
        let failure = |failure: &'a pentad_conformance::Failure| Failure {
            law: &law.name,
            call: &failure.call,
            variant: &failure.variant,
            position: &failure.position,
            moves: &failure.moves,
            found_at: &failure.found_at,
            expected: &law.statement,
            found: &failure.message,
            advice: &law.advice,
            times: failure.n_times,
        };
        Law {
            law: &law.name,
            statement: &law.statement,
            state,
            tried: law.n_tried,
            failed: law.n_failed,
            skipped_because,
            failures: law.failures.iter().map(failure).collect(),
        }
    }
}
