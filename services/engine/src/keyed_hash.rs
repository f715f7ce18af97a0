//! Hashes that stand for what was hashed.
//!
//! Two values with the same fingerprint are taken for equal. It has 128 bits and depends on
//! secrets of this process, so nobody finds two such values, by chance or on purpose.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::LazyLock;

pub(crate) type Fingerprint = [u64; 2];

/// Of a value, in this process only.
pub(crate) fn fingerprint(value: &impl Hash) -> Fingerprint {
    static SECRETS: LazyLock<[RandomState; 2]> = LazyLock::new(Default::default);
    SECRETS.each_ref().map(|secret| secret.hash_one(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal for equal values, in both halves different for others.
    #[test]
    fn stands_for_the_value() {
        let of = |text: &str| fingerprint(&(text, 1));
        assert_eq!(of("a1"), of("a1"));
        let (one, other) = (of("a1"), of("a2"));
        assert!(one[0] != other[0] && one[1] != other[1]);
        assert_ne!(one[0], one[1]);
    }
}
