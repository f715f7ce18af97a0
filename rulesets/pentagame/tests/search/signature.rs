//! The search signature: node counts, depths and values of fixed searches, in
//! `tests/search/signature.txt`. An optimisation leaves it alone.

use std::fmt::Write;

use pentad_sdk::Limits;

use crate::sample::played_positions;
use crate::support::{all_rules, compare_or_bless, contract, text};

/// `PENTAD_BLESS=1` rewrites the file after an intended change of behaviour.
#[test]
fn signature_is_as_written() {
    let mut out = String::new();
    for game in all_rules() {
        for position in played_positions(&game, 100, 5) {
            let depth = if game.n_seats() == 2 { Some(4) } else { None };
            let limits = Limits { nodes: Some(20_000), depth, ..Limits::default() };
            let report = contract(&game).search(&position, limits, 1);
            let scores = report.evaluation.scores;
            let (nodes, depth) = (report.nodes, report.depth);
            let mv = report.lines[0].moves[0];
            writeln!(out, "{}\n    nodes {nodes} depth {depth} {mv} {scores:.4?}", text(&game, &position)).unwrap();
        }
    }
    compare_or_bless("tests/search/signature.txt", &out);
}
