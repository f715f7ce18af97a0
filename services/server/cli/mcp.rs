//! `pentad mcp`: tools for language models on standard input and output.

use std::error::Error;
use std::io::{self, Read as _, Write as _, stdin, stdout};
use std::thread;

use bytes::Bytes;
use clap::Args;
use futures_util::stream;
use pentad_model::i18n::Language;
use tokio::sync::mpsc;

use super::client::{Client, ServerArgs, with_client};
use crate::config::Config;
use crate::language;
use crate::mcp::{ToolSet, stdio};

const PIECE_LEN: usize = 64 * 1024;
/// Pieces of input that wait.
const PIECES_MAX: usize = 4;

/// The Model Context Protocol: a program with a language model starts this and calls its
/// tools. It ends with its input.
#[derive(Debug, Args)]
pub(super) struct McpArgs {
    /// Tools to serve, separated by commas; all by default. Without `legal_moves` no answer
    /// lists legal moves, so that a model has to find moves by itself
    #[arg(long, value_name = "NAMES", value_parser = ToolSet::parse)]
    tools: Option<ToolSet>,
    /// Language of reasons and outcomes: en, sv, fi, de or fr; that of the locale by default
    #[arg(long, value_name = "TAG", value_parser = language::parse_argument)]
    lang: Option<Language>,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn run(args: &McpArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let language = args.lang.unwrap_or_else(|| language::from_locale(super::env));
    let tools = args.tools.clone().unwrap_or_else(ToolSet::all);
    with_client(&args.server, "", language, config, async |client: &Client, _| {
        for error in client.refused() {
            eprintln!("refused: {error}");
        }
        let pieces = stream::unfold(pieces_of_input()?, async |mut pieces| Some((pieces.recv().await?, pieces)));
        let write = |message: &serde_json::Value| {
            let mut out = stdout().lock();
            writeln!(out, "{message}").and_then(|()| out.flush())
        };
        Ok(stdio::serve(Box::pin(pieces), config.body_bytes_max, &tools, client, write).await?)
    })
}

/// Reads standard input on a thread of its own, which ends with the process.
fn pieces_of_input() -> io::Result<mpsc::Receiver<io::Result<Bytes>>> {
    let (pieces, received) = mpsc::channel(PIECES_MAX);
    let read = move || {
        let mut buffer = vec![0; PIECE_LEN];
        loop {
            let piece = match stdin().lock().read(&mut buffer) {
                Ok(0) => return,
                Ok(n_read) => Ok(Bytes::copy_from_slice(&buffer[..n_read])),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let has_failed = piece.is_err();
            if pieces.blocking_send(piece).is_err() || has_failed {
                return;
            }
        }
    };
    thread::Builder::new().name("stdin".to_owned()).spawn(read)?;
    Ok(received)
}
