//! The words of [`word`](super::word) with vector instructions.
//!
//! The types can be created on any processor, so every method relies on its caller:
//! `dispatch` uses them only after it has detected AVX2. Everything is inlined into one
//! function that has the feature enabled.

use std::arch::x86_64::*;

use super::scatter::Scatter;
use super::slice::{Slice, Tile};
use super::word::{Bitbase, Word, fill_by_edition};
use crate::solver::rotation::odd_first;

/// One vector in a register of 128 bits.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct SingleWord(__m128i);

/// Won in the lower half, not lost in the upper half of a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct DualWord(__m256i);

const ODD: [u128; 2] = [odd_first(0), odd_first(1)];

// All operations stay within 128 bits, so one macro serves both widths.
macro_rules! word {
    ($word:ident, $load:expr, $or:ident, $and:ident, $andnot:ident, $byte:ident, $zero:ident,
     $shuffle:ident, $words:ident, $right:ident, $left:ident, $swap:expr, $select:expr, $bits:expr) => {
        impl Word for $word {
            #[inline(always)]
            fn zero() -> Self {
                // SAFETY: AVX2 was detected before; see the module.
                $word(unsafe { $zero() })
            }

            #[inline(always)]
            fn splat(rotations: &u128) -> Self {
                // SAFETY: AVX2 was detected before; the 16 bytes read are those of the
                // reference.
                $word(unsafe { $load(_mm_loadu_si128(std::ptr::from_ref(rotations).cast())) })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: AVX2 was detected before; see the module.
                $word(unsafe { $or(self.0, other.0) })
            }

            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                // SAFETY: AVX2 was detected before; see the module.
                $word(unsafe { $andnot(other.0, self.0) })
            }

            #[inline(always)]
            fn select(bitbase: Bitbase, won: Self, not_lost: Self) -> Self {
                $select(bitbase, won, not_lost)
            }

            #[inline(always)]
            fn swapped(self) -> Self {
                $swap(self)
            }

            #[inline(always)]
            fn predecessors<const CLOCKWISE: bool>(self, parity: usize) -> Self {
                let x = self.0;
                // SAFETY: AVX2 was detected before; see the module.
                unsafe {
                    let keep = |x, byte: u8| $and(x, $byte(byte.cast_signed()));
                    let swapped = $or(keep($right::<1>(x), 0x55), $and($left::<1>(x), $byte(0xaa_u8.cast_signed())));
                    if CLOCKWISE {
                        let odd = Self::splat(&ODD[parity & 1]).0;
                        let first = $or($andnot(odd, x), $and(odd, swapped));
                        let second = $or(keep($right::<2>(x), 0x3f), keep($left::<6>(x), 0xc0));
                        let next_byte = _mm_set_epi8(12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1);
                        let third = $shuffle(x, $load(next_byte));
                        let fourth = $words::<0b00_11_10_01>(x);
                        return $word($or($or(first, second), $or(third, fourth)));
                    }
                    let half = $or(x, $or(keep($right::<4>(x), 0x0f), keep($left::<4>(x), 0xf0)));
                    let second = $or(keep($right::<2>(half), 0x33), keep($left::<2>(half), 0xcc));
                    // A quarter turn either way is one byte up or down.
                    let up = _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3);
                    let down = _mm_set_epi8(12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1);
                    let third = $or($shuffle(x, $load(up)), $shuffle(x, $load(down)));
                    let fourth = $or($words::<0b00_11_10_01>(x), $words::<0b10_01_00_11>(x));
                    $word($or($or($or(x, swapped), second), $or(third, fourth)))
                }
            }

            fn bits(self, bitbase: Bitbase) -> [u128; 2] {
                // SAFETY: AVX2 was detected before; see the module.
                unsafe { $bits(self, bitbase) }
            }

            #[inline(always)]
            fn prefetch(word: &Self) {
                // SAFETY: AVX2 was detected before; see the module.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
            }

            fn fill(slice: &Slice<'_>, tile: Tile, below: &[Self], out: &Scatter<'_, Self>) -> usize {
                #[target_feature(enable = "avx2")]
                fn with_avx2(slice: &Slice<'_>, tile: Tile, below: &[$word], out: &Scatter<'_, $word>) -> usize {
                    fill_by_edition(slice, tile, below, out)
                }
                // SAFETY: AVX2 was detected before; see the module.
                unsafe { with_avx2(slice, tile, below, out) }
            }
        }
    };
}

word!(
    SingleWord,
    |x| x,
    _mm_or_si128,
    _mm_and_si128,
    _mm_andnot_si128,
    _mm_set1_epi8,
    _mm_setzero_si128,
    _mm_shuffle_epi8,
    _mm_shuffle_epi32,
    _mm_srli_epi64,
    _mm_slli_epi64,
    |word: SingleWord| word,
    |bitbase, won: SingleWord, not_lost: SingleWord| if bitbase == Bitbase::Won { won } else { not_lost },
    |word: SingleWord, bitbase| {
        let x = to_u128(word.0);
        if bitbase == Bitbase::Won { [x, 0] } else { [0, x] }
    }
);

word!(
    DualWord,
    |x| _mm256_broadcastsi128_si256(x),
    _mm256_or_si256,
    _mm256_and_si256,
    _mm256_andnot_si256,
    _mm256_set1_epi8,
    _mm256_setzero_si256,
    _mm256_shuffle_epi8,
    _mm256_shuffle_epi32,
    _mm256_srli_epi64,
    _mm256_slli_epi64,
    // SAFETY: AVX2 was detected before; see the module.
    |word: DualWord| DualWord(unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(word.0) }),
    // SAFETY: AVX2 was detected before; see the module.
    |_, won: DualWord, not_lost: DualWord| DualWord(unsafe { _mm256_blend_epi32::<0b1111_0000>(won.0, not_lost.0) }),
    |word: DualWord, _| [to_u128(_mm256_castsi256_si128(word.0)), to_u128(_mm256_extracti128_si256::<1>(word.0))]
);

/// Returns the bits of a register as a number.
#[inline]
#[target_feature(enable = "avx2")]
fn to_u128(x: __m128i) -> u128 {
    let [low, high] = [_mm_cvtsi128_si64(x), _mm_extract_epi64::<1>(x)].map(i64::cast_unsigned);
    u128::from(high) << 64 | u128::from(low)
}

#[cfg(test)]
mod tests {
    use super::super::word;
    use super::super::word::tests::{predecessors_plain, vectors};
    use super::*;

    /// Asserts that every operation agrees with the plain words.
    fn agrees<V: Word, P: Word>() {
        for (bitbase, (x, y)) in
            [Bitbase::Won, Bitbase::NotLost].into_iter().flat_map(|bitbase| pairs().map(move |xy| (bitbase, xy)))
        {
            let results = [run::<V>(bitbase, x, y), run::<P>(bitbase, x, y)];
            assert_eq!(results[0], results[1], "{x:032x} {y:032x}");
            for (parity, clockwise) in [(0, false), (1, false), (0, true), (1, true)] {
                let expected = predecessors_plain(x, parity, clockwise);
                let turned = V::splat(&x);
                let turned =
                    if clockwise { turned.predecessors::<true>(parity) } else { turned.predecessors::<false>(parity) };
                assert_eq!(turned.bits(bitbase), P::splat(&expected).bits(bitbase), "{x:032x}");
            }
        }
    }

    fn pairs() -> impl Iterator<Item = (u128, u128)> {
        vectors().zip(vectors().skip(7))
    }

    fn run<W: Word>(bitbase: Bitbase, x: u128, y: u128) -> [[u128; 2]; 6] {
        let [x, y] = [x, y].map(|rotations| W::splat(&rotations));
        let mixed = W::select(bitbase, x, y);
        [x.or(y), x.and_not(y), mixed, mixed.swapped(), W::zero(), mixed.swapped().or(x).and_not(mixed)]
            .map(|word| word.bits(bitbase))
    }

    #[test]
    fn vector_words_agree_with_plain_ones() {
        if std::is_x86_feature_detected!("avx2") {
            agrees::<SingleWord, word::SingleWord>();
            agrees::<DualWord, word::DualWord>();
        }
    }
}
