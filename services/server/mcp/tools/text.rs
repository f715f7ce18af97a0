//! Answers as text for a model: everything that it needs to go on, in few words.

use std::fmt::Write as _;

use serde::Deserialize as _;
use serde_json::{Error, Value};

use crate::answers::{
    ComparisonAnswer, GameView, GamesAnswer, HintsAnswer, MoveReason, MovesAnswer, Puzzle, PuzzlesAnswer, ReviewAnswer,
    ReviewedMove, SeatReview, Threat, ThreatsAnswer, evaluation_text,
};

/// Solutions of a puzzle that the text has at most; the structured content has all.
const SOLUTIONS_MAX: usize = 8;
/// Moves of a list that the text has at most.
const MOVES_MAX: usize = 24;

/// Lists games, with the rules and notation of one.
pub(super) fn games(answer: &Value) -> Result<String, Error> {
    let GamesAnswer { games } = GamesAnswer::deserialize(answer)?;
    let mut text = String::new();
    for game in &games {
        let _ = writeln!(text, "{}: {}, version {}", game.id, game.name, game.version);
        for variant in &game.variants {
            let seats: Vec<String> =
                variant.seats.iter().map(|seat| format!("{seat} ({})", variant.seat_name(seat))).collect();
            let _ = writeln!(text, "  variant {}: {} Seats: {}.", variant.id, variant.summary, seats.join(", "));
        }
    }
    for (heading, field) in [("Rules", "rules"), ("Notation", "notation")] {
        if let Some(paragraphs) = answer[field].as_str() {
            let _ = write!(text, "\n{heading}\n\n{}\n", paragraphs.trim());
        }
    }
    Ok(text)
}

pub(super) fn legal_moves(_: &GameView, answer: &Value) -> Result<String, Error> {
    let MovesAnswer { moves, total, next_page_token, move_texts, .. } = MovesAnswer::deserialize(answer)?;
    let n_listed = moves.len() as u64;
    let mut text = match (n_listed, &*next_page_token) {
        (_, "") if n_listed == total => format!("{total} legal moves:"),
        (_, "") => format!("The last {n_listed} of {total} legal moves:"),
        (_, token) => format!(
            "{n_listed} of {total} legal moves; `legal_moves` with `pageToken` {token} lists more, and `prefix` narrows \
             them down:"
        ),
    };
    for (idx, mv) in moves.iter().enumerate() {
        let _ = match move_texts.get(idx).filter(|words| !words.is_empty()) {
            Some(words) => write!(text, "\n{mv}: {words}"),
            None => write!(text, " {mv}"),
        };
    }
    text.push('\n');
    Ok(text)
}

pub(super) fn hints(game: &GameView, answer: &Value) -> Result<String, Error> {
    let answer = HintsAnswer::deserialize(answer)?;
    let mut text = format!("Value: {}\n", evaluation_text(game, &answer.evaluation));
    for (idx, hint) in answer.hints.iter().enumerate() {
        let _ = write!(text, "{}. ", idx + 1);
        if !hint.r#move.is_empty() {
            let words = if hint.move_text.is_empty() { String::new() } else { format!(" ({})", hint.move_text) };
            let _ = write!(text, "{}{words}: ", hint.r#move);
        }
        let _ = writeln!(text, "{}", evaluation_text(game, &hint.evaluation));
        write_reasons(&mut text, &hint.reasons);
        write_moves(&mut text, "look at", &hint.area);
        write_moves(&mut text, "expected line", if hint.line.len() > 1 { &hint.line } else { &[] });
        write_moves(&mut text, "equally good", &hint.equivalents);
    }
    Ok(text)
}

pub(super) fn comparison(game: &GameView, answer: &Value) -> Result<String, Error> {
    let answer = ComparisonAnswer::deserialize(answer)?;
    let mut text = String::new();
    for compared in &answer.comparisons {
        let note = if compared.r#move == answer.best_move { ", the best of all moves" } else { "" };
        let _ = writeln!(text, "{}: {}{note}", compared.r#move, evaluation_text(game, &compared.evaluation));
        write_reasons(&mut text, &compared.reasons);
        if !compared.reply.is_empty() {
            let _ = writeln!(text, "   best reply: {}", compared.reply);
        }
        write_moves(&mut text, "expected line", &compared.line);
    }
    let _ = writeln!(text, "Best of all legal moves: {}; line: {}", answer.best_move, answer.best_line.join(" "));
    Ok(text)
}

pub(super) fn threats(game: &GameView, answer: &Value) -> Result<String, Error> {
    let answer = ThreatsAnswer::deserialize(answer)?;
    let mut text = String::new();
    for seat in &answer.seats {
        let name = game.variant.seat_name(seat);
        let threats: Vec<&Threat> = answer.threats.iter().filter(|threat| threat.seat == *seat).collect();
        match (threats.is_empty(), *seat == answer.to_move) {
            (true, _) => drop(writeln!(text, "{name} ({seat}) threatens nothing.")),
            (false, true) => drop(writeln!(text, "{name} ({seat}) can win:")),
            (false, false) => drop(writeln!(text, "{name} ({seat}) threatens to win:")),
        }
        for Threat { kind, r#move: mv, cells, stopped_by, plies, .. } in threats {
            let _ = writeln!(text, "   {mv}: {kind} in {plies} plies, {}", cells.join(" "));
            write_moves(&mut text, "stopped by", stopped_by);
        }
    }
    write_moves(&mut text, "stops every threat", &answer.stops_all);
    if answer.truncated {
        text.push_str("Not all threats and answers are listed.\n");
    }
    Ok(text)
}

pub(super) fn review(game: &GameView, answer: &Value) -> Result<String, Error> {
    let ReviewAnswer { moves, summary } = ReviewAnswer::deserialize(answer)?;
    let mut text = String::new();
    for reviewed in &moves {
        write_reviewed(&mut text, game, reviewed);
    }
    for (seat, SeatReview { accuracy, labels }) in &summary.seats {
        let accuracy = accuracy.map_or_else(|| "unknown".to_owned(), |accuracy| format!("{accuracy:.0} %"));
        let labels: Vec<String> = labels.iter().map(|(label, n)| format!("{n} {label}")).collect();
        let name = game.variant.seat_name(seat);
        let _ = writeln!(text, "{name} ({seat}): accuracy {accuracy}; {}", labels.join(", "));
    }
    if !summary.turning_points.is_empty() {
        let turns: Vec<String> = summary.turning_points.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "Turning points, as indices of moves: {}", turns.join(", "));
    }
    if !summary.complete {
        text.push_str("The time was not enough for every move; allow more with `totalTimeMs`.\n");
    }
    Ok(text)
}

fn write_reviewed(text: &mut String, game: &GameView, reviewed: &ReviewedMove) {
    let ReviewedMove { index, seat, r#move: mv, loss, label, after, best_move, best_line, reply, reasons, .. } =
        reviewed;
    let label = label.as_deref().unwrap_or("unclear");
    let value = evaluation_text(game, after);
    let _ = writeln!(
        text,
        "moves[{index}] {mv} by {}: {label}, gave away {loss:.2}; {value}",
        game.variant.seat_name(seat)
    );
    let is_worse = best_move != mv && *loss > 0.0;
    if is_worse {
        let _ = writeln!(text, "   better: {}", best_line.join(" "));
    }
    if !reply.is_empty() {
        let _ = writeln!(text, "   punished by: {reply}");
    }
    if is_worse {
        write_reasons(text, reasons);
    }
}

pub(super) fn puzzles(game: &GameView, answer: &Value) -> Result<String, Error> {
    let PuzzlesAnswer { puzzles, r#final } = PuzzlesAnswer::deserialize(answer)?;
    let mut text = String::new();
    if puzzles.is_empty() {
        let n_seen = r#final.looked_at;
        let _ =
            writeln!(text, "No puzzle was found among {n_seen} positions; allow more `totalTimeMs` or other plies.");
    }
    for (idx, puzzle) in puzzles.iter().enumerate() {
        write_puzzle(&mut text, game, idx + 1, puzzle);
    }
    Ok(text)
}

fn write_puzzle(text: &mut String, game: &GameView, number: usize, puzzle: &Puzzle) {
    let Puzzle { position, to_move, solutions, theme, difficulty, plies_to_end, first_moves, move_index } = puzzle;
    let name = game.variant.seat_name(to_move);
    let _ = writeln!(text, "Puzzle {number}: {name} ({to_move}) to move wins in {plies_to_end} plies.");
    let _ = writeln!(text, "   position: {position}");
    if let Some(index) = move_index {
        let _ = writeln!(text, "   before moves[{index}] of the game");
    }
    let _ = writeln!(text, "   theme {theme}, difficulty {difficulty:.1}");
    write_moves(text, "winning moves", first_moves);
    for solution in solutions.iter().take(SOLUTIONS_MAX) {
        write_moves(text, "solution", solution);
    }
    if solutions.len() > SOLUTIONS_MAX {
        let _ = writeln!(text, "   and {} more lines", solutions.len() - SOLUTIONS_MAX);
    }
}

/// Writes why the API refused a call: the reason, the place, a sentence and the remedy.
pub(super) fn problem(problem: &Value) -> String {
    let field = |name: &str| problem[name].as_str().unwrap_or_default();
    let place = if field("field").is_empty() { String::new() } else { format!(" in `{}`", field("field")) };
    let retry = problem["retryAfterMs"].as_u64().map(|ms| format!(" Retry after {ms} ms.")).unwrap_or_default();
    format!("{}{place}: {}.{retry}", field("reason"), field("detail").trim_end_matches('.'))
}

fn write_reasons(text: &mut String, reasons: &[MoveReason]) {
    for MoveReason { text: reason, cells } in reasons {
        let cells = if cells.is_empty() { String::new() } else { format!(" [{}]", cells.join(" ")) };
        let _ = writeln!(text, "   {reason}{cells}");
    }
}

fn write_moves(text: &mut String, what: &str, moves: &[String]) {
    if !moves.is_empty() {
        let listed = &moves[..moves.len().min(MOVES_MAX)];
        let more = moves.len() - listed.len();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let _ = writeln!(text, "   {what}: {}{more}", listed.join(" "));
    }
}
