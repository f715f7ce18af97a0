//! The expected scores over a game, as SVG: one panel for two seats, else one for each.

use std::fmt::Write as _;

use super::page::{Escaped, filled};
use super::words::Words;
use super::{Review, ReviewedMove};
use crate::cli::text::percent;

/// Size of the only panel, and of one of several.
const WIDE: (f64, f64) = (720.0, 200.0);
const NARROW: (f64, f64) = (360.0, 150.0);
/// Room for the words below the lines, and around the lines.
const BELOW: f64 = 22.0;
const MARGIN: f64 = 8.0;

/// Draws the panels, with their caption.
pub(super) fn draw(review: &Review) -> String {
    let (variant, words) = (&review.game.variant, review.words());
    let mut html = String::new();
    // Writing to a string cannot fail, so results are dropped.
    if let ([first, second], 2) = (&variant.seats[..], variant.n_sides()) {
        let name = |seat: &str| filled(words.wins, variant.seat_name(seat));
        let panel =
            Panel { review, seat: first, seat_idx: 0, size: WIDE, left: 124.0, top: name(first), bottom: name(second) };
        html.push_str(&panel.draw());
        let caption = filled(words.graph, variant.seat_name(first));
        let _ = writeln!(html, "<p class=\"legend\">{}</p>", Escaped(&caption));
        return html;
    }
    html.push_str("<div class=\"panels\">\n");
    for (seat_idx, seat) in variant.seats.iter().enumerate() {
        let panel = Panel { review, seat, seat_idx, size: NARROW, left: 64.0, top: percent(1.0), bottom: percent(0.0) };
        let name = Escaped(variant.seat_name(seat));
        let _ = writeln!(
            html,
            "<figure><figcaption class=\"seat-{}\">{name}</figcaption>\n{}</figure>",
            seat_idx % 8,
            panel.draw()
        );
    }
    let _ = writeln!(html, "</div>\n<p class=\"legend\">{}</p>", Escaped(words.graphs));
    html
}

/// The expected score of one seat.
struct Panel<'a> {
    review: &'a Review,
    seat: &'a str,
    seat_idx: usize,
    size: (f64, f64),
    /// Room for the words left of the lines.
    left: f64,
    /// What a score of 1 is, and one of 0.
    top: String,
    bottom: String,
}

impl Panel<'_> {
    fn draw(&self) -> String {
        let (width, height) = self.size;
        let Review { game, summary, .. } = self.review;
        let mut svg = format!(
            "<svg class=\"graph\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n",
            Escaped(&filled(self.words().graph, game.variant.seat_name(self.seat)))
        );
        self.axes(&mut svg);
        self.line(&mut svg);
        for idx in summary.turning_points.iter().filter(|idx| self.is_own(**idx)) {
            let x = self.x(idx + 1);
            let _ = writeln!(
                svg,
                "<line class=\"turning\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{}\"/>",
                height - BELOW
            );
        }
        self.marks(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// Whether a turning point is shown: in a panel of its own, a seat has its own only.
    fn is_own(&self, move_idx: usize) -> bool {
        let mut moves = self.review.moves.iter();
        self.size == WIDE || moves.any(|it| it.index == move_idx && it.seat == self.seat)
    }

    /// The words beside and below the lines, and the line of an even score.
    fn axes(&self, svg: &mut String) {
        let (width, height) = self.size;
        let (even, left) = (self.even_score(), self.left);
        let y = self.y(even);
        let _ = writeln!(svg, "<line class=\"half\" x1=\"{left}\" x2=\"{width}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        let (beside, below) = (left - 6.0, height - 6.0);
        for (score, text) in [(1.0, &*self.top), (even, self.words().even), (0.0, &*self.bottom)] {
            let y = self.y(score) + 4.0;
            let _ = writeln!(svg, "<text x=\"{beside}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>", Escaped(text));
        }
        let n_turns = self.n_moves().div_ceil(self.review.game.variant.seats.len().max(1));
        let last = filled(self.words().at_turn, &n_turns.to_string());
        let _ = writeln!(svg, "<text x=\"{left}\" y=\"{below}\">{}</text>", Escaped(self.words().start));
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{below}\" text-anchor=\"end\">{}</text>", width - MARGIN, Escaped(&last));
    }

    fn line(&self, svg: &mut String) {
        let scores = self.review.summary.scores.iter().enumerate();
        let points: Vec<(f64, f64)> =
            scores.filter_map(|(idx, scores)| Some((self.x(idx), self.y(*scores.get(self.seat)?)))).collect();
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let text: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (text, floor) = (text.join(" "), self.y(0.0));
        let _ = writeln!(
            svg,
            "<g class=\"seat-{}\">\n<polygon points=\"{:.1},{floor} {text} {:.1},{floor}\"/>\n\
             <polyline points=\"{text}\"/>\n</g>",
            self.seat_idx % 8,
            first.0,
            last.0
        );
    }

    /// Invisible columns whose titles name the move and the score after it.
    fn marks(&self, svg: &mut String) {
        let (width, height) = self.size;
        let width = (width - self.left) / self.n_moves().max(1) as f64;
        for it in &self.review.moves {
            let Some(title) = self.mark(it) else { continue };
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"0\" width=\"{width:.1}\" height=\"{height}\" fill=\"transparent\"><title>{}</title></rect>",
                self.x(it.index + 1) - width / 2.0,
                Escaped(&title)
            );
        }
    }

    fn mark(&self, it: &ReviewedMove) -> Option<String> {
        let score = self.review.summary.scores.get(it.index + 1)?.get(self.seat)?;
        let seat = self.review.game.variant.seat_name(self.seat);
        Some(format!("{} {}: {seat} {}", self.review.numbered_seat(it), it.r#move, percent(*score)))
    }

    /// The score of a game in which no seat has done better than another.
    fn even_score(&self) -> f64 {
        let Some(scores) = self.review.summary.scores.first().filter(|scores| !scores.is_empty()) else { return 0.5 };
        scores.values().sum::<f64>() / scores.len() as f64
    }

    fn words(&self) -> &'static Words {
        self.review.words()
    }

    fn n_moves(&self) -> usize {
        self.review.summary.scores.len().saturating_sub(1)
    }

    fn x(&self, idx: usize) -> f64 {
        self.left + (self.size.0 - self.left - MARGIN) * idx as f64 / self.n_moves().max(1) as f64
    }

    fn y(&self, score: f64) -> f64 {
        let floor = self.size.1 - BELOW - MARGIN;
        floor - score.clamp(0.0, 1.0) * (floor - MARGIN)
    }
}
