//! Short names of positions, equal for symmetric ones.

use std::fmt;

use sha2::{Digest, Sha256};

use pentad_host::{Position, Ruleset};

use crate::question::QuestionLimits;
use crate::resolve::considered::Considered;

/// A digest of game, variant and canonical position.
///
/// Callers route by it, so that equal positions reach one replica's cache, and stores look answers up by it.
/// Positions come from strangers, so the digest is cryptographic: nobody can construct two positions that
/// share an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PositionKey(pub [u8; 16]);

impl PositionKey {
    /// Returns the key of a position that is canonical under the game's symmetries.
    pub(crate) fn new(ruleset: &Ruleset, variant: usize, canonical: &Position) -> Self {
        let variant = &ruleset.variants()[variant].id;
        let mut hasher = Sha256::new_with_prefix(b"pentad key 1\0");
        for text in [&ruleset.info().id, variant] {
            // Ids have no zero bytes.
            hasher.update(text.as_bytes());
            hasher.update([0]);
        }
        hasher.update(canonical.as_bytes());
        truncated(hasher)
    }

    /// Returns the key of the same position with only some of its moves considered.
    pub(crate) fn considering(self, considered: &Considered) -> Self {
        let (prefix, moves): (&[u8], _) = match considered {
            Considered::All => return self,
            Considered::Only(moves) => (b"pentad key with moves 1\0", moves),
            Considered::Except(moves) => (b"pentad key without moves 1\0", moves),
        };
        let mut hasher = Sha256::new_with_prefix(prefix);
        hasher.update(self.0);
        for mv in moves.iter() {
            // Moves have no zero bytes.
            hasher.update(mv.as_bytes());
            hasher.update([0]);
        }
        truncated(hasher)
    }

    /// Returns the key of a search of the same position with these limits. Searches with equal keys find the
    /// same.
    pub(crate) fn searched(self, limits: &QuestionLimits, n_lines: usize) -> Self {
        let QuestionLimits { time, nodes, depth } = *limits;
        let mut hasher = Sha256::new_with_prefix(b"pentad key of a search 1\0");
        hasher.update(self.0);
        for limit in [time.map(|time| time.as_micros() as u64), nodes, depth.map(u64::from)] {
            hasher.update([u8::from(limit.is_some())]);
            hasher.update(limit.unwrap_or(0).to_be_bytes());
        }
        hasher.update((n_lines as u64).to_be_bytes());
        truncated(hasher)
    }
}

/// Returns the first half of a digest, which is long enough.
pub(crate) fn truncated(hasher: Sha256) -> PositionKey {
    let digest = hasher.finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    PositionKey(bytes)
}

impl fmt::Display for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
