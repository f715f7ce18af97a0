//! Findings of the checks, as text and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::Check;

/// The findings of all checks.
#[derive(Debug, Default)]
pub(super) struct Report {
    findings: Vec<Finding>,
}

/// The findings of one check. Its `ok` is dropped if there are others.
#[derive(Debug, Default)]
pub(super) struct Findings {
    ok: Option<String>,
    others: Vec<(Status, String, String)>,
}

#[derive(Clone, Debug, Serialize)]
struct Finding {
    check: String,
    status: Status,
    message: String,
    /// What to do about it; empty if it is ok.
    #[serde(skip_serializing_if = "String::is_empty")]
    remedy: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Warning,
    Failed,
}

/// The report as JSON.
#[derive(Serialize)]
struct Document<'a> {
    /// `failed` if the exit code says so, else the worst of the findings.
    status: Status,
    version: &'static str,
    revision: &'static str,
    findings: &'a [Finding],
}

impl Findings {
    /// Nothing is wrong.
    pub(super) fn ok(&mut self, message: impl Into<String>) {
        self.ok = Some(message.into());
    }

    /// The server would serve, but not as well as it could.
    pub(super) fn warning(&mut self, message: impl Into<String>, remedy: impl Into<String>) {
        self.others.push((Status::Warning, message.into(), remedy.into()));
    }

    /// The server would not serve, or would serve wrong answers.
    pub(super) fn failed(&mut self, message: impl Into<String>, remedy: impl Into<String>) {
        self.others.push((Status::Failed, message.into(), remedy.into()));
    }
}

impl Report {
    pub(super) fn add(&mut self, check: Check, run: impl FnOnce(&mut Findings)) {
        let mut findings = Findings::default();
        run(&mut findings);
        if findings.others.is_empty() {
            let message = findings.ok.unwrap_or_default();
            self.findings.push(Finding { check: check.name(), status: Status::Ok, message, remedy: String::new() });
        }
        let others = findings.others.into_iter();
        let finding = |(status, message, remedy)| Finding { check: check.name(), status, message, remedy };
        self.findings.extend(others.map(finding));
    }

    pub(super) fn is_failed(&self, is_strict: bool) -> bool {
        self.status(is_strict) == Status::Failed
    }

    fn status(&self, is_strict: bool) -> Status {
        let worst = self.findings.iter().map(|finding| finding.status).max().unwrap_or(Status::Ok);
        if is_strict && worst == Status::Warning { Status::Failed } else { worst }
    }

    pub(super) fn print(&self, is_json: bool, is_strict: bool) {
        if is_json {
            let (version, revision) = (crate::VERSION, crate::revision());
            let document = Document { status: self.status(is_strict), version, revision, findings: &self.findings };
            println!("{}", serde_json::to_string_pretty(&document).expect("texts have a JSON form"));
        } else {
            print!("{}", self.text(is_strict));
        }
    }

    fn text(&self, is_strict: bool) -> String {
        let mut text = String::new();
        for Finding { check, status, message, remedy } in &self.findings {
            let (word, message) = (status.word(), message.replace('\n', "\n                       "));
            writeln!(text, "{word:8} {check:12} {message}").expect("a text takes everything");
            if !remedy.is_empty() {
                writeln!(text, "{:21} remedy: {remedy}", "").expect("a text takes everything");
            }
        }
        let count = |status| self.findings.iter().filter(|finding| finding.status == status).count();
        let verdict = if self.is_failed(is_strict) { "failed" } else { "passed" };
        let (n_failed, n_warnings) = (count(Status::Failed), count(Status::Warning));
        writeln!(text, "preflight {verdict}: {n_failed} failed, {n_warnings} warnings")
            .expect("a text takes everything");
        text
    }
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Failed => "failed",
        }
    }
}
