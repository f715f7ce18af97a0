//! Renders the result of a search: in the caller's orientation, with reasons and the requested detail.

pub(crate) mod generic_reasons;
pub(crate) mod i18n;
pub(crate) mod level;
pub(crate) mod move_words;
pub(crate) mod nudge;
pub(crate) mod policy;
pub(crate) mod rendered_cache;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pentad_host::{CallError, Fault};
use pentad_model::Reason;
use pentad_model::{Evaluation, Line, Report};

use crate::answer::{Hint, Hints, PolicyMove, VariantRef};
use crate::error::EngineError;
use crate::present::generic_reasons::Coverage;
use crate::present::move_words::{MoveWords, named_moves};
use crate::question::{Detail, HintQuestion};
use crate::resolve::{SearchRoot, digest};
use crate::rules::job::{AboutPosition, CallContext};
use crate::search::cache::Snapshot;
use crate::served_game::ServedGame;

/// What an answer is rendered from.
#[derive(Clone, Debug)]
pub(crate) struct RenderInput {
    pub(crate) root: Arc<SearchRoot>,
    pub(crate) question: Arc<HintQuestion>,
    pub(crate) snapshot: Arc<Snapshot>,
}

impl AboutPosition for RenderInput {
    fn position(&self) -> String {
        self.root.text.clone()
    }
}

/// Renders the answer to a question for hints.
pub(crate) fn hints(context: &CallContext<'_>, input: &RenderInput) -> Result<Hints, EngineError> {
    let CallContext { game, variant, survived_fault, .. } = *context;
    let view = CallerView { game, variant, root: &input.root, survived_fault };
    view.hints(&input.question, &input.snapshot).map_err(|error| EngineError::from_call(&game.id, error))
}

/// Renders the evaluation of the position alone.
pub(crate) fn evaluation(context: &CallContext<'_>, input: &RenderInput) -> Result<Evaluation, EngineError> {
    let CallContext { game, variant, survived_fault, .. } = *context;
    let view = CallerView { game, variant, root: &input.root, survived_fault };
    let evaluation = view.evaluation(&input.snapshot.report.evaluation);
    evaluation.map_err(|error| EngineError::from_call(&game.id, error))
}

/// Maps results from the canonical orientation to the caller's.
struct CallerView<'a> {
    game: &'a ServedGame,
    variant: usize,
    root: &'a SearchRoot,
    survived_fault: &'a Mutex<Option<Fault>>,
}

impl CallerView<'_> {
    fn hints(&self, question: &HintQuestion, snapshot: &Snapshot) -> Result<Hints, CallError> {
        let root = self.root;
        let mut report = self.values(&snapshot.report)?;
        let seed = question.seed.unwrap_or_default() ^ digest(&root.canonical);
        let n_sides = self.game.ruleset.variants()[self.variant].n_sides;
        let mut order = level::order(question.level, n_sides, seed, root.to_move, &report);
        order.truncate(question.count);
        let names_moves = matches!(question.detail, Detail::Move | Detail::Line);
        // A rule set that gives reasons compares with all lines; nothing else reads those that are not kept.
        let is_explained = names_moves && self.game.ruleset.info().capabilities.reasons;
        let needs_all = is_explained || question.policy;
        let mapped = if needs_all { (0..report.lines.len()).collect() } else { order.clone() };
        for line_idx in mapped {
            report.lines[line_idx].moves = self.moves(&snapshot.report.lines[line_idx].moves)?;
        }
        let reasons = match is_explained {
            true => self.reasons(&report, &order)?,
            false => vec![Vec::new(); order.len()],
        };
        let policy = if question.policy { self.policy(&report, snapshot)? } else { Vec::new() };
        let hint = |(line_idx, reasons): (usize, Vec<Reason>)| match question.detail {
            Detail::Nudge | Detail::Area => self.veiled_hint(&report, line_idx, question.detail),
            Detail::Move | Detail::Line => {
                let Line { moves, evaluation } = &report.lines[line_idx];
                let equivalents = self.equivalents(&snapshot.report.lines[line_idx].moves[0], snapshot)?;
                let reasons = match reasons.as_slice() {
                    [] => self.generic_reasons(&report, line_idx, snapshot, equivalents.len()),
                    _ => reasons,
                };
                Ok(Hint {
                    mv: moves[0].clone(),
                    mv_text: String::new(),
                    evaluation: *evaluation,
                    line: if question.detail == Detail::Line { moves.clone() } else { Vec::new() },
                    reasons,
                    equivalents,
                    area: Vec::new(),
                })
            }
        };
        let hints: Vec<Hint> = order.into_iter().zip(reasons).map(hint).collect::<Result<_, _>>()?;
        let moves = hints.iter().flat_map(|hint| named_moves(&hint.reasons).chain([hint.mv.as_str()]));
        let words = MoveWords::find(&self.game.ruleset, self.variant, &root.position, moves)?;
        Ok(Hints {
            hints,
            words,
            policy,
            evaluation: report.evaluation,
            stop: snapshot.stop,
            depth: report.depth,
            nodes: report.nodes,
            elapsed: Duration::ZERO,
            cached: false,
            position: root.text.clone(),
            key: root.key,
            to_move: root.to_move,
            variant: VariantRef::new(self.game.ruleset.clone(), self.variant),
        })
    }

    /// Returns a probability for the move of every line.
    fn policy(&self, report: &Report<String>, snapshot: &Snapshot) -> Result<Vec<PolicyMove>, CallError> {
        let n_sides = self.game.ruleset.variants()[self.variant].n_sides;
        let values: Vec<Evaluation> = report.lines.iter().map(|line| line.evaluation).collect();
        let probabilities = policy::probabilities(&values, self.root.to_move, n_sides);
        let lines = report.lines.iter().zip(&snapshot.report.lines).zip(probabilities);
        let valued = |((line, searched), probability): ((&Line<String>, &Line<String>), f64)| {
            let equivalents = self.equivalents(&searched.moves[0], snapshot)?;
            Ok(PolicyMove { mv: line.moves[0].clone(), probability, equivalents, evaluation: line.evaluation })
        };
        lines.map(valued).collect()
    }

    /// Returns the rule set's reasons for some lines. Those that it cannot give properly are
    /// missing: its fault is counted, and costs the caller nothing else.
    fn reasons(&self, report: &Report<String>, line_idxs: &[usize]) -> Result<Vec<Vec<Reason>>, CallError> {
        let none = || vec![Vec::new(); line_idxs.len()];
        let (reasons, fault) =
            match self.game.ruleset.explain_validly(self.variant, &self.root.position, report, line_idxs) {
                Ok(explanation) => (explanation.reasons, explanation.fault),
                Err(CallError::Fault(fault)) => (none(), Some(fault)),
                Err(CallError::Unavailable { .. }) => (none(), None),
                Err(error) => return Err(error),
            };
        if let Some(fault) = fault {
            self.survived_fault.lock().expect("nothing panics while it is locked").get_or_insert(fault);
        }
        Ok(reasons)
    }

    /// Returns the reasons for a move that the rule set does not explain.
    fn generic_reasons(
        &self,
        report: &Report<String>,
        line_idx: usize,
        snapshot: &Snapshot,
        n_equivalents: usize,
    ) -> Vec<Reason> {
        let considers_all = self.root.considered.is_all();
        let coverage = Coverage {
            is_complete: considers_all && report.lines.len() == snapshot.root.len(),
            n_legal_moves: considers_all.then(|| snapshot.root.n_moves()),
            n_equivalents,
        };
        generic_reasons::explain(report, line_idx, self.root.to_move, coverage)
    }

    /// Maps the values of a report; its lines have no moves yet.
    fn values(&self, report: &Report<String>) -> Result<Report<String>, CallError> {
        let lines = report
            .lines
            .iter()
            .map(|line| Ok(Line { moves: Vec::new(), evaluation: self.evaluation(&line.evaluation)? }));
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
        rules.apply_symmetry_to_line(self.variant, self.root.to_caller, &self.root.canonical, moves)
    }

    fn evaluation(&self, evaluation: &Evaluation) -> Result<Evaluation, CallError> {
        let rules = &self.game.ruleset;
        let scores = rules.apply_symmetry_to_scores(self.variant, self.root.to_caller, &evaluation.scores)?;
        Ok(Evaluation { scores, ..*evaluation })
    }

    /// Returns a hint that does not name its move.
    fn veiled_hint(&self, report: &Report<String>, line_idx: usize, detail: Detail) -> Result<Hint, CallError> {
        let Line { moves, evaluation } = &report.lines[line_idx];
        let nudge = nudge::reason(&report.evaluation, evaluation, line_idx == 0, self.root.to_move);
        Ok(Hint {
            mv: String::new(),
            mv_text: String::new(),
            evaluation: *evaluation,
            line: Vec::new(),
            reasons: vec![nudge],
            equivalents: Vec::new(),
            area: if detail == Detail::Area { self.area(&moves[0])? } else { Vec::new() },
        })
    }

    /// Returns the other moves that lead to the same position as a searched move.
    fn equivalents(&self, searched: &str, snapshot: &Snapshot) -> Result<Vec<String>, CallError> {
        let to_caller = self.root.to_caller;
        let mapped = |mv: &String| match to_caller {
            0 => Ok(mv.clone()),
            _ => self.game.ruleset.apply_symmetry_to_move(self.variant, to_caller, &self.root.canonical, mv),
        };
        snapshot.root.equivalents(searched).map(mapped).collect()
    }

    /// Returns the points of the blocks that the move changes, or the changed points where the board has no
    /// blocks.
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
}
