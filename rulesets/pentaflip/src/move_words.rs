//! `impl MoveText`: moves in a player's words.

use pentad_sdk::MoveText;
use pentad_sdk::i18n::Message;

use crate::Pentaflip;
use crate::i18n;
use crate::moves::MoveKind;
use crate::notation;
use crate::position::Position;

impl MoveText for Pentaflip {
    fn say(&self, _position: &Position, mv: &str) -> Option<Message> {
        Some(match notation::read_move(mv).ok()?.kind() {
            MoveKind::Place(cell) => i18n::says_place(cell.to_string()),
            MoveKind::Flip(flip) => i18n::says_flip(flip),
        })
    }
}
