//! A complete rule set in C, called through every function of the host.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use pentad_host::{CallError, Capabilities, Position, Ruleset};
use pentad_model::Report;

fn tictactoe() -> Arc<Ruleset> {
    Ruleset::load(&pentad_test_plugins::build("tictactoe"), None).unwrap()
}

fn moves(game: &Ruleset, position: &Position, prefix: &str) -> Vec<String> {
    let mut moves = Vec::new();
    let flow = game.legal_moves(0, position, prefix, &mut |mv| {
        moves.push(mv.to_owned());
        ControlFlow::Continue(())
    });
    assert_eq!(flow, Ok(ControlFlow::Continue(())));
    moves
}

fn play_all(game: &Ruleset, moves: &[&str]) -> Position {
    moves.iter().fold(game.start(0).unwrap(), |position, mv| game.play(0, &position, mv).unwrap().position)
}

/// The descriptor has the game's texts, file and capabilities.
#[test]
fn descriptor_is_read() {
    let path = pentad_test_plugins::build("tictactoe");
    let game = tictactoe();
    let info = game.info();
    assert_eq!((info.id.as_str(), info.name.as_str(), info.version.as_str()), ("tictactoe", "Tic-tac-toe", "1.0.0"));
    assert_eq!((info.abi_major, info.abi_minor), (1, 0));
    assert!(info.rules.contains("three in a row") && info.notation.contains("b2"));
    assert_eq!(info.path, path.canonicalize().unwrap());
    assert_eq!(info.sha256.len(), 64);
    assert_eq!(info.capabilities, Capabilities { threats: true, ..Capabilities::default() });

    let [variant] = game.variants() else { panic!("{:?}", game.variants()) };
    assert_eq!(game.variant_idx("standard"), Some(0));
    assert_eq!(game.variant_idx("other"), None);
    assert_eq!((variant.n_sides, variant.position_size, variant.n_symmetries), (2, 10, 1));
    assert_eq!((variant.plies_max, variant.board.is_none()), (Some(9), true));
    assert_eq!(variant.seats.iter().map(|seat| seat.id.as_str()).collect::<Vec<_>>(), ["x", "o"]);
}

/// A game from the first move to the last.
#[test]
fn plays_a_game() {
    let game = tictactoe();
    let mut position = game.start(0).unwrap();
    assert_eq!(game.format(0, &position).unwrap(), "3/3/3 x");
    assert_eq!(moves(&game, &position, ""), ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
    assert_eq!(moves(&game, &position, "b"), ["b1", "b2", "b3"]);
    assert_eq!(moves(&game, &position, "b2"), ["b2"]);
    for none in ["d", "b22", "b 2", "é", &"b".repeat(1000)] {
        assert_eq!(moves(&game, &position, none), [] as [&str; 0], "{none}");
        assert_eq!(game.count_moves(0, &position, none), Ok(0), "{none}");
    }
    for (ply, (mv, after)) in [
        ("b2", "3/1x1/3 o"),
        ("A1", "o2/1x1/3 x"),
        ("b1", "ox1/1x1/3 o"),
        ("c3", "ox1/1x1/2o x"),
        ("b3", "ox1/1x1/1xo o"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(game.to_move(0, &position), Ok(ply % 2));
        assert_eq!(game.count_moves(0, &position, ""), Ok(9 - ply as u64));
        assert_eq!(game.outcome(0, &position), Ok(None));
        let before = position.clone();
        let played = game.play(0, &position, mv).unwrap();
        assert_eq!(played.canonical, mv.to_lowercase());
        assert_eq!(game.play_known(0, &position, mv).as_ref(), Ok(&played.position));
        assert_eq!(position, before, "playing does not change the position");
        position = played.position;
        assert_eq!(game.format(0, &position).unwrap(), after);
        assert_eq!(game.parse(0, after).as_ref(), Ok(&position));
    }
    let outcome = game.outcome(0, &position).unwrap().unwrap();
    assert_eq!((outcome.scores.as_slice(), outcome.places), (&[1.0, 0.0][..], vec![1, 2]));
    assert_eq!(outcome.text, "x wins with three in column b");
    assert_eq!(game.scores(0, &position).unwrap().unwrap().as_slice(), [1.0, 0.0]);
    assert_eq!(moves(&game, &position, ""), [] as [&str; 0]);
    assert_eq!(game.count_moves(0, &position, ""), Ok(0));
    assert_eq!(game.play(0, &position, "nonsense"), Err(CallError::GameOver));
    assert_eq!(game.faults(), 0);
}

/// A full board without three in a row is a draw.
#[test]
fn a_full_board_is_a_draw() {
    let game = tictactoe();
    let position = play_all(&game, &["a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"]);
    let outcome = game.outcome(0, &position).unwrap().unwrap();
    assert_eq!((outcome.scores.as_slice(), outcome.places), (&[0.5, 0.5][..], vec![1, 1]));
    assert_eq!(outcome.text, "a draw: the board is full");
}

/// Every reachable position round-trips through its text. There are 5478, a
/// well-known number.
#[test]
fn every_position_round_trips() {
    let game = tictactoe();
    let mut seen = HashSet::from([game.start(0).unwrap()]);
    let mut open: Vec<Position> = seen.iter().cloned().collect();
    while let Some(position) = open.pop() {
        assert_eq!(game.parse(0, &game.format(0, &position).unwrap()).as_ref(), Ok(&position));
        for mv in moves(&game, &position, "") {
            let next = game.play_known(0, &position, &mv).unwrap();
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    assert_eq!(seen.len(), 5478);
}

/// Malformed positions are refused with field and column.
#[test]
fn refuses_malformed_positions() {
    let game = tictactoe();
    for (text, field, column, part) in [
        ("", "board", 1, "row 1 has 0 of 3 cells"),
        ("3/3 x", "board", 4, "expected 3 rows"),
        ("3/2/3 x", "board", 4, "row 2 has 2 of 3 cells"),
        ("3/3/4 x", "board", 5, "row 3 has more than 3 cells"),
        ("3/xox1/3 x", "board", 6, "row 2 has more than 3 cells"),
        ("3/3/3/3 x", "side", 6, "side to move"),
        ("3/3/3", "side", 6, "side to move"),
        ("3/3/3 ", "side", 7, "side to move"),
        ("3/3/3 w", "side", 7, "side to move"),
        ("3/3/3 x ", "side", 8, "nothing may follow"),
        ("3/z2/3 x", "board", 3, "unknown character"),
        ("30/3/3 x", "board", 2, "unknown character"),
        ("3/é2/3 x", "board", 3, "unknown character"),
        ("3/3/3 o", "side", 7, "x's turn"),
        ("x2/3/3 x", "side", 8, "o's turn"),
        ("xx1/3/3 o", "board", 1, "2 x and 0 o cannot be"),
        ("o2/3/3 o", "board", 1, "0 x and 1 o cannot be"),
        ("xxx/ooo/3 x", "board", 1, "cannot both"),
        ("xxx/oo1/o2 x", "board", 1, "already"),
    ] {
        match game.parse(0, text) {
            Err(CallError::Malformed { field: f, column: c, message }) => {
                assert_eq!((f.as_str(), c), (field, Some(column)), "{text}: {message}");
                assert!(message.contains(part), "{text}: {message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    assert_eq!(game.format(0, &game.parse(0, "x11/111/12 o").unwrap()).unwrap(), "x2/3/3 o", "runs are joined");
}

/// Text that the ABI cannot carry is rejected before the plugin sees it.
#[test]
fn rejects_text_that_the_abi_cannot_carry() {
    let game = tictactoe();
    let start = game.start(0).unwrap();
    let long = "3".repeat(5000);
    for (error, column) in [
        (game.parse(0, &long).unwrap_err(), None),
        (game.parse(0, "3/\0").unwrap_err(), Some(3)),
        (game.play(0, &start, &long).unwrap_err(), None),
        (game.play(0, &start, "a\0").unwrap_err(), Some(2)),
    ] {
        assert!(matches!(&error, CallError::Malformed { column: c, .. } if *c == column), "{error:?}");
    }
}

/// Moves are refused with field and column, or as illegal.
#[test]
fn refuses_moves() {
    let game = tictactoe();
    let position = play_all(&game, &["b2"]);
    for (mv, field, column) in
        [("", "file", 1), ("d1", "file", 1), ("a", "rank", 2), ("a4", "rank", 2), ("a11", "rank", 3)]
    {
        let error = game.play(0, &position, mv).unwrap_err();
        assert!(
            matches!(&error, CallError::Malformed { field: f, column: Some(c), .. } if f == field && *c == column),
            "{mv}: {error:?}"
        );
    }
    let error = game.play(0, &position, "b2").unwrap_err();
    assert_eq!(error, CallError::Illegal { column: None, message: "b2 is taken".to_owned() });
    assert_eq!(game.faults(), 0, "a caller's mistake is not a fault");
}

/// A visitor may break, and its panic is resumed in the caller.
#[test]
fn visitor_may_break_or_panic() {
    let game = tictactoe();
    let start = game.start(0).unwrap();
    let mut seen = Vec::new();
    let flow = game.legal_moves(0, &start, "", &mut |mv| {
        seen.push(mv.to_owned());
        if seen.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((flow, seen), (Ok(ControlFlow::Break(())), vec!["a1".to_owned(), "b1".to_owned()]));

    let panic = std::panic::catch_unwind(|| game.legal_moves(0, &start, "", &mut |mv| panic!("at {mv}"))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "at a1");
    assert_eq!(moves(&game, &start, "").len(), 9);
    assert_eq!(game.faults(), 0);
}

/// Calls of extensions that the rule set lacks have defaults or are unsupported.
#[test]
fn missing_extensions_have_defaults() {
    let game = tictactoe();
    let position = play_all(&game, &["a1"]);
    assert_eq!(game.canonical(0, &position), Ok((position.clone(), 0)));
    assert_eq!(game.inverse_symmetry(0, 0), Ok(0));
    assert_eq!(game.apply_symmetry(0, 0, &position).as_ref(), Ok(&position));
    assert_eq!(game.apply_symmetry_to_move(0, 0, &position, "b2"), Ok("b2".to_owned()));
    assert_eq!(game.apply_symmetry_to_seat(0, 0, 1), Ok(1));
    assert_eq!(game.pieces(0, &position), Err(CallError::Unsupported));
    assert_eq!(game.evaluate(0, &position), Err(CallError::Unsupported));
    assert_eq!(game.searcher(0, 1 << 20, 1).unwrap_err(), CallError::Unsupported);
    let evaluation = pentad_model::Evaluation {
        certainty: pentad_model::Certainty::Estimate,
        outcome: None,
        plies_to_end: None,
        scores: pentad_model::Scores::even(2),
        source: pentad_model::Source::Search,
        depth: 1,
    };
    let report: Report<String> = Report { lines: vec![], evaluation, depth: 0, nodes: 0, stop: None };
    assert_eq!(game.explain(0, &position, &report, &[0]), Ok(vec![vec![]]));
}

/// A position of another game, or an unknown variant, never reaches the plugin and
/// is not recorded as a fault.
#[test]
fn rejects_foreign_positions_and_variants() {
    let game = tictactoe();
    let other = Ruleset::load(&pentad_test_plugins::build("well_behaved"), None).unwrap();
    let foreign = other.start(0).unwrap();
    for result in [game.format(0, &foreign), game.format(1, &foreign), other.format(0, &game.start(0).unwrap())] {
        assert!(matches!(result, Err(CallError::Fault(_))), "{result:?}");
    }
    assert!(game.start(1).is_err() && game.parse(7, "3/3/3 x").is_err());
    assert_eq!(game.faults() + other.faults(), 0);
}

/// Concurrent calls from several threads give the same results.
#[test]
fn threads_share_a_rule_set() {
    let game = tictactoe();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let position = play_all(&game, &["b2", "a1"]);
                    assert_eq!(moves(&game, &position, "").len(), 7);
                }
            });
        }
    });
}
