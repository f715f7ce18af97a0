//! Any legal move, for an answer that is due before its search has found one.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_host::CallError;
use pentad_model::{Certainty, Evaluation, Line, Report, Scores, Source, Wdl};

use crate::resolve::considered::Considered;
use crate::resolve::query::SearchKey;
use crate::search::cache::Snapshot;
use crate::served_game::ServedGame;

/// Time for finding any legal move once the answer is due.
pub(crate) const IMMEDIATE: Duration = Duration::from_millis(1);

/// Returns a legal move for a question that is due before its search has begun: the first one that wins,
/// or else the one with the best static evaluation, among those examined before `until`.
pub(crate) fn immediate_move(
    game: &ServedGame,
    key: &SearchKey,
    until: Instant,
) -> Result<Option<Snapshot>, CallError> {
    let moves = moves_listed_until(game, key, until)?;
    let Some(first_move) = moves.first() else { return Ok(None) };
    let rules = &game.ruleset;
    let seat = rules.to_move(key.variant, &key.position)?;
    let variant = &rules.variants()[key.variant];
    let unknown = Evaluation {
        certainty: Certainty::Estimate,
        outcome: None,
        plies_to_end: None,
        scores: Scores::even(variant.seats.len()),
        source: Source::Static,
        depth: 0,
    };
    let mut best = (first_move, unknown, f64::NEG_INFINITY);
    for mv in &moves {
        if Instant::now() >= until {
            break;
        }
        let next = rules.play_known(key.variant, &key.position, mv)?;
        let ended = rules.scores(key.variant, &next)?;
        let scores = match ended {
            Some(scores) => scores,
            None if rules.info().capabilities.search => rules.evaluate(key.variant, &next)?.scores,
            None => unknown.scores,
        };
        if ended.is_some() && scores[seat] == 1.0 {
            best = (mv, won_at_once(scores, variant.n_sides), 1.0);
            break;
        }
        if scores[seat] > best.2 {
            best = (mv, Evaluation { scores, depth: 1, ..unknown }, scores[seat]);
        }
    }
    let (mv, evaluation, _) = best;
    let report = Report {
        lines: vec![Line { moves: vec![mv.clone()], evaluation }],
        evaluation,
        depth: 0,
        nodes: 0,
        stop: Some(pentad_model::StopReason::Cancelled),
    };
    Ok(Some(Snapshot { report, root: Arc::default(), stop: None, n_lines: 1, took: Duration::ZERO }))
}

/// Lists the moves to consider; after `until` it stops at the first one.
fn moves_listed_until(game: &ServedGame, key: &SearchKey, until: Instant) -> Result<Vec<String>, CallError> {
    if let Considered::Only(moves) = &key.considered {
        return Ok(moves.to_vec());
    }
    let mut moves = Vec::new();
    let _complete = game.ruleset.legal_moves(key.variant, &key.position, "", &mut |mv| {
        if key.considered.contains(mv) {
            moves.push(mv.to_owned());
        }
        if Instant::now() < until || moves.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(moves)
}

fn won_at_once(scores: Scores, n_sides: usize) -> Evaluation {
    Evaluation {
        certainty: Certainty::Proven,
        outcome: (n_sides == 2).then_some(Wdl::Win),
        plies_to_end: Some(1),
        scores,
        source: Source::Search,
        depth: 1,
    }
}

#[cfg(test)]
mod tests {
    use pentad_host::Ruleset;

    use super::*;

    /// With the time to examine every move, the one that wins is found; without any time, a legal move is
    /// returned nevertheless.
    #[test]
    fn a_move_is_named_at_once() {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        let game = ServedGame::new(Ruleset::load(&file, None).expect("the plugin loads"));
        let position = game.ruleset.parse(0, "wwww2/6/bbbb2/6/6/6 w").expect("a position");
        let key = SearchKey { revision: game.revision, variant: 0, position, considered: Considered::All, level: 10 };
        let named = |until| immediate_move(&game, &key, until).expect("no fault").expect("a move").report;
        let best = named(Instant::now() + Duration::from_mins(10));
        assert_eq!((best.lines[0].moves[0].as_str(), best.evaluation.outcome), ("e1", Some(Wdl::Win)));
        let any = named(Instant::now());
        game.ruleset.play_known(0, &key.position, &any.lines[0].moves[0]).expect("a legal move");
        assert_eq!(any.evaluation.certainty, Certainty::Estimate);
    }
}
