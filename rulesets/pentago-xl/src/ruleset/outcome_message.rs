//! The outcome of a game as a message.

use pentad_sdk::i18n::{Message, Seats, Terms};

use crate::PentagoXl;
use crate::board::Colour;
use crate::i18n::{self, seats};
use crate::position::Position;
use crate::rules::{EndReason, GameResult};
use crate::variant::Objective;

impl PentagoXl {
    /// Returns the sentence that says how a game ended.
    pub(crate) fn outcome_message(&self, position: &Position, result: &GameResult) -> Message {
        match (self.variant.objective(), result.end_reason) {
            (Objective::Places, _) => self.ranking(result),
            (_, EndReason::BoardFull) => i18n::ends_with_full_board(),
            (Objective::Team, _) => team_message(self.fives(position), result),
            _ => match self.of_place(result, 1).as_slice() {
                [winner] => i18n::ends_with_five(*winner),
                winners => i18n::ends_shared(seats(winners)),
            },
        }
    }

    /// Returns a sentence such as "Yellow is first, Red and Green share the second
    /// place."
    fn ranking(&self, result: &GameResult) -> Message {
        let groups = (1..=4).map(|place| (place, self.of_place(result, place)));
        let mut groups = groups
            .filter(|(_, colours)| !colours.is_empty())
            .map(|(place, colours)| (seats(&colours), Terms::from(place.to_string())));
        let mut next = || groups.next();
        // The first group has the first place.
        let a = next().map_or_else(|| Seats(Vec::new()), |(a, _)| a);
        match (next(), next(), next()) {
            (Some((b, _)), Some((c, _)), Some((d, _))) => i18n::ends_with_four_places(a, b, c, d),
            (Some((b, b_place)), Some((c, c_place)), _) => i18n::ends_with_three_places(a, b, b_place, c, c_place),
            (Some((b, b_place)), ..) => i18n::ends_with_two_places(a, b, b_place),
            (None, ..) => i18n::ends_with_one_place(a),
        }
    }

    /// Returns the players on a place, in playing order.
    fn of_place(&self, result: &GameResult, place: u8) -> Vec<Colour> {
        self.variant.colours().filter(|&colour| result.places[colour as usize] == place).collect()
    }
}

fn team_message(fives: [bool; 4], result: &GameResult) -> Message {
    if result.places == [1; 4] {
        return i18n::ends_with_both_teams();
    }
    let of = |is_in: &dyn Fn(usize) -> bool| -> Vec<Colour> {
        Colour::ALL.into_iter().filter(|&colour| is_in(colour as usize)).collect()
    };
    let (players, team) = (of(&|seat| fives[seat]), of(&|seat| result.places[seat] == 1));
    i18n::ends_for_team(seats(&players), seats(&team))
}
