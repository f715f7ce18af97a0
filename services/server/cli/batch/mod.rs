//! `pentad batch`: answers many questions from a file, without a server.
//!
//! Input and output are the lines of `POST /v1/batch`. Answers are appended to a file
//! as they finish, each by one write; however the program ends, running it again
//! continues from there.

mod answers;
mod progress;

use std::error::Error;
use std::fs::File;
use std::io::{Read, stdin};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use clap::Args;
use futures_util::{Stream, StreamExt, stream};
use pentad_engine::{CallerKey, Engine, Trace};
use tokio::sync::mpsc;

use self::answers::{AnswerFile, Answered};
use self::progress::ProgressReport;
use super::position::with_engine;
use super::{EXIT_FAILURE, print_error};
use crate::batch::lines::{Line, LineReader};
use crate::batch::{Batch, BatchContext, Done, Input, Output, ndjson};
use crate::config::{Config, LogFormat};
use crate::error::ApiError;
use crate::language;

/// Everything was read, and some questions have errors instead of answers.
const EXIT_FAILED_ITEMS: u8 = 2;
/// Unanswered questions per worker: enough that no worker waits for input.
const WINDOW_PER_WORKER: usize = 32;
const PIECE_LEN: usize = 64 * 1024;

/// Exits with 0 if every question was answered, with 2 if some failed, with 1 if not
/// all could be read.
#[derive(Debug, Args)]
pub(super) struct BatchArgs {
    /// File of questions, one JSON object per line as for POST /v1/batch; `-` for
    /// standard input
    file: PathBuf,
    /// File to append the answers to, standard output by default. Questions that
    /// already have an answer or error in it are skipped.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Answers only the I-th of N parts of the questions, I from 0; the id of a
    /// question determines its part
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Number of concurrent searches; the setting `workers` by default
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// A part of the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shard {
    idx: u64,
    n_shards: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(idx, n)| Some((idx.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((idx, n_shards)) if idx < n_shards => Ok(Shard { idx, n_shards }),
            Some((idx, n_shards)) => Err(format!("part {idx} of {n_shards}: the parts are numbered from 0")),
            None => Err("two numbers are needed, as in 0/4".to_owned()),
        }
    }
}

impl Shard {
    /// Whether a question is in this part: by its id, so that parts stay the same when
    /// lines are added or removed; by its line if it has none.
    fn has(self, id: Option<&str>, line: u64) -> bool {
        // 64-bit FNV-1a, the same on every machine and in every version.
        let hash = |id: &str| {
            id.bytes()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
        };
        id.map_or(line, hash) % self.n_shards == self.idx
    }
}

pub(super) fn run(args: &BatchArgs, config: &Config) -> ExitCode {
    let mut config = config.clone();
    if let Some(jobs) = args.jobs {
        config.workers = jobs.get();
    }
    let mut ended = Err("the batch did not start".into());
    let worked = with_engine(&config, async |engine| {
        ended = answer_all(args, &config, engine).await;
        Ok(())
    });
    match worked.and(ended) {
        Ok(Done { failed: 0, .. }) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(EXIT_FAILED_ITEMS),
        Err(error) => {
            print_error(LogFormat::Text, &error.to_string());
            ExitCode::from(EXIT_FAILURE)
        }
    }
}

async fn answer_all(args: &BatchArgs, config: &Config, engine: Arc<Engine>) -> Result<Done, Box<dyn Error>> {
    let (mut answers, answered) = AnswerFile::open(args.output.as_deref())?;
    let (pieces, n_bytes) = read_pieces(&args.file)?;
    let report = ProgressReport::new(n_bytes.total);
    let n_skipped = Arc::new(AtomicU64::new(0));
    let inputs = new_questions(pieces, config.body_bytes_max, args.shard, answered, Arc::clone(&n_skipped));
    let context = BatchContext {
        engine,
        window: config.workers.saturating_mul(WINDOW_PER_WORKER),
        idle_timeout: None,
        deadline: None,
        caller: CallerKey::default(),
        language: language::from_locale(super::env),
        skips_cache: false,
        trace: Trace::default(),
        reservation: None,
        count: Box::new(|_, _| {}),
    };
    let batch = Batch::new(context, Box::pin(inputs), Box::pin(std::future::pending()));
    let mut outputs = Box::pin(batch.outputs());
    let mut read_error = None;
    let mut ended = std::pin::pin!(signal());
    loop {
        let output = tokio::select! {
            output = outputs.next() => output,
            name = &mut ended => {
                report.clear();
                answers.sync()?;
                return Err(format!("ended by {name}; run it again with the same output to continue").into());
            }
        };
        match output {
            Some(Output::Progress(progress)) => {
                report.update(progress, n_skipped.load(Ordering::Relaxed), n_bytes.read.load(Ordering::Relaxed));
            }
            Some(Output::Done(done)) => {
                report.clear();
                answers.sync()?;
                report.summary(done, n_skipped.load(Ordering::Relaxed));
                return read_error.map_or(Ok(done), |error: ApiError| Err(error.to_string().into()));
            }
            // Reading the file failed.
            Some(Output::Error { id: None, line: 0, error }) => read_error = Some(error),
            Some(output) => answers.append(&ndjson::line(output, ""))?,
            None => return Err("the batch ended without its last message".into()),
        }
    }
}

/// Returns the questions of this part that have no answer yet, each id once.
fn new_questions(
    pieces: impl Stream<Item = Result<Bytes, ApiError>> + Send + Unpin + 'static,
    len_max: usize,
    shard: Option<Shard>,
    answered: Answered,
    n_skipped: Arc<AtomicU64>,
) -> impl Stream<Item = Result<Input, ApiError>> + Send {
    let lines = LineReader::new(pieces, len_max);
    stream::unfold((lines, answered), move |(mut lines, mut answered)| {
        let n_skipped = Arc::clone(&n_skipped);
        async move {
            loop {
                let line: Line = match lines.next().await? {
                    Ok(line) => line,
                    Err(error) => return Some((Err(error), (lines, answered))),
                };
                let id = ndjson::find_id(&line.text);
                if shard.is_some_and(|shard| !shard.has(id.as_deref(), line.number)) {
                    continue;
                }
                if !answered.insert(id, line.number) {
                    n_skipped.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                let input = ndjson::input(&line, len_max);
                return Some((Ok(input), (lines, answered)));
            }
        }
    })
}

/// How much of the file has been read.
struct ByteCount {
    read: Arc<AtomicU64>,
    /// `None` if the input is not a file.
    total: Option<u64>,
}

type Pieces = std::pin::Pin<Box<dyn Stream<Item = Result<Bytes, ApiError>> + Send>>;

/// Reads on a separate thread, a few chunks ahead.
fn read_pieces(path: &Path) -> Result<(Pieces, ByteCount), Box<dyn Error>> {
    let cannot = |error| format!("{}: {error}", path.display());
    let (mut source, total): (Box<dyn Read + Send>, _) = if path == Path::new("-") {
        (Box::new(stdin()), None)
    } else {
        let file = File::open(path).map_err(cannot)?;
        let metadata = file.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(format!("{} is a directory", path.display()).into());
        }
        (Box::new(file), metadata.is_file().then_some(metadata.len()))
    };
    let (sender, receiver) = mpsc::channel(2);
    let read = Arc::new(AtomicU64::new(0));
    let (counted, name) = (Arc::clone(&read), path.display().to_string());
    std::thread::Builder::new().name("questions".to_owned()).spawn(move || {
        loop {
            let mut piece = vec![0; PIECE_LEN];
            let piece = match source.read(&mut piece) {
                Ok(0) => return,
                Ok(len) => {
                    counted.fetch_add(len as u64, Ordering::Relaxed);
                    piece.truncate(len);
                    Ok(Bytes::from(piece))
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => Err(ApiError::bad_request("", format!("{name}: {error}"))),
            };
            let is_last = piece.is_err();
            // Sending fails if the receiver is gone.
            if sender.blocking_send(piece).is_err() || is_last {
                return;
            }
        }
    })?;
    let pieces = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    Ok((Box::pin(pieces), ByteCount { read, total }))
}

/// Waits for a signal that ends the program, and returns its name.
async fn signal() -> &'static str {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => "SIGINT",
        _ = terminate.recv() => "SIGTERM",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every question is in exactly one part, and the parts are about equal.
    #[test]
    fn shards_are_parts_of_the_whole() {
        let shards: Vec<Shard> = (0..4).map(|idx| format!("{idx}/4").parse().expect("a shard")).collect();
        let mut n_items = [0; 4];
        for line in 0..1000_u64 {
            let id = (line % 10 != 0).then(|| format!("question-{line}"));
            let having: Vec<_> = (0..4).filter(|idx| shards[*idx].has(id.as_deref(), line)).collect();
            assert_eq!(having.len(), 1, "{line}");
            n_items[having[0]] += 1;
        }
        assert!(n_items.iter().all(|n| (200..300).contains(n)), "{n_items:?}");
        let whole: Shard = "0/1".parse().expect("a shard");
        assert!(whole.has(Some("x"), 1) && whole.has(None, 7));
    }

    /// Invalid shards are refused with the reason.
    #[test]
    fn bad_shards_are_refused() {
        for bad in ["", "1", "a/4", "4/4", "0/0", "-1/4", "1/4/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
