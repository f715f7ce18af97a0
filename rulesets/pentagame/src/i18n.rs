//! The messages of Pentagame; their translations are in `i18n/`.

use pentad_sdk::RANKING_TRANSLATIONS;
use pentad_sdk::i18n::{Terms, TranslationSource, Translations};

use crate::board::Figure;

pentad_sdk::messages! {
    pub(crate) const MESSAGES;
    wins_now() = "wins_now";
    shares_now() = "shares_now";
    loses_now() = "loses_now";
    wins_race(player: Seats) = "wins_race";
    loses_at_once_to(reply: Move, player: Seats) = "loses_to.at_once";
    loses_by_force_to(reply: Move) = "loses_to.reply";
    loses_by_force() = "loses_to.by_force";
    forced_win_in(plies: Integer) = "forced_win.plies";
    forced_win() = "forced_win";
    only_move() = "only_move";
    forced_out(figure: Terms("figure")) = "forced_out";
    moves_out(figures: Terms("figure"), out: Integer, needed: Integer) = "moves_out";
    blocks_path(figure: Terms("figure"), player: Seats, after: Integer, before: Integer) = "blocks_path";
    swaps_back(figure: Terms("figure"), player: Seats, after: Integer, before: Integer) = "swaps_back";
    frees_path(figure: Terms("figure"), after: Integer, before: Integer) = "frees_path";
    advances(figure: Terms("figure"), after: Integer, before: Integer) = "advances";
    ends_alone(winner: Seats) = "outcome.alone";
    ends_shared(winners: Seats) = "outcome.shared";
    says_pass() = "move.pass";
    says_out(figure: Terms("figure"), greys: Integer, grey: Text, second: Text) = "move.out";
    says_go(
        figure: Terms("figure"), to: Text, blacks: Integer, black: Text, greys: Integer, grey: Text, second: Text,
    ) = "move.go";
    says_swap(
        figure: Terms("figure"), to: Text, other: Terms("figure"), player: Seats, greys: Integer, grey: Text, second: Text,
    ) = "move.swap";
}

pub(crate) static TRANSLATIONS: Translations = Translations::new(&[
    RANKING_TRANSLATIONS,
    TranslationSource {
        messages: MESSAGES,
        terms: &[
            "seat.1",
            "seat.2",
            "seat.3",
            "seat.4",
            "figure.a",
            "figure.b",
            "figure.c",
            "figure.d",
            "figure.e",
            "variant.2p",
            "variant.2p.summary",
            "variant.3p",
            "variant.3p.summary",
            "variant.4p",
            "variant.4p.summary",
        ],
        files: pentad_sdk::translation_files!("../i18n"),
    },
]);

impl From<Figure> for Terms {
    /// Returns the colour of the figure.
    fn from(figure: Figure) -> Terms {
        figure.letter().into()
    }
}
