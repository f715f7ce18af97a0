use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream;
use pentad_engine::EngineConfig;
use pentad_host::Ruleset;
use serde_json::{Value, json};

use super::*;
use crate::config::AccessLog;
use crate::telemetry::Telemetry;

const MINUTE: Duration = Duration::from_mins(1);

fn context(window: usize) -> BatchContext {
    let load = |plugin| Ruleset::load(&pentad_test_plugins::build(plugin), None).expect("the plugin loads");
    let telemetry = Telemetry::new(AccessLog::Off).expect("the metrics are valid");
    let config = EngineConfig { hang_grace: 5 * MINUTE, ..EngineConfig::default() };
    let rulesets = vec![load("tictactoe"), load("search_endless")];
    BatchContext {
        engine: Engine::new(config, rulesets, telemetry.observer()),
        window,
        idle_timeout: None,
        deadline: None,
        language: Language::default(),
        skips_cache: false,
        caller: CallerKey::default(),
        trace: Trace::default(),
        reservation: None,
        count: Box::new(|_, _| {}),
    }
}

/// A line of input.
fn line(number: u64, value: &Value) -> Result<Input, ApiError> {
    let text = value.to_string().into();
    Ok(ndjson::input(&lines::Line { number, text, is_cut: false }, 1 << 16))
}

fn endless(id: &str) -> Value {
    json!({"id": id, "kind": "hints", "game": "search-endless", "limits": {"timeMs": 60_000}, "position": "5 a"})
}

fn position(id: &str) -> Value {
    json!({"id": id, "kind": "position", "game": "tictactoe"})
}

fn never() -> StopSignal {
    Box::pin(std::future::pending())
}

/// The outputs, without progress.
async fn outputs(batch: impl Stream<Item = Output> + Send) -> Vec<Value> {
    let outputs: Vec<Output> = batch.collect().await;
    let outputs = outputs.into_iter().filter(|output| !matches!(output, Output::Progress(_)));
    outputs.map(|output| serde_json::from_slice(&ndjson::line(output, "test")).expect("a line is JSON")).collect()
}

fn done(answered: u64, failed: u64, cancelled: u64, is_complete: bool) -> Value {
    json!({"done": {"answered": answered, "failed": failed, "cancelled": cancelled, "complete": is_complete}})
}

/// Sorted by id, since answers come as they finish.
fn ids_of(outputs: &[Value], field: &str) -> Vec<String> {
    let mut ids: Vec<String> =
        outputs.iter().filter(|output| !output[field].is_null()).map(|it| it["id"].to_string()).collect();
    ids.sort();
    ids
}

/// As many questions are read as may be unanswered, and none while the outputs are not taken.
#[tokio::test]
async fn the_window_bounds_what_is_read() {
    let n_read = Arc::new(AtomicUsize::new(0));
    let counted = n_read.clone();
    let input = stream::iter(1..).map(move |number| {
        counted.fetch_add(1, Ordering::Relaxed);
        line(number, &endless(&number.to_string()))
    });
    let batch = Batch::new(context(5), input, never());
    let mut outputs = Box::pin(batch.outputs());
    assert_eq!(n_read.load(Ordering::Relaxed), 0);
    assert!(outputs.next().now_or_never().is_none(), "none of them ends");
    assert_eq!(n_read.load(Ordering::Relaxed), 5);
}

/// The window is also full when its questions have too many bytes.
#[tokio::test]
async fn the_window_is_bounded_by_bytes() {
    let n_read = Arc::new(AtomicUsize::new(0));
    let counted = n_read.clone();
    let input = stream::iter(1..).map(move |number| {
        counted.fetch_add(1, Ordering::Relaxed);
        let Ok(Input::Question(item)) = line(number, &endless(&number.to_string())) else { panic!("a question") };
        Ok(Input::Question(Item { len: WINDOW_BYTES_MAX / 3, ..item }))
    });
    let mut outputs = Box::pin(Batch::new(context(1000), input, never()).outputs());
    assert!(outputs.next().now_or_never().is_none(), "none of them ends");
    assert_eq!(n_read.load(Ordering::Relaxed), 4);
}

/// Every question has one outcome; an invalid one gets an error and affects no other.
#[tokio::test]
async fn every_question_has_one_outcome() {
    let lines = [
        position("a"),
        json!({"id": "b", "kind": "position", "game": "chess"}),
        json!({"kind": "position", "game": "tictactoe"}),
        json!({"id": "c", "kind": "hints", "game": "tictactoe", "limits": {"nodes": 10}}),
        json!({"id": "", "kind": "position", "game": "tictactoe"}),
        json!({"id": "x".repeat(257), "kind": "position", "game": "tictactoe"}),
        json!({"cancel": "nobody"}),
        json!({"id": "d", "kind": "legal-moves", "game": "tictactoe"}),
        json!({"id": "e", "kind": "evaluation", "game": "tictactoe", "limits": {"nodes": 10}}),
    ];
    let input = stream::iter((1..).zip(&lines).map(|(number, value)| line(number, value)).collect::<Vec<_>>());
    let found = outputs(Batch::new(context(8), input, never()).outputs()).await;
    assert_eq!(found.last(), Some(&done(4, 4, 0, true)), "{found:#?}");
    assert_eq!(ids_of(&found, "answer"), [r#""a""#, r#""c""#, r#""d""#, r#""e""#]);
    let mut errors: Vec<_> = found.iter().filter(|it| !it["error"].is_null()).collect();
    errors.sort_by_key(|it| it["line"].as_u64());
    let told: Vec<_> = errors.iter().map(|it| (it["line"].as_u64(), it["error"]["reason"].as_str())).collect();
    let [unknown, bad, large] = ["unknown_game", "bad_argument", "too_large"].map(Some);
    assert_eq!(told, [(Some(2), unknown), (Some(3), bad), (Some(5), bad), (Some(6), large)]);
    assert!(errors[0]["id"] == "b" && errors[1]["id"].is_null(), "{errors:#?}");
    assert_eq!(found.iter().filter(|it| !it["done"].is_null()).count(), 1);
}

/// An id in use is refused and may be used again; cancelling ends one question and not
/// the other.
#[tokio::test]
async fn ids_are_unique_while_unanswered() {
    let (lines_in, input) = channel();
    let batch = Batch::new(context(8), input, never());
    let mut outputs = Box::pin(batch.outputs().filter(|output| {
        let is_progress = matches!(output, Output::Progress(_));
        async move { !is_progress }
    }));
    let send = |number, value: &Value| lines_in.send(line(number, value)).expect("the batch reads");
    send(1, &endless("a"));
    send(2, &position("a"));
    let Some(Output::Error { id, line: 2, error }) = outputs.next().await else { panic!("the id is in use") };
    assert_eq!((id.as_deref(), error.details().field.as_deref()), (Some("a"), Some("id")));
    send(3, &json!({"cancel": "a"}));
    let Some(Output::Cancelled { id }) = outputs.next().await else { panic!("it is cancelled") };
    assert_eq!(id, "a");
    send(4, &json!({"cancel": "a"}));
    send(5, &position("a"));
    let Some(Output::Answer { id, .. }) = outputs.next().await else { panic!("the id is free again") };
    assert_eq!(id, "a");
    drop(lines_in);
    let Some(Output::Done(done)) = outputs.next().await else { panic!("the end") };
    assert_eq!(done, Done { answered: 1, failed: 1, cancelled: 1, is_complete: true });
    assert!(outputs.next().await.is_none());
}

/// When the server stops, questions that were read are answered and the rest are not.
#[tokio::test]
async fn a_stop_ends_the_reading() {
    let context = context(8);
    let engine = context.engine.clone();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let input = stream::iter([line(1, &endless("a")), line(2, &position("b"))]).chain(stream::pending());
    let batch = Batch::new(context, Box::pin(input), Box::pin(async { drop(stopped.await) }));
    let mut batch = Box::pin(batch.outputs());
    let Some(Output::Answer { id, .. }) = batch.next().await else { panic!("the position is answered first") };
    assert_eq!(id, "b");
    drop(stop);
    assert!(batch.next().now_or_never().is_none(), "the other one is still searched");
    engine.stop_searches();
    let rest = outputs(batch).await;
    assert_eq!(rest[0]["answer"]["stopReason"], "shutdown", "{rest:?}");
    assert_eq!(rest[1..], [done(2, 0, 0, false)]);
}

/// A caller that is silent while nothing is running, a body that breaks off, and a
/// deadline end the stream, each with one last output.
#[tokio::test(start_paused = true)]
async fn every_end_has_a_last_word() {
    let silent = BatchContext { idle_timeout: Some(MINUTE), ..context(8) };
    let found = outputs(Batch::new(silent, stream::pending(), never()).outputs()).await;
    assert_eq!(found[1..], [done(0, 0, 0, false)], "{found:?}");
    assert!(found[0]["error"]["detail"].as_str().is_some_and(|it| it.contains("60000 ms")), "{found:?}");

    let broken = [line(1, &position("a")), Err(ApiError::bad_request("", "cannot read the body"))];
    let found = outputs(Batch::new(context(8), stream::iter(broken), never()).outputs()).await;
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!((found[2].clone(), ids_of(&found, "answer")), (done(1, 0, 0, false), vec![r#""a""#.to_owned()]));

    let late = BatchContext { deadline: Some(Instant::now() + MINUTE), ..context(8) };
    let found = outputs(Batch::new(late, stream::pending(), never()).outputs()).await;
    assert_eq!(found, [done(0, 0, 0, false)]);
}

/// While questions are running, progress is sent; an idle stream gets none, since its
/// caller is to end it.
#[tokio::test(start_paused = true)]
async fn progress_is_told() {
    let context = BatchContext { idle_timeout: Some(MINUTE), ..context(8) };
    let input = stream::iter([line(1, &endless("a"))]).chain(stream::pending());
    let mut batch = Box::pin(Batch::new(context, Box::pin(input), never()).outputs());
    let started = tokio::time::Instant::now();
    for seconds in [1, 16, 31] {
        let Some(Output::Progress(progress)) = batch.next().await else { panic!("progress") };
        assert_eq!(progress, Progress { pending: 1, ..Progress::default() });
        assert_eq!(started.elapsed().as_secs(), seconds);
    }
}

/// Lines that the test sends.
type InputSender = tokio::sync::mpsc::UnboundedSender<Result<Input, ApiError>>;
type InputStream = Pin<Box<dyn Stream<Item = Result<Input, ApiError>> + Send>>;

fn channel() -> (InputSender, InputStream) {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    let stream = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    (sender, Box::pin(stream))
}
