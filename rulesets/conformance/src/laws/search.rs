//! Laws of the search.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pentad_host::{Position, Searcher};
use pentad_model::rng::Rng;
use pentad_model::{Certainty, Control, Limits, Report, Request, Wdl};

use super::reasons::report_of;
use crate::report::Failure;
use crate::rules::Rules;
use crate::sample::{CheckResult, SampledPosition, VariantSample, in_call};

/// Positions searched per variant.
const SEARCHED_MAX: usize = 12;
/// Positions per variant on which a search is cancelled.
const STOPPED_MAX: usize = 8;
const NODES: u64 = 3000;
const MEMORY_BYTES: u64 = 8 << 20;
/// Maximum number of moves played to confirm a proof; a longer proof is not checked.
const CONFIRM_PLAYS_MAX: u64 = 200_000;
/// The poll at which a search is cancelled.
const STOPPED_AT_POLL: u64 = 20;
/// Maximum polls after that one; each stage of a search may poll once more.
const POLLS_AFTER_STOP_MAX: u64 = 64;
/// Maximum CPU time between two polls, and from the last one to the end. The header
/// allows 5 ms; the rest is for debug builds and slow machines. CPU time of the search's
/// own thread, so that other work on the machine does not count.
const POLL_GAP_MAX: Duration = Duration::from_millis(50);
/// Maximum wall-clock time between two polls, for a search that sleeps.
const POLL_GAP_WALL_MAX: Duration = Duration::from_secs(30);

pub(super) fn legal_and_reproducible(sample: &VariantSample<'_>, rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let (rules, variant) = (sample.rules, sample.variant);
    on_positions(sample, SEARCHED_MAX, |searcher, position| {
        let moves = rules.legal_moves(variant, position, "").map_err(in_call("legal_moves"))?;
        if moves.is_empty() {
            return Err("the game is not over, but no move is legal".to_owned());
        }
        let root_moves: Vec<String> = if rng.below(2) == 0 {
            Vec::new()
        } else {
            (0..3).map(|_| moves[rng.below(moves.len())].clone()).collect()
        };
        let request = Request { n_lines: 3, root_moves, ..limited(NODES) };
        let report = run(rules, searcher, position, &request)?;
        if report.stop.is_none() || report.lines.is_empty() || report.lines.len() > 3 {
            return Err(format!("3 lines were requested, the report has {}", report.lines.len()));
        }
        for line in &report.lines {
            let first = &line.moves[0];
            let wanted = if request.root_moves.is_empty() { &moves } else { &request.root_moves };
            if !wanted.contains(first) {
                return Err(format!("`{first}` is not one of the requested root moves"));
            }
            let mut reached = position.clone();
            for mv in &line.moves {
                reached = rules
                    .play_known(variant, &reached, mv)
                    .map_err(|error| format!("line {:?}: `{mv}` cannot be played: {error}", line.moves))?;
            }
        }
        let again = run(rules, searcher, position, &request)?;
        if again.lines != report.lines || again.nodes != report.nodes {
            return Err(format!("two searches of {NODES} nodes differ"));
        }
        Ok(())
    })
}

pub(super) fn proofs_are_true(sample: &VariantSample<'_>, _rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let (rules, variant) = (sample.rules, sample.variant);
    on_positions(sample, SEARCHED_MAX, |searcher, position| {
        let report = run(rules, searcher, position, &limited(NODES * 4))?;
        let claim = report.evaluation;
        if claim.certainty != Certainty::Proven || rules.variants()[variant].n_sides != 2 {
            return Ok(());
        }
        let (Some(outcome), Some(plies)) = (claim.outcome, claim.plies_to_end) else { return Ok(()) };
        let mut plays_left = CONFIRM_PLAYS_MAX;
        match brute_force(rules, variant, position, plies.min(4), &mut plays_left)? {
            Some(truth) if truth != outcome && plies <= 4 => {
                Err(format!("the search claims {outcome:?} in {plies} plies, brute force finds {truth:?}"))
            }
            None if plies <= 4 && plays_left > 0 => Err(format!(
                "the search claims {outcome:?} in {plies} plies, brute force finds no result in {plies} plies"
            )),
            _ => Ok(()),
        }
    })
}

pub(super) fn polls_and_stops(sample: &VariantSample<'_>, _rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    on_positions(sample, STOPPED_MAX, |searcher, position| {
        let control = StoppingControl::new();
        let request = Request::new(Limits::default());
        sample.rules.search(searcher, position, &request, &control).map_err(in_call("run"))?;
        control.check()
    })
}

/// Runs a law on reports about unfinished positions: reports of a search, or of the first
/// legal moves if the rule set has no search.
pub(super) fn on_reports(
    sample: &VariantSample<'_>,
    explain: impl Fn(&Position, &Report<String>) -> CheckResult,
) -> Vec<Result<(), Box<Failure>>> {
    let (rules, variant) = (sample.rules, sample.variant);
    if rules.info().capabilities.search {
        return on_positions(sample, SEARCHED_MAX, |searcher, position| {
            let request = Request { n_lines: 3, ..limited(NODES) };
            explain(position, &run(rules, searcher, position, &request)?)
        });
    }
    unfinished(sample, SEARCHED_MAX)
        .into_iter()
        .map(|at| {
            sample.attempt(at, || {
                let moves = rules.legal_moves(variant, &at.position, "").map_err(in_call("legal_moves"))?;
                explain(&at.position, &report_of(&moves[..moves.len().min(3)], rules.variants()[variant].seats.len()))
            })
        })
        .collect()
}

/// Runs a law on unfinished positions with a searcher.
fn on_positions(
    sample: &VariantSample<'_>,
    n_max: usize,
    mut law: impl FnMut(&mut Searcher, &Position) -> CheckResult,
) -> Vec<Result<(), Box<Failure>>> {
    let open = unfinished(sample, n_max);
    let Some(first) = open.first() else { return Vec::new() };
    let mut searcher = None;
    let created = sample.attempt(first, || {
        searcher = Some(sample.rules.searcher(sample.variant, MEMORY_BYTES).map_err(in_call("create"))?);
        Ok(())
    });
    match (created, &mut searcher) {
        (Ok(()), Some(searcher)) => {
            open.into_iter().map(|at| sample.attempt(at, || law(searcher, &at.position))).collect()
        }
        (failed, _) => vec![failed],
    }
}

/// Returns at most `n_max` positions that are not the end of a game, evenly spread.
fn unfinished<'a>(sample: &VariantSample<'a>, n_max: usize) -> Vec<&'a SampledPosition> {
    let is_open = |at: &&SampledPosition| {
        sample.rules.begin(sample.law, sample.variant, at.place());
        matches!(sample.rules.scores(sample.variant, &at.position), Ok(None))
    };
    let open: Vec<&SampledPosition> = sample.positions.iter().filter(is_open).collect();
    let step = open.len().div_ceil(n_max).max(1);
    open.into_iter().step_by(step).collect()
}

fn limited(nodes: u64) -> Request<String> {
    Request::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

fn run(
    rules: &Rules<'_>,
    searcher: &mut Searcher,
    position: &Position,
    request: &Request<String>,
) -> Result<Report<String>, String> {
    rules.search(searcher, position, request, &NeverStop).map_err(in_call("run"))
}

/// Returns the value for the side to move if play within `plies` decides it; `None` if
/// not, or if that takes more than `plays_left` moves.
fn brute_force(
    rules: &Rules<'_>,
    variant: usize,
    position: &Position,
    plies: u32,
    plays_left: &mut u64,
) -> Result<Option<Wdl>, String> {
    let seat = rules.to_move(variant, position).map_err(in_call("to_move"))?;
    if let Some(scores) = rules.scores(variant, position).map_err(in_call("outcome"))? {
        return Ok(Some(match scores[seat] {
            score if score > 0.5 => Wdl::Win,
            score if score < 0.5 => Wdl::Loss,
            _ => Wdl::Draw,
        }));
    }
    if plies == 0 {
        return Ok(None);
    }
    let side = |seat: usize| rules.variants()[variant].seats[seat].side;
    let mut worst_known = Some(Wdl::Loss);
    for mv in rules.legal_moves(variant, position, "").map_err(in_call("legal_moves"))? {
        *plays_left = plays_left.saturating_sub(1);
        if *plays_left == 0 {
            return Ok(None);
        }
        let next = rules.play_known(variant, position, &mv).map_err(in_call("play"))?;
        let next_seat = rules.to_move(variant, &next).map_err(in_call("to_move"))?;
        let value = brute_force(rules, variant, &next, plies - 1, plays_left)?;
        let mine = if side(next_seat) == side(seat) { value } else { value.map(Wdl::opposite) };
        match mine {
            Some(Wdl::Win) => return Ok(Some(Wdl::Win)),
            Some(value) => worst_known = worst_known.map(|known| known.max(value)),
            None => worst_known = None,
        }
    }
    Ok(worst_known)
}

/// Lets a search run to its limits and discards its reports.
struct NeverStop;

impl Control<String> for NeverStop {
    fn should_stop(&self) -> bool {
        false
    }

    fn report(&self, _report: &Report<String>) {}
}

/// Cancels a search at its [`STOPPED_AT_POLL`]th poll and measures the gaps.
struct StoppingControl {
    thread: ThreadId,
    n_polls: AtomicU64,
    gaps: Mutex<Gaps>,
}

/// Time without a poll by the thread that runs the search.
struct Gaps {
    last_poll: (Duration, Instant),
    longest: (Duration, Duration),
}

impl StoppingControl {
    fn new() -> Self {
        let gaps = Mutex::new(Gaps { last_poll: (thread_cpu_time(), Instant::now()), longest: Default::default() });
        StoppingControl { thread: thread::current().id(), n_polls: AtomicU64::new(0), gaps }
    }

    /// Records the time since the last poll. Called on the searching thread at each poll
    /// and at the end.
    fn note_gap(&self) {
        let now = (thread_cpu_time(), Instant::now());
        let mut gaps = self.gaps.lock().unwrap_or_else(PoisonError::into_inner);
        gaps.longest.0 = gaps.longest.0.max(now.0.saturating_sub(gaps.last_poll.0));
        gaps.longest.1 = gaps.longest.1.max(now.1 - gaps.last_poll.1);
        gaps.last_poll = now;
    }

    /// Checks that the search, which has just ended, polled often and stopped soon.
    fn check(self) -> Result<(), String> {
        self.note_gap();
        let n_late = self.n_polls.into_inner().saturating_sub(STOPPED_AT_POLL);
        if n_late > POLLS_AFTER_STOP_MAX {
            return Err(format!("the search polled `should_stop` {n_late} more times after it had returned true"));
        }
        let (cpu, wall) = self.gaps.into_inner().unwrap_or_else(PoisonError::into_inner).longest;
        if cpu > POLL_GAP_MAX || wall > POLL_GAP_WALL_MAX {
            return Err(format!(
                "the search did not poll `should_stop` for {} ms of CPU time ({} ms of wall-clock time)",
                cpu.as_millis(),
                wall.as_millis()
            ));
        }
        Ok(())
    }
}

impl Control<String> for StoppingControl {
    fn should_stop(&self) -> bool {
        if thread::current().id() == self.thread {
            self.note_gap();
        }
        self.n_polls.fetch_add(1, Ordering::Relaxed) + 1 >= STOPPED_AT_POLL
    }

    fn report(&self, _report: &Report<String>) {}
}

/// Returns the CPU time that the current thread has used.
fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
