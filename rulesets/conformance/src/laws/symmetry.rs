//! Symmetries.

use std::collections::HashSet;

use pentad_search::rng::Rng;

use crate::site::{Held, Site, legal_moves, told};

pub(super) fn kept(site: &Site<'_>, rng: &mut Rng) -> Held {
    let (rules, variant) = (site.ruleset, site.variant);
    let n_symmetries = rules.variants()[variant].n_symmetries as u32;
    if n_symmetries == 1 {
        return Ok(());
    }
    let symmetry = rng.below(n_symmetries as usize) as u32;
    let inverse = rules.inverse_symmetry(variant, symmetry).map_err(told("inverse"))?;
    let image = rules.apply_symmetry(variant, symmetry, site.position).map_err(told("apply"))?;
    if rules.apply_symmetry(variant, inverse, &image).map_err(told("apply"))? != *site.position {
        return Err(format!("symmetry {inverse} does not undo {symmetry}"));
    }
    let seat = rules.to_move(variant, site.position).map_err(told("to_move"))?;
    let mapped_seat = rules.apply_symmetry_to_seat(variant, symmetry, seat).map_err(told("apply_seat"))?;
    if rules.to_move(variant, &image).map_err(told("to_move"))? != mapped_seat {
        return Err(format!("symmetry {symmetry} does not map the seat to move"));
    }
    let scores = rules.scores(variant, site.position).map_err(told("outcome"))?;
    let image_scores = rules.scores(variant, &image).map_err(told("outcome"))?;
    match (scores, image_scores) {
        (None, None) => {}
        (Some(scores), Some(image_scores)) => {
            for (seat, score) in scores.as_slice().iter().enumerate() {
                let mapped = rules.apply_symmetry_to_seat(variant, symmetry, seat).map_err(told("apply_seat"))?;
                if image_scores[mapped] != *score {
                    return Err(format!("symmetry {symmetry} changes the scores"));
                }
            }
        }
        _ => return Err(format!("symmetry {symmetry} changes whether the game is over")),
    }
    moves_kept(site, symmetry, &image, rng)
}

fn moves_kept(site: &Site<'_>, symmetry: u32, image: &pentad_host::Position, rng: &mut Rng) -> Held {
    let (rules, variant) = (site.ruleset, site.variant);
    let image_moves: HashSet<String> = legal_moves(rules, variant, image, "")?.into_iter().collect();
    let moves = site.some_moves(rng)?;
    let mut mapped_moves = HashSet::new();
    for mv in &moves {
        let mapped = rules.apply_symmetry_to_move(variant, symmetry, site.position, mv).map_err(told("apply_move"))?;
        if !image_moves.contains(&mapped) {
            return Err(format!("symmetry {symmetry} maps `{mv}` to `{mapped}`, which is not legal there"));
        }
        let played_then_mapped = rules.apply_symmetry(variant, symmetry, &site.play(mv)?).map_err(told("apply"))?;
        let mapped_then_played = rules.play_known(variant, image, &mapped).map_err(told("play"))?;
        if played_then_mapped != mapped_then_played {
            return Err(format!("symmetry {symmetry}: `{mv}` and `{mapped}` do not lead to symmetric positions"));
        }
        mapped_moves.insert(mapped);
    }
    if mapped_moves.len() != moves.len() {
        return Err(format!("symmetry {symmetry} maps two moves to one"));
    }
    Ok(())
}

pub(super) fn canonical(site: &Site<'_>, rng: &mut Rng) -> Held {
    let (rules, variant) = (site.ruleset, site.variant);
    let (form, symmetry) = rules.canonical(variant, site.position).map_err(told("canonical"))?;
    if rules.apply_symmetry(variant, symmetry, site.position).map_err(told("apply"))? != form {
        return Err(format!("symmetry {symmetry} does not lead to the canonical form"));
    }
    let other = rng.below(rules.variants()[variant].n_symmetries) as u32;
    let image = rules.apply_symmetry(variant, other, site.position).map_err(told("apply"))?;
    if rules.canonical(variant, &image).map_err(told("canonical"))?.0 != form {
        return Err(format!("the image under symmetry {other} has another canonical form"));
    }
    Ok(())
}
