//! `pentad token`: creates a token.

use std::error::Error;

use clap::Args;

use crate::access::NewToken;

#[derive(Debug, Args)]
pub(super) struct TokenArgs {
    /// Name of the caller, for logs and metrics: letters, digits, `-`, `_` and `.`
    name: String,
    /// CPU time that its calls may use per second, in milliseconds; 1000 is one core.
    /// Unlimited by default
    #[arg(long, value_name = "N")]
    cpu_ms_per_second: Option<u64>,
}

/// Prints the line to standard output, for `>> FILE`, and the token to standard error,
/// so that it does not end up in the file.
pub(super) fn run(args: &TokenArgs) -> Result<(), Box<dyn Error>> {
    let token = NewToken::generate(&args.name, args.cpu_ms_per_second)?;
    eprintln!("{}", token.secret);
    eprintln!("This is the token of {}; it is not shown again. Its line for the tokens file:", args.name);
    println!("{}", token.line);
    Ok(())
}
