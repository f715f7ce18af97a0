use std::fmt::Write;

use crate::support::{compare_or_bless, nodes, parse, rules, search, text};

/// Variant, node limit and position of each search.
const SIGNATURE: &[(&str, u64, &str)] = &[
    ("ffa2", 4_000, "9/9/9/9/9/9/9/9/9 r -"),
    ("ffa2", 4_000, "9/1y5y1/9/4r4/3rr4/9/9/9/9 y -"),
    ("ffa3", 4_000, "9/1y5y1/9/4r4/3rr4/2g6/6g2/9/9 y -"),
    ("ffa4", 4_000, "9/1y5y1/9/4r4/3rr4/2g6/6g2/1b4b2/9 y -"),
    ("places3", 4_000, "yyyyy4/9/9/r1r1r1r2/9/9/g1g1g1g2/9/9 r y1"),
    ("places4", 4_000, "yyyyy4/9/9/r1r1r1r2/9/9/g1g1g1g2/9/b1b1b1b2 r y1"),
    ("teams", 4_000, "9/1y5y1/9/4r4/3rr4/2g6/6g2/1b4b2/9 y -"),
];

/// Simulations, moves and values of fixed searches are those of the file.
/// `PENTAD_BLESS=1` rewrites it after an intended change of behaviour.
#[test]
fn signature_is_kept() {
    let mut out = String::from("# variant, nodes, depth, best move, score of the side to move, position\n");
    for (variant, n, position) in SIGNATURE {
        let game = rules(variant);
        let position = parse(&game, position);
        let report = search(&game, &position, nodes(*n), 1);
        let (mv, score) = (report.lines[0].moves[0].text(), report.evaluation.scores[position.side() as usize]);
        let (nodes, depth) = (report.nodes, report.depth);
        writeln!(out, "{variant} {nodes} {depth} {mv} {score:.4} {}", text(&game, &position)).unwrap();
    }
    compare_or_bless("tests/search/signature.txt", &out);
}
