//! From what a search found to the answer: in the caller's orientation, with
//! reasons, and with no more detail than was asked for.

use std::sync::Arc;
use std::time::Duration;

use pentad_host::{CallError, Reason};
use pentad_search::{Certainty, Evaluation, Line, Report, Scores, Wdl};

use crate::answer::{Hint, Hints, VariantRef};
use crate::cache::Snapshot;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::level;
use crate::question::{Detail, HintQuestion};
use crate::resolve::{SearchRoot, digest};
use crate::served_game::ServedGame;

/// What an answer is made of.
#[derive(Clone, Debug)]
pub(crate) struct Presented {
    pub(crate) root: Arc<SearchRoot>,
    pub(crate) question: Arc<HintQuestion>,
    pub(crate) snapshot: Arc<Snapshot>,
}

/// The answer to a question for hints.
pub(crate) fn hints(
    game: &ServedGame,
    variant: usize,
    _config: &EngineConfig,
    input: &Presented,
) -> Result<Hints, EngineError> {
    let view = CallerView { game, variant, root: &input.root };
    view.hints(&input.question, &input.snapshot).map_err(|error| EngineError::from_call(&game.id, error))
}

/// The evaluation of the position alone.
pub(crate) fn evaluation(
    game: &ServedGame,
    variant: usize,
    _config: &EngineConfig,
    input: &Presented,
) -> Result<Evaluation, EngineError> {
    let view = CallerView { game, variant, root: &input.root };
    let evaluation = view.evaluation(&input.snapshot.report.evaluation);
    evaluation.map_err(|error| EngineError::from_call(&game.id, error))
}

/// Maps what was found in the canonical orientation to the caller's.
struct CallerView<'a> {
    game: &'a ServedGame,
    variant: usize,
    root: &'a SearchRoot,
}

impl CallerView<'_> {
    fn hints(&self, question: &HintQuestion, snapshot: &Snapshot) -> Result<Hints, CallError> {
        let root = self.root;
        let mut report = self.report(&snapshot.report)?;
        // By index into the snapshot's lines, since a level reorders the report's.
        let firsts: Vec<String> = report.lines.iter().map(|line| line.moves[0].clone()).collect();
        level::choose(question.level, digest(&root.canonical), root.to_move, &mut report);
        let n_hints = report.lines.len().min(question.count);
        let reasons = match question.detail {
            Detail::Nudge | Detail::Area => vec![Vec::new(); n_hints],
            Detail::Move | Detail::Line => self.game.ruleset.explain(self.variant, &root.position, &report, n_hints)?,
        };
        let hint = |(line, reasons): (&Line<String>, Vec<Reason>)| {
            let searched = firsts.iter().position(|first| *first == line.moves[0]);
            let equivalents = searched.map(|idx| self.equivalents(&snapshot.report.lines[idx].moves[0], snapshot));
            self.hint(line, question.detail, reasons, equivalents.transpose()?.unwrap_or_default())
        };
        let hints = report.lines.iter().zip(reasons).map(hint).collect::<Result<_, _>>()?;
        Ok(Hints {
            hints,
            evaluation: report.evaluation,
            stop: snapshot.stop,
            depth: report.depth,
            nodes: report.nodes,
            elapsed: Duration::ZERO,
            cached: false,
            position: root.text.clone(),
            to_move: root.to_move,
            variant: VariantRef::new(self.game.ruleset.clone(), self.variant),
        })
    }

    fn report(&self, report: &Report<String>) -> Result<Report<String>, CallError> {
        let lines = report
            .lines
            .iter()
            .map(|line| Ok(Line { moves: self.moves(&line.moves)?, evaluation: self.evaluation(&line.evaluation)? }));
        Ok(Report {
            lines: lines.collect::<Result<_, CallError>>()?,
            evaluation: self.evaluation(&report.evaluation)?,
            depth: report.depth,
            nodes: report.nodes,
            stop: report.stop,
        })
    }

    /// Maps a sequence of moves from the canonical position.
    fn moves(&self, moves: &[String]) -> Result<Vec<String>, CallError> {
        let rules = &self.game.ruleset;
        if self.root.to_caller == 0 {
            return Ok(moves.to_vec());
        }
        let mut position = self.root.canonical.clone();
        let mut mapped = Vec::with_capacity(moves.len());
        for mv in moves {
            mapped.push(rules.apply_symmetry_to_move(self.variant, self.root.to_caller, &position, mv)?);
            position = rules.play_known(self.variant, &position, mv)?;
        }
        Ok(mapped)
    }

    fn evaluation(&self, evaluation: &Evaluation) -> Result<Evaluation, CallError> {
        let mut mapped = *evaluation;
        if self.root.to_caller != 0 {
            let mut scores: Scores = evaluation.scores;
            for (seat, &score) in evaluation.scores.as_slice().iter().enumerate() {
                let seat = self.game.ruleset.apply_symmetry_to_seat(self.variant, self.root.to_caller, seat)?;
                scores.as_mut_slice()[seat] = score;
            }
            mapped.scores = scores;
        }
        Ok(mapped)
    }

    fn hint(
        &self,
        Line { moves, evaluation }: &Line<String>,
        detail: Detail,
        reasons: Vec<Reason>,
        equivalents: Vec<String>,
    ) -> Result<Hint, CallError> {
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
        (hint.reasons, hint.equivalents) = (reasons, equivalents);
        if detail == Detail::Line {
            hint.line.clone_from(moves);
        }
        Ok(hint)
    }

    /// The other moves that lead to the same position as a searched move.
    fn equivalents(&self, searched: &str, snapshot: &Snapshot) -> Result<Vec<String>, CallError> {
        let to_caller = self.root.to_caller;
        let mapped = |mv: &String| match to_caller {
            0 => Ok(mv.clone()),
            _ => self.game.ruleset.apply_symmetry_to_move(self.variant, to_caller, &self.root.canonical, mv),
        };
        snapshot.root.equivalents(searched).map(mapped).collect()
    }

    /// The blocks in which the move changes something, as points; or the points
    /// themselves where the board has no blocks.
    fn area(&self, mv: &str) -> Result<Vec<String>, CallError> {
        let rules = &self.game.ruleset;
        let Some(board) = &rules.variants()[self.variant].board else { return Ok(Vec::new()) };
        let before = rules.pieces(self.variant, &self.root.position)?;
        let after = rules.pieces(self.variant, &rules.play_known(self.variant, &self.root.position, mv)?)?;
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
        let mine = evaluation.scores[self.root.to_move];
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
