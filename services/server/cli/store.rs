//! `pentad store`: maintenance of a store file.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use pentad_engine::{AnswerChecker, AnswerVerdict};
use pentad_store::{FileStats, StoreFile, Verified};
use serde::Serialize;

use super::input::Input;
use super::progress::bar;
use super::store_backup::{self, BackupArgs};
use super::text::print_json;
use crate::config::Config;
use crate::rulesets::{self, Found};
use crate::telemetry::print_line;

#[derive(Debug, Subcommand)]
pub(super) enum StoreCommand {
    /// Counts the answers, by rules
    Stats(StoreArgs),
    /// Writes all answers, or all games, as JSON lines
    Export(ExportArgs),
    /// Reads answers written by `export`, and keeps the better of two. Creates the file. Proofs that the rules do
    /// not confirm at once are served as estimates, unless the source is trusted
    Import(ImportArgs),
    /// Checks every checksum, and every answer whose rules are loaded (`--rulesets`): its moves are legal, its line
    /// ends as it says, its values agree. Removes no answer; redb repairs the structure of a damaged file. Exits with
    /// 1 if something was damaged or contradicts the rules
    Verify(StoreArgs),
    /// Copies the store of a running server, without stopping it: everything that was acknowledged before is in
    /// the copy, which is a store itself
    Backup(BackupArgs),
    /// Returns free space in the file to the system
    Compact(StoreArgs),
}

#[derive(Debug, Args)]
pub(super) struct StoreArgs {
    /// The store's file
    path: PathBuf,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct TransferArgs {
    /// The store's file
    path: PathBuf,
    /// JSON lines; standard input or output by default
    file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    #[command(flatten)]
    transfer: TransferArgs,
    /// Believes all proofs that the exporting server found itself. Only for files that nobody else could change
    #[arg(long)]
    trust: bool,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    transfer: TransferArgs,
    /// Writes the games instead, as `pentad import` reads them
    #[arg(long)]
    games: bool,
}

/// The result of `stats`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Statistics {
    answers: u64,
    answer_bytes: u64,
    games: u64,
    file_bytes: u64,
    rules: Vec<RulesStatistics>,
}

/// What holds under the rules of one variant.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RulesStatistics {
    game: String,
    version: String,
    variant: String,
    fingerprint: String,
    answers: u64,
    proven: u64,
    not_trusted: u64,
    search_ms: u64,
    games: u64,
}

/// The result of `import`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ImportResult {
    stored: u64,
    not_better: u64,
}

/// The result of `verify`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerifyResult {
    good: u64,
    damaged: u64,
    refused: u64,
    unchecked: u64,
    estimates: u64,
    good_games: u64,
    damaged_games: u64,
    is_sound: bool,
}

/// The result of `compact`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CompactResult {
    bytes_before: u64,
    bytes_after: u64,
}

pub(super) fn run(command: &StoreCommand, config: &Config) -> Result<(), Box<dyn Error>> {
    match command {
        StoreCommand::Stats(args) => stats(args),
        StoreCommand::Export(args) => export(args),
        StoreCommand::Import(args) => import(args),
        StoreCommand::Verify(args) => verify(args, config),
        StoreCommand::Compact(args) => compact(args),
        StoreCommand::Backup(args) => store_backup::run(args, config),
    }
}

fn stats(args: &StoreArgs) -> Result<(), Box<dyn Error>> {
    let store = StoreFile::open(&args.path)?;
    let bar = bar("counting", Some(store.n_entries()));
    let FileStats { entries, answer_bytes, file_bytes, games, scopes } = store.stats(|| bar.inc(1))?;
    bar.finish_and_clear();
    if args.json {
        let rules = scopes.iter().map(|it| RulesStatistics {
            game: it.scope.game.clone(),
            version: it.scope.version.clone(),
            variant: it.scope.variant.clone(),
            fingerprint: it.scope.fingerprint.to_string(),
            answers: it.entries,
            proven: it.proven,
            not_trusted: it.not_trusted,
            search_ms: it.search_ms,
            games: it.games,
        });
        let rules = rules.collect();
        return print_json(&Statistics { answers: entries, answer_bytes, games, file_bytes, rules });
    }
    let per_answer = file_bytes.checked_div(entries).unwrap_or(0);
    println!("answers      {entries}");
    println!("their bytes  {answer_bytes}");
    println!("games        {games}");
    println!("file bytes   {file_bytes} ({per_answer} per answer)");
    for it in &scopes {
        let scope = &it.scope;
        println!(
            "{} {} {} ({}): {} answers, {} proven, {} not trusted, {} s of search, {} games",
            scope.game,
            scope.version,
            scope.variant,
            scope.fingerprint,
            it.entries,
            it.proven,
            it.not_trusted,
            it.search_ms / 1000,
            it.games
        );
    }
    Ok(())
}

fn export(args: &ExportArgs) -> Result<(), Box<dyn Error>> {
    let store = StoreFile::open(&args.transfer.path)?;
    let mut out: Box<dyn Write> = match &args.transfer.file {
        Some(file) => Box::new(create(file)?),
        None => Box::new(stdout().lock()),
    };
    let mut out = BufWriter::new(&mut out);
    let bar = bar("exporting", Some(if args.games { store.n_games()? } else { store.n_entries() }));
    let write = |line: &str| {
        bar.inc(1);
        writeln!(out, "{line}")
    };
    let (n_written, what) = match args.games {
        true => (store.export_games(write)?, "games"),
        false => (store.export(write)?, "answers"),
    };
    out.flush()?;
    bar.finish_and_clear();
    print_line(&format!("pentad: {n_written} {what} exported"));
    Ok(())
}

fn import(args: &ImportArgs) -> Result<(), Box<dyn Error>> {
    let input = Input::open(args.transfer.file.as_deref())?;
    let store = StoreFile::create(&args.transfer.path)?;
    let bar = bar("importing", input.n_bytes);
    let lines = input.lines(&bar);
    let mut n_read = 0;
    let imported = store.import(lines, args.trust, |n| {
        n_read += n;
        bar.set_message(format!("importing, {n_read} answers"));
    })?;
    bar.finish_and_clear();
    if args.json {
        return print_json(&ImportResult { stored: imported.stored, not_better: imported.kept });
    }
    print_line(&format!("pentad: {} answers stored, {} were not better", imported.stored, imported.kept));
    Ok(())
}

fn verify(args: &StoreArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let mut store = StoreFile::open(&args.path)?;
    let Found { rulesets, .. } = rulesets::load(config, &super::this_program_as_worker())?;
    let checkers = rulesets.into_iter().map(AnswerChecker::new).collect::<Result<Vec<_>, _>>()?;
    let bar = bar("verifying", Some(store.n_entries()));
    let mut failure = None;
    let verified = store.verify(|key, answer| {
        bar.inc(1);
        let checks = checkers.iter().map(|checker| checker.check(key, answer));
        match checks.filter_map(Result::transpose).next()? {
            Ok(verdict) => {
                if let AnswerVerdict::Refused(reason) = verdict {
                    bar.suspend(|| print_line(&format!("pentad: {} {}: {reason}", key.scope.game, key.digest)));
                }
                Some(verdict)
            }
            Err(error) => {
                failure.get_or_insert(error);
                None
            }
        }
    })?;
    bar.finish_and_clear();
    let Verified { good, refused, estimates, unchecked, damaged, good_games, damaged_games, is_sound } = verified;
    if args.json {
        print_json(&VerifyResult {
            good,
            damaged,
            refused,
            unchecked,
            estimates,
            good_games,
            damaged_games,
            is_sound,
        })?;
    } else {
        println!("{good} answers are undamaged, {damaged} are not");
        println!(
            "{refused} of them contradict the rules or themselves, {unchecked} belong to rules that are not loaded"
        );
        println!("{estimates} of them have proofs that are not trusted and served as estimates");
        println!("{good_games} games and counts of games are undamaged, {damaged_games} are not");
    }
    if let Some(error) = failure {
        return Err(format!("not all answers were checked: {error}").into());
    }
    match (damaged + damaged_games + refused, is_sound) {
        (0, true) => Ok(()),
        (n_bad, true) => Err(format!("{n_bad} damaged or contradictory values; the server does not use them").into()),
        (_, false) => Err("the file was damaged, and redb has repaired it; damaged answers are not served".into()),
    }
}

fn compact(args: &StoreArgs) -> Result<(), Box<dyn Error>> {
    let mut store = StoreFile::open(&args.path)?;
    let before = store.file_bytes()?;
    let bar = bar("compacting", None);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    store.compact()?;
    bar.finish_and_clear();
    let after = store.file_bytes()?;
    if args.json {
        return print_json(&CompactResult { bytes_before: before, bytes_after: after });
    }
    println!("{before} bytes before, {after} now");
    Ok(())
}

fn create(file: &Path) -> Result<File, Box<dyn Error>> {
    Ok(File::create(file).map_err(|error| format!("{}: {error}", file.display()))?)
}
