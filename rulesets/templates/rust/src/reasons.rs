//! Why a move is good or bad, in a sentence for players and a code for programs.

use pentad_sdk::{Reason, ReasonCode, Reasons, Report, code_with_points};

use crate::Rules;
use crate::position::Position;
use crate::ruleset::{PLAYERS, cell_name};

impl Reasons for Rules {
    const CODES: &'static [ReasonCode] = &[
        code_with_points("wins", "the move makes three in a row"),
        code_with_points(
            "blocks",
            "the move takes a cell where the opponent would have made three in a row",
        ),
        code_with_points("loses", "the opponent can make three in a row next"),
    ];

    /// Says only what the rules prove: the estimates of the search are not repeated here.
    fn explain(&self, position: &Position, report: &Report<usize>, line_idx: usize) -> Vec<Reason> {
        let (cell, seat) = (
            report.lines[line_idx].moves[0],
            usize::from(position.to_move),
        );
        let opponent = PLAYERS[1 - seat];
        let next = position.play(cell);
        let row = next.rows_of(seat);
        if !row.is_empty() {
            let names = row.into_iter().map(cell_name).collect();
            return vec![Reason::new("wins", "It makes three in a row.", names)];
        }
        let mut reasons = Vec::new();
        let opponents_turn = Position {
            to_move: 1 - position.to_move,
            ..*position
        };
        if opponents_turn.play(cell).winner().is_some() {
            let text = format!("It takes a cell that {opponent} needs for three in a row.");
            reasons.push(Reason::new("blocks", text, vec![cell_name(cell)]));
        }
        if let Some(reply) = next
            .moves()
            .find(|&reply| next.play(reply).winner().is_some())
        {
            let text = format!("{opponent} wins with {}.", cell_name(reply));
            reasons.push(Reason::new("loses", text, vec![cell_name(reply)]));
        }
        reasons
    }
}
