//! `pentad games`: lists the games that would be served.

use std::error::Error;

use crate::config::Config;
use crate::rulesets::{self, Found};

pub(super) fn run(config: &Config) -> Result<(), Box<dyn Error>> {
    let Found { rulesets, refused } = rulesets::load(config, &super::this_program_as_worker())?;
    for ruleset in &rulesets {
        let info = ruleset.info();
        println!("{}  {} {}", info.id, info.name, info.version);
        for variant in ruleset.variants() {
            let seats: Vec<&str> = variant.seats.iter().map(|seat| seat.name.as_str()).collect();
            println!("    {}  {} ({})", variant.id, variant.summary, seats.join(", "));
        }
    }
    for file in &refused {
        eprintln!("refused: {}", file.error);
    }
    Ok(())
}
