//! Searches that request more memory than is available.

use std::process::Command;

use pentad_model::{Limits, NeverStop, Request};
use pentad_search::{AlphaBetaOptions, MctsOptions, alpha_beta, mcts};

use crate::games::tictactoe::TicTacToe;

/// Set in the process that has little memory.
const CHILD: &str = "PENTAD_TEST_LITTLE_MEMORY";

/// A search uses the available memory and answers; the process does not end.
#[test]
fn too_little_memory_makes_tables_smaller() {
    if std::env::var_os(CHILD).is_some() {
        return search_with_too_much_memory();
    }
    let program = std::env::current_exe().expect("a running program has a path");
    let limited = "ulimit -v 1000000 && exec \"$0\" --exact memory::too_little_memory_makes_tables_smaller";
    let output = Command::new("sh").arg("-c").arg(limited).arg(program).env(CHILD, "1").output().expect("a shell");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
}

fn search_with_too_much_memory() {
    for memory_bytes in [2 << 30, 1 << 40, u64::MAX] {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let request = Request { memory_bytes, threads: 2, ..Request::new(limits) };
        let (game, start) = (TicTacToe { has_hints: false }, [0, 0]);
        let report = alpha_beta(&game, &start, &request, &AlphaBetaOptions::default(), &NeverStop);
        assert!(!report.lines.is_empty(), "{memory_bytes}");
        let report = mcts(&game, &start, &request, &MctsOptions::default(), &NeverStop);
        assert!(!report.lines.is_empty(), "{memory_bytes}");
    }
}
