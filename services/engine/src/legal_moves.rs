//! Pages of legal moves.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

use pentad_host::{CallError, Position, Ruleset};

use crate::answer::MovePage;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::question::MovesQuestion;
use crate::resolve::ResolvedPosition;
use crate::served_game::ServedGame;

/// No move is longer.
const PREFIX_LEN_MAX: usize = 128;

/// Moves that are played together: an isolated rule set gets them in one message.
const DISTINCT_BATCH: usize = 1000;

/// Lists one page.
pub(crate) fn page(
    game: &ServedGame,
    variant: usize,
    config: &EngineConfig,
    question: &MovesQuestion,
) -> Result<MovePage, EngineError> {
    if question.prefix.len() > PREFIX_LEN_MAX {
        let message = format!("{} bytes, no move is longer than {}", question.prefix.len(), PREFIX_LEN_MAX);
        return Err(EngineError::TooLarge { field: "prefix".to_owned(), message });
    }
    let position = ResolvedPosition::resolve(game, variant, config, &question.spec)?.position;
    let fingerprint = fingerprint(&position, variant, question);
    let start = read_token(&question.page_token, fingerprint)?;
    let page_size = match question.page_size {
        0 => config.page_len_max,
        size => size.min(config.page_len_max),
    };
    let listing = Listing { rules: &game.ruleset, variant, position, prefix: &question.prefix, start, page_size };
    let listed = if question.distinct { listing.distinct_moves() } else { listing.all_moves() };
    let mut page = listed.map_err(|error| EngineError::from_call(&game.id, error))?;
    let end = start + page.len() as u64;
    if end < page.total {
        page.next_page_token = write_token(end, fingerprint);
    }
    Ok(page)
}

/// A page to be listed: `page_size` moves after the first `start`.
struct Listing<'a> {
    rules: &'a Ruleset,
    variant: usize,
    position: Position,
    prefix: &'a str,
    start: u64,
    page_size: usize,
}

impl Listing<'_> {
    fn all_moves(&self) -> Result<MovePage, CallError> {
        let mut page = MovePage::default();
        let mut n_seen = 0;
        let flow = self.rules.legal_moves(self.variant, &self.position, self.prefix, &mut |mv| {
            if page.len() == self.page_size {
                return ControlFlow::Break(());
            }
            n_seen += 1;
            if n_seen > self.start {
                page.push(mv);
            }
            ControlFlow::Continue(())
        })?;
        // A list that came to its end has been counted; a longer one is counted
        // by the rule set, which knows a shorter way.
        page.total = match flow {
            ControlFlow::Continue(()) => n_seen,
            ControlFlow::Break(()) => self.rules.count_moves(self.variant, &self.position, self.prefix)?,
        };
        Ok(page)
    }

    /// Only the first of the moves that lead to one position.
    fn distinct_moves(&self) -> Result<MovePage, CallError> {
        let mut page = MovePage::default();
        let mut reached: HashSet<Position> = HashSet::new();
        let mut batch: Vec<String> = Vec::with_capacity(DISTINCT_BATCH);
        let mut play = |batch: &mut Vec<String>| -> Result<(), CallError> {
            let successors = self.rules.successors(self.variant, &self.position, batch)?;
            for (mv, next) in batch.drain(..).zip(successors) {
                if reached.insert(next) && reached.len() as u64 > self.start && page.len() < self.page_size {
                    page.push(&mv);
                }
            }
            Ok(())
        };
        let mut failed = None;
        let _complete = self.rules.legal_moves(self.variant, &self.position, self.prefix, &mut |mv| {
            batch.push(mv.to_owned());
            if batch.len() < DISTINCT_BATCH {
                return ControlFlow::Continue(());
            }
            failed = play(&mut batch).err();
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        play(&mut batch)?;
        page.total = reached.len() as u64;
        Ok(page)
    }
}

/// What a token must agree on with the question it comes back with.
fn fingerprint(position: &Position, variant: usize, question: &MovesQuestion) -> u32 {
    let mut hasher = DefaultHasher::new();
    (&question.spec.game, variant, position, &question.prefix, question.distinct).hash(&mut hasher);
    hasher.finish() as u32
}

fn write_token(start: u64, fingerprint: u32) -> String {
    format!("{start:x}-{fingerprint:08x}")
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
