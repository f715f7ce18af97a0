//! Labels of played moves.
//!
//! The loss of a move is the part of the mover's expected score that it gave away. A label follows from the
//! loss, except where something is proven: a proof overrules every estimate.

use pentad_model::{Certainty, Evaluation};

/// Least losses of an inaccuracy, a mistake and a blunder, in a game of two sides.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;

/// Labels of played moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveLabel {
    /// No move was better.
    Best,
    /// Little or nothing was given away.
    Good,
    /// It gave away 0.05 or more.
    Inaccuracy,
    /// It gave away 0.10 or more.
    Mistake,
    /// It gave away 0.20 or more.
    Blunder,
    /// Best, and every other choice would have been a blunder.
    OnlyMove,
    /// The move was the only choice.
    Forced,
    /// A proven win was let go.
    MissedWin,
    /// A proven win was kept, but it takes longer than it had to.
    SlowerWin,
    /// The position was proven lost before the move.
    LostAnyway,
}

impl MoveLabel {
    /// All labels.
    pub const ALL: [MoveLabel; 10] = [
        MoveLabel::Best,
        MoveLabel::Good,
        MoveLabel::Inaccuracy,
        MoveLabel::Mistake,
        MoveLabel::Blunder,
        MoveLabel::OnlyMove,
        MoveLabel::Forced,
        MoveLabel::MissedWin,
        MoveLabel::SlowerWin,
        MoveLabel::LostAnyway,
    ];

    /// Returns the name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            MoveLabel::Best => "best",
            MoveLabel::Good => "good",
            MoveLabel::Inaccuracy => "inaccuracy",
            MoveLabel::Mistake => "mistake",
            MoveLabel::Blunder => "blunder",
            MoveLabel::OnlyMove => "only_move",
            MoveLabel::Forced => "forced",
            MoveLabel::MissedWin => "missed_win",
            MoveLabel::SlowerWin => "slower_win",
            MoveLabel::LostAnyway => "lost_anyway",
        }
    }

    /// Whether the move deserves blame, and a reply that punishes it is worth showing.
    pub(crate) fn is_bad(self) -> bool {
        matches!(self, MoveLabel::Inaccuracy | MoveLabel::Mistake | MoveLabel::Blunder | MoveLabel::MissedWin)
    }
}

/// Least losses for each label, for a number of sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Thresholds {
    pub(crate) inaccuracy: f64,
    pub(crate) mistake: f64,
    pub(crate) blunder: f64,
}

impl Thresholds {
    /// Returns the thresholds. With more sides each expects less, so less can be given away.
    pub(crate) fn new(n_sides: usize) -> Self {
        let scale = 2.0 / n_sides.max(2) as f64;
        Thresholds { inaccuracy: INACCURACY * scale, mistake: MISTAKE * scale, blunder: BLUNDER * scale }
    }
}

/// A played move and what it is compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// Seat number of the mover.
    pub(crate) seat: usize,
    /// Values of the best move and of the played one.
    pub(crate) before: Evaluation,
    pub(crate) after: Evaluation,
    /// The move was the only choice.
    pub(crate) is_forced: bool,
    /// Whether the played move is the best one, or equivalent to it.
    pub(crate) is_best: bool,
    /// Whether every other choice loses at least as much as a blunder.
    pub(crate) is_only: bool,
    /// Difference between searches about these values.
    pub(crate) noise: f64,
}

impl Judgement {
    /// Returns what the move gave away. A lost position has nothing to give away.
    pub(crate) fn loss(&self) -> f64 {
        if self.is_forced || self.is_best { 0.0 } else { (self.best() - self.played()).max(0.0) }
    }

    /// Returns the label; `None` if the loss is below the noise of the searches.
    pub(crate) fn label(&self, thresholds: Thresholds) -> Option<MoveLabel> {
        if self.is_forced {
            return Some(MoveLabel::Forced);
        }
        let (was_proven, is_proven) = (is_proven(&self.before), is_proven(&self.after));
        if was_proven && self.best() <= 0.0 {
            return Some(MoveLabel::LostAnyway);
        }
        if was_proven && self.best() >= 1.0 && !self.is_best {
            return self.label_of_won_position(thresholds);
        }
        if self.is_best {
            return Some(if self.is_only { MoveLabel::OnlyMove } else { MoveLabel::Best });
        }
        let loss = self.loss();
        if was_proven && is_proven && loss == 0.0 {
            return Some(MoveLabel::Best);
        }
        self.label_of_loss(loss, thresholds)
    }

    fn label_of_won_position(&self, thresholds: Thresholds) -> Option<MoveLabel> {
        let played = self.played();
        if !is_proven(&self.after) {
            let loss = self.loss();
            return match self.label_of_loss(loss, thresholds) {
                Some(MoveLabel::Mistake | MoveLabel::Blunder) => Some(MoveLabel::MissedWin),
                label => label,
            };
        }
        Some(match (self.before.plies_to_end, self.after.plies_to_end) {
            _ if played <= 0.0 => MoveLabel::Blunder,
            _ if played < 1.0 => MoveLabel::MissedWin,
            (Some(best), Some(played)) if played > best => MoveLabel::SlowerWin,
            (Some(_), Some(_)) => MoveLabel::Best,
            // It is not known which of two wins is longer.
            _ => MoveLabel::Good,
        })
    }

    fn label_of_loss(&self, loss: f64, thresholds: Thresholds) -> Option<MoveLabel> {
        if loss >= thresholds.inaccuracy && loss < self.noise {
            return None;
        }
        Some(match loss {
            loss if loss >= thresholds.blunder => MoveLabel::Blunder,
            loss if loss >= thresholds.mistake => MoveLabel::Mistake,
            loss if loss >= thresholds.inaccuracy => MoveLabel::Inaccuracy,
            _ => MoveLabel::Good,
        })
    }

    fn best(&self) -> f64 {
        self.before.scores[self.seat]
    }

    fn played(&self) -> f64 {
        self.after.scores[self.seat]
    }
}

pub(crate) fn is_proven(evaluation: &Evaluation) -> bool {
    evaluation.certainty == Certainty::Proven
}

#[cfg(test)]
mod tests {
    use pentad_model::{Scores, Source, Wdl};

    use super::*;

    fn estimate(score: f64) -> Evaluation {
        Evaluation::static_estimate(Scores::pair(0, score))
    }

    fn proven(score: f64, plies: Option<u32>) -> Evaluation {
        Evaluation {
            certainty: Certainty::Proven,
            outcome: Some(Wdl::of_score(score)),
            plies_to_end: plies,
            source: Source::Solver,
            ..estimate(score)
        }
    }

    fn judgement(before: Evaluation, after: Evaluation) -> Judgement {
        Judgement { seat: 0, before, after, is_forced: false, is_best: false, is_only: false, noise: 0.0 }
    }

    fn label(judgement: Judgement) -> Option<MoveLabel> {
        judgement.label(Thresholds::new(2))
    }

    /// Estimates are labelled by what was given away.
    #[test]
    fn losses_have_their_labels() {
        let of = |loss: f64| label(judgement(estimate(0.75), estimate(0.75 - loss)));
        assert_eq!(of(0.0), Some(MoveLabel::Good));
        assert_eq!(of(0.04), Some(MoveLabel::Good));
        assert_eq!(of(0.06), Some(MoveLabel::Inaccuracy));
        assert_eq!(of(0.11), Some(MoveLabel::Mistake));
        assert_eq!(of(0.21), Some(MoveLabel::Blunder));
        assert_eq!(of(-0.1), Some(MoveLabel::Good), "nothing is given away");
    }

    /// With four sides half as much is as bad.
    #[test]
    fn thresholds_scale_with_the_number_of_sides() {
        let blunder = judgement(estimate(0.4), estimate(0.29));
        assert_eq!(blunder.label(Thresholds::new(4)), Some(MoveLabel::Blunder));
        assert_eq!(blunder.label(Thresholds::new(2)), Some(MoveLabel::Mistake));
    }

    /// A loss within the noise of the searches has no label, a small loss has one.
    #[test]
    fn noise_is_not_labelled() {
        let noisy = |loss| Judgement { noise: 0.15, ..judgement(estimate(0.6), estimate(0.6 - loss)) };
        assert_eq!(label(noisy(0.12)), None);
        assert_eq!(label(noisy(0.01)), Some(MoveLabel::Good));
        assert_eq!(label(noisy(0.16)), Some(MoveLabel::Mistake));
    }

    /// A kept win is never blamed, a win that was let go always is.
    #[test]
    fn proofs_overrule_estimates() {
        let won = proven(1.0, Some(3));
        assert_eq!(label(judgement(won, proven(1.0, Some(3)))), Some(MoveLabel::Best));
        assert_eq!(label(judgement(won, proven(1.0, Some(7)))), Some(MoveLabel::SlowerWin));
        assert_eq!(label(judgement(won, proven(1.0, None))), Some(MoveLabel::Good));
        assert_eq!(label(judgement(won, proven(0.5, None))), Some(MoveLabel::MissedWin));
        assert_eq!(label(judgement(won, proven(0.0, Some(2)))), Some(MoveLabel::Blunder));
        assert_eq!(label(judgement(won, estimate(0.97))), Some(MoveLabel::Good));
        assert_eq!(label(judgement(won, estimate(0.6))), Some(MoveLabel::MissedWin));
        let noisy = Judgement { noise: 0.9, ..judgement(won, proven(0.5, None)) };
        assert_eq!(label(noisy), Some(MoveLabel::MissedWin), "a proof has no noise");
    }

    /// A lost position carries no blame, and a draw that is kept is as good as any.
    #[test]
    fn nothing_can_be_given_away_where_nothing_is_left() {
        let lost = judgement(proven(0.0, Some(4)), proven(0.0, Some(2)));
        assert_eq!((label(lost), lost.loss()), (Some(MoveLabel::LostAnyway), 0.0));
        let drawn = judgement(proven(0.5, None), proven(0.5, None));
        assert_eq!((label(drawn), drawn.loss()), (Some(MoveLabel::Best), 0.0));
    }

    /// Where there is no choice there is no credit; where only one move holds, there is.
    #[test]
    fn single_choices_are_named() {
        let forced = Judgement { is_forced: true, ..judgement(estimate(0.5), estimate(0.1)) };
        assert_eq!((label(forced), forced.loss()), (Some(MoveLabel::Forced), 0.0));
        let best = Judgement { is_best: true, ..judgement(estimate(0.5), estimate(0.5)) };
        assert_eq!(label(best), Some(MoveLabel::Best));
        assert_eq!(label(Judgement { is_only: true, ..best }), Some(MoveLabel::OnlyMove));
    }
}
