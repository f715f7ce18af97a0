//! A directory with every misbehaving plugin and two correct games: the server
//! starts, and each misbehaviour affects its own requests only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::{Value, json};

use crate::support::held::Held;
use crate::support::{TestServer, assert_eventually, pentago, server};

/// Plugins refused at the start, with a part of the message.
const REFUSED: [(&str, &str); 21] = [
    ("bad_id", "invalid id"),
    ("huge_name", "invalid name"),
    ("huge_position", "a position_size of 4294967295 bytes"),
    ("init_fails", "the opening book is missing"),
    ("many_seats", "seats"),
    ("many_variants", "`variant_count` returned 4294967295"),
    ("missing_rules", "no extension `pentad.rules/1`"),
    ("newer_major", "built for ABI 2, this host supports 1"),
    ("no_symbol", "no symbol `ruleset_entry`"),
    ("no_variants", "`variant_count` returned 0"),
    ("null_extension", "`extension` is null"),
    ("null_function", "`rules.play` is null"),
    ("null_name", "invalid name"),
    ("null_optional", "`layout.pieces` is null"),
    ("null_seats", "seats"),
    ("same_variants", "a second variant with the id `standard`"),
    ("small_struct", "a struct_size of 24 bytes"),
    ("truncated", "cut short"),
    ("unresolved", "no_such_function"),
    ("utf8_name", "not UTF-8"),
    ("wrong_magic", "not with the magic number"),
];

/// Returns a directory with copies of every test plugin, Pentago, and a truncated file.
fn directory_of_all_plugins() -> PathBuf {
    let dir = pentad_test_plugins::scratch_dir();
    let copy = |from: &Path, name: &str| {
        std::fs::copy(from, dir.join(name)).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    };
    build_in_parallel();
    for entry in pentad_test_plugins::build_all().read_dir().expect("the plugins were just built") {
        let path = entry.expect("the directory stays readable").path();
        if path.extension().is_some_and(|extension| extension == "so") {
            copy(&path, &path.file_name().expect("it has a name").to_string_lossy());
        }
    }
    copy(&pentad_test_plugins::panics(), "libpanics.so");
    copy(&pentago(), "libruleset_pentago.so");
    copy(&pentad_test_plugins::truncated("well_behaved", 4000), "libtruncated.so");
    dir
}

/// Builds on every core the plugins that `build_all` would build one by one.
fn build_in_parallel() {
    let names = pentad_test_plugins::misbehaving();
    let n_cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for names in names.chunks(names.len().div_ceil(n_cores)) {
            scope.spawn(|| names.iter().for_each(|name| drop(pentad_test_plugins::build(name))));
        }
    });
}

async fn server_of_all_plugins() -> TestServer {
    let dir = directory_of_all_plugins();
    server().set(|config| config.rulesets = dir.into()).start().await
}

/// Refused files are listed with their error, loaded ones with their details; the
/// metrics agree.
#[tokio::test]
async fn refused_files_are_listed() {
    let server = server_of_all_plugins().await;
    let plugins = server.admin("/plugins").await.ok().json();
    let refused = plugins["refused"].as_array().expect("a list");
    for (name, part) in REFUSED {
        let file = refused
            .iter()
            .find(|file| file["file"].as_str().is_some_and(|path| path.ends_with(&format!("/lib{name}.so"))));
        let error = file
            .and_then(|file| file["error"].as_str())
            .unwrap_or_else(|| panic!("{name} is not refused: {plugins:#}"));
        assert!(error.contains(part), "{name}: {error}");
    }
    assert_eq!(refused.len(), REFUSED.len(), "{refused:#?}");

    let loaded = plugins["loaded"].as_array().expect("a list");
    for plugin in loaded {
        assert_eq!(plugin["state"], "up", "{plugin:#}");
        assert_eq!(plugin["isolation"], "in-process", "{plugin:#}");
        let sum = plugin["sha256"].as_str().expect("a sum");
        assert!(sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit()), "{plugin:#}");
    }
    let metrics = server.metrics().await;
    let loads = |result| metrics.value("pentad_ruleset_loads_total", &[("result", result)]);
    assert_eq!(loads("refused"), Some(refused.len() as f64));
    assert_eq!(loads("loaded"), Some(loaded.len() as f64));
    let served = server.get("/v1/games").await.ok().json();
    assert_eq!(served["games"].as_array().map(Vec::len), Some(loaded.len()));
    for plugin in loaded {
        let game = plugin["game"].as_str().expect("an id");
        assert_eq!(metrics.value("pentad_ruleset_up", &[("game", game)]), Some(1.0), "{game}");
        let labels =
            [("game", game), ("sha256", plugin["sha256"].as_str().expect("a sum")), ("isolation", "in-process")];
        assert_eq!(metrics.value("pentad_ruleset_info", &labels), Some(1.0), "{game}");
    }
}

/// Game, variant, request and the kind of fault it is counted as.
const MISBEHAVING: [(&str, &str, &str, &str); 19] = [
    ("panics", "start", "position", "panic"),
    ("panics", "legal-moves", "legal-moves", "panic"),
    ("panics", "play", "position?moves=1", "panic"),
    ("panics", "run", "hints", "panic"),
    ("panics", "create", "hints", "panic"),
    ("texts", "format-utf8", "position", "bad_text"),
    ("texts", "legal-moves-huge", "legal-moves", "bad_value"),
    ("texts", "format-endless", "position", "bad_value"),
    ("numbers", "seat", "position", "bad_value"),
    ("numbers", "score-nan", "position?position=0+b", "bad_value"),
    ("threats", "illegal", "threats?position=2+a", "bad_value"),
    ("threats", "after-stop", "threats?position=2+a", "bad_status"),
    ("search-reports", "null-report", "hints", "bad_value"),
    ("search-illegal", "standard", "hints", "bad_value"),
    ("search-silent", "silent", "hints", "bad_value"),
    ("wrong-thread", "standard", "legal-moves", "bad_value"),
    ("status-unknown", "play", "position?moves=1", "bad_status"),
    ("status-negative", "legal-moves", "legal-moves", "bad_status"),
    ("ignores-stop", "standard", "legal-moves?pageSize=1", "bad_status"),
];

/// Each misbehaviour fails its own request, is counted by kind, and is the last
/// fault of its rule set.
#[tokio::test]
async fn misbehaviour_fails_its_own_request() {
    let server = server_of_all_plugins().await;
    let mut n_faults: BTreeMap<_, f64> = BTreeMap::new();
    for (game, variant, request, kind) in MISBEHAVING {
        let situation = format!("{game} {variant} {request}");
        let separator = if request.contains('?') { '&' } else { '?' };
        let reply = server.get(&format!("/v1/games/{game}/{request}{separator}variant={variant}")).await;
        assert_eq!(reply.status, 503, "{situation}: {reply:?}");
        assert_eq!(reply.problem().reason, "ruleset_fault", "{situation}: {reply:?}");
        let plugins = server.admin("/plugins").await.ok().json();
        let plugin = plugins["loaded"].as_array().expect("a list").iter().find(|plugin| plugin["game"] == game);
        let last = &plugin.unwrap_or_else(|| panic!("{game} is loaded"))["lastFault"];
        assert_eq!(last["kind"], kind, "{situation}: {last:#}");
        assert!(last["atUnixMs"].as_u64().is_some_and(|at| at > 1_700_000_000_000), "{situation}: {last:#}");
        *n_faults.entry((game, kind)).or_default() += 1.0;
        let metrics = server.metrics().await;
        let counted = metrics.find("pentad_ruleset_faults_total", &[]).filter(|sample| sample.value > 0.0);
        let counted: BTreeMap<_, f64> =
            counted.map(|sample| ((&*sample.labels["game"], &*sample.labels["kind"]), sample.value)).collect();
        assert_eq!(counted, n_faults, "{situation}");
        assert_others_serve(&server, &situation).await;
    }
}

/// A search that ignores cancellation is abandoned after `hang_grace_ms` and counted
/// as a hang; its worker is replaced.
#[tokio::test]
async fn hanging_search_is_abandoned() {
    let held = Held::new();
    let server = server().held(&held).set(|config| config.hang_grace_ms = 50).start().await;
    let mut hanging = Held::search(0);
    hanging["limits"] = json!({"timeMs": 30});
    // On a busy machine the search may not start within its limit; then it does not hang.
    assert_eventually("a hang is counted and its worker replaced", async || {
        let reply = server.post("/v1/games/held/hints", &hanging).await;
        // The search may have reported a move before, and a legal one is found without
        // it: the request may succeed.
        let is_refused = || ["ruleset_fault", "ruleset_unavailable"].contains(&&*reply.problem().reason);
        assert!(reply.status == 200 || is_refused(), "{reply:?}");
        let metrics = server.metrics().await;
        let n_hangs = metrics.count("pentad_ruleset_faults_total", &[("game", "held"), ("kind", "hang")]);
        let busy = metrics.n_searching();
        if n_hangs >= 1.0 && busy == 0.0 { Ok(()) } else { Err((n_hangs, busy)) }
    })
    .await;
    assert_others_serve(&server, "after a hang").await;
}

/// Tic-tac-toe has no search of its own and still gets perfect hints: self-play is a
/// draw, and a winning move is found.
#[tokio::test]
async fn fallback_search_plays_perfectly() {
    let server = server().start().await;
    let mut moves: Vec<Value> = Vec::new();
    while moves.len() < 9 {
        let answer = server.post("/v1/games/tictactoe/hints", &json!({"moves": moves})).await.ok().json();
        let evaluation = &answer["evaluation"];
        assert_eq!((&evaluation["certainty"], &evaluation["outcome"]), (&json!("proven"), &json!("draw")), "{moves:?}");
        moves.push(answer["hints"][0]["move"].clone());
    }
    let end = server.post("/v1/games/tictactoe/position", &json!({"moves": moves})).await.ok().json();
    assert_eq!(end["outcome"]["scores"], json!({"x": 0.5, "o": 0.5}), "{moves:?}: {end:#}");
    let won = server.get("/v1/games/tictactoe/hints?position=xx1/oo1/3+x").await.ok().json();
    assert_eq!(won["hints"][0]["move"], "c1", "{won:#}");
}

/// Every request to every variant of every plugin succeeds or is a `ruleset_fault`:
/// no misbehaviour becomes an internal error, another status or a timeout.
#[tokio::test]
async fn misbehaviour_is_always_a_fault() {
    let server = server_of_all_plugins().await;
    let games = server.get("/v1/games").await.ok().json();
    let (mut n_answers, mut n_faults, mut reasons) = (0, 0, BTreeSet::new());
    for game in games["games"].as_array().expect("a list") {
        let id = game["id"].as_str().expect("an id");
        // These keep the contract, or their searches never end.
        if ["pentago", "tictactoe", "search-ignores-stop", "search-hangs", "held"].contains(&id) {
            continue;
        }
        for variant in game["variants"].as_array().expect("a list") {
            let variant = variant["id"].as_str().expect("an id");
            for request in [
                "position?",
                "position?position=3+a&",
                "position?position=0+b&",
                "position?moves=1&",
                "legal-moves?",
                "legal-moves?distinct=true&",
                "hints?nodes=50&",
                "evaluation?nodes=50&position=4+b&",
                "diagram.svg?",
            ] {
                let reply = server.get(&format!("/v1/games/{id}/{request}variant={variant}")).await;
                let situation = format!("{id} {variant} {request}");
                if reply.status == 200 {
                    n_answers += 1;
                    continue;
                }
                let failure = reply.problem();
                assert_eq!((reply.status.as_u16(), &*failure.reason), (503, "ruleset_fault"), "{situation}: {reply:?}");
                n_faults += 1;
                reasons.insert(failure.message);
            }
        }
    }
    println!("{n_answers} answers, {n_faults} faults: {reasons:?}");
    assert!(n_answers > 500 && n_faults > 150, "{n_answers} answers, {n_faults} faults");
    let metrics = server.metrics().await;
    let counted: f64 = metrics.find("pentad_ruleset_faults_total", &[]).map(|sample| sample.value).sum();
    assert!(counted >= f64::from(n_faults), "{counted} faults are counted, {n_faults} were returned");
    assert_others_serve(&server, "after all faults").await;
}

/// Asserts that Pentago and tic-tac-toe still work and the server is ready.
async fn assert_others_serve(server: &TestServer, situation: &str) {
    let position = server.get("/v1/games/pentago/position").await;
    assert_eq!(position.status, 200, "{situation}: {position:?}");
    assert_eq!(position.json()["legalMoveCount"], 288, "{situation}");
    let hint = server.get("/v1/games/tictactoe/hints?position=xx1/oo1/3+x").await;
    assert_eq!(hint.status, 200, "{situation}: {hint:?}");
    let ready = server.admin("/readyz").await;
    assert_eq!(ready.status, 200, "{situation}: {ready:?}");
}
