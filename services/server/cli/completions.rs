//! `pentad completions` and `pentad man`: files for shells and for `man`, from the
//! definition of the command line.

use std::error::Error;
use std::io::{Write as _, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::{Shell, generate};

use super::help;

/// In bash, for this session: source <(pentad completions bash)
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: SupportedShell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SupportedShell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Directory for the pages, one per command
    directory: PathBuf,
}

pub(super) fn run(args: &CompletionsArgs) -> Result<(), Box<dyn Error>> {
    let shell = match args.shell {
        SupportedShell::Bash => Shell::Bash,
        SupportedShell::Zsh => Shell::Zsh,
        SupportedShell::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    generate(shell, &mut help::visible(), "pentad", &mut script);
    Ok(stdout().write_all(&script)?)
}

pub(super) fn write_manual(args: &ManArgs) -> Result<(), Box<dyn Error>> {
    let directory = &args.directory;
    std::fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    clap_mangen::generate_to(help::command(), directory)
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    Ok(())
}
