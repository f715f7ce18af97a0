//! The law of concurrent calls.

use std::sync::Barrier;
use std::thread;

use pentad_host::Position;
use pentad_model::rng::Rng;

use crate::report::Failure;
use crate::rules::{Place, Rules};
use crate::sample::{SampledPosition, VariantSample, in_call};

const THREADS: usize = 4;
/// Positions per variant.
const POSITIONS_MAX: usize = 24;
/// How often each thread goes through the positions, each time in another order.
const ROUNDS: usize = 8;

/// Makes the same calls on one thread, and then on several at the same time, each on
/// another position, and compares their results. A library that keeps a position in a
/// static variable mixes them up.
pub(super) fn same_results(sample: &VariantSample<'_>, rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let (rules, variant) = (sample.rules, sample.variant);
    let positions: Vec<&SampledPosition> = sample.spread(POSITIONS_MAX).collect();
    let mut expected = Vec::new();
    let mut results = Vec::new();
    for at in &positions {
        results.push(sample.attempt(at, || {
            expected.push(outputs(rules, variant, &at.position)?);
            Ok(())
        }));
    }
    if results.iter().any(Result::is_err) {
        return results;
    }
    let seeds: Vec<u64> = (0..THREADS).map(|_| rng.next_u64()).collect();
    let found_at = format!("{THREADS} threads at the same time");
    let place = Place { found_at: &found_at, ..Place::default() };
    results.push(rules.attempt(sample.law, variant, place, || {
        let barrier = Barrier::new(THREADS);
        let run = |seed: u64| {
            barrier.wait();
            on_one_thread(rules, variant, &positions, &expected, &mut Rng::new(seed))
        };
        let run = &run;
        let found: Vec<Result<(), String>> = thread::scope(|scope| {
            let threads: Vec<_> = seeds.iter().map(|&seed| scope.spawn(move || run(seed))).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join();
            threads.into_iter().map(|it| join(it).unwrap_or_else(|_| Err("a thread panicked".to_owned()))).collect()
        });
        found.into_iter().collect()
    }));
    results
}

fn on_one_thread(
    rules: &Rules<'_>,
    variant: usize,
    positions: &[&SampledPosition],
    expected: &[String],
    rng: &mut Rng,
) -> Result<(), String> {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    for _ in 0..ROUNDS {
        for idx in (1..order.len()).rev() {
            order.swap(idx, rng.below(idx + 1));
        }
        for &idx in &order {
            let at = positions[idx];
            let found = outputs(rules, variant, &at.position)?;
            if found != expected[idx] {
                return Err(format!(
                    "the calls on `{}` ({}) return {found:?} beside other threads, and {:?} alone",
                    at.text, at.found_at, expected[idx]
                ));
            }
        }
    }
    Ok(())
}

/// Makes one call of each kind on a position and writes down what they return.
fn outputs(rules: &Rules<'_>, variant: usize, position: &Position) -> Result<String, String> {
    let text = rules.format(variant, position).map_err(in_call("format"))?;
    let read = rules.parse(variant, &text).map_err(in_call("parse"))?;
    let seat = rules.to_move(variant, &read).map_err(in_call("to_move"))?;
    let scores = rules.scores(variant, &read).map_err(in_call("outcome"))?;
    let moves = rules.legal_moves(variant, &read, "").map_err(in_call("legal_moves"))?;
    let mut output = format!("{text} {seat} {scores:?} {}", moves.len());
    for mv in [moves.first(), moves.last()].into_iter().flatten() {
        let next = rules.play_known(variant, &read, mv).map_err(in_call("play"))?;
        output.push_str(&format!(" {mv} {}", rules.format(variant, &next).map_err(in_call("format"))?));
    }
    if rules.variants()[variant].n_symmetries > 1 {
        let (canonical, symmetry) = rules.canonical(variant, &read).map_err(in_call("canonical"))?;
        output.push_str(&format!(" {canonical:?} {symmetry}"));
    }
    if rules.variants()[variant].board.is_some() {
        output.push_str(&format!(" {:?}", rules.pieces(variant, &read).map_err(in_call("pieces"))?));
    }
    Ok(output)
}
