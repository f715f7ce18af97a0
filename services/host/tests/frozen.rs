//! Rule sets built for an older ABI version keep loading and working.

mod calls;

use std::path::Path;
use std::sync::Arc;

use calls::NeverStop;
use pentad_host::{Capabilities, Ruleset};
use pentad_model::{Certainty, Limits, Request, Source, StopReason, Wdl};
use sha2::{Digest as _, Sha256};

/// One per minor version, with the SHA-256 of its source: a frozen plugin must
/// never be edited.
const FROZEN: [(&str, &str); 1] = [("abi_1_0", "59a0195b780a05352cae5a69984f1ff89d2b2aca79ba9032b14ca8096ed37bf0")];

fn load(name: &str) -> Arc<Ruleset> {
    Ruleset::load(&pentad_test_plugins::build(name), None).unwrap()
}

/// Every minor version has an unedited plugin that declares that version.
#[test]
fn every_minor_version_has_a_frozen_plugin() {
    assert_eq!(FROZEN.len(), pentad_abi::ABI_MINOR as usize + 1, "a new version needs a frozen plugin");
    for (minor, (name, sha256)) in FROZEN.iter().enumerate() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/plugins/frozen/{name}.c"));
        let digest = Sha256::digest(std::fs::read(&source).unwrap());
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, *sha256, "{} was edited", source.display());
        let info = load(name).info().clone();
        assert_eq!((info.abi_major, info.abi_minor), (1, minor as u32), "{name}");
    }
}

/// Every function of ABI 1.0 works with the present host.
#[test]
fn abi_1_0_works() {
    let game = load("abi_1_0");
    let all = Capabilities {
        search: true,
        symmetry: true,
        layout: true,
        reasons: true,
        threats: false,
        messages: false,
        move_text: false,
    };
    assert_eq!(game.info().capabilities, all);
    let start = game.start(0).unwrap();
    assert_eq!(game.format(0, &start).unwrap(), "....... a");
    assert_eq!(game.count_moves(0, &start, ""), Ok(7));

    let played = game.play(0, &start, "b").unwrap().position;
    assert_eq!(game.format(0, &played).unwrap(), ".x..... b");
    let (canonical, symmetry) = game.canonical(0, &played).unwrap();
    assert_eq!(game.apply_symmetry(0, symmetry, &played).unwrap(), canonical);
    assert_eq!(game.apply_symmetry_to_move(0, 1, &played, "g").unwrap(), "a");
    assert_eq!(game.pieces(0, &played).unwrap(), [(1, 0)]);
    assert_eq!(game.variants()[0].board.as_ref().unwrap().points.len(), 7);
    let value = game.evaluate(0, &played).unwrap();
    assert_eq!((value.certainty, value.source), (Certainty::Proven, Source::Solver));

    let request = Request { n_lines: 3, ..Request::new(Limits::default()) };
    let report = game.searcher(0, 1 << 20, 1).unwrap().run(&start, &request, &NeverStop).unwrap();
    assert_eq!((report.stop, report.lines.len()), (Some(StopReason::Proven), 3));
    // Taking the middle wins: then mirror every move of the opponent.
    let middle = report.lines.iter().position(|line| line.moves[0] == "d").expect("one of the best three");
    assert_eq!(report.lines[middle].evaluation.outcome, Some(Wdl::Win));
    let reasons = &game.explain(0, &start, &report, &[middle]).unwrap()[0];
    assert_eq!((reasons[0].code.as_str(), reasons[0].points.as_slice()), ("last_mark", &["d".to_owned()][..]));
}
