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
//! | `perft`, `golden` | what an author expects of the rules: counts of moves, games played through |
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

mod golden;
mod laws;
mod perft;
mod report;
mod rules;
mod sample;
mod trace;

use std::sync::Arc;

use pentad_host::{Fault, Ruleset};
use pentad_model::rng::Rng;

pub use crate::golden::GoldenGame;
use crate::laws::{ENDS, GAME, LENGTH, LOADS, PERFT, PLAYS, POSITION_LAWS, VARIANT_LAWS};
pub use crate::perft::{PerftRow, perft, perft_by_move, read_perft};
pub use crate::report::{ConformanceReport, Failure, LawResult, LawState};
use crate::rules::{Place, Rules};
use crate::sample::{Sample, SampledPosition, VariantSample, random_game};
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
    /// Checks only these laws, by name; all if empty. Games are always played.
    pub laws: Vec<String>,
    /// Counts of move sequences to compare.
    pub perft: Vec<PerftRow>,
    /// Games to play through.
    pub games: Vec<GoldenGame>,
}

impl Options {
    /// Returns whether a law is checked.
    fn includes(&self, law: &str) -> bool {
        let is_given = match law {
            _ if law == PERFT.name => !self.perft.is_empty(),
            _ if law == GAME.name => !self.games.is_empty(),
            _ => true,
        };
        is_given && (self.laws.is_empty() || self.laws.iter().any(|chosen| chosen == law))
    }
}

/// Returns the names of all laws, in the order of reports.
pub fn law_names() -> impl Iterator<Item = &'static str> {
    laws::descriptions().map(|(name, ..)| name)
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 1,
            n_games: 40,
            n_texts: 20_000,
            plies_max: 300,
            moves_tried_max: 400,
            variant: None,
            laws: Vec::new(),
            perft: Vec::new(),
            games: Vec::new(),
        }
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
    report.keep(|law| options.includes(law));
    record_loading(&rules, &mut report);
    check_expectations(&rules, ruleset, options, &mut report);
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
        for law in VARIANT_LAWS.iter().filter(|law| options.includes(law.name)) {
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
    let place = Place { found_at: "loading the library", ..Place::default() };
    let failure = |fault: &Fault| Failure::new(variant, place, fault.call, format!("{fault}"), Some(fault));
    report.record(LOADS.name, fault.as_ref().map_or(Ok(()), |fault| Err(failure(fault))));
}

/// Compares counts of moves and plays games that the author gave.
fn check_expectations(rules: &Rules<'_>, ruleset: &Ruleset, options: &Options, report: &mut ConformanceReport) {
    let is_chosen = |variant: &str| options.variant.as_ref().is_none_or(|only| variant.is_empty() || only == variant);
    for row in options.perft.iter().filter(|row| options.includes(PERFT.name) && is_chosen(&row.variant)) {
        let variant = if row.variant.is_empty() { Some(0) } else { ruleset.variant_idx(&row.variant) };
        let found_at = format!("perft {}", row.depth);
        let place = Place { found_at: &found_at, position: &row.position, ..Place::default() };
        let check = || {
            let variant = variant.ok_or_else(|| format!("there is no variant `{}`", row.variant))?;
            rules.check_perft(ruleset, variant, row)
        };
        report.record(PERFT.name, rules.attempt(PERFT.name, variant.unwrap_or(0), place, check));
    }
    for game in options.games.iter().filter(|_| options.includes(GAME.name)) {
        report.record(GAME.name, game.check(rules, GAME.name));
    }
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
    let (game, played) = random_game(rules, variant, options, game_idx, &mut rng);
    // Before other calls change what the failure is attributed to.
    let end = GameEnd { n_plies: game.n_plies(), is_over: game.is_over, plies_max: game.plies_max };
    let (fault, call) = (rules.first_fault(), rules.failed_call());
    let positions = game.into_positions();
    let failure = |message: String| {
        let place =
            positions.last().map_or(Place { found_at: "the start", ..Place::default() }, SampledPosition::place);
        Failure::new(&rules.variants()[variant].id, place, &call, message, fault.as_ref())
    };
    let could_be_played = played.is_ok();
    report.record(PLAYS.name, played.map_err(failure));
    record_length(&end, could_be_played, report, failure);
    for at in &positions {
        let sample = Sample { rules, variant, options, position: &at.position };
        for law in POSITION_LAWS.iter().filter(|law| options.includes(law.name)) {
            match law.needs.missing(rules, variant) {
                Some(reason) => report.skip(law.name, reason),
                None => {
                    let check = || (law.check)(&sample, &mut rng);
                    report.record(law.name, rules.attempt(law.name, variant, at.place(), check));
                }
            }
        }
    }
    positions
}

/// How a random game ended.
struct GameEnd {
    n_plies: usize,
    is_over: bool,
    plies_max: Option<u32>,
}

/// Records the laws about the length and the end of a game.
fn record_length(
    game: &GameEnd,
    could_be_played: bool,
    report: &mut ConformanceReport,
    failure: impl Fn(String) -> Box<Failure>,
) {
    let n_plies = game.n_plies;
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
