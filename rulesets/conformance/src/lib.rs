//! The laws every rule set obeys, run on the loaded library.
//!
//! [`check`] plays seeded random games with a rule set and checks every law on every
//! position that it reaches. A failure is reported with its position and the
//! options that reproduce it; failures with one cause are reported once. The library
//! is called through the host, exactly as a server calls it.
//!
//! | module | content |
//! | --- | --- |
//! | `laws` | the table of laws, and their checks by subject |
//! | `sample` | random games and the positions that laws are checked on |
//! | `rules`, `trace` | the calls of the rule set, and their observer |
//! | `report` | the result, law by law |
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
//!
//! A library that crashes ends the process that checks it, so `pentad check` runs
//! [`check_traced`] in a process of its own.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod laws;
mod report;
mod rules;
mod sample;
mod trace;

use std::sync::Arc;

use pentad_host::Ruleset;
use pentad_model::rng::Rng;

use crate::laws::{ENDS, LENGTH, LOADS, PLAYS, POSITION_LAWS, VARIANT_LAWS};
pub use crate::report::{ConformanceReport, Failure, LawResult, LawState};
use crate::rules::Rules;
use crate::sample::{RandomGame, Sample, SampledPosition, VariantSample, random_game};
use crate::trace::NoTrace;
pub use crate::trace::{Checkpoint, Trace};

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
    check_traced(ruleset, options, &NoTrace)
}

/// Checks all laws on a rule set, and notifies `trace` before every check and call.
pub fn check_traced(ruleset: &Arc<Ruleset>, options: &Options, trace: &dyn Trace) -> ConformanceReport {
    let rules = Rules::new(ruleset, trace);
    let mut report = ConformanceReport::about(rules.info(), options.seed);
    record_loading(&rules, &mut report);
    for (variant, description) in rules.variants().iter().enumerate() {
        if options.variant.as_ref().is_some_and(|only| *only != description.id) {
            continue;
        }
        let mut positions = Vec::new();
        for game_idx in 0..options.n_games {
            positions.extend(check_game(&rules, variant, options, game_idx, &mut report));
            report.set_panics(rules.panics());
            trace.progressed(&report);
        }
        for law in VARIANT_LAWS {
            if let Some(reason) = law.needs.missing(&rules, variant) {
                report.skip(law.name, reason);
                continue;
            }
            let sample = VariantSample { rules: &rules, variant, options, law: law.name, positions: &positions };
            for result in (law.check)(&sample, &mut Rng::new(options.seed)) {
                report.record(law.name, result);
            }
            report.set_panics(rules.panics());
            trace.progressed(&report);
        }
    }
    report.complete();
    report
}

/// Records whether the library was loaded without a fault. The host serves a game without
/// an invalid board or invalid symmetries; here they are a failure.
fn record_loading(rules: &Rules<'_>, report: &mut ConformanceReport) {
    let fault = rules.fault_of_loading();
    let variant = &rules.variants()[0].id;
    let failure = |fault| Failure::new(variant, "", "loading the library", format!("{fault}"), Some(fault));
    report.record(LOADS.name, fault.as_ref().map_or(Ok(()), |fault| Err(failure(fault))));
}

/// Plays a random game and checks the laws of games and positions on it.
fn check_game(
    rules: &Rules<'_>,
    variant: usize,
    options: &Options,
    game_idx: u32,
    report: &mut ConformanceReport,
) -> Vec<SampledPosition> {
    let mut rng = Rng::new(options.seed ^ (u64::from(game_idx) << 32));
    rules.begin(PLAYS.name, variant, &format!("game {game_idx}"), "");
    let (game, played) = random_game(rules, variant, options, &mut rng);
    let fault = rules.first_fault();
    let positions: Vec<SampledPosition> = game
        .positions
        .iter()
        .enumerate()
        .map(|(ply, position)| {
            let found_at = format!("game {game_idx}, ply {ply}");
            rules.begin(laws::NOTATION, variant, &found_at, "");
            let text = rules.format(variant, position).unwrap_or_else(|error| format!("cannot be formatted: {error}"));
            SampledPosition { position: position.clone(), text, found_at }
        })
        .collect();
    let failure = |message: String| {
        let last = positions.last();
        let (position, found_at) = last.map_or(("", "the start"), |last| (&last.text, &last.found_at));
        Failure::new(&rules.variants()[variant].id, position, found_at, message, fault.as_ref())
    };
    let could_be_played = played.is_ok();
    report.record(PLAYS.name, played.map_err(failure));
    record_length(&game, could_be_played, report, failure);
    for at in &positions {
        let sample = Sample { rules, variant, options, position: &at.position };
        for law in POSITION_LAWS {
            match law.needs.missing(rules, variant) {
                Some(reason) => report.skip(law.name, reason),
                None => {
                    let check = || (law.check)(&sample, &mut rng);
                    report.record(law.name, rules.attempt(law.name, variant, &at.found_at, &at.text, check));
                }
            }
        }
    }
    positions
}

/// Records the laws about the length and the end of a game.
fn record_length(
    game: &RandomGame,
    could_be_played: bool,
    report: &mut ConformanceReport,
    failure: impl Fn(String) -> Failure,
) {
    let n_plies = game.n_plies();
    let too_long = game.plies_max.is_some_and(|plies_max| n_plies > plies_max as usize);
    match game.plies_max {
        None => report.skip(LENGTH.name, "no variant states its plies_max"),
        Some(plies_max) if too_long => report
            .record(LENGTH.name, Err(failure(format!("not over after {n_plies} plies, but plies_max is {plies_max}")))),
        Some(_) => report.record(LENGTH.name, Ok(())),
    }
    let is_stuck = could_be_played && !game.is_over && game.plies_max.is_some() && !too_long;
    let ends = if is_stuck { Err(failure("the game is not over, but no move is legal".to_owned())) } else { Ok(()) };
    report.record(ENDS.name, ends);
}
