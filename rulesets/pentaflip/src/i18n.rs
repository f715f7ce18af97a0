//! Messages of Pentaflip; their translations are in `i18n/`.

use pentad_sdk::RANKING_TRANSLATIONS;
use pentad_sdk::i18n::{Terms, TranslationSource, Translations};

use crate::board::Flip;

pentad_sdk::messages! {
    pub(crate) const MESSAGES;
    wins_now() = "wins_now";
    loses_now(winner: Seats) = "loses_now";
    draws_by_last_ring() = "draws_now.all_placed";
    draws_by_two_fives() = "draws_now.both_five";
    loses_at_once_to(reply: Move) = "loses_to.at_once";
    loses_by_force_to(reply: Move) = "loses_to.reply";
    loses_by_force() = "loses_to.by_force";
    double_threat(threat: Move) = "double_threat";
    forced_win_in(plies: Integer) = "forced_win.plies";
    forced_win() = "forced_win";
    blocks(opponent: Seats, threat: Move) = "blocks";
    flip_threat(threat: Move, flip: Terms("flip")) = "flip_threat";
    threatens(threat: Move) = "threatens";
    only_move() = "only_move";
    builds_line(count: Integer) = "builds_line";
    brings_up(flip: Terms("flip"), mover: Seats, more: Integer) = "brings_up";
    brings_up_and_leaves(
        flip: Terms("flip"), mover: Seats, more: Integer, opponent: Seats, fewer: Integer,
    ) = "brings_up.leaves";
    turns_under(flip: Terms("flip"), opponent: Seats, fewer: Integer) = "turns_under";
    opening(points: Integer, games: Integer, worst: Integer) = "opening";
    opening_with_half(points: Integer, games: Integer, worst: Integer) = "opening.half";
    ends_with_five(winner: Seats) = "outcome.five";
    ends_with_two_fives() = "outcome.both_five";
    ends_with_all_placed() = "outcome.all_placed";
    says_place(cell: Points) = "move.place";
    says_flip(flip: Terms("flip")) = "move.flip";
}

pub(crate) static TRANSLATIONS: Translations = Translations::new(&[
    RANKING_TRANSLATIONS,
    TranslationSource {
        messages: MESSAGES,
        terms: &[
            "seat.w",
            "seat.b",
            "piece.w",
            "piece.b",
            "piece.W",
            "piece.B",
            "flip.1",
            "flip.2",
            "flip.3",
            "flip.4",
            "flip.B",
            "flip.L",
            "flip.R",
            "flip.T",
            "variant.standard",
            "variant.standard.summary",
        ],
        files: pentad_sdk::translation_files!("../i18n"),
    },
]);

impl From<Flip> for Terms {
    /// Returns the terms for the part that turns over.
    fn from(flip: Flip) -> Terms {
        flip.letter().into()
    }
}
