//! What was counted for a seat or a player.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::interval::Share;
use crate::cli::style::Palette;
use crate::cli::text::{Row, percent};

/// Counts of one seat of a game as the API answers, or sums of them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tally {
    #[serde(skip, default = "one")]
    games: u64,
    /// Legal moves.
    moves: u64,
    /// Attempts that were not legal.
    illegal: u64,
    /// Decisions with a known value, by it: wins, draws and shared places, losses.
    kept_win: u64,
    threw_away_win: u64,
    kept_draw: u64,
    threw_away_draw: u64,
    lost_before: u64,
    /// Scores of the games that were played to their end.
    #[serde(deserialize_with = "scores", rename = "score")]
    scores: Vec<f64>,
}

fn one() -> u64 {
    1
}

fn scores<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    Ok(Option::deserialize(deserializer)?.into_iter().collect())
}

impl Tally {
    /// Adds other games of the same player or seat.
    pub(super) fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.illegal += other.illegal;
        self.kept_win += other.kept_win;
        self.threw_away_win += other.threw_away_win;
        self.kept_draw += other.kept_draw;
        self.threw_away_draw += other.threw_away_draw;
        self.lost_before += other.lost_before;
        self.scores.extend(&other.scores);
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
        let Tally { kept_win, threw_away_win, kept_draw, threw_away_draw, lost_before, .. } = *self;
        let (won, drawn) = (kept_win + threw_away_win, kept_draw + threw_away_draw);
        let finished = self.scores.len() as u64;
        Shares {
            games: self.games,
            finished,
            score: (finished > 0).then(|| self.scores.iter().sum::<f64>() / finished as f64),
            moves: self.moves,
            illegal: Share::new(self.illegal, self.illegal + self.moves),
            known: Share::new(won + drawn + lost_before, self.moves),
            kept: Share::new(kept_win + kept_draw, won + drawn),
            threw_away_win: Share::new(threw_away_win, won),
            threw_away_draw: Share::new(threw_away_draw, drawn),
            lost_before,
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

    /// Counts of games add up to shares of all their decisions.
    #[test]
    fn counts_add_up() {
        let read = |score: &str| -> Tally {
            let counts = r#"{"moves": 8, "illegal": 1, "keptWin": 1, "threwAwayWin": 2, "keptDraw": 1, "threwAwayDraw": 1,
                "lostBefore": 1, "unknown": 2, "score": SCORE}"#;
            serde_json::from_str(&counts.replace("SCORE", score)).expect("a tally")
        };
        let mut sum = read("0.5");
        sum.add(&read("null"));
        let shares = sum.shares();
        assert_eq!((shares.games, shares.finished, shares.score), (2, 1, Some(0.5)));
        assert_eq!((shares.moves, shares.known.count, shares.lost_before), (16, 12, 2));
        assert_eq!((shares.kept.count, shares.kept.of), (4, 10));
        assert_eq!((shares.threw_away_win.count, shares.threw_away_win.of), (4, 6));
        assert_eq!((shares.threw_away_draw.count, shares.threw_away_draw.of), (2, 4));
        assert_eq!((shares.illegal.count, shares.illegal.of), (2, 18));
    }
}
