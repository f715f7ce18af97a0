//! The messages between the host and a worker, and what they become.
//!
//! A message is a serde value in postcard's format. Positions are bytes, values of
//! `pentad-model` have the shape of their ABI structs, so that the host reads them
//! with the same `from_plugin` functions that read a plugin's memory: a worker is
//! trusted no more than the plugin in it.
//!
//! Only the two ends of one program exchange these, so the format has no versions.

use pentad_abi as abi;
use pentad_model::{Board, BoardTables, FaultKind, Reason, ReasonCode, Seating, Violation, evaluation, report};
use pentad_search::{Evaluation, Limits, Report};
use serde::{Deserialize, Serialize};

use crate::error::{CallError, Fault};
use crate::ruleset::{Capabilities, RulesetInfo};
use crate::variant::Variant;

/// The first message on the control socket. The sealed library, the page of stop
/// flags and the first channel come with it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Init {
    /// Of the original file, for messages.
    pub(crate) path: String,
    pub(crate) sha256: String,
    pub(crate) memory_bytes_max: u64,
    pub(crate) seccomp: bool,
    pub(crate) landlock: bool,
}

/// A further message on the control socket; the channel comes with it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OpenChannel {
    /// The index of its stop flag.
    pub(crate) slot: u32,
}

/// The answer to [`Init`], on the first channel.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Loaded {
    Ready(Box<Description>),
    /// The message of a `LoadError`.
    Refused(String),
}

/// What a rule set says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Description {
    id: String,
    name: String,
    version: String,
    rules: String,
    notation: String,
    abi_major: u32,
    abi_minor: u32,
    search: bool,
    symmetry: bool,
    layout: bool,
    reasons: bool,
    variants: Vec<WireVariant>,
    reason_codes: Vec<WireReasonCode>,
    /// Those found while loading.
    faults: Vec<WireFault>,
    /// As [`Protections::bits`](super::Protections::bits).
    pub(crate) protections: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WireVariant {
    id: String,
    name: String,
    summary: String,
    /// Id, name and side.
    seats: Vec<(String, String, u32)>,
    position_size: u32,
    plies_max: u32,
    n_symmetries: u32,
    board: Option<WireBoard>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WireBoard {
    width: f64,
    height: f64,
    points: Vec<WirePoint>,
    edges: Vec<(u32, u32)>,
    blocks: Vec<WireBlock>,
    labels: Vec<(String, f64, f64)>,
    pieces: Vec<WirePiece>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WirePoint {
    id: String,
    x: f64,
    y: f64,
    radius: f64,
    shape: u32,
    colour: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WireBlock {
    id: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    colour: String,
    points: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WirePiece {
    id: String,
    name: String,
    fill: String,
    stroke: String,
    label: String,
    shape: u32,
    seat: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WireReasonCode {
    code: String,
    description: String,
    names_points: bool,
}

/// A variant and the bytes of a position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct At<'a> {
    pub(crate) variant: u32,
    pub(crate) position: &'a [u8],
}

/// A call of a rule set: the host's half of a conversation on a channel.
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
    /// Answered by [`Reply::Moves`]; after each but the last, [`Call::Continue`].
    LegalMoves {
        #[serde(borrow)]
        at: At<'a>,
        prefix: &'a str,
    },
    /// Whether [`Call::LegalMoves`] is to go on.
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
    Evaluate(#[serde(borrow)] At<'a>),
    /// The channel then belongs to the searcher until it is closed.
    CreateSearcher {
        variant: u32,
        memory_bytes: u64,
        threads: u32,
    },
    /// Answered by any number of [`Reply::Report`] and one other.
    Run {
        #[serde(borrow)]
        at: At<'a>,
        #[serde(borrow)]
        request: WireRequest<'a>,
    },
    /// As [`Call::Run`], without a searcher.
    FallbackSearch {
        #[serde(borrow)]
        at: At<'a>,
        #[serde(borrow)]
        request: WireRequest<'a>,
    },
}

/// The worker's half.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply<'a> {
    Position(&'a [u8]),
    /// One after the other.
    Positions(&'a [u8]),
    Played {
        position: &'a [u8],
        canonical: &'a str,
    },
    /// After the first `n_played` moves; the next one failed, if there is a refusal.
    Reached {
        position: &'a [u8],
        n_played: u32,
        #[serde(borrow)]
        refusal: Option<Refusal<'a>>,
    },
    Text(&'a str),
    Number(u64),
    /// Each with a line feed after it.
    Moves {
        text: &'a str,
        is_last: bool,
    },
    /// `raw.over` is 0 while the game goes on.
    Outcome {
        #[serde(with = "OutcomeDef")]
        raw: abi::Outcome,
        text: &'a str,
    },
    Canonical {
        position: &'a [u8],
        symmetry: u32,
    },
    Line(#[serde(borrow)] Vec<&'a str>),
    Pieces(Vec<(u32, u32)>),
    /// A list for each line that was asked about.
    Reasons(#[serde(borrow)] Vec<Vec<WireReason<'a>>>),
    Evaluation(#[serde(with = "EvaluationDef")] abi::Evaluation),
    Created,
    /// The final one has a stop reason.
    Report(#[serde(borrow)] WireReport<'a>),
    Refused(#[serde(borrow)] Refusal<'a>),
}

/// A [`CallError`] that a rule set caused.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Refusal<'a> {
    Malformed { field: &'a str, column: Option<u32>, message: &'a str },
    Illegal { column: Option<u32>, message: &'a str },
    GameOver,
    NoMemory { message: &'a str },
    Unsupported,
    Fault(WireFault),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WireFault {
    /// Index in [`FaultKind::ALL`].
    kind: u32,
    call: String,
    detail: String,
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

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireReport<'a> {
    #[serde(borrow)]
    lines: Vec<WireLine<'a>>,
    nodes: u64,
    depth: u32,
    /// The ABI's code; 0 while the search goes on.
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

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireReason<'a> {
    code: &'a str,
    text: &'a str,
    #[serde(borrow)]
    points: Vec<&'a str>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "abi::Evaluation")]
struct EvaluationDef {
    certainty: u32,
    outcome: u32,
    plies_to_end: u32,
    source: u32,
    depth: u32,
    n_seats: u32,
    scores: [f64; abi::SEATS_MAX],
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "abi::Outcome")]
struct OutcomeDef {
    over: u32,
    n_seats: u32,
    scores: [f64; abi::SEATS_MAX],
    places: [u32; abi::SEATS_MAX],
}

/// What a [`Description`] becomes once it is validated.
pub(crate) struct Described {
    pub(crate) info: RulesetInfo,
    pub(crate) variants: Vec<Variant>,
    pub(crate) reason_codes: Vec<ReasonCode>,
    pub(crate) faults: Vec<Fault>,
}

impl Description {
    /// Of a rule set that was loaded in this process.
    pub(crate) fn new(ruleset: &crate::Ruleset, protections: u32) -> Description {
        let RulesetInfo { id, name, version, rules, notation, abi_major, abi_minor, capabilities, .. } =
            ruleset.info().clone();
        let Capabilities { search, symmetry, layout, reasons } = capabilities;
        let code = |code: &ReasonCode| WireReasonCode {
            code: code.code.clone(),
            description: code.description.clone(),
            names_points: code.names_points,
        };
        Description {
            id,
            name,
            version,
            rules,
            notation,
            abi_major,
            abi_minor,
            search,
            symmetry,
            layout,
            reasons,
            variants: ruleset.variants().iter().map(WireVariant::new).collect(),
            reason_codes: ruleset.reason_codes().iter().map(code).collect(),
            faults: ruleset.last_fault().iter().map(|(_, fault)| WireFault::new(fault)).collect(),
            protections,
        }
    }

    /// Validates the description as that of a library in this process is.
    pub(crate) fn read(&self) -> Result<Described, Violation> {
        let str = |text: &str| abi::Str::new(text);
        // SAFETY: each text is readable: it is borrowed from a `String`.
        let (id, name, version, rules, notation) = unsafe {
            use pentad_model::text::{game_id, line, prose};
            (
                game_id(str(&self.id)).map_err(|violation| violation.at("id"))?,
                line(str(&self.name)).map_err(|violation| violation.at("name"))?,
                line(str(&self.version)).map_err(|violation| violation.at("version"))?,
                prose(str(&self.rules)).map_err(|violation| violation.at("rules"))?,
                prose(str(&self.notation)).map_err(|violation| violation.at("notation"))?,
            )
        };
        if self.abi_major != abi::ABI_MAJOR {
            return Err(Violation::value(format!("built for ABI {}", self.abi_major)));
        }
        if !(1..=abi::VARIANTS_MAX as usize).contains(&self.variants.len()) {
            return Err(Violation::value(format!("{} variants", self.variants.len())));
        }
        let mut variants: Vec<Variant> = Vec::with_capacity(self.variants.len());
        for (idx, raw) in self.variants.iter().enumerate() {
            let variant = raw.read().map_err(|violation| violation.at(format_args!("variant {idx}")))?;
            if variants.iter().any(|other| other.id == variant.id) {
                return Err(Violation::value(format!("a second variant with the id `{}`", variant.id)));
            }
            variants.push(variant);
        }
        let reason_codes: Vec<ReasonCode> =
            self.reason_codes.iter().map(WireReasonCode::read).collect::<Result<_, _>>()?;
        let capabilities =
            Capabilities { search: self.search, symmetry: self.symmetry, layout: self.layout, reasons: self.reasons };
        let info = RulesetInfo {
            id,
            name,
            version,
            rules,
            notation,
            abi_major: self.abi_major,
            abi_minor: self.abi_minor,
            path: Default::default(),
            sha256: String::new(),
            capabilities,
            writable_by_others: Vec::new(),
        };
        let faults = self.faults.iter().take(1).map(|fault| fault.read("load")).collect();
        Ok(Described { info, variants, reason_codes, faults })
    }
}

impl WireVariant {
    fn new(variant: &Variant) -> WireVariant {
        WireVariant {
            id: variant.id.clone(),
            name: variant.name.clone(),
            summary: variant.summary.clone(),
            seats: variant.seats.iter().map(|seat| (seat.id.clone(), seat.name.clone(), seat.side)).collect(),
            position_size: variant.position_size as u32,
            plies_max: variant.plies_max.unwrap_or(0),
            n_symmetries: variant.n_symmetries as u32,
            board: variant.board.clone().map(WireBoard::new),
        }
    }

    fn read(&self) -> Result<Variant, Violation> {
        let seat = |(id, name, side): &(String, String, u32)| abi::Seat {
            id: abi::Str::new(id),
            name: abi::Str::new(name),
            side: *side,
            reserved: 0,
        };
        let seats: Vec<abi::Seat> = self.seats.iter().map(seat).collect();
        let raw = abi::Variant {
            id: abi::Str::new(&self.id),
            name: abi::Str::new(&self.name),
            summary: abi::Str::new(&self.summary),
            seats: seats.as_ptr(),
            n_seats: u32::try_from(seats.len()).unwrap_or(u32::MAX),
            position_size: self.position_size,
            plies_max: self.plies_max,
            reserved: 0,
        };
        // SAFETY: the seats and all texts are readable until the end of this function.
        let mut variant = unsafe { Variant::read(&raw) }?;
        if !(1..=abi::SYMMETRIES_MAX).contains(&self.n_symmetries) {
            return Err(Violation::value(format!("{} symmetries", self.n_symmetries)));
        }
        variant.n_symmetries = self.n_symmetries as usize;
        variant.board = self.board.as_ref().map(|board| board.read(variant.seats.len())).transpose()?;
        Ok(variant)
    }
}

impl WireBoard {
    fn new(board: Board) -> WireBoard {
        let tables = BoardTables::new(board);
        let raw = tables.to_abi();
        // SAFETY: the tables and what they point to live until the end of this function.
        let (points, blocks, labels, pieces, edges) = unsafe {
            (
                slice(raw.points, raw.n_points),
                slice(raw.blocks, raw.n_blocks),
                slice(raw.labels, raw.n_labels),
                slice(raw.pieces, raw.n_pieces),
                slice(raw.edges, raw.n_edges),
            )
        };
        // SAFETY: as above.
        let text = |text: abi::Str| unsafe { pentad_model::trusted::text(text) }.unwrap_or_default().to_owned();
        let point = |it: &abi::Point| WirePoint {
            id: text(it.id),
            x: it.x,
            y: it.y,
            radius: it.radius,
            shape: it.shape,
            colour: text(it.colour),
        };
        let block = |it: &abi::Block| WireBlock {
            id: text(it.id),
            x: it.x,
            y: it.y,
            width: it.width,
            height: it.height,
            colour: text(it.colour),
            // SAFETY: as above.
            points: unsafe { slice(it.points, it.n_points) }.to_vec(),
        };
        let piece = |it: &abi::Piece| WirePiece {
            id: text(it.id),
            name: text(it.name),
            fill: text(it.fill),
            stroke: text(it.stroke),
            label: text(it.label),
            shape: it.shape,
            seat: it.seat,
        };
        WireBoard {
            width: raw.width,
            height: raw.height,
            points: points.iter().map(point).collect(),
            edges: edges.iter().map(|edge| (edge.from, edge.to)).collect(),
            blocks: blocks.iter().map(block).collect(),
            labels: labels.iter().map(|it| (text(it.text), it.x, it.y)).collect(),
            pieces: pieces.iter().map(piece).collect(),
        }
    }

    fn read(&self, n_seats: usize) -> Result<Board, Violation> {
        let str = |text: &String| abi::Str::new(text);
        let point = |it: &WirePoint| abi::Point {
            id: str(&it.id),
            x: it.x,
            y: it.y,
            radius: it.radius,
            shape: it.shape,
            reserved: 0,
            colour: str(&it.colour),
        };
        let block = |it: &WireBlock| abi::Block {
            id: str(&it.id),
            x: it.x,
            y: it.y,
            width: it.width,
            height: it.height,
            colour: str(&it.colour),
            points: it.points.as_ptr(),
            n_points: it.points.len() as u64,
        };
        let piece = |it: &WirePiece| abi::Piece {
            id: str(&it.id),
            name: str(&it.name),
            fill: str(&it.fill),
            stroke: str(&it.stroke),
            label: str(&it.label),
            shape: it.shape,
            seat: it.seat,
        };
        let label = |(text, x, y): &(String, f64, f64)| abi::Label { text: str(text), x: *x, y: *y };
        let points: Vec<abi::Point> = self.points.iter().map(point).collect();
        let edges: Vec<abi::Edge> = self.edges.iter().map(|&(from, to)| abi::Edge { from, to }).collect();
        let blocks: Vec<abi::Block> = self.blocks.iter().map(block).collect();
        let labels: Vec<abi::Label> = self.labels.iter().map(label).collect();
        let pieces: Vec<abi::Piece> = self.pieces.iter().map(piece).collect();
        let raw = abi::Board {
            width: self.width,
            height: self.height,
            points: points.as_ptr(),
            n_points: points.len() as u64,
            edges: edges.as_ptr(),
            n_edges: edges.len() as u64,
            blocks: blocks.as_ptr(),
            n_blocks: blocks.len() as u64,
            labels: labels.as_ptr(),
            n_labels: labels.len() as u64,
            pieces: pieces.as_ptr(),
            n_pieces: pieces.len() as u64,
        };
        // SAFETY: the arrays and the texts in `self` are readable until the end of
        // this function.
        unsafe { Board::from_plugin(&raw, n_seats) }
    }
}

impl WireReasonCode {
    fn read(&self) -> Result<ReasonCode, Violation> {
        let code = ReasonCode { code: &*self.code, description: &*self.description, names_points: self.names_points };
        let raw = code.to_abi();
        // SAFETY: the texts are borrowed from `self`.
        unsafe { ReasonCode::from_plugin(&raw const raw) }
    }
}

impl<'a> WireRequest<'a> {
    pub(crate) fn new(request: &'a pentad_search::Request<String>) -> WireRequest<'a> {
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

    pub(crate) fn read(&self) -> pentad_search::Request<String> {
        pentad_search::Request {
            limits: Limits {
                time: self.time_ns.map(std::time::Duration::from_nanos),
                nodes: self.nodes,
                depth: self.depth,
            },
            n_lines: self.n_lines as usize,
            seed: self.seed,
            root_moves: self.root_moves.iter().map(|&mv| mv.to_owned()).collect(),
            threads: self.threads as usize,
            memory_bytes: self.memory_bytes,
        }
    }
}

impl<'a> WireReport<'a> {
    pub(crate) fn new(report: &'a Report<String>) -> WireReport<'a> {
        let line = |line: &'a pentad_search::Line<String>| WireLine {
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

    /// The host's own report, which is trusted.
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

impl<'a> WireReason<'a> {
    pub(crate) fn new(reason: &'a Reason) -> WireReason<'a> {
        let points = reason.points.iter().map(String::as_str).collect();
        WireReason { code: &reason.code, text: &reason.text, points }
    }

    pub(crate) fn read(&self, board: Option<&Board>) -> Result<Reason, Violation> {
        let points: Vec<abi::Str> = self.points.iter().map(|point| abi::Str::new(point)).collect();
        let raw = abi::Reason {
            code: abi::Str::new(self.code),
            text: abi::Str::new(self.text),
            points: points.as_ptr(),
            n_points: points.len() as u64,
        };
        // SAFETY: the points, and the texts in `self`, are readable until the end of
        // this function.
        unsafe { Reason::from_plugin(&raw const raw, board) }
    }
}

impl WireFault {
    pub(crate) fn new(fault: &Fault) -> WireFault {
        let kind = FaultKind::ALL.iter().position(|kind| *kind == fault.kind).unwrap_or(0) as u32;
        WireFault { kind, call: fault.call.to_owned(), detail: fault.detail.clone() }
    }

    /// The fault as the host records it, in the call that it made unless the worker
    /// names another function of the ABI.
    pub(crate) fn read(&self, call: &'static str) -> Fault {
        let kind = FaultKind::ALL.get(self.kind as usize).copied().unwrap_or(FaultKind::BadValue);
        let call = ABI_CALLS.iter().copied().find(|known| *known == self.call).unwrap_or(call);
        Fault { kind, call, detail: printable(&self.detail) }
    }
}

impl<'a> Refusal<'a> {
    /// Of a call in this process.
    pub(crate) fn new(error: &'a CallError) -> Refusal<'a> {
        match error {
            CallError::Malformed { field, column, message } => Refusal::Malformed { field, column: *column, message },
            CallError::Illegal { column, message } => Refusal::Illegal { column: *column, message },
            CallError::GameOver => Refusal::GameOver,
            CallError::NoMemory { message } => Refusal::NoMemory { message },
            CallError::Unsupported => Refusal::Unsupported,
            CallError::Fault(fault) => Refusal::Fault(WireFault::new(fault)),
            CallError::Unavailable { message } => {
                let detail = message.clone();
                Refusal::Fault(WireFault { kind: 0, call: String::new(), detail })
            }
        }
    }

    /// The error as the caller gets it. Texts may quote a client's, so what is not
    /// printable is replaced.
    pub(crate) fn read(&self, call: &'static str) -> CallError {
        // No text is longer, so a greater column is dropped.
        let column = |column: Option<u32>| column.filter(|it| (1..=abi::POSITION_LEN_MAX as u32 + 1).contains(it));
        match self {
            Refusal::Malformed { field, column: at, message } => {
                CallError::Malformed { field: printable(field), column: column(*at), message: printable(message) }
            }
            Refusal::Illegal { column: at, message } => {
                CallError::Illegal { column: column(*at), message: printable(message) }
            }
            Refusal::GameOver => CallError::GameOver,
            Refusal::NoMemory { message } => CallError::NoMemory { message: printable(message) },
            Refusal::Unsupported => CallError::Unsupported,
            Refusal::Fault(fault) => CallError::Fault(fault.read(call)),
        }
    }
}

/// Evaluates in the ABI's form.
pub(crate) fn evaluation_reply(evaluation: &Evaluation) -> Reply<'static> {
    Reply::Evaluation(evaluation::to_abi(evaluation))
}

/// The functions that a fault may name.
const ABI_CALLS: [&str; 23] = [
    "start",
    "parse",
    "format",
    "to_move",
    "legal_moves",
    "count_moves",
    "play",
    "outcome",
    "canonical",
    "inverse",
    "apply",
    "apply_move",
    "apply_seat",
    "pieces",
    "board",
    "explain",
    "evaluate",
    "create",
    "run",
    "reason_codes.list",
    "symmetry.count",
    "load",
    "rules",
];

/// Bytes kept of a message or detail.
const TEXT_LEN_MAX: usize = 1024;

/// A text for logs and clients: cut, and without control characters.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(TEXT_LEN_MAX));
    for c in text.chars() {
        if out.len() >= TEXT_LEN_MAX {
            out.push('…');
            break;
        }
        out.push(if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    }
    out
}

/// # Safety
/// `data` must lead to `n` readable elements for `'a`, or `n` be 0.
unsafe fn slice<'a, T>(data: *const T, n: u64) -> &'a [T] {
    if n == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, n as usize) }
}
