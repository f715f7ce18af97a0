//! `impl Ruleset`: Pentaflip for the host.

mod help;

use std::borrow::Cow;
use std::ops::ControlFlow;

use pentad_sdk::i18n::Translations;
use pentad_sdk::{Info, Outcome, Refusal, Ruleset, Seat, Variant};

use crate::board::{Colour, Flip, N_FLIPS, Rings, Spots};
use crate::i18n::{self, TRANSLATIONS};
use crate::moves::Move;
use crate::position::{Position, flip_code};
use crate::rules::GameResult;
use crate::{Pentaflip, notation};

/// Size of an encoded position.
const ENCODED_BYTES: usize = 17;
/// White's spots: any two of the four. Encoded by index.
const SPOT_PAIRS: [u8; 6] = [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100];
/// Combinations of side to move and spots.
const N_SIDES_AND_SPOTS: u8 = 12;

impl Ruleset for Pentaflip {
    type Position = Position;
    type Move = Move;

    const INFO: Info = Info {
        id: "pentaflip",
        name: "Pentaflip",
        version: env!("CARGO_PKG_VERSION"),
        rules: help::RULES,
        notation: help::NOTATION,
    };

    /// Flips can repeat positions forever, so games have no maximum length.
    fn variants() -> Vec<Variant> {
        let seats = vec![Seat { id: "w", name: "White", side: 0 }, Seat { id: "b", name: "Black", side: 1 }];
        let summary = "Place a ring or flip a panel or a half of the board; five in a row on top wins.";
        vec![Variant { id: "standard", name: "Standard", summary, seats, plies_max: None }]
    }

    fn new(_variant_idx: usize) -> Self {
        Pentaflip
    }

    fn position_size(&self) -> usize {
        ENCODED_BYTES
    }

    /// Writes eight bytes for white's rings, eight for black's, and one for the last
    /// flip, the spots and the side to move.
    fn encode(&self, position: &Position, bytes: &mut [u8]) {
        let spots = SPOT_PAIRS.iter().position(|&spots| spots == position.spots.0).expect("two spots are white's");
        bytes[..8].copy_from_slice(&position.rings[0].0.to_le_bytes());
        bytes[8..16].copy_from_slice(&position.rings[1].0.to_le_bytes());
        bytes[16] = flip_code(position.last_flip) as u8 * N_SIDES_AND_SPOTS + spots as u8 * 2 + position.side as u8;
    }

    fn decode(&self, bytes: &[u8]) -> Option<Position> {
        let bytes: &[u8; ENCODED_BYTES] = bytes.try_into().ok()?;
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let (white, black, rest) = (word(0), word(8), bytes[16]);
        let last_flip = match rest / N_SIDES_AND_SPOTS {
            flip @ 0..=7 => Some(Flip(flip)),
            8 => None,
            _ => return None,
        };
        let too_many = [white, black].iter().any(|rings| rings.count_ones() > Rings::MAX);
        if white & black != 0 || too_many {
            return None;
        }
        Some(Position {
            rings: [Rings(white), Rings(black)],
            spots: Spots(SPOT_PAIRS[usize::from(rest % N_SIDES_AND_SPOTS / 2)]),
            side: Colour::ALL[usize::from(rest % 2)],
            last_flip,
        })
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn parse(&self, text: &str) -> Result<Position, Refusal> {
        notation::parse(text)
    }

    fn format(&self, position: &Position, out: &mut String) {
        notation::format(position, out);
    }

    fn to_move(&self, position: &Position) -> usize {
        position.side as usize
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let result = self.game_result(position)?;
        let message = match result {
            GameResult::Five(colour) => i18n::ends_with_five(colour),
            GameResult::BothFive => i18n::ends_with_two_fives(),
            GameResult::AllPlaced => i18n::ends_with_all_placed(),
        };
        Some(Outcome::of_two(result.winner().map(|colour| colour as usize), TRANSLATIONS.say(message)))
    }

    fn translations() -> Option<&'static Translations> {
        Some(&TRANSLATIONS)
    }

    #[inline]
    fn legal_moves(&self, position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.game_result(position).is_some() {
            return ControlFlow::Continue(());
        }
        self.placements(position).iter().try_for_each(|cell| visit(Move::place(cell)))?;
        let mut flips = Flip::all().filter(|&flip| position.last_flip != Some(flip));
        flips.try_for_each(|flip| visit(Move::flip(flip)))
    }

    #[inline]
    fn n_moves(&self, position: &Position) -> u64 {
        if self.game_result(position).is_some() {
            return 0;
        }
        u64::from(self.placements(position).count()) + N_FLIPS as u64 - u64::from(position.last_flip.is_some())
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, Refusal> {
        notation::parse_move(self, position, text)
    }

    #[inline]
    fn move_text(&self, _position: &Position, mv: &Move) -> Cow<'static, str> {
        mv.text().into()
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        self.play_unchecked(position, *mv)
    }
}
