//! `pentad new`: the project of a game, which builds, conforms and can be played as it is.
//!
//! The templates in `rulesets/templates` are projects themselves, of a game named "My
//! Game"; `common` has the texts that all share, with `{{…}}` for what differs.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

/// A file of a project, by its path.
type File = (&'static str, &'static str);

macro_rules! template {
    ($($path:literal),+ $(,)?) => { &[$(($path, include_str!(concat!("../../../rulesets/templates/", $path)))),+] };
}
macro_rules! headers {
    ($($name:literal),+ $(,)?) => {
        &[$((concat!("include/pentad/", $name), include_str!(concat!("../../../rulesets/abi/include/pentad/", $name)))),+]
    };
}

const COMMON: &[File] = template!["common/README.md", "common/AGENTS.md"];
const RUST: &[File] = template![
    "rust/Cargo.toml",
    "rust/src/lib.rs",
    "rust/src/position.rs",
    "rust/src/ruleset.rs",
    "rust/src/layout.rs",
    "rust/src/search.rs",
    "rust/src/reasons.rs",
    "rust/src/tests.rs",
];
const C: &[File] = template!["c/Makefile", "c/my_game.c", "c/my_game.perft"];
const CPP: &[File] = template!["cpp/Makefile", "cpp/my_game.cpp", "cpp/my_game.perft"];
const HEADERS: &[File] = headers![
    "base.h",
    "entry.h",
    "layout.h",
    "messages.h",
    "move_text.h",
    "pentad.h",
    "reasons.h",
    "rules.h",
    "search.h",
    "symmetry.h",
    "threats.h",
];

/// Longest id of a game, in bytes.
const ID_LEN_MAX: usize = pentad_abi::ID_LEN_MAX as usize;

/// Writes a project that builds, passes `pentad check` and can be played as it is.
#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// Id of the game: lower-case letters, digits and `-`. Also the folder's name
    name: String,
    /// Language of the rules
    #[arg(long, value_enum, default_value_t = Lang::Rust)]
    lang: Lang,
    /// Name of the game for players; by default the id with capitals
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Folder to write into; new or empty. By default NAME
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Folder of the crate `pentad-sdk`, for Rust. By default that of the checkout that this
    /// program was built in, if it is there, else the published crate
    #[arg(long, value_name = "DIR")]
    sdk: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Lang {
    Rust,
    C,
    Cpp,
}

pub(super) fn run(args: &NewArgs) -> Result<(), Box<dyn Error>> {
    let id = check_id(&args.name)?;
    let title = match &args.title {
        Some(title) => check_title(title)?,
        None => title_of(id),
    };
    let sdk = match &args.sdk {
        Some(dir) => Some(sdk_at(dir).ok_or_else(|| format!("--sdk: {} has no crate pentad-sdk", dir.display()))?),
        None => std::env::current_exe().ok().and_then(|program| sdk_near(&program)),
    };
    let dir = args.dir.clone().unwrap_or_else(|| PathBuf::from(id));
    if fs::read_dir(&dir).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(format!("{}: the folder is not empty", dir.display()).into());
    }
    for (path, content) in project(args.lang, id, &title, sdk.as_deref()) {
        let path = dir.join(path);
        write_new(&path, &content).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!(
        "{} has the project of {title}: three in a row, until you change its rules.\n\n  \
         pentad dev {}    builds, checks and serves it, again after every change\n\n\
         README.md has the six steps from there to your game; AGENTS.md is for a model that writes it.",
        dir.display(),
        dir.display()
    );
    Ok(())
}

/// The files of a project, with their paths.
fn project(lang: Lang, id: &str, title: &str, sdk: Option<&Path>) -> Vec<(String, String)> {
    let module = id.replace('-', "_");
    let dependency = match sdk {
        // As TOML writes it.
        Some(sdk) => format!("path = {:?}", sdk.display().to_string()),
        None => format!("version = {:?}", crate::VERSION),
    };
    let files = match lang {
        Lang::Rust => RUST.to_vec(),
        Lang::C => [C, HEADERS].concat(),
        Lang::Cpp => [CPP, HEADERS].concat(),
    };
    let filled = |text: &str| {
        let mut text = text.replace("{{sdk}}", &dependency);
        for (key, value) in texts(lang) {
            text = text.replace(&format!("{{{{{key}}}}}"), value);
        }
        text.replace("My Game", title).replace("my-game", id).replace("my_game", &module)
    };
    let own_path = |path: &str| {
        let path = path.split_once('/').filter(|(folder, _)| *folder != "include").map_or(path, |(_, rest)| rest);
        path.replace("my_game", &module)
    };
    let ignored = (".gitignore".to_owned(), "/target\n*.so\n".to_owned());
    let files = COMMON.iter().chain(&files).map(|(path, text)| (own_path(path), filled(text)));
    files.chain([ignored]).collect()
}

/// What stands for `{{…}}` in the common texts.
fn texts(lang: Lang) -> &'static [(&'static str, &'static str)] {
    match lang {
        Lang::Rust => &[
            ("build", "cargo build --release"),
            ("test", "cargo test"),
            ("library", "target/release/libmy_game.so"),
            ("rules", "`src/position.rs`"),
            ("texts", "`src/ruleset.rs`"),
            ("counts", "`src/tests.rs`"),
            (
                "abilities",
                "Each ability is a trait and a word in the last line of `src/lib.rs`: `layout` draws the board, `symmetry` \
                 halves the work, `search` and `reasons` are the SDK's search with your estimate, and why a move is good. \
                 Without a word the server does what it can: it searches by itself and lists moves.",
            ),
            ("optional", "symmetries, the estimate of the search, reasons"),
            ("unbounded", "`None`"),
            ("faults", "A panic is caught, fails that one call and is counted as a fault."),
        ],
        Lang::C | Lang::Cpp => &[
            ("build", "make"),
            ("test", "make check"),
            ("library", "./libmy_game.so"),
            ("rules", "part 1 of the source"),
            ("texts", "parts 2 and 3 and the tables at the end"),
            ("counts", "`my_game.perft`"),
            (
                "abilities",
                "Each ability is a table of functions that `extension` returns; the headers in `include/pentad` are their \
                 documentation. `layout.h` draws the board, `symmetry.h`, `search.h`, `reasons.h` and `threats.h` are optional. \
                 Without `search.h` the server's own search plays the game.",
            ),
            ("optional", "`symmetry.h`, `reasons.h`, `threats.h`"),
            ("unbounded", "0"),
            ("faults", "Every write stays within its bounds: a library that crashes costs its callers their answers."),
        ],
    }
}

/// Writes a file that does not exist yet.
fn write_new(path: &Path, content: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    std::io::Write::write_all(&mut fs::File::create_new(path)?, content.as_bytes())
}

/// Checks what the ABI demands of the id of a game.
fn check_id(name: &str) -> Result<&str, String> {
    let is_letter = |letter: u8| letter.is_ascii_lowercase();
    let is_part = |letter: u8| is_letter(letter) || letter.is_ascii_digit() || letter == b'-';
    if !name.bytes().next().is_some_and(is_letter) || !name.bytes().all(is_part) {
        return Err(format!("`{name}` is no id of a game: lower-case letters, digits and `-`, a letter first"));
    }
    if name.len() > ID_LEN_MAX {
        return Err(format!("`{name}` is longer than {ID_LEN_MAX} characters"));
    }
    Ok(name)
}

/// Checks that a title can stand in the source of every language.
fn check_title(title: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_alphanumeric() || " -'.,!?&".contains(letter);
    if title.trim().is_empty() || title.len() > ID_LEN_MAX || !title.chars().all(is_plain) {
        return Err(format!(
            "--title: {title:?} has to be 1 to {ID_LEN_MAX} bytes of letters, digits, spaces and - ' . , ! ? &"
        ));
    }
    Ok(title.trim().to_owned())
}

/// `nine-holes` is "Nine Holes".
fn title_of(id: &str) -> String {
    let words = id.split('-').filter(|word| !word.is_empty());
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.map(capital).collect::<Vec<_>>().join(" ")
}

/// The SDK of the checkout that a program was built in.
fn sdk_near(program: &Path) -> Option<PathBuf> {
    program.ancestors().skip(1).find_map(|folder| sdk_at(&folder.join("rulesets/sdk")))
}

fn sdk_at(dir: &Path) -> Option<PathBuf> {
    let manifest = fs::read_to_string(dir.join("Cargo.toml")).ok()?;
    manifest.contains("name = \"pentad-sdk\"").then(|| fs::canonicalize(dir).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a text has a `{{key}}`. Initialisers in C have such braces as well.
    fn has_placeholder(text: &str) -> bool {
        let is_key = |key: &str| !key.is_empty() && key.bytes().all(|letter| letter.is_ascii_lowercase());
        text.split("{{").skip(1).any(|rest| rest.split_once("}}").is_some_and(|(key, _)| is_key(key)))
    }

    /// Nothing of the templates' own names is left, and headers are complete.
    #[test]
    fn projects_have_the_names_of_the_game() {
        assert!(has_placeholder("{ {{sdk}} }") && !has_placeholder("{{1, 0}, {0, 1}}"));
        for lang in [Lang::Rust, Lang::C, Lang::Cpp] {
            let files = project(lang, "nine-holes", "Nine Holes", Some(Path::new("/sdk")));
            for (path, text) in &files {
                let kept = ["my-game", "my_game", "My Game"];
                let left =
                    kept.into_iter().find(|word| path.contains(word) || (!path.ends_with(".h") && text.contains(word)));
                assert_eq!(left, None, "{lang:?}: {path}");
                assert!(!has_placeholder(text), "{lang:?}: {path}");
            }
            let has = |path: &str| files.iter().any(|(it, _)| it == path);
            assert!(has("README.md") && has("AGENTS.md") && has(".gitignore"));
            assert!(has(if lang == Lang::Rust { "src/tests.rs" } else { "include/pentad/pentad.h" }));
        }
        let all = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulesets/abi/include/pentad")).unwrap();
        let listed = |name: &str| HEADERS.iter().any(|(path, _)| path.ends_with(name));
        all.for_each(|header| assert!(listed(header.unwrap().file_name().to_str().unwrap())));
    }

    #[test]
    fn names_are_checked() {
        assert_eq!(title_of("nine-mens-morris"), "Nine Mens Morris");
        for name in ["", "Hex", "9-men", "-hex", "hex game", "hex/../x", &"x".repeat(65)] {
            assert!(check_id(name).is_err(), "{name}");
        }
        assert!(check_title("L'Attaque!").is_ok() && check_title("a \"quote\"").is_err() && check_title(" ").is_err());
    }
}
