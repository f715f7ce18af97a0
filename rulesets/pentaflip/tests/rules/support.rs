use pentad_sdk::rng::Rng;
use pentad_sdk::{Ruleset, testing};
use pentaflip::{Move, Pentaflip, Position};

/// Random games are abandoned after this many plies: flips may repeat forever.
pub(crate) const PLIES_MAX: usize = 400;

pub(crate) fn parse(text: &str) -> Position {
    testing::parse(&Pentaflip, text)
}

pub(crate) fn text(position: &Position) -> String {
    testing::text(&Pentaflip, position)
}

pub(crate) fn moves(position: &Position) -> Vec<Move> {
    testing::moves(&Pentaflip, position)
}

/// Returns the positions of a random game from the start. In one game of three, rings
/// are placed whenever possible, so that many get on the board.
pub(crate) fn walk(rng: &mut Rng) -> Vec<Position> {
    let mut positions = vec![Pentaflip.start()];
    if rng.below(2) == 1 {
        // Either colour may start.
        positions[0] = parse("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -");
    }
    let prefers_placing = rng.below(3) == 0;
    while positions.len() < PLIES_MAX {
        let last = positions[positions.len() - 1];
        let mut moves = moves(&last);
        if moves.is_empty() {
            break;
        }
        if prefers_placing && rng.below(8) != 0 && moves[0].as_placement().is_some() {
            moves.retain(|mv| mv.as_placement().is_some());
        }
        positions.push(Ruleset::play(&Pentaflip, &last, &moves[rng.below(moves.len())]));
    }
    positions
}

/// Returns a random position with `n_rings` rings on the board that is not over.
pub(crate) fn ongoing(rng: &mut Rng, n_rings: u32) -> Position {
    loop {
        let candidates: Vec<Position> = walk(rng)
            .into_iter()
            .filter(|position| position.n_rings() == n_rings && Pentaflip.game_result(position).is_none())
            .collect();
        if !candidates.is_empty() {
            return candidates[rng.below(candidates.len())];
        }
    }
}

/// Compares a file of this package with its expected content, or writes it if
/// `PENTAD_BLESS` is set.
pub(crate) fn compare_or_bless(path: &str, expected: &str) {
    testing::compare_or_bless(env!("CARGO_MANIFEST_DIR"), path, expected);
}
