//! A game to read, in `tests/rules/playthrough.txt`. Set `PENTAD_BLESS` to rewrite
//! it, and review the diff.

use std::fmt::Write;

use pentad_sdk::{Layout, Ruleset};
use pentagame::{Pentagame, Position};

use crate::support::{compare_or_bless, parse, rules, text};

/// A race with blocks in the way of both sides that ends in a shared win.
const MOVES: &str = "a-B=1b b-A=2a a-C=1c a-C=1a b-c@C4a b-c=1b c-d@b2c a-C4a@c2d c-c2d@C6a b-b2c@c1d b-b2c=2b a-C6a@b1c \
    c-c1d@d2e a-a@C4a+D4a c-c+a e-d2e@E4c d-b@d3e e-d3e@a2e b-b1c@B4d b-b1c=1b b-d3e=2e b-b=1d+c e-A=2e d-E4b \
    b-A=1e c-e@B2C d-C4a@C c-B=1a d-C@A4c c-B4d@a3e a-d3e=1e+d e-C=1d a-C4e c-B2C@A2E d-A2E@B c-B@A1E d-C=2e \
    d-C=1d d-c d-c=1d b-A1E@c2d d-c2d@C4a a-a3e@c3d d-C=1d b-A4c@d2e c-A4c=1b a-a2e@A6c c-A6c@a1e b-A6c=2c \
    d-d2e@c a-a+C d-d+A";
/// The board is drawn at the start, at the end, and every this many plies.
const PLIES_PER_DRAWING: usize = 8;
/// A figure brought to its goal has to move out, and that wins.
const FORCED_ENDING: (&str, &str) = ("*,*,C,D,d/*,B,e,D,E A1B,A2B,A3B,B1C,B2C B3C 2 -", "c-d=1e e!+c d-D1E");
/// Two figures out at once.
const DOUBLE_ENDING: (&str, &str) = ("*,B,C,e,d/A,B,C,D,E a,b,c,A1B,A2B A3B 1 -", "d-d=1e+A6c+A1c a-A1E");
/// Size of a drawing in characters.
const COLUMNS: usize = 92;
const ROWS: usize = 45;

/// The file shows what the rules do today.
#[test]
fn playthrough_is_as_written() {
    let mut out = String::new();
    write_game(&rules("2p"), "A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -", MOVES, &mut out);
    write_game(&rules("2p"), FORCED_ENDING.0, FORCED_ENDING.1, &mut out);
    write_game(&rules("2p"), DOUBLE_ENDING.0, DOUBLE_ENDING.1, &mut out);
    compare_or_bless("tests/rules/playthrough.txt", &out);
}

fn write_game(game: &Pentagame, start: &str, moves: &str, out: &mut String) {
    let mut position = parse(game, start);
    writeln!(out, "# {} ({} players)\n", Pentagame::INFO.name, game.n_seats()).unwrap();
    draw(game, &position, out);
    for (ply, mv) in moves.split_whitespace().enumerate() {
        let parsed = game.parse_move(&position, mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        let (player, n_moves) = (position.to_move() + 1, game.count_moves(&position, ""));
        writeln!(out, "{}. Player {player} plays {parsed}, one of {n_moves}\n", ply + 1).unwrap();
        position = game.play(&position, &parsed);
        if (ply + 1) % PLIES_PER_DRAWING == 0 || position.is_over() {
            draw(game, &position, out);
        } else {
            writeln!(out, "    {}\n", text(game, &position)).unwrap();
        }
    }
    let Some(outcome) = game.outcome(&position) else { panic!("the game goes on: {}", text(game, &position)) };
    writeln!(out, "{}\nscores {:?}, places {:?}\n", outcome.text, outcome.scores, outcome.places).unwrap();
}

/// Draws the board in characters: dots for free stops, letters for free nodes,
/// figures by their names, `##` for black and `%%` for grey blocks. Where
/// several figures stand, the first is drawn with a `+`.
fn draw(game: &Pentagame, position: &Position, out: &mut String) {
    let board = game.board();
    let mut canvas = vec![[' '; COLUMNS]; ROWS];
    let mut put = |point: usize, word: &str| {
        let point = &board.points[point];
        let column = (point.x / board.width * (COLUMNS - 2) as f64) as usize;
        let row = (point.y / board.height * ROWS as f64) as usize;
        for (at, letter) in word.chars().enumerate() {
            canvas[row][column + at] = letter;
        }
    };
    for (at, point) in board.points.iter().enumerate() {
        put(at, if at < 10 { point.id.as_str() } else { "." });
    }
    let mut last = usize::MAX;
    game.pieces(position, &mut |point, kind| {
        let piece = &board.pieces[kind];
        let word = match piece.id.as_str() {
            "black" => "##".to_owned(),
            "grey" => "%%".to_owned(),
            figure => figure.to_owned(),
        };
        // Further figures on a stop only add a mark.
        if point == last {
            put(point, &format!("{}+", board.points[point].id));
        } else {
            put(point, &word);
        }
        last = point;
    });
    for row in &canvas {
        let line: String = row.iter().collect();
        if !line.trim().is_empty() {
            writeln!(out, "    {}", line.trim_end()).unwrap();
        }
    }
    writeln!(out, "    {}\n", text(game, position)).unwrap();
}
