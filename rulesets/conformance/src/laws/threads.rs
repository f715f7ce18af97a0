//! The law of concurrent calls.

use pentad_model::rng::Rng;

use crate::report::Failure;
use crate::sample::{VariantSample, in_call};

const THREADS: usize = 4;
/// Positions per variant.
const POSITIONS_MAX: usize = 60;

/// Makes the same calls on several threads and compares their results.
pub(super) fn same_results(sample: &VariantSample<'_>, _rng: &mut Rng) -> Vec<Result<(), Failure>> {
    let (rules, variant) = (sample.rules, sample.variant);
    let run_calls = || -> Result<Vec<String>, String> {
        let mut outputs = Vec::new();
        for at in sample.spread(POSITIONS_MAX) {
            let text = rules.format(variant, &at.position).map_err(in_call("format"))?;
            let read = rules.parse(variant, &text).map_err(in_call("parse"))?;
            let moves = rules.legal_moves(variant, &read, "").map_err(in_call("legal_moves"))?;
            outputs.push(format!("{text} {}", moves.len()));
            if let Some(mv) = moves.last() {
                let next = rules.play_known(variant, &read, mv).map_err(in_call("play"))?;
                outputs.push(rules.format(variant, &next).map_err(in_call("format"))?);
            }
        }
        Ok(outputs)
    };
    let run_on_threads = || {
        let results: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(run_calls)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())))
                .collect()
        });
        match &results[0] {
            Err(message) => Err(message.clone()),
            Ok(_) if results.iter().any(|result| *result != results[0]) => {
                Err("two threads got different results".to_owned())
            }
            Ok(_) => Ok(()),
        }
    };
    let found_at = format!("{THREADS} threads");
    vec![rules.attempt(sample.law, variant, &found_at, "the sampled positions", run_on_threads)]
}
