//! Threats of a rule set in a worker: messages, and the calls on the host's side.

use std::io;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pentad_model::{Violation, text};
use serde::{Deserialize, Serialize};

use super::channel::is_timeout;
use super::client::{Lost, STOP_POLL_INTERVAL, WorkerClient, at, decode, finished_with, position, unexpected};
use super::hang_clock::HangClock;
use super::process::Lease;
use super::wire::{Call, Reply};
use crate::call::ErrorSet;
use crate::error::CallError;
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::threats::{ListedThreat, STOPS_MAX, THREATS_MAX, ThreatList, WINNING};

/// A [`ThreatList`] as a message.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireThreatList<'a> {
    #[serde(borrow)]
    threats: Vec<WireThreat<'a>>,
    #[serde(borrow)]
    stops_all: Vec<&'a str>,
    seats: Vec<u32>,
    is_truncated: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireThreat<'a> {
    seat: u32,
    kind: &'a str,
    mv: &'a str,
    score: f64,
    points: Vec<u32>,
    #[serde(borrow)]
    stopped_by: Vec<&'a str>,
}

/// Bounds for validating a list.
pub(crate) struct ThreatListBounds<'a> {
    rules: &'a Ruleset,
    variant: usize,
}

impl<'a> WireThreatList<'a> {
    pub(crate) fn new(list: &'a ThreatList) -> WireThreatList<'a> {
        let strs = |moves: &'a [String]| moves.iter().map(String::as_str).collect();
        let threat = |threat: &'a ListedThreat| WireThreat {
            seat: threat.seat as u32,
            kind: &threat.kind,
            mv: &threat.mv,
            score: threat.score,
            points: threat.points.clone(),
            stopped_by: strs(&threat.stopped_by),
        };
        WireThreatList {
            threats: list.threats.iter().map(threat).collect(),
            stops_all: strs(&list.stops_all),
            seats: list.seats.iter().map(|&seat| seat as u32).collect(),
            is_truncated: list.is_truncated,
        }
    }

    /// Validates a worker's list.
    pub(crate) fn read(&self, bounds: &ThreatListBounds<'_>) -> Result<ThreatList, Violation> {
        if self.threats.len() > 2 * THREATS_MAX {
            return Err(Violation::value(format!("{} threats", self.threats.len())));
        }
        Ok(ThreatList {
            threats: self.threats.iter().map(|threat| threat.read(bounds)).collect::<Result<_, _>>()?,
            stops_all: read_moves(&self.stops_all)?,
            seats: self.seats.iter().map(|&seat| bounds.seat(seat)).collect::<Result<_, _>>()?,
            is_truncated: self.is_truncated,
        })
    }
}

impl WireThreat<'_> {
    fn read(&self, bounds: &ThreatListBounds<'_>) -> Result<ListedThreat, Violation> {
        let rules = bounds.rules;
        let n_points = rules.variants()[bounds.variant].board.as_ref().map_or(0, |board| board.points.len());
        let is_known = self.kind == WINNING || rules.threat_kinds().iter().any(|known| known.kind == self.kind);
        let is_score = self.score > 0.0 && self.score <= 1.0;
        if !is_known || !is_score || self.points.iter().any(|&point| point as usize >= n_points) {
            return Err(Violation::value("a threat of an unknown kind, on unknown points, or without a score"));
        }
        Ok(ListedThreat {
            seat: bounds.seat(self.seat)?,
            kind: self.kind.to_owned(),
            mv: text::move_text(self.mv.as_bytes())?.to_owned(),
            score: self.score,
            points: self.points.clone(),
            stopped_by: read_moves(&self.stopped_by)?,
        })
    }
}

impl ThreatListBounds<'_> {
    fn seat(&self, seat: u32) -> Result<usize, Violation> {
        match seat as usize {
            seat if seat < self.rules.variants()[self.variant].seats.len() => Ok(seat),
            seat => Err(Violation::value(format!("there is no seat {seat}"))),
        }
    }
}

fn read_moves(moves: &[&str]) -> Result<Vec<String>, Violation> {
    if moves.len() > STOPS_MAX {
        return Err(Violation::value(format!("{} moves that stop threats", moves.len())));
    }
    moves.iter().map(|mv| Ok(text::move_text(mv.as_bytes())?.to_owned())).collect()
}

impl WorkerClient {
    pub(crate) fn turn_of(
        &self,
        rules: &Ruleset,
        variant: usize,
        from: &Position,
        seat: usize,
    ) -> Result<Option<Position>, CallError> {
        let call = Call::TurnOf { at: at(variant, from), seat: seat as u32 };
        match self.call("turn_of", ErrorSet::EXTENSION, &call, |reply| position(rules, variant, &reply)) {
            Ok(turn) => Ok(Some(turn)),
            Err(CallError::Unsupported) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn threats(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ThreatList, CallError> {
        const CALL: &str = "threats.list";
        let mut lease = self.lease(CALL)?;
        let bounds = ThreatListBounds { rules, variant };
        let call = Call::Threats(at(variant, position));
        let received = call_until(&mut lease, &call, is_cancelled, |reply| match reply {
            Reply::Threats(list) => Ok(Ok(list.read(&bounds)?)),
            Reply::Refused(refusal) => Ok(Err(refusal.read(CALL))),
            reply => Err(unexpected(&reply)),
        });
        match self.checked(CALL, ErrorSet::EXTENSION, &lease, received) {
            Ok(list) => {
                lease.finish();
                Ok(list)
            }
            Err(error) => Err(finished_with(lease, error)),
        }
    }
}

/// Sends a call and reads the reply. Sets the stop flag once `is_cancelled`, or when
/// half of the time is over: the worker then replies with what it has found, marked as
/// truncated.
fn call_until<T>(
    lease: &mut Lease,
    call: &Call<'_>,
    is_cancelled: &dyn Fn() -> bool,
    read: impl FnOnce(Reply<'_>) -> Result<Result<T, CallError>, Violation>,
) -> Result<Result<T, CallError>, Lost> {
    let call_time_max = lease.process.call_time_max;
    let (started, mut clock) = (Instant::now(), HangClock::for_call(&lease.process));
    lease.stop_flag().store(0, Ordering::Relaxed);
    lease.channel().set_read_timeout(STOP_POLL_INTERVAL)?;
    lease.channel().send(call)?;
    loop {
        match lease.channel().receive().map(drop) {
            Ok(()) => {
                let result = read(decode(lease.channel().message())?)?;
                lease.reset_timeout()?;
                return Ok(result);
            }
            Err(error) if is_timeout(&error) && !clock.has_hung(&lease.process) => {
                if is_cancelled() || started.elapsed() > call_time_max / 2 {
                    lease.stop_flag().store(1, Ordering::Relaxed);
                }
            }
            Err(error) if is_timeout(&error) => return Err(Lost::Io(io::ErrorKind::TimedOut.into())),
            Err(error) => return Err(error.into()),
        }
    }
}
