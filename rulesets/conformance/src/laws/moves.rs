//! The list of moves, and what playing them does.

use std::collections::HashSet;

use pentad_host::CallError;
use pentad_search::rng::Rng;

use crate::site::{Held, Site, legal_moves, told};

pub(super) fn accepted(site: &Site<'_>, rng: &mut Rng) -> Held {
    for mv in site.some_moves(rng)? {
        let played = site.ruleset.play(site.variant, site.position, &mv);
        let played = played.map_err(|error| format!("`{mv}` is listed and refused: {error}"))?;
        if played.canonical != mv {
            return Err(format!("`{mv}` is listed, but is called `{}` when played", played.canonical));
        }
    }
    Ok(())
}

/// Tries variations of listed moves: whatever is accepted must be listed under
/// the name it is given.
pub(super) fn listed(site: &Site<'_>, rng: &mut Rng) -> Held {
    let moves = site.moves()?;
    let known: HashSet<&str> = moves.iter().map(String::as_str).collect();
    for _ in 0..moves.len().min(20) {
        let mut text = moves[rng.below(moves.len())].clone();
        let other = &moves[rng.below(moves.len())];
        match rng.below(3) {
            0 => text = format!("{}{}", &text[..rng.below(text.len())], &other[rng.below(other.len())..]),
            1 => _ = text.pop(),
            _ => text.push_str(&other[..1]),
        }
        match site.ruleset.play(site.variant, site.position, &text) {
            Ok(played) if !known.contains(played.canonical.as_str()) => {
                return Err(format!("`{text}` is accepted as `{}`, which is not listed", played.canonical));
            }
            Ok(_) if text.is_empty() => return Err("an empty move is accepted".to_owned()),
            Ok(_) | Err(CallError::Malformed { .. } | CallError::Illegal { .. }) => {}
            Err(error) => return Err(format!("`{text}`: {error}")),
        }
    }
    Ok(())
}

pub(super) fn counted(site: &Site<'_>, rng: &mut Rng) -> Held {
    let moves = site.moves()?;
    if moves.iter().collect::<HashSet<_>>().len() != moves.len() {
        return Err("a move is listed twice".to_owned());
    }
    if site.moves()? != moves {
        return Err("two listings differ".to_owned());
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
        let found = legal_moves(site.ruleset, site.variant, site.position, &prefix)?;
        if found.iter().collect::<Vec<_>>() != wanted {
            return Err(format!("prefix `{prefix}` lists {} moves of {}", found.len(), wanted.len()));
        }
        let count = site.ruleset.count_moves(site.variant, site.position, &prefix).map_err(told("count_moves"))?;
        if count != wanted.len() as u64 {
            return Err(format!("prefix `{prefix}` counts {count}, lists {}", wanted.len()));
        }
    }
    Ok(())
}

pub(super) fn unchanged(site: &Site<'_>, rng: &mut Rng) -> Held {
    let before = site.position.clone();
    for mv in site.some_moves(rng)? {
        let once = site.play(&mv)?;
        if *site.position != before {
            return Err(format!("`{mv}` changed the position it was played in"));
        }
        if site.play(&mv)? != once {
            return Err(format!("`{mv}` leads elsewhere the second time"));
        }
    }
    Ok(())
}

pub(super) fn fresh(site: &Site<'_>, rng: &mut Rng) -> Held {
    for mv in site.some_moves(rng)? {
        let next = site.play(&mv)?;
        let text = site.ruleset.format(site.variant, &next).map_err(told("format"))?;
        let read = site.ruleset.parse(site.variant, &text);
        let read = read.map_err(|error| format!("after `{mv}` the text `{text}` is refused: {error}"))?;
        if read != next {
            return Err(format!("after `{mv}` the bytes differ from those read from `{text}`"));
        }
    }
    Ok(())
}
