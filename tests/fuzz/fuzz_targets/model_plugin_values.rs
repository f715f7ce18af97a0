//! Values that a plugin may write: arbitrary numbers, texts and lengths, null and
//! unaligned pointers. Accepted values are valid and survive a round trip; errors are
//! printable text.
//!
//! The ABI requires that as many elements are readable as a plugin claims, up to its
//! bounds. Lengths here are therefore correct, or beyond every bound.

#![no_main]

use std::fmt::Debug;

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use pentad_abi as abi;
use pentad_model::{
    Board, BoardTables, Outcome, Reason, ReasonCode, Seating, Variant, Violation, evaluation, report, text,
};

fuzz_target!(|data: &[u8]| {
    let mut input = Input(Unstructured::new(data));
    // Ends early when the bytes run out.
    let _ended = read(&mut input);
});

fn read(input: &mut Input<'_>) -> Result<()> {
    let n_seats = input.0.int_in_range(1..=abi::SEATS_MAX)?;
    let seating = Seating { n_seats, n_sides: input.0.int_in_range(1..=n_seats)? };
    match input.0.int_in_range(0..=6)? {
        0 => read_report(input, seating),
        1 => read_board(input, seating.n_seats),
        2 => read_variant(input),
        3 => read_reason(input),
        4 => read_outcome(input, seating),
        5 => read_texts(input),
        _ => {
            let raw = input.evaluation()?;
            if let Some(read) = accepted(evaluation::from_plugin(&raw, seating)) {
                assert_eq!(evaluation::from_plugin(&evaluation::to_abi(&read), seating), Ok(read));
                assert!(read.scores.as_slice().iter().all(|score| (0.0..=1.0).contains(score)));
            }
            Ok(())
        }
    }
}

fn read_report(input: &mut Input<'_>, seating: Seating) -> Result<()> {
    let n_lines_max: u32 = input.0.int_in_range(1..=8)?;
    let (mut moves, mut evaluations) = (Vec::new(), Vec::new());
    for _ in 0..input.0.int_in_range(0..=10)? {
        moves.push(input.texts(6)?);
        evaluations.push(input.evaluation()?);
    }
    let mut lines = Vec::new();
    for (moves, evaluation) in moves.iter().zip(evaluations) {
        let (moves, n_moves) = input.array(moves)?;
        lines.push(abi::Line { moves, n_moves, evaluation });
    }
    let (data, n_lines) = input.array(&lines)?;
    let (depth, stop) = (input.number()?, input.number()?);
    let raw = abi::Report {
        lines: data,
        n_lines,
        nodes: input.0.arbitrary()?,
        depth,
        stop,
        evaluation: input.evaluation()?,
    };
    // SAFETY: the lines, moves and texts are borrowed until the end of this function;
    // lengths are correct or beyond all bounds.
    if let Some(read) = accepted(unsafe { report::from_plugin(&raw const raw, seating, n_lines_max) }) {
        assert!((1..=n_lines_max as usize).contains(&read.lines.len()));
        // SAFETY: values from `with_abi` are readable during the call.
        let again = report::with_abi(&read, |raw| unsafe { report::from_plugin(raw, seating, n_lines_max) });
        assert_eq!(again, Ok(read));
    }
    Ok(())
}

fn read_board(input: &mut Input<'_>, n_seats: usize) -> Result<()> {
    let (mut points, mut edges, mut blocks, mut labels, mut pieces) = (vec![], vec![], vec![], vec![], vec![]);
    for _ in 0..input.0.int_in_range(0..=5)? {
        let (id, colour) = (input.text()?, input.text()?);
        let [x, y, radius] = input.0.arbitrary()?;
        points.push(abi::Point { id, x, y, radius, shape: input.number()?, reserved: 0, colour });
    }
    for _ in 0..input.0.int_in_range(0..=3)? {
        edges.push(abi::Edge { from: input.number()?, to: input.number()? });
    }
    let block_points: [u32; 3] = [input.number()?, input.number()?, input.number()?];
    for _ in 0..input.0.int_in_range(0..=2)? {
        let (id, colour) = (input.text()?, input.text()?);
        let [x, y, width, height] = input.0.arbitrary()?;
        let (points, n_points) = input.array(&block_points)?;
        blocks.push(abi::Block { id, x, y, width, height, colour, points, n_points });
    }
    for _ in 0..input.0.int_in_range(0..=2)? {
        labels.push(abi::Label { text: input.text()?, x: input.0.arbitrary()?, y: input.0.arbitrary()? });
    }
    for _ in 0..input.0.int_in_range(0..=3)? {
        let [id, name, fill, stroke, label] =
            [input.text()?, input.text()?, input.text()?, input.text()?, input.text()?];
        pieces.push(abi::Piece { id, name, fill, stroke, label, shape: input.number()?, seat: input.number()? });
    }
    let [width, height] = input.0.arbitrary()?;
    let ((points, n_points), (edges, n_edges)) = (input.array(&points)?, input.array(&edges)?);
    let ((blocks, n_blocks), (labels, n_labels)) = (input.array(&blocks)?, input.array(&labels)?);
    let (pieces, n_pieces) = input.array(&pieces)?;
    let raw = abi::Board {
        width,
        height,
        points,
        n_points,
        edges,
        n_edges,
        blocks,
        n_blocks,
        labels,
        n_labels,
        pieces,
        n_pieces,
    };
    // SAFETY: as for a report.
    if let Some(board) = accepted(unsafe { Board::from_plugin(&raw, n_seats) }) {
        let tables = BoardTables::new(board.clone());
        // SAFETY: the tables are readable as long as they live.
        assert_eq!(unsafe { Board::from_plugin(&tables.to_abi(), n_seats) }, Ok(board));
    }
    Ok(())
}

fn read_variant(input: &mut Input<'_>) -> Result<()> {
    let mut seats = Vec::new();
    for _ in 0..input.0.int_in_range(0..=9)? {
        seats.push(abi::Seat { id: input.text()?, name: input.text()?, side: input.number()?, reserved: 0 });
    }
    let [id, name, summary] = [input.text()?, input.text()?, input.text()?];
    let (data, n_seats) = input.array(&seats)?;
    let raw = abi::Variant {
        id,
        name,
        summary,
        seats: data,
        n_seats: u32::try_from(n_seats).unwrap_or(u32::MAX),
        position_size: input.number()?,
        plies_max: input.0.arbitrary()?,
        reserved: 0,
    };
    // SAFETY: as for a report.
    if let Some(variant) = accepted(unsafe { Variant::from_plugin(&raw) }) {
        let seats: Vec<abi::Seat> = variant.seats.iter().map(|seat| seat.to_abi()).collect();
        // SAFETY: the seats and texts are borrowed until here.
        let again = unsafe { Variant::from_plugin(&variant.to_abi(&seats, raw.position_size as usize)) };
        assert_eq!(again, Ok(variant.clone()));
    }
    Ok(())
}

fn read_reason(input: &mut Input<'_>) -> Result<()> {
    let [code, sentence] = [input.text()?, input.text()?];
    let points = input.texts(4)?;
    let (data, n_points) = input.array(&points)?;
    let raw = abi::Reason { code, text: sentence, points: data, n_points };
    // SAFETY: as for a report.
    if let Some(reason) = accepted(unsafe { Reason::from_plugin(&raw const raw, None) }) {
        // SAFETY: values from `with_abi` are readable during the call.
        let again = reason.with_abi(|raw| unsafe { Reason::from_plugin(raw, None) });
        assert_eq!(again, Ok(reason));
    }
    let raw = abi::ReasonCode { code, description: sentence, names_points: input.number()?, reserved: 0 };
    // SAFETY: as for a report.
    if let Some(code) = accepted(unsafe { ReasonCode::from_plugin(&raw const raw) }) {
        let raw = code.to_abi();
        // SAFETY: the texts are borrowed from `code`.
        assert_eq!(unsafe { ReasonCode::from_plugin(&raw const raw) }, Ok(code.clone()));
    }
    Ok(())
}

fn read_outcome(input: &mut Input<'_>, seating: Seating) -> Result<()> {
    let raw = abi::Outcome {
        over: input.number()?,
        n_seats: input.number()?,
        scores: input.scores()?,
        places: std::array::from_fn(|_| input.number().unwrap_or(1)),
    };
    let sentence: &[u8] = input.0.arbitrary()?;
    if let Some(Some(outcome)) = accepted(Outcome::from_plugin(&raw, sentence.to_vec(), seating)) {
        let text = outcome.text.clone().into_bytes();
        assert_eq!(Outcome::from_plugin(&outcome.to_abi(), text, seating), Ok(Some(outcome)));
    }
    Ok(())
}

fn read_texts(input: &mut Input<'_>) -> Result<()> {
    let raw = input.text()?;
    // SAFETY: the bytes are the input's; lengths are correct or beyond all bounds.
    unsafe {
        accepted(text::game_id(raw));
        accepted(text::variant_id(raw));
        accepted(text::short_id(raw));
        accepted(text::line(raw));
        accepted(text::prose(raw));
        accepted(text::colour(raw));
    }
    let bytes: &[u8] = input.0.arbitrary()?;
    if let Some(mv) = accepted(text::move_text(bytes)) {
        assert!(mv.is_ascii() && !mv.is_empty());
    }
    accepted(text::position_text(bytes.to_vec()));
    accepted(text::sentence(bytes.to_vec()));
    Ok(())
}

/// Returns the accepted value, or checks that the error can be logged.
fn accepted<T: Debug>(read: std::result::Result<T, Violation>) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(violation) => {
            assert!(!violation.detail.contains(char::is_control), "{:?}", violation.detail);
            None
        }
    }
}

/// Makes values from the fuzzer's bytes, biased towards valid ones.
struct Input<'a>(Unstructured<'a>);

impl Input<'_> {
    /// Returns a small number, as most codes and counts are, or an arbitrary one.
    fn number(&mut self) -> Result<u32> {
        let number: u8 = self.0.arbitrary()?;
        if number < 250 { Ok(u32::from(number % 16)) } else { self.0.arbitrary() }
    }

    /// Returns a text borrowed from the fuzzer's bytes.
    fn text(&mut self) -> Result<abi::Str> {
        let kind: u8 = self.0.arbitrary()?;
        let len = if kind < 240 { usize::from(kind % 12) } else { self.0.arbitrary::<u16>()?.into() };
        let bytes = self.0.bytes(len.min(self.0.len()))?;
        let data = bytes.as_ptr().cast();
        let len = bytes.len() as u64;
        Ok(match kind {
            0 => abi::Str { data: std::ptr::null(), len },
            1 => abi::Str { data, len: u64::MAX - len },
            _ => abi::Str { data, len },
        })
    }

    fn texts(&mut self, n_max: usize) -> Result<Vec<abi::Str>> {
        let n = self.0.int_in_range(0..=n_max)?;
        (0..n).map(|_| self.text()).collect()
    }

    /// Returns an array's pointer and length, mostly correct.
    fn array<T>(&mut self, array: &[T]) -> Result<(*const T, u64)> {
        let n = array.len() as u64;
        Ok(match self.0.arbitrary::<u8>()? {
            0 => (std::ptr::null(), n),
            1 => (array.as_ptr().wrapping_byte_add(1), n),
            2 => (array.as_ptr(), u64::MAX - n),
            _ => (array.as_ptr(), n),
        })
    }

    fn scores(&mut self) -> Result<[f64; abi::SEATS_MAX]> {
        let is_any = self.0.ratio(1, 8)?;
        let mut scores = [0.0; abi::SEATS_MAX];
        for score in &mut scores {
            *score = if is_any { self.0.arbitrary()? } else { f64::from(self.0.arbitrary::<u8>()?) / 255.0 };
        }
        Ok(scores)
    }

    fn evaluation(&mut self) -> Result<abi::Evaluation> {
        Ok(abi::Evaluation {
            certainty: self.number()?,
            outcome: self.number()?,
            plies_to_end: self.number()?,
            source: self.number()?,
            depth: self.number()?,
            n_seats: self.number()?,
            scores: self.scores()?,
        })
    }
}
