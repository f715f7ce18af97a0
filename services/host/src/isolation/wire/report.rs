//! Reports of searches.

use pentad_abi as abi;
use pentad_model::{Line, Report};
use pentad_model::{Seating, Violation, evaluation, report};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireReport<'a> {
    #[serde(borrow)]
    lines: Vec<WireLine<'a>>,
    nodes: u64,
    depth: u32,
    /// The ABI's code; 0 for an intermediate report.
    stop: u32,
    #[serde(with = "EvaluationDef")]
    evaluation: abi::Evaluation,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireLine<'a> {
    #[serde(borrow)]
    moves: Vec<&'a str>,
    #[serde(with = "EvaluationDef")]
    evaluation: abi::Evaluation,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "abi::Evaluation")]
pub(super) struct EvaluationDef {
    certainty: u32,
    outcome: u32,
    plies_to_end: u32,
    source: u32,
    depth: u32,
    n_seats: u32,
    scores: [f64; abi::SEATS_MAX],
}

impl<'a> WireReport<'a> {
    pub(crate) fn new(report: &'a Report<String>) -> WireReport<'a> {
        let line = |line: &'a Line<String>| WireLine {
            moves: line.moves.iter().map(String::as_str).collect(),
            evaluation: evaluation::to_abi(&line.evaluation),
        };
        // The code of a stop reason is the codec's own.
        let stop = report::with_abi(report, |raw| raw.stop);
        WireReport {
            lines: report.lines.iter().map(line).collect(),
            nodes: report.nodes,
            depth: report.depth,
            stop,
            evaluation: evaluation::to_abi(&report.evaluation),
        }
    }

    /// Validates a report of at most `n_lines` lines.
    pub(crate) fn read(&self, seating: Seating, n_lines: u32) -> Result<Report<String>, Violation> {
        self.with_abi(|raw| {
            // SAFETY: `raw` and what it points to are readable during this call.
            unsafe { report::from_plugin(raw, seating, n_lines) }
        })
    }

    /// Reads the host's own report, which is trusted.
    pub(crate) fn read_trusted(&self) -> Option<Report<String>> {
        self.with_abi(|raw| {
            // SAFETY: as in `read`; the texts were checked to be UTF-8 by the decoder.
            let report = unsafe { report::from_host(raw) }?;
            let owned = |moves: &[&str]| Ok::<_, ()>(moves.iter().map(|&mv| mv.to_owned()).collect());
            report::try_map_lines(&report, owned).ok()
        })
    }

    fn with_abi<T>(&self, give: impl FnOnce(&abi::Report) -> T) -> T {
        let strs = |line: &WireLine<'_>| line.moves.iter().map(|mv| abi::Str::new(mv)).collect();
        let moves: Vec<Vec<abi::Str>> = self.lines.iter().map(strs).collect();
        let line = |(moves, line): (&Vec<abi::Str>, &WireLine<'_>)| abi::Line {
            moves: moves.as_ptr(),
            n_moves: moves.len() as u64,
            evaluation: line.evaluation,
        };
        let lines: Vec<abi::Line> = moves.iter().zip(&self.lines).map(line).collect();
        give(&abi::Report {
            lines: lines.as_ptr(),
            n_lines: lines.len() as u64,
            nodes: self.nodes,
            depth: self.depth,
            stop: self.stop,
            evaluation: self.evaluation,
        })
    }
}
