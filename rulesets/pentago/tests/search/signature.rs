use crate::harness::search;
use crate::support::check_signature;

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

/// Node counts, moves and values of fixed searches are those of the file. A change of
/// the search changes them deliberately; `PENTAD_BLESS=1` rewrites them.
#[test]
fn signature_is_unchanged() {
    check_signature("tests/search/signature.txt", SIGNATURE, search);
}
