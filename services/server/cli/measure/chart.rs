//! The page of `pentad report`: figures and charts, without scripts or other files.

use std::fmt::Write as _;

use super::report::GameReport;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 220.0;
/// Room for the numbers left of a chart and below it.
const LEFT: f64 = 44.0;
const BELOW: f64 = 26.0;
/// Bars of a histogram; more values share a bar.
const BARS_MAX: usize = 40;

/// Returns the page.
pub(super) fn page(report: &GameReport) -> String {
    let title = escaped(&format!("{} {}", report.game, report.variant));
    let mut rows = String::new();
    let mut row = |name: &str, value: String| {
        // Writing to a text cannot fail.
        let _ = write!(rows, "<tr><th scope=row>{}<td>{value}", escaped(name));
    };
    for seat in &report.scores {
        row(&format!("{} scores", seat.name), format!("{:.1} %", 100.0 * seat.score));
    }
    row("First-move advantage", format!("{:+.1} %", 100.0 * report.first_move_advantage));
    row("Draws", format!("{:.1} %", 100.0 * report.draws));
    row("Games with one winner", format!("{:.1} %", 100.0 * report.decisiveness));
    row("Length", format!("{:.1} plies ({:.0} to {:.0})", report.length.mean, report.length.min, report.length.max));
    let branching = &report.branching;
    row("Legal moves", format!("{:.1} ({:.0} to {:.0})", branching.mean, branching.min, branching.max));
    let scores: Vec<(String, f64)> = report.scores.iter().map(|it| (it.name.clone(), 100.0 * it.score)).collect();
    let by_ply: Vec<(String, f64)> =
        report.branching_by_ply.iter().enumerate().map(|(ply, &n)| (ply.to_string(), n)).collect();
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>{title}</title><style>{STYLE}</style><h1>{title}</h1>\
         <p>{} games of the engine against itself.</p><table>{rows}</table>{}{}{}\n",
        report.games,
        bars("Score of each seat, in percent", &scores),
        bars("Games by number of plies", &histogram(report)),
        bars("Legal moves by ply", &thinned(by_ply)),
    )
}

const STYLE: &str = ":root{color-scheme:light dark;font-family:system-ui,sans-serif}body{max-width:760px;margin:2rem auto;\
    padding:0 1rem}table{border-collapse:collapse}th,td{padding:.3rem 1rem .3rem 0;text-align:left;font-weight:400}\
    td{font-variant-numeric:tabular-nums}svg{width:100%;height:auto}rect{fill:#2f6fd0}\
    text{font-size:12px;fill:currentColor}line{stroke:currentColor;opacity:.35}";

/// Returns the lengths of games, in at most [`BARS_MAX`] ranges.
fn histogram(report: &GameReport) -> Vec<(String, f64)> {
    let (Some((&first, _)), Some((&last, _))) = (report.lengths.first_key_value(), report.lengths.last_key_value())
    else {
        return Vec::new();
    };
    let width = (last - first + 1).div_ceil(BARS_MAX);
    let count = |from: usize| report.lengths.range(from..from + width).map(|(_, count)| *count as f64).sum::<f64>();
    (first..=last).step_by(width).map(|from| (from.to_string(), count(from))).collect()
}

/// Keeps at most [`BARS_MAX`] values.
fn thinned(values: Vec<(String, f64)>) -> Vec<(String, f64)> {
    let step = values.len().div_ceil(BARS_MAX).max(1);
    values.into_iter().step_by(step).collect()
}

/// Draws a bar for each value, with its name below.
fn bars(title: &str, values: &[(String, f64)]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let max = values.iter().map(|(_, value)| *value).fold(0.0, f64::max).max(1e-9);
    let (width, height) = ((WIDTH - LEFT) / values.len() as f64, HEIGHT - BELOW);
    let mut svg = format!(
        "<h2>{title}</h2><svg viewBox='0 0 {WIDTH} {HEIGHT}' role=img aria-label='{title}'>\
         <text x=0 y=12>{max}</text><line x1={LEFT} x2={WIDTH} y1={height} y2={height} />",
        title = escaped(title),
        max = Rounded(max)
    );
    // Names that would overlap are left out.
    let step = (34.0 / width).ceil().max(1.0) as usize;
    for (idx, (name, value)) in values.iter().enumerate() {
        let (x, bar) = (LEFT + idx as f64 * width, height * value / max);
        let _ = write!(
            svg,
            "<rect x='{:.1}' y='{:.1}' width='{:.1}' height='{bar:.1}'><title>{}: {}</title></rect>",
            x + 1.0,
            height - bar,
            (width - 2.0).max(1.0),
            escaped(name),
            Rounded(*value)
        );
        if idx % step == 0 {
            let middle = x + width / 2.0;
            let _ =
                write!(svg, "<text x='{middle:.1}' y='{}' text-anchor=middle>{}</text>", HEIGHT - 8.0, escaped(name));
        }
    }
    svg + "</svg>"
}

/// A number with a digit after the point, if it needs one.
struct Rounded(f64);

impl std::fmt::Display for Rounded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = (self.0 * 10.0).round() / 10.0;
        if rounded.fract() == 0.0 { write!(f, "{rounded:.0}") } else { write!(f, "{rounded:.1}") }
    }
}

/// Escapes a text of a rule set for HTML, in elements and quoted attributes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#39;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::report::SeatScore;
    use super::*;

    /// Texts of a rule set cannot become markup, and charts are bounded however long games are.
    #[test]
    fn pages_are_safe_and_bounded() {
        let score = |name: &str| SeatScore { seat: "a".to_owned(), name: name.to_owned(), score: 0.5 };
        let mut report = GameReport { game: "x".to_owned(), games: 2, ..GameReport::default() };
        report.scores = vec![score("<script>alert('x')</script>"), score("B & C")];
        report.lengths = (5..2_000).map(|plies| (plies, 1)).collect();
        report.branching_by_ply = vec![7.0; 2_000];
        let page = page(&report);
        assert!(!page.contains("<script>") && page.contains("B &amp; C"), "{page}");
        assert_eq!(page.matches("<svg").count(), 3);
        assert!(page.matches("<rect").count() <= 2 + 2 * BARS_MAX, "{}", page.matches("<rect").count());
    }
}
