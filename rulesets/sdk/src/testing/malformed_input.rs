//! Malformed texts and bytes: they must not crash the game, and a refusal has a column
//! inside the text.

use pentad_model::rng::Rng;

use super::{encoded, move_text, text};
use crate::ruleset::{RefusalKind, Ruleset};

/// The characters, moves and fields of a game's texts.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet<'a> {
    /// Characters of positions and moves. The checks add some that no notation has.
    pub letters: &'a str,
    /// Moves to mutate.
    pub moves: &'a [&'a str],
    /// The fields of a position's text.
    pub fields: &'a [&'a str],
    /// Whether a move may be written in other ways than the canonical one.
    pub has_aliases: bool,
    /// Whether every refusal of a malformed text has a column. Without one, the refusal is
    /// about the whole text, such as a wrong number of pieces.
    pub names_columns: bool,
}

/// Characters that no notation has: a zero byte, characters of two, three and four
/// bytes, a newline, a full-width digit.
const FOREIGN: [char; 6] = ['\0', 'é', '₂', '🎲', '\n', '９'];

impl Alphabet<'_> {
    /// Returns up to 23 random characters.
    pub fn random(&self, rng: &mut Rng) -> String {
        let letters: Vec<char> = self.letters.chars().chain(FOREIGN).collect();
        (0..rng.below(24)).map(|_| letters[rng.below(letters.len())]).collect()
    }

    /// Returns a move with up to three characters changed.
    pub fn mutated_move(&self, rng: &mut Rng) -> String {
        let letters: Vec<char> = self.letters.chars().collect();
        let mut text: Vec<char> = self.moves[rng.below(self.moves.len())].chars().collect();
        for _ in 0..rng.below(4) {
            let at = rng.below(text.len());
            match rng.below(3) {
                0 => text.insert(at, letters[rng.below(letters.len())]),
                1 if text.len() > 1 => drop(text.remove(at)),
                _ => text[at] = letters[rng.below(letters.len())],
            }
        }
        text.into_iter().collect()
    }

    /// Checks that a position's text is refused with a known field and a column inside
    /// the text, or is a position that round-trips through its bytes.
    #[track_caller]
    pub fn check_position<R: Ruleset>(&self, rules: &R, text: &str) {
        match rules.parse(text) {
            Ok(position) => {
                let bytes = encoded(rules, &position);
                let is_over = rules.outcome(&position).is_some();
                assert_eq!(rules.count_moves(&position, "") == 0, is_over, "{text:?}");
                assert!(rules.decode(&bytes) == Some(position), "{text:?}");
            }
            Err(refusal) => {
                assert_eq!(refusal.kind, RefusalKind::Malformed);
                assert!(self.fields.contains(&refusal.field), "{text:?}: {refusal}");
                self.check_column(refusal.column, text);
            }
        }
    }

    /// Checks random and mutated texts, half of each, as positions and as moves of
    /// `positions`.
    #[track_caller]
    pub fn check_texts<R: Ruleset>(
        &self,
        rules: &R,
        positions: &[R::Position],
        n_texts: usize,
        mutate: impl Fn(&str, &mut Rng) -> String,
    ) {
        let mut rng = Rng::new(99);
        for i in 0..n_texts {
            let position = &positions[rng.below(positions.len())];
            if i % 2 == 0 {
                self.check_position(rules, &self.random(&mut rng));
                self.check_move(rules, position, &self.random(&mut rng));
            } else {
                self.check_position(rules, &mutate(&text(rules, position), &mut rng));
                self.check_move(rules, position, &self.mutated_move(&mut rng));
            }
        }
        self.check_position(rules, &self.letters.repeat(10_000));
        self.check_move(rules, &positions[0], &self.moves.join("").repeat(10_000));
        self.check_move(rules, &positions[0], &"é".repeat(100_000));
    }

    /// Checks that a move's text is refused as malformed, with a column inside the text,
    /// or as illegal; or is a legal move that changes the position and round-trips
    /// through its canonical text.
    #[track_caller]
    pub fn check_move<R: Ruleset>(&self, rules: &R, position: &R::Position, text: &str) {
        match rules.parse_move(position, text) {
            Ok(mv) => {
                assert!(rules.play(position, &mv) != *position, "{text:?} changes nothing");
                let canonical = move_text(rules, position, &mv);
                assert!(self.has_aliases || canonical == text, "{text:?} is an alias of {canonical:?}");
                assert!(rules.parse_move(position, &canonical).is_ok_and(|again| again == mv), "{text:?}");
            }
            Err(refusal) if refusal.kind == RefusalKind::Malformed => self.check_column(refusal.column, text),
            Err(refusal) => {
                let is_over = rules.outcome(position).is_some();
                let expected = if is_over { RefusalKind::GameOver } else { RefusalKind::Illegal };
                assert_eq!(refusal.kind, expected, "{text:?}: {refusal}");
            }
        }
    }

    /// Checks that the column is that of a character, or one past the last.
    #[track_caller]
    fn check_column(&self, column: Option<usize>, text: &str) {
        let Some(column) = column else {
            assert!(!self.names_columns, "no column in {text:?}");
            return;
        };
        assert!((1..=text.chars().count() + 1).contains(&column), "column {column} in {text:?}");
    }
}

/// Checks that each block of bytes from `make` is refused, or encodes a position that
/// round-trips through its text unless the other side is to move; and that blocks of another length
/// are refused. Returns the number of accepted blocks.
#[track_caller]
pub fn check_bytes<R: Ruleset>(rules: &R, n_blocks: usize, mut make: impl FnMut(usize) -> Vec<u8>) -> usize {
    let size = rules.position_size();
    let mut n_accepted = 0;
    for i in 0..n_blocks {
        let bytes = make(i);
        let Some(position) = rules.decode(&bytes) else { continue };
        assert_eq!(bytes, encoded(rules, &position));
        let text = text(rules, &position);
        let is_read_back = rules.parse(&text).is_ok_and(|again| again == position);
        assert_ne!(is_read_back, rules.is_off_turn(&position), "{text}");
        n_accepted += 1;
    }
    for n in [0, 1, size / 2, size - 1, size + 1, 2 * size] {
        assert!(rules.decode(&vec![0; n]).is_none(), "{n} bytes");
    }
    n_accepted
}

/// Calls [`check_bytes`] with random bytes and with those of positions with one bit
/// flipped, half of each.
#[track_caller]
pub fn check_random_bytes<R: Ruleset>(rules: &R, positions: &[R::Position], n_blocks: usize, mut rng: Rng) -> usize {
    check_bytes(rules, n_blocks, |i| {
        let position = &positions[rng.below(positions.len())];
        if i % 2 == 0 { random_bytes(rules, &mut rng) } else { one_bit_off(rules, position, &mut rng) }
    })
}

/// Returns the bytes of a position with one random bit flipped.
pub fn one_bit_off<R: Ruleset>(rules: &R, position: &R::Position, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = encoded(rules, position);
    let at = rng.below(bytes.len());
    bytes[at] ^= 1 << rng.below(8);
    bytes
}

/// Returns random bytes of the size of a position.
pub fn random_bytes<R: Ruleset>(rules: &R, rng: &mut Rng) -> Vec<u8> {
    (0..rules.position_size()).map(|_| rng.next_u64() as u8).collect()
}
