//! The laws every rule set obeys, run on the loaded library.
//!
//! [`check`] plays seeded random games with a rule set and tries every law on
//! every position it reaches. A failure is reported with its position and the
//! options that reproduce it. The library is called through the host, exactly as
//! a server calls it.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ruleset = pentad_host::Ruleset::load("libmygame.so".as_ref(), None)?;
//! let report = pentad_conformance::check(&ruleset, &pentad_conformance::Options::default());
//! println!("{report}");
//! assert!(report.passed());
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod laws;
mod report;
mod sample;

use std::sync::Arc;

use pentad_host::Ruleset;
use pentad_search::rng::Rng;

use crate::laws::{POSITION_LAWS, VARIANT_LAWS};
pub use crate::report::{ConformanceReport, Failure, LawResult};
use crate::sample::{Sample, random_game};

/// How much to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of every random choice. The same seed runs the same checks.
    pub seed: u64,
    /// Random games per variant.
    pub n_games: u32,
    /// Random and mutated texts per variant.
    pub n_texts: u32,
    /// Length at which a game is abandoned if its variant has no `plies_max`.
    pub plies_max: u32,
    /// Moves tried per position; a random subset where there are more.
    pub moves_tried_max: usize,
    /// Checks only this variant, if set.
    pub variant: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, n_games: 40, n_texts: 20_000, plies_max: 300, moves_tried_max: 400, variant: None }
    }
}

/// Checks all laws on a rule set.
pub fn check(ruleset: &Arc<Ruleset>, options: &Options) -> ConformanceReport {
    let mut report = ConformanceReport::new(ruleset.info(), options);
    for (variant, description) in ruleset.variants().iter().enumerate() {
        if options.variant.as_ref().is_some_and(|only| *only != description.id) {
            continue;
        }
        let mut sampled = Vec::new();
        for game_idx in 0..options.n_games {
            let mut rng = Rng::new(options.seed ^ (u64::from(game_idx) << 32));
            let game = random_game(ruleset, variant, options, &mut rng);
            report.record_game(&description.id, game_idx, &game);
            for (ply, position) in game.positions.iter().enumerate() {
                let sample = Sample { ruleset, variant, position, options, ply, game_idx };
                for law in POSITION_LAWS {
                    let result = (law.check)(&sample, &mut rng);
                    report.record(law.name, law.statement, result.map_err(|message| sample.failure(message)));
                }
            }
            // Every seventh position, late ones included, for the slower laws.
            sampled.extend(game.positions.into_iter().step_by(7));
        }
        for law in VARIANT_LAWS {
            let mut rng = Rng::new(options.seed);
            for result in (law.check)(ruleset, variant, options, &sampled, &mut rng) {
                report.record(law.name, law.statement, result);
            }
        }
    }
    report
}
