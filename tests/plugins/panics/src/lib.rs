//! A game that panics: each variant in the one call it is named after, and in no
//! other. The variant `nothing` does not panic.
//!
//! Two players take one or two matches in turn; the player who takes the last one wins.
//! A position is `7 a`, matches left and player, and a move `1` or `2`.

use std::borrow::Cow;
use std::ops::ControlFlow;

use pentad_sdk::{
    Board, Certainty, Control, Evaluation, GiveStoppingMove, Info, Layout, Line, Outcome, Piece, PieceShape, Point,
    PointShape, Reason, ReasonCode, Reasons, Refusal, Report, Request, Resources, Ruleset, Scores, Search, Seat,
    Source, StopReason, StoppingMove, Symmetry, Threat, ThreatKey, ThreatKind, Threats, Variant, code_with_points,
    threat_kind,
};

/// The call that panics, by the index of the variant.
const CALLS: [&str; 21] = [
    "nothing",
    "start",
    "parse",
    "format",
    "to-move",
    "legal-moves",
    "count-moves",
    "parse-move",
    "play",
    "outcome",
    "create",
    "run",
    "evaluate",
    "apply",
    "apply-move",
    "canonical",
    "pieces",
    "explain",
    "turn-of",
    "threats",
    "stops",
];

/// The rules of one variant.
struct Panics {
    call: &'static str,
}

impl Panics {
    fn panic_if_in(&self, call: &str) {
        assert!(self.call != call, "this variant panics in {call}");
    }

    fn even(&self) -> Evaluation {
        Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores: Scores::even(2),
            source: Source::Static,
            depth: 0,
        }
    }
}

/// Matches left, seat to move.
type Position = (u8, u8);

impl Ruleset for Panics {
    type Position = Position;
    type Move = u8;

    const INFO: Info = Info {
        id: "panics",
        name: "Panics",
        version: env!("CARGO_PKG_VERSION"),
        rules: "Take one or two matches in turn. Who takes the last one wins.",
        notation: "A position is `7 a`, a move `1` or `2`.",
    };

    fn variants() -> Vec<Variant> {
        // A plugin has its own standard library, so this keeps the panics
        // made on purpose out of the test's output, and no others.
        std::panic::set_hook(Box::new(|_| {}));
        let variant = |call| Variant {
            id: call,
            name: call,
            summary: "Panics in the call it is named after.",
            seats: vec![Seat { id: "a", name: "Ann", side: 0 }, Seat { id: "b", name: "Bob", side: 1 }],
            plies_max: Some(9),
        };
        CALLS.into_iter().map(variant).collect()
    }

    fn new(variant_idx: usize) -> Self {
        Panics { call: CALLS[variant_idx] }
    }

    fn position_size(&self) -> usize {
        2
    }

    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        bytes.copy_from_slice(&[position.0, position.1]);
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        (bytes[0] <= 9 && bytes[1] < 2).then(|| (bytes[0], bytes[1]))
    }

    fn start(&self) -> Position {
        self.panic_if_in("start");
        (7, 0)
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        self.panic_if_in("parse");
        match text.as_bytes() {
            [n @ b'0'..=b'9', b' ', side @ (b'a' | b'b')] => Ok((n - b'0', side - b'a')),
            _ => Err(Refusal::malformed("matches", 1, "expected a digit and a player, as in `7 a`")),
        }
    }

    fn format(&self, position: &Position, out: &mut String) {
        self.panic_if_in("format");
        out.push_str(&format!("{} {}", position.0, ["a", "b"][usize::from(position.1)]));
    }

    fn to_move(&self, position: &Position) -> usize {
        self.panic_if_in("to-move");
        usize::from(position.1)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        // Playing calls this too; only a finished game panics here, so that the
        // other calls of this variant work.
        if position.0 > 0 {
            return None;
        }
        self.panic_if_in("outcome");
        let (scores, places) = if position.1 == 1 { ([1.0, 0.0], vec![1, 2]) } else { ([0.0, 1.0], vec![2, 1]) };
        Some(Outcome::new(Scores::new(&scores), places, "the last match is taken"))
    }

    fn legal_moves(&self, position: &Position, visit: impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        (1..=position.0.min(2)).try_for_each(visit)
    }

    fn legal_move_texts(
        &self,
        position: &Position,
        prefix: &str,
        mut visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for mv in 1..=position.0.min(2) {
            let text = mv.to_string();
            if text.starts_with(prefix) {
                visit(&text)?;
            }
            // After the first move: a partial list must not pass for a complete one.
            self.panic_if_in("legal-moves");
        }
        ControlFlow::Continue(())
    }

    fn count_moves(&self, position: &Position, prefix: &str) -> u64 {
        self.panic_if_in("count-moves");
        (1..=position.0.min(2)).filter(|mv| mv.to_string().starts_with(prefix)).count() as u64
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<u8, Refusal> {
        self.panic_if_in("parse-move");
        match text {
            "1" => Ok(1),
            "2" if position.0 >= 2 => Ok(2),
            "2" => Err(Refusal::illegal("only one match is left")),
            _ => Err(Refusal::malformed("move", 1, "expected `1` or `2`")),
        }
    }

    fn move_text(&self, _position: &Position, mv: &u8) -> Cow<'static, str> {
        mv.to_string().into()
    }

    fn play(&self, position: &Position, mv: &u8) -> Position {
        self.panic_if_in("play");
        (position.0 - mv, 1 - position.1)
    }
}

impl Search for Panics {
    type Context = ();

    fn context(&self, _resources: Resources) -> Result<(), Refusal> {
        self.panic_if_in("create");
        Ok(())
    }

    fn search(
        &self,
        (): &mut (),
        _position: &Position,
        request: &Request<u8>,
        control: &dyn Control<u8>,
    ) -> Report<u8> {
        let mv = request.root_moves.first().copied().unwrap_or(1);
        let line = Line { moves: vec![mv], evaluation: self.even() };
        let report = Report { lines: vec![line], evaluation: self.even(), depth: 1, nodes: 1, stop: None };
        control.report(&report);
        self.panic_if_in("run");
        let stop = if control.should_stop() { StopReason::Cancelled } else { StopReason::Depth };
        Report { stop: Some(stop), ..report }
    }

    fn evaluate(&self, _position: &Position) -> Evaluation {
        self.panic_if_in("evaluate");
        self.even()
    }
}

/// The players change places.
impl Symmetry for Panics {
    fn n_symmetries(&self) -> usize {
        2
    }

    fn inverse(&self, symmetry: usize) -> usize {
        symmetry
    }

    fn apply(&self, symmetry: usize, position: &Position) -> Position {
        self.panic_if_in("apply");
        (position.0, position.1 ^ symmetry as u8)
    }

    fn apply_move(&self, _symmetry: usize, _position: &Position, mv: &u8) -> u8 {
        self.panic_if_in("apply-move");
        *mv
    }

    fn apply_seat(&self, symmetry: usize, seat: usize) -> usize {
        seat ^ symmetry
    }

    fn canonical(&self, position: &Position) -> (Position, usize) {
        self.panic_if_in("canonical");
        ((position.0, 0), usize::from(position.1))
    }
}

impl Layout for Panics {
    fn board(&self) -> Board {
        let point = |n: u8| Point {
            id: (n + 1).to_string(),
            x: f64::from(n) + 0.5,
            y: 0.5,
            radius: 0.4,
            shape: PointShape::Cell,
            colour: String::new(),
        };
        let piece = Piece {
            id: "m".to_owned(),
            name: "match".to_owned(),
            fill: "#aa5500".to_owned(),
            stroke: String::new(),
            label: String::new(),
            shape: PieceShape::Disc,
            seat: None,
        };
        Board { width: 9.0, height: 1.0, points: (0..9).map(point).collect(), pieces: vec![piece], ..Board::default() }
    }

    fn pieces(&self, position: &Position, place: &mut dyn FnMut(usize, usize)) {
        (0..usize::from(position.0)).for_each(|point| {
            place(point, 0);
            self.panic_if_in("pieces");
        });
    }
}

impl Reasons for Panics {
    const CODES: &'static [ReasonCode] = &[code_with_points("only_idea", "it takes a match")];

    fn explain(&self, _position: &Position, _report: &Report<u8>, _line_idx: usize) -> Vec<Reason> {
        self.panic_if_in("explain");
        vec![Reason::new("only_idea", "it takes a match", vec!["1".to_owned()])]
    }
}

impl Threats for Panics {
    const KINDS: &'static [ThreatKind] = &[threat_kind("last", "taking the last match")];

    fn turn_of(&self, position: &Position, seat: usize) -> Option<Position> {
        self.panic_if_in("turn-of");
        (position.0 > 0).then_some((position.0, seat as u8))
    }

    fn threats(&self, position: &Position) -> Vec<Threat<u8>> {
        self.panic_if_in("threats");
        let wins = (1..=2).contains(&position.0);
        wins.then(|| Threat::win(0, 0, position.0, vec![0])).into_iter().collect()
    }

    fn stops(
        &self,
        _sides: &[u32],
        position: &Position,
        _threats: &[ThreatKey],
        give: &mut GiveStoppingMove<'_, u8>,
    ) -> ControlFlow<()> {
        self.panic_if_in("stops");
        if position.0 > 2 {
            return ControlFlow::Continue(());
        }
        give(Some(StoppingMove { mv: &position.0, stopped: 1, stops_all: true }))
    }
}

pentad_sdk::export!(Panics: search, symmetry, layout, reasons, threats);
