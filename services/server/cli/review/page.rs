//! The review as one page of HTML: it loads nothing and runs nothing.

use std::error::Error;
use std::fmt::{self, Display, Write as _};

use super::labels::Severity;
use super::{Review, ReviewedMove, graph};
use crate::answers::{Evaluation, MoveReason, PositionAnswer};
use crate::cli::client::{Call, Client};
use crate::cli::text::short_value_in;
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
    let words = review.words();
    let title = words.title.replace("{game}", &format!("{}, {}", review.game.name, review.game.variant.name));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{1}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n",
        Escaped(&title),
        review.language.tag()
    );
    if let Some(outcome) = &review.end.outcome {
        let _ = writeln!(page, "<p>{}</p>", Escaped(&outcome.text));
    }
    page.push_str("</header>\n<main>\n");
    summary(&mut page, review);
    section(&mut page, "graph", words.the_game);
    page.push_str(&graph::draw(review));
    page.push_str("</section>\n");
    turning_points(&mut page, client, review).await?;
    moves(&mut page, review);
    section(&mut page, "end", words.final_position);
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
        let _ = write!(page, "<p>{}</p>\n<ul class=\"labels\">", Escaped(review.words().accuracy));
        for (label, n) in &totals.labels {
            let _ = write!(page, "<li>{} {n}</li>", badge(review, Some(label)));
        }
        page.push_str("</ul></div>\n");
    }
    page.push_str("</section>\n");
    if !review.summary.complete {
        let _ = writeln!(page, "<p>{}</p>", Escaped(review.words().incomplete));
    }
}

async fn turning_points(page: &mut String, client: &Client, review: &Review) -> Result<(), Box<dyn Error>> {
    let mut key_moves = review.key_moves().peekable();
    if key_moves.peek().is_none() {
        return Ok(());
    }
    let words = review.words();
    section(page, "turning", words.turning_points);
    for (n_shown, it) in key_moves.enumerate() {
        let _ = writeln!(page, "<article>\n<h3>{}</h3>", heading(review, it));
        if n_shown < DIAGRAMS_MAX {
            let before = position_after(client, review, it.index).await?;
            let after = position_after(client, review, it.index + 1).await?;
            let changed = changed_points(&review.game.pieces(&before), &review.game.pieces(&after));
            let cells: Vec<String> = it.reasons.iter().flat_map(|reason| reason.cells.iter().cloned()).collect();
            let highlight = review.game.points(&cells);
            let figures = [
                (words.before, diagram(review, &before, &Marks::default())),
                (words.after, diagram(review, &after, &Marks { changed, highlight, ..Marks::default() })),
            ];
            page.push_str("<div class=\"figures\">\n");
            for (caption, picture) in figures {
                let _ = writeln!(page, "<figure>\n{picture}<figcaption>{}</figcaption>\n</figure>", Escaped(caption));
            }
            page.push_str("</div>\n");
        }
        explanation(page, review, it);
        page.push_str("</article>\n");
    }
    page.push_str("</section>\n");
    Ok(())
}

/// What was better, the reply and the reasons.
fn explanation(page: &mut String, review: &Review, it: &ReviewedMove) {
    let words = review.words();
    let code = |moves: &str| format!("<code>{}</code>", Escaped(moves));
    // Templates have no markup, and are filled with what is escaped.
    if it.best_move != it.r#move {
        let better = filled(words.better, &code(&it.best_line.join(" ")));
        let _ = writeln!(page, "<p>{better}</p>");
    }
    if let (false, Some((before, after))) = (it.reply.is_empty(), words.answered.split_once("{reply}")) {
        let (mv, reply) = (code(&it.r#move), code(&it.reply));
        let (before, after) = (before.replace("{move}", &mv), after.replace("{move}", &mv));
        let _ = writeln!(page, "<p>{before}{reply}{after}</p>");
    }
    for reason in &it.reasons {
        let _ = writeln!(page, "<p>{}</p>", Escaped(&reason.text));
    }
}

/// The table of all moves.
fn moves(page: &mut String, review: &Review) {
    let words = review.words();
    section(page, "moves", words.all_moves);
    page.push_str("<div class=\"scroll\"><table>\n<thead><tr>");
    for column in words.columns {
        let _ = write!(page, "<th scope=\"col\">{}</th>", Escaped(column));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
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
            badge(review, it.label.as_deref()),
            value(review, &it.before, &it.seat),
            value(review, &it.after, &it.seat),
            Escaped(&best),
            Escaped(&joined(&it.reasons))
        );
    }
    page.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn heading(review: &Review, it: &ReviewedMove) -> String {
    let (before, after) = (value(review, &it.before, &it.seat), value(review, &it.after, &it.seat));
    let (seat, badge) = (review.numbered_seat(it), badge(review, it.label.as_deref()));
    format!("{} <code>{}</code> {badge} <small>{before} → {after}</small>", Escaped(&seat), Escaped(&it.r#move))
}

fn badge(review: &Review, label: Option<&str>) -> String {
    let class = Severity::of(label).class();
    match label {
        Some(label) => format!("<span class=\"label {class}\">{}</span>", Escaped(&review.words().label(label))),
        None => String::new(),
    }
}

fn value(review: &Review, evaluation: &Evaluation, seat: &str) -> String {
    short_value_in(evaluation, seat, review.words().results)
}

/// Fills in the only place of a template.
pub(super) fn filled(template: &str, text: &str) -> String {
    template.replacen("{}", text, 1)
}

fn section(page: &mut String, id: &str, heading: &str) {
    let _ = writeln!(page, "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>", Escaped(heading));
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
    let to_move = || filled(review.words().to_move, mover);
    let state = position.outcome.as_ref().map_or_else(to_move, |outcome| outcome.text.clone());
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
    }
}
