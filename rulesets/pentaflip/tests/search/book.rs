use pentad_sdk::{Certainty, NeverStop, Reasons, Report, Resources, Ruleset, Search, Symmetry, Wdl};
use pentaflip::openings::{GAMES, all, learnt};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Move, Pentaflip, Position};

use crate::support::{contract, nodes, search};
use crate::walks::{moves, parse, text};

/// As the host asks.
fn hint(position: &Position) -> Report<Move> {
    let mut context = Pentaflip.context(Resources { threads: 1, memory_bytes: 2 << 20 }).unwrap();
    Pentaflip.search(&mut context, position, &contract().request(nodes(20_000)), &NeverStop)
}

/// In each of the positions, however it is turned, the move learnt is the one
/// advised, and the reason says so.
#[test]
fn learnt_moves_are_advised() {
    assert!(all().count() > 0);
    for (position, expected) in all() {
        assert!(expected.points_least < expected.points && expected.points <= f64::from(GAMES));
        for symmetry in 0..Pentaflip.n_symmetries() {
            let image = Pentaflip.apply(symmetry, &position);
            let found = learnt(&Pentaflip, &image).expect("learnt, but for symmetry");
            assert_eq!(found.mv, Pentaflip.apply_move(symmetry, &position, &expected.mv), "{}", text(&image));
            let report = hint(&image);
            assert_eq!(report.lines[0].moves[0], found.mv, "{}", text(&image));
            let reasons = Pentaflip.explain(&image, &report, 0);
            let said = reasons.iter().find(|reason| reason.code == "opening").expect("a reason");
            assert!(said.text.contains(&format!("{} of {GAMES} points", found.points)), "{}", said.text);
        }
    }
}

/// A long search finds nothing against them.
#[test]
fn learnt_moves_are_sound() {
    for (position, expected) in all() {
        let report = search(&position, nodes(1_000_000), moves(&position).len());
        let line = report.lines.iter().find(|line| line.moves[0] == expected.mv).unwrap();
        assert_ne!(line.evaluation.outcome, Some(Wdl::Loss), "{}", text(&position));
    }
}

/// Proofs come before what games teach.
#[test]
fn proofs_come_first() {
    let favouring = |position: &Position, mv: &str| {
        let mv = Pentaflip.parse_move(position, mv).unwrap();
        PentaflipSearch::new().search_favouring(
            Some(mv),
            &Pentaflip,
            position,
            &contract().request(nodes(20_000)),
            &NeverStop,
        )
    };
    let winning = parse("wwww2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -");
    let report = favouring(&winning, "~1");
    assert_eq!((report.lines[0].moves[0].text(), report.evaluation.certainty), ("e1", Certainty::Proven));
    let threatened = parse("bbbb2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -");
    assert_ne!(favouring(&threatened, "c2").lines[0].moves[0].text(), "c2");
}
