//! Hashes that stand for the hashed values.
//!
//! Values with the same fingerprint are treated as equal. A fingerprint has 128 bits and is keyed by secrets
//! of this process, so collisions occur neither by chance nor on purpose.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::LazyLock;

pub(crate) type Fingerprint = [u64; 2];

/// Returns the fingerprint of a value, valid in this process only.
pub(crate) fn fingerprint(value: &impl Hash) -> Fingerprint {
    static SECRETS: LazyLock<[RandomState; 2]> = LazyLock::new(Default::default);
    SECRETS.each_ref().map(|secret| secret.hash_one(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal values have equal fingerprints; others differ in both halves.
    #[test]
    fn stands_for_the_value() {
        let of = |text: &str| fingerprint(&(text, 1));
        assert_eq!(of("a1"), of("a1"));
        let (one, other) = (of("a1"), of("a2"));
        assert!(one[0] != other[0] && one[1] != other[1]);
        assert_ne!(one[0], one[1]);
    }
}
