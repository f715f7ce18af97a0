//! Perft: counts all sequences of plies. A limit on nodes keeps the default run
//! short; `PENTAD_PERFT_NODES` lifts it.

use pentad_sdk::testing::perft;
use pentago_xl::PentagoXl;

/// The counts of `tests/rules/perft.txt` are right.
#[test]
fn counts_agree_with_the_table() {
    let rows = perft::rows::<PentagoXl>(include_str!("perft.txt"), 40_000_000);
    assert!(rows.len() >= 13, "only {} counts are small enough", rows.len());
    rows.iter().for_each(perft::Row::check);
}
