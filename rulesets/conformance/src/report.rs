//! The result of a check, law by law.

use std::collections::BTreeMap;
use std::fmt;

use pentad_host::{Fault, RulesetInfo};
use pentad_model::FaultKind;
use serde::{Deserialize, Serialize};

use crate::laws;
use crate::rules::Place;
use crate::trace::Checkpoint;

/// Causes kept per law, with the first failure of each; the rest are only counted.
const CAUSES_MAX: usize = 3;

/// The result of a check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConformanceReport {
    title: String,
    seed: u64,
    laws: Vec<LawResult>,
    /// How often the rule set panicked, by call and message.
    panics: BTreeMap<String, u64>,
}

/// The result of one law.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LawResult {
    /// One word, such as `notation`.
    pub name: String,
    /// The requirement, as one sentence.
    pub statement: String,
    /// Where the mistake usually is, for a law that was broken.
    pub advice: String,
    /// Number of times it was checked.
    pub n_tried: u64,
    /// Number of times it was broken.
    pub n_failed: u64,
    /// Why it was not checked, if it never was.
    pub skipped: Option<String>,
    /// The first failure of each cause, up to three causes.
    pub failures: Vec<Failure>,
}

/// One broken law.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// Id of the variant.
    pub variant: String,
    /// The function of the ABI that failed, or the last one called.
    pub call: String,
    /// The position's text.
    pub position: String,
    /// Origin of the position: game and ply.
    pub found_at: String,
    /// The moves from the start that lead to the position.
    pub moves: Vec<String>,
    /// How the law was broken.
    pub message: String,
    /// Number of failures with the same cause.
    pub n_times: u64,
    /// Equal for failures that differ only in positions, moves and numbers.
    cause: Box<str>,
}

/// State of a law after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawState {
    /// The law held in every check.
    Held,
    /// The law was broken.
    Failed,
    /// The law was not checked: the rule set lacks what it is about.
    Skipped,
    /// The check ended before the law was reached.
    NotReached,
}

impl LawResult {
    /// Returns the state that follows from the counts.
    pub fn state(&self) -> LawState {
        match self {
            LawResult { n_failed: 1.., .. } => LawState::Failed,
            LawResult { n_tried: 1.., .. } => LawState::Held,
            LawResult { skipped: Some(_), .. } => LawState::Skipped,
            _ => LawState::NotReached,
        }
    }
}

impl Failure {
    /// Describes a broken law; `fault` is the first fault during the check, if there was
    /// one.
    pub(crate) fn new(variant: &str, at: Place<'_>, call: &str, message: String, fault: Option<&Fault>) -> Box<Self> {
        let cause = match fault {
            // The message of a panic identifies its place, whichever call it was in.
            Some(Fault { kind: FaultKind::Panic, detail, .. }) if detail != "panicked" => without_particulars(detail),
            Some(fault) => format!("{} {:?} {}", fault.call, fault.kind, without_particulars(&fault.detail)),
            None => without_particulars(&message),
        };
        Box::new(Failure {
            variant: variant.to_owned(),
            call: call.to_owned(),
            position: at.position.to_owned(),
            found_at: at.found_at.to_owned(),
            moves: at.moves.to_vec(),
            message,
            n_times: 1,
            cause: cause.into(),
        })
    }
}

impl ConformanceReport {
    /// Creates a report without results. The title names the rule set.
    pub fn new(title: &str, seed: u64) -> Self {
        let law = |(name, statement, advice): (&str, &str, &str)| LawResult {
            name: name.to_owned(),
            statement: statement.to_owned(),
            advice: advice.to_owned(),
            n_tried: 0,
            n_failed: 0,
            skipped: None,
            failures: Vec::new(),
        };
        let laws = laws::descriptions().map(law).collect();
        ConformanceReport { title: title.to_owned(), seed, laws, panics: BTreeMap::new() }
    }

    /// Removes the laws that are not chosen. Games are always played, because they give
    /// the positions.
    pub(crate) fn keep(&mut self, is_chosen: impl Fn(&str) -> bool) {
        self.laws
            .retain(|law| [laws::LOADS.name, laws::PLAYS.name].contains(&law.name.as_str()) || is_chosen(&law.name));
    }

    pub(crate) fn about(info: &RulesetInfo, seed: u64) -> Self {
        let title = format!("{} {} (ABI {}.{})", info.id, info.version, info.abi_major, info.abi_minor);
        ConformanceReport::new(&title, seed)
    }

    /// Records a check of a law that is part of the report.
    pub(crate) fn record(&mut self, law: &str, result: Result<(), Box<Failure>>) {
        let Some(law) = self.law_mut(law) else { return };
        law.n_tried += 1;
        let Err(failure) = result else { return };
        law.n_failed += 1;
        if let Some(earlier) = law.failures.iter_mut().find(|earlier| earlier.cause == failure.cause) {
            earlier.n_times += 1;
        } else if law.failures.len() < CAUSES_MAX {
            law.failures.push(*failure);
        }
    }

    /// Notes why a law is not checked on a variant.
    pub(crate) fn skip(&mut self, law: &str, reason: &str) {
        if let Some(law) = self.law_mut(law) {
            law.skipped.get_or_insert_with(|| reason.to_owned());
        }
    }

    pub(crate) fn set_panics(&mut self, panics: BTreeMap<String, u64>) {
        self.panics = panics;
    }

    /// Marks the check as complete: a law that was not reached had nothing to check.
    pub(crate) fn complete(&mut self) {
        for law in &mut self.laws {
            law.skipped.get_or_insert_with(|| "the games had no position for it".to_owned());
        }
    }

    /// Ends a report whose check cannot go on, because the rule set crashed, hung or
    /// ended the process: breaks the law that was being checked.
    pub fn interrupt(&mut self, at: &Checkpoint<'_>, call: &str, message: String) {
        let place = Place { found_at: at.found_at, position: at.position, moves: at.moves };
        // The first law is about loading, which comes before all others.
        let law = if self.law_mut(at.law).is_some() { at.law } else { laws::LOADS.name };
        self.record(law, Err(Failure::new(at.variant, place, call, message, None)));
    }

    fn law_mut(&mut self, name: &str) -> Option<&mut LawResult> {
        self.laws.iter_mut().find(|law| law.name == name)
    }

    /// Returns the rule set's name and version.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the seed that reproduces the check.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns whether every law that applies held in every check.
    pub fn passed(&self) -> bool {
        self.laws.iter().all(|law| matches!(law.state(), LawState::Held | LawState::Skipped))
    }

    /// Returns the result of each law.
    pub fn laws(&self) -> &[LawResult] {
        &self.laws
    }

    /// Returns how often the rule set panicked, by call and message.
    pub fn panics(&self) -> &BTreeMap<String, u64> {
        &self.panics
    }

    /// Returns the laws that a cause breaks, in their order.
    fn broken_by(&self, cause: &str) -> impl Iterator<Item = &str> {
        let is_broken = move |law: &&LawResult| law.failures.iter().any(|failure| *failure.cause == *cause);
        self.laws.iter().filter(is_broken).map(|law| law.name.as_str())
    }

    fn fmt_failed(&self, f: &mut fmt::Formatter<'_>, law: &LawResult) -> fmt::Result {
        let LawResult { name, statement, n_tried, n_failed, .. } = law;
        writeln!(f, "  FAIL {name:<12} {statement} ({n_tried} checks, {n_failed} failed)")?;
        for failure in &law.failures {
            let mut broken = self.broken_by(&failure.cause);
            let first = broken.next().unwrap_or(name);
            if first != name {
                writeln!(f, "         by the same cause as `{first}`")?;
                continue;
            }
            let times = if failure.n_times > 1 { format!(" ({} times)", failure.n_times) } else { String::new() };
            writeln!(f, "         {}{times}", failure.message)?;
            writeln!(f, "         position `{}`, {}", failure.position, failure.found_at)?;
            if !failure.moves.is_empty() {
                writeln!(f, "         after the moves {}", failure.moves.join(" "))?;
            }
            writeln!(f, "         reproduce with: --variant {} --seed {}", failure.variant, self.seed)?;
            let also: Vec<&str> = broken.collect();
            if !also.is_empty() {
                writeln!(f, "         also breaks: {}", also.join(", "))?;
            }
        }
        let n_shown: u64 = law.failures.iter().map(|failure| failure.n_times).sum();
        if *n_failed > n_shown {
            writeln!(f, "         and {} more of other causes", n_failed - n_shown)?;
        }
        writeln!(f, "         advice: {}", law.advice)
    }
}

impl fmt::Display for ConformanceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for law in &self.laws {
            let LawResult { name, statement, n_tried, skipped, .. } = law;
            match law.state() {
                LawState::Held => writeln!(f, "  ok   {name:<12} {statement} ({n_tried} checks)")?,
                LawState::Failed => self.fmt_failed(f, law)?,
                LawState::Skipped => {
                    writeln!(f, "  skip {name:<12} {statement} ({})", skipped.as_deref().unwrap_or_default())?;
                }
                LawState::NotReached => writeln!(f, "  -    {name:<12} {statement} (not reached)")?,
            }
        }
        for (panic, n_times) in &self.panics {
            writeln!(f, "  panicked {n_times} times in {panic}")?;
        }
        let count = |state| self.laws.iter().filter(|law| law.state() == state).count();
        let [held, failed, skipped] = [LawState::Held, LawState::Failed, LawState::Skipped].map(count);
        write!(f, "{held} laws held, {failed} failed, {skipped} skipped")?;
        match count(LawState::NotReached) {
            0 => Ok(()),
            n_not_reached => write!(f, ", {n_not_reached} not reached"),
        }
    }
}

/// Removes quoted texts and numbers from a message, which differ from one position to the
/// next.
fn without_particulars(message: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut chars = message.chars();
    while let Some(c) = chars.next() {
        match quote {
            Some(end) if c == end => quote = None,
            Some('"') if c == '\\' => _ = chars.next(),
            Some(_) => {}
            None if c == '`' || c == '"' => {
                quote = Some(c);
                out.push(c);
            }
            None if c.is_ascii_digit() => {}
            None => out.push(c),
        }
    }
    out
}
