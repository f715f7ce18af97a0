//! Pentago as the generic search sees it.

use pentad_sdk::Scores;
use pentad_sdk::search::Game;

use crate::Pentago;
use crate::board::{Cells, Colour};
use crate::lines::{Filled, completing};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Verdict;
use crate::variant::Edition;

/// Order: a five of one's own, and one for the opponent.
const FIVE: i32 = 100_000;
/// Order: an open line of two; one of three counts four times. The opponent's
/// that are left count a little more.
const BUILT: i32 = 12;
const LEFT: i32 = 15;
/// Order: an open line of four.
const BUILT_FOUR: i32 = 500;
const LEFT_FOUR: i32 = 3_000;
/// Order: the middle of a block.
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

    /// Mixes [`Position::code`], so no two positions share a key.
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        pentad_sdk::search::rng::mix(position.code())
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        self.verdict(position).map(scores)
    }

    /// One of those that lead to the same position; the search takes others
    /// where the request names them.
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

    /// By the lines on the board that the move leads to.
    fn order(&self, position: &Position, mv: &Move) -> i32 {
        let Some(cell) = mv.cell() else { return -FIVE };
        let (mut own, mut opposing) = (position.own().with(cell), position.opposing());
        if let Some(turn) = mv.turn() {
            (own, opposing) = (own.turned(turn), opposing.turned(turn));
        }
        lines_after(own, opposing) + if cell.row() % 3 == 1 && cell.column() % 3 == 1 { CENTRE } else { 0 }
    }

    /// In the Czech edition, a five by turning that no reply can answer, and
    /// the replies that save the game. Elsewhere a win at hand is found by
    /// [`winning_move`](Game::winning_move), and nothing else forces.
    fn forcing_moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.edition != Edition::Czech {
            return;
        }
        if position.reply {
            out.extend(completing(position.own(), position.empty()).bits().map(Move::place));
        } else if position.own().count() >= 4 {
            out.extend(self.five_by_turning(position, Filled::of(position.own()), false));
        }
    }

    #[inline]
    fn winning_move(&self, position: &Position) -> Option<Move> {
        self.win_in_one(position)
    }

    fn n_slots(&self) -> usize {
        Move::COUNT
    }

    fn slot(&self, mv: &Move) -> usize {
        mv.index()
    }

    /// Every ply but the last fills a cell.
    fn can_cycle(&self) -> bool {
        false
    }
}

/// What an end is worth to both.
pub(crate) fn scores(verdict: Verdict) -> Scores {
    Scores::new(&match verdict.winner() {
        Some(Colour::White) => [1.0, 0.0],
        Some(Colour::Black) => [0.0, 1.0],
        None => [0.5, 0.5],
    })
}

fn lines_after(own: Cells, opposing: Cells) -> i32 {
    let (built, left) = (Filled::of(own), Filled::of(opposing));
    let score = BUILT * built.twos_and_threes(left) - LEFT * left.twos_and_threes(built);
    if !built.any_four() && !left.any_four() {
        return score;
    }
    let fours = BUILT_FOUR * built.fours(left) - LEFT_FOUR * left.fours(built);
    score + fours + FIVE * (i32::from(own.has_five()) - i32::from(opposing.has_five()))
}
