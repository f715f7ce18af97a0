//! Wilson's interval of a share.

use serde::Serialize;

/// Two-sided 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A share of decisions with the interval in which the true share lies, at 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Share {
    pub(super) count: u64,
    pub(super) of: u64,
    /// `None` without decisions.
    pub(super) share: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
}

impl Share {
    pub(super) fn new(count: u64, of: u64) -> Share {
        let Some((low, high)) = wilson(count, of) else {
            return Share { count, of, share: None, low: None, high: None };
        };
        let share = count as f64 / of as f64;
        Share { count, of, share: Some(share), low: Some(low), high: Some(high) }
    }
}

/// Wilson's score interval: unlike the usual one it is never empty, and never leaves 0 to 1.
fn wilson(count: u64, of: u64) -> Option<(f64, f64)> {
    if of == 0 {
        return None;
    }
    let (n, share) = (of as f64, count as f64 / of as f64);
    let z2 = Z * Z;
    let centre = share + z2 / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // Exact where rounding would leave a trace.
    let low = if count == 0 { 0.0 } else { (centre - half) / scale };
    let high = if count == of { 1.0 } else { (centre + half) / scale };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from the literature: 81 of 263 (Newcombe 1998), none of 20, all of 10.
    #[test]
    fn intervals_are_known_ones() {
        for (count, of, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)] {
            let Share { low: found_low, high: found_high, .. } = Share::new(count, of);
            assert!((found_low.expect("a bound") - low).abs() < 5e-5, "{found_low:?}");
            assert!((found_high.expect("a bound") - high).abs() < 5e-5, "{found_high:?}");
        }
        let all = Share::new(10, 10);
        assert_eq!((all.share, all.high), (Some(1.0), Some(1.0)));
        assert_eq!(Share::new(0, 0), Share { count: 0, of: 0, share: None, low: None, high: None });
    }
}
