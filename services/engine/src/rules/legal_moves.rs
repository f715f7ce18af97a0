//! Pages of legal moves.

use std::ops::ControlFlow;

use pentad_host::{CallError, Position};
use pentad_model::i18n::{Language, Message};

use crate::answer::MovePage;
use crate::error::EngineError;
use crate::field::{Field, FieldMessage};
use crate::question::MovesQuestion;
use crate::resolve::ResolvedPosition;
use crate::resolve::position_key::PositionKey;
use crate::rules::distinct_moves::ListKey;
use crate::rules::job::{AboutPosition, CallContext};
use crate::rules::page_token::PageToken;

/// Longest prefix in bytes; no move is longer.
const PREFIX_LEN_MAX: usize = 128;
/// Longest list on the threads of short calls.
const SHORT_LIST_LEN_MAX: u64 = 10_000;
/// Playing a move and comparing its position takes as long as listing this many moves.
const PLAYED_MOVE_COST: u64 = 10;
/// Saying a move in words takes as long as listing this many moves.
const SAID_MOVE_COST: u64 = 10;
/// Most legal moves whose positions are compared for `distinct`. They are all in memory at once, and take
/// about a microsecond each.
const DISTINCT_MOVES_MAX: u64 = 1_000_000;

/// A page, or the work left for one that takes long.
pub(crate) enum PageOrLongList {
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
pub(crate) fn page(context: &CallContext<'_>, question: &MovesQuestion) -> Result<PageOrLongList, EngineError> {
    if question.prefix.len() > PREFIX_LEN_MAX {
        let message = format!("{} bytes, no move is longer than {}", question.prefix.len(), PREFIX_LEN_MAX);
        return Err(EngineError::too_large(Field::Prefix, message));
    }
    let resolved = ResolvedPosition::resolve(context, &question.spec)?;
    let key = resolved.key(context)?;
    let position = resolved.position;
    let listing = Listing::new(context, question, &position, key)?;
    if listing.is_long()? {
        return Ok(PageOrLongList::Long(LongList { question: question.clone(), position, key }));
    }
    listing.page().map(PageOrLongList::Page)
}

/// Lists one page of a long list.
pub(crate) fn long_page(context: &CallContext<'_>, list: &LongList) -> Result<MovePage, EngineError> {
    Listing::new(context, &list.question, &list.position, list.key)?.page()
}

/// A page to list.
struct Listing<'a> {
    context: &'a CallContext<'a>,
    position: &'a Position,
    key: PositionKey,
    prefix: &'a str,
    distinct: bool,
    texts: Option<Language>,
    token: PageToken,
}

impl<'a> Listing<'a> {
    fn new(
        context: &'a CallContext<'a>,
        question: &'a MovesQuestion,
        position: &'a Position,
        key: PositionKey,
    ) -> Result<Self, EngineError> {
        let MovesQuestion { spec, prefix, page_size, page_token, distinct, texts } = question;
        let list = (&spec.game, context.variant, position.as_bytes(), prefix, distinct);
        Ok(Listing {
            context,
            position,
            key,
            prefix,
            distinct: *distinct,
            texts: *texts,
            token: PageToken::read(page_token, list, *page_size, context.config)?,
        })
    }

    /// Whether the page takes long; refuses what would take too long.
    fn is_long(&self) -> Result<bool, EngineError> {
        if !self.distinct {
            let cost = if self.texts.is_some() { SAID_MOVE_COST } else { 1 };
            let page_size = (self.token.page_size as u64).saturating_mul(cost);
            return Ok(self.token.start.saturating_add(page_size) > SHORT_LIST_LEN_MAX);
        }
        let CallContext { game, variant, .. } = self.context;
        if game.distinct_lists.get(&self.list_key()).is_some() {
            return Ok(false);
        }
        let n_moves = game.ruleset.count_moves(*variant, self.position, self.prefix);
        let n_moves = n_moves.map_err(|error| EngineError::from_call(&game.id, error))?;
        if n_moves > DISTINCT_MOVES_MAX {
            let message =
                format!("{n_moves} legal moves, at most {DISTINCT_MOVES_MAX} are compared; list fewer with `");
            let message = FieldMessage::from(message).field(Field::Prefix).text("`, or all without `");
            return Err(EngineError::too_large(Field::Distinct, message.field(Field::Distinct).text("`")));
        }
        Ok(n_moves * PLAYED_MOVE_COST > SHORT_LIST_LEN_MAX)
    }

    fn page(&self) -> Result<MovePage, EngineError> {
        let listed = if self.distinct { self.distinct_moves() } else { self.all_moves() };
        let mut page = listed.map_err(|error| EngineError::from_call(&self.context.game.id, error))?;
        page.key = Some(self.key);
        page.texts = self.texts(&page).map_err(|error| EngineError::from_call(&self.context.game.id, error))?;
        let end = self.token.start + page.len() as u64;
        if end < page.total {
            page.next_page_token = self.token.write(end);
        }
        Ok(page)
    }

    /// Says the moves of a page in words, if that is requested.
    fn texts(&self, page: &MovePage) -> Result<Vec<String>, CallError> {
        let Some(language) = self.texts else { return Ok(Vec::new()) };
        let CallContext { game, variant, .. } = *self.context;
        let moves: Vec<&str> = page.iter().collect();
        let said = game.ruleset.say_moves(variant, self.position, &moves)?;
        let seats = &game.ruleset.variants()[variant].seats;
        let text = |message: Option<Message>| {
            let said = message.zip(game.ruleset.catalogue());
            said.map(|(message, words)| words.render_alone(language, &message, seats)).unwrap_or_default()
        };
        Ok(said.into_iter().map(text).collect())
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
        // A complete list has been counted; the rule set counts a longer one faster than it lists it.
        page.total = match flow {
            ControlFlow::Continue(()) => n_seen,
            ControlFlow::Break(()) if self.context.is_cancelled() => n_seen,
            ControlFlow::Break(()) => game.ruleset.count_moves(*variant, self.position, self.prefix)?,
        };
        Ok(page)
    }

    fn distinct_moves(&self) -> Result<MovePage, CallError> {
        let lists = &self.context.game.distinct_lists;
        // Nobody reads the answer of a cancelled call.
        let list = lists.get_or_list(self.context, &self.list_key())?.unwrap_or_default();
        Ok(list.page(self.token.start, self.token.page_size))
    }

    fn list_key(&self) -> ListKey {
        let CallContext { variant, .. } = *self.context;
        ListKey { variant, position: self.position.clone(), prefix: self.prefix.to_owned() }
    }
}
