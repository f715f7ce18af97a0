//! Bearer tokens.

use futures_util::StreamExt;
use pentad::{AccessError, TokensError};
use serde_json::json;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;

use super::{TokenFile, new_token};
use crate::support::failure::Failure;
use crate::support::grpc::{GrpcClient, rpcs, transport};
use crate::support::program::{program, run, serve};
use crate::support::rest::{Reply, client, least_request, send};
use crate::support::{TestServer, about, endless_search, server, two_games};

async fn get(server: &TestServer, path: &str, token: &str) -> Reply {
    send(server.http.get(server.rest_url(path)).bearer_auth(token)).await
}

async fn start_with(file: &TokenFile) -> TestServer {
    server().set(|config| config.tokens = Some(file.path().to_owned())).start().await
}

/// Every call of REST and gRPC needs a known token; both return the same failure.
#[tokio::test]
async fn every_call_needs_a_token() {
    let (file, [token]) = TokenFile::new([("web", None)]).await;
    let server = start_with(&file).await;
    let api = server.get("/openapi.json").await.ok().json();
    assert_eq!(api["security"], json!([{"bearer": []}]), "{}", api["security"]);
    let mut messages = Vec::new();
    for (path, methods) in api["paths"].as_object().expect("an object") {
        for (method, operation) in methods.as_object().expect("an object") {
            let request = || least_request(&server, method, path);
            for (request, challenge) in [
                (request(), "Bearer"),
                (request().bearer_auth("wrong"), "Bearer error=\"invalid_token\""),
                (request().basic_auth("web", Some(&token)), "Bearer error=\"invalid_request\""),
            ] {
                let reply = send(request).await.expect(401);
                assert_eq!(reply.header("www-authenticate"), challenge, "{method} {path}: {reply:?}");
                assert_eq!(reply.problem().reason, "unauthenticated", "{method} {path}: {reply:?}");
                assert!(operation["responses"]["401"]["headers"]["WWW-Authenticate"].is_object(), "{method} {path}");
                messages.push(reply.problem().message);
            }
            send(request().bearer_auth(&token)).await.ok();
        }
    }
    let game = json!({"game": "tictactoe"});
    for (rpc, is_stream) in rpcs() {
        let request = match rpc.as_str() {
            "ListGames" | "Batch" => json!({}),
            "Compare" => json!({"game": "tictactoe", "compareMoves": ["a1", "b2"]}),
            _ => game.clone(),
        };
        let call = async |client: GrpcClient| match is_stream {
            true => client.stream(&rpc, &request).await.err(),
            false => client.call(&rpc, &request).await.err(),
        };
        for client in [server.grpc(), server.grpc().token("wrong")] {
            let status = call(client).await.unwrap_or_else(|| panic!("{rpc} answers anyone"));
            let failure = Failure::from_status(&status);
            assert_eq!((status.code(), &*failure.reason), (Code::Unauthenticated, "unauthenticated"), "{status:?}");
            assert!(messages.contains(&failure.message), "as REST says it: {failure:?}");
        }
        assert!(call(server.grpc().token(&token)).await.is_none(), "{rpc}");
    }
    let metrics = server.metrics().await;
    assert!(
        metrics.label("pentad_auth_failures_total", "kind")
            == ["expired", "invalid", "malformed", "missing", "unknown"]
    );
    assert_eq!(metrics.value("pentad_search_duration_seconds_count", &[("game", "pentago")]), Some(0.0));
    let rejected = metrics.value("pentad_rejected_total", &[("reason", "unauthenticated")]);
    assert_eq!(rejected, metrics.value("pentad_auth_failures_total", &[]), "every failure is counted");
    let unknown = [("protocol", "grpc"), ("method", "Hint"), ("code", "UNAUTHENTICATED")];
    assert_eq!(metrics.value("pentad_requests_total", &unknown), Some(2.0));
}

/// No cache between server and callers may answer a caller without a token.
#[tokio::test]
async fn answers_are_for_their_caller_only() {
    let (file, [token]) = TokenFile::new([("web", None)]).await;
    let server = start_with(&file).await;
    let path = "/v1/games/tictactoe/position";
    assert_eq!(get(&server, path, &token).await.ok().header("cache-control"), "private, no-cache");
    let anyone = crate::support::server().start().await;
    assert_eq!(anyone.get(path).await.ok().header("cache-control"), "no-cache");
    assert_eq!(server.get(path).await.expect(401).header("cache-control"), "no-store");
}

/// Health, documentation and the admin port need no token; reflection does.
#[tokio::test]
async fn some_things_are_for_everyone() {
    let (file, [token]) = TokenFile::new([("web", None)]).await;
    let server = start_with(&file).await;
    for path in
        ["/", "/openapi.json", "/docs/", "/docs/errors/unauthenticated", "/llms.txt", "/embed/v1/pentad-board.js"]
    {
        server.get(path).await.ok();
    }
    server.get("/nowhere").await.expect(401);
    get(&server, "/nowhere", &token).await.expect(404);
    for path in ["/metrics", "/healthz", "/readyz", "/plugins"] {
        server.admin(path).await.ok();
    }
    let mut health = HealthClient::with_origin(transport(), server.grpc().origin());
    health.check(HealthCheckRequest { service: String::new() }).await.expect("health is for everyone");

    let mut reflection = ServerReflectionClient::with_origin(transport(), server.grpc().origin());
    let question = || {
        let list = MessageRequest::ListServices(String::new());
        Request::new(futures_util::stream::iter([ServerReflectionRequest {
            host: String::new(),
            message_request: Some(list),
        }]))
    };
    let refused = reflection.server_reflection_info(question()).await.expect_err("no token");
    assert_eq!(Failure::from_status(&refused).reason, "unauthenticated", "{refused:?}");
    let mut request = question();
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
    let mut answers = reflection.server_reflection_info(request).await.expect("a token").into_inner();
    answers.message().await.expect("an answer").expect("one");
}

/// New tokens work after a reload and old ones do not; running searches and open
/// connections continue.
#[tokio::test]
async fn tokens_are_reloaded_while_calls_run() {
    let (file, [old]) = TokenFile::new([("web", None)]).await;
    let server = server().plugin("search_endless").set(|config| config.tokens = Some(file.path().to_owned()));
    let server = server.start().await;
    let grpc = server.grpc();
    let question = about("search-endless", endless_search(0, 600_000));
    let mut running = grpc.clone().token(&old).stream("Analyze", &question).await.expect("a stream");
    running.next().await.expect("an update").expect("no failure");

    let (new, line) = new_token("mobile", None).await;
    file.write(&line);
    get(&server, "/v1/games", &old).await.ok();
    get(&server, "/v1/games", &new).await.expect(401);
    server.reload_access(|_| {}).expect("the file is valid");
    get(&server, "/v1/games", &old).await.expect(401);
    get(&server, "/v1/games", &new).await.ok();
    grpc.clone().token(&old).call("ListGames", &json!({})).await.expect_err("the same connection");
    grpc.clone().token(&new).call("ListGames", &json!({})).await.expect("the same connection");
    running.next().await.expect("it goes on").expect("no failure");
    assert_eq!(server.metrics().await.label("pentad_rate_limited_total", "client"), ["-", "mobile", "web"]);
}

/// An unusable file changes nothing, and the error names file, line and problem, also at
/// startup.
#[tokio::test]
async fn bad_files_keep_the_old_tokens() {
    let (file, [token]) = TokenFile::new([("web", None)]).await;
    let server = start_with(&file).await;
    let path = file.path().to_str().expect("a path in UTF-8");
    for (text, message) in [
        ("# nobody\n".to_owned(), format!("tokens: {path}: no tokens")),
        ("\nweb 1234\n".to_owned(), format!("tokens: {path}:2: the second field must be the SHA-256 of a token")),
        (format!("web {token}\n"), "it looks like the token itself".to_owned()),
    ] {
        file.write(&text);
        // All or nothing: the new origin is not allowed either.
        let origins = pentad::config::CorsOrigins::Any;
        let error = server.reload_access(|config| config.cors_origins = origins).expect_err(&text);
        assert!(error.to_string().contains(&message), "{error}");
        assert!(!error.to_string().contains(&token), "{error}");
        get(&server, "/v1/games", &token).await.ok();
        let foreign = server.http.get(server.rest_url("/v1/games")).header("origin", "https://play.example");
        send(foreign.bearer_auth(&token)).await.expect(403);
        let mut command = program(["--grpc-listen=127.0.0.1:0", "--rest-listen=127.0.0.1:0", "--tokens", path]);
        command.arg("--admin-listen=127.0.0.1:0").arg("--rulesets").arg(two_games());
        let ended = run(command).await;
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.contains(&message) && !ended.stderr.contains(&token), "{ended:?}");
    }
    std::fs::remove_file(file.path()).expect("it was there");
    let error = server.reload_access(|_| {}).expect_err("no file");
    assert!(matches!(error, AccessError::Tokens(TokensError::Unreadable { .. })), "{error}");
    get(&server, "/v1/games", &token).await.ok();
}

/// The log has the names of tokens and never a token, valid or not, at any level; repeated
/// failures within a second are omitted.
#[tokio::test]
async fn tokens_are_in_no_log() {
    let (file, [token]) = TokenFile::new([("web", None)]).await;
    let path = file.path().to_str().expect("a path in UTF-8");
    let served = serve(two_games(), &["--tokens", path, "--log-level", "trace", "--access-log", "all"]).await;
    let (http, url) = (client(), format!("http://{}/v1/games", served.rest));
    send(http.get(&url).bearer_auth(&token)).await.ok();
    for n in 0..40 {
        send(http.get(&url).bearer_auth(format!("guess-{n}-"))).await.expect(401);
    }
    let grpc = GrpcClient::new(served.grpc);
    grpc.clone().token(&token).call("ListGames", &json!({})).await.expect("games");
    grpc.clone().token("guess-on-grpc").call("ListGames", &json!({})).await.expect_err("a wrong token");
    let start = served.log.clone();
    served.signal("TERM").await;
    let (_, rest) = served.end().await;
    let log = format!("{start}{rest}");
    assert!(!log.contains(&token) && !log.contains("guess-"), "{log}");
    assert_eq!(log.lines().filter(|line| line.contains("token_name=\"web\"")).count(), 2, "{log}");
    assert!(log.contains("more calls were refused") && log.contains("unauthenticated"), "{log}");
    let refused = log.lines().find(|line| line.contains("reason=\"unauthenticated\"") && line.contains("the token is"));
    assert!(refused.is_some_and(|line| line.contains("client=127.0.0.1")), "{refused:?}");
}

/// `pentad token` makes a new token each time, and refuses invalid names.
#[tokio::test]
async fn tokens_are_made_on_the_command_line() {
    let ((first, line), (second, _)) = (new_token("web", Some(250)).await, new_token("web", None).await);
    assert_ne!(first, second);
    let fields: Vec<&str> = line.split_whitespace().collect();
    assert!(matches!(fields[..], ["web", digest, "250"] if digest.len() == 64), "{line}");
    for arguments in [&["token", "two words"][..], &["token", "-"], &["token", "web", "--cpu-ms-per-second", "0"]] {
        let ended = run(program(arguments)).await;
        assert_ne!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        assert!(ended.stdout.is_empty(), "{arguments:?}: {ended:?}");
    }
}
