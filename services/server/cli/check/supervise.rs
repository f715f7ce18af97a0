//! Starts the child and turns its outcome into a report.

use std::error::Error;
use std::io::{self, BufRead as _, BufReader, Read};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use pentad_conformance::{Checkpoint, ConformanceReport};

use super::record::{LastCall, Record};
use super::stderr_capture::StderrCapture;
use super::{CheckArgs, Message};

const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Outcome of a check.
pub(super) struct Supervised {
    /// The report, or why there was nothing to check.
    pub(super) result: Result<ConformanceReport, String>,
    pub(super) stderr: StderrCapture,
}

/// How the child ended.
#[derive(Debug)]
enum End {
    Exited(ExitStatus),
    /// A call did not return, and the child was killed.
    Hung,
}

/// Checks the library in a child process.
pub(super) fn run_child(args: &CheckArgs) -> Result<Supervised, Box<dyn Error>> {
    let record = Record::create()?;
    let mut child = command(args)?.stdin(record.share()?).spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (end, last, stderr) = thread::scope(|scope| {
        let spawned = spawn_readers(scope, stdout, stderr);
        if spawned.is_err() {
            // Ends the thread that was started, if one was.
            child.kill()?;
        }
        let end = wait(&mut child, &record, Duration::from_millis(args.hang_ms));
        let (last, stderr) = spawned?;
        io::Result::Ok((end?, last.join().unwrap_or_default(), stderr.join().unwrap_or_default()))
    })?;
    let title = args.file.display().to_string();
    Ok(Supervised { result: result(&title, args, &end, last, &record.last_call()), stderr })
}

type Readers<'scope> = (ScopedJoinHandle<'scope, Option<Message>>, ScopedJoinHandle<'scope, StderrCapture>);

/// Starts the threads that read what the child writes. The system may give none.
fn spawn_readers<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
) -> io::Result<Readers<'scope>> {
    let stderr = move || stderr.map(|stderr| StderrCapture::read(BufReader::new(stderr))).unwrap_or_default();
    let last = thread::Builder::new().spawn_scoped(scope, move || stdout.and_then(last_message))?;
    Ok((last, thread::Builder::new().spawn_scoped(scope, stderr)?))
}

fn command(args: &CheckArgs) -> Result<Command, Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("check").arg("--child");
    command.args(["--seed", &args.seed.to_string()]);
    command.args(["--games", &args.games.to_string()]);
    command.args(["--texts", &args.texts.to_string()]);
    command.args(["--moves", &args.moves.to_string()]);
    for law in &args.laws {
        command.args(["--law", law]);
    }
    for (flag, files) in [("--perft", &args.perft), ("--game", &args.games_played)] {
        for file in files {
            command.arg(flag).arg(file);
        }
    }
    if let Some(variant) = &args.variant {
        command.arg(format!("--variant={variant}"));
    }
    command.arg("--").arg(&args.file).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// Returns the last complete message; a child that dies may leave half of one.
fn last_message(from: impl Read) -> Option<Message> {
    let lines = BufReader::new(from).lines().map_while(Result::ok);
    lines.filter_map(|line| serde_json::from_str(&line).ok()).last()
}

/// Waits until the child ends or hangs. Time is counted in polls, so that suspending
/// the machine does not count.
fn wait(child: &mut Child, record: &Record, hang: Duration) -> std::io::Result<End> {
    let (mut n_calls, mut unchanged) = (0, Duration::ZERO);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Exited(status));
        }
        if unchanged >= hang {
            child.kill()?;
            child.wait()?;
            return Ok(End::Hung);
        }
        thread::sleep(POLL_INTERVAL);
        let now = record.n_calls();
        unchanged = if now == n_calls { unchanged + POLL_INTERVAL } else { Duration::ZERO };
        n_calls = now;
    }
}

fn result(
    title: &str,
    args: &CheckArgs,
    end: &End,
    last: Option<Message>,
    last_call: &LastCall,
) -> Result<ConformanceReport, String> {
    let (report, is_complete) = match last {
        Some(Message::Refused(error)) => return Err(error),
        Some(Message::Complete(report)) => (Some(report), true),
        Some(Message::Progress(report)) => (Some(report), false),
        None => (None, false),
    };
    let mut report = report.unwrap_or_else(|| ConformanceReport::new(title, args.seed));
    let (at, place) = if is_complete {
        let found_at = "the end of the process";
        (Checkpoint { law: "loads", found_at, position: "", moves: &[], ..last_call.checkpoint() }, found_at.to_owned())
    } else {
        (last_call.checkpoint(), last_call.described())
    };
    let message = match end {
        End::Exited(status) if is_complete && status.success() => return Ok(report),
        End::Hung => format!("the rule set hung in {place}: no return within {} ms (--hang-ms)", args.hang_ms),
        End::Exited(status) if status.signal().is_some() => format!("the rule set crashed in {place}: {status}"),
        End::Exited(status) => format!("the rule set ended the process in {place}: {status}"),
    };
    report.interrupt(&at, &last_call.call, message);
    Ok(report)
}
