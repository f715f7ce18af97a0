//! The commands: do they print what the API answers, in this process and from a server?

mod help;
mod judge;
mod play;
mod questions;
mod review;
mod server;

use std::ffi::OsStr;
use std::process::Stdio;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use crate::support::program::{Exited, program, run};
use crate::support::{TIMEOUT, two_games};

/// A position of Pentago that White wins at once.
const WON: &str = "wwww2/6/bbbb2/6/6/6 w";

/// Runs a command on Pentago and tic-tac-toe.
async fn ask<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Exited {
    let mut command = program(arguments);
    command.arg("--rulesets").arg(two_games());
    run(command).await
}

/// Runs a command that has to succeed, and returns what it prints.
async fn printed<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> String {
    let ended = ask(arguments).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.stdout
}

/// Runs a command that prints one JSON value.
async fn json<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Value {
    let text = printed(arguments).await;
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Runs a command with these lines on its standard input.
async fn typed<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>, input: &str) -> Exited {
    let mut command = program(arguments);
    command.arg("--rulesets").arg(two_games());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // The program may end before it has read everything.
    drop(stdin.write_all(input.as_bytes()).await);
    drop(stdin);
    let output = timeout(TIMEOUT, child.wait_with_output()).await.expect("the program ends").expect("it has output");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
    Exited { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Drops what differs from run to run.
fn stable(mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        ["elapsedMs", "cached", "nodes"].iter().for_each(|name| drop(fields.remove(*name)));
    }
    answer
}
