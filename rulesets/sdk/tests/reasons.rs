//! `pentad.reasons/1` of an exported game: every report is parsed once.

use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::c_void;
use std::ops::ControlFlow;

use pentad_model::report;
use pentad_sdk::{
    Evaluation, Info, Line, Outcome, Reason, ReasonCode, Reasons, Refusal, Report, Ruleset, Scores, Seat, StopReason,
    Variant, abi, code_without_points,
};

thread_local! {
    static N_PARSED: Cell<usize> = const { Cell::new(0) };
    static N_PLAYED: Cell<usize> = const { Cell::new(0) };
}

/// A game without an end: a move adds a digit to a number.
struct Sums;

impl Ruleset for Sums {
    type Position = u8;
    type Move = u8;

    const INFO: Info = Info { id: "sums", name: "Sums", version: "1.0.0", rules: "", notation: "" };

    fn variants() -> Vec<Variant> {
        let seats = vec![Seat { id: "a", name: "Ann", side: 0 }];
        vec![Variant { id: "one", name: "One", summary: "", seats, plies_max: None }]
    }
    fn new(_variant_idx: usize) -> Self {
        Sums
    }
    fn position_size(&self) -> usize {
        1
    }
    fn encode(&self, position: &u8, bytes: &mut [u8]) {
        bytes[0] = *position;
    }
    fn decode(&self, bytes: &[u8]) -> Option<u8> {
        Some(bytes[0])
    }
    fn start(&self) -> u8 {
        0
    }
    fn parse(&self, _text: &str) -> Result<u8, Refusal> {
        Ok(0)
    }
    fn format(&self, position: &u8, out: &mut String) {
        out.push_str(&position.to_string());
    }
    fn to_move(&self, _position: &u8) -> usize {
        0
    }
    fn outcome(&self, _position: &u8) -> Option<Outcome> {
        None
    }
    fn legal_moves(&self, _position: &u8, visit: impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        (1..=9).try_for_each(visit)
    }
    fn parse_move(&self, _position: &u8, text: &str) -> Result<u8, Refusal> {
        N_PARSED.set(N_PARSED.get() + 1);
        text.parse().map_err(|_| Refusal::malformed("move", 1, "expected a digit"))
    }
    fn move_text(&self, _position: &u8, mv: &u8) -> Cow<'static, str> {
        mv.to_string().into()
    }
    fn play(&self, position: &u8, mv: &u8) -> u8 {
        N_PLAYED.set(N_PLAYED.get() + 1);
        position.wrapping_add(*mv)
    }
}

impl Reasons for Sums {
    const CODES: &'static [ReasonCode] = &[code_without_points("sum", "the sum after the line")];

    fn explain(&self, position: &u8, report: &Report<u8>, line_idx: usize) -> Vec<Reason> {
        assert_ne!(*position, 99, "the game has a defect");
        let Line { moves, evaluation } = &report.lines[line_idx];
        let n_lines = report.lines.len();
        let text = format!("{position} {moves:?} of {n_lines} lines, {} points.", evaluation.scores[0]);
        vec![Reason::new("sum", text, Vec::new())]
    }
}

pentad_sdk::export!(Sums: reasons);

fn report(lines: &[&[&str]], score: f64) -> Report<String> {
    let evaluation = Evaluation::static_estimate(Scores::new(&[score]));
    let line = |moves: &&[&str]| Line { moves: moves.iter().map(|&mv| mv.to_owned()).collect(), evaluation };
    Report { lines: lines.iter().map(line).collect(), evaluation, depth: 2, nodes: 7, stop: Some(StopReason::Depth) }
}

/// Calls `explain` for one line as the host does.
fn explain(position: u8, report: &abi::Report, line_idx: usize) -> Result<String, abi::Status> {
    unsafe extern "C" fn give(ctx: *mut c_void, reason: *const abi::Reason) -> i32 {
        // SAFETY: `explain` below passes a string, and the SDK a readable reason.
        let (text, reason) = unsafe { (&mut *ctx.cast::<String>(), (*reason).text.as_bytes()) };
        text.push_str(std::str::from_utf8(reason).unwrap());
        0
    }
    let find = ruleset_entry.extension.unwrap();
    let mut text = String::new();
    let explainer = abi::Explainer { ctx: (&raw mut text).cast(), give };
    // SAFETY: the table has that id and lives as long as the process; all arguments are
    // complete and readable during the call.
    let status = unsafe {
        let table = &*find(abi::Str::new(abi::REASONS_1)).cast::<abi::Reasons>();
        let explain = table.explain.unwrap();
        explain(0, &raw const position, &raw const *report, line_idx as u64, &raw const explainer)
    };
    if status == abi::OK { Ok(text) } else { Err(status) }
}

/// Explaining every line of a report parses and plays each of its moves once.
#[test]
fn reports_are_parsed_once() {
    let three = report(&[&["1", "2"], &["3"], &["4", "5", "6"]], 0.5);
    report::with_abi(&three, |raw| {
        let texts: Vec<String> = (0..3).map(|line_idx| explain(10, raw, line_idx).unwrap()).collect();
        assert_eq!(texts[0], "10 [1, 2] of 3 lines, 0.5 points.");
        assert_eq!(texts[2], "10 [4, 5, 6] of 3 lines, 0.5 points.");
    });
    assert_eq!((N_PARSED.get(), N_PLAYED.get()), (6, 6));
}

/// A report with other contents is parsed again, even at the same address, and neither
/// refused reports nor panics leave anything behind.
#[test]
fn changed_reports_are_parsed_again() {
    let expected = |position: u8, report: &Report<String>| {
        let moves: Vec<u8> = report.lines[0].moves.iter().map(|mv| mv.parse().unwrap()).collect();
        let (n_lines, score) = (report.lines.len(), report.lines[0].evaluation.scores[0]);
        format!("{position} {moves:?} of {n_lines} lines, {score} points.")
    };
    let reports = [
        report(&[&["1", "2"], &["3"]], 0.5),
        report(&[&["1", "3"], &["3"]], 0.5),
        report(&[&["1", "3"]], 0.5),
        report(&[&["1", "3"]], 0.25),
        report(&[&["1"]], 0.25),
    ];
    for position in [10, 11] {
        for report in &reports {
            report::with_abi(report, |raw| assert_eq!(explain(position, raw, 0), Ok(expected(position, report))));
        }
    }
    report::with_abi(&reports[0], |raw| {
        assert_eq!(explain(10, raw, 2), Err(abi::INVALID));
        assert_eq!(explain(99, raw, 0), Err(abi::FAULT));
        assert_eq!(explain(10, raw, 0), Ok(expected(10, &reports[0])));
    });
    report::with_abi(&report(&[&["1"], &["x"]], 0.5), |raw| {
        assert_eq!([explain(10, raw, 0), explain(10, raw, 0)], [Err(abi::INVALID), Err(abi::INVALID)]);
    });
}
