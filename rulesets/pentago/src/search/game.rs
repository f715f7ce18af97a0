//! `impl Game`: Pentago for the generic search, with its move ordering.

use pentad_sdk::Scores;
use pentad_sdk::search::Game;

use crate::Pentago;
use crate::board::lines::{LineCounts, completing_cells};
use crate::board::{Cells, Colour};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::GameResult;
use crate::variant::Edition;

// Ordering scores of a move, by the lines on the board after it.
/// A five of the mover; negative for one of the opponent.
const FIVE: i32 = 100_000;
/// An open line of two; one of three counts four times.
const OWN_LINE: i32 = 12;
const OPPOSING_LINE: i32 = 15;
/// An open line of four.
const OWN_FOUR: i32 = 500;
const OPPOSING_FOUR: i32 = 3_000;
/// The middle of a block.
const CENTRE: i32 = 40;

impl Game for Pentago {
    type Position = Position;
    type Move = Move;

    fn n_seats(&self) -> usize {
        2
    }

    fn to_move(&self, position: &Position) -> usize {
        position.side as usize
    }

    /// Returns a bijective mix of [`Position::code`], so no two positions share a key.
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        pentad_sdk::rng::mix(position.code())
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        self.game_result(position).map(scores)
    }

    /// Generates one of the moves that lead to the same position; a request may still
    /// name others.
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        self.distinct_moves(position, out);
    }

    #[inline]
    fn play(&self, position: &Position, mv: &Move) -> Position {
        self.play_unchecked(position, *mv)
    }

    fn evaluate(&self, position: &Position) -> i32 {
        self.static_value(position)
    }

    /// Scores the lines on the board after the move.
    fn order(&self, position: &Position, mv: &Move) -> i32 {
        let Some(cell) = mv.cell() else { return -FIVE };
        let (mut own, mut opposing) = (position.own().with(cell), position.opposing());
        if let Some(turn) = mv.turn() {
            (own, opposing) = (own.turned(turn), opposing.turned(turn));
        }
        lines_after(own, opposing) + if cell.row() % 3 == 1 && cell.column() % 3 == 1 { CENTRE } else { 0 }
    }

    /// In the Czech edition, generates fives by turning that no reply can answer, and
    /// the replies that save the game. Elsewhere [`winning_move`](Game::winning_move)
    /// finds immediate wins, and nothing else is forcing.
    fn forcing_moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.edition != Edition::Czech {
            return;
        }
        if position.reply {
            out.extend(completing_cells(position.own(), position.empty()).iter_by_bit().map(Move::place));
        } else if position.own().count() >= 4 {
            out.extend(self.five_by_turning(position, LineCounts::of(position.own()), false));
        }
    }

    #[inline]
    fn winning_move(&self, position: &Position) -> Option<Move> {
        self.winning_move(position)
    }

    fn n_slots(&self) -> usize {
        Move::COUNT
    }

    fn slot(&self, mv: &Move) -> usize {
        mv.index()
    }

    /// Returns false: every ply but the last fills a cell.
    fn can_cycle(&self) -> bool {
        false
    }
}

/// Returns the final scores of white and black.
pub(crate) fn scores(result: GameResult) -> Scores {
    Scores::new(&match result.winner() {
        Some(Colour::White) => [1.0, 0.0],
        Some(Colour::Black) => [0.0, 1.0],
        None => [0.5, 0.5],
    })
}

fn lines_after(own: Cells, opposing: Cells) -> i32 {
    let (own_lines, opposing_lines) = (LineCounts::of(own), LineCounts::of(opposing));
    let score = OWN_LINE * own_lines.open_twos_and_threes(opposing_lines)
        - OPPOSING_LINE * opposing_lines.open_twos_and_threes(own_lines);
    if !own_lines.any_four() && !opposing_lines.any_four() {
        return score;
    }
    let fours =
        OWN_FOUR * own_lines.n_open_fours(opposing_lines) - OPPOSING_FOUR * opposing_lines.n_open_fours(own_lines);
    score + fours + FIVE * (i32::from(own.has_five()) - i32::from(opposing.has_five()))
}
