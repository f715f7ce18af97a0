//! A position as every result has it: its text, whose turn it is, how the game ended, and
//! the board. A model that sees a result never has to remember the position.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::super::routes::{self, NoAnswer, Routes};
use crate::answers::{GameView, PositionAnswer, drawn};
use crate::calls::game_path;

/// The media type of diagrams.
pub(in crate::mcp) const DIAGRAM_TYPE: &str = "image/svg+xml";

/// A position, and the game that it belongs to.
pub(super) struct State {
    pub(super) game: GameView,
    position: PositionAnswer,
    /// The answer of `position`.
    pub(super) answer: Map<String, Value>,
    diagram: String,
}

impl State {
    /// Asks for the position that the fields of a question name.
    pub(super) async fn fetch(
        routes: &dyn Routes,
        game: &str,
        question: &Map<String, Value>,
    ) -> Result<State, NoAnswer> {
        let unreadable = |message: String| NoAnswer::Failure(format!("the answer cannot be read: {message}"));
        let place = question.iter().filter(|(name, _)| ["variant", "position", "moves"].contains(&name.as_str()));
        let place = place.map(|(name, value)| (name.clone(), value.clone())).collect();
        // First, because its errors name the field.
        let answer = routes::post(routes, &format!("{}/position", game_path(game)), &place).await?;
        let described = routes::get(routes, &game_path(game)).await?;
        let described = serde_json::from_value(described).map_err(|error| unreadable(error.to_string()))?;
        let variant = question.get("variant").and_then(Value::as_str).unwrap_or_default();
        let game = GameView::new(described, variant).map_err(unreadable)?;
        let position: PositionAnswer =
            serde_json::from_value(answer.clone()).map_err(|error| unreadable(error.to_string()))?;
        let diagram = drawn(&game, &position).unwrap_or_default();
        let Value::Object(answer) = answer else { return Err(unreadable("it is no object".to_owned())) };
        Ok(State { game, position, answer, diagram })
    }

    /// Returns the fields that every result has.
    pub(super) fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("game".to_owned(), self.game.id.clone().into());
        fields.insert("variant".to_owned(), self.game.variant.id.clone().into());
        for name in ["position", "toMove", "outcome", "legalMoveCount"] {
            fields.insert(name.to_owned(), self.answer.get(name).cloned().unwrap_or_default());
        }
        fields.insert("diagram".to_owned(), self.diagram.clone().into());
        fields
    }

    /// Writes the position for a model.
    pub(super) fn text(&self) -> String {
        let State { game, position, diagram, .. } = self;
        let heading = format!("{} ({}), variant {}", game.name, game.id, game.variant.id);
        let state = match &position.outcome {
            Some(outcome) => format!("The game is over: {}", outcome.text),
            None => {
                let (name, seat) = (game.variant.seat_name(&position.to_move), &position.to_move);
                format!("{name} ({seat}) to move; {} legal moves.", position.legal_move_count)
            }
        };
        let board = if diagram.is_empty() { String::new() } else { format!("\n{diagram}\n") };
        format!("{heading}\nPosition: {}\n{board}{state}\n", position.position)
    }

    /// Returns a link to a picture of the position.
    pub(super) fn diagram_link(&self) -> Value {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let (variant, position) = (encoded(&self.game.variant.id), encoded(&self.position.position));
        json!({
            "type": "resource_link",
            // Ids of games need no encoding.
            "uri": format!("pentad://games/{}/diagram.svg?variant={variant}&position={position}", self.game.id),
            "name": "diagram.svg",
            "title": "Diagram",
            "description": "The position as a picture, for people.",
            "mimeType": DIAGRAM_TYPE,
        })
    }
}
