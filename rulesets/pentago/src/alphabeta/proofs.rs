//! What the proof search knows of states: proof and disproof numbers.
//!
//! A proof number says how many states still have to turn out well for a win
//! to be proven; nought is a proof, and [`NEVER`] that there is none to find by
//! threats. Stamped by generation as the other table is.

use pentad_sdk::search::rng::mix;

/// No proof, or no disproof, is possible.
pub(crate) const NEVER: u32 = 0xf_ffff;

/// Proof number, disproof number, and the plies of the proof once there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
    pub(crate) plies: u32,
}

impl Numbers {
    /// There is no win by threats.
    pub(crate) const NONE: Numbers = Numbers { proof: NEVER, disproof: 0, plies: 0 };

    pub(crate) fn won(plies: u32) -> Self {
        Numbers { proof: 0, disproof: NEVER, plies }
    }

    pub(crate) fn open(proof: u32, disproof: u32) -> Self {
        Numbers { proof: proof.clamp(1, NEVER - 1), disproof: disproof.clamp(1, NEVER - 1), plies: 0 }
    }

    pub(crate) fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A table of a fixed size.
#[derive(Debug, Default)]
pub(crate) struct Proofs {
    words: Vec<[u64; 2]>,
    generation: u16,
}

/// Slots that a state may lie in.
const WAYS: usize = 4;

impl Proofs {
    /// Forgets everything and keeps to `bytes` from now on.
    pub(crate) fn reset(&mut self, bytes: u64) {
        let n = (bytes as usize / 16 / WAYS).max(1) * WAYS;
        if n != self.words.len() || self.generation == u16::MAX {
            self.words = Vec::new();
            self.words = vec![[0; 2]; n];
            self.generation = 0;
        }
        self.generation += 1;
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Numbers> {
        let at = self.set(key);
        let slot = self.words[at..at + WAYS].iter().find(|slot| slot[0] == key && slot[1] as u16 == self.generation)?;
        let field = |from: u32| (slot[1] >> from) as u32 & NEVER;
        Some(Numbers { proof: field(16), disproof: field(36), plies: (slot[1] >> 56) as u32 })
    }

    /// Takes the place of the same state, an old one, or the one least worked
    /// on; settled ones stay.
    pub(crate) fn store(&mut self, key: u64, numbers: Numbers) {
        let at = self.set(key);
        let generation = self.generation;
        let set = &mut self.words[at..at + WAYS];
        let worth = |slot: &[u64; 2]| {
            if slot[0] == key {
                return 0;
            }
            if slot[1] as u16 != generation {
                return 1;
            }
            let (proof, disproof) = ((slot[1] >> 16) as u32 & NEVER, (slot[1] >> 36) as u32 & NEVER);
            2 + proof.min(NEVER / 2) + disproof.min(NEVER / 2)
        };
        let Some(slot) = set.iter_mut().min_by_key(|slot| worth(slot)) else { return };
        let data = u64::from(generation)
            | u64::from(numbers.proof) << 16
            | u64::from(numbers.disproof) << 36
            | u64::from(numbers.plies.min(255)) << 56;
        *slot = [key, data];
    }

    fn set(&self, key: u64) -> usize {
        let n_sets = (self.words.len() / WAYS) as u128;
        ((u128::from(mix(key)) * n_sets) >> 64) as usize * WAYS
    }
}
