//! The admin port: metrics, probes, the list of rule sets.

use pentad::config::{Config, GameIds};
use serde_json::json;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::support::grpc::transport;
use crate::support::held::Held;
use crate::support::metrics::Metrics;
use crate::support::rest::send;
use crate::support::{TestServer, assert_eventually, directory_of, server};

/// Every metric of the contract: name, type, labels.
const METRICS: [(&str, &str, &[&str]); 45] = [
    ("pentad_requests_total", "counter", &["protocol", "method", "game", "code"]),
    ("pentad_request_duration_seconds", "histogram", &["protocol", "method", "game"]),
    ("pentad_request_overrun_seconds", "histogram", &["protocol", "method", "game"]),
    ("pentad_batch_items_total", "counter", &["kind", "result"]),
    ("pentad_calls_in_flight", "gauge", &["protocol"]),
    ("pentad_connections", "gauge", &["port"]),
    ("pentad_connections_closed_total", "counter", &["port", "reason"]),
    ("pentad_search_duration_seconds", "histogram", &["game"]),
    ("pentad_search_nodes_total", "counter", &["game"]),
    ("pentad_search_stops_total", "counter", &["game", "reason"]),
    ("pentad_evaluations_total", "counter", &["game", "certainty", "source"]),
    ("pentad_cache_requests_total", "counter", &["game", "result"]),
    ("pentad_cache_entries", "gauge", &[]),
    ("pentad_cache_bytes", "gauge", &[]),
    ("pentad_store_requests_total", "counter", &["layer", "result"]),
    ("pentad_store_writes_total", "counter", &["layer", "result"]),
    ("pentad_store_entries", "gauge", &["layer"]),
    ("pentad_store_bytes", "gauge", &["layer"]),
    ("pentad_store_up", "gauge", &["layer"]),
    ("pentad_stores_down", "gauge", &[]),
    ("pentad_store_set_aside_total", "counter", &["layer"]),
    ("pentad_search_memory_bytes", "gauge", &[]),
    ("pentad_queue_depth", "gauge", &["class"]),
    ("pentad_queue_oldest_seconds", "gauge", &["class"]),
    ("pentad_queue_wait_seconds", "histogram", &["class"]),
    ("pentad_workers_busy", "gauge", &["pool"]),
    ("pentad_workers", "gauge", &["pool"]),
    ("pentad_searches_running", "gauge", &["game"]),
    ("pentad_rejected_total", "counter", &["reason"]),
    ("pentad_client_cpu_seconds_total", "counter", &["client"]),
    ("pentad_rate_limited_total", "counter", &["client"]),
    ("pentad_overloaded_total", "counter", &["client", "share"]),
    ("pentad_auth_failures_total", "counter", &["kind"]),
    ("pentad_cancel_latency_seconds", "histogram", &["game"]),
    ("pentad_ruleset_info", "gauge", &["game", "version", "abi", "sha256", "isolation"]),
    ("pentad_ruleset_up", "gauge", &["game"]),
    ("pentad_ruleset_protection", "gauge", &["protection"]),
    ("pentad_ruleset_faults_total", "counter", &["game", "kind"]),
    ("pentad_ruleset_restarts_total", "counter", &["game"]),
    ("pentad_ruleset_loads_total", "counter", &["result"]),
    ("pentad_rulesets_refused", "gauge", &[]),
    ("pentad_reloads_total", "counter", &["result"]),
    ("pentad_log_lines_lost_total", "counter", &[]),
    ("pentad_build_info", "gauge", &["version", "revision"]),
    ("process_cpu_seconds_total", "counter", &[]),
];

/// Makes one request of each kind, so that every metric has samples.
async fn make_requests(server: &TestServer) {
    server.get("/v1/games").await.ok();
    server.get("/v1/games/pentago/position").await.ok();
    server.get("/v1/games/pentago/hints?nodes=1000&variant=finnish").await.ok();
    server.get("/v1/games/pentago/evaluation?nodes=1000&variant=finnish").await.ok();
    server.grpc().call("Hint", &json!({"game": "tictactoe"})).await.expect("a hint");
    server.get("/v1/games/pentago/position?position=x").await.expect(400);
}

/// Every metric has its help, its type, and exactly the labels of the contract;
/// durations are histograms, not summaries.
#[tokio::test]
async fn metrics_match_the_contract() {
    let server = server().start().await;
    make_requests(&server).await;
    let page = server.admin("/metrics").await.ok();
    assert!(page.header("content-type").starts_with("text/plain; version=0.0.4"), "{page:?}");
    let metrics = Metrics::parse(&page.text());
    for (name, kind, labels) in METRICS {
        assert_eq!(metrics.types.get(name).map(String::as_str), Some(kind), "{name}");
        assert!(metrics.helps.get(name).is_some_and(|help| help.len() > 5), "{name} has no help");
        let series = if kind == "histogram" { format!("{name}_bucket") } else { name.to_owned() };
        let samples: Vec<_> = metrics.find(&series, &[]).collect();
        assert!(!samples.is_empty(), "{series} has no sample");
        for sample in samples {
            let mut found: Vec<&str> =
                sample.labels.keys().map(String::as_str).filter(|label| *label != "le").collect();
            let mut expected = labels.to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{series}");
        }
    }
    let summaries: Vec<&String> =
        metrics.types.iter().filter(|(_, kind)| *kind == "summary").map(|(name, _)| name).collect();
    assert!(summaries.is_empty(), "{summaries:?}");
    let ours = metrics.types.keys().filter(|name| name.starts_with("pentad_"));
    for name in ours {
        assert!(METRICS.iter().any(|(known, _, _)| known == name), "{name} is not in the contract");
    }
}

/// Requests are counted with the right labels.
#[tokio::test]
async fn requests_are_counted() {
    let server = server().start().await;
    let before = server.metrics().await;
    let zero = [("protocol", "grpc"), ("method", "Hint"), ("game", "tictactoe"), ("code", "OK")];
    assert_eq!(before.value("pentad_requests_total", &zero), Some(0.0), "counters exist from the start");
    make_requests(&server).await;
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_requests_total", &zero), Some(1.0));
    let rest = |method, game, code| {
        let labels = [("protocol", "rest"), ("method", method), ("game", game), ("code", code)];
        metrics.value("pentad_requests_total", &labels)
    };
    assert_eq!(rest("ListGames", "none", "200"), Some(1.0));
    assert_eq!(rest("DescribePosition", "pentago", "200"), Some(1.0));
    assert_eq!(rest("DescribePosition", "pentago", "400"), Some(1.0));
    assert_eq!(rest("Hint", "pentago", "200"), Some(1.0));
    let durations = [("protocol", "rest"), ("method", "DescribePosition"), ("game", "pentago")];
    assert_eq!(metrics.value("pentad_request_duration_seconds_count", &durations), Some(2.0));
    assert_eq!(metrics.value("pentad_cache_requests_total", &[("game", "pentago"), ("result", "miss")]), Some(1.0));
    assert_eq!(metrics.value("pentad_cache_requests_total", &[("game", "pentago"), ("result", "hit")]), Some(1.0));
    assert_eq!(metrics.value("pentad_search_stops_total", &[("game", "pentago"), ("reason", "nodes")]), Some(1.0));
    assert!(metrics.count("pentad_search_nodes_total", &[("game", "pentago")]) >= 1000.0);
    assert_eq!(metrics.value("pentad_evaluations_total", &[("game", "tictactoe"), ("certainty", "proven")]), Some(1.0));
    assert!(metrics.count("pentad_workers", &[]) >= 1.0);
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    assert_eq!(metrics.value("pentad_build_info", &version), Some(1.0));
}

/// Clients cannot create new label values: unknown games, variants and paths are
/// counted together.
#[tokio::test]
async fn label_values_are_closed_sets() {
    let server = server().start().await;
    make_requests(&server).await;
    for n in 0..5 {
        server.get(&format!("/v1/games/made-up-{n}/position")).await.expect(404);
        server.get(&format!("/v1/games/pentago/position?variant=made-up-{n}")).await.expect(404);
        server.get(&format!("/made-up-{n}")).await.expect(404);
        let request = json!({"game": format!("made-up-{n}")});
        let status = server.grpc().call("DescribePosition", &request).await.expect_err("no such game");
        assert_eq!(status.code(), Code::NotFound);
        server.grpc().call_raw(&format!("MadeUp{n}"), bytes::Bytes::new()).await.expect_err("no such RPC");
    }
    let page = server.admin("/metrics").await.ok().text();
    assert!(
        !page.to_lowercase().contains("made"),
        "{}",
        page.lines().filter(|line| line.contains("made")).collect::<String>()
    );
    let metrics = Metrics::parse(&page);
    assert_eq!(metrics.label("pentad_requests_total", "game"), ["none", "other", "pentago", "tictactoe"]);
    let labels = [("method", "DescribePosition"), ("game", "other")];
    assert_eq!(metrics.value("pentad_requests_total", &labels), Some(10.0), "five per protocol");
    assert_eq!(metrics.value("pentad_request_duration_seconds_count", &labels), Some(10.0), "five per protocol");
}

/// Durations of calls refused for their game or path have series from the start, so that
/// refused calls are never more than 100 % of all calls.
#[tokio::test]
async fn refused_calls_have_series_from_the_start() {
    let server = server().start().await;
    let metrics = server.metrics().await;
    let count = |labels: &[(&str, &str)]| metrics.value("pentad_request_duration_seconds_count", labels);
    for protocol in ["grpc", "rest"] {
        let methods = ["GetGame", "DescribePosition", "ListLegalMoves", "Evaluate", "Hint", "Analyze", "ListThreats"];
        for method in methods {
            let labels = [("protocol", protocol), ("method", method), ("game", "other")];
            assert_eq!(count(&labels), Some(0.0), "{labels:?}");
        }
        assert_eq!(count(&[("protocol", protocol), ("method", "other"), ("game", "none")]), Some(0.0), "{protocol}");
    }
}

/// Calls with a granted time record their overrun, 0 if they are in time; calls without one
/// do not.
#[tokio::test]
async fn overruns_are_measured() {
    const OVERRUN: &str = "pentad_request_overrun_seconds";
    let held = Held::new();
    let server = server().held(&held).start().await;
    let count = |metrics: &Metrics, part: &str, protocol: &str, method: &str, game: &str| {
        metrics.value(&format!("{OVERRUN}{part}"), &[("protocol", protocol), ("method", method), ("game", game)])
    };
    let before = server.metrics().await;
    for (protocol, game) in [("grpc", "held"), ("grpc", "pentago"), ("rest", "tictactoe")] {
        for method in ["Hint", "Evaluate"] {
            assert_eq!(count(&before, "_count", protocol, method, game), Some(0.0), "{protocol} {method} {game}");
        }
    }
    let bounds = ["0.025", "0.1", "0.5", "2.5", "+Inf"];
    let labels = [("protocol", "grpc"), ("method", "Hint"), ("game", "pentago")];
    let found: Vec<&str> =
        before.find(&format!("{OVERRUN}_bucket"), &labels).map(|sample| &*sample.labels["le"]).collect();
    assert_eq!(found, bounds);

    server.get("/v1/games").await.ok();
    server.get("/v1/games/pentago/position").await.ok();
    server.get("/v1/games/pentago/hints?nodes=1000&variant=finnish").await.ok();
    let brief = json!({"game": "tictactoe", "limits": {"nodes": 200}});
    server.grpc().call("Evaluate", &brief).await.expect("an evaluation");
    server.grpc().timeout("1H").call("DescribePosition", &json!({"game": "pentago"})).await.expect("a description");
    // The reasons of a hint are held, so that it is late.
    let late = json!({"variant": "reasons", "limits": {"timeMs": 1}});
    let url = server.rest_url("/v1/games/held/hints");
    let late = tokio::spawn(crate::support::rest::send(server.http.post(url).json(&late)));
    assert_eventually("the reasons are asked for", async || {
        let busy = server.metrics().await.count("pentad_workers_busy", &[("pool", "rules")]);
        if busy == 1.0 { Ok(()) } else { Err(busy) }
    })
    .await;
    held.release();
    late.await.expect("no panic").ok();

    let metrics = server.metrics().await;
    let measured = |protocol, method, game| {
        (count(&metrics, "_count", protocol, method, game), count(&metrics, "_sum", protocol, method, game))
    };
    assert_eq!(measured("rest", "Hint", "pentago"), (Some(1.0), Some(0.0)));
    assert_eq!(measured("grpc", "Evaluate", "tictactoe"), (Some(1.0), Some(0.0)));
    assert_eq!(measured("grpc", "DescribePosition", "pentago"), (Some(1.0), Some(0.0)), "a deadline is a grant");
    assert_eq!(measured("rest", "DescribePosition", "pentago"), (None, None));
    assert_eq!(measured("rest", "ListGames", "none"), (None, None));
    let (n_late, overrun) = measured("rest", "Hint", "held");
    assert!(n_late == Some(1.0) && overrun > Some(0.0), "{n_late:?} {overrun:?}");
}

/// Running work is counted by pool, game, protocol and port until it ends.
#[tokio::test]
async fn work_under_way_is_counted() {
    let held = Held::new();
    let server = server().held(&held).start().await;
    let grpc = server.grpc();
    let hint = tokio::spawn(async move { grpc.call("Hint", &crate::support::about("held", Held::search(0))).await });
    let metrics = assert_eventually("the search runs", async || {
        let metrics = server.metrics().await;
        let running = metrics.value("pentad_searches_running", &[("game", "held")]);
        if running == Some(1.0) { Ok(metrics) } else { Err(running) }
    })
    .await;
    assert_eq!(metrics.label("pentad_workers", "pool"), ["bulk", "lists", "long", "rules", "short"]);
    assert_eq!(metrics.value("pentad_workers_busy", &[("pool", "long")]), Some(1.0));
    assert_eq!(metrics.value("pentad_searches_running", &[("game", "pentago")]), Some(0.0));
    assert_eq!(metrics.value("pentad_calls_in_flight", &[("protocol", "grpc")]), Some(1.0));
    assert_eq!(metrics.value("pentad_calls_in_flight", &[("protocol", "rest")]), Some(0.0));
    assert_eq!(metrics.value("pentad_connections", &[("port", "grpc")]), Some(1.0));
    assert!(metrics.count("pentad_connections", &[("port", "admin")]) >= 1.0);
    assert!(metrics.count("pentad_queue_wait_seconds_count", &[("class", "interactive")]) >= 1.0);
    hint.abort();
    assert_eventually("the call and its connection are gone", async || {
        let metrics = server.metrics().await;
        let calls = metrics.value("pentad_calls_in_flight", &[("protocol", "grpc")]);
        let connections = metrics.value("pentad_connections", &[("port", "grpc")]);
        if (calls, connections) == (Some(0.0), Some(0.0)) { Ok(()) } else { Err((calls, connections)) }
    })
    .await;
    held.release();
    assert_eventually("the cancelled search has ended", async || {
        let metrics = server.metrics().await;
        let running = metrics.value("pentad_searches_running", &[("game", "held")]);
        let cancelled = metrics.value("pentad_cancel_latency_seconds_count", &[("game", "held")]);
        if (running, cancelled) == (Some(0.0), Some(1.0)) { Ok(()) } else { Err((running, cancelled)) }
    })
    .await;
    server.get("/v1/games/tictactoe/hints").await.ok();
    assert!(server.metrics().await.count("pentad_cache_bytes", &[]) > 0.0, "the answer is cached");
}

/// Without a required game the server serves the others and is not ready; probes name the
/// missing game.
#[tokio::test]
async fn required_games_have_to_be_served() {
    let require = |games: &str| GameIds::new(games).expect("ids of games");
    let served = server().set(|config| config.require_games = require("pentago,tictactoe")).start().await;
    assert_eq!(served.admin("/readyz").await.ok().text(), "ready\n");

    let lacking = server().set(|config| config.require_games = require("pentago,pentaflip")).start().await;
    let missing = lacking.admin("/readyz").await.expect(503).text();
    assert_eq!(missing, "required games are missing: pentaflip (not loaded)\n");
    lacking.get("/v1/games/pentago").await.ok();
    let mut client = HealthClient::with_origin(transport(), lacking.grpc().origin());
    for (service, expected) in [
        ("", ServingStatus::NotServing),
        ("pentad.v1.Analysis", ServingStatus::NotServing),
        ("pentad.v1.Analysis/pentaflip", ServingStatus::NotServing),
        ("pentad.v1.Analysis/pentago", ServingStatus::Serving),
    ] {
        let answer = client.check(HealthCheckRequest { service: service.to_owned() }).await.expect(service);
        assert_eq!(answer.into_inner().status(), expected, "{service}");
    }

    let held = Held::new();
    let set = |config: &mut Config| (config.require_games, config.hang_grace_ms) = (require("held"), 50);
    let hanging = server().held(&held).set(set).start().await;
    hanging.admin("/readyz").await.ok();
    let mut request = Held::search(0);
    request["limits"] = json!({"timeMs": 20});
    assert_eventually("the required game goes down", async || {
        hanging.post("/v1/games/held/hints", &request).await;
        let plugins = hanging.admin("/plugins").await.ok().json();
        let held = plugins["loaded"].as_array().expect("a list").iter().find(|it| it["game"] == "held").cloned();
        if held.as_ref().is_some_and(|held| held["state"] == "down") { Ok(()) } else { Err(held) }
    })
    .await;
    hanging.admin("/readyz").await.ok();
    hanging.get("/v1/games/pentago").await.ok();
    let mut health = HealthClient::with_origin(transport(), hanging.grpc().origin());
    for (service, expected) in [("", ServingStatus::Serving), ("pentad.v1.Analysis/held", ServingStatus::NotServing)] {
        let answer = health.check(HealthCheckRequest { service: service.to_owned() }).await.expect(service);
        assert_eq!(answer.into_inner().status(), expected, "`{service}`");
    }
}

/// Liveness, readiness and gRPC health probes succeed.
#[tokio::test]
async fn probes_succeed() {
    let server = server().start().await;
    server.admin("/healthz").await.ok();
    assert_eq!(server.admin("/readyz").await.ok().text(), "ready\n");
    let mut client =
        HealthClient::with_origin(transport(), format!("http://{}", server.addresses.admin).parse().expect("a URI"));
    for service in ["", "pentad.v1.Analysis/pentago"] {
        let answer = client.check(HealthCheckRequest { service: service.to_owned() }).await.expect(service);
        assert_eq!(answer.into_inner().status(), ServingStatus::Serving, "{service}");
    }
    server.admin("/v1/games").await.expect(404);
}

/// A server whose only game hangs is alive but not ready.
#[tokio::test]
async fn server_without_a_working_game_is_not_ready() {
    let held = Held::new();
    let dir = directory_of(&[held.library().to_owned()]);
    let server = server().set(|config| (config.rulesets, config.hang_grace_ms) = (dir.into(), 50)).start().await;
    server.admin("/readyz").await.ok();
    let mut hanging = Held::search(0);
    hanging["limits"] = json!({"timeMs": 20});
    // On a busy machine the search may not start within its limit; then it does not hang.
    assert_eventually("it is not ready once its searches hang", async || {
        server.post("/v1/games/held/hints", &hanging).await;
        let reply = server.admin("/readyz").await;
        if reply.status == 503 { Ok(()) } else { Err(reply) }
    })
    .await;
    assert_eq!(server.admin("/readyz").await.expect(503).text(), "no rule set answers\n");
    server.admin("/healthz").await.ok();
    let mut client = HealthClient::with_origin(transport(), server.grpc().origin());
    let answer = client.check(HealthCheckRequest::default()).await.expect("an answer");
    assert_eq!(answer.into_inner().status(), ServingStatus::NotServing);
}

/// `/plugins` lists the rule sets with every field.
#[tokio::test]
async fn rule_sets_are_listed() {
    let server = server().start().await;
    let plugins = server.admin("/plugins").await.ok().json();
    assert_eq!(plugins["refused"], json!([]), "{plugins:#}");
    let games: Vec<_> = plugins["loaded"].as_array().expect("a list").iter().map(|it| it["game"].clone()).collect();
    assert_eq!(games, ["pentago", "tictactoe"], "{plugins:#}");
    for plugin in plugins["loaded"].as_array().expect("a list") {
        for key in ["file", "sha256", "game", "version", "abi", "isolation", "state"] {
            assert!(plugin[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {plugin:#}");
        }
        assert_eq!(plugin["lastFault"], json!(null), "{plugin:#}");
        assert_eq!(plugin["worker"], json!(null), "{plugin:#}");
        assert!(plugin["writableByOthers"].is_array(), "{plugin:#}");
        assert!(plugin["file"].as_str().is_some_and(|path| path.starts_with('/')), "{plugin:#}");
    }
}

/// A page whose name resolves to this machine cannot read the admin port (DNS rebinding);
/// addresses, localhost and names without a dot, as in a network of containers, are accepted.
#[tokio::test]
async fn admin_pages_are_not_for_foreign_names() {
    let server = server().start().await;
    let get = |path: &str, host: &str| send(server.http.get(server.admin_url(path)).header("host", host));
    for path in ["/metrics", "/plugins"] {
        for host in ["evil.example", "evil.example:9090", "localhost.evil.example"] {
            get(path, host).await.expect(421);
        }
        for host in ["127.0.0.1:9090", "localhost", "[::1]:9090", "pentad:9090"] {
            get(path, host).await.ok();
        }
    }
    get("/healthz", "probe.example").await.ok();
    get("/readyz", "probe.example").await.ok();
}

/// CPU time is counted in fractions of seconds.
#[tokio::test]
async fn cpu_time_has_fractions() {
    let server = server().start().await;
    let has_fraction = |seconds: f64| seconds > 0.0 && seconds.fract() != 0.0;
    assert_eventually("both counters have fractions", async || {
        server.get("/v1/games/pentago/hints?variant=finnish&nodes=3000&count=1").await.ok();
        server.get("/v1/games/tictactoe/hints").await.ok();
        let metrics = server.metrics().await;
        let counters = [
            metrics.count("process_cpu_seconds_total", &[]),
            metrics.count("pentad_client_cpu_seconds_total", &[("client", "-")]),
        ];
        if counters.into_iter().all(has_fraction) { Ok(()) } else { Err(counters) }
    })
    .await;
}

/// Admin paths are not served on the public port.
#[tokio::test]
async fn public_port_has_no_admin_pages() {
    let server = server().start().await;
    for path in ["/metrics", "/healthz", "/readyz", "/plugins"] {
        server.get(path).await.expect(404);
        server.admin(path).await.ok();
    }
}
