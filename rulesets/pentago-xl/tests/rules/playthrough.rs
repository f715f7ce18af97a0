//! Games to read, in `tests/rules/playthrough.txt`. Set `PENTAD_BLESS` to rewrite it,
//! and review the diff.

use std::fmt::Write;

use pentad_sdk::Ruleset;
use pentago_xl::{Cell, Colour, PentagoXl, Position};

use crate::support::{compare_or_bless, parse, rules, text};

/// Red's file is blocked at both ends; the diagonal through the fixed block is then
/// open at both.
const TWO_PLAYERS: &str = "e5-9l a1-9l e4-9l b3-9l e6-9l e7-9l e3-9l e2-9l d4-9l a9-9l c3-9l h1-9l f6-9l b2-9l g7";
/// Red's turn lets two others finish, who share the first place; Blue is third.
const SHARED_PLACE: (&str, &str) = ("yg1yy4/yg1gg4/yg7/r1r1r1r1r/9/9/9/9/bbbb1b3 r -", "i8-1r e9");

/// The file shows what the rules do today.
#[test]
fn playthrough_matches_the_file() {
    let mut out = String::new();
    write_game(&rules("ffa2"), "9/9/9/9/9/9/9/9/9 r -", TWO_PLAYERS, &mut out);
    write_game(&rules("places4"), SHARED_PLACE.0, SHARED_PLACE.1, &mut out);
    compare_or_bless("tests/rules/playthrough.txt", &out);
}

fn write_game(game: &PentagoXl, start: &str, moves: &str, out: &mut String) {
    let mut position = parse(game, start);
    writeln!(out, "# {} ({})\n", PentagoXl::INFO.name, game.variant().id()).unwrap();
    draw(game, &position, out);
    for (ply, mv) in moves.split_whitespace().enumerate() {
        let parsed = game.parse_move(&position, mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        let (name, n_moves) = (position.side().name(), game.count_moves(&position, ""));
        writeln!(out, "{}. {name} plays {mv}, one of {n_moves}\n", ply + 1).unwrap();
        position = game.play(&position, &parsed);
        draw(game, &position, out);
    }
    let outcome = game.outcome(&position).expect("the game is played to its end");
    writeln!(out, "{}\nscores {:?}, places {:?}\n", outcome.text, outcome.scores, outcome.places).unwrap();
}

fn draw(game: &PentagoXl, position: &Position, out: &mut String) {
    writeln!(out, "      a b c   d e f   g h i").unwrap();
    for row in 0..9 {
        if row == 3 || row == 6 {
            writeln!(out, "      ------+-------+------").unwrap();
        }
        write!(out, "    {}", row + 1).unwrap();
        for column in 0..9 {
            let cell = Cell::all().find(|cell| (cell.row(), cell.column()) == (row, column)).unwrap();
            let here = Colour::ALL.into_iter().find(|&colour| position.marbles(colour).contains(cell));
            let letter = here.map_or('.', Colour::letter);
            write!(out, "{} {letter}", if column == 3 || column == 6 { " |" } else { "" }).unwrap();
        }
        writeln!(out).unwrap();
    }
    writeln!(out, "    {}\n", text(game, position)).unwrap();
}
