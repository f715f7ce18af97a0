//! Threats are the wins in one of the reference, and stops are the moves that end
//! them.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::threats::{ThreatReference, check_stops, check_threats};
use pentad_sdk::{Ruleset, Search, Threat, Threats};
use pentago_xl::{Cell, Move, PentagoXl, Position};

use crate::reference::{ReferenceGame, players};
use crate::support::{all_rules, nodes, parse, reference_of, rules, search, tactical_position, unfinished_position};

/// Kind, turn, and the cells of the five before the turn.
type Five = (usize, String, Vec<String>);

fn check(game: &PentagoXl, position: &Position) -> usize {
    let expected = ThreatReference { is_won, described };
    let n_seats = game.variant().n_seats();
    check_threats(game, n_seats, position, &reference_of(game, position), &expected, |threat: &Threat<Move>, mv| {
        let mut cells: Vec<String> = threat.points.iter().map(|&point| cell(point)).collect();
        cells.sort();
        (threat.kind, turn_of(mv).to_owned(), cells)
    })
}

fn cell(point: usize) -> String {
    Cell::all().nth(point).expect("a cell").to_string()
}

fn turn_of(mv: &str) -> &str {
    mv.split_once('-').map_or("", |(_, turn)| turn)
}

/// Returns whether a player has won or finished alone.
fn is_won(after: &ReferenceGame, seat: usize) -> bool {
    let player = players(&after.variant)[seat];
    if !after.variant.starts_with("places") {
        return after.outcome().is_some_and(|outcome| outcome.scores[seat] == 1.0);
    }
    let place = after.places.iter().find(|(finished, _)| *finished == player).map(|(_, place)| *place);
    place.is_some_and(|place| after.places.iter().filter(|(_, other)| *other == place).count() == 1)
}

/// Returns the fives of the mover or the partner after a move.
fn described(before: &ReferenceGame, mv: &str) -> Vec<Five> {
    let after = before.play(mv);
    let partner = match (before.variant.as_str(), before.side) {
        ("teams", 'r') => 'g',
        ("teams", 'g') => 'r',
        ("teams", 'y') => 'b',
        ("teams", 'b') => 'y',
        (_, side) => side,
    };
    // Maps a cell to the cell its marble comes from.
    let origin = |row: usize, column: usize| -> String {
        let name = |row: usize, column: usize| format!("{}{}", (b'a' + column as u8) as char, row + 1);
        let Some((_, text)) = mv.split_once('-') else { return name(row, column) };
        let block = text[..1].parse::<usize>().unwrap() - 1;
        let (top, left) = (block / 3 * 3, block % 3 * 3);
        if !(top..top + 3).contains(&row) || !(left..left + 3).contains(&column) {
            return name(row, column);
        }
        let (row, column) = (row - top, column - left);
        // Origin of the row and column of a clockwise turn.
        let (row, column) = if text.ends_with('r') { (2 - column, row) } else { (column, 2 - row) };
        name(top + row, left + column)
    };
    let mut fives = Vec::new();
    for row in 0..9_i32 {
        for column in 0..9_i32 {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> = (0..5).map(|i| (row + i * down, column + i * right)).collect();
                let is_on_board = cells.iter().all(|(row, column)| (0..9).contains(row) && (0..9).contains(column));
                let is_of = |player: char| {
                    cells.iter().all(|&(row, column)| after.board[row as usize][column as usize] == player)
                };
                if is_on_board && (is_of(before.side) || is_of(partner)) {
                    let mut five: Vec<String> =
                        cells.iter().map(|&(row, column)| origin(row as usize, column as usize)).collect();
                    five.sort();
                    fives.push((usize::from(mv.contains('-')), turn_of(mv).to_owned(), five));
                }
            }
        }
    }
    fives
}

fn compare(variant: &str) {
    let game = rules(variant);
    let mut rng = Rng::new(41);
    let mut n_threats = 0;
    for i in 0..20 {
        let position = if i % 2 == 0 {
            unfinished_position(&game, &mut rng, 20 + 2 * i)
        } else {
            tactical_position(&game, &mut rng, 16 + 2 * i)
        };
        n_threats += check(&game, &position);
    }
    assert!(n_threats > 30, "{n_threats} threats");
}

// Threats agree with the reference on random positions of every variant.
pentad_sdk::variant_tests!(
    compare: ffa2_threats_agree = "ffa2",
    ffa3_threats_agree = "ffa3",
    ffa4_threats_agree = "ffa4",
    places3_threats_agree = "places3",
    places4_threats_agree = "places4",
    teams_threats_agree = "teams",
);

/// A move stops exactly the threats that do not exist after it.
#[test]
fn stops_agree_with_threats() {
    let mut rng = Rng::new(43);
    for game in all_rules() {
        let sides: Vec<u32> = (0..game.variant().n_seats()).map(|seat| game.variant().side_of(seat) as u32).collect();
        let mut n_stops = 0;
        for i in 0..6 {
            let position = tactical_position(&game, &mut rng, 24 + 4 * i);
            n_stops += check_stops(&game, &sides, &position, 20, &mut rng);
        }
        assert!(n_stops > 50, "{}: {n_stops}", game.variant().id());
    }
}

/// A threat scores like the place it wins, and finished players have no threats.
#[test]
fn places_have_their_scores() {
    let game = rules("places3");
    let first = parse(&game, "rrrr5/yyyy5/gggg5/9/9/9/9/9/9 r -");
    let of_seat = |position: &Position, seat| game.turn_of(position, seat).map(|turn| game.threats(&turn));
    assert_eq!(of_seat(&first, 1).unwrap()[0].score, 1.0);
    let second = pentad_sdk::testing::play(&game, &first, "e1");
    assert_eq!(of_seat(&second, 0), None);
    assert_eq!(of_seat(&second, 1).unwrap()[0].score, 0.5);
    assert_eq!(of_seat(&second, 2).unwrap()[0].score, 0.5);
}

/// Positions with another seat to move can be evaluated, played and searched, and a win in one is found.
#[test]
fn off_turn_positions_can_be_searched() {
    for game in all_rules() {
        let mut rng = Rng::new(47);
        for n_marbles in [1, 7, 22, 40, 76, 79] {
            let position = unfinished_position(&game, &mut rng, n_marbles);
            for seat in 0..game.variant().n_seats() {
                let Some(turn) = game.turn_of(&position, seat) else { continue };
                assert_eq!(game.is_off_turn(&turn), turn != position, "{position:?}");
                let report = search(&game, &turn, nodes(300), 1);
                let legal = pentad_sdk::testing::moves(&game, &turn);
                assert!(report.lines.iter().all(|line| legal.contains(&line.moves[0])), "{turn:?}");
                let _value = game.evaluate(&turn);
            }
        }
    }
}
