//! Laws of the symmetries.

use std::collections::HashSet;

use pentad_model::rng::Rng;

use crate::sample::{CheckResult, Sample, in_call};

pub(super) fn preserves_game(sample: &Sample<'_>, rng: &mut Rng) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    let n_symmetries = rules.variants()[variant].n_symmetries as u32;
    let symmetry = rng.below(n_symmetries as usize) as u32;
    let inverse = rules.inverse_symmetry(variant, symmetry).map_err(in_call("inverse"))?;
    let image = rules.apply_symmetry(variant, symmetry, sample.position).map_err(in_call("apply"))?;
    if rules.apply_symmetry(variant, inverse, &image).map_err(in_call("apply"))? != *sample.position {
        return Err(format!("symmetry {inverse} is not the inverse of {symmetry}"));
    }
    let seat = rules.to_move(variant, sample.position).map_err(in_call("to_move"))?;
    let mapped_seat = rules.apply_symmetry_to_seat(variant, symmetry, seat).map_err(in_call("apply_seat"))?;
    if rules.to_move(variant, &image).map_err(in_call("to_move"))? != mapped_seat {
        return Err(format!("symmetry {symmetry} does not map the seat to move"));
    }
    let scores = rules.scores(variant, sample.position).map_err(in_call("outcome"))?;
    let image_scores = rules.scores(variant, &image).map_err(in_call("outcome"))?;
    match (scores, image_scores) {
        (None, None) => {}
        (Some(scores), Some(image_scores)) => {
            for (seat, score) in scores.as_slice().iter().enumerate() {
                let mapped = rules.apply_symmetry_to_seat(variant, symmetry, seat).map_err(in_call("apply_seat"))?;
                if image_scores[mapped] != *score {
                    return Err(format!("symmetry {symmetry} changes the scores"));
                }
            }
        }
        _ => return Err(format!("symmetry {symmetry} changes whether the game is over")),
    }
    preserves_moves(sample, symmetry, &image, rng)
}

fn preserves_moves(sample: &Sample<'_>, symmetry: u32, image: &pentad_host::Position, rng: &mut Rng) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    let image_moves = rules.legal_moves(variant, image, "").map_err(in_call("legal_moves"))?;
    let image_moves: HashSet<String> = image_moves.into_iter().collect();
    let moves = sample.some_moves(rng)?;
    let mut mapped_moves = HashSet::new();
    for mv in &moves {
        let mapped =
            rules.apply_symmetry_to_move(variant, symmetry, sample.position, mv).map_err(in_call("apply_move"))?;
        if !image_moves.contains(&mapped) {
            return Err(format!("symmetry {symmetry} maps `{mv}` to `{mapped}`, which is not legal there"));
        }
        let played_then_mapped =
            rules.apply_symmetry(variant, symmetry, &sample.play(mv)?).map_err(in_call("apply"))?;
        let mapped_then_played = rules.play_known(variant, image, &mapped).map_err(in_call("play"))?;
        if played_then_mapped != mapped_then_played {
            return Err(format!("symmetry {symmetry}: `{mv}` and `{mapped}` do not lead to symmetric positions"));
        }
        mapped_moves.insert(mapped);
    }
    if mapped_moves.len() != moves.len() {
        return Err(format!("symmetry {symmetry} maps two moves to the same move"));
    }
    Ok(())
}

pub(super) fn canonical_form(sample: &Sample<'_>, rng: &mut Rng) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    let (form, symmetry) = rules.canonical(variant, sample.position).map_err(in_call("canonical"))?;
    if rules.apply_symmetry(variant, symmetry, sample.position).map_err(in_call("apply"))? != form {
        return Err(format!("symmetry {symmetry} does not map the position to its canonical form"));
    }
    let other = rng.below(rules.variants()[variant].n_symmetries) as u32;
    let image = rules.apply_symmetry(variant, other, sample.position).map_err(in_call("apply"))?;
    if rules.canonical(variant, &image).map_err(in_call("canonical"))?.0 != form {
        return Err(format!("the image under symmetry {other} has another canonical form"));
    }
    Ok(())
}
