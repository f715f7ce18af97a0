//! Pages of legal moves.

use std::ops::ControlFlow;

use pentad_host::{CallError, Position};

use crate::answer::MovePage;
use crate::error::EngineError;
use crate::question::MovesQuestion;
use crate::resolve::ResolvedPosition;
use crate::resolve::position_key::PositionKey;
use crate::rules::distinct_moves::ListKey;
use crate::rules::job::{AboutPosition, CallContext};
use crate::rules::page_token::PageToken;

/// No move is longer.
const PREFIX_LEN_MAX: usize = 128;
/// Moves that are listed on the threads for short calls; more are a long list.
const SHORT_LIST_LEN_MAX: u64 = 10_000;
/// To play a move and look whether its position is new takes as long as listing
/// so many.
const PLAYED_MOVE_COST: u64 = 10;
/// Legal moves whose positions are compared for `distinct`. They are all in memory
/// at once, and take about a microsecond each.
const DISTINCT_MOVES_MAX: u64 = 1_000_000;

/// A page, or what remains to be done for it.
pub(crate) enum Listed {
    Page(MovePage),
    Long(LongList),
}

/// A page of a long list, with the position resolved.
pub(crate) struct LongList {
    question: MovesQuestion,
    position: Position,
    key: PositionKey,
}

impl AboutPosition for LongList {
    fn position(&self) -> String {
        self.question.position()
    }
}

/// Lists one page, unless that takes long.
pub(crate) fn page(context: &CallContext<'_>, question: &MovesQuestion) -> Result<Listed, EngineError> {
    if question.prefix.len() > PREFIX_LEN_MAX {
        let message = format!("{} bytes, no move is longer than {}", question.prefix.len(), PREFIX_LEN_MAX);
        return Err(EngineError::TooLarge { field: "prefix".to_owned(), message });
    }
    let resolved = ResolvedPosition::resolve(context, &question.spec)?;
    let key = resolved.key(context)?;
    let position = resolved.position;
    let listing = Listing::new(context, question, &position, key)?;
    if listing.is_long()? {
        return Ok(Listed::Long(LongList { question: question.clone(), position, key }));
    }
    listing.page().map(Listed::Page)
}

/// Lists one page of a long list.
pub(crate) fn long_page(context: &CallContext<'_>, list: &LongList) -> Result<MovePage, EngineError> {
    Listing::new(context, &list.question, &list.position, list.key)?.page()
}

/// A page to be listed.
struct Listing<'a> {
    context: &'a CallContext<'a>,
    position: &'a Position,
    key: PositionKey,
    prefix: &'a str,
    distinct: bool,
    token: PageToken,
}

impl<'a> Listing<'a> {
    fn new(
        context: &'a CallContext<'a>,
        question: &'a MovesQuestion,
        position: &'a Position,
        key: PositionKey,
    ) -> Result<Self, EngineError> {
        let MovesQuestion { spec, prefix, page_size, page_token, distinct } = question;
        let list = (&spec.game, context.variant, position.as_bytes(), prefix, distinct);
        Ok(Listing {
            context,
            position,
            key,
            prefix,
            distinct: *distinct,
            token: PageToken::read(page_token, list, *page_size, context.config)?,
        })
    }

    /// Whether the page takes long; refuses what would take too long.
    fn is_long(&self) -> Result<bool, EngineError> {
        if !self.distinct {
            return Ok(self.token.start.saturating_add(self.token.page_size as u64) > SHORT_LIST_LEN_MAX);
        }
        let CallContext { game, variant, .. } = self.context;
        if game.distinct_lists.get(&self.list_key()).is_some() {
            return Ok(false);
        }
        let n_moves = game.ruleset.count_moves(*variant, self.position, self.prefix);
        let n_moves = n_moves.map_err(|error| EngineError::from_call(&game.id, error))?;
        if n_moves > DISTINCT_MOVES_MAX {
            let message = format!(
                "{n_moves} legal moves, at most {DISTINCT_MOVES_MAX} are compared; list fewer with `prefix`, or all \
                 without `distinct`"
            );
            return Err(EngineError::TooLarge { field: "distinct".to_owned(), message });
        }
        Ok(n_moves * PLAYED_MOVE_COST > SHORT_LIST_LEN_MAX)
    }

    fn page(&self) -> Result<MovePage, EngineError> {
        let listed = if self.distinct { self.distinct_moves() } else { self.all_moves() };
        let mut page = listed.map_err(|error| EngineError::from_call(&self.context.game.id, error))?;
        page.key = Some(self.key);
        let end = self.token.start + page.len() as u64;
        if end < page.total {
            page.next_page_token = self.token.write(end);
        }
        Ok(page)
    }

    fn all_moves(&self) -> Result<MovePage, CallError> {
        let CallContext { game, variant, .. } = self.context;
        let mut page = MovePage::default();
        let mut n_seen = 0;
        let flow = game.ruleset.legal_moves(*variant, self.position, self.prefix, &mut |mv| {
            if page.len() == self.token.page_size {
                return ControlFlow::Break(());
            }
            n_seen += 1;
            if n_seen > self.token.start {
                page.push(mv);
            }
            self.context.check_cancelled()
        })?;
        // A list that came to its end has been counted; a longer one is counted
        // by the rule set, which knows a shorter way.
        page.total = match flow {
            ControlFlow::Continue(()) => n_seen,
            ControlFlow::Break(()) if self.context.is_cancelled() => n_seen,
            ControlFlow::Break(()) => game.ruleset.count_moves(*variant, self.position, self.prefix)?,
        };
        Ok(page)
    }

    fn distinct_moves(&self) -> Result<MovePage, CallError> {
        let lists = &self.context.game.distinct_lists;
        // Nobody waits for what a cancelled call answers.
        let list = lists.get_or_list(self.context, &self.list_key())?.unwrap_or_default();
        Ok(list.page(self.token.start, self.token.page_size))
    }

    fn list_key(&self) -> ListKey {
        let CallContext { variant, .. } = *self.context;
        ListKey { variant, position: self.position.clone(), prefix: self.prefix.to_owned() }
    }
}
