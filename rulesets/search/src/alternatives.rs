//! Choice of lines that are different ideas.
//!
//! Where moves have details (in Pentagame, the stop of a block), the best moves often
//! differ only in these. Several lines are meant to be alternatives, each with its best
//! details.

/// Selects the ranked moves reported as `n_lines` lines, by index and best first: the
/// best of each alternative, and others only if there are too few. `None` is a move
/// that is an alternative of its own.
pub fn select_lines<A: PartialEq>(ranked: impl IntoIterator<Item = Option<A>>, n_lines: usize) -> Vec<usize> {
    let (mut lines, mut others, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    for (idx, alternative) in ranked.into_iter().enumerate() {
        if lines.len() == n_lines {
            break;
        }
        if alternative.as_ref().is_none_or(|alternative| !seen.contains(alternative)) {
            lines.push(idx);
            seen.extend(alternative);
        } else {
            others.push(idx);
        }
    }
    let n_missing = n_lines - lines.len();
    lines.extend(others.into_iter().take(n_missing));
    lines.sort_unstable();
    lines
}

/// Moves the selection of [`select_lines`] to the front; both parts stay ranked.
pub fn put_lines_first<T, A: PartialEq>(ranked: &mut [T], n_lines: usize, alternative: impl Fn(&T) -> Option<A>) {
    for (place, idx) in select_lines(ranked.iter().map(alternative), n_lines).into_iter().enumerate() {
        ranked[place..=idx].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every alternative comes before a second move of another, in the order of the
    /// ranking.
    #[test]
    fn alternatives_come_first() {
        let ranked = ['a', 'a', 'b', 'a', 'c'].map(Some);
        assert_eq!(select_lines(ranked, 1), [0]);
        assert_eq!(select_lines(ranked, 2), [0, 2]);
        assert_eq!(select_lines(ranked, 3), [0, 2, 4]);
        assert_eq!(select_lines(ranked, 4), [0, 1, 2, 4]);
        assert_eq!(select_lines(ranked, 9), [0, 1, 2, 3, 4]);
        assert_eq!(select_lines([None::<char>; 3], 2), [0, 1]);
        let mut moves = ["a1", "a2", "b1", "a3", "c1", "b2"];
        put_lines_first(&mut moves, 3, |mv| mv.chars().next());
        assert_eq!(moves, ["a1", "b1", "c1", "a2", "a3", "b2"]);
    }
}
