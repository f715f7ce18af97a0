//! The table of laws.

mod i18n;
mod illegal;
mod move_text;
mod moves;
mod notation;
mod outcome;
mod reasons;
mod search;
mod seats;
mod symmetry;
mod texts;
mod threads;
mod threats;

use pentad_model::rng::Rng;

use crate::report::Failure;
use crate::rules::Rules;
use crate::sample::{CheckResult, Sample, VariantSample};

/// A law: its name, its requirement in one sentence, the ability that it is about, and
/// its check.
pub(crate) struct Law<C> {
    pub(crate) name: &'static str,
    pub(crate) statement: &'static str,
    pub(crate) needs: Ability,
    pub(crate) check: C,
    /// Where the mistake usually is.
    pub(crate) advice: &'static str,
}

/// Checks a law on one position.
pub(crate) type PositionCheck = fn(&Sample<'_>, &mut Rng) -> CheckResult;

/// Checks a law of a variant on sampled positions; one result for each check.
pub(crate) type VariantCheck = fn(&VariantSample<'_>, &mut Rng) -> Vec<Result<(), Box<Failure>>>;

/// The subject of a law. The law is skipped for rule sets without that ability.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ability {
    /// Every rule set has rules.
    Rules,
    Search,
    Symmetry,
    Layout,
    Reasons,
    Threats,
    Messages,
    MoveText,
}

impl Ability {
    /// Returns why a law about this ability cannot be checked on a variant; `None` if it
    /// can.
    pub(crate) fn missing(self, rules: &Rules<'_>, variant: usize) -> Option<&'static str> {
        let (has, description) = (rules.info().capabilities, &rules.variants()[variant]);
        match self {
            Ability::Search if !has.search => Some("no `pentad.search/1`"),
            Ability::Symmetry if !has.symmetry => Some("no `pentad.symmetry/1`"),
            Ability::Symmetry if description.n_symmetries == 1 => Some("no symmetry but the identity"),
            Ability::Layout if !has.layout => Some("no `pentad.layout/1`"),
            Ability::Layout if description.board.is_none() => Some("no board"),
            Ability::Reasons if !has.reasons => Some("no `pentad.reasons/1`"),
            Ability::Threats if !has.threats => Some("no `pentad.threats/1`"),
            Ability::Messages if !has.messages => Some("no `pentad.messages/1`"),
            Ability::MoveText if !has.move_text => Some("no `pentad.move_text/1`"),
            // A worker process makes these calls itself and sends only their results.
            Ability::Threats | Ability::Messages if rules.is_isolated() => {
                Some("only within the process of the library")
            }
            _ => None,
        }
    }
}

const fn law<C: Copy>(name: &'static str, statement: &'static str, needs: Ability, check: C) -> Law<C> {
    Law { name, statement, needs, check, advice: advice(name) }
}

/// Returns where to look when a law is broken.
const fn advice(law: &str) -> &'static str {
    match law.as_bytes() {
        b"loads" => {
            "look at the library's constructors, `init`, `board` and its lists, and at what runs when the process ends"
        }
        b"plays" => "play the moves from the start; the last one, or the call named here, fails",
        b"length" => "raise plies_max, or set it to 0 if games have no bound",
        b"ends" => "let `outcome` end the game where no move is left, or list a pass",
        b"notation" => "compare what `format` writes with what `parse` reads, field by field",
        b"unchanged" => "`play` must copy the position before it changes anything",
        b"accepted" => "compare the conditions of `legal_moves` and of `play`, and the text that both write for a move",
        b"listed" => "`play` accepts too much, or `legal_moves` forgets moves",
        b"counted" => "`count_moves` must count what `legal_moves` lists, for every prefix and in the same order",
        b"fresh" => {
            "state that `format` does not write, unused bytes that are not zero, or a field that `play` forgets"
        }
        b"outcome" => "places follow from scores (1 for the best), and a finished game lists no moves and refuses them",
        b"symmetry" => "check that `apply`, `apply_move` and `apply_seat` use the same map and not its inverse",
        b"canonical" => "`canonical` must choose among all symmetries, by the bytes alone",
        b"layout" => "`pieces` gives indices of the board's points and pieces, in ascending order of points",
        b"illegal" => {
            "refuse a well-formed move that the rules forbid as ILLEGAL; MALFORMED is for text that is no move at all"
        }
        b"texts" => {
            "refuse every text that `format` would not write, with a message and the column, and read no further than its length"
        }
        b"search" => {
            "start each search from the request alone: reset tables and random numbers, and report only legal moves"
        }
        b"proofs" => "a proof must hold against every reply; look for estimates in the table that are taken for proofs",
        b"stops" => "poll `should_stop` every few hundred nodes, and return the best move so far",
        b"reasons" => "explain any line of any report, name only ids of the board's points, and use only listed codes",
        b"threats" => "play each threat's move: it must be legal for its seat and win",
        b"stopped" => "play the move, and list the threats again",
        b"words" => "compare the English catalogue with the texts of `explain` and `outcome`",
        b"threads" => "keep no state in static variables: every call may run on any thread",
        b"seats" => "`to_move` must return the seat of this position; after `play` it is usually another one",
        b"perft" => {
            "compare the moves of the position one by one with the rules; `pentad perft` counts them by first move"
        }
        b"game" => "play the game by hand up to this line, and compare",
        b"spoken" => {
            "give every move that `legal_moves` lists words, in every language and without a full stop, and no two moves of a position the same"
        }
        // The compiler says so of a law in the tables.
        _ => panic!("a law has no advice"),
    }
}

/// Positions are formatted for reports before any law is checked on them.
pub(crate) const NOTATION: &str = "notation";

/// Laws that are checked by loading the library and by playing games.
#[rustfmt::skip]
pub(crate) const LOADS: Law<()> = law("loads", "the library loads and the process ends without a fault", Ability::Rules, ());
pub(crate) const PLAYS: Law<()> = law("plays", "a random game can be played to its end", Ability::Rules, ());
pub(crate) const LENGTH: Law<()> = law("length", "no game is longer than plies_max", Ability::Rules, ());
#[rustfmt::skip]
pub(crate) const ENDS: Law<()> = law("ends", "a position without legal moves is the end of the game", Ability::Rules, ());

#[rustfmt::skip]
pub(crate) const POSITION_LAWS: &[Law<PositionCheck>] = &[
    law(NOTATION, "parse(format(p)) == p", Ability::Rules, notation::round_trip),
    // Before the others that play moves: a changed position would mislead them.
    law("unchanged", "playing a move does not change the original position", Ability::Rules, moves::playing_is_pure),
    law("accepted", "every listed move can be played and is canonical", Ability::Rules, moves::listed_moves_are_legal),
    law("listed", "every move that can be played is listed", Ability::Rules, moves::legal_moves_are_listed),
    law("counted", "count_moves and prefixes agree with the list of moves", Ability::Rules, moves::counts_and_prefixes),
    law("fresh", "a position after a move equals the one parsed from its text", Ability::Rules, moves::played_equals_parsed),
    law("outcome", "scores and places are consistent, and a finished game has no moves", Ability::Rules, outcome::consistent),
    law("symmetry", "symmetries preserve outcome, seat to move and moves", Ability::Symmetry, symmetry::preserves_game),
    law("canonical", "symmetric positions have the same canonical form", Ability::Symmetry, symmetry::canonical_form),
    law("layout", "pieces are on points of the board", Ability::Layout, outcome::pieces_on_board),
];

#[rustfmt::skip]
pub(crate) const VARIANT_LAWS: &[Law<VariantCheck>] = &[
    law("seats", "every seat moves in some game", Ability::Rules, seats::all_move),
    law("illegal", "a move that is legal elsewhere, but not listed here, is refused as illegal", Ability::Rules, illegal::refused),
    law("texts", "no text causes a fault, and accepted text has a stable canonical form", Ability::Rules, texts::no_faults),
    law("search", "a search reports legal moves and is reproducible", Ability::Search, search::legal_and_reproducible),
    law("proofs", "proven results within 4 plies are confirmed by brute force", Ability::Search, search::proofs_are_true),
    law("stops", "a search polls `should_stop` every 50 ms of CPU time and ends when cancelled", Ability::Search, search::polls_and_stops),
    law("reasons", "lines of a report and last moves of games can be explained, always with the same reasons", Ability::Reasons, reasons::are_given),
    law("threats", "every threat wins by the rules, and every seat with a win in one has a threat", Ability::Threats, threats::are_wins),
    law("stopped", "a move stops a threat exactly when the threat is gone after it", Ability::Threats, threats::are_stopped),
    law("words", "messages say the same in English as the texts of reasons and outcomes", Ability::Messages, i18n::say_the_same),
    law("spoken", "every move has a phrase of its own in every language", Ability::MoveText, move_text::is_spoken),
    law("threads", "calls from several threads return the same results", Ability::Rules, threads::same_results),
];

/// Laws of what the author gives beside the library: tables of counts, and games.
pub(crate) const PERFT: Law<()> =
    law("perft", "the numbers of move sequences are those of the table", Ability::Rules, ());
pub(crate) const GAME: Law<()> = law("game", "the games given are played as written", Ability::Rules, ());

/// Returns name, statement and advice of every law, in the order of reports.
pub(crate) fn descriptions() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let of_games = [LOADS, PLAYS, LENGTH, ENDS, PERFT, GAME].map(|law| (law.name, law.statement, law.advice));
    let of_positions = POSITION_LAWS.iter().map(|law| (law.name, law.statement, law.advice));
    let of_variants = VARIANT_LAWS.iter().map(|law| (law.name, law.statement, law.advice));
    of_games.into_iter().chain(of_positions).chain(of_variants)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every law says what it states, and what to do when it is broken.
    #[test]
    fn every_law_has_advice() {
        for (name, statement, advice) in descriptions() {
            assert!(!statement.is_empty() && advice.len() > 20, "{name}: {advice:?}");
        }
    }
}
