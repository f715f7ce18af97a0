//! Calls from several threads at once.

use std::sync::Arc;

use pentad_host::{Position, Ruleset};
use pentad_search::rng::Rng;

use crate::Options;
use crate::site::{legal_moves, told};
use crate::verdict::Failure;

const THREADS: usize = 4;

/// Every thread does the same; all must agree.
pub(super) fn agree(
    ruleset: &Arc<Ruleset>,
    variant: usize,
    _options: &Options,
    sample: &[Position],
    _rng: &mut Rng,
) -> Vec<Result<(), Failure>> {
    let tour = || -> Result<Vec<String>, String> {
        let mut seen = Vec::new();
        for position in sample.iter().take(60) {
            let text = ruleset.format(variant, position).map_err(told("format"))?;
            let read = ruleset.parse(variant, &text).map_err(told("parse"))?;
            let moves = legal_moves(ruleset, variant, &read, "")?;
            seen.push(format!("{text} {}", moves.len()));
            if let Some(mv) = moves.last() {
                let next = ruleset.play_known(variant, &read, mv).map_err(told("play"))?;
                seen.push(ruleset.format(variant, &next).map_err(told("format"))?);
            }
        }
        Ok(seen)
    };
    let tours: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(tour)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err("a thread failed".to_owned()))).collect()
    });
    let differs = match &tours[0] {
        Err(message) => Some(message.clone()),
        Ok(_) if tours.iter().any(|tour| *tour != tours[0]) => Some("two threads got different answers".to_owned()),
        Ok(_) => None,
    };
    let failure = |message| Failure {
        variant: ruleset.variants()[variant].id.clone(),
        position: "the sample of positions".to_owned(),
        found_at: format!("{THREADS} threads"),
        message,
    };
    vec![differs.map_or(Ok(()), |message| Err(failure(message)))]
}
