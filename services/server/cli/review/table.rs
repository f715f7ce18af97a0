//! The review as text: a table of the moves, the reasons of the bad ones, the totals.

use super::labels::{self, Severity};
use super::{Review, ReviewedMove};
use crate::cli::style::Palette;
use crate::cli::text::{Row, Table, print_reasons, short_value};

pub(super) fn print(review: &Review, palette: Palette) {
    let Review { game, summary, moves, end, .. } = review;
    println!("{}", palette.heading(format!("{}, {}", game.name, game.variant.name)));
    if let Some(outcome) = &end.outcome {
        println!("{}", outcome.text);
    }
    println!();
    let headings = Row::default().left("").left("move").left("label").right("loss").left("value");
    let mut table = Table::new(headings.left("best"), palette);
    moves.iter().for_each(|it| table.push(row(review, it, palette)));
    table.lines().iter().for_each(|line| println!("{line}"));
    for it in review.key_moves() {
        explain(review, it, palette);
    }
    println!();
    for seat in &game.variant.seats {
        let Some(totals) = summary.seats.get(seat) else { continue };
        let accuracy = totals.accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.0} %"));
        let counts: Vec<String> =
            totals.labels.iter().map(|(label, n)| format!("{n} {}", labels::words(Some(label)))).collect();
        println!("{}: accuracy {accuracy}; {}", game.variant.seat_name(seat), counts.join(", "));
    }
    if !summary.complete {
        println!("Not all moves were reviewed: the time was up.");
    }
}

fn row(review: &Review, it: &ReviewedMove, palette: Palette) -> Row {
    let label = labels::words(it.label.as_deref());
    let styled = Severity::of(it.label.as_deref()).styled(palette, &label).to_string();
    let loss = if it.loss > 0.0 { format!("{:.2}", it.loss) } else { String::new() };
    let best = if it.best_move == it.r#move { "" } else { &it.best_move };
    let value = format!("{} -> {}", short_value(&it.before, &it.seat), short_value(&it.after, &it.seat));
    let is_turning_point = review.summary.turning_points.contains(&it.index);
    let number = format!("{}{}", review.numbered_seat(it), if is_turning_point { " *" } else { "" });
    Row::default().left(number).left(&it.r#move).styled(&label, styled).right(loss).left(value).left(best)
}

/// Prints why a move gave something away, and what was better.
fn explain(review: &Review, it: &ReviewedMove, palette: Palette) {
    let mv = palette.heading(&it.r#move);
    println!("\n{} {mv}: {}", review.numbered_seat(it), labels::words(it.label.as_deref()));
    if it.best_move != it.r#move {
        println!("   better: {}", it.best_line.join(" "));
    }
    if !it.reply.is_empty() {
        println!("   answered by {}", it.reply);
    }
    print_reasons(&it.reasons, "   ");
}
