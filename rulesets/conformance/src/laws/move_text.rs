//! The law that moves have words.

use std::collections::HashMap;

use pentad_host::Position;
use pentad_model::i18n::{Language, Message};
use pentad_model::rng::Rng;

use crate::report::Failure;
use crate::sample::{CheckResult, SampledPosition, VariantSample, in_call};

/// Positions per variant whose moves are said.
const SAID_MAX: usize = 40;
/// Moves of a position that are said.
const MOVES_MAX: usize = 300;

/// Checks that every move has a message, that it renders as a phrase, different for each
/// move of a position, in every language, and that a reply has the same message in the
/// position before.
pub(super) fn is_spoken(sample: &VariantSample<'_>, rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    sample.spread(SAID_MAX).map(|at| sample.attempt(at, || check(sample, at, rng))).collect()
}

fn check(sample: &VariantSample<'_>, at: &SampledPosition, rng: &mut Rng) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    let Some(catalogue) = rules.catalogue() else { return Ok(()) };
    let mut moves = rules.legal_moves(variant, &at.position, "").map_err(in_call("legal_moves"))?;
    moves.truncate(MOVES_MAX);
    let said = say(sample, &at.position, &moves)?;
    let seats = &rules.variants()[variant].seats;
    for language in Language::ALL {
        let mut said_by: HashMap<String, &String> = HashMap::new();
        for (mv, message) in moves.iter().zip(&said) {
            let phrase = catalogue.render_phrase(language, message, seats);
            if phrase.is_empty() || phrase.trim() != phrase || phrase.ends_with('.') {
                return Err(format!("`{mv}` is {phrase:?} in the language `{language}`, which is not a phrase"));
            }
            if let Some(other) = said_by.insert(phrase.clone(), mv) {
                return Err(format!("`{mv}` and `{other}` are both {phrase:?} in the language `{language}`"));
            }
        }
    }
    let Some(mv) = moves.get(rng.below(moves.len().max(1))) else { return Ok(()) };
    let next = rules.play_known(variant, &at.position, mv).map_err(in_call("play"))?;
    let mut replies = rules.legal_moves(variant, &next, "").map_err(in_call("legal_moves"))?;
    replies.truncate(MOVES_MAX);
    let (then, before) = (say(sample, &next, &replies)?, say(sample, &at.position, &replies)?);
    let differs = then.iter().zip(&before).position(|(then, before)| then != before);
    differs.map_or(Ok(()), |idx| Err(format!("the reply `{}` to `{mv}` has another message before it", replies[idx])))
}

/// Returns the message of each move; all of them have one.
fn say(sample: &VariantSample<'_>, position: &Position, moves: &[String]) -> Result<Vec<Message>, String> {
    let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
    let said = sample.rules.say_moves(sample.variant, position, &texts).map_err(in_call("move_text"))?;
    let named = said.into_iter().zip(moves);
    named.map(|(message, mv)| message.ok_or_else(|| format!("there are no words for `{mv}`"))).collect()
}
