//! Messages of Pentago; their translations are in `i18n/`.

use pentad_sdk::RANKING_TRANSLATIONS;
use pentad_sdk::i18n::{TranslationSource, Translations};

pentad_sdk::messages! {
    pub(crate) const MESSAGES;
    wins_now() = "wins_now";
    loses_now(winner: Seats) = "loses_now";
    draws_by_two_fives() = "draws_now.both_five";
    draws_by_full_board() = "draws_now.board_full";
    loses_at_once_to(reply: Move) = "loses_to.at_once";
    loses_by_force_to(reply: Move) = "loses_to.reply";
    loses_by_force() = "loses_to.by_force";
    book_win() = "book.win";
    book_draw() = "book.draw";
    book_loss() = "book.loss";
    double_threat(threat: Move) = "double_threat";
    five_without_answer() = "forced_win.no_answer";
    forced_win_in(plies: Integer) = "forced_win.plies";
    forced_win() = "forced_win";
    allows_draw(reply: Move) = "allows_draw";
    blocks(opponent: Seats, threat: Move) = "blocks";
    only_move() = "only_move";
    threatens(threat: Move) = "threatens";
    builds_line(count: Integer) = "builds_line";
    takes_centre(block: Integer) = "takes_centre";
    ends_with_five(winner: Seats) = "outcome.five";
    ends_for_turner(winner: Seats) = "outcome.turner";
    ends_with_two_fives() = "outcome.both_five";
    ends_with_full_board() = "outcome.board_full";
    says_pass() = "move.pass";
    says_place(cell: Points) = "move.place";
    says_place_and_left(cell: Points, block: Integer) = "move.left";
    says_place_and_right(cell: Points, block: Integer) = "move.right";
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
            "variant.standard",
            "variant.standard.summary",
            "variant.finnish",
            "variant.finnish.summary",
            "variant.czech",
            "variant.czech.summary",
            "variant.clockwise",
            "variant.clockwise.summary",
        ],
        files: pentad_sdk::translation_files!("../i18n"),
    },
]);
