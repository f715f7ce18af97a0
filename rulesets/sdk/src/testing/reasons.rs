//! Checks the claims of reasons with a reference implementation.
//!
//! Codes with the same meaning in every game are checked here, from legal moves and
//! final scores alone; a game's own codes are checked by its tests.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use pentad_model::{Certainty, Evaluation, Line, Report};

use super::{move_text, text};
use crate::abilities::{Layout, Reason, Reasons};

/// A position of the reference implementation.
pub trait ReferencePosition: PartialEq + Sized {
    /// Returns the seat whose turn it is.
    fn to_move(&self) -> usize;

    /// Returns the scores by seat, if the game is over.
    fn final_scores(&self) -> Option<Vec<f64>>;

    /// Returns the texts of the legal moves.
    fn legal_moves(&self) -> Vec<String>;

    /// Returns the position after a legal move.
    fn after(&self, mv: &str) -> Self;

    /// Returns the position as if it were that seat's turn, free to make any move.
    fn with_turn_of(&self, seat: usize) -> Self;

    /// Returns whether the game is over with all points for a seat.
    fn is_won_by(&self, seat: usize) -> bool {
        self.final_scores().is_some_and(|scores| scores[seat] == 1.0)
    }

    /// Returns whether the player to move has a move that wins at once.
    fn has_win_in_one(&self) -> bool {
        let seat = self.to_move();
        self.legal_moves().iter().any(|mv| self.after(mv).is_won_by(seat))
    }

    /// Returns whether the player to move takes all points from `seat` at once.
    fn defeats_in_one(&self, seat: usize) -> bool {
        let is_lost = |mv: &String| self.after(mv).final_scores().is_some_and(|scores| scores[seat] == 0.0);
        self.to_move() != seat && self.legal_moves().iter().any(is_lost)
    }
}

/// A reason with everything that is needed to check it.
#[derive(Debug)]
pub struct Claim<'a, P> {
    /// The reason to check.
    pub reason: &'a Reason,
    /// The move that the reason is about.
    pub mv: &'a str,
    /// The seat that made the move.
    pub mover: usize,
    /// The position before the move.
    pub before: &'a P,
    /// The position after the move.
    pub after: &'a P,
    /// The report's evaluation of the move.
    pub evaluation: &'a Evaluation,
    /// The positions after moves that the report has proven to lose.
    pub lost: &'a [P],
}

impl<P: ReferencePosition> Claim<'_, P> {
    /// Returns whether the claim holds; `None` for a code that not all games share.
    pub fn holds(&self) -> Option<bool> {
        let (before, after, mover) = (self.before, self.after, self.mover);
        let score = after.final_scores().map(|scores| scores[mover]);
        let is_proven = self.evaluation.certainty == Certainty::Proven;
        let expected = self.evaluation.scores[mover];
        Some(match self.reason.code {
            "wins_now" => score == Some(1.0),
            "loses_now" => score == Some(0.0),
            "shares_now" => score.is_some_and(|score| score > 0.0 && score < 1.0),
            "loses_to" => match self.named_move(after) {
                Some(reply) if self.says("at once") => {
                    after.after(&reply).final_scores().is_some_and(|scores| scores[mover] == 0.0)
                }
                Some(_) => is_proven && expected == 0.0,
                None => is_proven && expected == 0.0 && self.says("It loses by force."),
            },
            "forced_win" => {
                let plies = self.evaluation.plies_to_end;
                let holds = plies != Some(3) || self.wins_against_every_reply();
                is_proven && expected == 1.0 && holds && plies.is_none_or(|plies| self.says(&format!("{plies} plies")))
            }
            "only_move" => {
                let loses = |next: &P| match next.final_scores() {
                    Some(scores) => scores[mover] == 0.0,
                    None => self.lost.contains(next) || next.defeats_in_one(mover),
                };
                let others = before.legal_moves().into_iter().map(|mv| before.after(&mv));
                !loses(after) && others.into_iter().all(|next| next == *after || loses(&next))
            }
            "double_threat" => self.wins_against_every_reply(),
            "improves" => !self.says("number") && self.says(&format!("{expected:.2} points")),
            _ => return None,
        })
    }

    /// Returns whether the sentence contains `words`.
    pub fn says(&self, words: &str) -> bool {
        self.reason.text.contains(words)
    }

    /// Returns the first word of the sentence that is a legal move of `position`.
    pub fn named_move(&self, position: &P) -> Option<String> {
        let words = self.reason.text.split(' ').map(|word| word.trim_end_matches([',', '.', ':', ';']));
        let legal = position.legal_moves();
        words.map(str::to_owned).find(|word| legal.contains(word))
    }

    /// Returns whether after every reply the mover's side has won or wins at once.
    fn wins_against_every_reply(&self) -> bool {
        self.after.legal_moves().iter().all(|reply| {
            let next = self.after.after(reply);
            next.is_won_by(self.mover) || next.final_scores().is_none() && next.has_win_in_one()
        })
    }
}

/// Checks reasons and counts the codes and messages seen.
#[derive(Debug)]
pub struct ReasonChecker {
    point_ids: HashSet<String>,
    n_positions: usize,
    codes: BTreeMap<&'static str, usize>,
    messages: BTreeSet<String>,
}

impl ReasonChecker {
    /// Creates a checker for the reasons of one variant.
    pub fn new<R: Layout>(rules: &R) -> Self {
        let point_ids = rules.board().points.into_iter().map(|point| point.id).collect();
        ReasonChecker { point_ids, n_positions: 0, codes: BTreeMap::new(), messages: BTreeSet::new() }
    }

    /// Checks that every line of a report has reasons, and that each has a documented
    /// code, is a sentence, names only points of the board, and is true according to
    /// `judge`, or to [`Claim::holds`] where that returns `None`. If the game has
    /// translations, the reason is a sentence in every language.
    #[track_caller]
    pub fn check<R: Reasons, P: ReferencePosition>(
        &mut self,
        rules: &R,
        position: &R::Position,
        report: &Report<R::Move>,
        before: &P,
        judge: impl Fn(&Claim<'_, P>) -> Option<bool>,
    ) {
        let mover = rules.to_move(position);
        let first_move = |line: &Line<R::Move>| move_text(rules, position, &line.moves[0]);
        let is_lost = |line: &&Line<R::Move>| {
            line.evaluation.certainty == Certainty::Proven && line.evaluation.scores[mover] == 0.0
        };
        let lost: Vec<P> = report.lines.iter().filter(is_lost).map(|line| before.after(&first_move(line))).collect();
        for (line_idx, line) in report.lines.iter().enumerate() {
            let (mv, evaluation) = (&first_move(line), &line.evaluation);
            let after = &before.after(mv);
            let reasons = rules.explain(position, report, line_idx);
            assert!(!reasons.is_empty(), "{} {mv}: no reason", text(rules, position));
            for reason in &reasons {
                let context = || format!("{} {mv}: {reason:?}", text(rules, position));
                self.check_form::<R>(reason, &context);
                let claim = Claim { reason, mv, mover, before, after, evaluation, lost: &lost };
                let holds = judge(&claim).or_else(|| claim.holds());
                assert!(holds.unwrap_or_else(|| panic!("{}: no check for this code", context())), "{}", context());
                *self.codes.entry(reason.code).or_default() += 1;
            }
        }
        self.n_positions += 1;
    }

    #[track_caller]
    fn check_form<R: Reasons>(&mut self, reason: &Reason, context: &dyn Fn() -> String) {
        let documented = R::CODES.iter().find(|known| known.code == reason.code);
        let documented = documented.unwrap_or_else(|| panic!("{}: the code is not in CODES", context()));
        assert!(documented.names_points || reason.points.is_empty(), "{}: names points", context());
        assert!(reason.points.iter().all(|point| self.point_ids.contains(point)), "{}: unknown point", context());
        assert!(reason.text.ends_with('.') && reason.text.starts_with(char::is_uppercase), "{}", context());
        if R::translations().is_some() {
            super::i18n::check_sentence::<R>(reason.message.as_ref(), &reason.text, context);
            let id = reason.message.as_ref().map(|message| message.id.clone().into_owned()).unwrap_or_default();
            assert_eq!(id.split('.').next(), Some(reason.code), "{}", context());
            self.messages.insert(id);
        }
    }

    /// Returns the number of positions checked so far.
    pub fn n_positions(&self) -> usize {
        self.n_positions
    }

    /// Returns the codes seen so far, with the number of reasons.
    pub fn codes(&self) -> &BTreeMap<&'static str, usize> {
        &self.codes
    }

    /// Returns the ids of the messages seen so far; none for a game without translations.
    pub fn messages(&self) -> &BTreeSet<String> {
        &self.messages
    }
}
