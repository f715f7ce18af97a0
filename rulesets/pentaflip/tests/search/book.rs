use pentad_sdk::{Certainty, NeverStop, Reasons, Report, Request, Resources, Ruleset, Search, Source, Symmetry, Wdl};
use pentaflip::book::{self, GAMES_PER_MOVE};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Move, Pentaflip, Position};

use crate::positions::{moves, parse, text};
use crate::support::{contract, nodes, search};

/// Searches as the host does, with the book.
fn search_with_book(position: &Position) -> Report<Move> {
    let mut context = Pentaflip.context(Resources { threads: 1, memory_bytes: 2 << 20 }).unwrap();
    Pentaflip.search(&mut context, position, &contract().request(nodes(20_000)), &NeverStop)
}

/// In each position of the book and all symmetric ones, the book's move is ranked
/// first, and a reason says so.
#[test]
fn book_moves_are_played() {
    assert!(book::entries().count() > 0);
    for (position, expected) in book::entries() {
        assert!(expected.worst_points < expected.points && expected.points <= f64::from(GAMES_PER_MOVE));
        for symmetry in 0..Pentaflip.n_symmetries() {
            let image = Pentaflip.apply(symmetry, &position);
            let book_move = book::probe(&Pentaflip, &image).expect("symmetric positions are in the book");
            assert_eq!(book_move.mv, Pentaflip.apply_move(symmetry, &position, &expected.mv), "{}", text(&image));
            let report = search_with_book(&image);
            assert_eq!(report.lines[0].moves[0], book_move.mv, "{}", text(&image));
            let reasons = Pentaflip.explain(&image, &report, 0);
            let reason = reasons.iter().find(|reason| reason.code == "opening").expect("a reason");
            assert!(
                reason.text.contains(&format!("{} of {GAMES_PER_MOVE} points", book_move.points)),
                "{}",
                reason.text
            );
        }
    }
}

/// Lines are in the order of their scores, and the book's line says where its score
/// comes from.
#[test]
fn lines_have_the_order_of_their_scores() {
    for (position, expected) in book::entries() {
        let mut context = Pentaflip.context(Resources { threads: 1, memory_bytes: 2 << 20 }).unwrap();
        let request = Request { n_lines: 4, ..contract().request(nodes(200_000)) };
        let report = Pentaflip.search(&mut context, &position, &request, &NeverStop);
        let scores: Vec<f64> =
            report.lines.iter().map(|line| line.evaluation.scores[Pentaflip.to_move(&position)]).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{}: {scores:?}", text(&position));
        assert_eq!(report.lines[0].moves[0], expected.mv, "{}", text(&position));
        assert_eq!(report.lines[0].evaluation.source, Source::Book, "{}", text(&position));
        assert_eq!(report.evaluation.scores, report.lines[0].evaluation.scores, "{}", text(&position));
    }
}

/// A long search does not refute the book's moves.
#[test]
fn book_moves_are_sound() {
    for (position, expected) in book::entries() {
        let report = search(&position, nodes(1_000_000), moves(&position).len());
        let line = report.lines.iter().find(|line| line.moves[0] == expected.mv).unwrap();
        assert_ne!(line.evaluation.outcome, Some(Wdl::Loss), "{}", text(&position));
    }
}

/// A proof outranks the book.
#[test]
fn proofs_outrank_the_book() {
    let search_with = |position: &Position, mv: &str| {
        let mv = Pentaflip.parse_move(position, mv).unwrap();
        PentaflipSearch::default().search_with_book_move(
            Some(mv),
            &Pentaflip,
            position,
            &contract().request(nodes(20_000)),
            &NeverStop,
        )
    };
    let winning = parse("wwww2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -");
    let report = search_with(&winning, "~1");
    assert_eq!((report.lines[0].moves[0].text(), report.evaluation.certainty), ("e1", Certainty::Proven));
    let threatened = parse("bbbb2/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -");
    assert_ne!(search_with(&threatened, "c2").lines[0].moves[0].text(), "c2");
}
