//! Counts every sequence of plies with the crate and, up to a smaller count,
//! with the reference. A node limit keeps the default run short;
//! `PENTAD_PERFT_NODES` lifts it.

use pentad_sdk::testing::perft;
use pentaflip::Pentaflip;

use crate::reference::ReferenceGame;
use crate::support::text;

const REFERENCE_NODES_MAX: u64 = 20_000;

/// The counts are those of `perft.txt`.
#[test]
fn counts_agree_with_the_table() {
    let rows = perft::rows::<Pentaflip>(include_str!("perft.txt"), 40_000_000);
    assert!(rows.len() >= 10, "only {} counts are small enough", rows.len());
    rows.iter().for_each(perft::Row::check);
    for row in rows.iter().filter(|row| row.count <= REFERENCE_NODES_MAX) {
        let reference = ReferenceGame::parse(&text(&row.position)).unwrap();
        assert_eq!(reference_perft(&reference, row.depth), row.count, "{} depth {}", text(&row.position), row.depth);
    }
}

fn reference_perft(reference: &ReferenceGame, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        reference.legal().iter().map(|mv| reference_perft(&reference.play(mv), depth - 1)).sum()
    }
}
