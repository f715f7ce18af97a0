//! Help, completions, manual pages, version, colours.

use serde_json::Value;

use super::{WON, ask, printed};
use crate::support::program::{program, run};
use crate::support::two_games;

/// The help of the top level fits about a screen: commands by subject, and where the
/// settings are.
#[tokio::test]
async fn the_first_help_is_short() {
    let help = run(program(["--help"])).await;
    assert_eq!(help.code, Some(0), "{help:?}");
    let text = &help.stdout;
    assert!(text.lines().count() <= 56, "{} lines:\n{text}", text.lines().count());
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    for subject in ["Positions:", "Games:", "Service:", "Rule sets:", "Options:", "`pentad serve --help`"] {
        assert!(text.contains(subject), "{subject}:\n{text}");
    }
    assert!(!text.contains("--workers") && !text.contains("EffectiveConfig"), "{text}");
    assert_eq!(run(program(["-h"])).await.stdout, *text);
}

/// `pentad serve --help` has every setting, under the subjects of the server; a command's
/// help has its examples and not the settings of stores.
#[tokio::test]
async fn help_is_by_subject() {
    let serve = run(program(["serve", "--help"])).await;
    assert_eq!(serve.code, Some(0), "{serve:?}");
    for setting in pentad::config::SETTINGS {
        let flag = format!("--{}", setting.flag());
        let is_shown = serve.stdout.lines().any(|line| {
            let rest = line.trim_start().strip_prefix(&flag);
            rest.is_some_and(|rest| rest.starts_with([' ', '[']) || rest.is_empty())
        });
        assert!(is_shown, "{flag} is not in the help");
    }
    for subject in ["Addresses:", "Rule sets:", "Searches:", "Who may call:", "Log and traces:", "Examples:"] {
        assert!(serve.stdout.contains(subject), "{subject}");
    }
    let hint = run(program(["hint", "--help"])).await.stdout;
    assert!(hint.contains("Examples:\n  pentad hint pentago") && hint.contains("--rulesets <DIR>"), "{hint}");
    assert!(hint.contains("--server <URL>") && !hint.contains("--store"), "{hint}");
}

/// The examples of every command name games and variants that exist.
#[tokio::test]
async fn examples_name_what_exists() {
    let games = run(program(["games", "--json"])).await;
    let games: Value = serde_json::from_str(&games.stdout).unwrap_or_else(|error| panic!("{error}: {games:?}"));
    let known = |list: &Value, id: &str| list.as_array().expect("a list").iter().find(|it| it["id"] == id).cloned();
    let help = run(program(["--help"])).await.stdout;
    let commands = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let commands: Vec<&str> = commands.filter(|word| word.chars().all(|letter| letter.is_ascii_lowercase())).collect();
    assert!(commands.contains(&"play") && commands.contains(&"man"), "{help}");
    let mut n_variants = 0;
    for command in commands.iter().filter(|command| **command != "pentad") {
        let help = run(program([command, "--help"])).await;
        assert_eq!(help.code, Some(0), "{help:?}");
        let takes_a_game = help.stdout.contains(&format!("pentad {command} [OPTIONS] <GAME>"));
        for example in help.stdout.lines().filter(|line| line.starts_with(&format!("  pentad {command} "))) {
            let words: Vec<&str> = example.split_whitespace().collect();
            let game = words[2];
            if !takes_a_game || game.contains('/') {
                continue;
            }
            let game = known(&games["games"], game).unwrap_or_else(|| panic!("no game {game}: {example}"));
            if let Some(at) = words.iter().position(|word| *word == "--variant") {
                assert!(known(&game["variants"], words[at + 1]).is_some(), "{example}");
                n_variants += 1;
            }
        }
    }
    assert!(n_variants > 0, "no example names a variant any more");
}

/// Settings are flags of `pentad`, of `pentad serve` and of commands.
#[tokio::test]
async fn settings_are_flags_everywhere() {
    for arguments in [
        &["--print-config", "--workers", "3"][..],
        &["--print-config", "serve", "--workers", "3"],
        &["--workers", "2", "--print-config", "serve", "--workers", "3"],
    ] {
        let printed = run(program(arguments)).await;
        assert!(printed.stdout.lines().any(|line| line == "workers = 3"), "{arguments:?}: {printed:?}");
    }
    let mut command = program(["moves", "tictactoe", "--isolation", "in-process", "--rulesets"]);
    command.arg(two_games());
    let moves = run(command).await;
    assert_eq!((moves.code, moves.stdout.lines().count()), (Some(0), 9), "{moves:?}");
}

/// The version names everything that a report of a problem needs.
#[tokio::test]
async fn versions_say_what_is_running() {
    let short = run(program(["-V"])).await.stdout;
    assert!(short.starts_with(&format!("pentad {} (", pentad::VERSION)) && short.contains("ABI "), "{short}");
    assert_eq!(short.lines().count(), 1, "{short}");
    let long = run(program(["--version"])).await.stdout;
    assert!(long.starts_with(short.trim_end()), "{long}");
    let target = long.lines().find_map(|line| line.strip_prefix("target: ")).expect("the target");
    assert!(target.contains(std::env::consts::ARCH), "{long}");
    let features = long.lines().find_map(|line| line.strip_prefix("features: ")).expect("the features");
    assert!(["oidc", "otlp", "redis"].iter().all(|feature| features.contains(feature)), "{long}");
}

/// Scripts for three shells know the commands; bash accepts its script, and it completes.
#[tokio::test]
async fn shells_complete() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(program(["completions", shell])).await;
        assert_eq!(script.code, Some(0), "{script:?}");
        for word in ["evaluate", "compare-moves", "token-file"] {
            assert!(script.stdout.contains(word), "{shell}: {word}");
        }
        assert!(!script.stdout.contains("ruleset-worker"), "{shell} completes what is hidden");
    }
    let script =
        pentad_test_plugins::file("pentad.bash", run(program(["completions", "bash"])).await.stdout.as_bytes());
    let complete =
        "source \"$0\"; COMP_WORDS=(pentad ev); COMP_CWORD=1; _pentad pentad ev pentad; echo \"${COMPREPLY[@]}\"";
    let mut bash = tokio::process::Command::new("bash");
    bash.args(["--norc", "-c", complete]).arg(script);
    let completed = run(bash).await;
    assert_eq!(completed.stdout.trim(), "evaluate", "{completed:?}");
    assert_eq!(run(program(["completions", "tcsh"])).await.code, Some(64));
}

/// There is a manual page for every command.
#[tokio::test]
async fn manual_pages_are_written() {
    let dir = pentad_test_plugins::scratch_dir().join("man");
    let written = run(program(["man", dir.to_str().expect("UTF-8")])).await;
    assert_eq!(written.code, Some(0), "{written:?}");
    let page = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(page("pentad.1").contains(".TH pentad 1"), "{}", page("pentad.1"));
    assert!(page("pentad-serve.1").contains("quota"), "{}", page("pentad-serve.1"));
    assert!(page("pentad-man.1").contains("manual pages"), "{}", page("pentad-man.1"));
    assert!(page("pentad-hint.1").contains("pentad hint pentago"), "{}", page("pentad-hint.1"));
    assert!(!dir.join("pentad-ruleset-worker.1").exists());
}

/// Colours are for terminals, and for nobody who sets `NO_COLOR`.
#[tokio::test]
async fn colours_can_be_turned_off() {
    let plain = printed(["hint", "pentago", WON, "--depth", "2"]).await;
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let with = async |variables: &[(&str, &str)]| {
        let mut command = program(["hint", "pentago", WON, "--depth", "2", "--rulesets"]);
        command.arg(two_games()).envs(variables.iter().copied());
        run(command).await.stdout
    };
    assert!(with(&[("CLICOLOR_FORCE", "1")]).await.contains("\u{1b}[1me1\u{1b}[0m"));
    assert!(!with(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).await.contains('\u{1b}'));
    assert_eq!(ask(["hnit", "pentago"]).await.code, Some(64));
}
