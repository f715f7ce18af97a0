//! Arbitrary texts and bytes never crash the rule set, and a refusal points into
//! the text.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::malformed_input::{Alphabet, check_bytes, one_bit_off};
use pentaflip::{Pentaflip, Position};

use crate::against_reference::mutate;
use crate::support::walk;

const ALPHABET: Alphabet<'_> = Alphabet {
    letters: "wbWB012345667/ abcdefg-~LRTlrt'",
    moves: &["a1", "c2", "f6", "~1", "~L", "~T", "d4"],
    fields: &["top", "under", "side", "last"],
    has_aliases: false,
    names_columns: true,
};

fn positions(rng: &mut Rng) -> Vec<Position> {
    (0..20).flat_map(|_| walk(rng)).collect()
}

/// Strings, random and mutated, as positions and as moves.
#[test]
fn arbitrary_texts_crash_nothing() {
    ALPHABET.check_texts(&Pentaflip, &positions(&mut Rng::new(99)), 300_000, mutate);
    ALPHABET.check_position(&Pentaflip, &"6/".repeat(100_000));
}

/// Bytes that are not a position are refused; those accepted are what `encode`
/// writes.
#[test]
fn arbitrary_bytes_crash_nothing() {
    let mut rng = Rng::new(5);
    let positions = positions(&mut rng);
    let n_accepted = check_bytes(&Pentaflip, 400_000, |i| {
        if i % 2 == 1 {
            return one_bit_off(&Pentaflip, &positions[rng.below(positions.len())], &mut rng);
        }
        // Few bits, since most words would be refused for too many rings.
        let mut word = || (rng.next_u64() & rng.next_u64() & rng.next_u64()).to_le_bytes();
        let rings = [word(), word()];
        [&rings[0][..], &rings[1], &[rng.next_u64() as u8]].concat()
    });
    assert!(n_accepted > 10_000, "only {n_accepted} were accepted");
}
