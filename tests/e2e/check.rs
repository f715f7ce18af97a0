//! `pentad check`: its findings, and crashes that it survives.

use std::path::PathBuf;

use futures_util::future::join_all;

use crate::support::program::{program, run};

/// `pentad check` passes a conforming rule set and fails a nonconforming one.
#[tokio::test]
async fn check_detects_nonconforming_rule_sets() {
    let check = async |file: PathBuf, more: &[&str]| {
        let mut command = program(["check"]);
        command.arg(file).args(["--games", "5", "--texts", "50"]).args(more);
        run(command).await
    };
    let good = check(pentad_test_plugins::build("tictactoe"), &[]).await;
    assert_eq!(good.code, Some(0), "{good:?}");
    let bad = check(pentad_test_plugins::build("nonconforming"), &["--variant", "counted"]).await;
    assert_eq!(bad.code, Some(1), "{bad:?}");
    assert!(bad.stderr.contains("breaks the laws"), "{bad:?}");
    let refused = check(pentad_test_plugins::build("wrong_magic"), &[]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("magic number"), "{refused:?}");
    let no_variant = check(pentad_test_plugins::build("tictactoe"), &["--variant", "blitz"]).await;
    assert_eq!(no_variant.code, Some(1), "{no_variant:?}");
    assert!(no_variant.stderr.contains("no variant `blitz`; there are standard"), "{no_variant:?}");
}

/// A rule set that crashes, exits or hangs fails the law that was being checked, and
/// the report names the call and the position; the check itself exits with 1.
#[tokio::test]
async fn check_survives_what_it_checks() {
    let check = async |variant: &str, more: &[&str]| {
        let mut command = program(["check", "--games", "5", "--texts", "50", "--variant", variant]);
        command.args(more).arg(pentad_test_plugins::build("crashes"));
        run(command).await
    };
    let cases = [
        ("segfault", &[][..], "the rule set crashed in `play`: signal: 11 (SIGSEGV)"),
        ("abort", &[], "the rule set crashed in `play`: signal: 6 (SIGABRT)"),
        ("exit", &[], "the rule set ended the process in `play`: exit status: 0"),
        ("hang", &["--hang-ms", "15000"], "the rule set hung in `play`: no return within 15000 ms (--hang-ms)"),
    ];
    // All at once, so that the others run while one hangs.
    let all_ended = join_all(cases.iter().map(|(variant, more, _)| check(variant, more))).await;
    for ((variant, _, message), ended) in cases.into_iter().zip(all_ended) {
        assert_eq!(ended.code, Some(1), "{variant}: {ended:?}");
        assert!(ended.stderr.contains("breaks the laws"), "{variant}: {ended:?}");
        let report = &ended.stdout;
        let failed: Vec<&str> =
            report.lines().skip_while(|line| !line.starts_with("  FAIL illegal ")).take(4).collect();
        let [_, found, position, reproduce] = failed[..] else { panic!("{variant}: {report}") };
        assert!(found.contains(message), "{variant}: {report}");
        assert!(position.contains("position `1 ") && position.contains(", game "), "{variant}: {report}");
        assert!(reproduce.contains(&format!("--variant {variant} --seed 1")), "{variant}: {report}");
        // Earlier findings are kept, and unreached laws are not reported as passed.
        assert!(report.contains("  ok   outcome "), "{variant}: {report}");
        assert!(report.contains("  -    threads "), "{variant}: {report}");
        assert!(report.contains(" 1 failed, 0 skipped, 9 not reached"), "{variant}: {report}");
    }
    let ended = check("at-exit", &[]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("crashed in the end of the process: signal: 6 (SIGABRT)"), "{ended:?}");

    // Output of the rule set does not disturb the report.
    let ended = check("prints", &[]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let printed: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("a move is played (")).collect();
    assert_eq!(printed.len(), 1, "{ended:?}");
    // It has no translations.
    assert!(ended.stdout.ends_with("0 failed, 1 skipped\n"), "{ended:?}");
}

/// A rule set that panics thousands of times gets one line per message.
#[tokio::test]
async fn check_counts_panics() {
    let mut command = program(["check", "--games", "5", "--texts", "5000", "--variant", "parse"]);
    command.arg(pentad_test_plugins::panics());
    let ended = run(command).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let lines: Vec<&str> = ended.stdout.lines().filter(|line| line.contains("this variant panics in parse")).collect();
    let [cause, count] = lines[..] else { panic!("{ended:?}") };
    assert!(cause.ends_with(" times)"), "{ended:?}");
    let n_times = count.strip_prefix("  panicked ").and_then(|rest| rest.split(' ').next()?.parse().ok());
    assert!(n_times > Some(2_500), "{ended:?}");
}
