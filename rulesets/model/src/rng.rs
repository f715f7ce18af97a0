//! A small seeded generator of random numbers.
//!
//! The same seed gives the same numbers on every machine and in every release, which
//! the standard library does not offer; deterministic playouts depend on it. Not for
//! secrets. The generator is SplitMix64: one addition and one mixing step, and every
//! seed is good.

/// A seeded stream of random numbers.
///
/// ```
/// use pentad_model::rng::Rng;
/// let (mut a, mut b) = (Rng::new(7), Rng::new(7));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Creates a stream that depends on `seed` alone.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Rng { state: mix(seed ^ 0x5851_f42d_4c95_7f2d) }
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Returns a number from 0 to `n - 1`; 0 if `n` is 0. The bias is below `n / 2^64`.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Returns a number from 0 to 1, 1 excluded.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Spreads every input bit over the whole word; different inputs have different results.
#[inline]
pub fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
