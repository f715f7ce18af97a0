//! The reason for a move that has no other: the score that the search expects.

use pentad_model::{Line, Report};

use crate::abilities::Reason;
use crate::i18n::{TranslationSource, Translations};

crate::messages! {
    const MESSAGES;
    searched(depth: Integer, points: Decimal) = "improves.searched";
    searched_same(depth: Integer, points: Decimal, other: Move) = "improves.searched.same";
    searched_more(depth: Integer, points: Decimal, difference: Decimal, other: Move) = "improves.searched.more";
    searched_fewer(depth: Integer, points: Decimal, difference: Decimal, other: Move) = "improves.searched.fewer";
    static_value(points: Decimal) = "improves.static";
    static_same(points: Decimal, other: Move) = "improves.static.same";
    static_more(points: Decimal, difference: Decimal, other: Move) = "improves.static.more";
    static_fewer(points: Decimal, difference: Decimal, other: Move) = "improves.static.fewer";
}

/// The messages of [`explain_ranking`], for the [`Translations`] of a rule set that calls
/// it.
pub const RANKING_TRANSLATIONS: TranslationSource =
    TranslationSource { messages: MESSAGES, terms: &[], files: crate::translation_files!("../i18n") };

static TRANSLATIONS: Translations = Translations::new(&[RANKING_TRANSLATIONS]);

/// Returns a reason with the code `improves`, for a move that has no other: what the
/// search expects of it for the player to move, and how far that is from the best of the
/// other lines. Its message is in [`RANKING_TRANSLATIONS`].
pub fn explain_ranking<M>(
    report: &Report<M>,
    line_idx: usize,
    seat: usize,
    move_text: impl Fn(&M) -> String,
) -> Reason {
    let score = |line: &Line<M>| line.evaluation.scores[seat];
    let line = &report.lines[line_idx];
    let others = report.lines.iter().enumerate().filter(|&(idx, _)| idx != line_idx).map(|(_, line)| line);
    let (depth, points) = (line.evaluation.depth, score(line));
    let message = match others.max_by(|a, b| score(a).total_cmp(&score(b))) {
        None if depth == 0 => static_value(points),
        None => searched(depth, points),
        Some(best) => {
            let (difference, other) = (points - score(best), move_text(&best.moves[0]));
            let is_same = format!("{:.2}", difference.abs()) == "0.00";
            match (depth, difference > 0.0) {
                (0, _) if is_same => static_same(points, other),
                (0, true) => static_more(points, difference, other),
                (0, false) => static_fewer(points, -difference, other),
                (depth, _) if is_same => searched_same(depth, points, other),
                (depth, true) => searched_more(depth, points, difference, other),
                (depth, false) => searched_fewer(depth, points, -difference, other),
            }
        }
    };
    TRANSLATIONS.reason(message, Vec::new())
}
