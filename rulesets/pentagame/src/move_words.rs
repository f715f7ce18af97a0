//! `impl MoveText`: moves in a player's words.

use pentad_sdk::MoveText;
use pentad_sdk::i18n::{Message, Text};

use crate::Pentagame;
use crate::i18n;
use crate::moves::{Grey, Move};
use crate::notation;
use crate::position::Position;

impl MoveText for Pentagame {
    fn say(&self, position: &Position, mv: &str) -> Option<Message> {
        let mv = notation::read_move(position, mv).ok()?.0;
        let Some(figure) = mv.figure() else { return Some(i18n::says_pass()) };
        let Blocks { blacks, black, greys, grey, second } = Blocks::of(&mv);
        Some(match (mv.to(), mv.swapped_figure()) {
            (None, _) => i18n::says_out(figure, greys, grey, second),
            (Some(to), None) => i18n::says_go(figure, to.to_string(), blacks, black, greys, grey, second),
            (Some(to), Some(other)) => {
                let player = (other.seat() + 1).to_string();
                i18n::says_swap(figure, to.to_string(), other, player, greys, grey, second)
            }
        })
    }
}

/// The blocks that a move puts, for a message: how many, and where.
struct Blocks {
    blacks: usize,
    black: Text,
    greys: usize,
    grey: Text,
    second: Text,
}

impl Blocks {
    fn of(mv: &Move) -> Blocks {
        // A template does not show the places of blocks that there are none of.
        let place = |stop: Option<String>| Text::from(stop.unwrap_or_else(|| "-".to_owned()));
        let grey_place = |grey: Grey| match grey.from {
            Some(from) => format!("{from} → {}", grey.to),
            None => grey.to.to_string(),
        };
        let mut greys = mv.greys().map(grey_place);
        Blocks {
            blacks: usize::from(mv.black().is_some()),
            black: place(mv.black().map(|stop| stop.to_string())),
            greys: mv.greys().count(),
            grey: place(greys.next()),
            second: place(greys.next()),
        }
    }
}
