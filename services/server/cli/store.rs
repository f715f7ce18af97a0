//! `pentad store`: what operators do with the file of a store.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, IsTerminal, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use pentad_store::{FileStats, StoreFile, Verified};

use crate::telemetry::print_line;

#[derive(Debug, Subcommand)]
pub(super) enum StoreCommand {
    /// Counts the answers, by rules
    Stats(StoreArgs),
    /// Writes all answers as lines of JSON
    Export(TransferArgs),
    /// Reads answers as `export` writes them; the better of two stays. Creates the file
    Import(TransferArgs),
    /// Reads everything and checks every checksum; exits with 1 if something is damaged
    Verify(StoreArgs),
    /// Gives free space in the file back to the system
    Compact(StoreArgs),
}

#[derive(Debug, Args)]
pub(super) struct StoreArgs {
    /// The store's file
    path: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct TransferArgs {
    /// The store's file
    path: PathBuf,
    /// Lines of JSON; standard input or output by default
    file: Option<PathBuf>,
}

pub(super) fn run(command: &StoreCommand) -> Result<(), Box<dyn Error>> {
    match command {
        StoreCommand::Stats(args) => stats(&args.path),
        StoreCommand::Export(args) => export(&args.path, args.file.as_deref()),
        StoreCommand::Import(args) => import(&args.path, args.file.as_deref()),
        StoreCommand::Verify(args) => verify(&args.path),
        StoreCommand::Compact(args) => compact(&args.path),
    }
}

fn stats(path: &Path) -> Result<(), Box<dyn Error>> {
    let store = StoreFile::open(path)?;
    let bar = bar("counting", Some(store.n_entries()));
    let FileStats { entries, answer_bytes, file_bytes, scopes } = store.stats(|| bar.inc(1))?;
    bar.finish_and_clear();
    let per_answer = file_bytes.checked_div(entries).unwrap_or(0);
    println!("answers      {entries}");
    println!("their bytes  {answer_bytes}");
    println!("file bytes   {file_bytes} ({per_answer} an answer)");
    for it in &scopes {
        let scope = &it.scope;
        println!(
            "{} {} {} ({}): {} answers, {} proven, {} s of search",
            scope.game,
            scope.version,
            scope.variant,
            scope.fingerprint,
            it.entries,
            it.proven,
            it.search_ms / 1000
        );
    }
    Ok(())
}

fn export(path: &Path, file: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let store = StoreFile::open(path)?;
    let mut out: Box<dyn Write> = match file {
        Some(file) => Box::new(create(file)?),
        None => Box::new(stdout().lock()),
    };
    let mut out = BufWriter::new(&mut out);
    let bar = bar("exporting", Some(store.n_entries()));
    let n_written = store.export(|line| {
        bar.inc(1);
        writeln!(out, "{line}")
    })?;
    out.flush()?;
    bar.finish_and_clear();
    print_line(&format!("pentad: {n_written} answers exported"));
    Ok(())
}

fn import(path: &Path, file: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let (lines, n_bytes): (Box<dyn BufRead>, _) = match file {
        Some(file) => {
            let opened = File::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
            let n_bytes = opened.metadata().ok().map(|metadata| metadata.len());
            (Box::new(BufReader::new(opened)), n_bytes)
        }
        None => (Box::new(stdin().lock()), None),
    };
    let store = StoreFile::create(path)?;
    let bar = bar("importing", n_bytes);
    let lines = BoundedLines { input: lines, bar: &bar };
    let mut n_read = 0;
    let imported = store.import(lines, |n| {
        n_read += n;
        bar.set_message(format!("importing, {n_read} answers"));
    })?;
    bar.finish_and_clear();
    print_line(&format!("pentad: {} answers stored, {} were not better", imported.stored, imported.kept));
    Ok(())
}

fn verify(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut store = StoreFile::open(path)?;
    let bar = bar("verifying", Some(store.n_entries()));
    let Verified { good, damaged, is_sound } = store.verify(|| bar.inc(1))?;
    bar.finish_and_clear();
    println!("{good} answers are undamaged, {damaged} are not");
    match (damaged, is_sound) {
        (0, true) => Ok(()),
        (_, true) => Err(format!("{damaged} damaged answers; the server does not use them").into()),
        (_, false) => Err("the file was damaged and has been repaired as far as that can be".into()),
    }
}

fn compact(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut store = StoreFile::open(path)?;
    let before = store.file_bytes()?;
    let bar = bar("compacting", None);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    store.compact()?;
    bar.finish_and_clear();
    println!("{before} bytes before, {} now", store.file_bytes()?);
    Ok(())
}

/// A bar on a terminal, and nothing elsewhere.
fn bar(message: &'static str, n: Option<u64>) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match n {
        Some(n) => (ProgressBar::new(n), "{msg} {bar:30} {percent:>3} %  {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} {msg}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("the template is valid")).with_message(message)
}

fn create(file: &Path) -> Result<File, Box<dyn Error>> {
    Ok(File::create(file).map_err(|error| format!("{}: {error}", file.display()))?)
}

/// A longer line is no answer.
const LINE_LEN_MAX: u64 = 1 << 20;

/// Lines of a bounded length, which move a bar on.
struct BoundedLines<'a> {
    input: Box<dyn BufRead>,
    bar: &'a ProgressBar,
}

impl Iterator for BoundedLines<'_> {
    type Item = std::io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = String::new();
        let read = std::io::Read::take(&mut self.input, LINE_LEN_MAX).read_line(&mut line);
        match read {
            Ok(0) => None,
            Ok(n) if n as u64 == LINE_LEN_MAX => {
                Some(Err(std::io::Error::other(format!("longer than {LINE_LEN_MAX} bytes"))))
            }
            Ok(n) => {
                self.bar.inc(n as u64);
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    }
}
