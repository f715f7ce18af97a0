//! `impl MoveText`: moves in a player's words.

use pentad_sdk::MoveText;
use pentad_sdk::i18n::Message;

use crate::PentagoXl;
use crate::i18n;
use crate::notation;
use crate::position::Position;

impl MoveText for PentagoXl {
    fn say(&self, _position: &Position, mv: &str) -> Option<Message> {
        let mv = notation::parse_move_text(mv).ok()?;
        let cell = mv.cell().to_string();
        Some(match mv.turn() {
            None => i18n::says_place(cell),
            Some(turn) if turn.is_clockwise() => i18n::says_place_and_right(cell, turn.block() + 1),
            Some(turn) => i18n::says_place_and_left(cell, turn.block() + 1),
        })
    }
}
