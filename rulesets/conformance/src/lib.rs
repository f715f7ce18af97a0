//! The laws every rule set obeys, run on the loaded library.
//!
//! [`check`] plays seeded random games with a rule set and tries every law on
//! every position it meets. What fails is reported with the position and with
//! what it takes to repeat it. The library is called through the host, exactly
//! as a server would call it.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ruleset = pentad_host::Ruleset::load("libmygame.so".as_ref(), None)?;
//! let verdict = pentad_conformance::check(&ruleset, &pentad_conformance::Options::default());
//! println!("{verdict}");
//! assert!(verdict.passed());
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod laws;
mod site;
mod verdict;

use std::sync::Arc;

use pentad_host::Ruleset;
use pentad_search::rng::Rng;

use crate::laws::{POSITION_LAWS, VARIANT_LAWS};
use crate::site::{Site, random_game};
pub use crate::verdict::{Failure, LawResult, Verdict};

/// How much to try.
#[derive(Clone, Debug)]
pub struct Options {
    /// Of every random choice. The same seed tries the same things.
    pub seed: u64,
    /// Random games per variant.
    pub n_games: u32,
    /// Random and mutated texts per variant.
    pub n_texts: u32,
    /// A game without a stated bound is left after so many plies.
    pub plies_max: u32,
    /// Of the positions with very many moves, so many moves are tried.
    pub moves_tried_max: usize,
    /// Only this variant.
    pub variant: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, n_games: 40, n_texts: 20_000, plies_max: 300, moves_tried_max: 400, variant: None }
    }
}

/// Tries all laws on a rule set.
pub fn check(ruleset: &Arc<Ruleset>, options: &Options) -> Verdict {
    let mut verdict = Verdict::new(ruleset.info(), options);
    for (variant, description) in ruleset.variants().iter().enumerate() {
        if options.variant.as_ref().is_some_and(|only| *only != description.id) {
            continue;
        }
        let mut sample = Vec::new();
        for game_idx in 0..options.n_games {
            let mut rng = Rng::new(options.seed ^ (u64::from(game_idx) << 32));
            let game = random_game(ruleset, variant, options, &mut rng);
            verdict.note_game(&description.id, game_idx, &game);
            for (ply, position) in game.positions.iter().enumerate() {
                let site = Site { ruleset, variant, position, options, ply, game_idx };
                for law in POSITION_LAWS {
                    let outcome = (law.holds)(&site, &mut rng);
                    verdict.note(law.name, law.statement, outcome.map_err(|message| site.failure(message)));
                }
            }
            // Every seventh position, late ones among them, for the laws that
            // take longer.
            sample.extend(game.positions.into_iter().step_by(7));
        }
        for law in VARIANT_LAWS {
            let mut rng = Rng::new(options.seed);
            for result in (law.holds)(ruleset, variant, options, &sample, &mut rng) {
                verdict.note(law.name, law.statement, result);
            }
        }
    }
    verdict
}
