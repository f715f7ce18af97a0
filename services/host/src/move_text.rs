//! The calls of `pentad.move_text/1`: moves in a player's words.

use pentad_abi as abi;
use pentad_model::Violation;
use pentad_model::i18n::Message;

use crate::call::{ErrorSet, check_input};
use crate::error::CallError;
use crate::output::OutputSink;
use crate::position::Position;
use crate::ruleset::{Backend, Ruleset};
use crate::tables::{Tables, non_null};

const CALL: &str = "move_text";

impl Ruleset {
    /// Returns the message that says each of these moves in a player's words; `None` where
    /// the rule set has none. A move is legal in `position` or in a position that is reached
    /// from it. An isolated rule set gets them in one message.
    pub fn say_moves(
        &self,
        variant: usize,
        position: &Position,
        moves: &[&str],
    ) -> Result<Vec<Option<Message>>, CallError> {
        self.position_ptr(CALL, variant, position)?;
        if !self.info.capabilities.move_text {
            return Ok(vec![None; moves.len()]);
        }
        for mv in moves {
            check_input("move", mv, abi::MOVE_LEN_MAX)?;
        }
        match &self.backend {
            Backend::InProcess(tables) => moves.iter().map(|mv| self.say_move(tables, variant, position, mv)).collect(),
            Backend::Worker(worker) => worker.say_moves(self, variant, position, moves),
        }
    }

    fn say_move(
        &self,
        tables: &Tables,
        variant: usize,
        position: &Position,
        mv: &str,
    ) -> Result<Option<Message>, CallError> {
        let (Some(table), Some(catalogue)) = (&tables.move_text, self.catalogue()) else { return Ok(None) };
        let bytes = self.position_ptr(CALL, variant, position)?;
        let mut found = None;
        let sink = OutputSink::new(self.single_message(catalogue, variant, &mut found));
        let taker = sink.message_taker();
        // SAFETY: the table was checked at load; the position is of this variant; move,
        // taker and sink outlive the call.
        let status = unsafe { non_null(table.say)(variant as u32, bytes, abi::Str::new(mv), &raw const taker) };
        match self.check_status(CALL, status, ErrorSet::EXTENSION, None, sink.finish()) {
            Err(CallError::Unsupported) => Ok(None),
            Err(error) => Err(error),
            Ok(_) => match found {
                Some(message) => Ok(Some(message)),
                None => Err(self.fault(CALL, Violation::value("no message for the move"))),
            },
        }
    }
}
