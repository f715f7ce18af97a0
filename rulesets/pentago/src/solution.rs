//! Solving a late position within the limits.
//!
//! A short search goes first: it often proves the same sooner. What a solution
//! takes is expected from the ones before, and the machine may have got busier
//! since; one that is not ready when most of the time is gone is given up, and
//! the rest goes into a search. It is not given up before: how far it has come
//! says little about when it will be ready (after half of its time a fifth to a
//! half of the work was done).

use std::time::{Duration, Instant};

use pentad_sdk::{Control, Limits, Report, Request, StopReason};

use crate::Pentago;
use crate::exact;
use crate::moves::Move;
use crate::policy::Context;
use crate::position::Position;
use crate::solver::{self, Plan, Workers};

/// The part of the time that the search before a solution takes.
const FIRST_LOOK: f64 = 0.1;
const FIRST_LOOK_MAX: Duration = Duration::from_millis(200);
/// A solution is begun if it should take no more than this part of what is
/// left: expectations err.
const SOLVER_SHARE: f64 = 0.8;
/// The part of what is left at which a solution that is not ready is given up.
const GIVEN_UP_AT: f64 = 0.95;
/// Solved positions that are kept for their children.
const SOLVED_MAX: usize = 8;

impl Pentago {
    /// How to solve the position, if it can be done within the limits.
    pub(crate) fn solution_plan(
        &self,
        context: &Context,
        position: &Position,
        request: &Request<Move>,
    ) -> Option<Plan> {
        if request.limits.depth.is_some() {
            return None;
        }
        let memory_bytes = usize::try_from(context.resources.memory_bytes).unwrap_or(usize::MAX);
        let plan = solver::plan(self, position, memory_bytes).ok()?;
        let takes = plan.expected(context.resources.threads);
        let fits_time = request.limits.time.is_none_or(|time| takes <= time.mul_f64(SOLVER_SHARE));
        let fits_nodes = request.limits.nodes.is_none_or(|nodes| plan.n_configurations() as u64 <= nodes);
        (fits_time && fits_nodes).then_some(plan)
    }

    /// Looks, and solves what the first look leaves open.
    pub(crate) fn look_and_solve(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        plan: &Plan,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let started = control.now();
        let since = |then: Instant| control.now().saturating_duration_since(then);
        let time = request.limits.time.map_or(FIRST_LOOK_MAX, |time| time.mul_f64(FIRST_LOOK).min(FIRST_LOOK_MAX));
        let first_limits = Limits { time: Some(time), ..request.limits };
        let first = self.look(context, position, &Request { limits: first_limits, ..request.clone() }, control);
        if first.stop != Some(StopReason::Time) {
            return first;
        }
        control.report(&Report { stop: None, ..first.clone() });
        let begun = control.now();
        let left = request.limits.time.map(|time| time.saturating_sub(since(started)));
        let is_late = || left.is_some_and(|left| since(begun) >= left.mul_f64(GIVEN_UP_AT));
        let stop = || control.should_stop() || is_late();
        let workers = Workers::new(context.resources.threads);
        let Some(solved) = solver::solve(self, position, plan, workers, &stop, &mut |_part| {}) else {
            if control.should_stop() {
                return Report { stop: Some(StopReason::Cancelled), ..first };
            }
            // The rest of the time goes into a search.
            let limits = Limits { time: left.map(|left| left.saturating_sub(since(begun))), ..request.limits };
            let second = self.look(context, position, &Request { limits, ..request.clone() }, control);
            return if second.depth >= first.depth { second } else { first };
        };
        let report = exact::report(self, position, request, &solved);
        if context.solved.len() == SOLVED_MAX {
            context.solved.remove(0);
        }
        context.solved.push(solved);
        let nodes = first.nodes + plan.n_configurations() as u64;
        match report {
            Some(report) => Report { nodes, ..with_plies(report, &first) },
            None => first,
        }
    }
}

/// Exact values, with the distances that a search has proven for the same
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
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use pentad_sdk::{Resources, Ruleset, Search};

    use super::*;
    use crate::Edition;

    const TICK: Duration = Duration::from_micros(100);

    /// Its clock moves by a tenth of a millisecond with each reading. Notes when
    /// the last report came.
    struct Ticking {
        begin: Instant,
        n_readings: AtomicU32,
        last_report_at: AtomicU32,
    }

    impl Control<Move> for Ticking {
        fn should_stop(&self) -> bool {
            false
        }
        fn report(&self, _: &Report<Move>) {
            self.last_report_at.store(self.n_readings.load(Relaxed), Relaxed);
        }
        fn now(&self) -> Instant {
            self.begin + TICK * self.n_readings.fetch_add(1, Relaxed)
        }
    }

    /// The time that a given up solution leaves is searched: something is
    /// reported then. The solver reads the clock at every poll, of which this
    /// solution needs many more than the 3,000 that fit its time.
    #[test]
    fn a_late_solution_leaves_its_time_to_a_search() {
        let time = Duration::from_millis(300);
        let rules = Pentago::of(Edition::Standard);
        let position = rules.parse("w3wb/2wbw1/1w2wb/3bw1/1w1wbb/1bb3 b").expect("a position");
        let plan = solver::plan(&rules, &position, 2 << 30).expect("it can be solved");
        let resources = Resources { memory_bytes: 2 << 30, threads: 1 };
        let request = Request::new(Limits { time: Some(time), ..Limits::default() });
        let mut context = rules.context(resources).expect("a context");
        let [n_readings, last_report_at] = [const { AtomicU32::new(0) }; 2];
        let control = Ticking { begin: Instant::now(), n_readings, last_report_at };
        let report = rules.look_and_solve(&mut context, &position, &request, &plan, &control);
        assert!(context.solved.is_empty(), "solved in {time:?}");
        assert!(!report.lines.is_empty() && report.stop == Some(StopReason::Time), "{report:?}");
        let last_report = TICK * control.last_report_at.into_inner();
        assert!(last_report >= time.mul_f64(GIVEN_UP_AT), "nothing is searched after {last_report:?}");
    }
}
