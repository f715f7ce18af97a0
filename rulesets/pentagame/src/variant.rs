//! The variants: two, three or four players.

use pentad_sdk::{Seat, Variant};

use crate::board::SEATS_MAX;

/// Returns the variants in the order that callers see, the default first.
pub(crate) fn variants() -> Vec<Variant> {
    let describe = |(id, name, summary, n_seats): (_, _, _, usize)| Variant {
        id,
        name,
        summary,
        seats: SEATS[..n_seats].to_vec(),
        // The rules never end a game in which nobody moves out.
        plies_max: None,
    };
    vec![
        describe(("2p", "Two players", "Two players, ten figures on the board.", 2)),
        describe(("3p", "Three players", "Three players, fifteen figures on the board.", 3)),
        describe(("4p", "Four players", "Four players, twenty figures on the board.", 4)),
    ]
}

const SEATS: [Seat; SEATS_MAX] = [
    Seat { id: "1", name: "Player 1", side: 0 },
    Seat { id: "2", name: "Player 2", side: 1 },
    Seat { id: "3", name: "Player 3", side: 2 },
    Seat { id: "4", name: "Player 4", side: 3 },
];
