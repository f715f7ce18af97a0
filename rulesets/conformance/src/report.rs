//! The result of a check, law by law.

use std::fmt;

use pentad_host::RulesetInfo;

use crate::Options;
use crate::sample::RandomGame;

/// Failures kept per law; the rest are only counted.
const FAILURES_MAX: usize = 3;

/// The result of a check.
#[derive(Clone, Debug)]
pub struct ConformanceReport {
    title: String,
    seed: u64,
    laws: Vec<LawResult>,
}

/// The result of one law.
#[derive(Clone, Debug)]
pub struct LawResult {
    /// One word, such as `notation`.
    pub name: &'static str,
    /// What the law requires, as one sentence.
    pub statement: &'static str,
    /// Number of times it was checked.
    pub n_tried: u64,
    /// Number of times it was broken.
    pub n_failed: u64,
    /// The first few failures.
    pub failures: Vec<Failure>,
}

/// One broken law.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Id of the variant.
    pub variant: String,
    /// The position's text.
    pub position: String,
    /// Where the position came from: game and ply.
    pub found_at: String,
    /// How the law was broken.
    pub message: String,
}

impl ConformanceReport {
    pub(crate) fn new(info: &RulesetInfo, options: &Options) -> Self {
        let title = format!("{} {} (ABI {}.{})", info.id, info.version, info.abi_major, info.abi_minor);
        ConformanceReport { title, seed: options.seed, laws: Vec::new() }
    }

    pub(crate) fn record(&mut self, name: &'static str, statement: &'static str, result: Result<(), Failure>) {
        let law_idx = self.laws.iter().position(|law| law.name == name).unwrap_or_else(|| {
            self.laws.push(LawResult { name, statement, n_tried: 0, n_failed: 0, failures: Vec::new() });
            self.laws.len() - 1
        });
        let law = &mut self.laws[law_idx];
        law.n_tried += 1;
        if let Err(failure) = result {
            law.n_failed += 1;
            if law.failures.len() < FAILURES_MAX {
                law.failures.push(failure);
            }
        }
    }

    /// Records the laws about complete games.
    pub(crate) fn record_game(&mut self, variant: &str, game_idx: u32, game: &RandomGame) {
        let failure = |message: String| Failure {
            variant: variant.to_owned(),
            position: String::from("see the random games of this seed"),
            found_at: format!("game {game_idx}, ply {}", game.positions.len().saturating_sub(1)),
            message,
        };
        let played = game.error.clone().map_or(Ok(()), |error| Err(failure(error)));
        self.record("plays", "a random game can be played to its end", played);
        let n_plies = game.positions.len().saturating_sub(1);
        let too_long = game.plies_max.is_some_and(|plies_max| n_plies > plies_max as usize);
        let length = match game.plies_max {
            Some(plies_max) if too_long => {
                Err(failure(format!("not over after {n_plies} plies, but plies_max is {plies_max}")))
            }
            _ => Ok(()),
        };
        self.record("length", "no game is longer than plies_max", length);
        let stuck = game.error.is_none() && !game.is_over && game.plies_max.is_some() && !too_long;
        let ends = if stuck { Err(failure("the game is not over, but no move is legal".to_owned())) } else { Ok(()) };
        self.record("ends", "a position without legal moves is the end of the game", ends);
    }

    /// Whether every law held in every check, and there was at least one.
    pub fn passed(&self) -> bool {
        !self.laws.is_empty() && self.laws.iter().all(|law| law.n_failed == 0)
    }

    /// The result of each law.
    pub fn laws(&self) -> &[LawResult] {
        &self.laws
    }
}

impl fmt::Display for ConformanceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for law in &self.laws {
            let mark = if law.n_failed == 0 { "ok  " } else { "FAIL" };
            writeln!(f, "  {mark} {:<12} {} ({} checks)", law.name, law.statement, law.n_tried)?;
            for failure in &law.failures {
                writeln!(f, "         {}", failure.message)?;
                writeln!(f, "         position `{}`, {}", failure.position, failure.found_at)?;
                writeln!(f, "         reproduce with: --variant {} --seed {}", failure.variant, self.seed)?;
            }
            if law.n_failed > law.failures.len() as u64 {
                writeln!(f, "         and {} more", law.n_failed - law.failures.len() as u64)?;
            }
        }
        let n_failed = self.laws.iter().filter(|law| law.n_failed > 0).count();
        write!(f, "{} laws held, {n_failed} failed", self.laws.len() - n_failed)
    }
}
