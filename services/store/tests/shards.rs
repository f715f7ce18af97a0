//! Parts of one batch, answered by separate processes with one shared store. `.ci/redis`
//! runs this, with the service's binary in `PENTAD`.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use redis::Commands;
use serde_json::{Value, json};

use support::redis_server::{RedisServer, secret_file};
use support::{ScratchDir, assert_eventually};

const SHARDS: usize = 3;
const QUESTIONS: usize = 45;

/// Answers one part of the questions, or all of them.
fn batch(questions: &Path, shard: &str, output: &Path, store: &str) -> Child {
    let program = std::env::var_os("PENTAD").expect("PENTAD names the service's binary");
    let mut command = Command::new(program);
    command.arg("batch").arg(questions).args(["--shard", shard, "--jobs", "1", "--store", store]);
    command.arg("--output").arg(output);
    // All answers are stored even on a slow machine.
    command.env("PENTAD_STORE_ESTIMATE_MS_MIN", "0").env("PENTAD_STORE_SHARED_MS_MAX", "10000");
    command.env("PENTAD_STORE_SECRET", secret_file());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("PENTAD starts")
}

fn assert_succeeds(process: Child) {
    let output = process.wait_with_output().expect("it is this process's own");
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

fn signal(process: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &process.id().to_string()]).status().expect("there is kill");
    assert!(sent.success());
}

/// Parses answers by the id of their question; a truncated line is ignored.
fn answers(output: &Path) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(output).unwrap_or_default();
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.map(|mut line| (line["id"].as_str().expect("an id").to_owned(), line["answer"].take())).collect()
}

/// Returns the keys of the positions with a stored answer.
fn stored(connection: &mut redis::Connection) -> Vec<String> {
    let keys: Vec<String> = connection.keys("pentad:1:signed:*").expect("keys");
    keys.iter().filter_map(|key| key.rsplit(':').next()).map(str::to_owned).collect()
}

/// Three processes share the questions and the store, and one of them is killed in the
/// middle and restarted: every question is answered exactly once, and all answers are stored.
#[tokio::test]
async fn a_batch_in_parts_one_of_which_is_killed() {
    let server = RedisServer::start(&[]);
    let mut connection = server.connection();
    let dir = ScratchDir::new();
    let questions = dir.path("questions");
    let cells = ["a1", "b1", "c1", "a2", "b2", "c2", "d3", "e3", "f3", "d4"];
    let pairs = cells.iter().flat_map(|one| cells.iter().filter(move |other| *other > one).map(move |it| [one, it]));
    let lines = pairs.take(QUESTIONS).enumerate().map(|(n, moves)| {
        let limits = json!({"timeMs": 150});
        let game = json!("pentago");
        json!({"id": format!("q{n}"), "kind": "hints", "game": game, "variant": "finnish", "moves": moves, "limits": limits})
    });
    let lines: Vec<String> = lines.map(|line| format!("{line}\n")).collect();
    assert_eq!(lines.len(), QUESTIONS);
    std::fs::write(&questions, lines.concat()).expect("a file");
    let outputs: Vec<PathBuf> = (0..SHARDS).map(|shard| dir.path(&format!("answers-{shard}"))).collect();
    let start = |shard: usize| batch(&questions, &format!("{shard}/{SHARDS}"), &outputs[shard], &server.url());

    let mut processes: Vec<Child> = (0..SHARDS).map(start).collect();
    let mut victim = processes.remove(0);
    // An answer that was given but not yet stored at the kill would be searched again; here
    // the process is killed when there is none.
    let n_before = assert_eventually("it has begun", || {
        signal(&victim, "-STOP");
        let (answered, stored) = (answers(&outputs[0]), stored(&mut connection));
        let is_stored = |answer: &Value| stored.iter().any(|key| Some(&**key) == answer["key"].as_str());
        if answered.len() >= 3 && answered.iter().all(|(_, answer)| is_stored(answer)) {
            return Ok(answered.len());
        }
        signal(&victim, "-CONT");
        Err(format!("{} answered, {} stored", answered.len(), stored.len()))
    })
    .await;
    victim.kill().expect("it is this process's own");
    victim.wait().expect("it is this process's own");
    processes.push(start(0));
    processes.into_iter().for_each(assert_succeeds);

    let mut by_id: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let all = outputs.iter().flat_map(|output| answers(output));
    all.for_each(|(id, answer)| by_id.entry(id).or_default().push(answer));
    assert_eq!(by_id.len(), QUESTIONS);
    let stored = stored(&mut connection);
    for (id, answers) in &by_id {
        let [answer] = &answers[..] else { panic!("{id}: {answers:?}") };
        assert!(answer["hints"][0]["move"].is_string(), "{id}: {answer}");
        let key = answer["key"].as_str().expect("a key");
        assert!(stored.iter().any(|stored| stored == key), "{id} is not stored: {answer}");
    }
    assert!(n_before < answers(&outputs[0]).len(), "it was killed in the middle");

    // Asking everything again searches nothing.
    let again = dir.path("again");
    assert_succeeds(batch(&questions, "0/1", &again, &server.url()));
    let again = answers(&again);
    assert_eq!(again.len(), QUESTIONS);
    assert!(again.iter().all(|(_, answer)| answer["cached"] == json!(true)), "{again:?}");
}
