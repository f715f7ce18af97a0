//! Walks every sequence of plies and counts them. The limit on nodes keeps the
//! default run short; `PENTAD_PERFT_NODES` lifts it.

use pentad_sdk::testing::perft;
use pentago::Pentago;

/// The counts are those of `tests/rules/perft.txt`.
#[test]
fn counts_agree_with_the_table() {
    let rows = perft::rows::<Pentago>(include_str!("perft.txt"), 40_000_000);
    assert!(rows.len() >= 8, "only {} counts are small enough", rows.len());
    rows.iter().for_each(perft::Row::check);
}
