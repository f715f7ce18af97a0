//! Answers as they were given, for questions that are asked again word by word.
//!
//! Whoever asks for a well-known position needs neither the rules nor a look at the
//! search's result again. An answer is true as long as the cache has the very result it was
//! made of: a better one makes another answer.

use std::sync::Arc;

use moka::sync::Cache;
use pentad_model::i18n::Language;

use crate::answer::Hints;
use crate::keyed_hash::{Fingerprint, fingerprint};
use crate::question::HintQuestion;
use crate::search::cache::{CacheKey, Snapshot};

/// Memory of the answers that are kept, per game.
const BYTES_MAX: u64 = 4 << 20;

/// The answers of a game, as long as there is room.
#[derive(Clone, Debug)]
pub(crate) struct PresentedAnswers(Cache<Fingerprint, Arc<PresentedAnswer>>);

/// An answer, and what it was made of.
#[derive(Clone, Debug)]
pub(crate) struct PresentedAnswer {
    pub(crate) hints: Hints,
    pub(crate) key: CacheKey,
    pub(crate) snapshot: Arc<Snapshot>,
}

impl Default for PresentedAnswers {
    fn default() -> Self {
        let weigher =
            |_: &Fingerprint, answer: &Arc<PresentedAnswer>| u32::try_from(answer.size_bytes()).unwrap_or(u32::MAX);
        PresentedAnswers(Cache::builder().max_capacity(BYTES_MAX).weigher(weigher).build())
    }
}

impl PresentedAnswers {
    pub(crate) fn get(&self, question: &HintQuestion, language: Language) -> Option<Arc<PresentedAnswer>> {
        self.0.get(&fingerprint(&(question, language)))
    }

    pub(crate) fn put(&self, question: &HintQuestion, language: Language, answer: PresentedAnswer) {
        self.0.insert(fingerprint(&(question, language)), Arc::new(answer));
    }
}

impl PresentedAnswer {
    /// About how much memory it takes; the search's result is the cache's.
    fn size_bytes(&self) -> usize {
        let texts = |texts: &[String]| texts.iter().map(|text| 24 + text.len()).sum::<usize>();
        let hints = self.hints.hints.iter().map(|hint| {
            let reasons = hint.reasons.iter().map(|it| 72 + it.code.len() + it.text.len() + texts(&it.points));
            let listed = texts(&hint.line) + texts(&hint.equivalents) + texts(&hint.area);
            size_of_val(hint) + hint.mv.len() + listed + reasons.sum::<usize>()
        });
        size_of::<PresentedAnswer>() + hints.sum::<usize>() + 2 * self.hints.position.len()
    }
}
