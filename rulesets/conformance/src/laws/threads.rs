//! The law of concurrent calls.

use std::sync::Arc;

use pentad_host::{Position, Ruleset};
use pentad_search::rng::Rng;

use crate::Options;
use crate::report::Failure;
use crate::sample::{in_call, legal_moves};

const THREADS: usize = 4;

/// Every thread makes the same calls; their results must be equal.
pub(super) fn same_results(
    ruleset: &Arc<Ruleset>,
    variant: usize,
    _options: &Options,
    positions: &[Position],
    _rng: &mut Rng,
) -> Vec<Result<(), Failure>> {
    let run_calls = || -> Result<Vec<String>, String> {
        let mut outputs = Vec::new();
        for position in positions.iter().take(60) {
            let text = ruleset.format(variant, position).map_err(in_call("format"))?;
            let read = ruleset.parse(variant, &text).map_err(in_call("parse"))?;
            let moves = legal_moves(ruleset, variant, &read, "")?;
            outputs.push(format!("{text} {}", moves.len()));
            if let Some(mv) = moves.last() {
                let next = ruleset.play_known(variant, &read, mv).map_err(in_call("play"))?;
                outputs.push(ruleset.format(variant, &next).map_err(in_call("format"))?);
            }
        }
        Ok(outputs)
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(run_calls)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())))
            .collect()
    });
    let failed = match &results[0] {
        Err(message) => Some(message.clone()),
        Ok(_) if results.iter().any(|result| *result != results[0]) => {
            Some("two threads got different results".to_owned())
        }
        Ok(_) => None,
    };
    let failure = |message| Failure {
        variant: ruleset.variants()[variant].id.clone(),
        position: "the sampled positions".to_owned(),
        found_at: format!("{THREADS} threads"),
        message,
    };
    vec![failed.map_or(Ok(()), |message| Err(failure(message)))]
}
