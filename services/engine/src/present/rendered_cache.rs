//! The cache of rendered answers, keyed by the exact question and language.
//!
//! A question about a well-known position needs neither the rules nor the search's result again. A rendered
//! answer is valid while the cache of results has the very result it was made of: a better result makes
//! another answer.

use std::sync::Arc;

use moka::sync::Cache;
use pentad_model::i18n::Language;

use crate::answer::Hints;
use crate::keyed_hash::{Fingerprint, fingerprint};
use crate::question::HintQuestion;
use crate::resolve::query::SearchKey;
use crate::search::cache::Snapshot;

/// Memory for rendered answers, per game.
const BYTES_MAX: u64 = 4 << 20;

/// Rendered answers of one game.
#[derive(Clone, Debug)]
pub(crate) struct RenderedAnswers(Cache<Fingerprint, Arc<RenderedAnswer>>);

/// A rendered answer, and the result it was made of.
#[derive(Clone, Debug)]
pub(crate) struct RenderedAnswer {
    pub(crate) hints: Hints,
    pub(crate) key: SearchKey,
    pub(crate) snapshot: Arc<Snapshot>,
}

impl Default for RenderedAnswers {
    fn default() -> Self {
        let weigher =
            |_: &Fingerprint, answer: &Arc<RenderedAnswer>| u32::try_from(answer.size_bytes()).unwrap_or(u32::MAX);
        RenderedAnswers(Cache::builder().max_capacity(BYTES_MAX).weigher(weigher).build())
    }
}

impl RenderedAnswers {
    pub(crate) fn get(&self, question: &HintQuestion, language: Language) -> Option<Arc<RenderedAnswer>> {
        self.0.get(&fingerprint(&(question, language)))
    }

    pub(crate) fn put(&self, question: &HintQuestion, language: Language, answer: RenderedAnswer) {
        self.0.insert(fingerprint(&(question, language)), Arc::new(answer));
    }
}

impl RenderedAnswer {
    /// Returns about how much memory it takes, without the result, which the other cache counts.
    fn size_bytes(&self) -> usize {
        let texts = |texts: &[String]| texts.iter().map(|text| 24 + text.len()).sum::<usize>();
        let hints = self.hints.hints.iter().map(|hint| {
            let reasons = hint.reasons.iter().map(|it| 72 + it.code.len() + it.text.len() + texts(&it.points));
            let listed = texts(&hint.line) + texts(&hint.equivalents) + texts(&hint.area);
            size_of_val(hint) + hint.mv.len() + listed + reasons.sum::<usize>()
        });
        let policy = self.hints.policy.iter().map(|it| size_of_val(it) + it.mv.len() + texts(&it.equivalents));
        size_of::<RenderedAnswer>() + policy.sum::<usize>() + hints.sum::<usize>() + 2 * self.hints.position.len()
    }
}
