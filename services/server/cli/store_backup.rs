//! `pentad store backup`: a copy of a store's file while a server has it open.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stdin};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use pentad_store::{DumpStats, StoreFile};
use serde::Serialize;

use super::health::reachable;
use super::progress::bar;
use super::text::print_json;
use crate::config::Config;
use crate::telemetry::print_line;

/// How long the server may send nothing.
const READ_TIMEOUT: Duration = Duration::from_mins(1);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes of a server's error that are shown.
const ERROR_LEN_MAX: u64 = 4096;

#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// File to write: a store itself. To restore it, stop the server and put it in the place of its file
    path: PathBuf,
    /// The server's admin port; the setting `admin_listen` by default
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "from")]
    admin: Option<String>,
    /// Builds the file from a dump that `POST /store:backup` gave, instead of asking a server; `-` is standard input
    #[arg(long, value_name = "DUMP")]
    from: Option<PathBuf>,
    /// Replaces an existing file, once the new one is complete
    #[arg(long)]
    replace: bool,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
}

/// The result of a backup.
#[derive(Serialize)]
struct BackupResult {
    file: String,
    answers: u64,
    games: u64,
}

pub(super) fn run(args: &BackupArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let mut input: Box<dyn Read> = match args.from.as_deref() {
        Some(dump) if dump == Path::new("-") => Box::new(stdin().lock()),
        Some(dump) => Box::new(open(dump)?),
        None => Box::new(request(args.admin.as_deref(), config)?),
    };
    let bar = bar("copying", None);
    bar.enable_steady_tick(Duration::from_millis(100));
    let stats = StoreFile::from_dump(&args.path, &mut input, args.replace)?;
    bar.finish_and_clear();
    let DumpStats { answers, games, .. } = stats;
    if args.json {
        return print_json(&BackupResult { file: args.path.display().to_string(), answers, games });
    }
    print_line(&format!("pentad: {}: {answers} answers and {games} games", args.path.display()));
    Ok(())
}

/// Requests a dump; the reader is at its first byte.
fn request(admin: Option<&str>, config: &Config) -> Result<BufReader<TcpStream>, Box<dyn Error>> {
    let address = reachable(resolve(admin, config.admin_listen)?);
    let failed = |error: std::io::Error| format!("{address} does not answer: {error}");
    let mut stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).map_err(failed)?;
    stream.set_read_timeout(Some(READ_TIMEOUT)).map_err(failed)?;
    // Over HTTP/1.0 the body is not cut into chunks. The dump itself says where it ends.
    write!(stream, "POST /store:backup HTTP/1.0\r\nhost: {address}\r\ncontent-length: 0\r\n\r\n").map_err(failed)?;
    let mut reader = BufReader::new(stream);
    let mut status = String::new();
    reader.read_line(&mut status).map_err(failed)?;
    let mut line = String::from("-");
    while !line.trim().is_empty() {
        line.clear();
        reader.read_line(&mut line).map_err(failed)?;
    }
    if status.split(' ').nth(1) == Some("200") {
        return Ok(reader);
    }
    let mut problem = String::new();
    reader.take(ERROR_LEN_MAX).read_to_string(&mut problem).map_err(failed)?;
    Err(format!("{address} gave no backup: {} {}", status.trim(), problem.trim()).into())
}

fn resolve(admin: Option<&str>, listen: SocketAddr) -> Result<SocketAddr, Box<dyn Error>> {
    use std::net::ToSocketAddrs as _;

    let Some(admin) = admin else { return Ok(listen) };
    let mut addresses = admin.to_socket_addrs().map_err(|error| format!("--admin {admin}: {error}"))?;
    addresses.next().ok_or_else(|| format!("--admin {admin}: it has no address").into())
}

fn open(path: &Path) -> Result<File, Box<dyn Error>> {
    Ok(File::open(path).map_err(|error| format!("{}: {error}", path.display()))?)
}
