//! Answers to all kinds of questions.

use std::time::Duration;

use pentad_engine::{
    Caller, Detail, EngineError, Field, Hint, HintQuestion, MovesQuestion, PositionSpec, QuestionLimits,
};
use pentad_model::{Certainty, Source, Wdl};

use crate::support::{config, engine, question, spec, timed_question};

/// A rule set without a search gets perfect hints from the fallback search.
#[tokio::test]
async fn tic_tac_toe_is_a_draw_and_hints_keep_it() {
    let (engine, _) = engine(config(), &["tictactoe"]);
    let mut spec = spec("tictactoe", "");
    for _ply in 0..9 {
        let question = timed_question(spec.clone(), Duration::from_mins(1));
        let hints = engine.hint(&question, Caller::now()).await.expect("a hint");
        assert_eq!(hints.evaluation.certainty, Certainty::Proven, "after {:?}", spec.moves);
        assert_eq!(hints.evaluation.outcome, Some(Wdl::Draw), "after {:?}", spec.moves);
        spec.moves.push(hints.hints[0].mv.clone());
    }
    let value = engine.evaluate(&spec, QuestionLimits::default(), Caller::now()).await.expect("a value");
    assert_eq!((value.evaluation.source, value.evaluation.outcome), (Source::Terminal, Some(Wdl::Draw)));
    assert_eq!(value.evaluation.plies_to_end, Some(0));
}

/// The fallback search proves a win and a loss.
#[tokio::test]
async fn tic_tac_toe_wins_and_losses_are_proven() {
    let (engine, _) = engine(config(), &["tictactoe"]);
    let hints = engine.hint(&question("tictactoe", "xx1/oo1/3 x"), Caller::now()).await.expect("a hint");
    assert_eq!(hints.hints[0].mv, "c1");
    assert_eq!((hints.evaluation.outcome, hints.evaluation.plies_to_end), (Some(Wdl::Win), Some(1)));
    let lost = engine.hint(&question("tictactoe", "x1x/1o1/x1o o"), Caller::now()).await.expect("a hint");
    assert_eq!((lost.evaluation.outcome, lost.evaluation.plies_to_end), (Some(Wdl::Loss), Some(2)));
    let scores: Vec<f64> = lost.evaluation.scores.as_slice().to_vec();
    assert_eq!(scores, [1.0, 0.0], "scores have no viewpoint: x wins");
}

/// Moves that lead to symmetric positions are one hint with equivalents.
#[tokio::test]
async fn equivalents_are_grouped() {
    let (engine, _) = engine(config(), &[]);
    let ask = HintQuestion { count: 3, ..question("pentago", "") };
    let hints = engine.hint(&ask, Caller::now()).await.expect("hints");
    assert_eq!(hints.hints.len(), 3);
    for hint in &hints.hints {
        assert!(!hint.equivalents.is_empty(), "{} has symmetric twins on the empty board", hint.mv);
        assert!(!hint.equivalents.contains(&hint.mv));
        for other in &hints.hints {
            assert!(other.mv == hint.mv || !hint.equivalents.contains(&other.mv), "two hints are one idea");
        }
    }
    let described = engine.describe(&spec("pentago", ""), Caller::now()).await.expect("a description");
    assert_eq!(described.n_legal_moves, 288);
}

/// A position and its mirror image get the same answer, each in its own
/// orientation, and the second one from memory.
#[tokio::test]
async fn symmetric_questions_share_an_answer() {
    let (engine, notes) = engine(config(), &[]);
    let first = engine.hint(&question("pentago", "wwww2/6/bbbb2/6/6/6 w"), Caller::now()).await.expect("a hint");
    let second = engine.hint(&question("pentago", "6/6/6/bbbb2/6/wwww2 w"), Caller::now()).await.expect("a hint");
    assert_eq!((first.hints[0].mv.as_str(), second.hints[0].mv.as_str()), ("e1", "e6"));
    assert!(!first.cached && second.cached);
    assert_eq!(notes.searches.lock().unwrap().len(), 1);
    let swapped = engine.hint(&question("pentago", "bbbb2/6/wwww2/6/6/6 b"), Caller::now()).await.expect("a hint");
    assert!(swapped.cached);
    assert_eq!(swapped.evaluation.scores.as_slice(), [0.0, 1.0], "black wins when the colours are swapped");
    assert_eq!(swapped.hints[0].mv, "e1");
}

/// `allow_moves` and `avoid_moves` restrict the moves considered.
#[tokio::test]
async fn moves_can_be_allowed_and_avoided() {
    let (engine, _) = engine(config(), &["tictactoe"]);
    let ask = |allow: &[&str], avoid: &[&str]| HintQuestion {
        allow_moves: allow.iter().map(|&mv| mv.to_owned()).collect(),
        avoid_moves: avoid.iter().map(|&mv| mv.to_owned()).collect(),
        ..question("tictactoe", "xx1/oo1/3 x")
    };
    let avoided = engine.hint(&ask(&[], &["c1"]), Caller::now()).await.expect("a hint");
    assert_eq!(avoided.hints[0].mv, "c2", "the win is forbidden, so the block is best");
    let allowed = engine.hint(&ask(&["a3"], &[]), Caller::now()).await.expect("a hint");
    assert_eq!((allowed.hints[0].mv.as_str(), allowed.evaluation.outcome), ("a3", Some(Wdl::Loss)), "{allowed:?}");
    let error = engine.hint(&ask(&["a1"], &[]), Caller::now()).await.expect_err("a1 is taken");
    assert!(matches!(&error, EngineError::IllegalMove { field: Field::AllowMoves, move_idx: 0, .. }), "{error:?}");
    let error = engine.hint(&ask(&["a3"], &["a3"]), Caller::now()).await.expect_err("nothing is left");
    assert!(matches!(error, EngineError::BadArgument { .. }), "{error:?}");
}

/// Moves to avoid are a set of their own: where the list of the others never ends, or is too long to be
/// named, a search is asked for more lines, and those of avoided moves are dropped.
#[tokio::test]
async fn avoiding_a_move_lists_no_others() {
    let (engine, notes) = engine(config(), &["moves_endless"]);
    let ask = |position: &str, avoided: &str| HintQuestion {
        avoid_moves: vec![avoided.to_owned()],
        ..question("moves-endless", position)
    };
    let endless = engine.hint(&ask("9 a", "2"), Caller::now()).await.expect("a hint");
    assert_eq!(endless.hints[0].mv, "1");
    let very_many = engine.hint(&ask("8 a", "1"), Caller::now()).await.expect("a hint");
    let moves: Vec<&str> = very_many.hints.iter().map(|hint| hint.mv.as_str()).collect();
    assert_eq!(moves, ["2"], "the rule set names the avoided move alone");
    assert!(notes.faults.lock().unwrap().is_empty());
}

/// A hint has no more detail than requested.
#[tokio::test]
async fn detail_holds_back() {
    let (engine, _) = engine(config(), &[]);
    let ask = |detail| HintQuestion { detail, ..question("pentago", "wwww2/6/bbbb2/6/6/6 w") };
    let nudge = engine.hint(&ask(Detail::Nudge), Caller::now()).await.expect("a hint").hints.remove(0);
    assert!(nudge.mv.is_empty() && nudge.line.is_empty() && nudge.area.is_empty() && nudge.equivalents.is_empty());
    assert_eq!(nudge.reasons[0].text, "There is a move that wins at once.");
    let mut area = engine.hint(&ask(Detail::Area), Caller::now()).await.expect("a hint").hints.remove(0);
    assert!(area.mv.is_empty());
    area.area.sort();
    assert_eq!(area.area, ["d1", "d2", "d3", "e1", "e2", "e3", "f1", "f2", "f3"]);
    let mv = engine.hint(&ask(Detail::Move), Caller::now()).await.expect("a hint").hints.remove(0);
    assert_eq!((mv.mv.as_str(), mv.line.len()), ("e1", 0));
    let line = engine.hint(&ask(Detail::Line), Caller::now()).await.expect("a hint").hints.remove(0);
    assert_eq!(line.line, ["e1"]);
}

/// Lower levels answer with legal moves: the same for the same seed, varying without one.
#[tokio::test]
async fn levels_answer_and_repeat() {
    let (engine, _) = engine(config(), &[]);
    for level in 1..=9 {
        let limits = QuestionLimits { nodes: Some(20_000), ..QuestionLimits::default() };
        let spec = spec("pentago", "6/1w4/6/6/4b1/6 w");
        let ask = HintQuestion { level, limits, seed: Some(7), ..HintQuestion::new(spec) };
        let first = engine.hint(&ask, Caller::now()).await.expect("a hint");
        let again = engine.hint(&ask, Caller::now()).await.expect("a hint");
        assert_eq!(first.hints[0].mv, again.hints[0].mv, "level {level}");
        let mut spec = ask.spec.clone();
        spec.moves = vec![first.hints[0].mv.clone()];
        engine.describe(&spec, Caller::now()).await.expect("the move is legal");
    }
    let ask = HintQuestion { level: 1, ..question("pentago", "") };
    let mut chosen = std::collections::HashSet::new();
    while chosen.len() < 3 {
        chosen.insert(engine.hint(&ask, Caller::now()).await.expect("a hint").hints.remove(0).mv);
    }
}

/// From level 6 on no move is chosen that is known to lose while another candidate holds:
/// three or four in a row that must be stopped.
#[tokio::test]
async fn no_higher_level_chooses_a_known_loss() {
    let (engine, _) = engine(config(), &[]);
    for position in ["wwww2/6/6/bbb3/6/6 b", "6/wwww2/6/bbb3/6/6 b", "wwww2/6/6/6/b4b/3b2 b"] {
        let mut n_mixed = 0;
        for level in 6..=9 {
            for seed in 0..8 {
                let limits = QuestionLimits { nodes: Some(20_000), ..QuestionLimits::default() };
                let ask = HintQuestion { level, limits, count: 12, seed: Some(seed), ..question("pentago", position) };
                let hints = engine.hint(&ask, Caller::now()).await.expect("hints").hints;
                let is_lost = |hint: &Hint| hint.evaluation.outcome == Some(Wdl::Loss);
                let first_lost = hints.iter().position(is_lost).unwrap_or(hints.len());
                assert!(hints[first_lost..].iter().all(is_lost), "{position}, level {level}: {hints:#?}");
                n_mixed += usize::from(first_lost > 0 && first_lost < hints.len());
            }
        }
        assert!(n_mixed > 0, "{position}: no level had the choice");
    }
}

/// From level 6 on a win in one is always played, and from level 8 on a longer win that
/// is proven is never left.
#[tokio::test]
async fn higher_levels_win_what_is_won() {
    let (engine, _) = engine(config(), &[]);
    let choose = async |position: &str, level: u8, seed: u64| {
        let limits = QuestionLimits { nodes: Some(20_000), ..QuestionLimits::default() };
        let ask = HintQuestion { level, limits, seed: Some(seed), ..question("pentago", position) };
        engine.hint(&ask, Caller::now()).await.expect("a hint").hints.remove(0).evaluation
    };
    for seed in 0..40 {
        for level in 6..=9 {
            let chosen = choose("wwww2/6/bbbb2/6/6/6 w", level, seed).await;
            assert_eq!((chosen.outcome, chosen.plies_to_end), (Some(Wdl::Win), Some(1)), "level {level}, seed {seed}");
        }
        for level in 8..=9 {
            let chosen = choose("6/2b2b/1w4/b1w1b1/2w1wb/5w w", level, seed).await;
            assert_eq!(chosen.outcome, Some(Wdl::Win), "level {level}, seed {seed}");
        }
    }
}

/// Pages put together are the whole list; tokens do not fit other questions.
#[tokio::test]
async fn pages_make_the_whole_list() {
    let (engine, _) = engine(config(), &[]);
    let ask = |page_size, token: &str, distinct| MovesQuestion {
        spec: spec("pentago", ""),
        page_size,
        page_token: token.to_owned(),
        distinct,
        ..MovesQuestion::default()
    };
    let whole = engine.legal_moves(&ask(0, "", false), Caller::now()).await.expect("a page");
    assert_eq!((whole.len(), whole.total, whole.next_page_token.as_str()), (288, 288, ""));
    let (mut together, mut token) = (Vec::new(), String::new());
    loop {
        let page = engine.legal_moves(&ask(100, &token, false), Caller::now()).await.expect("a page");
        assert_eq!(page.total, 288);
        together.extend(page.iter().map(str::to_owned));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
        let misused = engine.legal_moves(&ask(100, &token, true), Caller::now()).await;
        assert!(matches!(misused, Err(EngineError::BadArgument { .. })), "{misused:?}");
    }
    assert!(whole.iter().eq(together.iter().map(String::as_str)));
    let distinct = engine.legal_moves(&ask(0, "", true), Caller::now()).await.expect("a page");
    // On the empty board a marble stays or moves within its block: nine places per block, all reachable; so
    // 36 positions.
    assert_eq!(distinct.total, 36);
}

/// Errors say what is wrong and where.
#[tokio::test]
async fn bad_questions_are_told_what_is_wrong() {
    let (engine, _) = engine(config(), &[]);
    let describe = |spec: PositionSpec| {
        let engine = engine.clone();
        async move { engine.describe(&spec, Caller::now()).await.expect_err("a bad question") }
    };
    let error = describe(spec("chess", "")).await;
    assert_eq!(error.to_string(), "no game `chess`; served are pentago");
    let error = describe(PositionSpec { variant: "blitz".to_owned(), ..spec("pentago", "") }).await;
    assert!(matches!(error, EngineError::UnknownVariant { .. }), "{error:?}");
    let error = describe(spec("pentago", "6/6/6/6/6/5x w")).await;
    assert!(matches!(error, EngineError::BadPosition { column: Some(12), .. }), "{error:?}");
    let moves =
        |moves: &[&str]| PositionSpec { moves: moves.iter().map(|&mv| mv.to_owned()).collect(), ..spec("pentago", "") };
    let error = describe(moves(&["a1-1r", "z9-1r"])).await;
    assert!(matches!(&error, EngineError::BadMove { field: Field::Moves, move_idx: 1, .. }), "{error:?}");
    let error = describe(moves(&["a1-2r", "a1-2r"])).await;
    assert!(matches!(error, EngineError::IllegalMove { move_idx: 1, .. }), "{error:?}");
    let won =
        PositionSpec { moves: vec!["e1".to_owned(), "a6-1r".to_owned()], ..spec("pentago", "wwww2/6/bbbb2/6/6/6 w") };
    let error = describe(won).await;
    assert!(matches!(error, EngineError::GameOver { move_idx: Some(1), .. }), "{error:?}");
    let error = describe(moves(&["a1-1r"; 1001])).await;
    assert!(matches!(error, EngineError::TooLarge { .. }), "{error:?}");
    let error = describe(spec("pentago", &"6/".repeat(2000))).await;
    assert!(matches!(error, EngineError::TooLarge { .. }), "{error:?}");
    let finished = engine.hint(&question("pentago", "wwwww1/6/bbbb2/6/6/6 b"), Caller::now()).await;
    assert!(matches!(finished, Err(EngineError::GameOver { move_idx: None, .. })), "{finished:?}");
    let none = HintQuestion { count: 0, ..question("pentago", "") };
    let error = engine.hint(&none, Caller::now()).await;
    assert!(matches!(error, Err(EngineError::BadArgument { .. })), "{error:?}");
}
