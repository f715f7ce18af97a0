//! Tables that are larger than memory, or idle.

use std::process::Command;
use std::time::Duration;

use pentad_engine::{Caller, EngineConfig, HintQuestion, PositionSpec, QuestionLimits};

use crate::support::{config, engine, eventually, spec};

/// Set in the process that has little memory.
const CHILD: &str = "PENTAD_TEST_LITTLE_MEMORY";

/// A position that no book knows, with a node limit.
fn searched(nodes: u64) -> HintQuestion {
    let limits = QuestionLimits { nodes: Some(nodes), ..QuestionLimits::default() };
    HintQuestion { limits, ..HintQuestion::new(PositionSpec { variant: "finnish".to_owned(), ..spec("pentago", "") }) }
}

/// Searches that may use more memory than there is are answered nevertheless.
#[tokio::test(flavor = "multi_thread")]
async fn too_little_memory_ends_no_process() {
    if std::env::var_os(CHILD).is_some() {
        let (engine, _) = engine(EngineConfig { memory_per_search_bytes: 1 << 40, ..config() }, &["tictactoe"]);
        let hints = engine.hint(&searched(20_000), Caller::now()).await.expect("a hint");
        assert!(hints.nodes >= 1000, "{hints:?}");
        let limits = QuestionLimits { nodes: Some(5000), ..QuestionLimits::default() };
        let fallback = HintQuestion { limits, ..HintQuestion::new(spec("tictactoe", "")) };
        engine.hint(&fallback, Caller::now()).await.expect("a hint");
        return;
    }
    let program = std::env::current_exe().expect("a running program has a path");
    let limited = "ulimit -v 3000000 && exec \"$0\" --exact memory::too_little_memory_ends_no_process";
    let output = Command::new("sh").arg("-c").arg(limited).arg(program).env(CHILD, "1").output().expect("a shell");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
}

/// Tables are given back when no search has used them for some time.
#[tokio::test(flavor = "multi_thread")]
async fn idle_tables_are_given_back() {
    let config = EngineConfig { tables_idle_max: Duration::from_millis(50), ..config() };
    let (engine, _) = engine(config, &[]);
    engine.hint(&searched(500), Caller::now()).await.expect("a hint");
    eventually("the memory is given back", || engine.stats().search_memory_bytes == 0).await;
}
