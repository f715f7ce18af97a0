//! Calls from the host to a worker.

use std::time::Duration;

use pentad_model::{Limits, Request};
use serde::{Deserialize, Serialize};

use super::report::WireReport;

/// A variant and the bytes of a position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct At<'a> {
    pub(crate) variant: u32,
    pub(crate) position: &'a [u8],
}

/// A call of a rule set.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Call<'a> {
    Start {
        variant: u32,
    },
    Parse {
        variant: u32,
        text: &'a str,
    },
    Format(#[serde(borrow)] At<'a>),
    ToMove(#[serde(borrow)] At<'a>),
    /// The replies are [`Reply::Moves`]; after each but the last follows
    /// [`Call::Continue`].
    LegalMoves {
        #[serde(borrow)]
        at: At<'a>,
        prefix: &'a str,
    },
    /// Whether [`Call::LegalMoves`] continues.
    Continue(bool),
    CountMoves {
        #[serde(borrow)]
        at: At<'a>,
        prefix: &'a str,
    },
    Play {
        #[serde(borrow)]
        at: At<'a>,
        mv: &'a str,
    },
    PlayMoves {
        #[serde(borrow)]
        at: At<'a>,
        #[serde(borrow)]
        moves: Vec<&'a str>,
    },
    Successors {
        #[serde(borrow)]
        at: At<'a>,
        #[serde(borrow)]
        moves: Vec<&'a str>,
        canonical: bool,
    },
    Outcome(#[serde(borrow)] At<'a>),
    Scores(#[serde(borrow)] At<'a>),
    Canonical(#[serde(borrow)] At<'a>),
    InverseSymmetry {
        variant: u32,
        symmetry: u32,
    },
    ApplySymmetry {
        #[serde(borrow)]
        at: At<'a>,
        symmetry: u32,
    },
    ApplySymmetryToLine {
        #[serde(borrow)]
        at: At<'a>,
        symmetry: u32,
        #[serde(borrow)]
        moves: Vec<&'a str>,
    },
    ApplySymmetryToSeat {
        variant: u32,
        symmetry: u32,
        seat: u32,
    },
    Pieces(#[serde(borrow)] At<'a>),
    Explain {
        #[serde(borrow)]
        at: At<'a>,
        #[serde(borrow)]
        report: WireReport<'a>,
        line_idxs: Vec<u32>,
    },
    SayMoves {
        #[serde(borrow)]
        at: At<'a>,
        #[serde(borrow)]
        moves: Vec<&'a str>,
    },
    TurnOf {
        #[serde(borrow)]
        at: At<'a>,
        seat: u32,
    },
    /// Polls the stop flag, as a search does.
    Threats(#[serde(borrow)] At<'a>),
    Evaluate(#[serde(borrow)] At<'a>),
    /// The channel then belongs to the searcher until it is closed.
    CreateSearcher {
        variant: u32,
        memory_bytes: u64,
        threads: u32,
    },
    /// The replies are any number of [`Reply::Report`] and one other.
    Run {
        #[serde(borrow)]
        at: At<'a>,
        #[serde(borrow)]
        request: WireRequest<'a>,
    },
    /// Same as [`Call::Run`], without a searcher.
    FallbackSearch {
        #[serde(borrow)]
        at: At<'a>,
        #[serde(borrow)]
        request: WireRequest<'a>,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireRequest<'a> {
    time_ns: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    n_lines: u32,
    seed: u64,
    #[serde(borrow)]
    root_moves: Vec<&'a str>,
    threads: u32,
    memory_bytes: u64,
}

impl<'a> WireRequest<'a> {
    pub(crate) fn new(request: &'a Request<String>) -> WireRequest<'a> {
        let Limits { time, nodes, depth } = request.limits;
        WireRequest {
            time_ns: time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
            nodes,
            depth,
            n_lines: u32::try_from(request.n_lines).unwrap_or(u32::MAX),
            seed: request.seed,
            root_moves: request.root_moves.iter().map(String::as_str).collect(),
            threads: u32::try_from(request.threads).unwrap_or(u32::MAX),
            memory_bytes: request.memory_bytes,
        }
    }

    pub(crate) fn read(&self) -> Request<String> {
        Request {
            limits: Limits { time: self.time_ns.map(Duration::from_nanos), nodes: self.nodes, depth: self.depth },
            n_lines: self.n_lines as usize,
            seed: self.seed,
            root_moves: self.root_moves.iter().map(|&mv| mv.to_owned()).collect(),
            threads: self.threads as usize,
            memory_bytes: self.memory_bytes,
        }
    }
}
