//! CPU-time quotas.

use serde_json::{Value, json};
use tonic::Code;
use tonic_types::StatusExt;

use super::TokenFile;
use crate::support::failure::Failure;
use crate::support::rest::{Reply, send};
use crate::support::{TestServer, about, assert_eventually, endless_search, server};

/// Long enough for one search to use up any quota of these tests.
const LONG_MS: u64 = 3_000_000;

async fn get(server: &TestServer, path: &str, token: &str) -> Reply {
    send(server.http.get(server.rest_url(path)).bearer_auth(token)).await
}

/// Starts a search that leaves its caller's quota in debt.
async fn start_long_search(server: &TestServer, n: usize, token: &str) -> tokio::task::JoinHandle<()> {
    let request = server.http.post(server.rest_url("/v1/games/search-endless/hints")).bearer_auth(token);
    let request = request.json(&endless_search(n, LONG_MS));
    let running = tokio::spawn(async move { drop(request.send().await) });
    server.assert_busy(1.0).await;
    running
}

/// Returns a parameter of a field such as `"cpu";r=5100;t=9`.
fn parameter(field: &str, name: &str) -> u64 {
    let value = field.split(';').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in {field}"))
}

fn remaining_ms(reply: &Reply) -> u64 {
    parameter(reply.header("ratelimit"), "r")
}

/// A search reserves the CPU time that it may need. While it runs, its caller is refused on
/// both edges with a retry time; others are not. The unused part is returned when the
/// caller disconnects.
#[tokio::test]
async fn quotas_are_reserved_and_given_back() {
    let (file, [web, ci]) = TokenFile::new([("web", Some(1_000)), ("ci", None)]).await;
    let server = server().plugin("search_endless").set(|config| {
        config.tokens = Some(file.path().to_owned());
        config.time_max_ms = LONG_MS;
        config.quota_window_s = 60;
    });
    let server = server.start().await;
    let first = get(&server, "/v1/games", &web).await.ok();
    assert_eq!(first.header("ratelimit-policy"), "\"cpu\";q=60000;w=60;qu=\"cpu-ms\"", "{first:?}");
    assert!(remaining_ms(&first) >= 59_000, "{first:?}");
    let unlimited = get(&server, "/v1/games", &ci).await.ok();
    assert_eq!((unlimited.header("ratelimit"), unlimited.header("ratelimit-policy")), ("", ""), "{unlimited:?}");

    let running = start_long_search(&server, 0, &web).await;
    let reply = get(&server, "/v1/games", &web).await.expect(429);
    let problem = reply.problem();
    assert_eq!(problem.reason, "rate_limited", "{reply:?}");
    assert!(problem.message.contains("`web`") && problem.message.contains("1000 ms"), "{reply:?}");
    let retry_after_ms = problem.retry_after_ms.expect("a time to wait");
    assert_eq!(reply.header("retry-after"), retry_after_ms.div_ceil(1000).to_string(), "{reply:?}");
    assert_eq!(remaining_ms(&reply), 0, "{reply:?}");
    // The reserved time minus the balance, earned at one second per second.
    assert!((LONG_MS - 60_000 - 30_000..LONG_MS).contains(&retry_after_ms), "{reply:?}");

    let status = server.grpc().token(&web).call("ListGames", &json!({})).await.expect_err("no quota left");
    let failure = Failure::from_status(&status);
    assert_eq!((status.code(), &*failure.reason), (Code::ResourceExhausted, "rate_limited"), "{status:?}");
    assert_eq!(failure.message, problem.message, "as REST says it");
    let details = status.get_error_details();
    let violations = &details.quota_failure().expect("QuotaFailure").violations;
    assert_eq!(violations[0].subject, "client:web", "{status:?}");
    assert!(details.retry_info().and_then(|info| info.retry_delay).is_some(), "{status:?}");

    get(&server, "/v1/games", &ci).await.ok();
    server.grpc().token(&ci).call("ListGames", &json!({})).await.expect("another caller");
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_rate_limited_total", &[("client", "web")]), Some(2.0));
    assert_eq!(metrics.value("pentad_rate_limited_total", &[("client", "ci")]), Some(0.0));
    assert_eq!(metrics.value("pentad_rejected_total", &[("reason", "rate_limited")]), Some(2.0));

    running.abort();
    assert_eventually("its caller has left", async || {
        let reply = get(&server, "/v1/games", &web).await;
        if reply.status == 200 { Ok(()) } else { Err(reply) }
    })
    .await;
}

/// A caller that disconnects early pays for the search until then.
#[tokio::test]
async fn abandoned_searches_are_paid_for() {
    // A running search is charged for its two threads, even while they sleep. The quota earns
    // almost nothing, so that the charge is visible.
    let (file, [web]) = TokenFile::new([("web", Some(1))]).await;
    let server = server().plugin("search_endless").set(|config| {
        config.tokens = Some(file.path().to_owned());
        config.threads_per_long_search = 2;
        config.quota_window_s = 3_600;
    });
    let server = server.start().await;
    let before = remaining_ms(&get(&server, "/v1/games", &web).await.ok());
    let question = about("search-endless", endless_search(0, 30_000));
    let mut updates = server.grpc().token(&web).stream("Analyze", &question).await.expect("a stream");
    for _ in 0..20 {
        // At most one per millisecond.
        futures_util::StreamExt::next(&mut updates).await.expect("it is endless").expect("an update");
    }
    drop(updates);
    server.assert_busy(0.0).await;
    let after = assert_eventually("it is settled", async || {
        let reply = get(&server, "/v1/games", &web).await;
        // The reservation of a minute exceeds the quota.
        if reply.status == 200 { Ok(remaining_ms(&reply)) } else { Err(reply) }
    })
    .await;
    assert!(after + 20 <= before, "{before} ms, then {after} ms");
}

/// A search is charged its CPU time; the same question from the cache costs almost nothing.
#[tokio::test]
async fn cached_answers_are_nearly_free() {
    let (file, [web]) = TokenFile::new([("web", Some(1))]).await;
    let server = server().set(|config| {
        config.tokens = Some(file.path().to_owned());
        config.quota_window_s = 3_600;
    });
    let server = server.start().await;
    let path = "/v1/games/pentago/hints?nodes=300000&variant=finnish";
    let full = remaining_ms(&get(&server, "/v1/games", &web).await.ok());
    let searched = get(&server, path, &web).await.ok();
    assert_eq!(searched.json()["cached"], false, "{searched:?}");
    let cached = get(&server, path, &web).await.ok();
    assert_eq!(cached.json()["cached"], true, "{cached:?}");
    let cost = full - remaining_ms(&searched);
    assert!(cost >= 10, "{cost} ms");
    assert_eventually("the second costs far less", async || {
        let left = remaining_ms(&get(&server, "/v1/games", &web).await.ok());
        if left + cost / 3 > remaining_ms(&searched) { Ok(()) } else { Err(left) }
    })
    .await;
}

/// Callers without a token share the quota of their address; with tokens configured, they
/// are admitted only if there is such a quota.
#[tokio::test]
async fn addresses_have_quotas() {
    let (file, [web]) = TokenFile::new([("web", None)]).await;
    let server = server().plugin("search_endless").set(|config| {
        config.tokens = Some(file.path().to_owned());
        config.anonymous_cpu_ms_per_second = 100;
        config.trusted_proxies = pentad::config::TrustedProxies::new("127.0.0.1").expect("an address");
    });
    let server = server.start().await;
    let api = server.get("/openapi.json").await.ok().json();
    assert_eq!(api["security"], json!([{}, {"bearer": []}]));
    let from = async |client: &str, path: &str| {
        send(server.http.get(server.rest_url(path)).header("x-forwarded-for", client)).await
    };
    assert!(remaining_ms(&from("192.0.2.1", "/v1/games").await.ok()) > 5_000);
    // A wrong token is refused rather than ignored.
    get(&server, "/v1/games", "wrong").await.expect(401);

    let request = server.http.post(server.rest_url("/v1/games/search-endless/hints"));
    let request = request.header("x-forwarded-for", "192.0.2.1").json(&endless_search(0, 60_000));
    let running = tokio::spawn(async move { drop(request.send().await) });
    server.assert_busy(1.0).await;
    let refused = from("192.0.2.1", "/v1/games").await.expect(429);
    let problem = refused.problem();
    assert!(problem.reason == "rate_limited" && problem.message.contains("your address"), "{refused:?}");
    assert!(!problem.message.contains("192.0.2.1"), "{refused:?}");
    from("192.0.2.2", "/v1/games").await.ok();
    get(&server, "/v1/games", &web).await.ok();
    server.get("/openapi.json").await.ok();
    let limited = server.metrics().await.value("pentad_rate_limited_total", &[("client", "-")]);
    assert_eq!(limited, Some(1.0));
    running.abort();
}

/// New limits apply after a reload, which does not refill the quota.
#[tokio::test]
async fn quotas_are_reloaded() {
    let server = server().set(|config| config.anonymous_cpu_ms_per_second = 100).start().await;
    let policy = async || server.get("/v1/games").await.ok().header("ratelimit-policy").to_owned();
    assert!(policy().await.contains("q=6000;w=60"));
    server.reload_access(|config| config.quota_window_s = 10).expect("valid");
    assert!(policy().await.contains("q=1000;w=10"));
    server.reload_access(|config| config.anonymous_cpu_ms_per_second = 0).expect("valid");
    assert_eq!(policy().await, "");
}

/// A question that needs more than the whole quota is answered, too: a quota is a rate.
#[tokio::test]
async fn small_quotas_allow_long_searches() {
    let server = server().set(|config| {
        config.anonymous_cpu_ms_per_second = 1;
        config.quota_window_s = 1;
    });
    let server = server.start().await;
    let question: Value = json!({"position": "wwww2/6/bbbb2/6/6/6 w", "limits": {"timeMs": 20_000}});
    let answer = server.post("/v1/games/pentago/hints", &question).await.ok();
    assert_eq!(answer.json()["stopReason"], "proven", "{answer:?}");
}
