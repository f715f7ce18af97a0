use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pentad_sdk::rng::Rng;
use pentago::solver::{SolverOptions, Unsolvable, plan, solve};
use pentago::{Edition, Pentago};

use crate::support::{parse, random_position};

thread_local! {
    /// Bytes that this thread has allocated and not freed: now, and at the peak.
    static HELD_BYTES: Cell<[isize; 2]> = const { Cell::new([0; 2]) };
}

struct CountingAllocator;

fn count(change: isize) {
    HELD_BYTES.with(|held| {
        let [now, peak] = held.get();
        held.set([now + change, peak.max(now + change)]);
    });
}

// SAFETY: all calls are forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller upholds the contract of this trait.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller upholds the contract of this trait.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller upholds the contract of this trait.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The plan is never exceeded, and not a guess: nearly all of it is used.
#[test]
fn memory_is_as_planned() {
    for edition in [Edition::Standard, Edition::Clockwise] {
        let game = Pentago::of(edition);
        let mut rng = Rng::new(0x3e3);
        for n_marbles in [21, 22, 24, 28, 32, 35] {
            let position = random_position(&game, &mut rng, n_marbles);
            let Err(Unsolvable::Memory { needed_bytes }) = plan(&game, &position, 0) else {
                panic!("no memory is enough")
            };
            for bytes in [usize::MAX, needed_bytes] {
                let plan = plan(&game, &position, bytes).expect("it fits");
                let before = HELD_BYTES.get()[0];
                HELD_BYTES.set([before; 2]);
                let answer = solve(&game, &position, &plan, SolverOptions::new(1), &|| false, &mut |_| {});
                let used = (HELD_BYTES.get()[1] - before) as usize;
                assert!(used <= plan.memory_bytes(), "{used} bytes, {plan:?}");
                // Tables shared by all positions are small in comparison.
                if n_marbles < 23 {
                    assert!(used * 100 > plan.memory_bytes() * 95, "{used} bytes, {plan:?}");
                }
                assert!(answer.is_some_and(|answer| answer.memory_bytes() < plan.memory_bytes()));
            }
        }
    }
}

#[test]
fn memory_decides_the_number_of_passes() {
    let game = Pentago::of(Edition::Standard);
    let mut rng = Rng::new(0x5133);
    const GIB: usize = 1 << 30;
    for (n_marbles, bytes, n_passes) in [(18, GIB, 1), (18, GIB * 3 / 4, 2), (17, GIB * 3 / 2, 2), (16, GIB * 9 / 2, 2)]
    {
        let plan = plan(&game, &random_position(&game, &mut rng, n_marbles), bytes).expect("it fits");
        assert_eq!(plan.n_passes(), n_passes);
        assert!(plan.memory_bytes() <= bytes);
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let refused = |edition, text: &str| {
        let game = Pentago::of(edition);
        plan(&game, &parse(&game, text), usize::MAX).expect_err(text)
    };
    assert_eq!(refused(Edition::Standard, "6/6/6/6/6/6 w"), Unsolvable::TooManyEmpty { n_empty: 36 });
    assert_eq!(refused(Edition::Standard, "wwwww1/bbbb2/6/6/6/6 b"), Unsolvable::GameOver);
    assert_eq!(refused(Edition::Czech, "wwwww1/bbbb2/6/6/6/6 b reply"), Unsolvable::Reply);
    let block_empty = "wwbbw1/bbwwb1/wwb3/bbw3/wwb3/bbw3 b";
    assert_eq!(refused(Edition::Finnish, block_empty), Unsolvable::TurnMayBeSkipped);
}

/// Configurations between two polls: well under a millisecond of work for the
/// slowest machine that the solver was measured on (25 ns each).
const CONFIGURATIONS_PER_POLL_MAX: usize = 40_000;

/// The solver polls `stop` often throughout; stopped at any poll, it returns no
/// solution, after a poll or two of each thread.
#[test]
fn stops_at_any_poll() {
    let game = Pentago::of(Edition::Standard);
    let position = random_position(&game, &mut Rng::new(0x570), 22);
    let plan = plan(&game, &position, usize::MAX).expect("solvable");
    let stopped_at = |at: usize, n_threads: usize| {
        let n_polls = AtomicUsize::new(0);
        let stop = || n_polls.fetch_add(1, Relaxed) + 1 >= at;
        let answer = solve(&game, &position, &plan, SolverOptions::new(n_threads), &stop, &mut |_| {});
        (answer.is_some(), n_polls.into_inner())
    };
    let (is_solved, n_polls) = stopped_at(usize::MAX, 1);
    assert!(is_solved && n_polls * CONFIGURATIONS_PER_POLL_MAX > plan.n_configurations(), "{n_polls} polls, {plan:?}");
    for percent in [0, 1, 10, 30, 50, 70, 90, 95] {
        for n_threads in [1, 2] {
            let at = (n_polls * percent / 100).max(1);
            let (is_solved, n_polls) = stopped_at(at, n_threads);
            assert!(
                !is_solved && n_polls <= at + 2 + n_threads,
                "{n_polls} polls, stopped at {at}, {n_threads} threads"
            );
        }
    }
}
