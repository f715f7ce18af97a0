//! The expected scores over a game, as SVG.

use std::fmt::Write as _;

use super::Review;
use super::page::Escaped;
use crate::cli::text::percent;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 200.0;
/// Room below and above the lines.
const MARGIN: f64 = 8.0;

/// Draws a line for every seat; of two sides, only for the first, with the area under it.
pub(super) fn draw(review: &Review) -> String {
    let variant = &review.game.variant;
    let is_two_sided = variant.seats.len() == 2 && variant.n_sides() == 2;
    let shown = if is_two_sided { &variant.seats[..1] } else { &variant.seats[..] };
    let names: Vec<&str> = shown.iter().map(|seat| variant.seat_name(seat)).collect();
    let mut svg = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<title>Expected score of {}</title>\n",
        Escaped(&names.join(", "))
    );
    let half = y(0.5);
    let _ = writeln!(svg, "<line class=\"half\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{half}\" y2=\"{half}\"/>");
    for (seat_idx, seat) in shown.iter().enumerate() {
        line(&mut svg, review, seat, seat_idx, is_two_sided);
    }
    for &idx in &review.summary.turning_points {
        let x = x(review, idx + 1);
        let _ = writeln!(svg, "<line class=\"turning\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{HEIGHT}\"/>");
    }
    marks(&mut svg, review, shown);
    svg.push_str("</svg>\n");
    svg
}

/// Writing to a string cannot fail, so results are dropped.
fn line(svg: &mut String, review: &Review, seat: &str, seat_idx: usize, has_area: bool) {
    let scores = review.summary.scores.iter().enumerate();
    let points: Vec<(f64, f64)> =
        scores.filter_map(|(idx, scores)| Some((x(review, idx), y(*scores.get(seat)?)))).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let text: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let text = text.join(" ");
    let _ = writeln!(svg, "<g class=\"seat-{}\">", seat_idx % 8);
    if has_area {
        let floor = y(0.0);
        let _ = writeln!(svg, "<polygon points=\"{:.1},{floor} {text} {:.1},{floor}\"/>", first.0, last.0);
    }
    let _ = writeln!(svg, "<polyline points=\"{text}\"/>\n</g>");
}

/// Invisible columns whose titles name the move and the scores after it.
fn marks(svg: &mut String, review: &Review, shown: &[String]) {
    let width = WIDTH / review.moves.len().max(1) as f64;
    for it in &review.moves {
        let Some(scores) = review.summary.scores.get(it.index + 1) else { continue };
        let text =
            |seat: &String| Some(format!("{} {}", review.game.variant.seat_name(seat), percent(*scores.get(seat)?)));
        let scores: Vec<String> = shown.iter().filter_map(text).collect();
        let title = format!("{} {}: {}", review.numbered_seat(it), it.r#move, scores.join(", "));
        let left = x(review, it.index + 1) - width / 2.0;
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"0\" width=\"{width:.1}\" height=\"{HEIGHT}\" fill=\"transparent\"><title>{}</title></rect>",
            Escaped(&title)
        );
    }
}

fn x(review: &Review, idx: usize) -> f64 {
    let n = review.summary.scores.len().saturating_sub(1).max(1);
    WIDTH * idx as f64 / n as f64
}

fn y(score: f64) -> f64 {
    HEIGHT - MARGIN - score.clamp(0.0, 1.0) * (HEIGHT - 2.0 * MARGIN)
}
