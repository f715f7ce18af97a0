//! The totals of a review: accuracy and labels per seat, turning points, the course of
//! the game.

use std::collections::BTreeMap;

use pentad_model::{Evaluation, Scores};

use super::label::{MoveLabel, Thresholds};

/// Summary of a game, or of the part that is reviewed so far.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewSummary {
    /// Seats in playing order.
    pub seats: Vec<SeatReview>,
    /// Indices of the moves after which another side, or none, was expected to do best, ascending.
    pub turning_points: Vec<usize>,
    /// Expected scores before the first move and after each, as far as they are known.
    pub scores: Vec<Option<Scores>>,
    /// Whether every move was reviewed.
    pub is_complete: bool,
}

/// How well a seat played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeatReview {
    /// Number of moves by label.
    pub labels: BTreeMap<MoveLabel, u32>,
    /// Sum of the losses of its moves, as far as each exceeds the noise of the searches. Forced moves and those
    /// of lost positions do not count.
    pub loss: f64,
    /// Sum of the expected losses of a random mover, for the same moves.
    pub stake: f64,
    /// Noise of these sums: the root of the sum of the moves' squared noises.
    pub noise: f64,
}

impl SeatReview {
    /// 100 for a seat that gave nothing away, 0 for one that gave away as much as a
    /// random mover; `None` if there was no more to give away than the noise of the searches.
    pub fn accuracy(&self) -> Option<f64> {
        (self.stake > self.noise).then(|| 100.0 * (1.0 - self.loss / self.stake).max(0.0))
    }
}

/// One reviewed move, for the totals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveResult {
    pub(crate) move_idx: usize,
    pub(crate) seat: usize,
    pub(crate) label: Option<MoveLabel>,
    pub(crate) loss: f64,
    /// Difference between searches about the values that `loss` compares.
    pub(crate) noise: f64,
    /// Expected loss of a random mover.
    pub(crate) stake: f64,
    pub(crate) before: Evaluation,
    pub(crate) after: Evaluation,
}

/// Adds moves up, from the last to the first.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    thresholds: Thresholds,
    /// Side of each seat.
    sides: Vec<u32>,
    /// Number of moves still to be added.
    n_left: usize,
    summary: ReviewSummary,
}

impl Totals {
    /// Creates empty totals of a game, of which some moves are reviewed.
    pub(crate) fn new(sides: Vec<u32>, n_sides: usize, n_moves: usize, n_reviewed: usize) -> Self {
        let seats = vec![SeatReview::default(); sides.len()];
        let scores = vec![None; n_moves + 1];
        let summary = ReviewSummary { seats, turning_points: Vec::new(), scores, is_complete: n_reviewed == 0 };
        Totals { thresholds: Thresholds::new(n_sides), sides, n_left: n_reviewed, summary }
    }

    /// Sets the scores before a move, or after the last one.
    pub(crate) fn set_scores(&mut self, move_idx: usize, scores: Scores) {
        self.summary.scores[move_idx] = Some(scores);
    }

    pub(crate) fn add(&mut self, result: &MoveResult) {
        let MoveResult { move_idx, seat, label, loss, noise, stake, before, after } = *result;
        self.set_scores(move_idx, before.scores);
        self.n_left -= 1;
        let summary = &mut self.summary;
        summary.is_complete = self.n_left == 0;
        let of_seat = &mut summary.seats[seat];
        if let Some(label) = label {
            *of_seat.labels.entry(label).or_default() += 1;
        }
        if !matches!(label, Some(MoveLabel::Forced | MoveLabel::LostAnyway)) {
            of_seat.loss += (loss - noise).max(0.0);
            of_seat.stake += stake;
            of_seat.noise = of_seat.noise.hypot(noise);
        }
        let is_clear = loss >= self.thresholds.mistake && label.is_some_and(MoveLabel::is_bad);
        if is_clear && self.leading_side(&before.scores) != self.leading_side(&after.scores) {
            self.summary.turning_points.insert(0, move_idx);
        }
    }

    pub(crate) fn summary(&self) -> &ReviewSummary {
        &self.summary
    }

    /// Returns the side that is expected to do clearly better than every other.
    fn leading_side(&self, scores: &Scores) -> Option<u32> {
        let best = (0..self.sides.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]))?;
        let is_behind = |seat: usize| scores[seat] + self.thresholds.mistake <= scores[best];
        let leads = (0..self.sides.len()).all(|seat| self.sides[seat] == self.sides[best] || is_behind(seat));
        leads.then_some(self.sides[best])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(move_idx: usize, label: Option<MoveLabel>, best: f64, played: f64, stake: f64) -> MoveResult {
        let seat = move_idx % 2;
        let of = |score| Evaluation::static_estimate(Scores::pair(seat, score));
        MoveResult {
            move_idx,
            seat,
            label,
            loss: best - played,
            noise: 0.0,
            stake,
            before: of(best),
            after: of(played),
        }
    }

    fn totals(results: &[MoveResult]) -> ReviewSummary {
        let mut totals = Totals::new(vec![0, 1], 2, results.len(), results.len());
        results.iter().rev().for_each(|result| totals.add(result));
        totals.summary().clone()
    }

    /// A seat that gives nothing away has 100, one that gives away as much as a random mover has 0, and one
    /// without a choice has no accuracy.
    #[test]
    fn accuracy_is_loss_against_stake() {
        let good = Some(MoveLabel::Good);
        let half = totals(
            &[result(0, good, 0.75, 0.5, 0.25), result(2, good, 0.75, 0.75, 0.25)]
                .map(|it| MoveResult { move_idx: it.move_idx / 2, ..it }),
        );
        assert_eq!(half.seats[0].accuracy(), Some(50.0));
        assert_eq!(half.seats[1].accuracy(), None);
        let random = totals(&[result(0, good, 0.6, 0.3, 0.2)]);
        assert_eq!(random.seats[0].accuracy(), Some(0.0));
        let no_choice = totals(&[
            result(0, Some(MoveLabel::Forced), 0.6, 0.6, 0.2),
            result(1, Some(MoveLabel::LostAnyway), 0.0, 0.0, 0.2),
        ]);
        assert_eq!(no_choice.seats.iter().map(SeatReview::accuracy).collect::<Vec<_>>(), [None, None]);
    }

    /// A loss counts as far as it exceeds the noise of the searches, and a seat whose stake is lost in the noise
    /// has no accuracy.
    #[test]
    fn noise_is_not_held_against_a_seat() {
        let of = |noise: f64, stake: f64| {
            let best = |move_idx| result(move_idx, Some(MoveLabel::Best), 0.5, 0.5, stake);
            let moves = [
                best(0),
                best(2),
                result(4, Some(MoveLabel::Good), 0.52, 0.5, stake),
                result(6, Some(MoveLabel::Mistake), 0.624, 0.5, stake),
            ];
            let mut totals = Totals::new(vec![0, 1], 2, 8, moves.len());
            moves.iter().for_each(|it| totals.add(&MoveResult { noise, ..*it }));
            let seat = totals.summary().seats[0].clone();
            assert!(totals.summary().is_complete);
            (seat.loss, seat.accuracy())
        };
        let (loss, accuracy) = of(0.0, 0.06);
        assert!((loss - 0.144).abs() < 1e-9 && accuracy.is_some_and(|it| (it - 40.0).abs() < 1e-6), "{accuracy:?}");
        let (loss, accuracy) = of(0.06, 0.06);
        assert!((loss - 0.064).abs() < 1e-9, "{loss}: what is within the noise does not count");
        assert!(accuracy.is_some_and(|it| (it - 100.0 * (1.0 - 0.064 / 0.24)).abs() < 1e-6), "{accuracy:?}");
        assert_eq!(of(0.06, 0.006).1, None, "a stake of 0.024 in all is less than the noise of 0.12");
    }

    /// The game turns where the lead is given away, not where a lead grows smaller.
    #[test]
    fn turning_points_change_the_lead() {
        let blunder = Some(MoveLabel::Blunder);
        let summary = totals(&[
            result(0, blunder, 0.9, 0.6, 0.2),
            result(1, Some(MoveLabel::Best), 0.4, 0.4, 0.2),
            result(2, blunder, 0.6, 0.2, 0.2),
            result(3, blunder, 0.8, 0.5, 0.2),
            result(4, None, 0.8, 0.4, 0.2),
        ]);
        assert_eq!(summary.turning_points, [2, 3], "the last one is lost in the noise");
        assert!(summary.is_complete);
    }

    /// A review that was cut short has the scores it knows.
    #[test]
    fn unknown_scores_are_left_out() {
        let mut totals = Totals::new(vec![0, 1], 2, 3, 3);
        totals.set_scores(3, Scores::pair(0, 1.0));
        totals.add(&result(2, None, 0.7, 0.7, 0.0));
        let summary = totals.summary();
        assert_eq!(summary.scores.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true, true]);
        assert!(!summary.is_complete);
    }
}
