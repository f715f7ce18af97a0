//! Malformed positions and moves.

use pentad_host::CallError;
use pentad_model::rng::Rng;

use crate::report::Failure;
use crate::rules::Place;
use crate::sample::{CheckResult, SampledPosition, VariantSample, in_call};

/// Positions per variant whose texts are mutated.
const POSITIONS_MAX: usize = 50;

/// Parses random and mutated positions and moves. They may be refused but must not
/// cause a fault, and accepted positions must round-trip.
pub(super) fn no_faults(sample: &VariantSample<'_>, rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let mut seeds: Vec<(&SampledPosition, Vec<String>)> = Vec::new();
    for at in sample.spread(POSITIONS_MAX) {
        sample.rules.begin(sample.law, sample.variant, at.place());
        seeds.extend(sample.rules.legal_moves(sample.variant, &at.position, "").ok().map(|moves| (at, moves)));
    }
    let mut results = Vec::new();
    for text_idx in 0..sample.options.n_texts {
        let Some((at, moves)) = seeds.get(rng.below(seeds.len().max(1))) else { break };
        let found_at = format!("text {text_idx}");
        let place = Place { found_at: &found_at, ..at.place() };
        results.push(sample.rules.attempt(sample.law, sample.variant, place, || {
            if text_idx % 2 == 0 || moves.is_empty() {
                check_position(sample, &mutated(&at.text, rng))
            } else {
                check_move(sample, at, &mutated(&moves[rng.below(moves.len())], rng))
            }
        }));
    }
    results
}

fn check_position(sample: &VariantSample<'_>, text: &str) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    match rules.parse(variant, text) {
        Ok(position) => {
            let canonical = rules.format(variant, &position).map_err(in_call("format"))?;
            let again = rules.parse(variant, &canonical);
            let again = again.map_err(|error| {
                format!("{text:?} is accepted, but its canonical text {canonical:?} does not parse: {error}")
            })?;
            if again != position {
                return Err(format!("{text:?} and its canonical text {canonical:?} are different positions"));
            }
            rules.scores(variant, &position).map_err(in_call("outcome"))?;
            rules.count_moves(variant, &position, "").map_err(in_call("count_moves"))?;
            Ok(())
        }
        Err(CallError::Malformed { message, column, .. }) => {
            let is_outside = column.is_some_and(|column| column as usize > text.len() + 1);
            if message.is_empty() || is_outside {
                return Err(format!("{text:?} is refused without a usable message or column"));
            }
            Ok(())
        }
        Err(error) => Err(format!("{text:?}: {error}")),
    }
}

fn check_move(sample: &VariantSample<'_>, at: &SampledPosition, text: &str) -> CheckResult {
    match sample.rules.play(sample.variant, &at.position, text) {
        Ok(_) | Err(CallError::GameOver) => Ok(()),
        Err(CallError::Malformed { message, .. } | CallError::Illegal { message, .. }) if !message.is_empty() => Ok(()),
        Err(error) => Err(format!("move {text:?}: {error}")),
    }
}

/// Returns the text with a few characters replaced, removed, swapped or inserted;
/// sometimes an entirely random one.
fn mutated(text: &str, rng: &mut Rng) -> String {
    const ODD: &[char] =
        &[' ', '/', '-', '0', '9', 'w', 'b', 'A', '~', '=', '@', '+', '\0', '\n', 'é', '𝄞', '\u{202e}'];
    let mut chars: Vec<char> = if rng.below(20) == 0 { Vec::new() } else { text.chars().collect() };
    for _ in 0..=rng.below(4) {
        let at = rng.below(chars.len() + 1);
        let any = if rng.below(2) == 0 { ODD[rng.below(ODD.len())] } else { (32 + rng.below(95)) as u8 as char };
        match rng.below(5) {
            0 => chars.insert(at, any),
            1 if at < chars.len() => chars[at] = any,
            2 if at < chars.len() => _ = chars.remove(at),
            3 if at < chars.len() => {
                let other = rng.below(chars.len());
                chars.swap(at, other);
            }
            4 if rng.below(50) == 0 => chars.extend(std::iter::repeat_n(any, 3000)),
            _ => {}
        }
    }
    chars.into_iter().collect()
}
