//! `pentad batch`: from a file to a file, also after a kill.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::support::program::{Exited, program, run};
use crate::support::{TIMEOUT, assert_eventually, directory_of, two_games};

fn scratch(name: &str) -> PathBuf {
    pentad_test_plugins::scratch_dir().join(name)
}

fn questions(lines: impl IntoIterator<Item = Value>) -> PathBuf {
    let text: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
    let path = scratch("questions.ndjson");
    std::fs::write(&path, text).expect("the directory is writable");
    path
}

fn position(idx: usize) -> Value {
    json!({"id": format!("p{idx}"), "kind": "position", "game": "tictactoe"})
}

fn batch(rulesets: &Path, file: &Path, more: &[&str]) -> Command {
    let mut command = program(["batch"]);
    command.arg(file).args(more).arg("--rulesets").arg(rulesets);
    command
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"))).collect()
}

fn ids(lines: &[Value]) -> BTreeSet<String> {
    lines.iter().filter_map(|line| Some(line["id"].as_str()?.to_owned())).collect()
}

/// Every question is answered once, in a file or on standard output; invalid ones have
/// errors, and the exit code shows it.
#[tokio::test]
async fn a_file_is_answered() {
    let all = (0..20).map(position).chain([json!({"id": "bad", "kind": "position", "game": "chess"})]);
    let file = questions(all.chain([json!("no question")]));
    let Exited { code, stdout, stderr } = run(batch(two_games(), &file, &[])).await;
    assert_eq!(code, Some(2), "{stderr}");
    let printed: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((printed.len(), ids(&printed).len()), (22, 21), "{stdout}");
    let unnamed = printed.iter().find(|line| line["id"].is_null()).expect("the line without an id");
    assert_eq!((&unnamed["line"], &unnamed["error"]["reason"]), (&json!(22), &json!("bad_argument")));
    assert!(stderr.contains("20 answered, 2 failed, 0 skipped"), "{stderr}");

    let output = scratch("answers.ndjson");
    let good = questions((0..20).map(position));
    let arguments = ["--output", output.to_str().expect("UTF-8"), "--jobs", "2"];
    let first = run(batch(two_games(), &good, &arguments)).await;
    assert_eq!(first.code, Some(0), "{first:?}");
    let written = std::fs::read(&output).expect("the answers");
    assert_eq!(ids(&lines(&output)).len(), 20);
    // A second run changes nothing.
    let again = run(batch(two_games(), &good, &arguments)).await;
    assert_eq!((again.code, std::fs::read(&output).expect("the answers")), (Some(0), written));
    assert!(again.stderr.contains("0 answered, 0 failed, 20 skipped"), "{again:?}");
}

/// A killed batch resumes where it was, however much of its last line was written.
#[tokio::test]
async fn a_killed_batch_goes_on() {
    let endless = pentad_test_plugins::build("search_endless");
    let rulesets = directory_of(&[pentad_test_plugins::build("tictactoe"), endless]);
    let stuck = json!({"id": "stuck", "kind": "hints", "game": "search-endless", "limits": {"timeMs": 60_000}});
    let file = questions((0..30).map(position).chain([stuck]).chain((30..40).map(position)));
    let output = scratch("answers.ndjson");
    let arguments = ["--output", output.to_str().expect("UTF-8")];
    let mut killed = batch(&rulesets, &file, &arguments).spawn().expect("the program starts");
    assert_eventually("all but the endless one are answered", async || match lines(&output).len() {
        40 => Ok(()),
        n_lines => Err(n_lines),
    })
    .await;
    let busy = run(batch(&rulesets, &file, &arguments)).await;
    assert!(busy.code == Some(1) && busy.stderr.contains("another program writes to it"), "{busy:?}");
    killed.kill().await.expect("it was running");
    let before = std::fs::read_to_string(&output).expect("the answers");
    std::fs::write(&output, format!("{before}{{\"id\":\"stuck\",\"ans")).expect("it is writable");
    let mut short = batch(&rulesets, &file, &arguments);
    short.env("PENTAD_TIME_MAX_MS", "20").env("PENTAD_TIME_DEFAULT_MS", "20");
    let resumed = run(short).await;
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(resumed.stderr.contains("1 answered, 0 failed, 40 skipped"), "{resumed:?}");
    let answers = lines(&output);
    assert_eq!((answers.len(), ids(&answers).len()), (41, 41));
    assert!(std::fs::read_to_string(&output).expect("the answers").starts_with(&before));
}

/// SIGTERM ends it between two lines.
#[tokio::test]
async fn a_signal_ends_it_in_order() {
    let rulesets = directory_of(&[pentad_test_plugins::build("search_endless")]);
    let file = questions([
        json!({"id": "a", "kind": "position", "game": "search-endless"}),
        json!({"id": "stuck", "kind": "hints", "game": "search-endless", "limits": {"timeMs": 60_000}}),
    ]);
    let output = scratch("answers.ndjson");
    let mut command = batch(&rulesets, &file, &["--output", output.to_str().expect("UTF-8")]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
    assert_eventually("the first is answered", async || match lines(&output).len() {
        1 => Ok(()),
        n_lines => Err(n_lines),
    })
    .await;
    let pid = child.id().expect("it runs").to_string();
    let sent = Command::new("kill").args(["-s", "TERM", &pid]).status().await.expect("`kill` is there");
    assert!(sent.success());
    let ended = tokio::time::timeout(TIMEOUT, child.wait()).await.expect("it ends").expect("it can be waited for");
    assert_eq!((ended.code(), lines(&output).len()), (Some(1), 1));
}

/// Shards are disjoint and together complete, whatever the order of the lines.
#[tokio::test]
async fn shards_are_the_whole() {
    let file = questions((0..60).map(position));
    let reversed = questions((0..60).rev().map(position));
    let mut all = BTreeSet::new();
    for idx in 0..3 {
        let shard = format!("{idx}/3");
        let [one, other] = [&file, &reversed].map(|file| batch(two_games(), file, &["--shard", &shard]));
        let [one, other] = [run(one).await, run(other).await].map(|exited| {
            assert_eq!(exited.code, Some(0), "{exited:?}");
            let printed: Vec<Value> =
                exited.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            ids(&printed)
        });
        assert_eq!(one, other, "shard {shard}");
        assert!(!one.is_empty() && one.is_disjoint(&all), "shard {shard}: {one:?}");
        all.extend(one);
    }
    assert_eq!(all.len(), 60);
}

/// With several programs, each with its own shard and file, of which one is killed and
/// restarted, every question is answered exactly once.
#[tokio::test]
async fn a_killed_shard_goes_on_beside_the_others() {
    const N_SHARDS: usize = 3;
    let endless = pentad_test_plugins::build("search_endless");
    let rulesets = directory_of(&[pentad_test_plugins::build("tictactoe"), endless]);
    let stuck = json!({"id": "stuck", "kind": "hints", "game": "search-endless", "limits": {"timeMs": 60_000}});
    let file = questions((0..30).map(position).chain([stuck]).chain((30..60).map(position)));
    let outputs: Vec<PathBuf> = (0..N_SHARDS).map(|idx| scratch(&format!("answers-{idx}.ndjson"))).collect();
    let shard = |idx: usize| {
        let (shard, output) = (format!("{idx}/{N_SHARDS}"), outputs[idx].to_str().expect("UTF-8"));
        batch(&rulesets, &file, &["--shard", &shard, "--output", output])
    };
    let all_lines = || outputs.iter().flat_map(|output| lines(output)).collect::<Vec<_>>();
    let start = |idx| shard(idx).stderr(Stdio::null()).spawn().expect("the program starts");
    let mut pods: Vec<Child> = (0..N_SHARDS).map(start).collect();
    assert_eventually("all but the endless one are answered", async || match all_lines().len() {
        60 => Ok(()),
        n_lines => Err(n_lines),
    })
    .await;
    let killed = assert_eventually("only the shard with the endless one runs", async || {
        let is_running = |pod: &mut Child| pod.try_wait().expect("it can be waited for").is_none();
        let running: Vec<usize> = (0..N_SHARDS).filter(|&idx| is_running(&mut pods[idx])).collect();
        match running[..] {
            [idx] => Ok(idx),
            _ => Err(running),
        }
    })
    .await;
    pods[killed].kill().await.expect("it was running");
    let n_before = lines(&outputs[killed]).len();
    let mut again = shard(killed);
    again.env("PENTAD_TIME_MAX_MS", "20").env("PENTAD_TIME_DEFAULT_MS", "20");
    let resumed = run(again).await;
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(resumed.stderr.contains(&format!("1 answered, 0 failed, {n_before} skipped")), "{resumed:?}");
    let answers = all_lines();
    assert_eq!((answers.len(), ids(&answers).len()), (61, 61));
}

/// An unreadable input or unwritable output is named, and nothing is searched.
#[tokio::test]
async fn files_that_cannot_be_used_are_named() {
    let missing = run(batch(two_games(), Path::new("/nonexistent/q"), &[])).await;
    assert!(missing.code == Some(1) && missing.stderr.contains("/nonexistent/q"), "{missing:?}");
    let directory = run(batch(two_games(), two_games(), &[])).await;
    assert!(directory.code == Some(1) && directory.stderr.contains("is a directory"), "{directory:?}");
    let file = questions([position(0)]);
    let own = run(batch(two_games(), &file, &["--output", file.to_str().expect("UTF-8")])).await;
    assert!(own.code == Some(1) && own.stderr.contains("is this a file of answers?"), "{own:?}");
    let other = pentad_test_plugins::file("notes.txt", b"hello\n");
    let other = run(batch(two_games(), &file, &["--output", other.to_str().expect("UTF-8")])).await;
    assert!(other.code == Some(1) && other.stderr.contains("is this a file of answers?"), "{other:?}");
    let full = run(batch(two_games(), &file, &["--output", "/dev/full"])).await;
    assert!(full.code == Some(1) && full.stderr.contains("/dev/full"), "{full:?}");
    let shard = run(batch(two_games(), &file, &["--shard", "3/3"])).await;
    assert!(shard.code == Some(64) && shard.stderr.contains("numbered from 0"), "{shard:?}");
}
