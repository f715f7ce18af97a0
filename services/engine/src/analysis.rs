//! Answers that improve.

use std::sync::Arc;
use std::time::Instant;

use tokio::time::sleep_until;

use crate::answer::Hints;
use crate::asked::{Asked, LATENESS, LookedUp};
use crate::cache::Snapshot;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::flight::{Progress, Ticket};
use crate::question::Caller;
use crate::task::FlightKey;

/// A stream of improving answers. Dropping it ends the search.
pub struct Analysis {
    engine: Arc<Engine>,
    asked: Asked,
    caller: Caller,
    found: Found,
    answer_by: Instant,
}

enum Found {
    Remembered(Arc<Snapshot>),
    Ticket(Box<Ticket<FlightKey>>),
    Finished,
}

impl std::fmt::Debug for Analysis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analysis").field("game", &self.asked.game.id).finish_non_exhaustive()
    }
}

impl Analysis {
    pub(crate) fn start(engine: Arc<Engine>, asked: Asked, caller: Caller) -> Result<Self, EngineError> {
        let found = match engine.look_up(&asked, &caller)? {
            LookedUp::Remembered(snapshot) => Found::Remembered(snapshot),
            LookedUp::Ticket(ticket) => Found::Ticket(ticket),
        };
        let answer_by = asked.due + LATENESS;
        Ok(Analysis { engine, asked, caller, found, answer_by })
    }

    /// The next improvement; the last one has its stop reason set. `None`
    /// after that, or after an error.
    pub async fn next(&mut self) -> Option<Result<Hints, EngineError>> {
        let (snapshot, cached) = match self.next_snapshot().await? {
            Ok(found) => found,
            Err(error) => {
                self.found = Found::Finished;
                return Some(Err(error));
            }
        };
        if snapshot.stop.is_some() {
            self.found = Found::Finished;
        }
        let assembled = self.engine.assemble(&self.asked, &snapshot, &self.caller).await;
        Some(assembled.map(|mut hints| {
            hints.cached = cached;
            hints.elapsed = self.caller.arrived.elapsed();
            if hints.stop.is_some() {
                self.engine.observer.evaluation_given(&self.asked.game.id, &hints.evaluation);
            }
            hints
        }))
    }

    async fn next_snapshot(&mut self) -> Option<Result<(Arc<Snapshot>, bool), EngineError>> {
        let ticket = match &mut self.found {
            Found::Finished => return None,
            Found::Remembered(snapshot) => return Some(Ok((snapshot.clone(), true))),
            Found::Ticket(ticket) => ticket,
        };
        loop {
            let is_news = ticket.progress.has_changed().unwrap_or(true);
            let progress = ticket.progress.borrow_and_update().clone();
            match &progress {
                Progress::Done(snapshot) => return Some(Ok((snapshot.clone(), false))),
                Progress::Failed(error) => return Some(Err(error.clone())),
                Progress::Some(snapshot) if is_news => return Some(Ok((snapshot.clone(), false))),
                Progress::Some(_) | Progress::Nothing => {}
            }
            tokio::select! {
                changed = ticket.progress.changed() => match changed {
                    // Seen as news by the next round.
                    Ok(()) => ticket.progress.mark_changed(),
                    Err(_) => return Some(Err(EngineError::Internal { message: "a search ended without a word".to_owned() })),
                },
                () = sleep_until(self.answer_by.into()) => {
                    return Some(self.engine.known_so_far(&self.asked, &progress).map(|it| (it, false)));
                }
            }
        }
    }
}
