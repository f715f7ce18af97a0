//! Every error reason, with its gRPC code, HTTP status, field, column and index.
//!
//! `rate_limited`, `unauthenticated` and `internal` cannot be triggered from
//! outside; the table in `services/server/error.rs` has its own test.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use http_body::Frame;
use http_body_util::StreamBody;
use serde_json::{Value, json};
use tonic::{Code, Status};

use crate::support::failure::{Failure, proto_name};
use crate::support::held::Held;
use crate::support::rest::{Reply, send};
use crate::support::{TestServer, about, assert_eventually, server};

/// One invalid request and the failure that both protocols return.
struct Case {
    call: (&'static str, &'static str),
    game: &'static str,
    body: Value,
    reason: &'static str,
    code: Code,
    status: u16,
    field: Option<&'static str>,
    column: Option<u64>,
    index: Option<u64>,
}

const POSITION: (&str, &str) = ("DescribePosition", "position");
const MOVES: (&str, &str) = ("ListLegalMoves", "legal-moves");
const HINTS: (&str, &str) = ("Hint", "hints");
const THREATS: (&str, &str) = ("ListThreats", "threats");

/// Both protocols return the reason, field, column and index, with the code and
/// status of the contract.
#[tokio::test]
async fn failures_have_reason_and_details() {
    let server = server().start().await;
    let case = |call, body, reason, code, status| Case {
        call,
        game: "pentago",
        body,
        reason,
        code,
        status,
        field: None,
        column: None,
        index: None,
    };
    let invalid = Code::InvalidArgument;
    let forbidden = Code::FailedPrecondition;
    let cases = [
        Case { field: Some("depth"), ..case(THREATS, json!({"depth": 65}), "bad_argument", invalid, 400) },
        Case { game: "chess", field: Some("game"), ..case(POSITION, json!({}), "unknown_game", Code::NotFound, 404) },
        Case {
            field: Some("variant"),
            ..case(POSITION, json!({"variant": "blitz"}), "unknown_variant", Code::NotFound, 404)
        },
        Case {
            field: Some("position"),
            column: Some(12),
            ..case(POSITION, json!({"position": "6/6/6/6/6/5x w"}), "bad_position", invalid, 400)
        },
        Case {
            field: Some("moves[1]"),
            column: Some(1),
            index: Some(1),
            ..case(POSITION, json!({"moves": ["a1-1r", "z9-1r"]}), "bad_move", invalid, 400)
        },
        Case {
            field: Some("moves[1]"),
            index: Some(1),
            ..case(POSITION, json!({"moves": ["a1-2r", "a1-2r"]}), "illegal_move", forbidden, 422)
        },
        Case {
            field: Some("allowMoves[0]"),
            index: Some(0),
            ..case(
                HINTS,
                json!({"position": "w5/6/6/6/6/6 b", "allowMoves": ["a1-1r"]}),
                "illegal_move",
                forbidden,
                422,
            )
        },
        Case {
            field: Some("moves[1]"),
            index: Some(1),
            ..case(
                POSITION,
                json!({"position": "wwww2/6/bbbb2/6/6/6 w", "moves": ["e1", "a6-1r"]}),
                "game_over",
                forbidden,
                422,
            )
        },
        case(HINTS, json!({"position": "wwwww1/6/bbbb2/6/6/6 b"}), "game_over", forbidden, 422),
        Case {
            field: Some("allowMoves[1]"),
            column: Some(1),
            index: Some(1),
            ..case(HINTS, json!({"allowMoves": ["a1-1r", "z9-1r"]}), "bad_move", invalid, 400)
        },
        Case { field: Some("pageToken"), ..case(MOVES, json!({"pageToken": "garbage"}), "bad_argument", invalid, 400) },
        Case { field: Some("count"), ..case(HINTS, json!({"count": 65}), "bad_argument", invalid, 400) },
        Case { field: Some("level"), ..case(HINTS, json!({"level": 11}), "bad_argument", invalid, 400) },
        Case {
            field: Some("position"),
            ..case(POSITION, json!({"position": "6".repeat(1025)}), "too_large", Code::ResourceExhausted, 413)
        },
        Case {
            field: Some("moves"),
            ..case(POSITION, json!({"moves": vec!["a1-1r"; 1001]}), "too_large", Code::ResourceExhausted, 413)
        },
    ];
    for case in cases {
        check(&server, &case).await;
    }
}

async fn check(server: &TestServer, case: &Case) {
    let situation = format!("{} of {} with {:.200}", case.call.0, case.game, case.body.to_string());
    let mut request = case.body.clone();
    request["game"] = case.game.into();
    let status = server.grpc().call(case.call.0, &request).await.expect_err(&situation);
    assert_eq!(status.code(), case.code, "{situation}: {status:?}");
    let over_grpc = Failure::from_status(&status);
    let reply = server.post(&format!("/v1/games/{}/{}", case.game, case.call.1), &case.body).await;
    assert_eq!(reply.status.as_u16(), case.status, "{situation}: {reply:?}");
    assert_eq!(reply.header("cache-control"), "no-store", "{situation}: {reply:?}");
    let over_rest = reply.problem();
    let kind = reply.json()["type"].clone();
    server.get(kind.as_str().unwrap_or_default()).await.ok();
    for (protocol, failure) in [("gRPC", over_grpc), ("REST", over_rest)] {
        assert_eq!(failure.reason, case.reason, "{protocol}: {situation}: {failure:?}");
        let field = case.field.map(|field| if protocol == "gRPC" { proto_name(field) } else { field.to_owned() });
        assert_eq!(failure.field, field, "{protocol}: {situation}: {failure:?}");
        assert_eq!((failure.column, failure.index), (case.column, case.index), "{protocol}: {situation}: {failure:?}");
        assert!(!failure.message.is_empty() && !failure.request_id.is_empty(), "{protocol}: {situation}: {failure:?}");
    }
}

/// Bodies that violate the schema are refused with the field.
#[tokio::test]
async fn bad_bodies_are_refused() {
    let server = server().start().await;
    for (body, field, part) in [
        ("{\"position\": oops}", None, "not JSON"),
        ("{} {}", None, "not JSON"),
        ("[]", None, "JSON object"),
        ("null", None, "JSON object"),
        (r#"{"limits": {"timeMs": "soon"}}"#, Some("limits.timeMs"), "must be a whole number from 0"),
        (r#"{"limits": {"timeMs": -1}}"#, Some("limits.timeMs"), "not -1"),
        (r#"{"limits": {"timeMs": 0}}"#, Some("limits.timeMs"), "at least 1"),
        (r#"{"limits": {"depth": 0}}"#, Some("limits.depth"), "at least 1"),
        (r#"{"limits": {"nodes": 0}}"#, Some("limits.nodes"), "at least 1"),
        (r#"{"limits": {"time": 1}}"#, Some("limits.time"), "there is no field `limits.time`"),
        (r#"{"limts": {}}"#, Some("limts"), "there is no field `limts`"),
        (r#"{"game": "pentago"}"#, Some("game"), "there is no field `game`"),
        (r#"{"moves": "a1-1r"}"#, Some("moves"), "must be a list, not \"a1-1r\""),
        (r#"{"moves": ["a1-1r", 7]}"#, Some("moves[1]"), "must be a string, not 7"),
        (r#"{"detail": "everything"}"#, Some("detail"), "must be one of nudge"),
        (r#"{"count": 0}"#, Some("count"), "between 1 and 64"),
        (r#"{"level": 0}"#, Some("level"), "between 1 and 10"),
        (r#"{"level": 4294967296}"#, Some("level"), "not 4294967296"),
    ] {
        let reply = post_text(&server, "/v1/games/pentago/hints", "application/json", body).await;
        let failure = reply.expect(400).problem();
        assert_eq!((failure.reason.as_str(), failure.field.as_deref()), ("bad_argument", field), "{body}: {failure:?}");
        assert!(failure.message.contains(part), "{body}: {failure:?}");
    }
}

/// Unknown, repeated and malformed query parameters are refused with their name.
#[tokio::test]
async fn bad_parameters_are_refused() {
    let server = server().start().await;
    for (path, field) in [
        ("/v1/games?limit=3", "limit"),
        ("/v1/games/pentago?variant=standard", "variant"),
        ("/v1/games/pentago/position?colour=red", "colour"),
        ("/v1/games/pentago/position?position=a&position=b", "position"),
        ("/v1/games/pentago/position?position=%ff", "position"),
        ("/v1/games/pentago/position?timeMs=5", "timeMs"),
        ("/v1/games/pentago/legal-moves?pageSize=many", "pageSize"),
        ("/v1/games/pentago/legal-moves?distinct=1", "distinct"),
        ("/v1/games/pentago/evaluation?count=1", "count"),
        ("/v1/games/pentago/hints?timeMs=soon", "timeMs"),
        ("/v1/games/pentago/hints?timeMs=0", "timeMs"),
        ("/v1/games/pentago/hints?limits.timeMs=0", "limits.timeMs"),
        ("/v1/games/pentago/hints?detail=all", "detail"),
        ("/v1/games/pentago/analysis?limits=3", "limits"),
    ] {
        let failure = server.get(path).await.expect(400).problem();
        assert_eq!(
            (failure.reason.as_str(), failure.field.as_deref()),
            ("bad_argument", Some(field)),
            "{path}: {failure:?}"
        );
    }
    let failure = server.post("/v1/games/pentago/hints?level=3&count=2", &json!({})).await.expect(400).problem();
    assert_eq!(failure.field.as_deref(), Some("level"), "POST has no parameters: {failure:?}");
}

/// An empty body, `{}` and nulls select the defaults; another content type or
/// encoding is 415.
#[tokio::test]
async fn empty_bodies_are_accepted_other_types_are_not() {
    let server = server().start().await;
    let path = "/v1/games/pentago/position";
    let plain = server.get(path).await.ok().json();
    let empty = send(server.http.post(server.rest_url(path))).await;
    assert_eq!(empty.ok().json(), plain);
    for body in ["{}", r#"{"variant": null, "position": null, "moves": null}"#, r#"{"variant": "", "position": ""}"#] {
        let reply = post_text(&server, path, "application/json; charset=utf-8", body).await;
        assert_eq!(reply.ok().json(), plain, "{body}");
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let failure = post_text(&server, path, kind, "{}").await.expect(415).problem();
        assert_eq!(failure.reason, "bad_argument", "{kind}: {failure:?}");
    }
    let gzipped = server.http.post(server.rest_url(path)).header("content-encoding", "gzip").body("{}");
    assert_eq!(send(gzipped).await.expect(415).problem().reason, "bad_argument");
}

/// A body that stalls is refused after `body_timeout_ms`, on both protocols.
#[tokio::test]
async fn stalled_bodies_are_refused() {
    let server = server().set(|config| config.body_timeout_ms = 200).start().await;
    let stalled = |bytes: &'static [u8]| {
        let first = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(bytes))]);
        first.chain(stream::pending())
    };
    let request = server.http.post(server.rest_url("/v1/games/pentago/hints"));
    let body = reqwest::Body::wrap_stream(stalled(b"{\"variant\": "));
    let failure = send(request.header("content-type", "application/json").body(body)).await.expect(400).problem();
    assert_eq!(
        (failure.reason.as_str(), failure.message.as_str()),
        ("bad_argument", "the body did not arrive within 200 ms")
    );

    let grpc = server.grpc();
    let body = StreamBody::new(stalled(&[0, 0, 0, 0, 9, 10]).map_ok(Frame::data));
    let request = http::Request::post(format!("{}pentad.v1.Analysis/Hint", grpc.origin()))
        .header("content-type", "application/grpc")
        .body(tonic::body::Body::new(body))
        .unwrap();
    let answer = grpc.transport().request(request).await.unwrap();
    let status = Status::from_header_map(answer.headers()).unwrap();
    let failure = Failure::from_status(&status);
    assert_eq!((status.code(), failure.reason.as_str()), (Code::InvalidArgument, "bad_argument"), "{status:?}");
    assert_eq!(failure.message, "the body did not arrive within 200 ms");
}

/// A body or message above the limit is `too_large`; one below is accepted.
#[tokio::test]
async fn oversized_bodies_are_refused() {
    let server = server().set(|config| config.body_bytes_max = 2048).start().await;
    let path = "/v1/games/pentago/position";
    let padded = |len: usize| format!("{{{}}}", " ".repeat(len - 2));
    post_text(&server, path, "application/json", &padded(2048)).await.ok();
    let failure = post_text(&server, path, "application/json", &padded(2049)).await.expect(413).problem();
    assert_eq!(failure.reason, "too_large", "{failure:?}");
    let request = |len: usize| json!({"game": "pentago", "position": "6".repeat(len)});
    let status = server.grpc().call("DescribePosition", &request(3000)).await.expect_err("too long a message");
    let failure = Failure::from_status(&status);
    assert_eq!((status.code(), failure.reason.as_str()), (Code::ResourceExhausted, "too_large"), "{status:?}");
    let status = server.grpc().call("DescribePosition", &request(1000)).await.expect_err("sixes are no position");
    assert_eq!(Failure::from_status(&status).reason, "bad_position", "{status:?}");
}

/// Bytes that are not a valid message are `bad_argument`.
#[tokio::test]
async fn malformed_messages_are_refused() {
    let server = server().start().await;
    let malformed = bytes::Bytes::from_static(b"\x0a\xff\xff\xff\xff\x0fmalformed");
    let status = server.grpc().call_raw("Hint", malformed).await.expect_err("not a message");
    let failure = Failure::from_status(&status);
    assert_eq!((status.code(), failure.reason.as_str()), (Code::InvalidArgument, "bad_argument"), "{status:?}");
    let detail = hint_request_with_detail(99);
    let status = server.grpc().call_raw("Hint", detail).await.expect_err("no such detail");
    let failure = Failure::from_status(&status);
    assert_eq!((failure.reason.as_str(), failure.field.as_deref()), ("bad_argument", Some("detail")), "{status:?}");
}

/// A hint request whose `detail`, an enum, has an unknown value.
fn hint_request_with_detail(number: i32) -> bytes::Bytes {
    use prost::Message;
    let request = pentad::proto::HintRequest { game: "pentago".to_owned(), detail: number, ..Default::default() };
    request.encode_to_vec().into()
}

/// Unknown paths and methods are 404 and 405, with a problem document.
#[tokio::test]
async fn unknown_paths_and_methods_are_problems() {
    let server = server().start().await;
    for path in ["/v2/games", "/v1/games/pentago/hint", "/v1/games/pentago/position/x", "/metrics", "/plugins"] {
        let reply = server.get(path).await.expect(404);
        assert_eq!(reply.problem().reason, "bad_argument", "{path}");
        assert_eq!(reply.json()["type"], "about:blank", "{path}");
    }
    for (method, path, allow) in [
        (http::Method::POST, "/v1/games", "GET,HEAD"),
        (http::Method::DELETE, "/v1/games/pentago", "GET,HEAD"),
        (http::Method::PUT, "/v1/games/pentago/hints", "GET,HEAD,POST"),
        (http::Method::POST, "/v1/games/pentago/diagram.svg", "GET,HEAD"),
    ] {
        let reply = send(server.http.request(method.clone(), server.rest_url(path))).await.expect(405);
        assert_eq!(reply.problem().reason, "bad_argument", "{method} {path}");
        assert_eq!(reply.header("allow"), allow, "{method} {path}");
    }
    let status = server.grpc().call_raw("NoSuchMethod", bytes::Bytes::new()).await.expect_err("no such RPC");
    assert_eq!(status.code(), Code::Unimplemented, "{status:?}");
}

/// A full queue refuses at once with a retry time, and does not affect requests
/// that were accepted before.
#[tokio::test]
async fn full_queue_refuses_with_retry_time() {
    let held = Held::new();
    let server = server().held(&held).set(|config| (config.workers, config.queue_len_max) = (1, 1)).start().await;
    let spawn_hint = |n| {
        let (grpc, body) = (server.grpc(), about("held", Held::search(n)));
        tokio::spawn(async move { grpc.call("Hint", &body).await })
    };
    let running = spawn_hint(0);
    server.assert_busy(1.0).await;
    let waiting = spawn_hint(1);
    assert_eventually("one request waits for the worker", async || {
        let metrics = server.metrics().await;
        let n_searches = metrics.count("pentad_cache_requests_total", &[("game", "held"), ("result", "miss")]);
        let depth = metrics.value("pentad_queue_depth", &[("class", "interactive")]);
        if (n_searches, depth) == (2.0, Some(1.0)) { Ok(()) } else { Err((n_searches, depth)) }
    })
    .await;

    let body = about("held", Held::search(2));
    let status = server.grpc().call("Hint", &body).await.expect_err("the queue is full");
    let failure = Failure::from_status(&status);
    assert_eq!((status.code(), failure.reason.as_str()), (Code::ResourceExhausted, "overloaded"), "{status:?}");
    assert!(failure.retry_after_ms.is_some_and(|ms| ms >= 100), "{status:?}");

    let reply = server.post("/v1/games/held/hints", &Held::search(3)).await.expect(429);
    let failure = reply.problem();
    assert_eq!(failure.reason, "overloaded", "{reply:?}");
    let after_ms = failure.retry_after_ms.unwrap_or_else(|| panic!("no retry time: {reply:?}"));
    assert_eq!(reply.header("retry-after"), after_ms.div_ceil(1000).max(1).to_string(), "{reply:?}");

    server.get("/v1/games/pentago/position").await.ok();
    assert!(!running.is_finished() && !waiting.is_finished(), "both are still in flight");
    held.release();
    for in_flight in [running, waiting] {
        in_flight.await.expect("no panic").expect("an accepted request is answered");
    }
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_rejected_total", &[("reason", "overloaded")]), Some(2.0));
    let within = [("client", "-"), ("share", "within")];
    assert_eq!(metrics.value("pentad_overloaded_total", &within), Some(2.0), "nobody else is served");
}

/// A rule set that takes longer than the deadline: `deadline`, and counted; a
/// caller that waits longer gets the answer.
#[tokio::test]
async fn exceeded_deadline_is_reported() {
    let held = Held::new();
    let server = server().held(&held).start().await;
    let request = json!({"game": "held", "variant": "moves"});
    let status = server.grpc().timeout("20m").call("ListLegalMoves", &request).await.expect_err("it is held");
    let failure = Failure::from_status(&status);
    assert_eq!((status.code(), &*failure.reason), (Code::DeadlineExceeded, "deadline"), "{status:?}");
    held.release();
    let answer = server.grpc().timeout("60S").call("ListLegalMoves", &request).await.expect("an answer");
    assert_eq!(answer["total"], 2, "{answer}");
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_rejected_total", &[("reason", "deadline")]), Some(1.0));
}

/// A panic inside a rule set fails that request, on both protocols, without
/// disclosing its cause.
#[tokio::test]
async fn fault_fails_one_request() {
    let server = server().panics().start().await;
    let request = json!({"game": "panics", "variant": "start"});
    let status = server.grpc().call("DescribePosition", &request).await.expect_err("it panics");
    let failure = Failure::from_status(&status);
    assert_eq!((status.code(), failure.reason.as_str()), (Code::Unavailable, "ruleset_fault"), "{status:?}");
    let reply = server.post("/v1/games/panics/position", &json!({"variant": "start"})).await.expect(503);
    assert_eq!(reply.problem().reason, "ruleset_fault", "{reply:?}");
    assert!(!reply.text().contains("this variant panics"), "the cause is only logged: {reply:?}");
    server.post("/v1/games/panics/position", &json!({"variant": "nothing"})).await.ok();
}

/// A rule set whose searches hang is quarantined, and restored when its searches
/// have returned.
#[tokio::test]
async fn hanging_rule_set_is_quarantined_and_restored() {
    let held = Held::new();
    let server = server().held(&held).set(|config| config.hang_grace_ms = 50).start().await;
    let game = "held";
    for n in 0..2 {
        let (grpc, request) = (server.grpc(), about(game, Held::search(n)));
        let in_flight = tokio::spawn(async move { grpc.call("Hint", &request).await });
        server.assert_busy(1.0).await;
        in_flight.abort();
        assert_eventually("a search that does not stop is a hang", async || {
            let metrics = server.metrics().await;
            let n_hangs = metrics.count("pentad_ruleset_faults_total", &[("game", game), ("kind", "hang")]);
            if n_hangs == (n + 1) as f64 { Ok(()) } else { Err(n_hangs) }
        })
        .await;
    }

    let reply = server.get(&format!("/v1/games/{game}/position")).await.expect(503);
    assert_eq!(reply.problem().reason, "ruleset_unavailable", "{reply:?}");
    let status = server.grpc().call("DescribePosition", &json!({"game": game})).await.expect_err("it is quarantined");
    assert_eq!(
        (status.code(), Failure::from_status(&status).reason),
        (Code::Unavailable, "ruleset_unavailable".to_owned())
    );
    assert_eq!(server.metrics().await.value("pentad_ruleset_up", &[("game", game)]), Some(0.0));
    assert_eq!(server.metrics().await.value("pentad_ruleset_up", &[("game", "pentago")]), Some(1.0));
    server.get("/v1/games/pentago/position").await.ok();
    server.admin("/readyz").await.ok();

    held.release();
    assert_eventually("it is restored", async || {
        let reply = server.get(&format!("/v1/games/{game}/position")).await;
        if reply.status == 200 { Ok(()) } else { Err(reply) }
    })
    .await;
    assert_eq!(server.metrics().await.value("pentad_ruleset_up", &[("game", game)]), Some(1.0));
}

/// Refused requests are counted by reason, method and code.
#[tokio::test]
async fn refusals_are_counted_by_reason() {
    let server = server().start().await;
    for _ in 0..3 {
        server.get("/v1/games/chess/position").await.expect(404);
    }
    server.grpc().call("Hint", &json!({"game": "pentago", "level": 99})).await.expect_err("no such level");
    let metrics = server.metrics().await;
    let rejected = |reason| metrics.value("pentad_rejected_total", &[("reason", reason)]);
    assert_eq!((rejected("unknown_game"), rejected("bad_argument")), (Some(3.0), Some(1.0)));
    let requests = |labels: &[(&str, &str)]| metrics.count("pentad_requests_total", labels);
    assert_eq!(requests(&[("protocol", "rest"), ("method", "DescribePosition"), ("code", "404")]), 3.0);
    assert_eq!(requests(&[("protocol", "grpc"), ("method", "Hint"), ("code", "INVALID_ARGUMENT")]), 1.0);
}

async fn post_text(server: &TestServer, path: &str, kind: &str, body: &str) -> Reply {
    let request = server.http.post(server.rest_url(path)).header("content-type", kind).body(body.to_owned());
    send(request).await
}
