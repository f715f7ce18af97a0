//! Strength of the search in matches: `cargo bench -p pentago-xl --bench strength`.
//!
//! Arguments after `--` set the match: a variant (all by default), a number of games
//! (12 by default), an opponent, the milliseconds for each of our moves (`ms=200`),
//! the seed of the random numbers (`seed=0`), a number of random plies before the
//! game (`random=0`), and `moves` to print the end of every game that an opponent
//! won, with our evaluations. For example
//! `cargo bench -p pentago-xl --bench strength -- ffa4 100 uct`. Opponents that look
//! one ply ahead hardly vary: from the start they play much the same game, mirrored
//! or rotated, for each split of the seats, so few games are distinct. `random=4`
//! helps. Opponents:
//!
//! - `uct`, the default: plain UCT with 10,000 random playouts per move.
//! - `mcts`: the same by the generic search, which also sees wins in one. Much
//!   slower.
//! - `greedy`: looks one ply ahead. It takes a win in one, else the move after
//!   which its open lines exceed those of the others most.
//! - `static`: looks one ply ahead with the static evaluation of our own search,
//!   which also counts the lines after one more turn.
//!
//! Seats rotate. With two sides our points are counted. With three and four
//! players, the seats are split in every way that gives both at least one (of four:
//! two each), and each split is played equally often. For the first five, the
//! measure is our mean score per seat against theirs, as a share of both. For
//! places it is the share of pairs, one of ours and one of theirs, in which ours has
//! the better place, a shared one counting half: mean scores cannot come near
//! 100 %, since places behind the first also score.

use std::time::{Duration, Instant};

use pentad_sdk::rng::Rng;
use pentad_sdk::search::{MctsOptions, mcts};
use pentad_sdk::testing::{random_move, text};
use pentad_sdk::{Limits, NeverStop, Report, Request, Ruleset};
use pentago_xl::search::PentagoXlSearch;
use pentago_xl::{Colour, Move, Objective, PentagoXl, Position, Variant};

#[path = "uct/mod.rs"]
mod uct;

const PLAYOUTS: u32 = 10_000;
/// Number of moves of a lost game that are printed.
const MOVES_SHOWN: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Opponent {
    Uct,
    GenericMcts,
    Greedy,
    StaticEval,
}

#[derive(Clone, Copy)]
struct MatchSettings {
    n_games: usize,
    opponent: Opponent,
    time: Duration,
    seed: u64,
    /// Random plies before the game begins.
    n_random: u32,
    /// Whether the last moves of lost games are printed.
    shows_moves: bool,
}

fn main() {
    let mut variants: Vec<Variant> = Vec::new();
    let time = Duration::from_millis(200);
    let mut settings =
        MatchSettings { n_games: 12, opponent: Opponent::Uct, time, seed: 0, n_random: 0, shows_moves: false };
    for word in std::env::args().skip(1).filter(|word| !word.starts_with('-')) {
        match word.as_str() {
            "uct" => settings.opponent = Opponent::Uct,
            "mcts" => settings.opponent = Opponent::GenericMcts,
            "greedy" => settings.opponent = Opponent::Greedy,
            "static" => settings.opponent = Opponent::StaticEval,
            "moves" => settings.shows_moves = true,
            other if other.starts_with("ms=") => {
                settings.time = Duration::from_millis(other[3..].parse().expect("a number"));
            }
            other if other.starts_with("random=") => settings.n_random = other[7..].parse().expect("a number"),
            other if other.starts_with("seed=") => settings.seed = other[5..].parse().expect("a number"),
            other if other.parse::<usize>().is_ok() => settings.n_games = other.parse().expect("a number"),
            other => variants.extend(Variant::ALL.into_iter().filter(|variant| variant.id() == other)),
        }
    }
    if variants.is_empty() {
        variants = Variant::ALL.to_vec();
    }
    for variant in variants {
        play_match(&PentagoXl::of(variant), settings);
    }
}

fn play_match(game: &PentagoXl, settings: MatchSettings) {
    let MatchSettings { n_games, opponent, .. } = settings;
    let variant = game.variant();
    let splits = splits(variant);
    let begin = Instant::now();
    // Points summed over games.
    let (mut ours, mut theirs) = (0.0, 0.0);
    let mut plies = 0;
    for idx in 0..n_games {
        let split = splits[idx % splits.len()];
        let played = play_game(game, split, settings, settings.seed + idx as u64);
        plies += played.len() - 1;
        let end = &played.last().expect("a game has an end").position;
        let (mine, other) = points(game, end, split);
        if settings.shows_moves && mine < 1.0 && other > 0.0 {
            show(game, idx, split, &played);
        }
        ours += mine;
        theirs += other;
    }
    println!(
        "{:<8} against {opponent:?}: {:5.1} % of the points in {n_games} games ({ours:.1} to {theirs:.1}), {:.1} plies a game, {:.0} s",
        variant.id(),
        100.0 * ours / (ours + theirs),
        plies as f64 / n_games as f64,
        begin.elapsed().as_secs_f64()
    );
}

/// Returns every split of the seats: ours, one bit each.
fn splits(variant: Variant) -> Vec<u8> {
    match variant {
        Variant::Ffa2 => vec![0b01, 0b10],
        Variant::Teams => vec![0b0101, 0b1010],
        Variant::Ffa3 | Variant::Places3 => vec![0b001, 0b110, 0b010, 0b101, 0b100, 0b011],
        Variant::Ffa4 | Variant::Places4 => vec![0b0011, 0b1100, 0b0101, 0b1010, 0b1001, 0b0110],
    }
}

/// Returns our points and theirs in a finished game.
fn points(game: &PentagoXl, end: &Position, split: u8) -> (f64, f64) {
    let result = game.game_result(end).expect("the game is over");
    let n_seats = game.variant().n_seats();
    let is_ours = |seat: &usize| split >> seat & 1 != 0;
    let (ours, theirs): (Vec<usize>, Vec<usize>) = (0..n_seats).partition(is_ours);
    if game.variant().objective() == Objective::Places {
        let mut better = 0.0;
        for &mine in &ours {
            for &other in &theirs {
                better += match result.places[mine].cmp(&result.places[other]) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
            }
        }
        let share = better / (ours.len() * theirs.len()) as f64;
        return (share, 1.0 - share);
    }
    let scores = game.scores(&result);
    let mean = |seats: &[usize]| seats.iter().map(|&seat| scores[seat]).sum::<f64>() / seats.len() as f64;
    (mean(&ours), mean(&theirs))
}

/// A position, the move played there, and the report if it was ours. The last one
/// is the end of the game.
struct Ply {
    position: Position,
    mv: Option<Move>,
    report: Option<Report<Move>>,
}

fn play_game(game: &PentagoXl, split: u8, settings: MatchSettings, seed: u64) -> Vec<Ply> {
    let mut searcher = PentagoXlSearch::default();
    let mut rng = Rng::new(seed);
    let mut position = Position::START;
    let mut plies = Vec::new();
    while game.game_result(&position).is_none() {
        if position.occupied().count() < settings.n_random {
            position = game.play_unchecked(&position, random_move(game, &position, &mut rng));
            continue;
        }
        let ours = split >> (position.side() as usize) & 1 != 0;
        let report = ours.then(|| {
            let request = Request::new(Limits { time: Some(settings.time), ..Limits::default() });
            searcher.search(game, &position, &request, &NeverStop)
        });
        let mv = match &report {
            Some(report) => report.lines[0].moves[0],
            None => reply(game, &position, settings.opponent, &mut rng),
        };
        plies.push(Ply { position, mv: Some(mv), report });
        position = game.play_unchecked(&position, mv);
    }
    plies.push(Ply { position, mv: None, report: None });
    plies
}

/// Returns the opponent's move.
fn reply(game: &PentagoXl, position: &Position, opponent: Opponent, rng: &mut Rng) -> Move {
    match opponent {
        Opponent::Uct => uct::choose(game, position, PLAYOUTS, rng),
        Opponent::GenericMcts => {
            let request = Request { seed: rng.next_u64(), memory_bytes: 256 << 20, ..Request::new(Limits::default()) };
            let options = MctsOptions::plain(u64::from(PLAYOUTS));
            mcts(game, position, &request, &options, &NeverStop).lines[0].moves[0]
        }
        Opponent::Greedy => one_ply(game, position, rng, open_line_score),
        Opponent::StaticEval => one_ply(game, position, rng, |game, next, seat| game.static_scores(next)[seat]),
    }
}

/// Prints the last moves of a game, after each the players who would have a win in
/// one on their turn, and for ours the evaluation and principal variation.
fn show(game: &PentagoXl, idx: usize, split: u8, played: &[Ply]) {
    let letters: Vec<char> = game.variant().colours().map(Colour::letter).collect();
    let ours: String = (0..letters.len()).filter(|seat| split >> seat & 1 != 0).map(|seat| letters[seat]).collect();
    let end = &played[played.len() - 1].position;
    let places = game.game_result(end).expect("the game is over").places;
    println!("game {idx}, ours {ours}, places {places:?}, {} plies", played.len() - 1);
    let first = played.len().saturating_sub(1 + MOVES_SHOWN);
    println!("  {}", text(game, &played[first].position));
    for ply in &played[first..played.len() - 1] {
        let (side, mv) = (ply.position.side(), ply.mv.expect("every ply but the last has a move"));
        let next = game.play_unchecked(&ply.position, mv);
        let ready: String = game
            .variant()
            .colours()
            .filter(|&colour| next.place(colour).is_none() && game.winning_move_for(&next, colour as usize).is_some())
            .map(Colour::letter)
            .collect();
        print!("  {} {:<5} ready {ready:<4}", side.letter(), mv.text());
        if let Some(report) = &ply.report {
            let evaluation = &report.lines[0].evaluation;
            let line: Vec<&str> = report.lines[0].moves.iter().map(|mv| mv.text()).collect();
            print!(
                " {:?} {:.2?} nodes {} {}",
                evaluation.certainty,
                evaluation.scores.as_slice(),
                report.nodes,
                line.join(" ")
            );
        }
        println!();
    }
}

/// Chooses a move by looking one ply ahead.
fn one_ply(
    game: &PentagoXl,
    position: &Position,
    rng: &mut Rng,
    value: impl Fn(&PentagoXl, &Position, usize) -> f64,
) -> Move {
    if let Some(mv) = game.winning_move(position) {
        return mv;
    }
    let seat = position.side() as usize;
    let mut best = None;
    let mut best_score = f64::NEG_INFINITY;
    let _complete = game.legal_moves(position, |mv| {
        let next = game.play_unchecked(position, mv);
        let score = match game.game_result(&next) {
            // Above or below all values of unfinished games.
            Some(result) => 1e6 * (game.scores(&result)[seat] - 0.5 / game.variant().n_seats() as f64),
            None => value(game, &next, seat),
        };
        // Ties are broken at random, so that games differ.
        let score = score + 1e-6 * rng.unit();
        if score > best_score {
            (best, best_score) = (Some(mv), score);
        }
        std::ops::ControlFlow::Continue(())
    });
    best.expect("a running game has a move")
}

/// Sums 5^n over the open lines with n marbles: a seat's own minus everybody
/// else's.
fn open_line_score(game: &PentagoXl, position: &Position, seat: usize) -> f64 {
    const STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let mut board = [[None; 9]; 9];
    for colour in game.variant().colours() {
        for cell in position.marbles(colour).iter() {
            board[cell.row()][cell.column()] = Some(colour as usize);
        }
    }
    let at = |row: isize, column: isize| {
        let inside = (0..9).contains(&row) && (0..9).contains(&column);
        inside.then(|| board[row as usize][column as usize])
    };
    let mut value = 0.0;
    for start in 0..81 {
        for (down, right) in STEPS {
            let cells: Option<Vec<Option<usize>>> =
                (0..5).map(|i| at(start / 9 + i * down, start % 9 + i * right)).collect();
            let Some(cells) = cells else { continue };
            let mut marbles = cells.iter().flatten();
            let Some(&first) = marbles.next() else { continue };
            if cells.iter().flatten().all(|&marble| marble == first) {
                let points = 5f64.powi(cells.iter().flatten().count() as i32);
                value += if first == seat { points } else { -points };
            }
        }
    }
    value
}
