use std::fmt::Write;

use crate::positions::{compare_or_bless, parse, text};
use crate::support::{depth, search};

/// Positions of the signature, with the depth to search them to.
const SIGNATURE: &[(u32, &str)] = &[
    (7, "6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -"),
    (6, "6/2w3/1wWBb1/2BW2/3b2/6 6/6/6/6/6/6 w -"),
    (6, "6/6/2BWww/1wWB2/2wb2/3b2 6/2b3/6/6/6/6 w L"),
    (6, "6/2w3/1wWBb1/2BWww/2b3/6 3b2/3b2/6/6/3w2/6 w L"),
    (6, "bwwwwb/bb3w/1bWBwb/wwBW1w/b4b/1wb2w 1w1w2/1wb1wb/bb2bw/ww2w1/2bwbb/wwb3 w T"),
];

/// Node counts, moves and values of fixed searches are those of the file. Only a
/// deliberate change of the search changes them; `PENTAD_BLESS=1` rewrites it.
#[test]
fn signature_is_unchanged() {
    let mut out = String::from("# depth, nodes, best move, score of the side to move, position\n");
    for (plies, position) in SIGNATURE {
        let position = parse(position);
        let report = search(&position, depth(*plies), 1);
        let (mv, score) = (report.lines[0].moves[0].text(), report.evaluation.scores[position.side() as usize]);
        writeln!(out, "{plies} {} {mv} {score:.4} {}", report.nodes, text(&position)).unwrap();
    }
    compare_or_bless("tests/search/signature.txt", &out);
}
