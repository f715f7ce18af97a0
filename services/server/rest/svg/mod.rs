//! Draws the board of any game from its layout.
//!
//! Coordinates are in the layout's units; only the outer size is in pixels. The
//! drawing needs no script, font or file, and has a title and description for
//! screen readers. Its ids begin with a digest of the drawing, so that several
//! drawings can be part of one page.

mod format;
pub(crate) mod png;

use std::fmt::Write;

use pentad_model::{Board, Piece, PieceShape, Point, PointShape};

pub(super) use format::Escaped;

use format::{Num, is_dark, or_default, shade};

/// The text alternative of the drawing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caption<'a> {
    pub(crate) game: &'a str,
    pub(crate) position: &'a str,
    /// Whose turn it is, or how the game ended.
    pub(crate) state: &'a str,
}

/// Marks on top of a position; points by index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// Ringed.
    pub(crate) highlight: Vec<u32>,
    /// From point to point.
    pub(crate) arrows: Vec<(u32, u32)>,
    /// Shaded: changed by the last move.
    pub(crate) changed: Vec<u32>,
}

/// Width in pixels and colours of a drawing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) size_px: u32,
    pub(crate) theme: Theme,
}

/// Colours of everything but the board itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(utoipa::ToSchema), schema(rename_all = "lowercase"))]
pub(crate) enum Theme {
    /// For light pages.
    Light,
    /// For dark pages.
    Dark,
}

impl Theme {
    fn background(self) -> &'static str {
        match self {
            Theme::Light => "#f7f1e6",
            Theme::Dark => "#22262b",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Theme::Light => "#4a3b2c",
            Theme::Dark => "#e8e2d8",
        }
    }

    fn line(self) -> &'static str {
        match self {
            Theme::Light => "#6b5640",
            Theme::Dark => "#a89780",
        }
    }
}

const BLOCK: &str = "#b98b5e";
const HOLE: &str = "#8f6640";
const CELL: &str = "#e9d8bd";
const STOP: &str = "#d9c7a8";
const HIGHLIGHT: &str = "#e02d8b";
const CHANGED: &str = "#ffd84d";
const PIECE: &str = "#7d8790";
/// Size of a piece, as a fraction of the radius of its point.
const PIECE_SIZE: f64 = 0.86;
/// Radius of points for which the layout gives none.
const RADIUS_DEFAULT: f64 = 0.4;

/// A position on its board; `pieces` are indices of points and kinds.
pub(crate) fn board(board: &Board, pieces: &[(u32, u32)], marks: &Marks, caption: &Caption<'_>, look: Look) -> String {
    let (width, height) = (board.width.max(0.1), board.height.max(0.1));
    let ids = format!("{caption:?}{marks:?}{look:?}{pieces:?}");
    let mut svg = Svg::open(width, height, look, caption, &ids);
    svg.background(width, height);
    svg.defs(board, marks);
    svg.blocks(board);
    svg.edges(board);
    board.points.iter().for_each(|point| svg.point(point));
    svg.changed(board, &marks.changed);
    svg.labels(board);
    let is_empty = |idx: usize| !pieces.iter().any(|(point, _)| *point as usize == idx);
    for (_, point) in board.points.iter().enumerate().filter(|(idx, _)| is_empty(*idx)) {
        svg.stop_name(point);
    }
    for (point, kinds) in kinds_by_point(board, pieces) {
        for ((kind, piece), (x, y, size)) in kinds.iter().zip(places(point, kinds.len())) {
            svg.piece(*kind, piece, x, y, size);
        }
    }
    svg.highlight(board, &marks.highlight);
    svg.arrows(board, &marks.arrows);
    svg.close()
}

/// The position's text, for games that describe no board.
pub(crate) fn text(caption: &Caption<'_>, look: Look) -> String {
    const LINE_LEN: usize = 36;
    let characters: Vec<char> = caption.position.chars().collect();
    let lines: Vec<String> = characters.chunks(LINE_LEN).map(|line| line.iter().collect()).collect();
    let height = 3.2 + lines.len() as f64 * 0.8;
    let mut svg = Svg::open(14.0, height, look, caption, &format!("{caption:?}{look:?}"));
    svg.background(14.0, height);
    let (text, line) = (look.theme.text(), look.theme.line());
    svg.write(format_args!(
        "<text x=\"0.8\" y=\"1.2\" font-family=\"sans-serif\" font-size=\"0.7\" fill=\"{text}\">{}</text>\n",
        Escaped(caption.game)
    ));
    for (idx, line) in lines.iter().enumerate() {
        let y = Num(2.3 + idx as f64 * 0.8);
        svg.write(format_args!(
            "<text x=\"0.8\" y=\"{y}\" font-family=\"monospace\" font-size=\"0.55\" fill=\"{text}\">{}</text>\n",
            Escaped(line)
        ));
    }
    svg.write(format_args!(
        "<text x=\"0.8\" y=\"{}\" font-family=\"sans-serif\" font-size=\"0.55\" fill=\"{line}\">{}</text>\n",
        Num(height - 0.6),
        Escaped(caption.state)
    ));
    svg.close()
}

/// Returns the pieces of each point that has some.
fn kinds_by_point<'a>(board: &'a Board, pieces: &[(u32, u32)]) -> Vec<(&'a Point, Vec<(u32, &'a Piece)>)> {
    let mut sorted = pieces.to_vec();
    sorted.sort_by_key(|(point, _)| *point);
    let on_point = |same_point: &[(u32, u32)]| {
        let point = board.points.get(same_point[0].0 as usize)?;
        let kind = |(_, kind): &(u32, u32)| Some((*kind, board.pieces.get(*kind as usize)?));
        Some((point, same_point.iter().filter_map(kind).collect()))
    };
    sorted.chunk_by(|(a, _), (b, _)| a == b).filter_map(on_point).collect()
}

/// Returns place and size of each of `n` pieces on a point. Several are arranged around its
/// centre.
fn places(point: &Point, n: usize) -> Vec<(f64, f64, f64)> {
    let r = radius(point);
    if n == 1 {
        return vec![(point.x, point.y, r * PIECE_SIZE)];
    }
    let n = n as f64;
    // Far enough from the centre that they touch and do not hide each other.
    let size = r * 0.52;
    let distance = size / (std::f64::consts::PI / n).sin();
    let place = |idx: usize| {
        let angle = std::f64::consts::TAU * (idx as f64 + 0.5) / n - std::f64::consts::FRAC_PI_2;
        (point.x + angle.cos() * distance, point.y + angle.sin() * distance, size)
    };
    (0..n as usize).map(place).collect()
}

struct Svg {
    out: String,
    theme: Theme,
    /// The beginning of all ids.
    prefix: String,
}

impl Svg {
    /// `content` distinguishes the drawing from others on the same page.
    fn open(width: f64, height: f64, look: Look, caption: &Caption<'_>, content: &str) -> Svg {
        let Look { size_px, theme } = look;
        let height_px = f64::from(size_px) * height / width;
        let prefix = format!("p{:08x}", super::response::fnv1a(content.as_bytes()) as u32);
        let mut svg = Svg { out: String::with_capacity(8192), theme, prefix };
        let prefix = svg.prefix.clone();
        svg.write(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{size_px}\" height=\"{}\" \
             role=\"img\" aria-labelledby=\"{prefix}-title {prefix}-desc\">\n",
            Num(width),
            Num(height),
            Num(height_px.round())
        ));
        let (game, state) = (Escaped(caption.game), Escaped(caption.state));
        svg.write(format_args!("<title id=\"{prefix}-title\">{game}: {state}</title>\n"));
        svg.write(format_args!("<desc id=\"{prefix}-desc\">{}</desc>\n", Escaped(caption.position)));
        svg
    }

    fn close(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("writing to a string cannot fail");
    }

    /// Keeps labels readable on pages of any colour.
    fn background(&mut self, width: f64, height: f64) {
        let (width, height, fill) = (Num(width), Num(height), self.theme.background());
        self.write(format_args!("<rect width=\"{width}\" height=\"{height}\" rx=\"0.3\" fill=\"{fill}\"/>\n"));
    }

    /// Gradients. Light comes from the upper left: holes are darker there, pieces
    /// brighter.
    fn defs(&mut self, board: &Board, marks: &Marks) {
        self.write(format_args!("<defs>\n"));
        let holes = board.points.iter().filter(|point| point.shape == PointShape::Hole);
        let mut colours: Vec<&str> = holes.map(|point| or_default(&point.colour, HOLE)).collect();
        colours.sort_unstable();
        colours.dedup();
        for colour in colours {
            self.gradient(&self.hole_id(colour), "0.6", &shade(colour, 0.12), &shade(colour, -0.3));
        }
        for (kind, piece) in board.pieces.iter().enumerate() {
            let fill = or_default(&piece.fill, PIECE);
            self.gradient(&self.piece_id(kind as u32), "0.35", &shade(fill, 0.35), &shade(fill, -0.12));
        }
        if !marks.arrows.is_empty() {
            let id = self.arrow_id();
            self.write(format_args!(
                "<marker id=\"{id}\" viewBox=\"0 0 4 4\" refX=\"3\" refY=\"2\" markerWidth=\"4\" orient=\"auto\">\
                 <path d=\"M0 0 4 2 0 4z\" fill=\"{HIGHLIGHT}\"/></marker>\n"
            ));
        }
        self.write(format_args!("</defs>\n"));
    }

    fn gradient(&mut self, id: &str, light: &str, from: &str, to: &str) {
        self.write(format_args!(
            "<radialGradient id=\"{id}\" cx=\"{light}\" cy=\"{light}\" r=\"0.75\"><stop stop-color=\"{from}\"/>\
             <stop offset=\"1\" stop-color=\"{to}\"/></radialGradient>\n"
        ));
    }

    fn blocks(&mut self, board: &Board) {
        for block in &board.blocks {
            let colour = or_default(&block.colour, BLOCK);
            self.write(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"0.22\" fill=\"{colour}\" stroke=\"{}\" \
                 stroke-width=\"0.05\"/>\n",
                Num(block.x),
                Num(block.y),
                Num(block.width),
                Num(block.height),
                shade(colour, -0.25)
            ));
            // In the corner, where the round holes leave room.
            let text = if is_dark(colour) { shade(colour, 0.7) } else { shade(colour, -0.55) };
            self.centred_text(&block.id, block.x + 0.19, block.y + 0.22, 0.26, &text);
        }
    }

    /// The name of a stop, small, on the stop itself.
    fn stop_name(&mut self, point: &Point) {
        if point.shape == PointShape::Stop {
            let colour = or_default(&point.colour, STOP);
            let text = if is_dark(colour) { "#ffffff" } else { "#5c4a36" };
            self.centred_text(&point.id, point.x, point.y, radius(point) * 0.85, text);
        }
    }

    fn changed(&mut self, board: &Board, points: &[u32]) {
        for point in points.iter().filter_map(|&idx| board.points.get(idx as usize)) {
            let (x, y, r) = (Num(point.x), Num(point.y), Num(radius(point) * 1.12));
            self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{CHANGED}\" opacity=\"0.6\"/>\n"));
        }
    }

    fn highlight(&mut self, board: &Board, points: &[u32]) {
        for point in points.iter().filter_map(|&idx| board.points.get(idx as usize)) {
            let (x, y, r) = (Num(point.x), Num(point.y), Num(radius(point) * 1.08));
            self.write(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"none\" stroke=\"{HIGHLIGHT}\" stroke-width=\"0.09\"/>\n"
            ));
        }
    }

    fn arrows(&mut self, board: &Board, arrows: &[(u32, u32)]) {
        for (from, to) in arrows {
            let (Some(from), Some(to)) = (board.points.get(*from as usize), board.points.get(*to as usize)) else {
                continue;
            };
            let id = self.arrow_id();
            self.write(format_args!(
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{HIGHLIGHT}\" stroke-width=\"0.1\" \
                 stroke-linecap=\"round\" opacity=\"0.85\" marker-end=\"url(#{id})\"/>\n",
                Num(from.x),
                Num(from.y),
                Num(to.x),
                Num(to.y)
            ));
        }
    }

    fn edges(&mut self, board: &Board) {
        if board.edges.is_empty() {
            return;
        }
        let colour = self.theme.line();
        self.write(format_args!("<g stroke=\"{colour}\" stroke-width=\"0.08\" stroke-linecap=\"round\">\n"));
        for (from, to) in &board.edges {
            let (Some(from), Some(to)) = (board.points.get(*from as usize), board.points.get(*to as usize)) else {
                continue;
            };
            self.write(format_args!(
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
                Num(from.x),
                Num(from.y),
                Num(to.x),
                Num(to.y)
            ));
        }
        self.write(format_args!("</g>\n"));
    }

    fn point(&mut self, point: &Point) {
        let (x, y, r) = (Num(point.x), Num(point.y), radius(point));
        match point.shape {
            PointShape::Hidden => {}
            PointShape::Hole => {
                let id = self.hole_id(or_default(&point.colour, HOLE));
                self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"url(#{id})\"/>\n", Num(r)));
            }
            PointShape::Cell => {
                let colour = or_default(&point.colour, CELL);
                self.write(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{2}\" fill=\"{colour}\" stroke=\"{}\" \
                     stroke-width=\"0.03\"/>\n",
                    Num(point.x - r),
                    Num(point.y - r),
                    Num(2.0 * r),
                    shade(colour, -0.2)
                ));
            }
            PointShape::Stop => {
                let colour = or_default(&point.colour, STOP);
                self.write(format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{colour}\" stroke=\"{}\" stroke-width=\"0.05\"/>\n",
                    Num(r),
                    shade(colour, -0.35)
                ));
            }
        }
    }

    fn labels(&mut self, board: &Board) {
        for label in &board.labels {
            self.centred_text(&label.text, label.x, label.y, 0.36, self.theme.text());
        }
    }

    fn piece(&mut self, kind: u32, piece: &Piece, x: f64, y: f64, r: f64) {
        let fill = or_default(&piece.fill, PIECE);
        let darker = shade(fill, -0.35);
        let stroke = or_default(&piece.stroke, &darker);
        let (cx, cy) = (Num(x), Num(y));
        let gradient = self.piece_id(kind);
        let shape = match piece.shape {
            PieceShape::Disc => format!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"url(#{gradient})\"", Num(r)),
            PieceShape::Spot => format!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"{fill}\"", Num(r)),
            PieceShape::Square => format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" rx=\"{3}\" fill=\"url(#{gradient})\"",
                Num(x - r * 0.85),
                Num(y - r * 0.85),
                Num(r * 1.7),
                Num(r * 0.2)
            ),
            PieceShape::Ring => {
                // A wider stroke below gives the ring an outline on both sides.
                let ring = |width: f64, colour: &str| {
                    format!(
                        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"none\" stroke=\"{colour}\" \
                         stroke-width=\"{}\"/>\n",
                        Num(r * 0.75),
                        Num(width)
                    )
                };
                self.out.push_str(&ring(r * 0.5 + 0.04, stroke));
                self.out.push_str(&ring(r * 0.5, fill));
                return self.piece_label(piece, fill, x, y, r);
            }
        };
        self.write(format_args!("{shape} stroke=\"{stroke}\" stroke-width=\"0.03\"/>\n"));
        self.piece_label(piece, fill, x, y, r);
    }

    fn piece_label(&mut self, piece: &Piece, fill: &str, x: f64, y: f64, r: f64) {
        if !piece.label.is_empty() {
            let colour = if is_dark(fill) { "#ffffff" } else { "#1d1d1d" };
            self.centred_text(&piece.label, x, y, r * 1.1, colour);
        }
    }

    fn hole_id(&self, colour: &str) -> String {
        format!("{}-hole{}", self.prefix, colour.trim_start_matches('#'))
    }

    fn piece_id(&self, kind: u32) -> String {
        format!("{}-piece{kind}", self.prefix)
    }

    fn arrow_id(&self) -> String {
        format!("{}-arrow", self.prefix)
    }

    fn centred_text(&mut self, text: &str, x: f64, y: f64, size: f64, colour: &str) {
        self.write(format_args!(
            "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"{}\" fill=\"{colour}\" \
             text-anchor=\"middle\" dominant-baseline=\"central\">{}</text>\n",
            Num(x),
            Num(y),
            Num(size),
            Escaped(text)
        ));
    }
}

fn radius(point: &Point) -> f64 {
    if point.radius > 0.0 { point.radius } else { RADIUS_DEFAULT }
}

#[cfg(test)]
mod tests {
    use pentad_model::{Block, Label};

    use super::*;

    pub(super) fn sample() -> Board {
        let point = |id: &str, x, shape| Point { id: id.into(), x, y: 1.0, radius: 0.4, shape, colour: String::new() };
        let piece = |id: &str, fill: &str, shape| Piece {
            id: id.into(),
            name: id.into(),
            fill: fill.into(),
            stroke: String::new(),
            label: String::new(),
            shape,
            seat: None,
        };
        Board {
            width: 4.0,
            height: 2.0,
            points: vec![
                point("a1", 0.5, PointShape::Hole),
                point("b1", 1.5, PointShape::Cell),
                point("c1", 2.5, PointShape::Stop),
                point("d1", 3.5, PointShape::Hidden),
            ],
            edges: vec![(2, 3)],
            blocks: vec![Block {
                id: "1".into(),
                x: 0.0,
                y: 0.5,
                width: 2.0,
                height: 1.0,
                colour: "#c08040".into(),
                points: vec![0, 1],
            }],
            labels: vec![Label { text: "a<b".into(), x: 2.0, y: 0.2 }],
            pieces: vec![
                piece("w", "#ffffff", PieceShape::Disc),
                piece("r", "#cc2222", PieceShape::Ring),
                piece("s", "#222222", PieceShape::Square),
            ],
        }
    }

    /// Every shape, several pieces on one point, escaped text, short numbers.
    /// Reviewers read the diff of the golden file: `PENTAD_BLESS=1` rewrites it.
    #[test]
    fn drawing_matches_the_golden_file() {
        let caption = Caption { game: "Test & Co", position: "w r/s 1", state: "White to move" };
        let marks = Marks { highlight: vec![1], arrows: vec![(0, 2)], changed: vec![3] };
        let look = Look { size_px: 400, theme: Theme::Light };
        let drawn = board(&sample(), &[(2, 2), (0, 0), (1, 1), (2, 0)], &marks, &caption, look);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/diagram.svg");
        if std::env::var_os("PENTAD_BLESS").is_some() {
            std::fs::write(path, &drawn).unwrap();
        }
        assert_eq!(drawn, std::fs::read_to_string(path).unwrap());
        assert!(drawn.contains("a&lt;b") && drawn.contains("Test &amp; Co"));
    }

    /// Names of a rule set cannot become markup, reorder the text, or make the drawing
    /// malformed.
    #[test]
    fn names_are_only_text() {
        let game = "</title><script>alert(1)</script>\u{202e}\" onload=\"x\u{0}\u{ffff}\u{fffe}]]>";
        let caption = Caption { game, position: game, state: game };
        let mut odd = sample();
        odd.labels[0].text = game.to_owned();
        odd.pieces[0].label = game.to_owned();
        let look = Look { size_px: 300, theme: Theme::Light };
        for drawn in [board(&odd, &[(0, 0)], &Marks::default(), &caption, look), text(&caption, look)] {
            assert_eq!(drawn.matches("<script").count() + drawn.matches("onload=\"").count(), 0, "{drawn}");
            assert!(drawn.contains("&lt;script&gt;alert(1)"), "{drawn}");
            assert!(!drawn.contains(['\u{202e}', '\u{0}', '\u{ffff}', '\u{fffe}']), "{drawn}");
        }
    }

    /// Without a board the position's text is drawn, in lines.
    #[test]
    fn text_is_the_fallback() {
        let position = "x".repeat(80);
        let caption = Caption { game: "Plain", position: &position, state: "" };
        let look = Look { size_px: 300, theme: Theme::Light };
        assert_eq!(text(&caption, look).matches("monospace").count(), 3);
    }

    /// Two drawings in one page share no id, and a dark one has other colours.
    #[test]
    fn drawings_share_no_ids() {
        let draw = |position: &str, theme| {
            let caption = Caption { game: "Test", position, state: "" };
            board(&sample(), &[(0, 0)], &Marks::default(), &caption, Look { size_px: 400, theme })
        };
        let ids = |drawn: &str| -> Vec<String> {
            drawn.split("id=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
        };
        let (first, second) = (draw("a", Theme::Light), draw("b", Theme::Light));
        assert!(ids(&first).len() > 3 && ids(&first).iter().all(|id| !ids(&second).contains(id)));
        assert!(!draw("a", Theme::Dark).contains(Theme::Light.background()));
    }
}
