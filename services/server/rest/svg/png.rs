//! The same board in pixels, as PNG: services that show previews of links read no SVG.
//!
//! It has the shapes of the drawing without its texts. Edges are smooth: a pixel is covered
//! by as much as its centre is inside of the shape.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use pentad_model::{Board, Piece, PieceShape, Point, PointShape};

use super::format::{channels, or_default, shade};
use super::{BLOCK, CELL, CHANGED, HOLE, PIECE, STOP, Theme, kinds_by_point, places, radius};

/// The size that previews of links have.
pub(crate) const PREVIEW: (u32, u32) = (1200, 630);
/// Room around the board, as a fraction of the picture's height.
const MARGIN: f64 = 0.03;

/// A position on its board in the middle of a picture; `changed` are points to shade.
pub(crate) fn board(board: &Board, pieces: &[(u32, u32)], changed: &[u32], (width, height): (u32, u32)) -> Vec<u8> {
    let mut canvas = Canvas::new(board, width as usize, height as usize);
    for block in &board.blocks {
        let colour = or_default(&block.colour, BLOCK);
        let size = (block.width, block.height);
        canvas.rect((block.x, block.y), size, 0.22, Paint::plain(colour), &shade(colour, -0.25), 0.05);
    }
    for (from, to) in &board.edges {
        if let (Some(from), Some(to)) = (board.points.get(*from as usize), board.points.get(*to as usize)) {
            canvas.line((from.x, from.y), (to.x, to.y), 0.08, Theme::Light.line());
        }
    }
    board.points.iter().for_each(|point| canvas.point(point));
    for point in changed.iter().filter_map(|&idx| board.points.get(idx as usize)) {
        canvas.disc((point.x, point.y), radius(point) * 1.12, Paint { opacity: 0.6, ..Paint::plain(CHANGED) });
    }
    for (point, kinds) in kinds_by_point(board, pieces) {
        for ((_, piece), (x, y, size)) in kinds.iter().zip(places(point, kinds.len())) {
            canvas.piece(piece, (x, y), size);
        }
    }
    encode(&canvas.pixels, width, height)
}

/// Place or colour of a shape, in units of the board.
type Place = (f64, f64);

/// What fills a shape.
#[derive(Clone, Copy)]
struct Paint {
    from: [f64; 3],
    to: [f64; 3],
    /// Where the light is, as a fraction of the shape's width and height.
    light: f64,
    opacity: f64,
}

impl Paint {
    fn plain(colour: &str) -> Paint {
        let colour = rgb(colour);
        Paint { from: colour, to: colour, light: 0.5, opacity: 1.0 }
    }

    /// As the gradients of the drawing.
    fn lit(light: f64, from: &str, to: &str) -> Paint {
        Paint { from: rgb(from), to: rgb(to), light, opacity: 1.0 }
    }

    /// Returns the colour at a place in a shape, both as fractions of its size.
    fn at(&self, x: f64, y: f64) -> [f64; 3] {
        let part = ((x - self.light).hypot(y - self.light) / 0.75).clamp(0.0, 1.0);
        std::array::from_fn(|channel| self.from[channel] + (self.to[channel] - self.from[channel]) * part)
    }
}

fn rgb(colour: &str) -> [f64; 3] {
    channels(colour).map(f64::from)
}

struct Canvas {
    width: usize,
    height: usize,
    /// Rows of red, green and blue.
    pixels: Vec<u8>,
    /// Pixels per unit of the board, and where the board begins.
    scale: f64,
    left: f64,
    top: f64,
}

impl Canvas {
    fn new(board: &Board, width: usize, height: usize) -> Canvas {
        let (board_width, board_height) = (board.width.max(0.1), board.height.max(0.1));
        let margin = height as f64 * MARGIN;
        let room = |size: usize| size as f64 - 2.0 * margin;
        let scale = (room(width) / board_width).min(room(height) / board_height);
        let pixels = channels(Theme::Light.background()).repeat(width * height);
        let start = |size: usize, board_size: f64| (size as f64 - board_size * scale) / 2.0;
        Canvas { width, height, pixels, scale, left: start(width, board_width), top: start(height, board_height) }
    }

    fn point(&mut self, point: &Point) {
        let (place, r) = ((point.x, point.y), radius(point));
        match point.shape {
            PointShape::Hidden => {}
            PointShape::Hole => {
                let colour = or_default(&point.colour, HOLE);
                self.disc(place, r, Paint::lit(0.6, &shade(colour, 0.12), &shade(colour, -0.3)));
            }
            PointShape::Cell => {
                let colour = or_default(&point.colour, CELL);
                let (corner, size) = ((point.x - r, point.y - r), (2.0 * r, 2.0 * r));
                self.rect(corner, size, 0.0, Paint::plain(colour), &shade(colour, -0.2), 0.03);
            }
            PointShape::Stop => {
                let colour = or_default(&point.colour, STOP);
                self.disc(place, r, Paint::plain(colour));
                self.ring(place, r, 0.05, &shade(colour, -0.35));
            }
        }
    }

    fn piece(&mut self, piece: &Piece, place: Place, r: f64) {
        let fill = or_default(&piece.fill, PIECE);
        let darker = shade(fill, -0.35);
        let stroke = or_default(&piece.stroke, &darker);
        let lit = Paint::lit(0.35, &shade(fill, 0.35), &shade(fill, -0.12));
        match piece.shape {
            PieceShape::Disc | PieceShape::Spot => {
                self.disc(place, r, if piece.shape == PieceShape::Disc { lit } else { Paint::plain(fill) });
                self.ring(place, r, 0.03, stroke);
            }
            PieceShape::Square => {
                let corner = (place.0 - r * 0.85, place.1 - r * 0.85);
                self.rect(corner, (r * 1.7, r * 1.7), r * 0.2, lit, stroke, 0.03);
            }
            PieceShape::Ring => {
                self.ring(place, r * 0.75, r * 0.5 + 0.04, stroke);
                self.ring(place, r * 0.75, r * 0.5, fill);
            }
        }
    }

    fn disc(&mut self, (x, y): Place, r: f64, paint: Paint) {
        self.fill((x - r, y - r), (2.0 * r, 2.0 * r), paint, |at_x, at_y| (at_x - x).hypot(at_y - y) - r);
    }

    fn ring(&mut self, (x, y): Place, r: f64, width: f64, colour: &str) {
        let outer = r + width / 2.0;
        let distance = |at_x: f64, at_y: f64| ((at_x - x).hypot(at_y - y) - r).abs() - width / 2.0;
        self.fill((x - outer, y - outer), (2.0 * outer, 2.0 * outer), Paint::plain(colour), distance);
    }

    fn line(&mut self, from: Place, to: Place, width: f64, colour: &str) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length2 = (dx * dx + dy * dy).max(1e-9);
        let distance = |x: f64, y: f64| {
            let along = (((x - from.0) * dx + (y - from.1) * dy) / length2).clamp(0.0, 1.0);
            (x - from.0 - along * dx).hypot(y - from.1 - along * dy) - width / 2.0
        };
        let corner = (from.0.min(to.0) - width, from.1.min(to.1) - width);
        self.fill(corner, (dx.abs() + 2.0 * width, dy.abs() + 2.0 * width), Paint::plain(colour), distance);
    }

    /// A rectangle with round corners and an outline.
    fn rect(&mut self, corner: Place, size: Place, round: f64, paint: Paint, stroke: &str, stroke_width: f64) {
        let half = (size.0 / 2.0, size.1 / 2.0);
        let centre = (corner.0 + half.0, corner.1 + half.1);
        let distance = |x: f64, y: f64| {
            let beyond = ((x - centre.0).abs() - half.0 + round, (y - centre.1).abs() - half.1 + round);
            beyond.0.max(0.0).hypot(beyond.1.max(0.0)) + beyond.0.max(beyond.1).min(0.0) - round
        };
        self.fill(corner, size, paint, distance);
        let outer = (corner.0 - stroke_width, corner.1 - stroke_width);
        let outer_size = (size.0 + 2.0 * stroke_width, size.1 + 2.0 * stroke_width);
        let outline = |x: f64, y: f64| distance(x, y).abs() - stroke_width / 2.0;
        self.fill(outer, outer_size, Paint::plain(stroke), outline);
    }

    /// Fills a shape by its distance function, in units of the board: negative inside.
    fn fill(&mut self, corner: Place, size: Place, paint: Paint, distance: impl Fn(f64, f64) -> f64) {
        let range = |start: f64, length: f64, offset: f64, max: usize| {
            let first = (start * self.scale + offset).floor() - 1.0;
            let last = ((start + length) * self.scale + offset).ceil() + 1.0;
            // Negative and huge numbers saturate.
            (first as usize).min(max)..(last as usize).min(max)
        };
        let columns = range(corner.0, size.0, self.left, self.width);
        for row in range(corner.1, size.1, self.top, self.height) {
            let y = (row as f64 + 0.5 - self.top) / self.scale;
            for column in columns.clone() {
                let x = (column as f64 + 0.5 - self.left) / self.scale;
                let cover = (0.5 - distance(x, y) * self.scale).clamp(0.0, 1.0) * paint.opacity;
                if cover > 0.0 {
                    let colour = paint.at((x - corner.0) / size.0, (y - corner.1) / size.1);
                    let start = (row * self.width + column) * 3;
                    for (pixel, channel) in self.pixels[start..start + 3].iter_mut().zip(colour) {
                        *pixel = (f64::from(*pixel) * (1.0 - cover) + channel * cover).round() as u8;
                    }
                }
            }
        }
    }
}

/// Writes rows of red, green and blue as PNG.
fn encode(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::default());
    for row in pixels.chunks(width as usize * 3) {
        // Each row names its filter: none.
        let written = rows.write_all(&[0]).and_then(|()| rows.write_all(row));
        written.expect("writing to memory cannot fail");
    }
    let rows = rows.finish().expect("writing to memory cannot fail");
    // Eight bits per channel, red, green and blue, not interlaced.
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", &head[..]), (b"IDAT", &rows), (b"IEND", &[])] {
        let mut check = Crc::new();
        check.update(name);
        check.update(data);
        let len = u32::try_from(data.len()).expect("a preview is small");
        png.extend_from_slice(&len.to_be_bytes());
        png.extend_from_slice(name);
        png.extend_from_slice(data);
        png.extend_from_slice(&check.sum().to_be_bytes());
    }
    png
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::super::tests::sample;
    use super::*;

    /// Reads what [`encode`] writes: the size, and the pixels.
    fn decode(png: &[u8]) -> (u32, u32, Vec<u8>) {
        let (signature, mut rest) = png.split_at(8);
        assert_eq!(signature, b"\x89PNG\r\n\x1a\n");
        let (mut size, mut data) = ((0, 0), Vec::new());
        while !rest.is_empty() {
            let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().expect("four bytes"));
            let len = number(&rest[..4]) as usize;
            let (name, content) = (&rest[4..8], &rest[8..8 + len]);
            let mut check = Crc::new();
            check.update(&rest[4..8 + len]);
            assert_eq!(check.sum(), number(&rest[8 + len..12 + len]));
            match name {
                b"IHDR" => size = (number(&content[..4]), number(&content[4..8])),
                b"IDAT" => data.extend_from_slice(content),
                _ => assert_eq!((name, len), (&b"IEND"[..], 0)),
            }
            rest = &rest[12 + len..];
        }
        let mut rows = Vec::new();
        flate2::read::ZlibDecoder::new(&*data).read_to_end(&mut rows).expect("it is compressed");
        let pixels = rows.chunks(size.0 as usize * 3 + 1).flat_map(|row| row[1..].to_vec()).collect();
        (size.0, size.1, pixels)
    }

    /// The picture is a valid PNG with the shapes where the drawing has them.
    #[test]
    fn shapes_are_where_they_belong() {
        let (width, height, pixels) = decode(&board(&sample(), &[(0, 0)], &[], (400, 200)));
        assert_eq!((width, height, pixels.len()), (400, 200, 400 * 200 * 3));
        let at = |x: f64, y: f64| {
            // The board of 4 by 2 units fills the height but for the margin.
            let scale = (200.0 - 2.0 * 200.0 * MARGIN) / 2.0;
            let (column, row) = ((200.0 + (x - 2.0) * scale) as usize, (100.0 + (y - 1.0) * scale) as usize);
            <[u8; 3]>::try_from(&pixels[(row * 400 + column) * 3..][..3]).expect("a pixel")
        };
        assert_eq!(at(3.5, 0.1), channels(Theme::Light.background()), "nothing is drawn here");
        assert_eq!(at(1.5, 1.0), channels(CELL), "an empty cell");
        assert_eq!(at(2.5, 1.0), channels(STOP), "an empty stop");
        assert!(at(0.5, 1.0).iter().all(|channel| *channel > 200), "a white piece: {:?}", at(0.5, 1.0));
        assert_eq!(at(1.0, 0.6), channels("#c08040"), "the block between its points");
    }

    /// Impossible numbers of a rule set draw nothing and end.
    #[test]
    fn impossible_layouts_end() {
        let mut odd = sample();
        (odd.points[0].x, odd.points[1].radius, odd.blocks[0].width) = (f64::NAN, 1e300, -5.0);
        let (_, _, pixels) = decode(&board(&odd, &[(0, 0), (9, 9)], &[0, 7], (64, 32)));
        assert_eq!(pixels.len(), 64 * 32 * 3);
    }
}
