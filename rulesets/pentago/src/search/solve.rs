//! Solving a late root within the limits.
//!
//! A short search runs first: it often proves the same sooner. The time of a solution
//! is estimated from earlier ones, and the machine may have become busier since. A
//! solution not finished when most of the time is used is abandoned, and a search uses
//! the rest. It is not abandoned earlier: progress is a poor predictor (after half of
//! its time a fifth to a half of the work was done).

use std::time::{Duration, Instant};

use pentad_sdk::{Control, Limits, Report, Request, StopReason};

use crate::Pentago;
use crate::moves::Move;
use crate::position::Position;
use crate::search::Context;
use crate::search::exact_values;
use crate::solver::{self, Plan, SolverOptions};

/// The share of the time for the search before the solver, and its maximum.
const FIRST_SEARCH_SHARE: f64 = 0.1;
const FIRST_SEARCH_MAX: Duration = Duration::from_millis(200);
/// The solver runs if its estimate, which may be wrong, is at most this share of the
/// time.
const SOLVER_SHARE: f64 = 0.8;
/// The share of the remaining time after which the solver is stopped.
const SOLVER_STOP_SHARE: f64 = 0.95;
/// Interval at which the node count is reported while the solver runs, as a sign of
/// progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);
/// Number of solutions kept in the context, for positions later in the game.
const SOLUTIONS_MAX: usize = 8;

impl Pentago {
    /// Returns the plan for solving the position, if that fits the limits.
    pub(crate) fn solver_plan(&self, context: &Context, position: &Position, request: &Request<Move>) -> Option<Plan> {
        if request.limits.depth.is_some() {
            return None;
        }
        let memory_bytes = usize::try_from(context.resources.memory_bytes).unwrap_or(usize::MAX);
        let plan = solver::plan(self, position, memory_bytes).ok()?;
        let estimate = plan.expected_time(context.resources.threads);
        let fits_time = request.limits.time.is_none_or(|time| estimate <= time.mul_f64(SOLVER_SHARE));
        let fits_nodes = request.limits.nodes.is_none_or(|nodes| plan.n_configurations() as u64 <= nodes);
        (fits_time && fits_nodes).then_some(plan)
    }

    /// Searches for a short time, and solves the position unless that proved it.
    pub(crate) fn search_then_solve(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        plan: &Plan,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let started = control.now();
        let since = |then: Instant| control.now().saturating_duration_since(then);
        let time =
            request.limits.time.map_or(FIRST_SEARCH_MAX, |time| time.mul_f64(FIRST_SEARCH_SHARE).min(FIRST_SEARCH_MAX));
        let first_limits = Limits { time: Some(time), ..request.limits };
        let first = self.search_tree(context, position, &Request { limits: first_limits, ..request.clone() }, control);
        if first.stop != Some(StopReason::Time) {
            return first;
        }
        control.report(&Report { stop: None, ..first.clone() });
        let solver_start = control.now();
        let left = request.limits.time.map(|time| time.saturating_sub(since(started)));
        let is_late = || left.is_some_and(|left| since(solver_start) >= left.mul_f64(SOLVER_STOP_SHARE));
        let stop = || control.should_stop() || is_late();
        let options = SolverOptions::new(context.resources.threads);
        let nodes = |share: f64| first.nodes + (share * plan.n_configurations() as f64) as u64;
        let mut last_report = solver_start;
        let mut progress = |share: f64| {
            if since(last_report) >= PROGRESS_INTERVAL {
                last_report = control.now();
                control.report(&Report { nodes: nodes(share), stop: None, ..first.clone() });
            }
        };
        let Some(solution) = solver::solve(self, position, plan, options, &stop, &mut progress) else {
            if control.should_stop() {
                return Report { stop: Some(StopReason::Cancelled), ..first };
            }
            // A search uses the rest of the time.
            let limits = Limits { time: left.map(|left| left.saturating_sub(since(solver_start))), ..request.limits };
            let second = self.search_tree(context, position, &Request { limits, ..request.clone() }, control);
            return if second.depth >= first.depth { second } else { first };
        };
        let report = exact_values::report(self, position, request, &solution);
        if context.solutions.len() == SOLUTIONS_MAX {
            context.solutions.remove(0);
        }
        context.solutions.push(solution);
        match report {
            Some(report) => Report { nodes: nodes(1.0), ..with_plies(report, &first) },
            None => first,
        }
    }
}

/// Adds to exact values the distances that a search has proven for the same
/// moves.
fn with_plies(mut exact: Report<Move>, searched: &Report<Move>) -> Report<Move> {
    for line in &mut exact.lines {
        let same = searched.lines.iter().find(|other| other.moves[0] == line.moves[0]);
        if let Some(same) = same
            && same.evaluation.outcome == line.evaluation.outcome
        {
            line.evaluation.plies_to_end = line.evaluation.plies_to_end.or(same.evaluation.plies_to_end);
        }
    }
    exact
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use pentad_sdk::{Resources, Ruleset, Search, Source};

    use super::*;
    use crate::Edition;

    const TICK: Duration = Duration::from_micros(100);

    /// A control whose clock advances by `tick` with each reading. Records the time of
    /// the last report, and the nodes of all reports.
    struct TickingControl {
        begin: Instant,
        tick: Duration,
        n_readings: AtomicU32,
        last_report_at: AtomicU32,
        nodes: Mutex<Vec<u64>>,
    }

    impl TickingControl {
        fn new(tick: Duration) -> Self {
            let [n_readings, last_report_at] = [const { AtomicU32::new(0) }; 2];
            TickingControl { begin: Instant::now(), tick, n_readings, last_report_at, nodes: Mutex::default() }
        }
    }

    impl Control<Move> for TickingControl {
        fn should_stop(&self) -> bool {
            false
        }
        fn report(&self, report: &Report<Move>) {
            self.last_report_at.store(self.n_readings.load(Relaxed), Relaxed);
            self.nodes.lock().expect("nothing panics while it is locked").push(report.nodes);
        }
        fn now(&self) -> Instant {
            self.begin + self.tick * self.n_readings.fetch_add(1, Relaxed)
        }
    }

    /// After the solver is abandoned, a search uses the rest of the time and reports.
    /// The solver reads the clock at every poll, and this solution needs many more
    /// polls than the 3,000 that fit its time.
    #[test]
    fn time_left_by_an_abandoned_solution_is_searched() {
        let time = Duration::from_millis(300);
        let rules = Pentago::of(Edition::Standard);
        let position = rules.parse("w3wb/2wbw1/1w2wb/3bw1/1w1wbb/1bb3 b").expect("a position");
        let plan = solver::plan(&rules, &position, 2 << 30).expect("it can be solved");
        let resources = Resources { memory_bytes: 2 << 30, threads: 1 };
        let request = Request::new(Limits { time: Some(time), ..Limits::default() });
        let mut context = rules.context(resources).expect("a context");
        let control = TickingControl::new(TICK);
        let report = rules.search_then_solve(&mut context, &position, &request, &plan, &control);
        assert!(context.solutions.is_empty(), "solved in {time:?}");
        assert!(!report.lines.is_empty() && report.stop == Some(StopReason::Time), "{report:?}");
        let last_report = TICK * control.last_report_at.into_inner();
        assert!(last_report >= time.mul_f64(SOLVER_STOP_SHARE), "nothing is searched after {last_report:?}");
    }

    /// While the solver runs, reports count the positions solved.
    #[test]
    fn progress_of_the_solver_is_reported() {
        let rules = Pentago::of(Edition::Standard);
        let position = rules.parse("wwbb2/bbww2/wwbb2/bbww2/wwbb2/bbww2 w").expect("a position");
        let resources = Resources { memory_bytes: 256 << 20, threads: 1 };
        let mut context = rules.context(resources).expect("a context");
        let request = Request::new(Limits::default());
        let plan = solver::plan(&rules, &position, 256 << 20).expect("it can be solved");
        let control = TickingControl::new(PROGRESS_INTERVAL / 5);
        let report = rules.search_then_solve(&mut context, &position, &request, &plan, &control);
        assert_eq!((report.evaluation.source, report.stop), (Source::Solver, Some(StopReason::Proven)));
        let nodes = control.nodes.into_inner().expect("nothing panics while it is locked");
        let n_solved = plan.n_configurations() as u64;
        let first = report.nodes - n_solved;
        let n_shares = nodes.iter().filter(|&&nodes| nodes > first + n_solved / 10 && nodes < report.nodes).count();
        assert!(nodes.is_sorted() && n_shares > 3, "{nodes:?} of {n_solved}");
    }
}
