//! The review as one page of HTML: it loads nothing and runs nothing.

use std::error::Error;
use std::fmt::{self, Display, Write as _};

use super::labels::{self, Severity};
use super::{Review, ReviewedMove, graph};
use crate::answers::{MoveReason, PositionAnswer};
use crate::cli::client::{Call, Client};
use crate::cli::text::short_value;
use crate::rest::svg::{self, Caption, Look, Marks, Theme};

/// A page of a very bad game stays below some MB.
const DIAGRAMS_MAX: usize = 40;
const DIAGRAM_SIZE_PX: u32 = 300;
const STYLE: &str = include_str!("page.css");

/// Text between tags or in an attribute.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            _ => f.write_char(letter),
        })
    }
}

/// Renders the page. Asks for the positions that it shows.
pub(super) async fn render(client: &Client, review: &Review) -> Result<String, Box<dyn Error>> {
    let title = format!("{}, {}: review of a game", review.game.name, review.game.variant.name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n",
        Escaped(&title)
    );
    if let Some(outcome) = &review.end.outcome {
        let _ = writeln!(page, "<p>{}</p>", Escaped(&outcome.text));
    }
    page.push_str("</header>\n<main>\n");
    summary(&mut page, review);
    page.push_str("<section aria-labelledby=\"graph\">\n<h2 id=\"graph\">The game</h2>\n");
    page.push_str(&graph::draw(review));
    graph_legend(&mut page, review);
    page.push_str("</section>\n");
    turning_points(&mut page, client, review).await?;
    moves(&mut page, review);
    page.push_str("<section aria-labelledby=\"end\">\n<h2 id=\"end\">The final position</h2>\n");
    page.push_str(&diagram(review, &review.end, &Marks::default()));
    let _ = writeln!(page, "<p><code>{}</code></p>\n</section>", Escaped(&review.end.position));
    let _ = writeln!(page, "</main>\n<footer>Pentad {}</footer>\n</body>\n</html>", crate::VERSION);
    Ok(page)
}

/// Accuracy and labels of every seat.
fn summary(page: &mut String, review: &Review) {
    page.push_str("<section class=\"seats\">\n");
    for seat in &review.game.variant.seats {
        let Some(totals) = review.summary.seats.get(seat) else { continue };
        let accuracy = totals.accuracy.map_or_else(|| "–".to_owned(), |accuracy| format!("{accuracy:.0} %"));
        let name = review.game.variant.seat_name(seat);
        let _ = writeln!(page, "<div class=\"seat\"><h2>{}</h2><p class=\"accuracy\">{accuracy}</p>", Escaped(name));
        page.push_str("<p>accuracy</p>\n<ul class=\"labels\">");
        for (label, n) in &totals.labels {
            let _ = write!(page, "<li>{} {n}</li>", badge(Some(label)));
        }
        page.push_str("</ul></div>\n");
    }
    page.push_str("</section>\n");
    if !review.summary.complete {
        page.push_str("<p>Not all moves were reviewed: the time was up.</p>\n");
    }
}

fn graph_legend(page: &mut String, review: &Review) {
    let variant = &review.game.variant;
    page.push_str("<p class=\"legend\">Expected score: ");
    let n_shown = if variant.seats.len() == 2 { 1 } else { variant.seats.len() };
    for (idx, seat) in variant.seats.iter().take(n_shown).enumerate() {
        let _ = write!(page, "<span class=\"seat-{}\">{}</span> ", idx % 8, Escaped(variant.seat_name(seat)));
    }
    page.push_str("at the top wins. Vertical lines are turning points.</p>\n");
}

async fn turning_points(page: &mut String, client: &Client, review: &Review) -> Result<(), Box<dyn Error>> {
    let mut key_moves = review.key_moves().peekable();
    if key_moves.peek().is_none() {
        return Ok(());
    }
    page.push_str("<section aria-labelledby=\"turning\">\n<h2 id=\"turning\">Turning points and mistakes</h2>\n");
    for (n_shown, it) in key_moves.enumerate() {
        let _ = writeln!(page, "<article>\n<h3>{}</h3>", heading(review, it));
        if n_shown < DIAGRAMS_MAX {
            let before = position_after(client, review, it.index).await?;
            let after = position_after(client, review, it.index + 1).await?;
            let changed = changed_points(&review.game.pieces(&before), &review.game.pieces(&after));
            let cells: Vec<String> = it.reasons.iter().flat_map(|reason| reason.cells.iter().cloned()).collect();
            let highlight = review.game.points(&cells);
            let figures = [
                ("Before the move", diagram(review, &before, &Marks::default())),
                ("After it", diagram(review, &after, &Marks { changed, highlight, ..Marks::default() })),
            ];
            page.push_str("<div class=\"figures\">\n");
            for (caption, picture) in figures {
                let _ = writeln!(page, "<figure>\n{picture}<figcaption>{caption}</figcaption>\n</figure>");
            }
            page.push_str("</div>\n");
        }
        explanation(page, it);
        page.push_str("</article>\n");
    }
    page.push_str("</section>\n");
    Ok(())
}

/// What was better, the reply and the reasons.
fn explanation(page: &mut String, it: &ReviewedMove) {
    if it.best_move != it.r#move {
        let _ = writeln!(page, "<p>Better was <code>{}</code>.</p>", Escaped(&it.best_line.join(" ")));
    }
    if !it.reply.is_empty() {
        let (mv, reply) = (Escaped(&it.r#move), Escaped(&it.reply));
        let _ = writeln!(page, "<p><code>{mv}</code> is answered by <code>{reply}</code>.</p>");
    }
    for reason in &it.reasons {
        let _ = writeln!(page, "<p>{}</p>", Escaped(&reason.text));
    }
}

/// The table of all moves.
fn moves(page: &mut String, review: &Review) {
    page.push_str(
        "<section aria-labelledby=\"moves\">\n<h2 id=\"moves\">All moves</h2>\n<div class=\"scroll\"><table>\n<thead><tr>\
         <th scope=\"col\">Turn</th><th scope=\"col\">Move</th><th scope=\"col\">Label</th><th scope=\"col\">Loss</th>\
         <th scope=\"col\">Value</th><th scope=\"col\">Best line</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n",
    );
    for it in &review.moves {
        let best = if it.best_move == it.r#move { String::new() } else { it.best_line.join(" ") };
        let loss = if it.loss > 0.0 { format!("{:.2}", it.loss) } else { String::new() };
        let _ = writeln!(
            page,
            "<tr id=\"move-{}\"><td>{}</td><td><code>{}</code></td><td>{}</td><td class=\"number\">{loss}</td>\
             <td>{} → {}</td><td><code>{}</code></td><td>{}</td></tr>",
            it.index,
            Escaped(&review.numbered_seat(it)),
            Escaped(&it.r#move),
            badge(it.label.as_deref()),
            short_value(&it.before, &it.seat),
            short_value(&it.after, &it.seat),
            Escaped(&best),
            Escaped(&joined(&it.reasons))
        );
    }
    page.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn heading(review: &Review, it: &ReviewedMove) -> String {
    let (before, after) = (short_value(&it.before, &it.seat), short_value(&it.after, &it.seat));
    let (seat, badge) = (review.numbered_seat(it), badge(it.label.as_deref()));
    format!("{} <code>{}</code> {badge} <small>{before} → {after}</small>", Escaped(&seat), Escaped(&it.r#move))
}

fn badge(label: Option<&str>) -> String {
    let class = Severity::of(label).class();
    match label {
        Some(_) => format!("<span class=\"label {class}\">{}</span>", Escaped(&labels::words(label))),
        None => String::new(),
    }
}

fn joined(reasons: &[MoveReason]) -> String {
    reasons.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>().join(" ")
}

async fn position_after(client: &Client, review: &Review, n_moves: usize) -> Result<PositionAnswer, Box<dyn Error>> {
    let question = review.question.clone().with_moves(&review.played[..n_moves.min(review.played.len())]);
    Ok(client.ask(&review.game.id, Call::POSITION, &question).await?.read()?)
}

fn diagram(review: &Review, position: &PositionAnswer, marks: &Marks) -> String {
    let mover = review.game.variant.seat_name(&position.to_move);
    let state = position.outcome.as_ref().map_or_else(|| format!("{mover} to move"), |outcome| outcome.text.clone());
    let caption = Caption { game: &review.game.name, position: &position.position, state: &state };
    let look = Look { size_px: DIAGRAM_SIZE_PX, theme: Theme::Light };
    match &review.game.board {
        Some(board) => svg::board(board, &review.game.pieces(position), marks, &caption, look),
        None => svg::text(&caption, look),
    }
}

/// Returns the points whose pieces differ.
fn changed_points(before: &[(u32, u32)], after: &[(u32, u32)]) -> Vec<u32> {
    let gone = before.iter().filter(|piece| !after.contains(piece));
    let come = after.iter().filter(|piece| !before.contains(piece));
    let mut changed: Vec<u32> = gone.chain(come).map(|(point, _)| *point).collect();
    changed.sort_unstable();
    changed.dedup();
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of rule sets and servers cannot become markup.
    #[test]
    fn markup_is_escaped() {
        let text = "<script>alert('x')</script> & \"quotes\"";
        let escaped = Escaped(text).to_string();
        assert_eq!(escaped, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;quotes&quot;");
        assert!(badge(Some("<b>")).contains("&lt;b&gt;"));
    }
}
