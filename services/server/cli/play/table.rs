//! The game at the prompt: its moves, its players, the position.

use std::error::Error;

use crate::answers::{GameView, PositionAnswer};
use crate::cli::client::{Call, Client, Failure, Question};
use crate::cli::game_text::GameText;
use crate::cli::players::Player;

pub(super) struct Table {
    pub(super) game: GameView,
    /// In playing order.
    pub(super) players: Vec<Player>,
    /// Position that the game began with; `None` for the start.
    start: Option<String>,
    pub(super) moves: Vec<String>,
    /// Ids of the seats that made them, as far as they were made here.
    movers: Vec<String>,
    /// After the moves.
    pub(super) position: PositionAnswer,
}

impl Table {
    pub(super) async fn set_up(
        client: &Client,
        game: GameView,
        text: GameText,
        players: Vec<Player>,
    ) -> Result<Table, Box<dyn Error>> {
        let GameText { position: start, moves, .. } = text;
        let (movers, position) = replay(client, &game, start.as_deref(), &moves).await?;
        Ok(Table { game, players, start, moves, movers, position })
    }

    /// Continues another game of this variant.
    pub(super) async fn load(&mut self, client: &Client, text: GameText) -> Result<(), Box<dyn Error>> {
        let variant = &self.game.variant.id;
        if let Some(other) = text.variant.as_ref().filter(|it| *it != variant) {
            return Err(format!("it is a game of the variant {other}, not of {variant}").into());
        }
        let GameText { position: start, moves, .. } = text;
        let (movers, position) = replay(client, &self.game, start.as_deref(), &moves).await?;
        (self.start, self.moves, self.movers, self.position) = (start, moves, movers, position);
        Ok(())
    }

    /// The fields of questions about the position.
    pub(super) fn question(&self) -> Question {
        question(&self.game, self.start.as_deref(), &self.moves)
    }

    /// `None` if the game is over.
    pub(super) fn player_to_move(&self) -> Option<Player> {
        if self.position.outcome.is_some() {
            return None;
        }
        self.player(&self.position.to_move)
    }

    pub(super) async fn play(&mut self, client: &Client, mv: &str) -> Result<(), Failure> {
        let mut moves = self.moves.clone();
        moves.push(mv.to_owned());
        let question = question(&self.game, self.start.as_deref(), &moves);
        let position = client.ask(&self.game.id, Call::POSITION, &question).await?.read()?;
        let before = std::mem::replace(&mut self.position, position);
        self.movers.push(before.to_move);
        self.moves = moves;
        Ok(())
    }

    /// Takes back the moves since a person last moved.
    pub(super) async fn undo(&mut self, client: &Client) -> Result<(), Box<dyn Error>> {
        let is_person = |seat: &String| self.player(seat) == Some(Player::Person);
        let n_kept = self.movers.iter().rposition(is_person).ok_or("there is no move of yours to take back")?;
        let question = question(&self.game, self.start.as_deref(), &self.moves[..n_kept]);
        self.position = client.ask(&self.game.id, Call::POSITION, &question).await?.read()?;
        self.moves.truncate(n_kept);
        self.movers.truncate(n_kept);
        Ok(())
    }

    pub(super) fn text(&self) -> String {
        let text = GameText {
            game: Some(self.game.id.clone()),
            variant: Some(self.game.variant.id.clone()),
            position: self.start.clone(),
            moves: self.moves.clone(),
        };
        let result = self.position.outcome.as_ref().map(|outcome| outcome.text.as_str());
        text.write(self.game.variant.seats.len(), result)
    }

    fn player(&self, seat: &str) -> Option<Player> {
        let idx = self.game.variant.seats.iter().position(|it| it == seat)?;
        self.players.get(idx).copied()
    }
}

fn question(game: &GameView, start: Option<&str>, moves: &[String]) -> Question {
    Question::default().with("variant", Some(game.variant.id.as_str())).with("position", start).with_moves(moves)
}

/// Asks for the positions of a game; returns who made the moves, and the last position.
async fn replay(
    client: &Client,
    game: &GameView,
    start: Option<&str>,
    moves: &[String],
) -> Result<(Vec<String>, PositionAnswer), Box<dyn Error>> {
    // All at once, so that an error names the move.
    let last = client.ask(&game.id, Call::POSITION, &question(game, start, moves)).await?.read()?;
    let mut movers = Vec::new();
    for n_played in 0..moves.len() {
        let question = question(game, start, &moves[..n_played]);
        let position: PositionAnswer = client.ask(&game.id, Call::POSITION, &question).await?.read()?;
        movers.push(position.to_move);
    }
    Ok((movers, last))
}
