//! Measurements of a game and of its players: `pentad perft`, `bench`, `match` and `report`.
//!
//! | module | command |
//! | --- | --- |
//! | `perft` | numbers of move sequences, or a table of them |
//! | `bench` | calls per second of each function, and nodes per second of the search |
//! | `duel` | `match`: two players against each other, with Elo and SPRT |
//! | `elo` | the difference in strength, its error, and the test |
//! | `report` | what self-play says about a game: first-move advantage, draws, length, branching |
//! | `chart` | its page with charts |
//! | `player` | a player: a rule set with a level and limits |

pub(super) mod bench;
mod chart;
pub(super) mod duel;
mod elo;
pub(super) mod perft;
mod player;
pub(super) mod report;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use pentad_host::{Position, Ruleset};

use crate::config::Config;
use crate::rulesets::{self, Found};

/// Loads a rule set into this process, where calls cost least: from a file, or that of a
/// game that would be served.
fn load(game_or_file: &str, config: &Config) -> Result<Arc<Ruleset>, Box<dyn Error>> {
    let path = Path::new(game_or_file);
    if game_or_file.contains('/') || path.is_file() {
        return Ok(Ruleset::load(path, None)?);
    }
    let Found { rulesets, .. } = rulesets::load(config, &super::this_program_as_worker())?;
    let known: Vec<&str> = rulesets.iter().map(|ruleset| ruleset.info().id.as_str()).collect();
    let found = rulesets.iter().find(|ruleset| ruleset.info().id == game_or_file);
    let found = found.ok_or_else(|| {
        format!(
            "no game `{game_or_file}`; there are {}. A file is given by its path, as ./libgame.so",
            known.join(", ")
        )
    })?;
    if found.is_isolated() { Ok(Ruleset::load(&found.info().path, None)?) } else { Ok(Arc::clone(found)) }
}

/// Returns the index of a variant; that of the default for an empty id.
fn variant_of(ruleset: &Ruleset, id: &str) -> Result<usize, String> {
    if id.is_empty() {
        return Ok(0);
    }
    let known = || ruleset.variants().iter().map(|variant| variant.id.as_str()).collect::<Vec<_>>().join(", ");
    ruleset.variant_idx(id).ok_or_else(|| format!("no variant `{id}`; there are {}", known()))
}

/// Returns the position of a text, or the start.
fn position_of(ruleset: &Ruleset, variant: usize, text: Option<&str>) -> Result<Position, String> {
    match text {
        Some(text) => ruleset.parse(variant, text).map_err(|error| format!("position `{text}`: {error}")),
        None => ruleset.start(variant).map_err(|error| error.to_string()),
    }
}

/// Returns all legal moves.
fn legal_moves(ruleset: &Ruleset, variant: usize, position: &Position) -> Result<Vec<String>, pentad_host::CallError> {
    let mut moves = Vec::new();
    let _complete = ruleset.legal_moves(variant, position, "", &mut |mv| {
        moves.push(mv.to_owned());
        std::ops::ControlFlow::Continue(())
    })?;
    Ok(moves)
}
