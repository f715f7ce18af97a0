//! Listing moves is on the hot path of the fallback search: it does not allocate,
//! however many moves there are.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;

use pentad_host::Ruleset;

thread_local!(static ALLOCATIONS: Cell<usize> = const { Cell::new(0) });

/// The system's allocator, counting the allocations of each thread.
struct CountingAllocator;

// SAFETY: every call is forwarded to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is forwarded.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is forwarded.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Listing, counting and playing moves, the seat to move and the scores do not
/// allocate.
#[test]
fn hot_path_does_not_allocate() {
    let game = Ruleset::load(&pentad_test_plugins::build("tictactoe"), None).unwrap();
    let position = game.start(0).unwrap();
    let mut n_moves = 0;
    let before = ALLOCATIONS.with(Cell::get);
    let flow = game.legal_moves(0, &position, "", &mut |_| {
        n_moves += 1;
        ControlFlow::Continue(())
    });
    let next = game.play_known(0, &position, "b2").unwrap();
    let results = (game.count_moves(0, &next, ""), game.to_move(0, &next), game.scores(0, &next));
    assert_eq!(ALLOCATIONS.with(Cell::get), before);
    assert_eq!((flow, n_moves, results), (Ok(ControlFlow::Continue(())), 9, (Ok(8), Ok(1), Ok(None))));
}
