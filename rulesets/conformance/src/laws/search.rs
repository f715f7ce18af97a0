//! What a search claims.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pentad_host::{Position, Ruleset, Searcher};
use pentad_search::rng::Rng;
use pentad_search::{Certainty, Control, Limits, Report, Request, Wdl};

use crate::Options;
use crate::site::{legal_moves, told};
use crate::verdict::Failure;

/// Positions of the sample that are searched.
const SEARCHED_MAX: usize = 12;
const NODES: u64 = 3000;
const MEMORY_BYTES: u64 = 8 << 20;
/// A claim is tried by brute force only where that takes at most so many plays.
const CONFIRM_PLAYS_MAX: u64 = 200_000;
/// The header allows 5 ms; the rest is the machine's.
const STOP_SLACK: Duration = Duration::from_millis(50);

pub(super) fn sound(
    ruleset: &Arc<Ruleset>,
    variant: usize,
    _options: &Options,
    sample: &[Position],
    rng: &mut Rng,
) -> Vec<Result<(), Failure>> {
    on_sample(ruleset, variant, sample, rng, |searcher, position, rng| {
        let moves = legal_moves(ruleset, variant, position, "")?;
        let root_moves: Vec<String> = if rng.below(2) == 0 {
            Vec::new()
        } else {
            (0..3).map(|_| moves[rng.below(moves.len())].clone()).collect()
        };
        let request = Request { n_lines: 3, root_moves, ..limited(NODES) };
        let report = run(searcher, position, &request)?;
        if report.stop.is_none() || report.lines.is_empty() || report.lines.len() > 3 {
            return Err(format!("3 lines were asked for, {} came", report.lines.len()));
        }
        for line in &report.lines {
            let first = &line.moves[0];
            let wanted = if request.root_moves.is_empty() { &moves } else { &request.root_moves };
            if !wanted.contains(first) {
                return Err(format!("`{first}` was not to be considered"));
            }
            let mut reached = position.clone();
            for mv in &line.moves {
                reached = ruleset
                    .play_known(variant, &reached, mv)
                    .map_err(|error| format!("line {:?}: `{mv}` is refused: {error}", line.moves))?;
            }
        }
        let again = run(searcher, position, &request)?;
        if again.lines != report.lines || again.nodes != report.nodes {
            return Err(format!("the same {NODES} nodes gave two different answers"));
        }
        Ok(())
    })
}

pub(super) fn proofs(
    ruleset: &Arc<Ruleset>,
    variant: usize,
    _options: &Options,
    sample: &[Position],
    rng: &mut Rng,
) -> Vec<Result<(), Failure>> {
    on_sample(ruleset, variant, sample, rng, |searcher, position, _rng| {
        let report = run(searcher, position, &limited(NODES * 4))?;
        let claim = report.evaluation;
        if claim.certainty != Certainty::Proven || ruleset.variants()[variant].n_sides != 2 {
            return Ok(());
        }
        let (Some(outcome), Some(plies)) = (claim.outcome, claim.plies_to_end) else { return Ok(()) };
        let mut plays_left = CONFIRM_PLAYS_MAX;
        match brute_force(ruleset, variant, position, plies.min(4), &mut plays_left)? {
            Some(truth) if truth != outcome && plies <= 4 => {
                Err(format!("claims {outcome:?} in {plies} plies, but within {plies} plies it is {truth:?}"))
            }
            None if plies <= 4 && plays_left > 0 => {
                Err(format!("claims {outcome:?} in {plies} plies, but within {plies} plies nothing is decided"))
            }
            _ => Ok(()),
        }
    })
}

pub(super) fn stops(
    ruleset: &Arc<Ruleset>,
    variant: usize,
    _options: &Options,
    sample: &[Position],
    rng: &mut Rng,
) -> Vec<Result<(), Failure>> {
    on_sample(ruleset, variant, &sample[..sample.len().min(8)], rng, |searcher, position, _rng| {
        let flag = AtomicBool::new(false);
        let told_at = std::thread::scope(|scope| {
            let teller = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                flag.store(true, Ordering::Release);
                Instant::now()
            });
            let request = Request::new(Limits::default());
            let result = searcher.run(position, &request, &Flag(&flag)).map_err(told("search"));
            let ended_at = Instant::now();
            let told_at = teller.join().map_err(|_| "the timer failed".to_owned())?;
            result.map(|_| ended_at.saturating_duration_since(told_at))
        })?;
        if told_at > STOP_SLACK {
            return Err(format!("ended {} ms after it was told to", told_at.as_millis()));
        }
        Ok(())
    })
}

/// Runs a law on unfinished positions of the sample, if the rule set searches.
fn on_sample(
    ruleset: &Arc<Ruleset>,
    variant: usize,
    sample: &[Position],
    rng: &mut Rng,
    law: impl Fn(&mut Searcher, &Position, &mut Rng) -> Result<(), String>,
) -> Vec<Result<(), Failure>> {
    if !ruleset.info().capabilities.search {
        return Vec::new();
    }
    let failure = |position: &Position, message: String| Failure {
        variant: ruleset.variants()[variant].id.clone(),
        position: ruleset.format(variant, position).unwrap_or_else(|error| error.to_string()),
        found_at: "the sample of positions".to_owned(),
        message,
    };
    let open: Vec<&Position> =
        sample.iter().filter(|position| matches!(ruleset.scores(variant, position), Ok(None))).collect();
    let step = open.len().div_ceil(SEARCHED_MAX).max(1);
    let mut searcher = match ruleset.searcher(variant, MEMORY_BYTES, 1) {
        Ok(searcher) => searcher,
        Err(error) => {
            return open.first().map(|position| Err(failure(position, error.to_string()))).into_iter().collect();
        }
    };
    open.into_iter()
        .step_by(step)
        .map(|position| law(&mut searcher, position, rng).map_err(|message| failure(position, message)))
        .collect()
}

fn limited(nodes: u64) -> Request<String> {
    Request::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

fn run(searcher: &mut Searcher, position: &Position, request: &Request<String>) -> Result<Report<String>, String> {
    searcher.run(position, request, &Flag(&AtomicBool::new(false))).map_err(told("search"))
}

/// The value for the side to move if play within `plies` decides it. `None` if
/// not, or if it takes too long.
fn brute_force(
    ruleset: &Ruleset,
    variant: usize,
    position: &Position,
    plies: u32,
    plays_left: &mut u64,
) -> Result<Option<Wdl>, String> {
    let seat = ruleset.to_move(variant, position).map_err(told("to_move"))?;
    if let Some(scores) = ruleset.scores(variant, position).map_err(told("outcome"))? {
        return Ok(Some(match scores[seat] {
            score if score > 0.5 => Wdl::Win,
            score if score < 0.5 => Wdl::Loss,
            _ => Wdl::Draw,
        }));
    }
    if plies == 0 {
        return Ok(None);
    }
    let side = |seat: usize| ruleset.variants()[variant].seats[seat].side;
    let mut worst_known = Some(Wdl::Loss);
    for mv in legal_moves(ruleset, variant, position, "")? {
        *plays_left = plays_left.saturating_sub(1);
        if *plays_left == 0 {
            return Ok(None);
        }
        let next = ruleset.play_known(variant, position, &mv).map_err(told("play"))?;
        let next_seat = ruleset.to_move(variant, &next).map_err(told("to_move"))?;
        let value = brute_force(ruleset, variant, &next, plies - 1, plays_left)?;
        let mine = if side(next_seat) == side(seat) { value } else { value.map(opposite) };
        match mine {
            Some(Wdl::Win) => return Ok(Some(Wdl::Win)),
            Some(value) => worst_known = worst_known.map(|known| known.max(value)),
            None => worst_known = None,
        }
    }
    Ok(worst_known)
}

fn opposite(value: Wdl) -> Wdl {
    match value {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}

/// Stops when the flag is up; listens to no reports.
struct Flag<'a>(&'a AtomicBool);

impl Control<String> for Flag<'_> {
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    fn report(&self, _report: &Report<String>) {}
}
