//! The outcome of a game as a sentence.

use crate::PentagoXl;
use crate::board::Colour;
use crate::position::Position;
use crate::rules::{EndReason, GameResult};
use crate::variant::Objective;

impl PentagoXl {
    /// How a game ended, as a sentence.
    pub(crate) fn outcome_text(&self, position: &Position, result: &GameResult) -> String {
        match (self.variant.objective(), result.end_reason) {
            (Objective::Places, _) => self.ranking(result),
            (_, EndReason::BoardFull) => "The board is full and nobody has five in a row: a draw.".to_owned(),
            (Objective::Team, _) => team_sentence(self.fives(position), result),
            _ => {
                let winners = self.names(|colour| result.places[colour as usize] == 1);
                match winners.as_slice() {
                    [winner] => format!("{winner} has five in a row and wins."),
                    _ => format!("{} have five in a row by the same turn and share the win.", join_names(&winners)),
                }
            }
        }
    }

    /// "Yellow is first, Red and Green are second."
    fn ranking(&self, result: &GameResult) -> String {
        let of_place = |place: u8| self.names(|colour| result.places[colour as usize] == place);
        let parts = (1..=4).map(|place| (place, of_place(place))).filter(|(_, names)| !names.is_empty());
        let parts: Vec<String> = parts
            .map(|(place, names)| {
                let place = ["first", "second", "third", "fourth"][usize::from(place) - 1];
                match names.as_slice() {
                    [name] => format!("{name} is {place}"),
                    _ => format!("{} share the {place} place", join_names(&names)),
                }
            })
            .collect();
        format!("{}.", parts.join(", "))
    }

    /// The names of some players, in playing order.
    fn names(&self, filter: impl Fn(Colour) -> bool) -> Vec<&'static str> {
        self.variant.colours().filter(|&colour| filter(colour)).map(Colour::name).collect()
    }
}

fn team_sentence(fives: [bool; 4], result: &GameResult) -> String {
    if result.places == [1; 4] {
        return "Both teams have five in a row by the same turn: a draw.".to_owned();
    }
    let names: Vec<&str> = Colour::ALL.into_iter().filter(|&colour| fives[colour as usize]).map(Colour::name).collect();
    let team = if result.places[0] == 1 { "Red and Green win" } else { "Yellow and Blue win" };
    let have = if names.len() == 1 { "has" } else { "have" };
    format!("{} {have} five in a row: {team}.", join_names(&names))
}

/// "Red", "Red and Green", "Red, Green and Blue".
pub(crate) fn join_names(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
