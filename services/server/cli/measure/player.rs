//! A player of measured games: a rule set, a level and limits.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use pentad_engine::{Caller, Class, Detail, Engine, HintQuestion, PositionSpec};
use pentad_host::Ruleset;

use super::load;
use crate::cli::position::LogFaults;
use crate::config::Config;

/// Nodes per move if neither time nor nodes are given.
const DEFAULT_NODES: u64 = 20_000;

/// A player, as the command line describes it: `GAME|FILE[,level=N][,nodes=N][,time-ms=MS]`.
pub(super) struct Player {
    pub(super) name: String,
    pub(super) ruleset: Arc<Ruleset>,
    engine: Arc<Engine>,
    strength: Strength,
}

/// How strong a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    pub(super) level: u8,
    pub(super) nodes: Option<u64>,
    pub(super) time_ms: Option<u64>,
}

impl Player {
    pub(super) fn new(description: &str, config: &Config) -> Result<Player, Box<dyn Error>> {
        let (game, strength) = parse(description)?;
        Player::with_strength(description, game, strength, config)
    }

    pub(super) fn with_strength(
        name: &str,
        game: &str,
        strength: Strength,
        config: &Config,
    ) -> Result<Player, Box<dyn Error>> {
        let ruleset = load(game, config)?;
        let engine = Engine::new(config.engine(), vec![Arc::clone(&ruleset)], Arc::new(LogFaults));
        Ok(Player { name: name.to_owned(), ruleset, engine, strength })
    }

    /// Chooses a move; the seed decides below level 10.
    pub(super) async fn choose(&self, spec: &PositionSpec, seed: u64) -> Result<String, Box<dyn Error>> {
        let Strength { level, nodes, time_ms } = self.strength;
        let mut question = HintQuestion::new(PositionSpec { game: self.ruleset.info().id.clone(), ..spec.clone() });
        (question.level, question.seed, question.detail) = (level, Some(seed), Detail::Move);
        question.limits.time = time_ms.map(Duration::from_millis);
        question.limits.nodes = nodes.or_else(|| time_ms.is_none().then_some(DEFAULT_NODES));
        let hints = self.engine.hint(&question, Caller { class: Class::Bulk, ..Caller::now() }).await?;
        let best = hints.hints.into_iter().next().ok_or("a hint without a move")?;
        Ok(best.mv)
    }
}

fn parse(description: &str) -> Result<(&str, Strength), String> {
    let mut parts = description.split(',');
    let game = parts.next().unwrap_or_default();
    let mut strength = Strength { level: 10, nodes: None, time_ms: None };
    for part in parts {
        let bad = || format!("`{part}` in `{description}`: expected level=1..10, nodes=N or time-ms=MS");
        let (name, value) = part.split_once('=').ok_or_else(bad)?;
        let number: u64 = value.parse().map_err(|_| bad())?;
        match name {
            "level" if (1..=10).contains(&number) => strength.level = number as u8,
            "nodes" if number > 0 => strength.nodes = Some(number),
            "time-ms" if number > 0 => strength.time_ms = Some(number),
            _ => return Err(bad()),
        }
    }
    Ok((game, strength))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player is a game or file with a level and limits; a bad part is named.
    #[test]
    fn players_are_described() {
        let strength = |level, nodes, time_ms| Strength { level, nodes, time_ms };
        assert_eq!(parse("pentago"), Ok(("pentago", strength(10, None, None))));
        assert_eq!(parse("./libx.so,level=3,nodes=500"), Ok(("./libx.so", strength(3, Some(500), None))));
        assert_eq!(parse("pentago,time-ms=50"), Ok(("pentago", strength(10, None, Some(50)))));
        for bad in ["pentago,level=11", "pentago,speed=3", "pentago,nodes=many", "pentago,fast"] {
            assert!(parse(bad).is_err_and(|error| error.contains(bad.split(',').nth(1).unwrap())), "{bad}");
        }
    }
}
