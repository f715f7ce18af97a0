//! From what a search found to what the asker reads: in their orientation, with
//! reasons, and no more of it than they asked for.

use std::sync::Arc;
use std::time::Duration;

use pentad_host::{CallError, Reason};
use pentad_search::{Certainty, Evaluation, Line, Report, Scores, Wdl};

use crate::answer::{Hint, Hints};
use crate::cache::Snapshot;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::game::Game;
use crate::level;
use crate::question::{Detail, HintQuestion};
use crate::situation::{HintSituation, digest};

/// What an answer is made of.
#[derive(Clone, Debug)]
pub(crate) struct Assembly {
    pub(crate) situation: Arc<HintSituation>,
    pub(crate) question: Arc<HintQuestion>,
    pub(crate) snapshot: Arc<Snapshot>,
}

/// Turns a snapshot into an answer.
pub(crate) fn assemble(
    game: &Game,
    variant: usize,
    _config: &EngineConfig,
    input: &Assembly,
) -> Result<Hints, EngineError> {
    let view = View { game, variant, situation: &input.situation };
    view.assemble(&input.question, &input.snapshot).map_err(|error| EngineError::from_call(&game.id, error))
}

/// The asker's view of a canonical position.
struct View<'a> {
    game: &'a Game,
    variant: usize,
    situation: &'a HintSituation,
}

impl View<'_> {
    fn assemble(&self, question: &HintQuestion, snapshot: &Snapshot) -> Result<Hints, CallError> {
        let situation = self.situation;
        let mut report = self.turn_report(&snapshot.report)?;
        level::choose(question.level, digest(&situation.canonical), situation.asked.to_move, &mut report);
        let hints = (0..report.lines.len().min(question.count))
            .map(|line_idx| self.hint(&report, line_idx, question.detail, snapshot))
            .collect::<Result<_, _>>()?;
        Ok(Hints {
            hints,
            evaluation: report.evaluation,
            stop: snapshot.stop,
            depth: report.depth,
            nodes: report.nodes,
            elapsed: Duration::ZERO,
            cached: false,
            position: situation.text.clone(),
            to_move: situation.asked.to_move,
        })
    }

    fn turn_report(&self, report: &Report<String>) -> Result<Report<String>, CallError> {
        let lines = report.lines.iter().map(|line| {
            Ok(Line { moves: self.turn_moves(&line.moves)?, evaluation: self.turn_evaluation(&line.evaluation)? })
        });
        Ok(Report {
            lines: lines.collect::<Result<_, CallError>>()?,
            evaluation: self.turn_evaluation(&report.evaluation)?,
            depth: report.depth,
            nodes: report.nodes,
            stop: report.stop,
        })
    }

    /// Maps a sequence of moves from the canonical position.
    fn turn_moves(&self, moves: &[String]) -> Result<Vec<String>, CallError> {
        let rules = &self.game.ruleset;
        if self.situation.back == 0 {
            return Ok(moves.to_vec());
        }
        let mut position = self.situation.canonical.clone();
        let mut turned = Vec::with_capacity(moves.len());
        for mv in moves {
            turned.push(rules.apply_symmetry_to_move(self.variant, self.situation.back, &position, mv)?);
            position = rules.play_known(self.variant, &position, mv)?;
        }
        Ok(turned)
    }

    fn turn_evaluation(&self, evaluation: &Evaluation) -> Result<Evaluation, CallError> {
        let mut turned = *evaluation;
        let mut scores: Scores = evaluation.scores;
        for (seat, &score) in evaluation.scores.as_slice().iter().enumerate() {
            let seat = self.game.ruleset.apply_symmetry_to_seat(self.variant, self.situation.back, seat)?;
            scores.as_mut_slice()[seat] = score;
        }
        turned.scores = scores;
        Ok(turned)
    }

    fn hint(
        &self,
        report: &Report<String>,
        line_idx: usize,
        detail: Detail,
        snapshot: &Snapshot,
    ) -> Result<Hint, CallError> {
        let Line { moves, evaluation } = &report.lines[line_idx];
        let mut hint = Hint {
            mv: String::new(),
            evaluation: *evaluation,
            line: Vec::new(),
            reasons: Vec::new(),
            equivalents: Vec::new(),
            area: Vec::new(),
        };
        if detail <= Detail::Area {
            hint.reasons.push(self.nudge(evaluation));
            if detail == Detail::Area {
                hint.area = self.area(&moves[0])?;
            }
            return Ok(hint);
        }
        hint.mv.clone_from(&moves[0]);
        hint.reasons = self.game.ruleset.explain(self.variant, &self.situation.asked.position, report, line_idx)?;
        hint.equivalents = self.equivalents(&moves[0], snapshot)?;
        if detail == Detail::Line {
            hint.line.clone_from(moves);
        }
        Ok(hint)
    }

    /// The other members of a move's group, mapped like the move.
    fn equivalents(&self, turned: &str, snapshot: &Snapshot) -> Result<Vec<String>, CallError> {
        let back = self.situation.back;
        let turn = |mv: &String| {
            if back == 0 {
                return Ok(mv.clone());
            }
            self.game.ruleset.apply_symmetry_to_move(self.variant, back, &self.situation.canonical, mv)
        };
        for line in &snapshot.report.lines {
            if turn(&line.moves[0])? == turned {
                return snapshot.root.equivalents(&line.moves[0]).map(turn).collect();
            }
        }
        Ok(Vec::new())
    }

    /// The blocks in which the move changes something, as points; or the points
    /// themselves where the board has no blocks.
    fn area(&self, mv: &str) -> Result<Vec<String>, CallError> {
        let rules = &self.game.ruleset;
        let Some(board) = &rules.variants()[self.variant].board else { return Ok(Vec::new()) };
        let before = rules.pieces(self.variant, &self.situation.asked.position)?;
        let after = rules.pieces(self.variant, &rules.play_known(self.variant, &self.situation.asked.position, mv)?)?;
        let changed: Vec<u32> = before
            .iter()
            .filter(|it| !after.contains(it))
            .chain(after.iter().filter(|it| !before.contains(it)))
            .map(|&(point, _)| point)
            .collect();
        let mut points: Vec<u32> = board
            .blocks
            .iter()
            .filter(|block| block.points.iter().any(|point| changed.contains(point)))
            .flat_map(|block| block.points.iter().copied())
            .collect();
        if points.is_empty() {
            points = changed;
        }
        points.sort_unstable();
        points.dedup();
        Ok(points.iter().map(|&point| board.points[point as usize].id.clone()).collect())
    }

    /// What to look for, without saying where.
    fn nudge(&self, evaluation: &Evaluation) -> Reason {
        let mine = evaluation.scores[self.situation.asked.to_move];
        let text = match (evaluation.certainty, evaluation.outcome, evaluation.plies_to_end) {
            (Certainty::Proven, Some(Wdl::Win), Some(1)) => "There is a move that wins at once.".to_owned(),
            (Certainty::Proven, Some(Wdl::Win), Some(plies)) => {
                format!("There is a move that wins by force within {plies} plies.")
            }
            (Certainty::Proven, Some(Wdl::Win), None) => "There is a move that wins by force.".to_owned(),
            (Certainty::Proven, Some(Wdl::Draw), _) => "The best that can be had is a draw.".to_owned(),
            (Certainty::Proven, Some(Wdl::Loss), _) => {
                "Every move loses against best play: make it as hard as possible.".to_owned()
            }
            _ if mine > 0.65 => "There is a move that keeps the better chances.".to_owned(),
            _ if mine < 0.35 => "The position is difficult: look for what the opponent threatens.".to_owned(),
            _ => "The position is about even: look for a move that does two things at once.".to_owned(),
        };
        Reason { code: "nudge".to_owned(), text, points: Vec::new() }
    }
}
