//! `pentad check FILE.so`: runs the conformance kit on a rule set.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use pentad_conformance::Options;
use pentad_host::Ruleset;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The rule set's shared library
    file: PathBuf,
    /// Only this variant
    #[arg(long, value_name = "ID")]
    variant: Option<String>,
    /// Seed of the random games; reports name the seed that reproduces them
    #[arg(long, default_value_t = Options::default().seed)]
    seed: u64,
    /// Random games per variant
    #[arg(long, default_value_t = Options::default().n_games)]
    games: u32,
    /// Random and mutated texts per variant
    #[arg(long, default_value_t = Options::default().n_texts)]
    texts: u32,
}

pub(super) fn run(args: CheckArgs) -> Result<(), Box<dyn Error>> {
    let ruleset = Ruleset::load(&args.file, None)?;
    if let Some(variant) = &args.variant
        && ruleset.variant_idx(variant).is_none()
    {
        let known: Vec<&str> = ruleset.variants().iter().map(|variant| variant.id.as_str()).collect();
        return Err(format!("no variant `{variant}`; there are {}", known.join(", ")).into());
    }
    let options = Options {
        seed: args.seed,
        n_games: args.games,
        n_texts: args.texts,
        variant: args.variant,
        ..Options::default()
    };
    let verdict = pentad_conformance::check(&ruleset, &options);
    println!("{verdict}");
    if verdict.passed() { Ok(()) } else { Err("the rule set breaks the laws above".into()) }
}
