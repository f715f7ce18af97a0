//! Laws of the list of legal moves, and of playing them.

use std::collections::HashSet;

use pentad_host::CallError;
use pentad_model::rng::Rng;

use crate::sample::{CheckResult, Sample, in_call};

pub(super) fn listed_moves_are_legal(sample: &Sample<'_>, rng: &mut Rng) -> CheckResult {
    for mv in sample.some_moves(rng)? {
        let played = sample.rules.play(sample.variant, sample.position, &mv);
        let played = played.map_err(|error| format!("`{mv}` is listed as legal, but playing it fails: {error}"))?;
        if played.canonical != mv {
            return Err(format!("`{mv}` is listed, but its canonical text is `{}` when played", played.canonical));
        }
    }
    Ok(())
}

/// Plays mutations of listed moves: the canonical text of any that is accepted must
/// be listed.
pub(super) fn legal_moves_are_listed(sample: &Sample<'_>, rng: &mut Rng) -> CheckResult {
    let moves = sample.moves()?;
    let listed: HashSet<&str> = moves.iter().map(String::as_str).collect();
    for _ in 0..moves.len().min(20) {
        let mut text = moves[rng.below(moves.len())].clone();
        let other = &moves[rng.below(moves.len())];
        match rng.below(3) {
            0 => text = format!("{}{}", &text[..rng.below(text.len())], &other[rng.below(other.len())..]),
            1 => _ = text.pop(),
            _ => text.push_str(&other[..1]),
        }
        match sample.rules.play(sample.variant, sample.position, &text) {
            Ok(played) if !listed.contains(played.canonical.as_str()) => {
                return Err(format!("`{text}` is accepted as `{}`, which is not listed", played.canonical));
            }
            Ok(_) if text.is_empty() => return Err("an empty move is accepted".to_owned()),
            Ok(_) | Err(CallError::Malformed { .. } | CallError::Illegal { .. }) => {}
            Err(error) => return Err(format!("`{text}`: {error}")),
        }
    }
    Ok(())
}

pub(super) fn counts_and_prefixes(sample: &Sample<'_>, rng: &mut Rng) -> CheckResult {
    let moves = sample.moves()?;
    if moves.iter().collect::<HashSet<_>>().len() != moves.len() {
        return Err("a move is listed twice".to_owned());
    }
    if sample.moves()? != moves {
        return Err("two lists of the same position differ".to_owned());
    }
    let mut prefixes = vec![String::new()];
    if !moves.is_empty() {
        let mv = &moves[rng.below(moves.len())];
        prefixes.push(mv[..1].to_owned());
        prefixes.push(mv[..1 + rng.below(mv.len())].to_owned());
        prefixes.push(mv.clone());
    }
    for prefix in prefixes {
        let wanted: Vec<&String> = moves.iter().filter(|mv| mv.starts_with(&prefix)).collect();
        let found =
            sample.rules.legal_moves(sample.variant, sample.position, &prefix).map_err(in_call("legal_moves"))?;
        if found.iter().collect::<Vec<_>>() != wanted {
            return Err(format!(
                "the prefix `{prefix}` lists {} moves, the full list has {}",
                found.len(),
                wanted.len()
            ));
        }
        let count =
            sample.rules.count_moves(sample.variant, sample.position, &prefix).map_err(in_call("count_moves"))?;
        if count != wanted.len() as u64 {
            return Err(format!("count_moves of the prefix `{prefix}` is {count}, the list has {}", wanted.len()));
        }
    }
    Ok(())
}

pub(super) fn playing_is_pure(sample: &Sample<'_>, rng: &mut Rng) -> CheckResult {
    let before = sample.position.clone();
    for mv in sample.some_moves(rng)? {
        let once = sample.play(&mv)?;
        if *sample.position != before {
            return Err(format!("playing `{mv}` changes the original position"));
        }
        if sample.play(&mv)? != once {
            return Err(format!("playing `{mv}` twice leads to different positions"));
        }
    }
    Ok(())
}

pub(super) fn played_equals_parsed(sample: &Sample<'_>, rng: &mut Rng) -> CheckResult {
    for mv in sample.some_moves(rng)? {
        let next = sample.play(&mv)?;
        let text = sample.rules.format(sample.variant, &next).map_err(in_call("format"))?;
        let read = sample.rules.parse(sample.variant, &text);
        let read = read.map_err(|error| {
            format!("the position after `{mv}` is written as `{text}`, which does not parse: {error}")
        })?;
        if read != next {
            return Err(format!("the bytes after `{mv}` differ from those parsed from `{text}`"));
        }
    }
    Ok(())
}
