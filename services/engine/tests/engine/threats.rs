//! Wins in one of every seat, what stops them, and longer wins.

use pentad_engine::{Caller, EngineError, Field, SeatThreat, THREAT_DEPTH_MAX, Threats, ThreatsQuestion};

use crate::support::{config, engine, spec};

async fn threats(game: &str, position: &str, depth: u32) -> Threats {
    let (engine, _) = engine(config(), &[game]);
    let question = ThreatsQuestion { depth, ..ThreatsQuestion::new(spec(&game.replace('_', "-"), position)) };
    engine.threats(&question, Caller::now()).await.expect("an answer")
}

fn brief(threat: &SeatThreat) -> (usize, &str, &str, u32) {
    (threat.seat, &threat.kind, &threat.mv, threat.plies)
}

/// The wins of both sides, and the moves that stop the opponent's, including one's own win.
#[tokio::test]
async fn wins_in_one_of_both_sides() {
    let found = threats("tictactoe", "xx1/oo1/3 x", 1).await;
    let listed: Vec<_> = found.threats.iter().map(brief).collect();
    assert_eq!(listed, [(0, "line", "c1", 1), (1, "line", "c2", 1)]);
    assert!(found.threats[0].stopped_by.is_empty(), "nothing stops one's own win");
    assert_eq!(found.threats[1].stopped_by, ["c1", "c2"]);
    assert_eq!(found.stops_all, ["c1", "c2"]);
    assert_eq!((found.seats, found.to_move, found.is_truncated), (vec![0, 1], 0, false));
}

/// Two threats at once: each is stopped by some move, and both by none.
#[tokio::test]
async fn two_threats_cannot_be_stopped() {
    let found = threats("tictactoe", "x1x/1o1/x1o o", 1).await;
    let listed: Vec<_> = found.threats.iter().map(brief).collect();
    assert_eq!(listed, [(0, "line", "b1", 1), (0, "line", "a2", 1)]);
    assert_eq!(
        (&found.threats[0].stopped_by[..], &found.threats[1].stopped_by[..]),
        (&["b1".to_owned()][..], &["a2".to_owned()][..])
    );
    assert!(found.stops_all.is_empty(), "{found:?}");
}

/// A fork is a forced win, also for the side that is not to move; a search of one ply does not find it.
#[tokio::test]
async fn forced_wins_are_proven() {
    let fork = "x2/1o1/2x o";
    assert!(threats("tictactoe", fork, 1).await.threats.is_empty());
    let found = threats("tictactoe", fork, 3).await;
    let [threat] = &found.threats[..] else { panic!("{found:?}") };
    assert_eq!((threat.seat, &*threat.kind, threat.plies), (0, "forced", 3));
    assert!(["c1", "a3"].contains(&&*threat.mv), "{threat:?}");
    assert_eq!(threats("tictactoe", fork, 2).await.threats, []);
}

/// For a rule set without the extension only the wins of the seat to move are known.
#[tokio::test]
async fn without_the_ability_the_seat_to_move_is_known() {
    let found = threats("rules_only", "2 a", 1).await;
    assert_eq!(found.threats.iter().map(brief).collect::<Vec<_>>(), [(0, "winning", "2", 1)]);
    assert_eq!((found.seats, found.stops_all), (vec![0], Vec::new()));
    let forced = threats("rules_only", "4 a", 3).await;
    assert_eq!(forced.threats.iter().map(brief).collect::<Vec<_>>(), [(0, "forced", "1", 3)]);
}

/// A finished game threatens nothing, and a depth out of bounds is refused.
#[tokio::test]
async fn finished_games_and_bad_depths() {
    let over = threats("tictactoe", "xxx/oo1/3 o", 5).await;
    assert_eq!((over.threats, over.seats), (Vec::new(), vec![0, 1]));
    let (engine, _) = engine(config(), &["tictactoe"]);
    for depth in [0, THREAT_DEPTH_MAX + 1] {
        let question = ThreatsQuestion { depth, ..ThreatsQuestion::new(spec("tictactoe", "")) };
        let error = engine.threats(&question, Caller::now()).await.expect_err("it is out of bounds");
        assert!(matches!(&error, EngineError::BadArgument { field, .. } if *field == Field::Depth.into()), "{error}");
    }
}

/// A rule set that breaks the contract costs one answer.
#[tokio::test]
async fn a_breach_costs_one_answer() {
    let (engine, notes) = engine(config(), &["threats"]);
    let mut question = ThreatsQuestion::new(spec("threats", "2 a"));
    question.spec.variant = "illegal".to_owned();
    let error = engine.threats(&question, Caller::now()).await.expect_err("it is illegal");
    assert!(matches!(error, EngineError::RulesetFault { .. }), "{error}");
    assert_eq!(*notes.faults.lock().unwrap(), ["bad_value"]);
    question.spec.variant = "well-behaved".to_owned();
    let found = engine.threats(&question, Caller::now()).await.expect("an answer");
    assert_eq!(found.stops_all, ["2"]);
}
