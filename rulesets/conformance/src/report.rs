//! What came out: law by law, for people.

use std::fmt;

use pentad_host::RulesetInfo;

use crate::Options;
use crate::site::RandomGame;

/// Failures of one law that are kept; the rest is counted.
const KEPT_MAX: usize = 3;

/// What came out of a check.
#[derive(Clone, Debug)]
pub struct Verdict {
    title: String,
    seed: u64,
    laws: Vec<LawResult>,
}

/// How one law fared.
#[derive(Clone, Debug)]
pub struct LawResult {
    /// Short name.
    pub name: &'static str,
    /// What it demands.
    pub statement: &'static str,
    /// How often it was tried.
    pub n_tried: u64,
    /// How often it did not hold.
    pub n_failed: u64,
    /// The first of the failures.
    pub failures: Vec<Failure>,
}

/// One time that a law did not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// In which variant.
    pub variant: String,
    /// At which position.
    pub position: String,
    /// Where in the random games.
    pub found_at: String,
    /// What went wrong.
    pub message: String,
}

impl Verdict {
    pub(crate) fn new(info: &RulesetInfo, options: &Options) -> Self {
        let title = format!("{} {} (ABI {}.{})", info.id, info.version, info.abi_major, info.abi_minor);
        Verdict { title, seed: options.seed, laws: Vec::new() }
    }

    pub(crate) fn note(&mut self, name: &'static str, statement: &'static str, result: Result<(), Failure>) {
        let law_idx = self.laws.iter().position(|law| law.name == name).unwrap_or_else(|| {
            self.laws.push(LawResult { name, statement, n_tried: 0, n_failed: 0, failures: Vec::new() });
            self.laws.len() - 1
        });
        let law = &mut self.laws[law_idx];
        law.n_tried += 1;
        if let Err(failure) = result {
            law.n_failed += 1;
            if law.failures.len() < KEPT_MAX {
                law.failures.push(failure);
            }
        }
    }

    /// Laws about whole games.
    pub(crate) fn note_game(&mut self, variant: &str, game_idx: u32, game: &RandomGame) {
        let failure = |message: String| Failure {
            variant: variant.to_owned(),
            position: String::from("see the games with this seed"),
            found_at: format!("game {game_idx}, ply {}", game.positions.len().saturating_sub(1)),
            message,
        };
        let played = game.broken.clone().map_or(Ok(()), |error| Err(failure(error)));
        self.note("plays", "a random game can be played", played);
        let n_plies = game.positions.len().saturating_sub(1);
        let too_long = game.plies_max.is_some_and(|plies_max| n_plies > plies_max as usize);
        let length = match game.plies_max {
            Some(plies_max) if too_long => {
                Err(failure(format!("{n_plies} plies and not over; at most {plies_max} are stated")))
            }
            _ => Ok(()),
        };
        self.note("length", "no game is longer than stated", length);
        let stuck = game.broken.is_none() && !game.is_over && game.plies_max.is_some() && !too_long;
        let ends = if stuck { Err(failure("no legal move, but not over".to_owned())) } else { Ok(()) };
        self.note("ends", "a game without legal moves is over", ends);
    }

    /// Whether every law held every time.
    pub fn passed(&self) -> bool {
        !self.laws.is_empty() && self.laws.iter().all(|law| law.n_failed == 0)
    }

    /// Law by law.
    pub fn laws(&self) -> &[LawResult] {
        &self.laws
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for law in &self.laws {
            let mark = if law.n_failed == 0 { "ok  " } else { "FAIL" };
            writeln!(f, "  {mark} {:<12} {} ({} tried)", law.name, law.statement, law.n_tried)?;
            for failure in &law.failures {
                writeln!(f, "         {}", failure.message)?;
                writeln!(f, "         position `{}`, {}", failure.position, failure.found_at)?;
                writeln!(f, "         repeat with: --variant {} --seed {}", failure.variant, self.seed)?;
            }
            if law.n_failed > law.failures.len() as u64 {
                writeln!(f, "         and {} more", law.n_failed - law.failures.len() as u64)?;
            }
        }
        let n_failed = self.laws.iter().filter(|law| law.n_failed > 0).count();
        write!(f, "{} laws held, {n_failed} failed", self.laws.len() - n_failed)
    }
}
