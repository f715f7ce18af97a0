//! The table of the proof-number search.
//!
//! A proof number estimates how many positions remain to be proven for a win: 0
//! is a proof, and [`INFINITY`] means that threats alone cannot win. Entries
//! carry the generation of their search, as in the transposition table, so that
//! a reset does not clear memory.

use pentad_sdk::rng::mix;
use pentad_sdk::search::primitives::zeroed_table;

/// No proof, or no disproof, is possible.
pub(crate) const INFINITY: u32 = 0xf_ffff;

/// Proof number and disproof number; `plies` is the length of the proof, once
/// `proof` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProofNumbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
    pub(crate) plies: u32,
}

impl ProofNumbers {
    /// Threats alone do not win.
    pub(crate) const DISPROVEN: ProofNumbers = ProofNumbers { proof: INFINITY, disproof: 0, plies: 0 };

    pub(crate) fn proven(plies: u32) -> Self {
        ProofNumbers { proof: 0, disproof: INFINITY, plies }
    }

    pub(crate) fn unsolved(proof: u32, disproof: u32) -> Self {
        ProofNumbers { proof: proof.clamp(1, INFINITY - 1), disproof: disproof.clamp(1, INFINITY - 1), plies: 0 }
    }

    pub(crate) fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A hash table of fixed size with buckets of [`BUCKET_LEN`] entries.
#[derive(Debug, Default)]
pub(crate) struct ProofTable {
    words: Vec<[u64; 2]>,
    generation: u16,
}

/// Number of entries in which a position may be stored.
const BUCKET_LEN: usize = 4;

impl ProofTable {
    /// Clears the table and sets its size to `bytes`.
    pub(crate) fn reset(&mut self, bytes: u64) {
        let n = (bytes as usize / 16 / BUCKET_LEN).max(1) * BUCKET_LEN;
        if n != self.words.len() || self.generation == u16::MAX {
            self.words = Vec::new();
            self.words = zeroed_table(n / BUCKET_LEN, BUCKET_LEN);
            self.generation = 0;
        }
        self.generation += 1;
    }

    pub(crate) fn probe(&self, key: u64) -> Option<ProofNumbers> {
        let start = self.bucket_start(key);
        let entry = self.words[start..start + BUCKET_LEN]
            .iter()
            .find(|entry| entry[0] == key && entry[1] as u16 == self.generation)?;
        let field = |from: u32| (entry[1] >> from) as u32 & INFINITY;
        Some(ProofNumbers { proof: field(16), disproof: field(36), plies: (entry[1] >> 56) as u32 })
    }

    /// Stores numbers in place of the same position, of an earlier search, or of the
    /// entry with the least work; solved entries are kept longest.
    pub(crate) fn store(&mut self, key: u64, numbers: ProofNumbers) {
        let start = self.bucket_start(key);
        let generation = self.generation;
        let bucket = &mut self.words[start..start + BUCKET_LEN];
        let priority = |entry: &[u64; 2]| {
            if entry[0] == key {
                return 0;
            }
            if entry[1] as u16 != generation {
                return 1;
            }
            let (proof, disproof) = ((entry[1] >> 16) as u32 & INFINITY, (entry[1] >> 36) as u32 & INFINITY);
            2 + proof.min(INFINITY / 2) + disproof.min(INFINITY / 2)
        };
        let Some(entry) = bucket.iter_mut().min_by_key(|entry| priority(entry)) else { return };
        let data = u64::from(generation)
            | u64::from(numbers.proof) << 16
            | u64::from(numbers.disproof) << 36
            | u64::from(numbers.plies.min(255)) << 56;
        *entry = [key, data];
    }

    fn bucket_start(&self, key: u64) -> usize {
        let n_buckets = (self.words.len() / BUCKET_LEN) as u128;
        ((u128::from(mix(key)) * n_buckets) >> 64) as usize * BUCKET_LEN
    }
}
