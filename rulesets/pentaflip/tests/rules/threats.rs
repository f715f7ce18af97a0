//! Threats are the reference's wins in one, and stops are the moves that end them.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::threats::{ThreatReference, check_stops, check_threats};
use pentad_sdk::{Layout, Threat, Threats};
use pentaflip::{Move, Pentaflip, Position};

use crate::reference::{ReferenceGame, destination, is_spot};
use crate::support::{ongoing, parse, text};

/// Kind, flip, and the current points of the five.
type Five = (usize, String, Vec<String>);

fn check(position: &Position, point_ids: &[String]) -> usize {
    let reference = ReferenceGame::parse(&text(position)).expect("a position of a game");
    let expected = ThreatReference { is_won, described };
    check_threats(&Pentaflip, 2, position, &reference, &expected, |threat: &Threat<Move>, mv| {
        let mut points: Vec<String> = threat.points.iter().map(|&point| point_ids[point].clone()).collect();
        points.sort();
        (threat.kind, flip_of(mv).to_owned(), points)
    })
}

fn flip_of(mv: &str) -> &str {
    if mv.starts_with('~') { mv } else { "" }
}

fn is_won(after: &ReferenceGame, seat: usize) -> bool {
    after.outcome().is_some_and(|outcome| outcome.scores[seat] == 1.0)
}

/// Returns the fives that the mover has on top after a move.
fn described(before: &ReferenceGame, mv: &str) -> Vec<Five> {
    let after = before.play(mv);
    let name = |row: usize, column: usize| format!("{}{}", "abcdef".as_bytes()[column] as char, row + 1);
    // A ring on top of a flipped cell comes from underneath another one.
    let origin = |cell: (usize, usize)| -> String {
        let Some(flip) = mv.strip_prefix('~') else { return name(cell.0, cell.1) };
        let flip = flip.chars().next().unwrap();
        let all = (0..6).flat_map(|row| (0..6).map(move |column| (row, column)));
        match all.into_iter().find(|&(row, column)| destination(flip, row, column) == Some(cell)) {
            Some((row, column)) if is_spot(row, column) => name(row, column),
            Some((row, column)) => name(row, column) + "'",
            None => name(cell.0, cell.1),
        }
    };
    let mut fives = Vec::new();
    for row in 0..6_i32 {
        for column in 0..6_i32 {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> = (0..5).map(|i| (row + i * down, column + i * right)).collect();
                let is_own = |&(row, column): &(i32, i32)| {
                    (0..6).contains(&row)
                        && (0..6).contains(&column)
                        && after.top[row as usize][column as usize].to_ascii_lowercase() == before.side
                };
                if cells.iter().all(is_own) {
                    let mut points: Vec<String> =
                        cells.iter().map(|&(row, column)| origin((row as usize, column as usize))).collect();
                    points.sort();
                    fives.push((usize::from(mv.starts_with('~')), flip_of(mv).to_owned(), points));
                }
            }
        }
    }
    fives
}

/// Compares random positions.
#[test]
fn threats_agree() {
    let point_ids: Vec<String> = Pentaflip.board().points.into_iter().map(|point| point.id).collect();
    let mut rng = Rng::new(53);
    let mut n_threats = 0;
    for i in 0..1_000 {
        n_threats += check(&ongoing(&mut rng, 4 + i % 36), &point_ids);
    }
    assert!(n_threats > 500, "{n_threats} threats");
}

/// A stop of a threat is a move after which the threat is gone.
#[test]
fn stops_agree_with_threats() {
    let mut rng = Rng::new(59);
    let mut n_stops = 0;
    for i in 0..200 {
        n_stops += check_stops(&Pentaflip, &[0, 1], &ongoing(&mut rng, 8 + i % 30), usize::MAX, &mut rng);
    }
    assert!(n_stops > 500, "{n_stops}");
}

/// The side to move may not repeat the flip of the preceding turn; the other side could
/// if it were its turn.
#[test]
fn the_last_flip_binds_the_side_to_move_only() {
    let position = parse("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w L");
    assert_eq!(Pentaflip.turn_of(&position, 0), Some(position));
    assert_eq!(Pentaflip.turn_of(&position, 1), Some(parse("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 b -")));
}
