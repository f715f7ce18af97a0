//! The messages of Pentago XL; their translations are in `i18n/`.

use pentad_sdk::RANKING_TRANSLATIONS;
use pentad_sdk::i18n::{Seats, TranslationSource, Translations};

use crate::board::Colour;

pentad_sdk::messages! {
    pub(crate) const MESSAGES;
    wins_now() = "wins_now";
    wins_for_team(players: Seats) = "wins_now.team";
    shares_win(players: Seats) = "shares_now.win";
    shares_next_place() = "shares_now.rest";
    shares_place_after(players: Seats) = "shares_now.given";
    loses_now(players: Seats) = "loses_now";
    loses_to_last_place(players: Seats) = "loses_now.last";
    draws_by_full_board() = "draws_now.board_full";
    draws_by_both_teams() = "draws_now.teams";
    finishes(place: Terms("place")) = "finishes_now";
    finishes_with(place: Terms("place"), players: Seats) = "finishes_now.shared";
    gives_five(players: Seats) = "gives_five";
    lets_finish(player: Seats, reply: Move) = "lets_finish";
    loses_at_once_to(player: Seats, reply: Move) = "loses_to.at_once";
    loses_by_force_to(reply: Move) = "loses_to.reply";
    loses_by_force() = "loses_to.by_force";
    double_threat(threat: Move) = "double_threat";
    forced_win_in(plies: Integer) = "forced_win.plies";
    forced_win() = "forced_win";
    blocks(player: Seats, threat: Move) = "blocks";
    blocks_several(players: Seats, first: Seats, threat: Move) = "blocks.several";
    only_move() = "only_move";
    leaves_threat(player: Seats, threat: Move) = "leaves_threat";
    leaves_threat_to(player: Seats, threat: Move, defender: Seats) = "leaves_threat.defender";
    threatens(threat: Move) = "threatens";
    threatens_by_partner(partner: Seats, threat: Move) = "threatens.partner";
    builds_line(count: Integer) = "builds_line";
    takes_fixed_cell(cell: Points) = "takes_centre.fixed";
    takes_middle(block: Integer) = "takes_centre.middle";
    ends_with_full_board() = "outcome.board_full";
    ends_with_five(winner: Seats) = "outcome.five";
    ends_shared(winners: Seats) = "outcome.shared";
    ends_with_both_teams() = "outcome.teams";
    ends_for_team(players: Seats, team: Seats) = "outcome.team";
    ends_with_one_place(a: Seats) = "outcome.places_1";
    ends_with_two_places(a: Seats, b: Seats, b_place: Terms("place")) = "outcome.places_2";
    ends_with_three_places(
        a: Seats, b: Seats, b_place: Terms("place"), c: Seats, c_place: Terms("place"),
    ) = "outcome.places_3";
    ends_with_four_places(a: Seats, b: Seats, c: Seats, d: Seats) = "outcome.places_4";
    says_place(cell: Points) = "move.place";
    says_place_and_left(cell: Points, block: Integer) = "move.left";
    says_place_and_right(cell: Points, block: Integer) = "move.right";
}

pub(crate) static TRANSLATIONS: Translations = Translations::new(&[
    RANKING_TRANSLATIONS,
    TranslationSource {
        messages: MESSAGES,
        terms: &[
            "seat.r",
            "seat.y",
            "seat.g",
            "seat.b",
            "piece.r",
            "piece.y",
            "piece.g",
            "piece.b",
            "place.1",
            "place.2",
            "place.3",
            "place.4",
            "variant.ffa4",
            "variant.ffa4.summary",
            "variant.ffa3",
            "variant.ffa3.summary",
            "variant.ffa2",
            "variant.ffa2.summary",
            "variant.places4",
            "variant.places4.summary",
            "variant.places3",
            "variant.places3.summary",
            "variant.teams",
            "variant.teams.summary",
        ],
        files: pentad_sdk::translation_files!("../i18n"),
    },
]);

impl From<Colour> for Seats {
    fn from(colour: Colour) -> Seats {
        colour.letter().into()
    }
}

/// Returns the seats of some players.
pub(crate) fn seats(colours: &[Colour]) -> Seats {
    colours.iter().map(|colour| colour.letter()).collect()
}
