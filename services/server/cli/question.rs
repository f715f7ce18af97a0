//! Arguments of the commands that ask the API about a game.

use std::error::Error;

use clap::Args;

use super::client::{self, Call, Client, Question, ServerArgs};
use super::position::PositionArgs;
use crate::answers::{GameView, PositionAnswer};
use crate::config::Config;

/// A position, and where to ask about it.
#[derive(Debug, Args)]
pub(super) struct QuestionArgs {
    #[command(flatten)]
    pub(super) position: PositionArgs,
    #[command(flatten)]
    server: ServerArgs,
}

/// Limits of a search.
#[derive(Debug, Args)]
pub(super) struct LimitArgs {
    /// Time limit in milliseconds
    #[arg(long, value_name = "MS")]
    pub(super) time_ms: Option<u64>,
    /// Limit on the positions visited
    #[arg(long, value_name = "N")]
    pub(super) nodes: Option<u64>,
    /// Limit on the plies searched
    #[arg(long, value_name = "N")]
    pub(super) depth: Option<u32>,
}

impl LimitArgs {
    pub(super) fn add_to(&self, question: Question) -> Question {
        question.with_limits(self.time_ms, self.nodes, self.depth)
    }
}

impl QuestionArgs {
    /// Runs a command with a client and the game's id.
    pub(super) fn run(
        &self,
        config: &Config,
        work: impl AsyncFnOnce(&Client, &str) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        client::with_client(&self.server, &self.position.game, self.position.language(), config, work)
    }

    /// The fields that every question has.
    pub(super) fn question(&self) -> Question {
        self.position.question()
    }

    /// Asks for the game and the position, for texts.
    pub(super) async fn describe(
        &self,
        client: &Client,
        game: &str,
    ) -> Result<(GameView, PositionAnswer), Box<dyn Error>> {
        // First, because its errors name the field.
        let position = client.ask(game, Call::POSITION, &self.question()).await?.read()?;
        Ok((client.game_view(game, &self.position.variant).await?, position))
    }
}
