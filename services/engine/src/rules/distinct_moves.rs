//! Lists of distinct moves: the first of the moves that lead to one position.
//!
//! Every move is played to compare the positions, which takes long for long lists:
//! 379,173 moves of a Pentagame position lead to 38,564 positions. Callers read one page after the
//! other, and therefore long lists are cached.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use moka::sync::Cache;
use pentad_host::{CallError, Position};

use crate::answer::MovePage;
use crate::rules::job::CallContext;

/// Memory of the cached lists, per game.
const KEPT_BYTES_MAX: u64 = 4 << 20;
/// Moves that are played together: an isolated rule set gets them in one message.
const BATCH_LEN: usize = 1000;
/// Shorter lists are not cached.
const KEPT_LEN_MIN: usize = 100;

/// Cache of the long lists of a game.
#[derive(Clone, Debug)]
pub(crate) struct DistinctLists(Cache<ListKey, Arc<MovePage>>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ListKey {
    pub(crate) variant: usize,
    pub(crate) position: Position,
    pub(crate) prefix: String,
}

impl Default for DistinctLists {
    fn default() -> Self {
        let weigher = |key: &ListKey, list: &Arc<MovePage>| {
            let key_bytes = size_of::<ListKey>() + key.position.as_bytes().len() + key.prefix.len();
            u32::try_from(list.size_bytes() + key_bytes).unwrap_or(u32::MAX)
        };
        DistinctLists(Cache::builder().max_capacity(KEPT_BYTES_MAX).weigher(weigher).build())
    }
}

impl DistinctLists {
    pub(crate) fn get(&self, key: &ListKey) -> Option<Arc<MovePage>> {
        self.0.get(key)
    }

    /// Returns the whole list, cached or made now. `None` if the call was cancelled meanwhile.
    pub(crate) fn get_or_list(
        &self,
        context: &CallContext<'_>,
        key: &ListKey,
    ) -> Result<Option<Arc<MovePage>>, CallError> {
        if let Some(list) = self.get(key) {
            return Ok(Some(list));
        }
        let list = list(context, key)?.map(Arc::new);
        if let Some(list) = list.as_ref().filter(|list| list.len() >= KEPT_LEN_MIN) {
            self.0.insert(key.clone(), list.clone());
        }
        Ok(list)
    }
}

fn list(context: &CallContext<'_>, key: &ListKey) -> Result<Option<MovePage>, CallError> {
    let ListKey { variant, position, prefix } = key;
    let rules = &context.game.ruleset;
    let mut list = MovePage::default();
    let mut reached: HashSet<Position> = HashSet::new();
    let mut batch: Vec<String> = Vec::with_capacity(BATCH_LEN);
    let mut play = |batch: &mut Vec<String>| -> Result<(), CallError> {
        let successors = rules.successors(*variant, position, batch)?;
        for (mv, next) in batch.drain(..).zip(successors) {
            if reached.insert(next) {
                list.push(&mv);
            }
        }
        Ok(())
    };
    let mut failed = None;
    let flow = rules.legal_moves(*variant, position, prefix, &mut |mv| {
        batch.push(mv.to_owned());
        if batch.len() == BATCH_LEN {
            failed = play(&mut batch).err();
        }
        if failed.is_some() { ControlFlow::Break(()) } else { context.check_cancelled() }
    })?;
    if failed.is_none() && flow.is_continue() {
        failed = play(&mut batch).err();
    }
    match failed {
        Some(error) => Err(error),
        None if flow.is_break() => Ok(None),
        None => {
            list.total = list.len() as u64;
            Ok(Some(list))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use pentad_host::Ruleset;

    use super::*;
    use crate::config::EngineConfig;
    use crate::served_game::ServedGame;

    /// A list is made once and its pages are cut from it; a cancelled list does not count as complete.
    #[test]
    fn a_long_list_is_kept_once_it_is_complete() {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        let game = ServedGame::new(Ruleset::load(&file, None).expect("the plugin loads"));
        let (config, is_cancelled) = (EngineConfig::default(), AtomicBool::new(true));
        let context = CallContext {
            game: &game,
            variant: 0,
            config: &config,
            trace: &crate::trace::Trace::default(),
            is_cancelled: &is_cancelled,
            is_reading_store: &AtomicBool::new(false),
            survived_fault: &Mutex::default(),
        };
        let position = game.ruleset.parse(0, "w4b/6/6/6/6/b4w w").expect("a position");
        let key = ListKey { variant: 0, position, prefix: String::new() };
        let lists = DistinctLists::default();
        assert!(lists.get_or_list(&context, &key).expect("no fault").is_none() && lists.get(&key).is_none());
        is_cancelled.store(false, std::sync::atomic::Ordering::Relaxed);
        let list = lists.get_or_list(&context, &key).expect("no fault").expect("it is complete");
        let kept = lists.get(&key).expect("it is kept");
        assert!(Arc::ptr_eq(&list, &kept));
        assert_eq!(
            list.len(),
            32 * 8 - 2,
            "in each of the two blocks with White's marbles two turns lead to one position"
        );
        let pages: Vec<MovePage> = (0..6).map(|page| list.page(page * 50, 50)).collect();
        assert!(pages.iter().all(|page| page.total == 254));
        assert!(pages.iter().flat_map(MovePage::iter).eq(list.iter()));
        assert!(list.page(1000, 50).is_empty());
    }
}
