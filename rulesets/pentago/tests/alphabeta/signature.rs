use std::fmt::Write;

use crate::support::{depth, search};
use crate::walks::{compare_or_bless, parse, rules, text};

/// Positions of the signature, with the depth to search them to.
const SIGNATURE: &[(&str, u32, &str)] = &[
    ("standard", 4, "6/6/6/6/6/6 w"),
    ("standard", 4, "6/1w2w1/6/6/1b2b1/6 w"),
    ("standard", 5, "6/w3b1/2b2w/b3w1/4w1/1bb3 w"),
    ("standard", 5, "1bw3/www1b1/2b3/1bb3/1w2b1/bww3 w"),
    ("standard", 6, "b1w1b1/1w2bb/wwbw2/1bwb1b/wb2w1/2wb2 w"),
    ("finnish", 4, "6/1w2w1/6/6/1b2b1/6 w"),
    ("czech", 4, "1w4/1w1bw1/6/bbb3/1wb3/1ww2b w"),
    ("clockwise", 5, "6/1w2w1/6/6/1b2b1/6 w"),
];

/// Node counts, moves and values of fixed searches are those of the file. A
/// change of the search changes them on purpose; write them anew with
/// `PENTAD_BLESS=1`.
#[test]
fn signature_is_kept() {
    let mut out = String::from("# variant, depth, nodes, best move, score of the side to move, position\n");
    for (variant, plies, position) in SIGNATURE {
        let game = rules(variant);
        let position = parse(&game, position);
        let report = search(&game, &position, depth(*plies), 1);
        let (mv, score) = (report.lines[0].moves[0].text(), report.evaluation.scores[position.side() as usize]);
        writeln!(out, "{variant} {plies} {} {mv} {score:.4} {}", report.nodes, text(&game, &position)).unwrap();
    }
    compare_or_bless("tests/alphabeta/signature.txt", &out);
}
