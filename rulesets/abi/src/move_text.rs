//! `pentad/move_text.h`: moves in a player's words.

use crate::extension::extension;
use crate::{MessageTaker, Status, Str};

/// Id of the moves in words.
pub const MOVE_TEXT_1: &str = "pentad.move_text/1";

extension! {
    /// `pentad_move_text_t`: the functions of `pentad.move_text/1`.
    pub struct MoveText(MOVE_TEXT_1, "move_text") {
        /// Gives the message for a move.
        say(variant: u32, position: *const u8, mv: Str, out: *const MessageTaker) -> Status;
    }
}
