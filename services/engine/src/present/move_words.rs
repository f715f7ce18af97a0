//! Moves in a player's words: phrases of the rule set, beside the notation.
//!
//! The rule set gives a message for each move when an answer is rendered; like all texts, its language is
//! chosen last.

use std::collections::HashSet;

use pentad_host::{CallError, Position, Ruleset};
use pentad_model::Reason;
use pentad_model::i18n::{Language, Message, Param, ParamValue};

use crate::answer::VariantRef;
use crate::present::i18n::{rendered, text_in};

/// The phrases of some moves. Moves without one are missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveWords(Vec<(String, Message)>);

impl MoveWords {
    /// Looks up the phrases of moves that are legal in a position, or in one that is reached from it.
    pub(crate) fn find<'a>(
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        moves: impl Iterator<Item = &'a str>,
    ) -> Result<Self, CallError> {
        if !rules.info().capabilities.move_text {
            return Ok(MoveWords::default());
        }
        let mut seen = HashSet::new();
        let moves: Vec<&str> = moves.filter(|mv| !mv.is_empty() && seen.insert(*mv)).collect();
        let said = rules.say_moves(variant, position, &moves)?.into_iter().zip(moves);
        Ok(MoveWords(said.filter_map(|(message, mv)| Some((mv.to_owned(), message?))).collect()))
    }

    /// Returns a move as a text of its own; empty if there are no words for it.
    pub(crate) fn alone(&self, language: Language, variant: &VariantRef, mv: &str) -> String {
        let catalogue = variant.ruleset().catalogue();
        let said = self.get(mv).zip(catalogue);
        said.map(|(message, words)| words.render_alone(language, message, &variant.seats)).unwrap_or_default()
    }

    /// Sets the texts of reasons: in a language, and with words behind the notation of every move that they
    /// name.
    pub(crate) fn localise(&self, language: Language, variant: &VariantRef, reasons: &mut [Reason]) {
        for reason in reasons {
            let worded = reason.message.as_ref().and_then(|message| self.in_words(language, variant, message));
            reason.text = match worded.and_then(|message| rendered(language, variant, &message)) {
                Some(text) => text,
                None => text_in(language, variant, reason.message.as_ref(), &reason.text),
            };
        }
    }

    /// Returns the message with every move as `b2-1l (b2, then block 1 turned left)`; `None` if it names no
    /// move that has words.
    fn in_words(&self, language: Language, variant: &VariantRef, message: &Message) -> Option<Message> {
        let catalogue = variant.ruleset().catalogue()?;
        let mut has_words = false;
        let param = |param: &Param| {
            let ParamValue::Move(mv) = &param.value else { return param.clone() };
            let Some(said) = self.get(mv) else { return param.clone() };
            let phrase = catalogue.render_phrase(language, said, &variant.seats);
            if phrase == *mv {
                return param.clone();
            }
            has_words = true;
            Param { name: param.name.clone(), value: ParamValue::Text(format!("{mv} ({phrase})")) }
        };
        let params = message.params.iter().map(param).collect();
        has_words.then(|| Message { id: message.id.clone(), params })
    }

    fn get(&self, mv: &str) -> Option<&Message> {
        self.0.iter().find(|(said, _)| said == mv).map(|(_, message)| message)
    }
}

/// Returns the moves that reasons name.
pub(crate) fn named_moves(reasons: &[Reason]) -> impl Iterator<Item = &str> {
    let params = reasons.iter().filter_map(|reason| reason.message.as_ref()).flat_map(|message| &message.params);
    params.filter_map(|param| match &param.value {
        ParamValue::Move(mv) => Some(mv.as_str()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::i18n::reason;

    /// Reasons keep the notation and say the moves that have more to say, in every language; lists say them
    /// alone.
    #[test]
    fn reasons_say_moves_in_words() {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        let pentago = Ruleset::load(&file, None).expect("the plugin loads");
        let variant = VariantRef::new(pentago.clone(), 0);
        let start = pentago.start(0).expect("a position");
        let named = |name, mv: &str| Param::new(name, ParamValue::Move(mv.to_owned()));
        let mut reasons = vec![reason("undone_by", vec![named("threat", "b2-1l"), named("reply", "c3")])];
        let words = MoveWords::find(&pentago, 0, &start, named_moves(&reasons)).expect("no fault");
        words.localise(Language::English, &variant, &mut reasons);
        assert_eq!(reasons[0].text, "It threatens b2-1l (b2, then block 1 turned left), but c3 stops that.");
        words.localise(Language::Swedish, &variant, &mut reasons);
        assert_eq!(reasons[0].text, "Draget hotar med b2-1l (b2, sedan block 1 åt vänster), men c3 stoppar det.");
        assert_eq!(words.alone(Language::German, &variant, "b2-1l"), "b2, dann Block 1 nach links");
        assert_eq!(words.alone(Language::English, &variant, "a1-1r"), "", "it was not looked up");
    }
}
