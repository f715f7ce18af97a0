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
        ("segfault", &[][..], "the rule set crashed in `play` of \"2\": signal: 11 (SIGSEGV)"),
        ("abort", &[], "the rule set crashed in `play` of \"2\": signal: 6 (SIGABRT)"),
        ("exit", &[], "the rule set ended the process in `play` of \"2\": exit status: 0"),
        (
            "hang",
            &["--hang-ms", "15000"],
            "the rule set hung in `play` of \"2\": no return within 15000 ms (--hang-ms)",
        ),
    ];
    // All at once, so that the others run while one hangs.
    let all_ended = join_all(cases.iter().map(|(variant, more, _)| check(variant, more))).await;
    for ((variant, _, message), ended) in cases.into_iter().zip(all_ended) {
        assert_eq!(ended.code, Some(1), "{variant}: {ended:?}");
        assert!(ended.stderr.contains("breaks the laws"), "{variant}: {ended:?}");
        let report = &ended.stdout;
        let failed: Vec<&str> =
            report.lines().skip_while(|line| !line.starts_with("  FAIL illegal ")).take(5).collect();
        let [_, found, position, moves, reproduce] = failed[..] else { panic!("{variant}: {report}") };
        assert!(found.contains(message), "{variant}: {report}");
        assert!(position.contains("position `1 ") && position.contains(", game "), "{variant}: {report}");
        assert!(moves.trim().starts_with("after the moves "), "{variant}: {report}");
        assert!(reproduce.contains(&format!("--variant {variant} --seed 1")), "{variant}: {report}");
        // Earlier findings are kept, and unreached laws are not reported as passed.
        assert!(report.contains("  ok   outcome "), "{variant}: {report}");
        assert!(report.contains("  -    threads "), "{variant}: {report}");
        assert!(report.contains(" 1 failed, 0 skipped, 10 not reached"), "{variant}: {report}");
    }
    let ended = check("at-exit", &[]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("crashed in the end of the process: signal: 6 (SIGABRT)"), "{ended:?}");

    // Output of the rule set does not disturb the report.
    let ended = check("prints", &[]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let printed: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("a move is played (")).collect();
    assert_eq!(printed.len(), 1, "{ended:?}");
    // It has no translations, and no words for moves.
    assert!(ended.stdout.ends_with("0 failed, 2 skipped\n"), "{ended:?}");
}

/// A crash in the middle of a game names the position and the moves that lead to it, in
/// whichever law it happens; a server that would load the library names them, too.
#[tokio::test]
async fn crashes_in_games_name_the_moves() {
    let file = pentad_test_plugins::build("crashes");
    let mut reports = Vec::new();
    for variant in ["segfault-in-game", "segfault-in-outcome"] {
        let mut command = program(["check", "--games", "5", "--texts", "50", "--json", "--variant", variant]);
        command.arg(&file);
        let ended = run(command).await;
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let report: serde_json::Value = serde_json::from_str(&ended.stdout).expect("one JSON object");
        assert_eq!(report["passed"], false, "{report}");
        let plays = report["laws"].as_array().and_then(|laws| laws.iter().find(|law| law["law"] == "plays")).cloned();
        reports.push(plays.unwrap_or_default()["failures"][0].clone());
    }
    let [in_play, in_outcome] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!((&in_play["call"], &in_outcome["call"]), (&"play".into(), &"outcome".into()), "{reports:?}");
    assert!(in_play["found"].as_str().is_some_and(|found| found.contains("crashed in `play` of \"")), "{in_play}");
    // Five matches less those that the moves took.
    for failure in &reports {
        let taken = failure["moves"].as_array().expect("a list").iter();
        let taken: u64 = taken.map(|mv| mv.as_str().and_then(|mv| mv.parse::<u64>().ok()).expect("a move")).sum();
        let left = failure["position"].as_str().and_then(|position| position[..1].parse::<u64>().ok());
        assert_eq!(left, Some(5 - taken), "{failure}");
        for field in ["expected", "advice", "foundAt", "variant"] {
            assert!(failure[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {failure}");
        }
    }
    assert_eq!(in_outcome["position"].as_str().map(|position| &position[..1]), Some("2"), "{in_outcome}");
}

/// A single law, a table of counts and a game played through: each passes where it is
/// true, and says what differs where it is not.
#[tokio::test]
async fn authors_choose_laws_and_say_what_they_expect() {
    let tictactoe = pentad_test_plugins::build("tictactoe");
    let file = |name: &str, text: &str| pentad_test_plugins::file(name, text.as_bytes());
    let check = async |more: &[&str], files: &[(&str, &PathBuf)]| {
        let mut command = program(["check", "--games", "2", "--texts", "20"]);
        command.args(more);
        for (flag, file) in files {
            command.arg(flag).arg(file);
        }
        command.arg(&tictactoe);
        run(command).await
    };
    let one_law = check(&["--law", "notation"], &[]).await;
    assert_eq!(one_law.code, Some(0), "{one_law:?}");
    assert!(one_law.stdout.ends_with("3 laws held, 0 failed, 0 skipped\n"), "{one_law:?}");
    let unknown = check(&["--law", "gravity"], &[]).await;
    assert!(
        unknown.code == Some(1) && unknown.stderr.contains("there is no law `gravity`; there are loads, "),
        "{unknown:?}"
    );

    let counts = file("counts.perft", "# 9 cells, then 8\nperft 1 9\nperft 2 72\nperft 5 15120\nperft 6 54720\n");
    let game = "play a1 b1 a2 b2\nto-move x\nmoves 5\nillegal a1\nlegal c3\nunfinished\nplay a3\nresult x=1 o=0\n";
    let good =
        check(&["--law", "perft", "--law", "game"], &[("--perft", &counts), ("--game", &file("win.game", game))]).await;
    assert_eq!(good.code, Some(0), "{good:?}");
    assert!(good.stdout.contains("  ok   perft ") && good.stdout.contains("(4 checks)"), "{good:?}");

    let counts = file("wrong.perft", "perft 2 73\n");
    let game = file("wrong.game", &game.replace("x=1 o=0", "x=0 o=1"));
    let bad = check(&["--law", "perft", "--law", "game"], &[("--perft", &counts), ("--game", &game)]).await;
    assert_eq!(bad.code, Some(1), "{bad:?}");
    for part in [
        "72 sequences of 2 moves, the table has 73",
        "`x` has the score 1, expected 0",
        "wrong.game, line 8",
        "after the moves a1 b1 a2 b2 a3",
    ] {
        assert!(bad.stdout.contains(part), "{part}: {bad:?}");
    }
    let unreadable = check(&[], &[("--game", &file("odd.game", "pley a1\n"))]).await;
    assert!(unreadable.stderr.contains("odd.game: line 1: no such line"), "{unreadable:?}");
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
