//! Who plays a seat: a person, a level of the engine, or a player to measure others by.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use pentad_model::rng::mix;
use serde::Deserialize;

use super::client::{Call, Client, Failure, Question};
use crate::answers::{MovesAnswer, ThreatsAnswer};

/// A player of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    /// Types the moves.
    Person,
    /// Plays any legal move.
    Random,
    /// Wins at once if it can, else stops the wins at once of others if it can, else plays
    /// any legal move.
    Greedy,
    /// 1 to 10.
    Level(u8),
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        match text {
            "person" => Ok(Player::Person),
            "random" => Ok(Player::Random),
            "greedy" => Ok(Player::Greedy),
            _ => {
                let level = text.strip_prefix("level").unwrap_or(text).parse().ok();
                let level = level.filter(|level| (1..=10).contains(level)).map(Player::Level);
                level.ok_or_else(|| format!("`{text}` is none of person, random, greedy, level1 to level10"))
            }
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Person => f.write_str("person"),
            Player::Random => f.write_str("random"),
            Player::Greedy => f.write_str("greedy"),
            Player::Level(level) => write!(f, "level{level}"),
        }
    }
}

/// Parses `person,level7`.
pub(super) fn parse_players(text: &str) -> Result<Vec<Player>, String> {
    text.split(',').map(|player| player.trim().parse()).collect()
}

/// How much a level may search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveLimits {
    pub(super) time_ms: Option<u64>,
    pub(super) nodes: Option<u64>,
}

#[derive(Deserialize)]
struct Chosen {
    hints: Vec<ChosenMove>,
}

#[derive(Deserialize)]
struct ChosenMove {
    r#move: String,
}

impl Player {
    /// Chooses a move of the position in question; `None` if the game is over, or for a
    /// person. The same seed gives the same choice.
    pub(super) async fn choose(
        self,
        client: &Client,
        game: &str,
        question: &Question,
        limits: MoveLimits,
        seed: u64,
    ) -> Result<Option<String>, Box<dyn Error>> {
        match self {
            Player::Person => Ok(None),
            Player::Random => any_move(client, game, question, seed).await,
            Player::Greedy => greedy_move(client, game, question, seed).await,
            Player::Level(level) => {
                let question = question.clone().with("level", Some(level)).with("detail", Some("move"));
                let question = question.with("seed", Some(seed)).with_limits(limits.time_ms, limits.nodes, None);
                match client.ask(game, Call::HINTS, &question).await {
                    Ok(answer) => Ok(answer.read::<Chosen>()?.hints.into_iter().next().map(|hint| hint.r#move)),
                    Err(failure) => unless_over(failure).map(|()| None),
                }
            }
        }
    }
}

/// Wins at once if it can, else stops such wins of others.
async fn greedy_move(
    client: &Client,
    game: &str,
    question: &Question,
    seed: u64,
) -> Result<Option<String>, Box<dyn Error>> {
    let answer: ThreatsAnswer = client.ask(game, Call::THREATS, question).await?.read()?;
    if let Some(win) = answer.threats.iter().find(|threat| threat.seat == answer.to_move) {
        return Ok(Some(win.r#move.clone()));
    }
    match pick(&answer.stops_all, seed) {
        Some(stop) => Ok(Some(stop.clone())),
        None => any_move(client, game, question, seed).await,
    }
}

/// Any legal move, each as likely as the others.
async fn any_move(
    client: &Client,
    game: &str,
    question: &Question,
    seed: u64,
) -> Result<Option<String>, Box<dyn Error>> {
    let mut page_token = None;
    let mut n_before = 0;
    loop {
        let question = question.clone().with("pageToken", page_token);
        let page: MovesAnswer = client.ask(game, Call::MOVES, &question).await?.read()?;
        if page.total == 0 {
            return Ok(None);
        }
        let at = mix(seed) % page.total;
        if let Some(mv) = usize::try_from(at - n_before).ok().and_then(|at| page.moves.get(at)) {
            return Ok(Some(mv.clone()));
        }
        n_before += page.moves.len() as u64;
        if page.next_page_token.is_empty() {
            return Err(format!("move {at} of {} is on no page", page.total).into());
        }
        page_token = Some(page.next_page_token);
    }
}

fn pick<T>(items: &[T], seed: u64) -> Option<&T> {
    items.get((mix(seed) % items.len().max(1) as u64) as usize)
}

/// Passes on every failure but that the game is over.
fn unless_over(failure: Failure) -> Result<(), Box<dyn Error>> {
    match failure.problem() {
        Some(problem) if problem.reason == "game_over" => Ok(()),
        _ => Err(failure.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named() {
        let named = parse_players("person, level7,random,greedy,10").expect("players");
        assert_eq!(named, [Player::Person, Player::Level(7), Player::Random, Player::Greedy, Player::Level(10)]);
        for bad in ["", "level0", "level11", "11", "human"] {
            let error = parse_players(bad).expect_err(bad);
            assert!(error.contains("is none of person"), "{error}");
        }
        let again: Vec<Player> = named.iter().map(|it| it.to_string().parse().expect("a player")).collect();
        assert_eq!(again, named);
    }
}
