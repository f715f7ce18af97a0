//! Both directions of the codec agree, and readers of untrusted values validate them.

use std::time::Duration;

use pentad_abi as abi;
use pentad_model::{
    Block, Board, BoardTables, FaultKind, Label, Outcome, Piece, PieceShape, Point, PointShape, Reason, Seat, Seating,
    Threat, ThreatBounds, ThreatKey, ThreatKind, Variant, evaluation, report, request,
};
use pentad_model::{Certainty, Evaluation, Limits, Line, Report, Request, Scores, Source, StopReason, Wdl};

const TWO: Seating = Seating { n_seats: 2, n_sides: 2 };

fn proven(source: Source, outcome: Wdl) -> Evaluation {
    let scores = Scores::pair(0, 0.25);
    Evaluation { certainty: Certainty::Proven, outcome: Some(outcome), plies_to_end: Some(3), scores, source, depth: 5 }
}

fn found(stop: Option<StopReason>) -> Report<String> {
    let sources = [Source::Terminal, Source::Book, Source::Solver, Source::Search, Source::Static];
    let outcomes = [Wdl::Loss, Wdl::Draw, Wdl::Win].into_iter().cycle();
    let line = |(idx, (source, outcome)): (usize, (Source, Wdl))| Line {
        moves: vec![format!("a{idx}"), "b1".to_owned()],
        evaluation: proven(source, outcome),
    };
    let lines: Vec<_> = sources.into_iter().zip(outcomes).enumerate().map(line).collect();
    let evaluation =
        Evaluation { certainty: Certainty::Estimate, outcome: None, plies_to_end: None, ..lines[0].evaluation };
    Report { lines, evaluation, depth: 5, nodes: 77, stop }
}

/// A report reaches the other side whole, whichever side wrote it.
#[test]
fn reports() {
    use StopReason::{Cancelled, Depth, Nodes, Proven, Time};
    for stop in [None, Some(Proven), Some(Time), Some(Nodes), Some(Depth), Some(Cancelled)] {
        let report = found(stop);
        report::with_abi(&report, |raw| {
            // SAFETY: `raw` is complete and readable during this call.
            let (by_host, by_sdk) = unsafe { (report::from_plugin(raw, TWO, 5), report::from_host(raw)) };
            assert_eq!(by_host.as_ref(), Ok(&report));
            let owned = |moves: &[&str]| Some(moves.iter().map(|&mv| mv.to_owned()).collect()).ok_or(());
            assert_eq!(report::try_map_lines(&by_sdk.expect("readable"), owned), Ok(report.clone()));
        });
    }
}

/// A number that the ABI does not define is a violation by a plugin; from a host, which
/// may be newer, it is read as the weakest claim.
#[test]
fn undefined_numbers() {
    let raw = evaluation::to_abi(&proven(Source::Book, Wdl::Win));
    let undefined = [
        (abi::Evaluation { certainty: 9, ..raw }, "a certainty of 9"),
        (abi::Evaluation { outcome: 9, ..raw }, "an outcome of 9"),
        (abi::Evaluation { source: 9, ..raw }, "a source of 9"),
        (abi::Evaluation { n_seats: 9, ..raw }, "9 seats, the variant has 2"),
        (abi::Evaluation { depth: u32::MAX, ..raw }, "4294967295 plies"),
    ];
    for (raw, detail) in undefined {
        let violation = evaluation::from_plugin(&raw, TWO).expect_err(detail);
        assert_eq!((violation.kind, violation.detail.as_str()), (FaultKind::BadValue, detail));
    }
    let newer = abi::Evaluation { certainty: 9, outcome: 9, source: 9, ..raw };
    let read = evaluation::from_host(&newer).expect("as many seats as there may be");
    assert_eq!((read.certainty, read.outcome, read.source), (Certainty::Estimate, None, Source::Static));
    assert_eq!(evaluation::from_host(&abi::Evaluation { n_seats: 9, ..raw }), None);
}

/// Limits of a request reach the plugin, and an absent limit stays absent.
#[test]
fn requests() {
    let limits = Limits { time: Some(Duration::from_millis(5)), nodes: Some(6), depth: Some(7) };
    for limits in [limits, Limits::default()] {
        let request =
            Request { n_lines: 3, seed: 4, root_moves: vec!["a1".to_owned(), "b2".to_owned()], ..Request::new(limits) };
        // SAFETY: `raw` is complete and readable during the call.
        let read = request::with_abi(&request, |raw| unsafe { request::from_host(raw) }).expect("UTF-8");
        assert_eq!((read.limits, read.n_lines, read.seed), (limits, 3, 4));
        assert_eq!(read.root_moves, ["a1", "b2"]);
    }
}

/// Boards, variants, outcomes and reasons are read as they were written.
#[test]
fn descriptions() {
    let point =
        |id: &str, shape| Point { id: id.to_owned(), x: 1.0, y: 2.0, radius: 0.5, shape, colour: String::new() };
    let piece = |id: &str, shape, seat| Piece {
        id: id.to_owned(),
        name: "Piece".to_owned(),
        fill: "#ffffff".to_owned(),
        stroke: "#000000".to_owned(),
        label: "P".to_owned(),
        shape,
        seat,
    };
    let (id, colour) = ("1".to_owned(), "#aabbcc".to_owned());
    let board = Board {
        width: 3.0,
        height: 4.0,
        points: [PointShape::Hidden, PointShape::Hole, PointShape::Cell, PointShape::Stop]
            .map(|shape| point(&format!("{shape:?}"), shape))
            .into(),
        edges: vec![(0, 3)],
        blocks: vec![Block { id, x: 0.0, y: 1.0, width: 2.0, height: 3.0, colour, points: vec![1, 2] }],
        labels: vec![Label { text: "a".to_owned(), x: 0.5, y: 1.5 }],
        pieces: [PieceShape::Disc, PieceShape::Ring, PieceShape::Square, PieceShape::Spot]
            .map(|shape| piece("p", shape, (shape != PieceShape::Spot).then_some(1)))
            .into(),
    };
    let tables = BoardTables::new(board.clone());
    // SAFETY: the tables outlive the call.
    assert_eq!(unsafe { Board::from_plugin(&tables.to_abi(), 2) }.as_ref(), Ok(&board));

    let seat = |id: &str, side| Seat { id: id.to_owned(), name: "Name".to_owned(), side };
    let variant = Variant {
        id: "2p".to_owned(),
        name: "Two".to_owned(),
        summary: "For two.".to_owned(),
        seats: vec![seat("w", 0), seat("b", 1)],
        plies_max: Some(36),
    };
    let seats: Vec<abi::Seat> = variant.seats.iter().map(Seat::to_abi).collect();
    // SAFETY: variant and seats outlive the call.
    assert_eq!(unsafe { Variant::from_plugin(&variant.to_abi(&seats, 8)) }.as_ref(), Ok(&variant));

    let outcome = Outcome::of_two(Some(1), "Black wins.");
    assert_eq!(Outcome::from_plugin(&outcome.to_abi(), b"Black wins.".to_vec(), TWO), Ok(Some(outcome)));
    assert_eq!(Outcome::from_plugin(&abi::Outcome::RUNNING, Vec::new(), TWO), Ok(None));

    let reason = Reason {
        code: "only_move".to_owned(),
        text: "Loses.".to_owned(),
        points: vec!["Hole".to_owned()],
        message: None,
    };
    // SAFETY: the reason is readable during the call.
    let read = reason.with_abi(|raw| unsafe { Reason::from_plugin(raw, Some(&board)) });
    assert_eq!(read.as_ref(), Ok(&reason));
}

/// Threats and their kinds are read as they were written, and unknown seats, kinds and
/// points are refused.
#[test]
fn threats() {
    let threat = Threat { seat: 1, kind: 2, key: 77, score: 0.5, mv: "c3-2r".to_owned(), points: vec![4, 0] };
    let bounds = ThreatBounds { seat: 1, n_kinds: 3, n_points: 5 };
    let raw = threat.to_abi();
    // SAFETY: the threat outlives the calls.
    let read = |raw: &abi::Threat, bounds| unsafe { Threat::from_plugin(&raw const *raw, bounds) };
    assert_eq!(read(&raw, bounds).as_ref(), Ok(&threat));
    // SAFETY: as above.
    assert_eq!(unsafe { ThreatKey::from_host(&raw const raw, 1) }, [ThreatKey { seat: 1, key: 77, score: 0.5 }]);
    let violations = [
        (raw, ThreatBounds { seat: 0, ..bounds }, "a threat of seat 1 instead of seat 0"),
        (raw, ThreatBounds { n_kinds: 2, ..bounds }, "there is no kind 2 of threats"),
        (raw, ThreatBounds { n_points: 4, ..bounds }, "there is no point 4"),
        (raw, ThreatBounds { n_points: 0, ..bounds }, "there is no point 4"),
        (abi::Threat { score: 0.0, ..raw }, bounds, "a threat with a score of 0"),
        (abi::Threat { score: 1.5, ..raw }, bounds, "a threat with a score of 1.5"),
        (abi::Threat { score: f64::NAN, ..raw }, bounds, "a threat with a score of NaN"),
        (abi::Threat { n_points: 5000, ..raw }, bounds, "a length of 5000; at most 4096 is allowed"),
        (
            abi::Threat { winning_move: abi::Str::new(""), ..raw },
            bounds,
            "`` is not a move in printable ASCII without spaces",
        ),
        (
            abi::Threat { winning_move: abi::Str::new("c3 2r"), ..raw },
            bounds,
            "`c3 2r` is not a move in printable ASCII without spaces",
        ),
    ];
    for (raw, bounds, detail) in violations {
        assert_eq!(read(&raw, bounds).expect_err(detail).detail, detail);
    }
    // SAFETY: null is allowed.
    let null = unsafe { Threat::from_plugin(std::ptr::null(), bounds) };
    assert!(null.is_err(), "{null:?}");

    let kind = ThreatKind { kind: "placing".to_owned(), description: "Five by placing.".to_owned() };
    let raw = kind.to_abi();
    // SAFETY: the kind outlives the call.
    assert_eq!(unsafe { ThreatKind::from_plugin(&raw const raw) }.as_ref(), Ok(&kind));
    let bad = ThreatKind { kind: "by placing".to_owned(), ..kind };
    let raw = bad.to_abi();
    // SAFETY: as above.
    assert!(unsafe { ThreatKind::from_plugin(&raw const raw) }.is_err());
}
