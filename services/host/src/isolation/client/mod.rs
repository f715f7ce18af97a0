//! The calls of a rule set whose library is in a worker.
//!
//! The caller has checked the arguments, as for a library in this process. Replies are
//! validated here: a refusal that the call may not return, a value out of range or an
//! unreadable message is a violation by the worker, since it validates its plugin's
//! output before passing it on. Such a worker is killed.
//!
//! | module | contents |
//! | --- | --- |
//! | `rules` | the calls that every rule set has |
//! | `extensions` | symmetries, layouts, reasons and static evaluations |
//! | `search` | searches, which report while they run |
//! | `arbitrary_bytes` | parses arbitrary bytes, for fuzzing and tests |

#[cfg(any(test, feature = "fuzzing"))]
mod arbitrary_bytes;
mod extensions;
mod rules;
mod search;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use pentad_model::{FaultKind, Violation};

use super::channel::is_timeout;
use super::hang_clock::ASLEEP_FACTOR;
use super::process::{Launch, Lease, Verdict};
use super::supervisor::Supervisor;
use super::wire::{At, Call, Described, Reply};
use super::{IsolationOptions, WorkerStatus};
use crate::call::ErrorSet;
use crate::error::{CallError, Fault, FaultLog};
use crate::image::Image;
use crate::position::Position;
use crate::ruleset::Ruleset;

#[cfg(any(test, feature = "fuzzing"))]
pub(super) use arbitrary_bytes::read_arbitrary_bytes;
pub(super) use search::STOP_POLL_INTERVAL;
pub(crate) use search::SearchChannel;

/// A rule set in a worker process.
#[derive(Debug)]
pub(crate) struct WorkerClient {
    supervisor: Supervisor,
    faults: Arc<FaultLog>,
}

/// Message of a call whose worker ended by itself.
const ENDED: &str = "its worker process ended during the call; it is being restarted";

/// Why there is no result.
pub(super) enum Lost {
    /// The worker has ended, or does not respond.
    Io(io::Error),
    /// The call has hung: it has used more than this CPU time, or slept for five times as long.
    Hung(Duration),
    /// It sent something that the contract forbids.
    Violation(Violation),
}

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Lost {
        match error.kind() {
            io::ErrorKind::InvalidData => Lost::Violation(Violation::value(error.to_string())),
            _ => Lost::Io(error),
        }
    }
}

impl From<Violation> for Lost {
    fn from(violation: Violation) -> Lost {
        Lost::Violation(violation)
    }
}

impl WorkerClient {
    /// Starts a worker for a library. Returns the library's description, or why it was
    /// not loaded.
    pub(crate) fn start(
        path: &std::path::Path,
        sha256: &str,
        image: Image,
        needed: Vec<String>,
        options: &IsolationOptions,
        faults: Arc<FaultLog>,
    ) -> Result<(WorkerClient, Described), String> {
        let launch = Launch {
            path: path.to_string_lossy().into_owned(),
            sha256: sha256.to_owned(),
            image,
            needed,
            options: options.clone(),
        };
        let (supervisor, description) = Supervisor::start(launch, Arc::clone(&faults))?;
        let described = description.read().map_err(|violation| violation.detail)?;
        supervisor.set_game(&described.info.id);
        for fault in &described.faults {
            faults.record(fault.clone());
        }
        Ok((WorkerClient { supervisor, faults }, described))
    }

    pub(crate) fn is_up(&self) -> bool {
        self.supervisor.is_up()
    }

    pub(crate) fn status(&self) -> WorkerStatus {
        self.supervisor.status()
    }

    /// Kills the worker for a fault that is already recorded, and so ends all its
    /// calls.
    pub(crate) fn end_process(&self, fault: &Fault) {
        self.supervisor.end_process(fault);
    }

    pub(super) fn lease(&self, call: &'static str) -> Result<Lease, CallError> {
        let process = self.supervisor.process()?;
        let unavailable =
            |error| CallError::Unavailable { message: format!("no channel to its worker process: {error}") };
        process.lease(call).map_err(unavailable)
    }

    /// Sends one call and reads its reply.
    pub(super) fn call<T>(
        &self,
        name: &'static str,
        expected: ErrorSet,
        call: &Call<'_>,
        read: impl FnOnce(Reply<'_>) -> Result<T, Violation>,
    ) -> Result<T, CallError> {
        let mut lease = self.lease(name)?;
        let received = round_trip(&mut lease, call, |reply| match reply {
            Reply::Refused(refusal) => Ok(Err(refusal.read(name))),
            reply => read(reply).map(Ok),
        });
        match self.checked(name, expected, &lease, received) {
            Ok(value) => {
                lease.finish();
                Ok(value)
            }
            Err(error) => Err(finished_with(lease, error)),
        }
    }

    /// Records a fault, and kills a worker that violates the contract or does not
    /// respond.
    pub(super) fn checked<T>(
        &self,
        call: &'static str,
        expected: ErrorSet,
        lease: &Lease,
        received: Result<Result<T, CallError>, Lost>,
    ) -> Result<T, CallError> {
        let breach = |violation: Violation| {
            let fault = Fault { kind: violation.kind, call, detail: format!("from the worker: {}", violation.detail) };
            self.faults.record(fault.clone());
            lease.process.kill(Verdict::Fault(fault.clone()));
            CallError::Fault(fault)
        };
        let hung = |limit: Duration| {
            let ms = limit.as_millis();
            let detail = format!("no answer within {ms} ms of CPU time, or {ASLEEP_FACTOR} times as long asleep");
            let fault = Fault { kind: FaultKind::Hang, call, detail };
            self.faults.record(fault.clone());
            lease.process.kill(Verdict::Fault(fault.clone()));
            CallError::Fault(fault)
        };
        match received {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) if !expected.includes(&error) => {
                Err(breach(Violation::status(format!("the call may not fail so: {error}"))))
            }
            Ok(Err(error)) => {
                if let CallError::Fault(fault) = &error {
                    self.faults.record(fault.clone());
                }
                Err(error)
            }
            Err(Lost::Violation(violation)) => Err(breach(violation)),
            Err(Lost::Hung(limit)) => Err(hung(limit)),
            Err(Lost::Io(error)) if is_timeout(&error) => Err(hung(lease.process.call_time_max)),
            Err(Lost::Io(_)) => Err(CallError::Unavailable { message: ENDED.to_owned() }),
        }
    }
}

/// Sends a call and reads the reply.
fn round_trip<T>(
    lease: &mut Lease,
    call: &Call<'_>,
    read: impl FnOnce(Reply<'_>) -> Result<Result<T, CallError>, Violation>,
) -> Result<Result<T, CallError>, Lost> {
    lease.channel().send(call)?;
    let reply = decode(lease.receive()?)?;
    Ok(read(reply)?)
}

pub(super) fn decode(message: &[u8]) -> Result<Reply<'_>, Violation> {
    postcard::from_bytes(message).map_err(|error| Violation::value(format!("a message that cannot be read: {error}")))
}

/// Returns the channel to the pool if the call was refused, or closes it if it is
/// broken.
pub(super) fn finished_with(lease: Lease, error: CallError) -> CallError {
    if !lease.process.is_ended() && !matches!(error, CallError::Unavailable { .. }) {
        lease.finish();
    }
    error
}

pub(super) fn at(variant: usize, position: &Position) -> At<'_> {
    At { variant: variant as u32, position: position.as_bytes() }
}

pub(super) fn position(rules: &Ruleset, variant: usize, reply: &Reply<'_>) -> Result<Position, Violation> {
    match reply {
        Reply::Position(bytes) => rules.position_of(variant, bytes),
        reply => Err(unexpected(reply)),
    }
}

fn below(reply: &Reply<'_>, end: usize) -> Result<usize, Violation> {
    match reply {
        Reply::Number(number) if *number < end as u64 => Ok(*number as usize),
        Reply::Number(number) => Err(Violation::value(format!("{number}, which is not below {end}"))),
        reply => Err(unexpected(reply)),
    }
}

pub(super) fn unexpected(reply: &Reply<'_>) -> Violation {
    let mut text = format!("{reply:?}");
    if let Some((end, _)) = text.char_indices().nth(80) {
        text.truncate(end);
    }
    Violation::value(format!("an unexpected reply: {text}"))
}
