//! The crate and its twin, side by side over random games and broken texts.

use pentad_sdk::Ruleset;
use pentad_sdk::search::rng::Rng;
use pentaflip::{Move, Pentaflip, Position};

use crate::support::{moves, text, walk};
use crate::twin::Twin;

const N_GAMES: u64 = 1_500;
/// Of this many positions, one is compared with all its successors.
const ALL_SUCCESSORS: usize = 8;
const N_MUTATIONS: usize = 250_000;

/// Legal moves, successors, outcomes and sides agree in every game.
#[test]
fn games_agree() {
    let mut n_ends = [0; 3];
    for seed in 0..N_GAMES {
        let mut rng = Rng::new(seed);
        let game = walk(&mut rng);
        let mut twin = Twin::parse(&text(&game[0])).unwrap();
        assert_eq!(Twin { side: 'w', ..twin.clone() }, Twin::start());
        for (ply, position) in game.iter().enumerate() {
            let legal = compare_position(position, &twin, rng.below(ALL_SUCCESSORS) == 0, seed);
            let Some(next) = game.get(ply + 1) else { break };
            let played = legal.into_iter().find(|mv| Pentaflip.play(position, mv) == *next).unwrap();
            twin = twin.play(played.text());
        }
        if let Some(outcome) = twin.outcome() {
            n_ends[(outcome.scores[0] * 2.0) as usize] += 1;
        }
    }
    assert!(n_ends.iter().all(|&n| n > 0), "black, draw, white: {n_ends:?}");
}

/// Compares all that can be said of one position, and gives its legal moves.
fn compare_position(position: &Position, twin: &Twin, all_successors: bool, seed: u64) -> Vec<Move> {
    let context = || format!("seed {seed}, {}", twin.format());
    assert_eq!(text(position), twin.format(), "{}", context());
    assert_eq!(Pentaflip.parse(&twin.format()).as_ref(), Ok(position), "{}", context());
    assert_eq!(["w", "b"][Pentaflip.to_move(position)], twin.side.to_string(), "{}", context());
    let (outcome, twin_outcome) = (Pentaflip.outcome(position), twin.outcome());
    assert_eq!(outcome.is_some(), twin_outcome.is_some(), "{}", context());
    if let (Some(outcome), Some(twin_outcome)) = (outcome, twin_outcome) {
        assert_eq!(outcome.scores.as_slice(), twin_outcome.scores, "{}", context());
        assert_eq!(outcome.places, twin_outcome.places, "{}", context());
    }
    let legal = moves(position);
    let twin_legal = twin.legal();
    assert_eq!(legal.iter().map(|mv| mv.text()).collect::<Vec<_>>(), twin_legal, "{}", context());
    assert_eq!(Pentaflip.count_moves(position, ""), twin_legal.len() as u64, "{}", context());
    assert_eq!(legal.is_empty(), twin_outcome.is_some(), "{}", context());
    if all_successors {
        for mv in &legal {
            let next = text(&Pentaflip.play(position, mv));
            assert_eq!(next, twin.play(mv.text()).format(), "{} {mv:?}", context());
        }
    }
    legal
}

/// What one accepts, the other accepts, and both read it the same.
#[test]
fn acceptance_agrees() {
    let mut rng = Rng::new(17);
    let mut n_accepted = 0;
    let mut seeds = Vec::new();
    for _ in 0..50 {
        seeds.extend(walk(&mut rng).iter().map(text));
    }
    for _ in 0..N_MUTATIONS {
        let mutated = mutate(&seeds[rng.below(seeds.len())], &mut rng);
        let (ours, twin) = (Pentaflip.parse(&mutated), Twin::parse(&mutated));
        assert_eq!(ours.is_ok(), twin.is_some(), "{mutated:?} {ours:?}");
        let (Ok(ours), Some(twin)) = (ours, twin) else { continue };
        n_accepted += 1;
        assert_eq!(text(&ours), twin.format(), "{mutated:?}");
        // No game need have led there; the rules go on all the same.
        if n_accepted % 32 == 0 {
            compare_position(&ours, &twin, n_accepted % 512 == 0, 17);
        }
    }
    assert!(n_accepted > N_MUTATIONS / 100, "only {n_accepted} mutations were accepted");
}

/// One to three small changes.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"wwwbbbWB112233456/  LRTB07x-";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(3) {
        let letter = LETTERS[rng.below(LETTERS.len())];
        let at = rng.below(bytes.len().max(1)).min(bytes.len());
        match rng.below(8) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 => bytes.insert(at, letter),
            2 if at + 1 < bytes.len() => bytes.swap(at, at + 1),
            3 | 4 => split_run(&mut bytes, at),
            // One more ring, where there is room for it.
            5 => {
                if let Some(at) = bytes.iter().skip(at).position(|&byte| byte == b'1').map(|found| found + at) {
                    bytes[at] = *b"wb".get(rng.below(2)).unwrap_or(&b'w');
                }
            }
            6 => {
                // Another end.
                if let Some(last) = bytes.last_mut() {
                    *last = letter;
                }
            }
            _ if at < bytes.len() => bytes[at] = letter,
            _ => {}
        }
    }
    String::from_utf8(bytes).expect("only ASCII was written")
}

/// Writes a run of empty holes as two.
fn split_run(bytes: &mut Vec<u8>, at: usize) {
    if let Some(&digit @ b'2'..=b'6') = bytes.get(at) {
        bytes[at] = b'1';
        bytes.insert(at + 1, digit - 1);
    }
}
