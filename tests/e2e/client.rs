//! The Rust client, `pentad-client`.

use std::time::Instant;

use futures_util::{StreamExt, TryStreamExt, stream};
use pentad_client::proto::batch_request::Message;
use pentad_client::proto::{
    AnalyzeRequest, BatchQuestion, BatchRequest, CompareRequest, DescribePositionRequest, EvaluateRequest,
    ExploreRequest, FindPuzzlesRequest, HintRequest, Limits, ListLegalMovesRequest, ListThreatsRequest, Outcome,
    ReviewRequest, batch_question, batch_response, review_response,
};
use pentad_client::{Error, Pentad, Reason};

use crate::access::TokenFile;
use crate::support::{TIMEOUT, TestServer, refusing_port, server};

/// White completes a row with e1; black could with e3.
const BOTH_THREATEN: &str = "wwww2/6/bbbb2/6/6/6 w";

fn client(server: &TestServer) -> Pentad {
    let url = format!("http://{}", server.addresses.grpc);
    Pentad::connect_lazy(&url).expect("an address").with_timeout(Some(TIMEOUT)).with_stream_timeout(Some(TIMEOUT))
}

fn few_nodes() -> Option<Limits> {
    Some(Limits { nodes: 2_000, ..Limits::default() })
}

/// A search that ends only when something else ends it.
fn endless() -> AnalyzeRequest {
    let limits = Some(Limits { time_ms: 3_000_000, ..Limits::default() });
    AnalyzeRequest { game: "search-endless".into(), position: "2 a".into(), limits, ..Default::default() }
}

/// Calls with one answer.
#[tokio::test]
async fn calls_are_answered() {
    let server = server().start().await;
    let pentad = client(&server);
    let (game, position) = (|| "pentago".to_owned(), || BOTH_THREATEN.to_owned());

    let games = pentad.list_games().await.expect("the games");
    assert_eq!(games.iter().map(|game| game.id.as_str()).collect::<Vec<_>>(), ["pentago", "tictactoe"]);
    assert_eq!(pentad.game("pentago").await.expect("a game").seats, ["w", "b"]);
    let request = DescribePositionRequest { game: game(), ..Default::default() };
    assert_eq!(pentad.position(request).await.expect("the start").legal_move_count, 288);
    let request = EvaluateRequest { game: game(), position: position(), ..Default::default() };
    let value = pentad.evaluate(request).await.expect("a value").evaluation.expect("a value");
    assert_eq!((value.outcome(), value.scores["w"]), (Outcome::Win, 1.0));
    let request = HintRequest { game: game(), position: position(), ..Default::default() };
    assert_eq!(pentad.hint(request).await.expect("a hint").hints[0].r#move, "e1");
    let compare_moves = vec!["f6-4r".to_owned(), "e1".to_owned()];
    let limits = few_nodes();
    let request = CompareRequest { game: game(), position: position(), compare_moves, limits, ..Default::default() };
    assert_eq!(pentad.compare(request).await.expect("a comparison").best_move, "e1");
    let request = ListThreatsRequest { game: game(), position: position(), ..Default::default() };
    assert_eq!(pentad.threats(request).await.expect("threats").threats.len(), 2);
}

/// Pages follow each other as they are needed.
#[tokio::test]
async fn pages_become_one_stream() {
    let server = server().start().await;
    let pentad = client(&server);
    let request = ListLegalMovesRequest { game: "pentago".into(), page_size: 100, ..Default::default() };
    let moves: Vec<String> = pentad.legal_moves(request).try_collect().await.expect("three pages");
    assert_eq!((moves.len(), moves[0].as_str(), moves[287].as_str()), (288, "a1-1l", "f6-4r"));
    let request = ExploreRequest { game: "tictactoe".into(), page_size: 2, ..Default::default() };
    let explored: Vec<_> = pentad.explore(request).try_collect().await.expect("five pages");
    assert_eq!(explored.len(), 9, "every cell, two at a time");
}

/// Streams end with their last message.
#[tokio::test]
async fn streams_are_complete() {
    let server = server().start().await;
    let pentad = client(&server);
    let request = AnalyzeRequest { game: "tictactoe".into(), ..Default::default() };
    let updates: Vec<_> = pentad.analyze(request).await.expect("a stream").try_collect().await.expect("no failure");
    assert!(updates.last().expect("an update").r#final);

    let moves = ["f6-4r", "e3"].map(str::to_owned).to_vec();
    let (game, position, limits) = ("pentago".into(), BOTH_THREATEN.into(), few_nodes());
    let request = ReviewRequest { game, position, moves, limits, ..Default::default() };
    let messages: Vec<_> = pentad.review(request).await.expect("a stream").try_collect().await.expect("no failure");
    let last = messages.last().and_then(|message| message.message.as_ref());
    assert!(matches!(last, Some(review_response::Message::Summary(summary)) if summary.turning_points == [0]));

    let request =
        FindPuzzlesRequest { game: "tictactoe".into(), max_plies: 1, seed: Some(7), limits, ..Default::default() };
    let messages: Vec<_> = pentad.puzzles(request).await.expect("a stream").try_collect().await.expect("no failure");
    assert!(messages.len() > 1, "{messages:?}");
}

/// Answers arrive while questions are still being sent.
#[tokio::test]
async fn batches_are_answered_while_they_are_sent() {
    let server = server().start().await;
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    let questions = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    let mut answers = client(&server).batch(questions).await.expect("a stream");
    for n in 0..3 {
        let request = DescribePositionRequest { game: "pentago".into(), ..Default::default() };
        let question = Some(batch_question::Question::Position(request));
        let question = BatchQuestion { id: n.to_string(), question, ..Default::default() };
        sender.send(BatchRequest { message: Some(Message::Question(question)) }).expect("it is read");
        let answer = loop {
            match answers.next().await.expect("the stream goes on").expect("no failure").message {
                Some(batch_response::Message::Progress(_)) => {}
                other => break other,
            }
        };
        assert!(matches!(answer, Some(batch_response::Message::Answer(it)) if it.id == n.to_string()));
    }
    drop(sender);
    let last = answers.try_fold(None, async |_, message| Ok(message.message)).await.expect("no failure");
    assert!(matches!(last, Some(batch_response::Message::Done(done)) if done.answered == 3 && done.complete));
}

/// The README shows the example as it is, which the tests compile.
#[test]
fn the_readme_has_the_bot() {
    let read = |path: &str| {
        let path = format!("{}/proto/clients/rust/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    assert!(read("README.md").contains(&format!("```rust,no_run\n{}```\n", read("examples/bot.rs"))));
}

/// Failures have the details of the contract, and are not repeated if they would fail again.
#[tokio::test]
async fn failures_are_typed() {
    let server = server().start().await;
    let moves = vec!["a1-2r".to_owned(); 2];
    let request = HintRequest { game: "pentago".into(), moves, ..Default::default() };
    let error = client(&server).with_retries(5).hint(request).await.expect_err("a cell is taken");
    let Error::Api(error) = error else { panic!("{error:?}") };
    assert_eq!((&error.reason, error.field.as_deref(), error.index), (&Reason::IllegalMove, Some("moves[1]"), Some(1)));
    assert!(!error.request_id.is_empty() && error.message.contains("a1"), "{error:?}");
    let labels = [("method", "Hint"), ("game", "pentago"), ("code", "FAILED_PRECONDITION")];
    assert_eq!(server.metrics().await.count("pentad_requests_total", &labels), 1.0);
}

/// A refused call is repeated, not before the time that the server asks for.
#[tokio::test]
async fn retry_times_are_kept() {
    let server = server().set(|config| config.streams_max = 0).start().await;
    let request = AnalyzeRequest { game: "pentago".into(), ..Default::default() };
    let started = Instant::now();
    let error = client(&server).with_retries(2).analyze(request).await.expect_err("there is no room for streams");
    let elapsed = started.elapsed();
    let Error::Api(error) = error else { panic!("{error:?}") };
    let retry_after = error.retry_after.expect("a time to wait");
    assert!(error.reason == Reason::Overloaded && elapsed >= 2 * retry_after, "{elapsed:?}, {error:?}");
    let refused = server.metrics().await.value("pentad_rejected_total", &[("reason", "overloaded")]);
    assert_eq!(refused, Some(3.0));
}

/// Tokens are sent with every call.
#[tokio::test]
async fn tokens_are_sent() {
    let (file, [web]) = TokenFile::new([("web", None)]).await;
    let server = server().set(|config| config.tokens = Some(file.path().to_owned())).start().await;
    let pentad = client(&server);
    let error = pentad.list_games().await.expect_err("no token");
    assert_eq!(error.reason(), Some(&Reason::Unauthenticated), "{error:?}");
    let pentad = pentad.with_token(&web).expect("a token is ASCII");
    pentad.list_games().await.expect("the games");
    assert!(!format!("{pentad:?}").contains(&web), "tokens are not printed");
    assert!(pentad.with_token("sjö\n").is_err());
}

/// Dropping a stream, and a timeout, end the search.
#[tokio::test]
async fn leaving_ends_the_search() {
    let server = server().plugin("search_endless").start().await;
    let pentad = client(&server);
    let mut updates = pentad.analyze(endless()).await.expect("a stream");
    updates.next().await.expect("it is endless").expect("an update");
    server.assert_busy(1.0).await;
    drop(updates);
    server.assert_busy(0.0).await;

    let hurried = pentad.with_stream_timeout(Some(std::time::Duration::from_millis(200)));
    let ended = match hurried.analyze(endless()).await {
        Ok(updates) => updates.try_collect::<Vec<_>>().await.map(drop),
        Err(error) => Err(error),
    };
    // The best so far if the server comes first.
    assert!(!matches!(ended, Err(Error::Api(_))), "{ended:?}");
    server.assert_busy(0.0).await;
}

/// A server that is gone is an error of the connection.
#[tokio::test]
async fn a_server_that_is_gone() {
    let (_socket, address) = refusing_port();
    let url = format!("http://{address}");
    let connected = Pentad::connect(&url).await;
    assert!(matches!(connected, Err(Error::Transport(_))), "{connected:?}");
    let lazy = Pentad::connect_lazy(&url).expect("an address").with_retries(1);
    let error = lazy.list_games().await.expect_err("nothing listens");
    assert!(matches!(error, Error::Transport(_)) && error.reason().is_none(), "{error:?}");
    assert!(Pentad::connect_lazy("not an address").is_err());
}
