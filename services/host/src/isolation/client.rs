//! The calls of a rule set whose library is in a worker.
//!
//! Arguments were checked by the caller, as for a library in this process. What comes
//! back is validated here: a refusal that the call may not give, a value out of
//! range or a message that cannot be read is a breach of the worker's side, since it
//! validates what its plugin says before it passes it on. Such a worker is ended.

use std::any::Any;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pentad_abi as abi;
use pentad_model::{FaultKind, Outcome, Reason, Seating, Violation, evaluation, text};
use pentad_search::{Control, Evaluation, Report, Request, Scores};

use super::channel::is_timeout;
use super::process::{Launch, Lease, Verdict};
use super::supervisor::Supervisor;
use super::wire::{At, Call, Described, Reply, WireReport, WireRequest};
use super::{IsolationOptions, WorkerStatus};
use crate::call::ErrorSet;
use crate::error::{CallError, Fault, FaultLog};
use crate::image::Image;
use crate::layout::PIECES_MAX;
use crate::position::Position;
use crate::reasons::REASONS_MAX;
use crate::ruleset::{Failed, Played, Ruleset};

/// How often a waiting caller asks whether its search is to stop.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(2);
/// Bytes of positions per message, below the bound of a reply.
const SUCCESSORS_BYTES_MAX: usize = super::process::REPLY_BYTES_MAX / 2;

/// A rule set in a worker process.
#[derive(Debug)]
pub(crate) struct WorkerClient {
    supervisor: Supervisor,
    faults: Arc<FaultLog>,
}

/// The channel of a searcher, whose context is at the other end.
#[derive(Debug)]
pub(crate) struct SearchChannel {
    lease: Lease,
}

/// Why there is no answer.
enum Lost {
    /// The worker has ended, or does not answer.
    Io(io::Error),
    /// It says something that it may not say.
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
    /// Starts a worker for a library. Returns what the library says about itself, or
    /// why it was not loaded.
    pub(crate) fn start(
        path: &std::path::Path,
        sha256: &str,
        image: Image,
        options: &IsolationOptions,
        faults: Arc<FaultLog>,
    ) -> Result<(WorkerClient, Described), String> {
        let launch = Launch {
            path: path.to_string_lossy().into_owned(),
            sha256: sha256.to_owned(),
            image,
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

    /// Ends the worker for a fault that is recorded already, and so all its calls.
    pub(crate) fn end_process(&self, fault: &Fault) {
        self.supervisor.end_process(fault);
    }

    pub(crate) fn start_position(&self, rules: &Ruleset, variant: usize) -> Result<Position, CallError> {
        let call = Call::Start { variant: variant as u32 };
        self.call("start", ErrorSet::NONE, &call, |reply| position(rules, variant, &reply))
    }

    pub(crate) fn parse(&self, rules: &Ruleset, variant: usize, text: &str) -> Result<Position, CallError> {
        let call = Call::Parse { variant: variant as u32, text };
        self.call("parse", ErrorSet::MALFORMED, &call, |reply| position(rules, variant, &reply))
    }

    pub(crate) fn format(&self, variant: usize, position: &Position) -> Result<String, CallError> {
        self.call("format", ErrorSet::NONE, &Call::Format(at(variant, position)), |reply| match reply {
            Reply::Text(text) if text.len() as u64 <= abi::POSITION_LEN_MAX => text::position_text(text.into()),
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn to_move(&self, rules: &Ruleset, variant: usize, position: &Position) -> Result<usize, CallError> {
        let call = Call::ToMove(at(variant, position));
        self.call("to_move", ErrorSet::NONE, &call, |reply| below(&reply, rules.variants()[variant].seats.len()))
    }

    pub(crate) fn legal_moves(
        &self,
        variant: usize,
        position: &Position,
        prefix: &str,
        visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, CallError> {
        const CALL: &str = "legal_moves";
        let mut lease = self.lease(CALL)?;
        let mut flow = ControlFlow::Continue(());
        let mut next = Call::LegalMoves { at: at(variant, position), prefix };
        loop {
            let received = ask(&mut lease, &next, |reply| match reply {
                Reply::Moves { text, is_last } => {
                    if flow.is_continue() {
                        flow = visit_moves(text, prefix, visit)?;
                    }
                    Ok(Ok(is_last))
                }
                Reply::Refused(refusal) => Ok(Err(refusal.read(CALL))),
                reply => Err(unexpected(&reply)),
            });
            match self.checked(CALL, ErrorSet::NONE, &lease, received) {
                Ok(true) => {
                    lease.finish();
                    return Ok(flow);
                }
                Ok(false) => next = Call::Continue(flow.is_continue()),
                Err(error) => return Err(finished_with(lease, error)),
            }
        }
    }

    pub(crate) fn count_moves(&self, variant: usize, position: &Position, prefix: &str) -> Result<u64, CallError> {
        let call = Call::CountMoves { at: at(variant, position), prefix };
        self.call("count_moves", ErrorSet::NONE, &call, |reply| match reply {
            Reply::Number(count) => Ok(count),
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn play(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        mv: &str,
    ) -> Result<Played, CallError> {
        let call = Call::Play { at: at(variant, position), mv };
        self.call("play", ErrorSet::MOVE, &call, |reply| match reply {
            Reply::Played { position, canonical } => Ok(Played {
                position: rules.position_of(variant, position)?,
                canonical: text::move_text(canonical.as_bytes())?.to_owned(),
            }),
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn play_moves(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        moves: &[String],
    ) -> Result<Position, Failed> {
        const CALL: &str = "play";
        let texts = moves.iter().map(String::as_str).collect();
        let call = Call::PlayMoves { at: at(variant, position), moves: texts };
        let played = self.call(CALL, ErrorSet::NONE, &call, |reply| match reply {
            Reply::Reached { position, n_played, refusal } => {
                let reached = rules.position_of(variant, position)?;
                let Some(refusal) = refusal else { return Ok(Ok(reached)) };
                let (move_idx, error) = (n_played as usize, refusal.read(CALL));
                if move_idx >= moves.len() || !ErrorSet::MOVE.includes(&error) {
                    return Err(Violation::status(format!("move {move_idx} of {} is refused: {error}", moves.len())));
                }
                Ok(Err(Failed { move_idx, reached, error }))
            }
            reply => Err(unexpected(&reply)),
        });
        match played {
            Ok(Ok(reached)) => Ok(reached),
            Ok(Err(failed)) => {
                if let CallError::Fault(fault) = &failed.error {
                    self.faults.record(fault.clone());
                }
                Err(failed)
            }
            Err(error) => Err(Failed { move_idx: 0, reached: position.clone(), error }),
        }
    }

    pub(crate) fn successors(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        moves: &[String],
        canonical: bool,
    ) -> Result<Vec<Position>, CallError> {
        let size = rules.variants()[variant].position_size;
        let mut successors = Vec::with_capacity(moves.len());
        for moves in moves.chunks((SUCCESSORS_BYTES_MAX / size).max(1)) {
            let texts = moves.iter().map(String::as_str).collect();
            let call = Call::Successors { at: at(variant, position), moves: texts, canonical };
            self.call("play", ErrorSet::MOVE, &call, |reply| match reply {
                Reply::Positions(bytes) if bytes.len() == moves.len() * size => {
                    for position in bytes.chunks_exact(size) {
                        successors.push(rules.position_of(variant, position)?);
                    }
                    Ok(())
                }
                reply => Err(unexpected(&reply)),
            })?;
        }
        Ok(successors)
    }

    pub(crate) fn outcome(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
    ) -> Result<Option<Outcome>, CallError> {
        let seating = rules.variants()[variant].seating();
        self.call("outcome", ErrorSet::NONE, &Call::Outcome(at(variant, position)), |reply| match reply {
            Reply::Outcome { raw, text } if text.len() as u64 <= abi::TEXT_LEN_MAX => {
                Outcome::from_plugin(&raw, text.into(), seating)
            }
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn scores(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
    ) -> Result<Option<Scores>, CallError> {
        let seating = rules.variants()[variant].seating();
        self.call("outcome", ErrorSet::NONE, &Call::Scores(at(variant, position)), |reply| match reply {
            Reply::Outcome { raw, .. } => Outcome::scores_from_plugin(&raw, seating),
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn canonical(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
    ) -> Result<(Position, u32), CallError> {
        let n_symmetries = rules.variants()[variant].n_symmetries;
        self.call("canonical", ErrorSet::EXTENSION, &Call::Canonical(at(variant, position)), |reply| match reply {
            Reply::Canonical { position, symmetry } if (symmetry as usize) < n_symmetries => {
                Ok((rules.position_of(variant, position)?, symmetry))
            }
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn inverse_symmetry(&self, rules: &Ruleset, variant: usize, symmetry: u32) -> Result<u32, CallError> {
        let call = Call::InverseSymmetry { variant: variant as u32, symmetry };
        let n_symmetries = rules.variants()[variant].n_symmetries;
        self.call("inverse", ErrorSet::EXTENSION, &call, |reply| below(&reply, n_symmetries).map(|it| it as u32))
    }

    pub(crate) fn apply_symmetry(
        &self,
        rules: &Ruleset,
        variant: usize,
        symmetry: u32,
        from: &Position,
    ) -> Result<Position, CallError> {
        let call = Call::ApplySymmetry { at: at(variant, from), symmetry };
        self.call("apply", ErrorSet::EXTENSION, &call, |reply| position(rules, variant, &reply))
    }

    pub(crate) fn apply_symmetry_to_line(
        &self,
        variant: usize,
        symmetry: u32,
        position: &Position,
        moves: &[&str],
    ) -> Result<Vec<String>, CallError> {
        let call = Call::ApplySymmetryToLine { at: at(variant, position), symmetry, moves: moves.to_vec() };
        self.call("apply_move", ErrorSet::EXTENSION_MOVE, &call, |reply| match reply {
            Reply::Line(mapped) if mapped.len() == moves.len() => {
                mapped.into_iter().map(|mv| Ok(text::move_text(mv.as_bytes())?.to_owned())).collect()
            }
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn apply_symmetry_to_seat(
        &self,
        rules: &Ruleset,
        variant: usize,
        symmetry: u32,
        seat: usize,
    ) -> Result<usize, CallError> {
        let call = Call::ApplySymmetryToSeat { variant: variant as u32, symmetry, seat: seat as u32 };
        let n_seats = rules.variants()[variant].seats.len();
        self.call("apply_seat", ErrorSet::EXTENSION, &call, |reply| below(&reply, n_seats))
    }

    pub(crate) fn pieces(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
    ) -> Result<Vec<(u32, u32)>, CallError> {
        let board = rules.variants()[variant].board.as_ref().ok_or(CallError::Unsupported)?;
        let (n_points, n_pieces) = (board.points.len(), board.pieces.len());
        self.call("pieces", ErrorSet::EXTENSION, &Call::Pieces(at(variant, position)), |reply| match reply {
            Reply::Pieces(pieces) => {
                let fits = |&(point, piece): &(u32, u32)| (point as usize) < n_points && (piece as usize) < n_pieces;
                let is_sorted = pieces.is_sorted_by_key(|(point, _)| *point);
                if pieces.len() > PIECES_MAX || !is_sorted || !pieces.iter().all(fits) {
                    return Err(Violation::value("pieces that are not on the board, not sorted, or too many"));
                }
                Ok(pieces)
            }
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn explain(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        report: &Report<String>,
        line_idxs: &[usize],
    ) -> Result<Vec<Vec<Reason>>, CallError> {
        let idxs = line_idxs.iter().map(|idx| *idx as u32).collect();
        let call = Call::Explain { at: at(variant, position), report: WireReport::new(report), line_idxs: idxs };
        let board = rules.variants()[variant].board.as_ref();
        self.call("explain", ErrorSet::EXTENSION, &call, |reply| match reply {
            Reply::Reasons(lists) if lists.len() == line_idxs.len() => {
                if lists.iter().any(|reasons| reasons.len() > REASONS_MAX) {
                    return Err(Violation::value("too many reasons"));
                }
                let read = |reasons: &Vec<super::wire::WireReason<'_>>| {
                    reasons.iter().map(|reason| reason.read(board)).collect::<Result<Vec<Reason>, _>>()
                };
                lists.iter().map(read).collect()
            }
            reply => Err(unexpected(&reply)),
        })
    }

    pub(crate) fn evaluate(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
    ) -> Result<Evaluation, CallError> {
        let seating = rules.variants()[variant].seating();
        self.call("evaluate", ErrorSet::EXTENSION, &Call::Evaluate(at(variant, position)), |reply| match reply {
            Reply::Evaluation(raw) => evaluation::from_plugin(&raw, seating),
            reply => Err(unexpected(&reply)),
        })
    }

    /// A channel whose other end has a search context.
    pub(crate) fn create_searcher(
        &self,
        variant: usize,
        memory_bytes: u64,
        threads: usize,
    ) -> Result<SearchChannel, CallError> {
        const CALL: &str = "create";
        let mut lease = self.lease(CALL)?;
        let threads = u32::try_from(threads).unwrap_or(u32::MAX);
        let call = Call::CreateSearcher { variant: variant as u32, memory_bytes, threads };
        let created = ask(&mut lease, &call, |reply| match reply {
            Reply::Created => Ok(Ok(())),
            Reply::Refused(refusal) => Ok(Err(refusal.read(CALL))),
            reply => Err(unexpected(&reply)),
        });
        match self.checked(CALL, ErrorSet::SEARCH, &lease, created) {
            Ok(()) => {
                lease.complete();
                Ok(SearchChannel { lease })
            }
            Err(error) => Err(finished_with(lease, error)),
        }
    }

    /// Runs a search on a searcher's channel.
    pub(crate) fn run(
        &self,
        rules: &Ruleset,
        searcher: &mut SearchChannel,
        variant: usize,
        position: &Position,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        const CALL: &str = "run";
        let call = Call::Run { at: at(variant, position), request: WireRequest::new(request) };
        searcher.lease.begin(CALL);
        let searched = search(&mut searcher.lease, &call, SearchInput::new(rules, variant, request, control));
        let result = self.checked(CALL, ErrorSet::SEARCH, &searcher.lease, searched);
        if !searcher.lease.process.is_ended() {
            searcher.lease.complete();
        }
        result
    }

    /// Runs the fallback search in the worker.
    pub(crate) fn fallback_search(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        request: &Request<String>,
        control: &dyn Control<String>,
    ) -> Result<Report<String>, CallError> {
        const CALL: &str = "rules";
        let call = Call::FallbackSearch { at: at(variant, position), request: WireRequest::new(request) };
        let mut lease = self.lease(CALL)?;
        let searched = search(&mut lease, &call, SearchInput::new(rules, variant, request, control));
        match self.checked(CALL, ErrorSet::SEARCH, &lease, searched) {
            Ok(report) => {
                lease.finish();
                Ok(report)
            }
            Err(error) => Err(finished_with(lease, error)),
        }
    }

    fn lease(&self, call: &'static str) -> Result<Lease, CallError> {
        let process = self.supervisor.process()?;
        let unavailable =
            |error| CallError::Unavailable { message: format!("no channel to its worker process: {error}") };
        process.lease(call).map_err(unavailable)
    }

    /// One question and its answer.
    fn call<T>(
        &self,
        name: &'static str,
        expected: ErrorSet,
        call: &Call<'_>,
        read: impl FnOnce(Reply<'_>) -> Result<T, Violation>,
    ) -> Result<T, CallError> {
        let mut lease = self.lease(name)?;
        let received = ask(&mut lease, call, |reply| match reply {
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

    /// Records a fault, and ends a worker that is not to be trusted or does not answer.
    fn checked<T>(
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
            Err(Lost::Io(error)) => {
                if is_timeout(&error) {
                    let limit_ms = lease.process.call_time_max.as_millis();
                    let fault =
                        Fault { kind: FaultKind::Hang, call, detail: format!("no answer within {limit_ms} ms") };
                    self.faults.record(fault.clone());
                    lease.process.kill(Verdict::Fault(fault));
                }
                Err(CallError::Unavailable { message: lost_message(&error) })
            }
        }
    }
}

/// What a running search needs on this side.
#[derive(Clone, Copy)]
struct SearchInput<'a> {
    seating: Seating,
    n_lines: u32,
    control: &'a dyn Control<String>,
}

impl<'a> SearchInput<'a> {
    fn new(rules: &Ruleset, variant: usize, request: &Request<String>, control: &'a dyn Control<String>) -> Self {
        let n_lines = u32::try_from(request.n_lines).unwrap_or(u32::MAX).max(1);
        SearchInput { seating: rules.variants()[variant].seating(), n_lines, control }
    }
}

/// Runs a search: passes reports on, and the wish to stop back.
fn search(
    lease: &mut Lease,
    call: &Call<'_>,
    input: SearchInput<'_>,
) -> Result<Result<Report<String>, CallError>, Lost> {
    let SearchInput { seating, n_lines, control } = input;
    let call_time_max = lease.process.call_time_max;
    lease.stop_flag().store(0, Ordering::Relaxed);
    lease.channel().set_read_timeout(STOP_POLL_INTERVAL)?;
    lease.channel().send(call)?;
    let mut stopped_at: Option<Instant> = None;
    // A panic of the caller's control is resumed when the search has ended.
    let mut panic: Option<Box<dyn Any + Send>> = None;
    let result = loop {
        match stopped_at {
            Some(stopped_at) if stopped_at.elapsed() > call_time_max => {
                return Err(Lost::Io(io::ErrorKind::TimedOut.into()));
            }
            Some(_) => {}
            None if guarded(&mut panic, true, || control.should_stop()) => {
                stopped_at = Some(Instant::now());
                lease.stop_flag().store(1, Ordering::Relaxed);
            }
            None => {}
        }
        let message = match lease.channel().receive() {
            Ok(message) => message,
            Err(error) if is_timeout(&error) => continue,
            Err(error) => return Err(error.into()),
        };
        match decode(message)? {
            Reply::Report(report) => {
                let report = report.read(seating, n_lines)?;
                if report.stop.is_some() {
                    break Ok(report);
                }
                if panic.is_none() {
                    guarded(&mut panic, (), || control.report(&report));
                }
            }
            Reply::Refused(refusal) => break Err(refusal.read("run")),
            reply => return Err(unexpected(&reply).into()),
        }
    };
    lease.channel().set_read_timeout(call_time_max)?;
    match panic {
        Some(panic) => resume_unwind(panic),
        None => Ok(result),
    }
}

/// Calls the caller's code. Its panic is kept, and `otherwise` returned, also from
/// then on.
fn guarded<T>(panic: &mut Option<Box<dyn Any + Send>>, otherwise: T, work: impl FnOnce() -> T) -> T {
    if panic.is_some() {
        return otherwise;
    }
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|caught| {
        *panic = Some(caught);
        otherwise
    })
}

/// Sends a call and reads the reply.
fn ask<T>(
    lease: &mut Lease,
    call: &Call<'_>,
    read: impl FnOnce(Reply<'_>) -> Result<Result<T, CallError>, Violation>,
) -> Result<Result<T, CallError>, Lost> {
    let channel = lease.channel();
    channel.send(call)?;
    let reply = decode(channel.receive()?)?;
    Ok(read(reply)?)
}

fn decode(message: &[u8]) -> Result<Reply<'_>, Violation> {
    postcard::from_bytes(message).map_err(|error| Violation::value(format!("a message that cannot be read: {error}")))
}

/// A channel on which a call was refused is for the next call; one that is broken is
/// closed.
fn finished_with(lease: Lease, error: CallError) -> CallError {
    if !lease.process.is_ended() && !matches!(error, CallError::Unavailable { .. }) {
        lease.finish();
    }
    error
}

/// Visits the moves of one message.
fn visit_moves(
    moves: &str,
    prefix: &str,
    visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Violation> {
    for mv in moves.split_terminator('\n') {
        let mv = text::move_text(mv.as_bytes())?;
        if !mv.starts_with(prefix) {
            return Err(Violation::text(format!("the move `{mv}` does not begin with `{prefix}`")));
        }
        if visit(mv).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn at(variant: usize, position: &Position) -> At<'_> {
    At { variant: variant as u32, position: position.as_bytes() }
}

fn position(rules: &Ruleset, variant: usize, reply: &Reply<'_>) -> Result<Position, Violation> {
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

fn unexpected(reply: &Reply<'_>) -> Violation {
    let mut text = format!("{reply:?}");
    if let Some((end, _)) = text.char_indices().nth(80) {
        text.truncate(end);
    }
    Violation::value(format!("an unexpected reply: {text}"))
}

fn lost_message(error: &io::Error) -> String {
    if is_timeout(error) {
        "its worker process did not answer in time and was ended".to_owned()
    } else {
        "its worker process ended during the call; it is being restarted".to_owned()
    }
}

/// See [`read_arbitrary_bytes`](super::read_arbitrary_bytes).
pub(super) fn read_arbitrary_bytes(bytes: &[u8]) {
    if let Ok(super::wire::Loaded::Ready(description)) = postcard::from_bytes(bytes) {
        let _ignored = description.read();
    }
    let seating = Seating { n_seats: 2, n_sides: 2 };
    let Ok(reply) = decode(bytes) else { return };
    let _shown = unexpected(&reply);
    match reply {
        Reply::Moves { text, .. } => drop(visit_moves(text, "", &mut |_| ControlFlow::Continue(()))),
        Reply::Report(report) => drop(report.read(seating, 8)),
        Reply::Outcome { raw, text } => drop(Outcome::from_plugin(&raw, text.into(), seating)),
        Reply::Evaluation(raw) => drop(evaluation::from_plugin(&raw, seating)),
        Reply::Reasons(lists) => lists.iter().flatten().for_each(|reason| drop(reason.read(None))),
        Reply::Refused(refusal) => drop(refusal.read("run")),
        Reply::Reached { refusal: Some(refusal), .. } => drop(refusal.read("play")),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use pentad_search::rng::mix;
    use pentad_search::{Certainty, Line, Source};

    use super::super::wire::{Description, Loaded, Refusal, WireReason};
    use super::*;

    fn report() -> Report<String> {
        let evaluation = Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores: Scores::even(2),
            source: Source::Search,
            depth: 3,
        };
        let line = |mv: &str| Line { moves: vec![mv.to_owned(), "b2".to_owned()], evaluation };
        Report { lines: vec![line("a1"), line("c3")], evaluation, depth: 3, nodes: 77, stop: None }
    }

    /// One message of every kind that a worker may send.
    fn messages() -> Vec<Vec<u8>> {
        let tictactoe = Ruleset::load(&pentad_test_plugins::build("tictactoe"), None).unwrap();
        let report = report();
        let reason = Reason { code: "only_move".to_owned(), text: "Loses.".to_owned(), points: vec!["a1".to_owned()] };
        let error = CallError::Malformed { field: "board".to_owned(), column: Some(3), message: "no".to_owned() };
        let replies = [
            Reply::Position(&[1, 2, 3]),
            Reply::Positions(&[1, 2, 3, 4]),
            Reply::Played { position: &[1, 2], canonical: "a1" },
            Reply::Reached { position: &[1], n_played: 3, refusal: Some(Refusal::new(&error)) },
            Reply::Text("3/3/3 x"),
            Reply::Number(7),
            Reply::Moves { text: "a1\na2\n", is_last: true },
            Reply::Outcome { raw: Outcome::of_two(Some(0), "").to_abi(), text: "x wins." },
            Reply::Canonical { position: &[9], symmetry: 3 },
            Reply::Line(vec!["a1", "b2"]),
            Reply::Pieces(vec![(0, 1), (2, 0)]),
            Reply::Reasons(vec![vec![WireReason::new(&reason)], Vec::new()]),
            Reply::Evaluation(evaluation::to_abi(&report.evaluation)),
            Reply::Created,
            Reply::Report(WireReport::new(&report)),
            Reply::Refused(Refusal::new(&error)),
        ];
        let loaded = Loaded::Ready(Box::new(Description::new(&tictactoe, 31)));
        let mut messages: Vec<Vec<u8>> = replies.iter().map(|reply| postcard::to_stdvec(reply).unwrap()).collect();
        messages.push(postcard::to_stdvec(&loaded).unwrap());
        messages
    }

    /// Whatever a worker sends is refused or read as a valid value: arbitrary bytes, and
    /// proper messages with bytes changed, cut off or repeated. Nothing panics.
    #[test]
    fn arbitrary_bytes_are_survived() {
        let mut state = 0;
        let mut random = |end: usize| {
            state += 1;
            (mix(state) % end.max(1) as u64) as usize
        };
        for _ in 0..20_000 {
            let len = random(100);
            // Small first bytes are kinds of messages.
            let bytes: Vec<u8> = (0..len).map(|at| random(if at == 0 { 20 } else { 256 }) as u8).collect();
            read_arbitrary_bytes(&bytes);
        }
        for message in messages() {
            read_arbitrary_bytes(&message);
            for _ in 0..1000 {
                let mut bytes = message.clone();
                for _ in 0..=random(3) {
                    let at = random(bytes.len());
                    match random(3) {
                        0 => bytes[at] = random(256) as u8,
                        1 => bytes.truncate(at.max(1)),
                        _ => bytes.extend_from_within(at..),
                    }
                }
                read_arbitrary_bytes(&bytes);
            }
        }
    }

    /// A valid message is read back as it was.
    #[test]
    fn reports_are_read_back() {
        let report = report();
        let bytes = postcard::to_stdvec(&Reply::Report(WireReport::new(&report))).unwrap();
        let Ok(Reply::Report(read)) = decode(&bytes) else { panic!("it is a report") };
        let seating = Seating { n_seats: 2, n_sides: 2 };
        assert_eq!(read.read(seating, 2), Ok(report));
        assert!(read.read(seating, 1).is_err(), "more lines than were asked for");
        assert!(read.read(Seating { n_seats: 3, n_sides: 3 }, 2).is_err(), "of another variant");
    }
}
