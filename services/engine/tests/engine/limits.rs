//! Deadlines, cancellation, queues, shared and cached answers.

use std::time::{Duration, Instant};

use pentad_engine::{
    Caller, Class, Engine, EngineConfig, EngineError, HintQuestion, Hints, MovesQuestion, PositionSpec, QuestionLimits,
    StopReason,
};

use crate::support::{
    ENDLESS, FrozenClock, ask, config, endless_question, engine, eventually, eventually_queued, one_worker, spec,
    timed_question,
};

const MINUTE: Duration = Duration::from_mins(1);

fn caller(deadline: Duration) -> Caller {
    let arrived = Instant::now();
    Caller { arrived, deadline: Some(arrived + deadline), ..Caller::now() }
}

/// Before its deadline a question is never refused and gets a legal move, even if many different questions
/// arrive at once and there is one worker.
#[tokio::test(flavor = "multi_thread")]
async fn every_deadline_gets_a_legal_move() {
    let (engine, _) = engine(one_worker(), &[]);
    let cells = ('a'..='f').flat_map(|file| (1..=6).map(move |rank| format!("{file}{rank}")));
    let mut callers = Vec::new();
    for cell in cells.step_by(3) {
        let spec = PositionSpec { moves: vec![format!("{cell}-1r"), "e5-4l".to_owned()], ..spec("pentago", "") };
        let spec = PositionSpec { variant: "czech".to_owned(), ..spec };
        let engine = engine.clone();
        callers.push(tokio::spawn(async move {
            let asked = Instant::now();
            let deadline = Duration::from_millis(400);
            match engine.hint(&HintQuestion::new(spec.clone()), caller(deadline)).await {
                Ok(hints) => {
                    let mut next = spec;
                    next.moves.push(hints.hints[0].mv.clone());
                    engine.describe(&next, Caller::now()).await.expect("the move is legal");
                }
                Err(EngineError::Deadline) => assert!(asked.elapsed() >= deadline, "refused too early"),
                Err(error) => panic!("{error:?}"),
            }
        }));
    }
    for caller in callers {
        caller.await.expect("no caller fails");
    }
}

/// The granted time is that of the limits, or the default, or the bound, and ends with the caller's deadline.
#[tokio::test]
async fn the_granted_time_is_the_smallest() {
    let seconds = Duration::from_secs;
    let config = EngineConfig { time_default: seconds(1), time_max: seconds(60), ..config() };
    let (engine, _) = engine(config, &[]);
    let time = |time| QuestionLimits { time: Some(time), ..QuestionLimits::default() };
    let nodes = QuestionLimits { nodes: Some(5), ..QuestionLimits::default() };
    let granted = |limits, caller: Caller| engine.granted_time(limits, &caller);
    assert_eq!(granted(QuestionLimits::default(), Caller::now()), seconds(1), "the default");
    assert_eq!(granted(nodes, Caller::now()), seconds(60), "only the bound");
    assert_eq!(granted(time(seconds(3)), Caller::now()), seconds(3));
    assert_eq!(granted(time(seconds(90)), Caller::now()), seconds(60), "lowered to the bound");
    assert_eq!(granted(time(seconds(3)), caller(seconds(2))), seconds(2));
    assert_eq!(granted(time(seconds(3)), caller(seconds(4))), seconds(3));
}

/// Pools are counted apart, searches by game, and leaving the queue is reported.
#[tokio::test(flavor = "multi_thread")]
async fn searches_are_counted_by_pool_and_game() {
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let long = ask(&engine, endless_question(1, MINUTE), Caller::now());
    eventually("the search runs", || engine.n_searches("search-endless") == 1).await;
    let [short, long_pool, bulk, rules, lists] = engine.stats().pools;
    assert_eq!((short.name, short.workers, long_pool.name, long_pool.workers), ("short", 1, "long", 1));
    assert_eq!((bulk.name, bulk.workers, rules.name, lists.name, lists.workers), ("bulk", 1, "rules", "lists", 1));
    assert_eq!((short.busy, long_pool.busy, engine.n_searches("pentago")), (0, 1, 0));
    assert!(notes.dequeued.lock().unwrap().contains(&Class::Interactive));
    long.abort();
    eventually("the search ended", || engine.n_searches("search-endless") == 0).await;
}

/// A deadline that comes before the search has begun gets a legal move too.
#[tokio::test]
async fn a_question_that_waits_gets_a_move() {
    let clock = FrozenClock::new();
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    // Nobody waits for its answer, so it goes on whatever the frozen clock shows.
    let first = engine.analyze(&endless_question(1, MINUTE / 2), Caller::now()).await.expect("an analysis");
    eventually("the only worker is busy", || engine.stats().workers_busy == 1).await;
    let question = timed_question(spec("pentago", "wwww2/6/bbbb2/6/6/6 w"), 2 * MINUTE);
    let waiting = ask(&engine, question.clone(), caller(MINUTE));
    eventually_queued(&engine, &notes, 2, 1).await;
    clock.advance(2 * MINUTE).await;
    let hints = waiting.await.expect("no panic").expect("a hint");
    assert_eq!((hints.stop, hints.nodes), (Some(StopReason::Deadline), 0));
    assert_legal(&engine, question.spec, &hints).await;
    drop(first);
}

/// So does a question whose time limit passes in the queue; the stop reason is the time.
#[tokio::test]
async fn a_limit_that_passes_in_the_queue_is_named() {
    let clock = FrozenClock::new();
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let first = engine.analyze(&endless_question(1, MINUTE / 2), Caller::now()).await.expect("an analysis");
    eventually("the only worker is busy", || engine.stats().workers_busy == 1).await;
    let waiting = ask(&engine, endless_question(2, MINUTE), Caller::now());
    eventually_queued(&engine, &notes, 2, 1).await;
    clock.advance(2 * MINUTE).await;
    let hints = waiting.await.expect("no panic").expect("a hint");
    assert_eq!((hints.stop, hints.nodes), (Some(StopReason::Time), 0));
    drop(first);
}

/// A question that could not start before it is due does not wait: it is answered at once with what is known.
#[tokio::test]
async fn a_question_that_would_start_too_late_is_answered_at_once() {
    let _clock = FrozenClock::new();
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let first = ask(&engine, endless_question(1, MINUTE), Caller::now());
    eventually("the only worker is busy", || engine.stats().workers_busy == 1).await;
    let question = timed_question(spec("pentago", "wwww2/6/bbbb2/6/6/6 w"), MINUTE / 2);
    let hints = engine.hint(&question, Caller::now()).await.expect("a hint");
    assert_eq!((hints.stop, hints.nodes), (Some(StopReason::Load), 0));
    assert_legal(&engine, question.spec, &hints).await;
    assert_eq!(notes.searches.lock().unwrap().len(), 0);
    first.abort();
}

async fn assert_legal(engine: &Engine, spec: PositionSpec, hints: &Hints) {
    let played = MovesQuestion { spec, prefix: hints.hints[0].mv.clone(), ..MovesQuestion::default() };
    let listed = engine.legal_moves(&played, Caller::now()).await.expect("a page");
    assert!(listed.iter().any(|mv| mv == hints.hints[0].mv), "{:?} is not legal", hints.hints[0].mv);
}

/// An equal question that has more time than the one that started the search
/// gets all of it.
#[tokio::test(flavor = "multi_thread")]
async fn anothers_deadline_ends_nobody_elses_search() {
    let mut deadline = Duration::from_millis(250);
    // On a slow machine the others come too late to share the search; then it is repeated with more time.
    while !deadline_is_its_own(deadline).await {
        deadline *= 2;
    }
}

/// Makes two callers join the search of a hurried one; `false` if they came too late.
async fn deadline_is_its_own(deadline: Duration) -> bool {
    let (engine, notes) = engine(config(), &[ENDLESS]);
    let limit = 4 * deadline;
    let hurried = ask(&engine, endless_question(5, limit), caller(deadline));
    eventually("the search runs or is over", || engine.stats().workers_busy == 1 || hurried.is_finished()).await;
    let patient = ask(&engine, endless_question(5, limit), Caller::now());
    let mut watching = engine.analyze(&endless_question(5, limit), Caller::now()).await.expect("an analysis");
    let n_shared = || notes.cache.lock().unwrap().get("shared").copied().unwrap_or(0);
    eventually("both have asked", || n_shared() >= 2 || hurried.is_finished()).await;
    if hurried.is_finished() {
        return false;
    }
    let (mut last, mut depth) = (None, 0);
    while let Some(hints) = watching.next().await {
        let hints = hints.expect("no failure");
        assert!(hints.depth >= depth, "{} after {depth}", hints.depth);
        (last, depth) = (hints.stop, hints.depth);
    }
    let hurried = hurried.await.expect("no panic").expect("a hint");
    let patient = patient.await.expect("no panic").expect("a hint");
    assert_eq!(hurried.stop, Some(StopReason::Deadline));
    assert_eq!((patient.stop, last), (Some(StopReason::Time), Some(StopReason::Time)));
    assert!(patient.elapsed >= limit.mul_f64(0.9), "it took {:?} of {limit:?}", patient.elapsed);
    assert!(patient.nodes >= hurried.nodes, "{} and {} nodes", patient.nodes, hurried.nodes);
    true
}

/// Dropping the question frees its worker, even though its search would have gone on.
#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_question_frees_its_worker() {
    let (engine, notes) = engine(config(), &[ENDLESS]);
    for n_matches in 1..=5 {
        let waiting = ask(&engine, endless_question(n_matches, MINUTE), Caller::now());
        eventually("the search runs", || engine.stats().workers_busy == 1).await;
        waiting.abort();
        eventually("the worker is free", || engine.stats().workers_busy == 0).await;
    }
    eventually("five cancels are noted", || notes.cancels.lock().unwrap().len() == 5).await;
    assert_eq!(*notes.searches.lock().unwrap(), [StopReason::Cancelled; 5]);
}

/// Equal questions asked at once are searched once.
#[tokio::test(flavor = "multi_thread")]
async fn equal_questions_share_a_search() {
    let (engine, notes) = engine(config(), &[ENDLESS]);
    let waiting: Vec<_> = (0..6).map(|_| ask(&engine, endless_question(5, MINUTE), Caller::now())).collect();
    eventually("five share", || notes.cache.lock().unwrap().get("shared") == Some(&5)).await;
    eventually("the search runs", || engine.stats().workers_busy == 1).await;
    engine.stop_searches();
    for waiting in waiting {
        let hints = waiting.await.expect("no panic").expect("a hint");
        assert_eq!((hints.hints[0].mv.as_str(), hints.stop), ("1", Some(StopReason::Shutdown)));
    }
    assert_eq!(*notes.searches.lock().unwrap(), [StopReason::Shutdown]);
}

/// A question with more effort than the cached answer is searched, one with less is not.
#[tokio::test(flavor = "multi_thread")]
async fn the_deeper_answer_replaces_the_shallower() {
    let (engine, _) = engine(config(), &[ENDLESS]);
    let question = |depth| HintQuestion {
        limits: QuestionLimits { depth: Some(depth), ..QuestionLimits::default() },
        ..endless_question(5, MINUTE)
    };
    let first = engine.hint(&question(1), Caller::now()).await.expect("a hint");
    for _ in 0..2 {
        let again = engine.hint(&question(1), Caller::now()).await.expect("a hint");
        assert_eq!((again.cached, again.depth), (true, 1));
    }
    let deeper = engine.hint(&question(2), Caller::now()).await.expect("a hint");
    let again = engine.hint(&question(1), Caller::now()).await.expect("a hint");
    assert!(!first.cached && !deeper.cached && again.cached);
    assert_eq!((deeper.depth, again.depth), (2, 2));
}

/// A full queue refuses at once and says when to try again.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses() {
    let (engine, notes) = engine(EngineConfig { queue_len_max: 2, ..one_worker() }, &[ENDLESS]);
    let running = ask(&engine, endless_question(1, MINUTE), Caller::now());
    eventually("the only worker is busy", || engine.stats().workers_busy == 1).await;
    let waiting = [2, 3].map(|n_matches| ask(&engine, endless_question(n_matches, MINUTE), Caller::now()));
    eventually_queued(&engine, &notes, 3, 2).await;
    for n_matches in [4, 5] {
        match engine.hint(&endless_question(n_matches, MINUTE), Caller::now()).await {
            Err(EngineError::Overloaded { retry_after }) => assert!(retry_after >= Duration::from_millis(100)),
            answer => panic!("{answer:?}"),
        }
    }
    running.abort();
    waiting.iter().for_each(|waiting| waiting.abort());
}

/// An analysis improves and ends with exactly one final answer, by itself or when the engine's searches are
/// stopped.
#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_improves_and_ends_once() {
    let (engine, _) = engine(config(), &[ENDLESS]);
    let limits = QuestionLimits { depth: Some(40), ..QuestionLimits::default() };
    let question = HintQuestion { limits, ..endless_question(5, MINUTE) };
    let mut analysis = engine.analyze(&question, Caller::now()).await.expect("an analysis");
    let mut n_final = 0;
    while let Some(hints) = analysis.next().await {
        assert_eq!(n_final, 0, "nothing comes after the last word");
        n_final += usize::from(hints.expect("no failure").stop.is_some());
    }
    assert_eq!(n_final, 1);
    let mut analysis = engine.analyze(&endless_question(4, MINUTE), Caller::now()).await.expect("an analysis");
    for _ in 0..3 {
        let update = analysis.next().await.expect("an update").expect("no failure");
        assert_eq!(update.stop, None);
    }
    engine.stop_searches();
    let mut last = None;
    while let Some(hints) = analysis.next().await {
        last = hints.expect("no failure").stop;
    }
    assert_eq!(last, Some(StopReason::Shutdown));
}

/// Long searches do not keep short questions waiting: those have a worker of
/// their own.
#[tokio::test(flavor = "multi_thread")]
async fn short_questions_overtake_long_ones() {
    let (engine, notes) = engine(one_worker(), &[ENDLESS]);
    let long = ask(&engine, endless_question(1, MINUTE), Caller::now());
    eventually("the long search runs", || engine.stats().workers_busy == 1).await;
    // On a machine that stalls, a short question may be over before it is searched.
    let started = Instant::now();
    while notes.searches.lock().unwrap().is_empty() && started.elapsed() < MINUTE / 2 {
        let short = endless_question(2, Duration::from_millis(20));
        engine.hint(&short, Caller::now()).await.expect("a hint");
    }
    assert!(!notes.searches.lock().unwrap().is_empty() && !long.is_finished());
    long.abort();
}

/// When the searches are stopped, questions in a full queue get a move, and so do later ones.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_is_answered_when_searches_are_stopped() {
    let n_waiting = 6;
    let (engine, notes) = engine(EngineConfig { queue_len_max: n_waiting, ..one_worker() }, &[ENDLESS]);
    let running = ask(&engine, endless_question(1, MINUTE), Caller::now());
    eventually("the only worker is busy", || engine.stats().workers_busy == 1).await;
    let waiting: Vec<_> =
        (2..2 + n_waiting).map(|n_matches| ask(&engine, endless_question(n_matches, MINUTE), Caller::now())).collect();
    eventually_queued(&engine, &notes, 1 + n_waiting, n_waiting).await;
    let refused = engine.hint(&endless_question(8, MINUTE), Caller::now()).await;
    assert!(matches!(refused, Err(EngineError::Overloaded { .. })), "{refused:?}");
    engine.stop_searches();
    for waiting in std::iter::once(running).chain(waiting) {
        let hints = waiting.await.expect("no panic").expect("a hint");
        assert_eq!((hints.hints.len(), hints.stop), (1, Some(StopReason::Shutdown)));
    }
    let limits = QuestionLimits { depth: Some(3), ..QuestionLimits::default() };
    let late = HintQuestion { limits, ..endless_question(9, MINUTE) };
    let hints = engine.hint(&late, Caller::now()).await.expect("a hint");
    assert_eq!((hints.hints.len(), hints.stop), (1, Some(StopReason::Shutdown)));
}
