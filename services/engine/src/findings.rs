//! What becomes known of a question, as one of its askers sees it.
//!
//! Equal questions share a search, which is due when the first asker's answer
//! is. One who came with a later deadline is not served less for that: the
//! search is taken up again for the time that is left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep_until;

use crate::answer::StopReason;
use crate::asked::{Asked, LookedUp};
use crate::cache::Snapshot;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::flight::Progress;
use crate::question::Caller;
use crate::task::instant_snapshot;

/// An answer may be this late before what is known so far is given instead.
const LATENESS: Duration = Duration::from_millis(4);
/// How long finding any legal move may take when the deadline is here.
const INSTANT: Duration = Duration::from_millis(1);

/// The findings about one question. Dropping them is giving up.
pub(crate) struct Findings {
    found: LookedUp,
    /// What a search found that ended too early for this asker.
    earlier: Option<Arc<Snapshot>>,
}

impl Findings {
    pub(crate) fn start(engine: &Engine, asked: &Asked, caller: &Caller) -> Result<Self, EngineError> {
        Ok(Findings { found: engine.look_up(asked, caller)?, earlier: None })
    }

    /// The last word, and whether it was remembered.
    pub(crate) async fn last(
        mut self,
        engine: &Engine,
        asked: &Asked,
        caller: &Caller,
    ) -> Result<(Arc<Snapshot>, bool), EngineError> {
        loop {
            let (snapshot, cached) = self.next(engine, asked, caller).await?;
            if snapshot.stop.is_some() {
                return Ok((snapshot, cached));
            }
        }
    }

    /// The next improvement, and whether it was remembered. The last one has
    /// its stop reason set; after it and after an error there is no next.
    pub(crate) async fn next(
        &mut self,
        engine: &Engine,
        asked: &Asked,
        caller: &Caller,
    ) -> Result<(Arc<Snapshot>, bool), EngineError> {
        loop {
            let (ticket, is_own) = match &mut self.found {
                LookedUp::Remembered(snapshot) => return Ok((snapshot.clone(), true)),
                LookedUp::Ticket { ticket, is_own } => (ticket, *is_own),
            };
            let is_news = ticket.progress.has_changed().unwrap_or(true);
            let progress = ticket.progress.borrow_and_update().clone();
            match &progress {
                Progress::Done(snapshot) if !is_own && asked.has_time_after(snapshot) => {
                    let known = better(&self.earlier, snapshot).clone();
                    match engine.look_up(asked, caller) {
                        Ok(found) => self.found = found,
                        Err(EngineError::Overloaded { .. }) => return Ok((ended(&known, StopReason::Load), false)),
                        Err(error) => return Err(error),
                    }
                    self.earlier = Some(known);
                    continue;
                }
                Progress::Done(snapshot) => {
                    let stop = match snapshot.stop {
                        // Another asker's, or this one's.
                        Some(StopReason::Deadline) | None => asked.ends_by(),
                        Some(stop) => stop,
                    };
                    return Ok((ended(better(&self.earlier, snapshot), stop), false));
                }
                Progress::Failed(error) => return Err(error.clone()),
                Progress::Some(snapshot) if is_news && Arc::ptr_eq(better(&self.earlier, snapshot), snapshot) => {
                    return Ok((snapshot.clone(), false));
                }
                Progress::Some(_) | Progress::Nothing => {}
            }
            tokio::select! {
                changed = ticket.progress.changed() => match changed {
                    // Seen as news by the next round.
                    Ok(()) => ticket.progress.mark_changed(),
                    Err(_) => return Err(EngineError::Internal { message: "a search ended without a word".to_owned() }),
                },
                () = sleep_until((asked.due + LATENESS).into()) => {
                    return self.known_so_far(asked, &progress).map(|snapshot| (snapshot, false));
                }
            }
        }
    }

    /// The answer is due: what is known, or any legal move.
    fn known_so_far(&self, asked: &Asked, progress: &Progress) -> Result<Arc<Snapshot>, EngineError> {
        let stop = asked.ends_by();
        match (progress, &self.earlier) {
            (Progress::Some(snapshot), _) => return Ok(ended(better(&self.earlier, snapshot), stop)),
            (_, Some(earlier)) => return Ok(ended(earlier, stop)),
            (_, None) => {}
        }
        let snapshot = instant_snapshot(&asked.game, &asked.flight_key.key, Instant::now() + INSTANT)
            .map_err(|error| EngineError::from_call(&asked.game.id, error))?;
        snapshot.map(|snapshot| ended(&Arc::new(snapshot), stop)).ok_or(EngineError::Deadline)
    }
}

/// What was found, or what an earlier search found, if that is worth more.
fn better<'a>(earlier: &'a Option<Arc<Snapshot>>, found: &'a Arc<Snapshot>) -> &'a Arc<Snapshot> {
    earlier.as_ref().filter(|earlier| !found.outranks(earlier)).unwrap_or(found)
}

/// The same as the last word.
fn ended(snapshot: &Arc<Snapshot>, stop: StopReason) -> Arc<Snapshot> {
    Arc::new(Snapshot { stop: Some(stop), ..Snapshot::clone(snapshot) })
}
