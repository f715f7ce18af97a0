//! `impl MoveText`: moves in a player's words.

use pentad_sdk::MoveText;
use pentad_sdk::i18n::Message;

use crate::Pentago;
use crate::i18n;
use crate::notation;
use crate::position::Position;

impl MoveText for Pentago {
    fn say(&self, _position: &Position, mv: &str) -> Option<Message> {
        let mv = notation::read_move(mv).ok()?;
        Some(match (mv.cell(), mv.turn()) {
            (None, _) => i18n::says_pass(),
            (Some(cell), None) => i18n::says_place(cell.to_string()),
            (Some(cell), Some(turn)) if turn.is_clockwise() => {
                i18n::says_place_and_right(cell.to_string(), turn.block() + 1)
            }
            (Some(cell), Some(turn)) => i18n::says_place_and_left(cell.to_string(), turn.block() + 1),
        })
    }
}
