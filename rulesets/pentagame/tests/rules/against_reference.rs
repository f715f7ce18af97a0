//! The crate agrees with the reference on random games, racing games, random
//! positions and broken texts.

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::testing::random_move;
use pentad_sdk::testing::reference::{Expected, broken, check_acceptance, check_moves, check_position};
use pentagame::{Move, Pentagame, Position};

use crate::reference::ReferenceGame;
use crate::support::{moves, racing_move, random_position, rules, text};

const N_GAMES: u64 = 200;
/// A random game is cut off after this many plies; it hardly ever ends.
const RANDOM_PLIES: usize = 40;
const RACING_PLIES: usize = 120;
/// One position in this many is compared with its full list of moves, and with up to
/// `N_SUCCESSORS` of its successors.
const FULL_LIST_INTERVAL: usize = 12;
const N_SUCCESSORS: usize = 50;
const N_RANDOM_POSITIONS: usize = 300;
const N_MUTATIONS: usize = 20_000;

/// How often the games exercised each rule, so that a comparison that exercised none
/// fails.
#[derive(Debug, Default, PartialEq)]
struct Coverage {
    out: usize,
    forced: usize,
    double: usize,
    /// A grey block moved because none was left outside.
    moved_grey: usize,
    swap: usize,
    beaten_black: usize,
    beaten_grey: usize,
    ko: usize,
    won_alone: usize,
    shared: usize,
}

impl Coverage {
    fn record(&mut self, position: &Position, mv: Move) {
        let is_on = |stops: pentagame::Stops| mv.to().is_some_and(|to| stops.contains(to));
        self.out += usize::from(mv.greys().count() == 1);
        self.forced += usize::from(mv.to().is_none());
        self.double += usize::from(mv.greys().count() == 2);
        self.moved_grey += usize::from(mv.greys().any(|grey| grey.from.is_some()));
        self.swap += usize::from(mv.swapped_figure().is_some());
        self.beaten_black += usize::from(is_on(position.black()));
        self.beaten_grey += usize::from(is_on(position.grey()));
        self.ko += usize::from(position.ko().is_some());
    }
}

// Legal moves, successors, outcomes and seats to move agree in every game.
pentad_sdk::variant_tests!(
    compare_games: games_of_two_agree = "2p",
    games_of_three_agree = "3p",
    games_of_four_agree = "4p",
);

fn compare_games(variant: &str) {
    let game = rules(variant);
    let mut coverage = Coverage::default();
    for seed in 0..N_GAMES {
        let mut rng = Rng::new(seed);
        compare_game(&game, game.start(), RANDOM_PLIES, &mut rng, false, &mut coverage);
        // Every other race starts from a random position.
        let start = if seed % 2 == 0 { game.start() } else { random_position(&game, &mut rng) };
        compare_game(&game, start, RACING_PLIES, &mut rng, true, &mut coverage);
    }
    let Coverage { out, forced, double, moved_grey, swap, beaten_black, beaten_grey, ko, won_alone, shared } = coverage;
    let least = [out, forced, double, moved_grey, swap, beaten_black, beaten_grey, ko, shared].into_iter().min();
    assert!(least >= Some(5) && won_alone >= 20, "{variant}: {coverage:?}");
}

fn compare_game(
    game: &Pentagame,
    start: Position,
    plies_max: usize,
    rng: &mut Rng,
    racing: bool,
    coverage: &mut Coverage,
) {
    let mut position = start;
    let mut reference = ReferenceGame::parse(game.n_seats(), &text(game, &position)).unwrap();
    for _ in 0..plies_max {
        compare_position(game, &position, &reference, rng.below(FULL_LIST_INTERVAL) == 0);
        if let Some((scores, _)) = reference.outcome() {
            let shared = scores.iter().filter(|&&score| score > 0.0).count() > 1;
            *(if shared { &mut coverage.shared } else { &mut coverage.won_alone }) += 1;
            return;
        }
        let mv = if racing { racing_move(game, &position, rng) } else { random_move(game, &position, rng) };
        coverage.record(&position, mv);
        position = game.play(&position, &mv);
        reference = reference.play(&mv.text());
    }
}

/// Compares everything about one position.
fn compare_position(game: &Pentagame, position: &Position, reference: &ReferenceGame, full_list: bool) {
    let origin = format!("{} players", reference.n_players);
    let expected =
        Expected { origin, text: reference.format(), to_move: reference.to_move, outcome: reference.outcome() };
    check_position(game, position, &expected);
    if full_list {
        check_moves(game, position, &expected, &reference.legal(), N_SUCCESSORS, |mv| reference.play(mv).format());
    }
}

/// They agree on random positions, of kinds that games seldom reach.
#[test]
fn random_positions_agree() {
    for variant in ["2p", "3p", "4p"] {
        let game = rules(variant);
        let mut rng = Rng::new(3);
        let mut coverage = Coverage::default();
        for n in 0..N_RANDOM_POSITIONS {
            let position = random_position(&game, &mut rng);
            if game.count_moves(&position, "") > 40_000 {
                continue;
            }
            let reference = ReferenceGame::parse(game.n_seats(), &text(&game, &position)).unwrap();
            compare_position(&game, &position, &reference, n % 4 == 0);
            moves(&game, &position).iter().step_by(97).for_each(|mv| coverage.record(&position, *mv));
        }
        assert!(coverage.double > 0 && coverage.forced > 0 && coverage.moved_grey > 0, "{variant}: {coverage:?}");
    }
}

/// Both accept the same texts, and parse them to the same positions.
#[test]
fn acceptance_agrees() {
    for variant in ["2p", "3p", "4p"] {
        let game = rules(variant);
        let mut rng = Rng::new(17);
        let positions: Vec<Position> = (0..50).map(|_| random_position(&game, &mut rng)).collect();
        let texts = broken(&game, &positions, N_MUTATIONS, rng, mutate);
        let read = |text: &str| ReferenceGame::parse(game.n_seats(), text);
        check_acceptance(&game, texts, read, ReferenceGame::format, |_, _, _| {});
    }
}

/// Changes a few characters or whole words of a text.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"ABCDEabcde123456*-,/ ";
    const TRANSLATIONS: &[&str] =
        &["A", "e", "A1B", "B3A", "c6A", "A6c", "e1a", "*", "-", "1a2b", "2c", "E1A", "a4b", "A7c"];
    let mut text = text.to_owned();
    for _ in 0..1 + rng.below(2) {
        if rng.below(2) == 0 {
            // Replaces one word, between separators, by another.
            let ends: Vec<usize> = text.match_indices([',', '/', ' ']).map(|(at, _)| at).collect();
            let Some(&begin) = ends.get(rng.below(ends.len())) else { continue };
            let end = ends.iter().copied().find(|&end| end > begin).unwrap_or(text.len());
            text.replace_range(begin + 1..end, TRANSLATIONS[rng.below(TRANSLATIONS.len())]);
            continue;
        }
        let mut bytes = text.into_bytes();
        let at = rng.below(bytes.len());
        match rng.below(4) {
            0 => bytes.insert(at, LETTERS[rng.below(LETTERS.len())]),
            1 if bytes.len() > 1 => drop(bytes.remove(at)),
            2 => {
                let other = rng.below(bytes.len());
                bytes.swap(at, other);
            }
            _ => bytes[at] = LETTERS[rng.below(LETTERS.len())],
        }
        text = String::from_utf8(bytes).expect("only ASCII was written");
    }
    text
}
