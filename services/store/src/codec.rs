//! Answers as bytes.
//!
//! | bytes | content |
//! | --- | --- |
//! | 1 | format version |
//! | 4 | CRC-32 of the key's digest and of everything after it, little-endian |
//! | 1 | stop reason; the highest bit is set if the answer is not trusted |
//! | rest | numbers as LEB128, texts with their length, scores as one byte if they are 0, ½, 1 or 1 minus the score before |
//!
//! The fields that rank an answer come first, so that the writer can compare two answers
//! without reading the rest. The checksum includes the digest, so a value under another
//! key counts as damaged. Reading arbitrary bytes ends with an answer or an error and
//! needs memory of at most a small multiple of their length.

use std::time::Duration;

use pentad_engine::{AnswerRank, PositionKey, StopReason, StoredAnswer, StoredLine};
use pentad_model::{Certainty, Evaluation, SEATS_MAX, Scores, Source, Wdl};

use crate::error::StoreError;

/// Format version of a value. Values of other versions are not read.
pub const FORMAT_VERSION: u8 = 1;
/// Maximum length of a value; longer ones are not stored.
pub(crate) const VALUE_LEN_MAX: usize = 32 << 10;
/// Length of version and checksum.
const PREFIX_LEN: usize = 5;

/// Fields that determine the rank of an answer and its worth for eviction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    stop: StopReason,
    pub(crate) is_trusted: bool,
    n_lines: usize,
    depth: u32,
    nodes: u64,
    pub(crate) took: Duration,
}

impl Header {
    /// Whether it is a trusted proof, as [`StoredAnswer::is_proven`].
    pub(crate) fn is_proven(&self) -> bool {
        self.stop == StopReason::Proven && self.is_trusted
    }

    pub(crate) fn rank(&self) -> AnswerRank {
        AnswerRank::new(self.is_proven(), self.n_lines, self.depth, self.nodes)
    }

    /// Returns the cost of finding the answer again; of two equal costs, a proof is worth
    /// more, because it will not be replaced.
    pub(crate) fn worth(&self) -> u64 {
        let took_us = u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX);
        if self.is_proven() { took_us.saturating_mul(4).saturating_add(1) } else { took_us }
    }
}

/// Encodes an answer; `None` if it is too long.
pub(crate) fn encode(digest: &PositionKey, answer: &StoredAnswer) -> Option<Vec<u8>> {
    let mut out = Writer::new();
    out.0.push(stop_code(answer.stop) | if answer.is_trusted { 0 } else { NOT_TRUSTED });
    out.number(answer.n_lines as u64);
    out.number(u64::from(answer.depth));
    out.number(answer.nodes);
    out.number(u64::try_from(answer.took.as_micros()).unwrap_or(u64::MAX));
    out.number(answer.n_choices as u64);
    out.number(answer.n_moves as u64);
    out.evaluation(&answer.evaluation);
    out.number(answer.lines.len() as u64);
    for line in &answer.lines {
        // Most lines have the evaluation of the position itself.
        match line.evaluation == answer.evaluation {
            true => out.0.push(SAME_EVALUATION),
            false => out.evaluation(&line.evaluation),
        }
        out.texts(&line.moves);
        out.texts(&line.equivalents);
    }
    out.text(&answer.position);
    out.sealed(&digest.0)
}

/// Decodes an answer.
pub(crate) fn decode(digest: &PositionKey, value: &[u8]) -> Result<StoredAnswer, StoreError> {
    let mut reader = Reader::unsealed(&digest.0, value)?;
    let Header { stop, is_trusted, n_lines, depth, nodes, took } = reader.header()?;
    let n_choices = reader.size()?;
    let n_moves = reader.size()?;
    let evaluation = reader.evaluation(None)?;
    let n = reader.count()?;
    let mut lines = Vec::with_capacity(n.min(64));
    for _ in 0..n {
        let evaluation = reader.evaluation(Some(&evaluation))?;
        let (moves, equivalents) = (reader.texts()?, reader.texts()?);
        lines.push(StoredLine { moves, evaluation, equivalents });
    }
    let position = reader.text()?;
    reader.end()?;
    if lines.is_empty() || lines.iter().any(|line| line.moves.is_empty()) {
        return Err(bad("a line without moves"));
    }
    Ok(StoredAnswer { position, stop, n_lines, took, depth, nodes, evaluation, lines, n_choices, n_moves, is_trusted })
}

/// Decodes the header of an answer after checking that it is undamaged.
pub(crate) fn header(digest: &PositionKey, value: &[u8]) -> Result<Header, StoreError> {
    Reader::unsealed(&digest.0, value)?.header()
}

/// Decodes the header without checking the checksum, for choices that may be wrong.
pub(crate) fn peek_header(value: &[u8]) -> Option<Header> {
    Reader(value.get(PREFIX_LEN..)?).header().ok()
}

/// Decodes arbitrary bytes. For fuzzing.
#[doc(hidden)]
pub fn read_arbitrary_value(bytes: &[u8]) {
    let digest = PositionKey([0; 16]);
    let mut value = [&[FORMAT_VERSION][..], &[0; 4], bytes].concat();
    let checksum = checksum(&digest.0, bytes);
    value[1..PREFIX_LEN].copy_from_slice(&checksum.to_le_bytes());
    for value in [&value[..], bytes] {
        if let Ok(answer) = decode(&digest, value) {
            // Re-encoding may be longer than the original and exceed the maximum length.
            let Some(again) = encode(&digest, &answer) else { continue };
            assert_eq!(
                decode(&digest, &again).ok(),
                Some(answer),
                "an answer that was read can be written and read again"
            );
        }
    }
}

/// Returns the CRC-32 of the key and the payload.
fn checksum(key: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    hasher.update(payload);
    hasher.finalize()
}

pub(crate) fn bad(what: &str) -> StoreError {
    StoreError::BadValue(format!("a stored value is damaged: {what}"))
}

fn stop_code(stop: StopReason) -> u8 {
    match stop {
        StopReason::Proven => 0,
        StopReason::Nodes => 1,
        StopReason::Depth => 2,
        StopReason::Time | StopReason::Deadline | StopReason::Load | StopReason::Cancelled | StopReason::Shutdown => 3,
    }
}

/// Bit of the byte with the stop reason. Values written before this bit existed are trusted.
const NOT_TRUSTED: u8 = 0x80;

/// Stands for the evaluation of the position.
const SAME_EVALUATION: u8 = 0xff;

// Bits of an evaluation's first byte: certainty 1, outcome 2, source 3, plies 1.
const PROVEN: u8 = 1;
const OUTCOME_SHIFT: u32 = 1;
const SOURCE_SHIFT: u32 = 3;
const HAS_PLIES: u8 = 1 << 6;

const SCORE_ZERO: u8 = 0;
const SCORE_HALF: u8 = 1;
const SCORE_ONE: u8 = 2;
/// 1 minus the score before.
const SCORE_REST: u8 = 3;
/// An exact score; eight bytes follow.
const SCORE_FULL: u8 = 4;

/// Writer of a value: version and checksum first.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new() -> Self {
        let mut bytes = Vec::with_capacity(256);
        bytes.extend([FORMAT_VERSION, 0, 0, 0, 0]);
        Writer(bytes)
    }

    /// Returns the bytes to store under `key`; `None` if they are too many.
    pub(crate) fn sealed(self, key: &[u8]) -> Option<Vec<u8>> {
        let mut value = self.0;
        let checksum = checksum(key, &value[PREFIX_LEN..]);
        value[1..PREFIX_LEN].copy_from_slice(&checksum.to_le_bytes());
        (value.len() <= VALUE_LEN_MAX).then_some(value)
    }

    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    pub(crate) fn texts(&mut self, texts: &[String]) {
        self.number(texts.len() as u64);
        texts.iter().for_each(|text| self.text(text));
    }

    fn evaluation(&mut self, evaluation: &Evaluation) {
        let proven = if evaluation.certainty == Certainty::Proven { PROVEN } else { 0 };
        let outcome = match evaluation.outcome {
            None => 0,
            Some(Wdl::Loss) => 1,
            Some(Wdl::Draw) => 2,
            Some(Wdl::Win) => 3,
        };
        let source = match evaluation.source {
            Source::Terminal => 0,
            Source::Book => 1,
            Source::Solver => 2,
            Source::Search => 3,
            Source::Static => 4,
        };
        let has_plies = if evaluation.plies_to_end.is_some() { HAS_PLIES } else { 0 };
        self.0.push(proven | outcome << OUTCOME_SHIFT | source << SOURCE_SHIFT | has_plies);
        if let Some(plies) = evaluation.plies_to_end {
            self.number(u64::from(plies));
        }
        self.number(u64::from(evaluation.depth));
        let scores = evaluation.scores.as_slice();
        self.0.push(scores.len() as u8);
        let mut before = None;
        for &score in scores {
            self.score(score, before);
            before = Some(score);
        }
    }

    /// Writes a score exactly: reading returns the same number bit by bit.
    fn score(&mut self, score: f64, before: Option<f64>) {
        let is = |other: f64| score.to_bits() == other.to_bits();
        match before {
            _ if is(0.0) => self.0.push(SCORE_ZERO),
            _ if is(0.5) => self.0.push(SCORE_HALF),
            _ if is(1.0) => self.0.push(SCORE_ONE),
            Some(before) if is(1.0 - before) => self.0.push(SCORE_REST),
            _ => {
                self.0.push(SCORE_FULL);
                self.0.extend(score.to_le_bytes());
            }
        }
    }
}

/// Reader of a value.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Creates a reader of the bytes stored under `key` after checking version and
    /// checksum.
    pub(crate) fn unsealed(key: &[u8], value: &'a [u8]) -> Result<Self, StoreError> {
        let (&version, rest) = value.split_first().ok_or_else(|| bad("it is empty"))?;
        if version != FORMAT_VERSION {
            return Err(bad(&format!("format {version}, not {FORMAT_VERSION}")));
        }
        let (stored, payload) = rest.split_first_chunk::<4>().ok_or_else(|| bad("it is cut off"))?;
        if u32::from_le_bytes(*stored) != checksum(key, payload) {
            return Err(bad("the checksum does not match"));
        }
        Ok(Reader(payload))
    }

    /// Checks that nothing follows.
    pub(crate) fn end(self) -> Result<(), StoreError> {
        if self.0.is_empty() { Ok(()) } else { Err(bad("it has trailing bytes")) }
    }

    fn header(&mut self) -> Result<Header, StoreError> {
        let byte = self.byte()?;
        let stop = match byte & !NOT_TRUSTED {
            0 => StopReason::Proven,
            1 => StopReason::Nodes,
            2 => StopReason::Depth,
            3 => StopReason::Time,
            _ => return Err(bad("an unknown stop reason")),
        };
        Ok(Header {
            stop,
            is_trusted: byte & NOT_TRUSTED == 0,
            n_lines: self.size()?,
            depth: self.small()?,
            nodes: self.number()?,
            took: Duration::from_micros(self.number()?),
        })
    }

    fn byte(&mut self) -> Result<u8, StoreError> {
        let (&byte, rest) = self.0.split_first().ok_or_else(|| bad("it is cut off"))?;
        self.0 = rest;
        Ok(byte)
    }

    pub(crate) fn number(&mut self) -> Result<u64, StoreError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(bad("a number beyond 64 bits"))
    }

    fn small(&mut self) -> Result<u32, StoreError> {
        u32::try_from(self.number()?).map_err(|_| bad("a number beyond 32 bits"))
    }

    fn size(&mut self) -> Result<usize, StoreError> {
        usize::try_from(self.number()?).map_err(|_| bad("a size beyond this machine's address space"))
    }

    /// Reads the number of items that follow, each of at least one byte.
    pub(crate) fn count(&mut self) -> Result<usize, StoreError> {
        let count = self.size()?;
        if count > self.0.len() {
            return Err(bad("it is cut off"));
        }
        Ok(count)
    }

    pub(crate) fn text(&mut self) -> Result<String, StoreError> {
        let len = self.count()?;
        let (text, rest) = self.0.split_at(len);
        self.0 = rest;
        let text = std::str::from_utf8(text).map_err(|_| bad("a text that is not UTF-8"))?;
        Ok(text.to_owned())
    }

    pub(crate) fn texts(&mut self) -> Result<Vec<String>, StoreError> {
        let count = self.count()?;
        (0..count).map(|_| self.text()).collect()
    }

    fn evaluation(&mut self, of_position: Option<&Evaluation>) -> Result<Evaluation, StoreError> {
        let bits = self.byte()?;
        if let (SAME_EVALUATION, Some(same)) = (bits, of_position) {
            return Ok(*same);
        }
        let outcome = match bits >> OUTCOME_SHIFT & 3 {
            0 => None,
            1 => Some(Wdl::Loss),
            2 => Some(Wdl::Draw),
            _ => Some(Wdl::Win),
        };
        let source = match bits >> SOURCE_SHIFT & 7 {
            0 => Source::Terminal,
            1 => Source::Book,
            2 => Source::Solver,
            3 => Source::Search,
            4 => Source::Static,
            _ => return Err(bad("an unknown source")),
        };
        if bits & 0x80 != 0 {
            return Err(bad("an unknown evaluation"));
        }
        let certainty = if bits & PROVEN != 0 { Certainty::Proven } else { Certainty::Estimate };
        let plies_to_end = if bits & HAS_PLIES != 0 { Some(self.small()?) } else { None };
        let depth = self.small()?;
        Ok(Evaluation { certainty, outcome, plies_to_end, scores: self.scores()?, source, depth })
    }

    fn scores(&mut self) -> Result<Scores, StoreError> {
        let n_seats = usize::from(self.byte()?);
        if n_seats > SEATS_MAX {
            return Err(bad("too many seats"));
        }
        let mut scores = [0.0; SEATS_MAX];
        for seat in 0..n_seats {
            let before = seat.checked_sub(1).map(|seat| scores[seat]);
            scores[seat] = match (self.byte()?, before) {
                (SCORE_ZERO, _) => 0.0,
                (SCORE_HALF, _) => 0.5,
                (SCORE_ONE, _) => 1.0,
                (SCORE_REST, Some(before)) => 1.0 - before,
                (SCORE_FULL, _) => {
                    let (bytes, rest) = self.0.split_first_chunk::<8>().ok_or_else(|| bad("it is cut off"))?;
                    self.0 = rest;
                    f64::from_le_bytes(*bytes)
                }
                _ => return Err(bad("an unknown score")),
            };
            if !(0.0..=1.0).contains(&scores[seat]) {
                return Err(bad("a score outside 0 to 1"));
            }
        }
        Ok(Scores::new(&scores[..n_seats]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: PositionKey = PositionKey([7; 16]);

    fn answer() -> StoredAnswer {
        let evaluation = Evaluation {
            certainty: Certainty::Proven,
            outcome: Some(Wdl::Win),
            plies_to_end: Some(5),
            scores: Scores::pair(0, 1.0),
            source: Source::Solver,
            depth: 5,
        };
        let estimate = Evaluation {
            scores: Scores::new(&[0.123_456_789, 0.3, 0.5]),
            outcome: None,
            certainty: Certainty::Estimate,
            ..evaluation
        };
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        StoredAnswer {
            position: "6/6/2w3/6/6/6 b".to_owned(),
            stop: StopReason::Proven,
            n_lines: 3,
            took: Duration::from_micros(123_456),
            depth: 300,
            nodes: u64::MAX,
            evaluation,
            lines: vec![
                StoredLine { moves: texts(&["a1-2r", "b2-1l"]), evaluation, equivalents: texts(&["a1-3r"]) },
                StoredLine { moves: texts(&["c3"]), evaluation: estimate, equivalents: Vec::new() },
            ],
            n_choices: 100,
            n_moves: 288,
            is_trusted: true,
        }
    }

    /// An answer is read exactly as it was written.
    #[test]
    fn round_trip() {
        for answer in [answer(), StoredAnswer { is_trusted: false, ..answer() }] {
            let value = encode(&DIGEST, &answer).expect("it is short");
            assert_eq!(decode(&DIGEST, &value).expect("undamaged"), answer);
            let header = header(&DIGEST, &value).expect("undamaged");
            assert_eq!((header.rank(), header.took), (answer.rank(), answer.took));
            assert!(value.len() < 100, "{} bytes", value.len());
        }
    }

    /// Every changed bit, every truncation and another key are detected.
    #[test]
    fn damaged_values_are_refused() {
        let value = encode(&DIGEST, &answer()).expect("it is short");
        for bit in 0..value.len() * 8 {
            let mut damaged = value.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&DIGEST, &damaged).is_err(), "bit {bit}");
        }
        for len in 0..value.len() {
            assert!(decode(&DIGEST, &value[..len]).is_err(), "{len} bytes");
        }
        assert!(decode(&PositionKey([8; 16]), &value).is_err());
    }

    /// A value of another format is refused with its version.
    #[test]
    fn other_versions_are_refused() {
        let mut value = encode(&DIGEST, &answer()).expect("it is short");
        value[0] = FORMAT_VERSION + 1;
        assert_eq!(decode(&DIGEST, &value).unwrap_err().to_string(), "a stored value is damaged: format 2, not 1");
    }

    /// Bytes with a correct checksum are decoded or refused, whatever they are.
    #[test]
    fn arbitrary_bytes_are_read_or_refused() {
        let mut rng = pentad_model::rng::Rng::new(1);
        let value = encode(&DIGEST, &answer()).expect("it is short");
        for _ in 0..20_000 {
            let mut bytes = value[PREFIX_LEN..].to_vec();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] = rng.next_u64() as u8;
            }
            bytes.truncate(1 + rng.below(bytes.len()));
            read_arbitrary_value(&bytes);
        }
    }

    /// A proof outranks an estimate of any depth and a proof that is not trusted, a deeper
    /// estimate a shallower one, and of two proofs the one with more lines.
    #[test]
    fn the_better_answer_has_the_higher_rank() {
        let estimate = |depth| StoredAnswer { stop: StopReason::Time, depth, ..answer() };
        assert!(StoredAnswer { depth: 1, ..answer() }.rank() > estimate(500).rank());
        assert!(estimate(12).rank() > estimate(11).rank());
        assert!(StoredAnswer { n_lines: 4, depth: 1, ..answer() }.rank() > answer().rank());
        // A proof that is not trusted is replaced by any that is.
        let not_trusted = StoredAnswer { is_trusted: false, depth: u32::MAX, n_lines: 9, ..answer() };
        assert!(answer().rank() > not_trusted.rank());
    }
}
