//! The help of the command line: commands by subject, examples, settings by subject.
//!
//! The server's settings are flags of `pentad` itself, so that `pentad --watch` serves;
//! there they are hidden, and `pentad serve --help` shows them.

use std::fmt::Write as _;

use anstyle::{Effects, Style};
use clap::{Arg, ArgAction, Command, CommandFactory as _};

use super::Arguments;

/// Commands by subject, in the order of the help. A test finds those that are missing.
const SUBJECTS: &[(&str, &[&str])] = &[
    ("Positions", &["hint", "evaluate", "compare", "threats", "explore", "position", "moves"]),
    ("Games", &["play", "review", "judge", "puzzles", "selfplay", "match", "report"]),
    ("Service", &["serve", "games", "health", "preflight", "token", "store", "import", "batch", "mcp"]),
    ("Rule sets", &["new", "dev", "check", "perft", "bench"]),
    ("Shell", &["completions", "man"]),
];

/// Commands that load rule sets.
const LOADING: &[&str] = &[
    "hint", "evaluate", "compare", "threats", "explore", "position", "moves", "play", "review", "judge", "puzzles",
    "selfplay", "games", "import", "batch", "mcp",
];

/// Examples, one or two lines each, that work as they stand with the bundled games. Tests
/// parse them.
const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "hint",
        &[
            r#"pentad hint pentago "wwww2/6/bbbb2/6/6/6 w""#,
            "pentad hint pentago --moves c3-2r,d4-1l --time-ms 3000 --count 5",
            "pentad hint ./libmine.so",
            "pentad hint pentago --server http://localhost:8080",
        ],
    ),
    ("evaluate", &["pentad evaluate pentago --moves c3-2r --time-ms 2000"]),
    ("compare", &["pentad compare pentago --moves c3-2r --compare-moves d4-1l,c4-1r"]),
    ("threats", &[r#"pentad threats pentago "wwww2/6/bbbb2/6/6/6 w" --json"#]),
    ("explore", &["pentad explore pentago --count 10 --store games.redb"]),
    ("position", &["pentad position pentaflip"]),
    ("moves", &["pentad moves pentago --prefix c3- --texts"]),
    (
        "play",
        &[
            "pentad play pentago",
            "pentad play pentago-xl --variant ffa3 --seats person,level7,level7",
            "pentad play pentago --load game.txt --server http://localhost:8080",
        ],
    ),
    (
        "review",
        &[
            "pentad review pentago game.txt --html review.html",
            "pentad review pentago --moves c3-2r,d4-1l,a1-3r --time-ms 200",
        ],
    ),
    ("judge", &["pentad judge games.ndjson --time-ms 500 --json"]),
    ("puzzles", &["pentad puzzles pentago -n 3 --plies 3 --seed 7"]),
    (
        "selfplay",
        &[
            "pentad selfplay pentago --games 100 --output games.ndjson",
            "pentad selfplay pentago --seats random,level3 --games 100 --output games.ndjson",
        ],
    ),
    ("import", &["pentad import games.ndjson --store games.redb"]),
    ("batch", &["pentad batch questions.ndjson --output answers.ndjson"]),
    ("mcp", &["pentad mcp", "pentad mcp --tools games,position --server http://localhost:8080"]),
    ("new", &["pentad new hex --lang rust", r#"pentad new nine-holes --lang c --title "Nine Holes""#]),
    ("dev", &["pentad dev hex", "pentad dev . --build 'ninja' --library build/libhex.so"]),
    ("check", &["pentad check ./libmine.so --games 400"]),
    ("serve", &["pentad serve --rulesets bundled --rulesets ./mine --watch", "pentad --store answers.redb"]),
    ("token", &["pentad token alice --cpu-ms-per-second 500 >> tokens"]),
    ("completions", &["pentad completions bash > /etc/bash_completion.d/pentad"]),
    ("man", &["pentad man /usr/local/share/man/man1"]),
];

/// The command line, with its help.
pub(super) fn command() -> Command {
    let mut command = Arguments::command();
    let names: Vec<String> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    for name in &names {
        command = command.mut_subcommand(name, |sub| explained(sub, name));
    }
    let template = template(&command);
    command.help_template(template)
}

/// The command line without what is hidden, for completions.
pub(super) fn visible() -> Command {
    let all = command();
    let shown = all.get_subcommands().filter(|it| !it.is_hide_set()).cloned();
    let (version, about) = (all.get_version().unwrap_or_default().to_owned(), all.get_about().cloned());
    let visible = Command::new("pentad").version(version).about(about.unwrap_or_default());
    visible.disable_help_subcommand(true).args(all.get_arguments().cloned()).subcommands(shown)
}

/// Adds examples, and the settings that most callers of a command need.
fn explained(command: Command, name: &str) -> Command {
    let examples = EXAMPLES.iter().find(|(it, _)| *it == name).map_or(&[][..], |(_, examples)| *examples);
    let mut after = String::new();
    if !examples.is_empty() {
        let _ = write!(after, "{}\n  {}", heading("Examples:"), examples.join("\n  "));
    }
    if !LOADING.contains(&name) {
        return if after.is_empty() { command } else { command.after_help(after) };
    }
    let _ = write!(after, "\n\nThe server's settings apply as well, as flags or variables: `pentad serve --help`.");
    let rulesets = Arg::new("rulesets")
        .long("rulesets")
        .value_name("DIR")
        .action(ArgAction::Append)
        .help("Directory of rule sets, `bundled` by default; may be repeated [environment PENTAD_RULESETS]")
        .help_heading("Settings");
    command.arg(rulesets).after_help(after.trim_start().to_owned())
}

/// The top level: usage, commands by subject, the few options that are not settings.
fn template(command: &Command) -> String {
    let about = |name: &str| {
        let found = command.get_subcommands().find(|it| it.get_name() == name && !it.is_hide_set())?;
        Some(found.get_about().map(ToString::to_string).unwrap_or_default())
    };
    let mut text = format!(
        "{{about}}\n\n{}\n  pentad [SETTINGS]             serves until SIGTERM or SIGINT\n  pentad COMMAND [ARGUMENTS]    runs a command; \
         `pentad COMMAND --help` explains it\n",
        heading("Usage:")
    );
    for (subject, names) in SUBJECTS {
        let lines: Vec<String> =
            names.iter().filter_map(|name| Some(format!("  {name:<12} {}\n", about(name)?))).collect();
        if !lines.is_empty() {
            let _ = write!(text, "\n{}\n{}", heading(&format!("{subject}:")), lines.concat());
        }
    }
    let _ = write!(
        text,
        "\n{}\n{{options}}\n\n\
         The server's settings are flags, variables (PENTAD_…) or a file (--config): `pentad serve --help`.\n\
         Commands take a rule set's file in place of a game, and most ask a server with --server URL.\n",
        heading("Options:")
    );
    text
}

/// In the style of clap's own headings, which it drops in a pipe.
fn heading(text: &str) -> String {
    let style = Style::new().effects(Effects::BOLD | Effects::UNDERLINE);
    format!("{}{text}{}", style.render(), style.render_reset())
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    /// Every command has a subject, and its line fits a terminal.
    #[test]
    fn every_command_has_a_subject() {
        let command = command();
        for sub in command.get_subcommands().filter(|it| !it.is_hide_set()) {
            let name = sub.get_name();
            let n_subjects = SUBJECTS.iter().filter(|(_, names)| names.contains(&name)).count();
            assert_eq!(n_subjects, 1, "`{name}` needs a line in SUBJECTS");
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(about.len() <= 84, "{name}: {about}");
        }
    }

    /// Every example is a valid command line.
    #[test]
    fn examples_are_valid() {
        for (name, examples) in EXAMPLES {
            for example in *examples {
                let line = example.split(" > ").next().unwrap_or_default().split(" >> ").next().unwrap_or_default();
                // Quoted parts are the odd ones.
                let words = line.split('"').enumerate().flat_map(|(idx, part)| match idx % 2 {
                    1 => vec![part],
                    _ => part.split_whitespace().collect(),
                });
                let matches =
                    command().try_get_matches_from(words).unwrap_or_else(|error| panic!("{example}: {error}"));
                assert!(Arguments::from_arg_matches(&matches).is_ok(), "{example}");
                let is_its = matches.subcommand_name().is_none_or(|it| it == *name);
                assert!(is_its, "{example} is not an example of {name}");
            }
        }
    }

    /// No help names a type of the program, or has a setting twice.
    #[test]
    fn help_is_for_users() {
        let mut command = command();
        command.build();
        for sub in std::iter::once(&command).chain(command.get_subcommands()) {
            let text = sub.clone().render_long_help().to_string();
            for word in ["EffectiveConfig", "SettingFlags", "ServeFlags", "Args", "PathBuf", "Option<"] {
                assert!(!text.contains(word), "{}: {word} in\n{text}", sub.get_name());
            }
            let n_rulesets = text.lines().filter(|line| line.trim_start().starts_with("--rulesets")).count();
            assert!(n_rulesets <= 1, "{text}");
        }
    }
}
