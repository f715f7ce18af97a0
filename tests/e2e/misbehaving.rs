//! A directory of everything that can be wrong with a rule set, beside two that
//! are right: the server starts, serves these, and every lie costs its own
//! request only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::{Value, json};

use crate::support::held::Held;
use crate::support::{TestServer, assert_eventually, pentago, server};

/// Refused at the start, with a part of the reason.
const REFUSED: [(&str, &str); 20] = [
    ("bad_id", "its id is unusable"),
    ("huge_name", "its name is unusable"),
    ("huge_position", "positions of 4294967295 bytes"),
    ("init_fails", "the opening book is missing"),
    ("many_seats", "seats"),
    ("many_variants", "`variant_count` says 4294967295"),
    ("missing_rules", "no extension `pentad.rules/1`"),
    ("newer_major", "built for ABI 2, this host speaks 1"),
    ("no_symbol", "no symbol `ruleset_entry`"),
    ("no_variants", "`variant_count` says 0"),
    ("null_extension", "`extension` is null"),
    ("null_function", "`rules.play` is null"),
    ("null_name", "its name is unusable"),
    ("null_optional", "`layout.pieces` is null"),
    ("null_seats", "seats"),
    ("same_variants", "a second variant with the id `standard`"),
    ("small_struct", "says it has 24 bytes"),
    ("truncated", "cut short"),
    ("utf8_name", "not UTF-8"),
    ("wrong_magic", "not with the magic number"),
];

/// Copies of every plugin of the tests, of Pentago, and of a broken upload.
fn everything() -> PathBuf {
    let dir = pentad_test_plugins::scratch_dir();
    let copy = |from: &Path, name: &str| {
        std::fs::copy(from, dir.join(name)).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    };
    build_side_by_side();
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

/// Keeps every core busy with what `build_all` would build one by one.
fn build_side_by_side() {
    let names = pentad_test_plugins::misbehaving();
    let n_cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for names in names.chunks(names.len().div_ceil(n_cores)) {
            scope.spawn(|| names.iter().for_each(|name| drop(pentad_test_plugins::build(name))));
        }
    });
}

async fn everything_served() -> TestServer {
    let dir = everything();
    server().set(|config| config.rulesets = Some(dir)).start().await
}

/// What is refused is listed with its reason; what is loaded with its facts;
/// the counters agree.
#[tokio::test]
async fn what_is_refused_is_told() {
    let server = everything_served().await;
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
        assert_eq!(plugin["isolation"], "none", "{plugin:#}");
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
        let labels = [("game", game), ("sha256", plugin["sha256"].as_str().expect("a sum")), ("isolation", "none")];
        assert_eq!(metrics.value("pentad_ruleset_info", &labels), Some(1.0), "{game}");
    }
}

/// One question for each way of lying, and the kind of fault it is counted as.
const LIARS: [(&str, &str, &str, &str); 17] = [
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
    ("search-reports", "null-report", "hints", "bad_value"),
    ("search-illegal", "standard", "hints", "bad_value"),
    ("search-silent", "silent", "hints", "bad_value"),
    ("stray-thread", "standard", "legal-moves", "bad_value"),
    ("status-unknown", "play", "position?moves=1", "bad_status"),
    ("status-negative", "legal-moves", "legal-moves", "bad_status"),
    ("ignores-stop", "standard", "legal-moves?pageSize=1", "bad_status"),
];

/// Each kind of liar costs its own request, is counted by kind, and shows as
/// the last fault of its rule set.
#[tokio::test]
async fn each_lie_costs_its_own_request() {
    let server = everything_served().await;
    let mut n_faults: BTreeMap<_, f64> = BTreeMap::new();
    for (game, variant, question, kind) in LIARS {
        let situation = format!("{game} {variant} {question}");
        let separator = if question.contains('?') { '&' } else { '?' };
        let reply = server.get(&format!("/v1/games/{game}/{question}{separator}variant={variant}")).await;
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

/// A search that does not listen is given up after the grace and counted as a
/// hang; the others have their workers.
#[tokio::test]
async fn a_hang_is_given_up() {
    let held = Held::new();
    let server = server().held(&held).set(|config| config.hang_grace_ms = 50).start().await;
    let mut hanging = Held::search(0);
    hanging["limits"] = json!({"timeMs": 30});
    // One that a busy machine does not begin in time is not begun, and does not hang.
    assert_eventually("a hang is counted and its worker replaced", async || {
        let reply = server.post("/v1/games/held/hints", &hanging).await;
        // The search has reported a move before, and a legal one is found without
        // it: the caller may well be served.
        let is_refused = || ["ruleset_fault", "ruleset_unavailable"].contains(&&*reply.problem().reason);
        assert!(reply.status == 200 || is_refused(), "{reply:?}");
        let metrics = server.metrics().await;
        let n_hangs = metrics.count("pentad_ruleset_faults_total", &[("game", "held"), ("kind", "hang")]);
        let busy = metrics.value("pentad_workers_busy", &[]);
        if n_hangs >= 1.0 && busy == Some(0.0) { Ok(()) } else { Err((n_hangs, busy)) }
    })
    .await;
    assert_others_serve(&server, "after a hang").await;
}

/// Tic-tac-toe has rules alone and still gets perfect hints: played against
/// itself it is a draw, and a won position is won.
#[tokio::test]
async fn rules_alone_get_perfect_hints() {
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

/// Every call of every variant of every plugin is answered or is a fault of
/// the rule set: no lie becomes an internal error, a wrong status or silence,
/// and none of them is believed where the host can know better.
#[tokio::test]
async fn no_lie_is_anything_but_a_fault() {
    let server = everything_served().await;
    let games = server.get("/v1/games").await.ok().json();
    let (mut n_answers, mut n_faults, mut reasons) = (0, 0, BTreeSet::new());
    for game in games["games"].as_array().expect("a list") {
        let id = game["id"].as_str().expect("an id");
        // Those keep every promise, or their searches do not end by themselves.
        if ["pentago", "tictactoe", "search-ignores-stop", "search-hangs", "held"].contains(&id) {
            continue;
        }
        for variant in game["variants"].as_array().expect("a list") {
            let variant = variant["id"].as_str().expect("an id");
            for question in [
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
                let reply = server.get(&format!("/v1/games/{id}/{question}variant={variant}")).await;
                let situation = format!("{id} {variant} {question}");
                if reply.status == 200 {
                    n_answers += 1;
                    continue;
                }
                let told = reply.problem();
                assert_eq!((reply.status.as_u16(), &*told.reason), (503, "ruleset_fault"), "{situation}: {reply:?}");
                n_faults += 1;
                reasons.insert(told.message);
            }
        }
    }
    println!("{n_answers} answers, {n_faults} faults: {reasons:?}");
    assert!(n_answers > 500 && n_faults > 150, "{n_answers} answers, {n_faults} faults");
    let metrics = server.metrics().await;
    let counted: f64 = metrics.find("pentad_ruleset_faults_total", &[]).map(|sample| sample.value).sum();
    assert!(counted >= f64::from(n_faults), "{counted} faults are counted, {n_faults} were told");
    assert_others_serve(&server, "after every lie").await;
}

/// Pentago and tic-tac-toe answer as if nothing had happened.
async fn assert_others_serve(server: &TestServer, situation: &str) {
    let position = server.get("/v1/games/pentago/position").await;
    assert_eq!(position.status, 200, "{situation}: {position:?}");
    assert_eq!(position.json()["legalMoveCount"], 288, "{situation}");
    let hint = server.get("/v1/games/tictactoe/hints?position=xx1/oo1/3+x").await;
    assert_eq!(hint.status, 200, "{situation}: {hint:?}");
    let ready = server.admin("/readyz").await;
    assert_eq!(ready.status, 200, "{situation}: {ready:?}");
}
