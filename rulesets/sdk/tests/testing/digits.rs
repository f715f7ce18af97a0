//! A small game: two players write digits from 1 to 9 in turn, twelve in all. The first
//! player wins if the sum is even. The last move decides that, so a search cannot prove
//! it early.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::Instant;

use pentad_sdk::search::{Game, Searcher};
use pentad_sdk::{
    Board, Control, Evaluation, Info, Label, Layout, Outcome, Piece, PieceShape, Point, PointShape, Refusal, Report,
    Request, Ruleset, Scores, Seat, Source, StopReason, Symmetry, Variant,
};

/// Number of digits in a finished game.
pub(crate) const LENGTH: usize = 12;

/// The law that the game breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    None,
    // Search contract.
    ExceedsNodeLimit,
    MissesDepthLimit,
    IgnoresTimeLimit,
    IgnoresStop,
    NoLines,
    IllegalMove,
    DuplicateLine,
    TooManyLines,
    UnplayableLine,
    LineBeyondEnd,
    CertainEstimate,
    UnsortedLines,
    IgnoresRootMoves,
    KeepsState,
    NoReports,
    StopInIntermediateReport,
    DecreasingNodes,
    LinesWhenOver,
    WrongScoresWhenOver,
    // Rules, notation and symmetries.
    TruncatesText,
    AmbiguousBytes,
    UnsortedMoves,
    WrongCount,
    IgnoresPrefix,
    MissingText,
    IgnoresBreak,
    WrongSeatSymmetry,
    PlaysAnotherMove,
    WrongInverse,
    WrongCanonical,
    // Board layout.
    DuplicatePointId,
    OverlappingPoints,
    PointOutside,
    UnsortedPieces,
    // Differences from the reference implementation.
    WrongSeatToMove,
    WrongWinner,
    AcceptsZero,
}

pub(crate) struct Digits(pub(crate) Fault);

impl Ruleset for Digits {
    type Position = Vec<u8>;
    type Move = u8;

    const INFO: Info = Info { id: "digits", name: "Digits", version: "1.0.0", rules: "", notation: "" };

    fn variants() -> Vec<Variant> {
        let seats = vec![Seat { id: "e", name: "Even", side: 0 }, Seat { id: "o", name: "Odd", side: 1 }];
        vec![Variant { id: "twelve", name: "Twelve", summary: "", seats, plies_max: Some(LENGTH as u32) }]
    }
    fn new(_variant_idx: usize) -> Self {
        Digits(Fault::None)
    }
    fn position_size(&self) -> usize {
        LENGTH
    }
    fn encode(&self, position: &Vec<u8>, bytes: &mut [u8]) {
        bytes[..position.len()].copy_from_slice(position);
        if self.0 == Fault::AmbiguousBytes {
            bytes[0] = 1;
        }
    }
    fn decode(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        Some(bytes.iter().copied().take_while(|&digit| digit > 0).collect())
    }
    fn start(&self) -> Vec<u8> {
        Vec::new()
    }
    fn parse(&self, text: &str) -> Result<Vec<u8>, Refusal> {
        let lowest = if self.0 == Fault::AcceptsZero { b'0' } else { b'1' };
        let digits = text.strip_prefix('>').unwrap_or("x").as_bytes();
        if digits.len() > LENGTH || digits.iter().any(|digit| !(lowest..=b'9').contains(digit)) {
            return Err(Refusal::malformed("digits", 1, "expected `>` and up to twelve digits"));
        }
        let kept = if self.0 == Fault::TruncatesText { digits.len().min(3) } else { digits.len() };
        Ok(digits[..kept].iter().map(|digit| digit - b'0').collect())
    }
    fn format(&self, position: &Vec<u8>, out: &mut String) {
        out.push('>');
        position.iter().for_each(|digit| out.push(char::from(b'0' + digit)));
    }
    fn to_move(&self, position: &Vec<u8>) -> usize {
        (position.len() + usize::from(self.0 == Fault::WrongSeatToMove && position.len() > 2)) % 2
    }
    fn outcome(&self, position: &Vec<u8>) -> Option<Outcome> {
        let sum: u32 = position.iter().map(|&digit| u32::from(digit)).sum();
        let winner = (sum + u32::from(self.0 == Fault::WrongWinner)) % 2;
        (position.len() == LENGTH).then(|| {
            Outcome::of_two(Some(winner as usize), format!("The sum is {}.", ["even", "odd"][winner as usize]))
        })
    }
    fn legal_moves(&self, position: &Vec<u8>, mut visit: impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        if position.len() == LENGTH {
            return ControlFlow::Continue(());
        }
        match self.0 {
            Fault::UnsortedMoves => (1..=9).rev().try_for_each(visit),
            Fault::IgnoresBreak => (1..=9).try_for_each(|mv| {
                let _ignored = visit(mv);
                ControlFlow::Continue(())
            }),
            _ => (1..=9).try_for_each(visit),
        }
    }
    fn parse_move(&self, _position: &Vec<u8>, text: &str) -> Result<u8, Refusal> {
        match text.as_bytes() {
            [digit @ b'1'..=b'9'] => Ok(digit - b'0'),
            _ => Err(Refusal::malformed("move", 1, "expected a digit from 1 to 9")),
        }
    }
    fn move_text(&self, _position: &Vec<u8>, mv: &u8) -> Cow<'static, str> {
        mv.to_string().into()
    }
    fn play(&self, position: &Vec<u8>, mv: &u8) -> Vec<u8> {
        let mut next = position.clone();
        next.push(if self.0 == Fault::PlaysAnotherMove && *mv < 5 { mv + 1 } else { *mv });
        next
    }
    fn legal_move_texts(
        &self,
        position: &Vec<u8>,
        prefix: &str,
        mut visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let skipped = if self.0 == Fault::MissingText { 5 } else { 0 };
        self.legal_moves(position, |mv| {
            let text = mv.to_string();
            let fits = text.starts_with(prefix) || self.0 == Fault::IgnoresPrefix;
            if fits && mv != skipped { visit(&text) } else { ControlFlow::Continue(()) }
        })
    }
    fn n_moves(&self, position: &Vec<u8>) -> u64 {
        let n_wrong = u64::from(self.0 == Fault::WrongCount);
        if position.len() == LENGTH { 0 } else { 9 + n_wrong }
    }
}

/// Symmetry 1 replaces every digit d by 10 - d, which keeps the parity of the sum.
impl Symmetry for Digits {
    fn n_symmetries(&self) -> usize {
        2
    }
    fn inverse(&self, symmetry: usize) -> usize {
        if self.0 == Fault::WrongInverse { 0 } else { symmetry }
    }
    fn apply(&self, symmetry: usize, position: &Vec<u8>) -> Vec<u8> {
        position.iter().map(|digit| if symmetry == 1 { 10 - digit } else { *digit }).collect()
    }
    fn apply_move(&self, symmetry: usize, _position: &Vec<u8>, mv: &u8) -> u8 {
        if symmetry == 1 { 10 - mv } else { *mv }
    }
    fn apply_seat(&self, symmetry: usize, seat: usize) -> usize {
        if self.0 == Fault::WrongSeatSymmetry { (seat + symmetry) % 2 } else { seat }
    }
    fn canonical(&self, position: &Vec<u8>) -> (Vec<u8>, usize) {
        let mapped = self.apply(1, position);
        let keeps = *position <= mapped || self.0 == Fault::WrongCanonical;
        if keeps { (position.clone(), 0) } else { (mapped, 1) }
    }
}

impl Layout for Digits {
    fn board(&self) -> Board {
        let point = |at: usize| Point {
            id: if self.0 == Fault::DuplicatePointId {
                "a".to_owned()
            } else {
                format!("{}", char::from(b'a' + at as u8))
            },
            x: 1.0 + at as f64,
            y: if self.0 == Fault::PointOutside { 3.0 } else { 1.0 },
            radius: if self.0 == Fault::OverlappingPoints { 0.6 } else { 0.4 },
            shape: PointShape::Cell,
            colour: String::new(),
        };
        let piece = |digit: u8| Piece {
            id: digit.to_string(),
            name: digit.to_string(),
            fill: String::new(),
            stroke: String::new(),
            label: digit.to_string(),
            shape: PieceShape::Disc,
            seat: None,
        };
        Board {
            width: LENGTH as f64 + 1.0,
            height: 2.0,
            points: (0..LENGTH).map(point).collect(),
            edges: (1..LENGTH as u32).map(|at| (at - 1, at)).collect(),
            labels: vec![Label { text: "sum".to_owned(), x: 0.5, y: 0.2 }],
            pieces: (1..=9).map(piece).collect(),
            ..Board::default()
        }
    }
    fn pieces(&self, position: &Vec<u8>, place: &mut dyn FnMut(usize, usize)) {
        let mut placed: Vec<(usize, u8)> = position.iter().copied().enumerate().collect();
        if self.0 == Fault::UnsortedPieces {
            placed.reverse();
        }
        placed.into_iter().for_each(|(at, digit)| place(at, usize::from(digit) - 1));
    }
}

impl Game for Digits {
    type Position = Vec<u8>;
    type Move = u8;

    fn n_seats(&self) -> usize {
        2
    }
    fn to_move(&self, position: &Vec<u8>) -> usize {
        position.len() % 2
    }
    fn key(&self, position: &Vec<u8>) -> u64 {
        let mut bytes = [0; LENGTH];
        bytes[..position.len()].copy_from_slice(position);
        bytes.iter().fold(0, |key: u64, &digit| (key ^ u64::from(digit)).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
    fn outcome(&self, position: &Vec<u8>) -> Option<Scores> {
        Ruleset::outcome(self, position).map(|outcome| outcome.scores)
    }
    fn moves(&self, position: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend(if position.len() == LENGTH { 0..0 } else { 1..10 });
    }
    fn play(&self, position: &Vec<u8>, mv: &u8) -> Vec<u8> {
        Ruleset::play(self, position, mv)
    }
    fn evaluate(&self, _position: &Vec<u8>) -> i32 {
        0
    }
    fn can_cycle(&self) -> bool {
        false
    }
}

/// Runs the generic search, changed by the game's fault.
pub(crate) fn search(
    n_searches: &mut u64,
    game: &Digits,
    position: &Vec<u8>,
    request: &Request<u8>,
    control: &dyn Control<u8>,
) -> Report<u8> {
    let mut request = request.clone();
    match game.0 {
        Fault::ExceedsNodeLimit => request.limits.nodes = request.limits.nodes.map(|nodes| 2 * nodes + 2),
        Fault::MissesDepthLimit => request.limits.depth = request.limits.depth.map(|depth| depth / 2),
        Fault::IgnoresTimeLimit => request.limits.time = request.limits.time.map(|time| 10 * time),
        Fault::IgnoresRootMoves => request.root_moves.clear(),
        Fault::TooManyLines => request.n_lines += 1,
        _ => {}
    }
    let control = FaultyControl { control, fault: game.0 };
    let mut report = Searcher::new().search(game, position, &request, &control);
    if report.lines.is_empty() {
        return break_final_report(game.0, report);
    }
    let first = &mut report.lines[0];
    match game.0 {
        Fault::NoLines => report.lines.clear(),
        Fault::IllegalMove => first.moves = vec![0],
        Fault::DuplicateLine if request.n_lines > 1 => report.lines[1] = report.lines[0].clone(),
        Fault::UnplayableLine => first.moves.push(0),
        Fault::LineBeyondEnd => first.evaluation.plies_to_end = Some(0),
        Fault::CertainEstimate => first.evaluation.scores = Scores::new(&[1.0, 0.0]),
        Fault::UnsortedLines => first.evaluation.outcome = Some(pentad_sdk::Wdl::Loss),
        Fault::KeepsState => report.nodes += *n_searches,
        _ => {}
    }
    *n_searches += 1;
    report
}

fn break_final_report(fault: Fault, mut report: Report<u8>) -> Report<u8> {
    let evaluation = Evaluation { source: Source::Search, ..report.evaluation };
    match fault {
        Fault::LinesWhenOver => report.lines.push(pentad_sdk::Line { moves: vec![1], evaluation }),
        Fault::WrongScoresWhenOver => report.evaluation.scores = Scores::even(2),
        _ => {}
    }
    report
}

/// The caller's control, with the fault applied to polls and reports.
struct FaultyControl<'a> {
    control: &'a dyn Control<u8>,
    fault: Fault,
}

impl Control<u8> for FaultyControl<'_> {
    fn should_stop(&self) -> bool {
        self.fault != Fault::IgnoresStop && self.control.should_stop()
    }
    fn now(&self) -> Instant {
        self.control.now()
    }
    fn report(&self, report: &Report<u8>) {
        let mut changed = report.clone();
        match self.fault {
            Fault::NoReports => return,
            Fault::StopInIntermediateReport => changed.stop = Some(StopReason::Depth),
            Fault::DecreasingNodes => changed.nodes = u64::MAX - report.nodes,
            _ => {}
        }
        self.control.report(&changed);
    }
}
