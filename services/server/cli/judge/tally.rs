//! What was counted for a seat or a player.

use serde::{Serialize, Serializer};

use super::interval::Share;
use crate::cli::style::Palette;
use crate::cli::text::{Row, percent};

/// Scores this close are equal.
const EPSILON: f64 = 1e-6;

/// Counts of one seat of a game, or sums of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally {
    games: u64,
    /// Games that were played to their end, and the sum of their scores.
    finished: u64,
    score: f64,
    /// Legal moves.
    moves: u64,
    /// Attempts that were not legal.
    illegal: u64,
    /// Decisions with a known value, by it: wins, draws and shared places, losses.
    won: Decisions,
    drawn: Decisions,
    lost: u64,
    unknown: u64,
}

/// Decisions in positions of one value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Decisions {
    kept: u64,
    thrown: u64,
}

impl Decisions {
    fn total(self) -> u64 {
        self.kept + self.thrown
    }

    fn add(&mut self, other: Decisions) {
        self.kept += other.kept;
        self.thrown += other.thrown;
    }
}

impl Tally {
    /// A seat that has not moved yet.
    pub(super) fn of_game() -> Tally {
        Tally { games: 1, ..Tally::default() }
    }

    pub(super) fn count_result(&mut self, score: f64) {
        self.finished += 1;
        self.score += score;
    }

    pub(super) fn count_illegal(&mut self) {
        self.illegal += 1;
    }

    /// Counts a legal move by the proven scores of its seat before and after it.
    pub(super) fn count_move(&mut self, before: Option<f64>, after: Option<f64>) {
        self.moves += 1;
        let (Some(before), Some(after)) = (before, after) else {
            self.unknown += 1;
            return;
        };
        let is_kept = after > before - EPSILON;
        let decisions = match before {
            _ if before < EPSILON => {
                self.lost += 1;
                return;
            }
            _ if before > 1.0 - EPSILON => &mut self.won,
            _ => &mut self.drawn,
        };
        if is_kept { decisions.kept += 1 } else { decisions.thrown += 1 }
    }

    pub(super) fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.finished += other.finished;
        self.score += other.score;
        self.moves += other.moves;
        self.illegal += other.illegal;
        self.won.add(other.won);
        self.drawn.add(other.drawn);
        self.lost += other.lost;
        self.unknown += other.unknown;
    }

    /// The columns of the table.
    pub(super) fn row(&self, name: &str, palette: Palette) -> Row {
        let shares = self.shares();
        let score = shares.score.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"));
        let row = Row::default().styled(name, palette.heading(name)).right(self.games).right(score).right(self.moves);
        let row = row.right(shown(shares.illegal)).right(shares.known.count);
        let row = row.right(shown(shares.kept)).left(bounds(shares.kept));
        let row = row.right(shown(shares.threw_away_win)).left(bounds(shares.threw_away_win));
        row.right(shown(shares.threw_away_draw)).left(bounds(shares.threw_away_draw))
    }

    fn shares(&self) -> Shares {
        let Tally { won, drawn, lost, .. } = *self;
        let at_stake = won.total() + drawn.total();
        Shares {
            games: self.games,
            finished: self.finished,
            score: (self.finished > 0).then(|| self.score / self.finished as f64),
            moves: self.moves,
            illegal: Share::new(self.illegal, self.illegal + self.moves),
            known: Share::new(at_stake + lost, self.moves),
            kept: Share::new(won.kept + drawn.kept, at_stake),
            threw_away_win: Share::new(won.thrown, won.total()),
            threw_away_draw: Share::new(drawn.thrown, drawn.total()),
            lost_before: lost,
        }
    }
}

/// The figures of a tally.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shares {
    games: u64,
    finished: u64,
    score: Option<f64>,
    moves: u64,
    illegal: Share,
    known: Share,
    kept: Share,
    threw_away_win: Share,
    threw_away_draw: Share,
    lost_before: u64,
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shares().serialize(serializer)
    }
}

fn shown(share: Share) -> String {
    share.share.map_or_else(|| "-".to_owned(), percent)
}

/// Returns `57-65 of 120`.
fn bounds(share: Share) -> String {
    match (share.low, share.high) {
        (Some(low), Some(high)) => format!("{:.0}-{:.0} of {}", low * 100.0, high * 100.0, share.of),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of decision is counted once, and where it belongs.
    #[test]
    fn decisions_are_told_apart() {
        let mut tally = Tally::of_game();
        for (before, after) in [
            (Some(1.0), Some(1.0)),
            (Some(1.0), Some(0.5)),
            (Some(1.0), Some(0.0)),
            (Some(0.5), Some(0.5)),
            (Some(0.5), Some(0.0)),
            (Some(0.0), Some(0.0)),
            (None, Some(1.0)),
            (Some(1.0), None),
        ] {
            tally.count_move(before, after);
        }
        tally.count_illegal();
        tally.count_result(0.5);
        let shares = tally.shares();
        assert_eq!((shares.moves, shares.known.count, shares.lost_before), (8, 6, 1));
        assert_eq!((shares.kept.count, shares.kept.of), (2, 5));
        assert_eq!((shares.threw_away_win.count, shares.threw_away_win.of), (2, 3));
        assert_eq!((shares.threw_away_draw.count, shares.threw_away_draw.of), (1, 2));
        assert_eq!((shares.illegal.count, shares.illegal.of, shares.score), (1, 9, Some(0.5)));
        let mut sum = tally.clone();
        sum.add(&tally);
        assert_eq!((sum.shares().kept.count, sum.shares().games), (4, 2));
    }
}
