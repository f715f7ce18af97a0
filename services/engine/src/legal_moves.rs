//! Pages of legal moves.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

use pentad_host::{CallError, Position};

use crate::answer::MovePage;
use crate::distinct_moves::ListKey;
use crate::error::EngineError;
use crate::position_key::PositionKey;
use crate::question::MovesQuestion;
use crate::resolve::ResolvedPosition;
use crate::rules_job::{AboutPosition, CallContext};

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

/// A page to be listed: `page_size` moves after the first `start`.
struct Listing<'a> {
    context: &'a CallContext<'a>,
    position: &'a Position,
    key: PositionKey,
    prefix: &'a str,
    distinct: bool,
    start: u64,
    page_size: usize,
    fingerprint: u32,
}

impl<'a> Listing<'a> {
    fn new(
        context: &'a CallContext<'a>,
        question: &'a MovesQuestion,
        position: &'a Position,
        key: PositionKey,
    ) -> Result<Self, EngineError> {
        let fingerprint = fingerprint(position, context.variant, question);
        let page_size = match question.page_size {
            0 => context.config.page_len_max,
            size => size.min(context.config.page_len_max),
        };
        Ok(Listing {
            context,
            position,
            key,
            prefix: &question.prefix,
            distinct: question.distinct,
            start: read_token(&question.page_token, fingerprint)?,
            page_size,
            fingerprint,
        })
    }

    /// Whether the page takes long; refuses what would take too long.
    fn is_long(&self) -> Result<bool, EngineError> {
        if !self.distinct {
            return Ok(self.start.saturating_add(self.page_size as u64) > SHORT_LIST_LEN_MAX);
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
        let end = self.start + page.len() as u64;
        if end < page.total {
            page.next_page_token = write_token(end, self.fingerprint);
        }
        Ok(page)
    }

    fn all_moves(&self) -> Result<MovePage, CallError> {
        let CallContext { game, variant, .. } = self.context;
        let mut page = MovePage::default();
        let mut n_seen = 0;
        let flow = game.ruleset.legal_moves(*variant, self.position, self.prefix, &mut |mv| {
            if page.len() == self.page_size {
                return ControlFlow::Break(());
            }
            n_seen += 1;
            if n_seen > self.start {
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
        Ok(list.page(self.start, self.page_size))
    }

    fn list_key(&self) -> ListKey {
        let CallContext { variant, .. } = *self.context;
        ListKey { variant, position: self.position.clone(), prefix: self.prefix.to_owned() }
    }
}

/// What a token must agree on with the question it comes back with.
fn fingerprint(position: &Position, variant: usize, question: &MovesQuestion) -> u32 {
    let mut hasher = DefaultHasher::new();
    (&question.spec.game, variant, position.as_bytes(), &question.prefix, question.distinct).hash(&mut hasher);
    hasher.finish() as u32
}

fn write_token(start: u64, fingerprint: u32) -> String {
    format!("{start:x}-{fingerprint:08x}")
}

/// Reads a page token, whatever it is: for fuzzing. One that is accepted means the same
/// when it is written again, and only with the question that it was given for.
pub fn read_arbitrary_page_token(token: &str) {
    let fingerprint = token.rsplit('-').next().and_then(|print| u32::from_str_radix(print, 16).ok()).unwrap_or(0);
    let Ok(start) = read_token(token, fingerprint) else { return };
    let is_first = token.is_empty();
    assert!(
        is_first || matches!(read_token(&write_token(start, fingerprint), fingerprint), Ok(again) if again == start)
    );
    assert!(is_first || read_token(token, fingerprint.wrapping_add(1)).is_err());
}

fn read_token(token: &str, fingerprint: u32) -> Result<u64, EngineError> {
    if token.is_empty() {
        return Ok(0);
    }
    let bad = |message: &str| EngineError::BadArgument { field: "pageToken".to_owned(), message: message.to_owned() };
    let unreadable = || bad("not a token that this server gave");
    let (start, print) = token.split_once('-').ok_or_else(unreadable)?;
    let start = u64::from_str_radix(start, 16).map_err(|_| unreadable())?;
    let print = u32::from_str_radix(print, 16).map_err(|_| unreadable())?;
    if print != fingerprint {
        return Err(bad("the token belongs to another question"));
    }
    Ok(start)
}
