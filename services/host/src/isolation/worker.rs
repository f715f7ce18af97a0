//! The worker process: loads one library and serves its calls.
//!
//! It ends with the host: by the parent death signal, and by the end of the control
//! socket.

use std::io;
use std::ops::ControlFlow;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use pentad_abi as abi;
use pentad_model::{Control, Report};

use super::channel::Channel;
use super::process::REPLY_BYTES_MAX;
use super::sandbox;
use super::threats::WireThreatList;
use super::wire::{
    At, Call, Description, Init, Loaded, OpenChannel, Refusal, Reply, WireFault, WireReason, WireReport,
    evaluation_reply, outcome_reply,
};
use super::wire_translations::WireMessage;
use super::{Confinement, Protections, descriptors};
use crate::error::{CallError, Fault};
use crate::image::Image;
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::searcher::Searcher;
use crate::shared_atomics::SharedAtomics;

/// Maximum size of a part of a list of moves.
const MOVES_BYTES: usize = 32 * 1024;
/// Maximum size of a call: the host is trusted, and bounds its own requests.
const CALL_BYTES_MAX: usize = 256 << 20;

/// Serves the library received over standard input, a socket to the host, until the
/// host is gone. For the program that [`WorkerCommand`](super::WorkerCommand) names; do
/// not call it otherwise.
pub fn run_worker() -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    let control = take_stdin()?;
    close_others(&control)?;
    let not_started = || io::Error::other("this is for rule sets in worker processes, started by the server");
    let (init, fds) =
        descriptors::receive::<Init>(control.as_fd()).map_err(|_| not_started())?.ok_or_else(not_started)?;
    let Ok([image, stop_page, first]) = <[OwnedFd; 3]>::try_from(fds) else { return Err(not_started()) };
    let stop_flags: &'static SharedAtomics = Box::leak(Box::new(SharedAtomics::map(&stop_page.into(), None)?));
    let mut first = Channel::new(first.into(), CALL_BYTES_MAX);

    let Init { path, sha256, memory_bytes_max, seccomp, landlock, required, needed } = init;
    let required = Protections { bits: required };
    let confined = sandbox::confine(&Confinement { memory_bytes_max, seccomp, landlock, required }, &needed);
    let protections = confined.protections;
    if path.is_empty() {
        return first.send(&Loaded::Probed(protections.bits));
    }
    let missing = required.missing_from(protections);
    if !missing.is_empty() {
        let message = format!("this system does not enforce {missing}, which require_protections names");
        return first.send(&Loaded::Refused(message));
    }
    let image = Image::from_descriptor(image.into());
    let ruleset = match Ruleset::load_image(Path::new(&path), &sha256, image) {
        Ok(ruleset) => ruleset,
        Err(error) => {
            let message = error.to_string();
            let message = message.strip_prefix(&format!("{path}: ")).unwrap_or(&message);
            return first.send(&Loaded::Refused(message.to_owned()));
        }
    };
    confined.forbid_files();
    first.send(&Loaded::Ready(Box::new(Description::new(&ruleset, protections.bits))))?;
    serve_on_thread(&ruleset, first, &stop_flags[0])?;
    while let Some((OpenChannel { slot }, fds)) = descriptors::receive(control.as_fd())? {
        let (Ok([channel]), Some(stop_flag)) = (<[OwnedFd; 1]>::try_from(fds), stop_flags.get(slot as usize)) else {
            return Err(not_started());
        };
        serve_on_thread(&ruleset, Channel::new(channel.into(), CALL_BYTES_MAX), stop_flag)?;
    }
    Ok(())
}

/// Replaces standard input by an empty one, so that the library reads nothing from it.
fn take_stdin() -> io::Result<OwnedFd> {
    let control = io::stdin().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(control)
}

/// Closes descriptors that the process inherited by mistake.
fn close_others(control: &OwnedFd) -> io::Result<()> {
    let numbers: Vec<i32> = std::fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2 && *number != control.as_raw_fd())
        .collect();
    for number in numbers {
        // SAFETY: nothing in this process has opened anything but standard streams
        // and the control socket; the directory that was listed is closed already,
        // and closing its number again fails without harm.
        unsafe { libc::close(number) };
    }
    Ok(())
}

fn serve_on_thread(ruleset: &Arc<Ruleset>, channel: Channel, stop_flag: &'static AtomicU64) -> io::Result<()> {
    let ruleset = Arc::clone(ruleset);
    let serve = move || {
        let mut server = Server { ruleset, channel, stop_flag, searcher: None };
        // The channel or the host is gone.
        let _closed = server.serve();
    };
    thread::Builder::new().name("channel".to_owned()).spawn(serve)?;
    Ok(())
}

/// Serves the calls of one channel.
struct Server {
    ruleset: Arc<Ruleset>,
    channel: Channel,
    stop_flag: &'static AtomicU64,
    searcher: Option<Searcher>,
}

impl Server {
    fn serve(&mut self) -> io::Result<()> {
        // The call borrows its texts from here, while the channel is used to reply.
        let mut message = Vec::new();
        loop {
            message.clear();
            message.extend_from_slice(self.channel.receive()?);
            let call: Call<'_> = postcard::from_bytes(&message).map_err(io::Error::other)?;
            self.answer(call)?;
        }
    }

    fn answer(&mut self, call: Call<'_>) -> io::Result<()> {
        let rules = Arc::clone(&self.ruleset);
        let result = match call {
            Call::Start { variant } => self.reply_position(rules.start(variant as usize)),
            Call::Parse { variant, text } => self.reply_position(rules.parse(variant as usize, text)),
            Call::LegalMoves { at, prefix } => return self.legal_moves(at, prefix),
            Call::PlayMoves { at, moves } => self.play_moves(at, &moves),
            Call::InverseSymmetry { variant, symmetry } => {
                rules.inverse_symmetry(variant as usize, symmetry).map(|it| self.send(&Reply::Number(it.into())))
            }
            Call::ApplySymmetryToSeat { variant, symmetry, seat } => rules
                .apply_symmetry_to_seat(variant as usize, symmetry, seat as usize)
                .map(|seat| self.send(&Reply::Number(seat as u64))),
            Call::CreateSearcher { variant, memory_bytes, threads } => {
                let created = rules.searcher(variant as usize, memory_bytes, threads as usize);
                created.map(|searcher| {
                    self.searcher = Some(searcher);
                    self.send(&Reply::Created)
                })
            }
            Call::Continue(_) => return Err(io::Error::other("nothing to continue")),
            Call::Run { at, request } => self.run(at, &request.read()),
            Call::FallbackSearch { at, request } => self.fallback_search(at, &request.read()),
            Call::Format(at)
            | Call::ToMove(at)
            | Call::Outcome(at)
            | Call::Scores(at)
            | Call::Canonical(at)
            | Call::Pieces(at)
            | Call::Evaluate(at)
            | Call::CountMoves { at, .. }
            | Call::Play { at, .. }
            | Call::Successors { at, .. }
            | Call::ApplySymmetry { at, .. }
            | Call::ApplySymmetryToLine { at, .. }
            | Call::Explain { at, .. }
            | Call::SayMoves { at, .. }
            | Call::TurnOf { at, .. }
            | Call::Threats(at) => self.about_position(&call, at),
        };
        match result {
            Ok(sent) => sent,
            Err(error) => self.send(&Reply::Refused(Refusal::new(&error))),
        }
    }

    /// Handles calls about a position with one reply.
    fn about_position(&mut self, call: &Call<'_>, at: At<'_>) -> Result<io::Result<()>, CallError> {
        let (rules, variant) = (Arc::clone(&self.ruleset), at.variant as usize);
        let position = &self.position(at)?;
        Ok(match call {
            Call::Format(_) => self.send(&Reply::Text(&rules.format(variant, position)?)),
            Call::ToMove(_) => self.send(&Reply::Number(rules.to_move(variant, position)? as u64)),
            Call::CountMoves { prefix, .. } => self.send(&Reply::Number(rules.count_moves(variant, position, prefix)?)),
            Call::Play { mv, .. } => {
                let played = rules.play(variant, position, mv)?;
                self.send(&Reply::Played { position: played.position.as_bytes(), canonical: &played.canonical })
            }
            Call::Successors { moves, canonical, .. } => {
                let mut bytes = Vec::with_capacity(moves.len() * position.as_bytes().len());
                for mv in moves {
                    let mut next = rules.play_known(variant, position, mv)?;
                    if *canonical {
                        next = rules.canonical(variant, &next)?.0;
                    }
                    bytes.extend_from_slice(next.as_bytes());
                }
                self.send(&Reply::Positions(&bytes))
            }
            Call::Outcome(_) => match rules.outcome(variant, position)? {
                Some(outcome) => self.send(&outcome_reply(&outcome)),
                None => self.send(&Reply::Outcome { raw: abi::Outcome::RUNNING, text: "", message: None }),
            },
            Call::Scores(_) => {
                let scores = rules.scores(variant, position)?;
                let raw = scores.map_or(abi::Outcome::RUNNING, |scores| {
                    let mut raw = abi::Outcome { over: 1, ..abi::Outcome::RUNNING };
                    raw.n_seats = scores.as_slice().len() as u32;
                    raw.scores[..scores.as_slice().len()].copy_from_slice(scores.as_slice());
                    raw
                });
                self.send(&Reply::Outcome { raw, text: "", message: None })
            }
            Call::Canonical(_) => {
                let (canonical, symmetry) = rules.canonical(variant, position)?;
                self.send(&Reply::Canonical { position: canonical.as_bytes(), symmetry })
            }
            Call::ApplySymmetry { symmetry, .. } => {
                let mapped = rules.apply_symmetry(variant, *symmetry, position);
                return self.reply_position(mapped);
            }
            Call::ApplySymmetryToLine { symmetry, moves, .. } => {
                let moves: Vec<String> = moves.iter().map(|&mv| mv.to_owned()).collect();
                let mapped = rules.apply_symmetry_to_line(variant, *symmetry, position, &moves)?;
                self.send(&Reply::Line(mapped.iter().map(String::as_str).collect()))
            }
            Call::Pieces(_) => self.send(&Reply::Pieces(rules.pieces(variant, position)?)),
            Call::Evaluate(_) => self.send(&evaluation_reply(&rules.evaluate(variant, position)?)),
            Call::Explain { report, line_idxs, .. } => {
                let report = report.read_trusted().ok_or_else(|| unreadable("explain"))?;
                let line_idxs: Vec<usize> = line_idxs.iter().map(|idx| *idx as usize).collect();
                let explanation = rules.explain_validly(variant, position, &report, &line_idxs)?;
                let lists = explanation.reasons.iter().map(|list| list.iter().map(WireReason::new).collect()).collect();
                self.send(&Reply::Reasons { lists, fault: explanation.fault.as_ref().map(WireFault::new) })
            }
            Call::SayMoves { moves, .. } => {
                let messages = rules.say_moves(variant, position, moves)?;
                self.send(&Reply::Messages(messages.iter().map(|it| it.as_ref().map(WireMessage::new)).collect()))
            }
            Call::TurnOf { seat, .. } => {
                let turn = rules.turn_of(variant, position, *seat as usize)?.ok_or(CallError::Unsupported);
                return self.reply_position(turn);
            }
            Call::Threats(_) => {
                let stop_flag = self.stop_flag;
                let list = rules.threats(variant, position, &|| stop_flag.load(Ordering::Relaxed) != 0)?;
                self.send(&Reply::Threats(WireThreatList::new(&list)))
            }
            _ => unreachable!("the caller handles the others"),
        })
    }

    /// Sends the moves in parts; after each the host replies whether it wants more.
    fn legal_moves(&mut self, at: At<'_>, prefix: &str) -> io::Result<()> {
        let position = match self.position(at) {
            Ok(position) => position,
            Err(error) => return self.send(&Reply::Refused(Refusal::new(&error))),
        };
        let mut moves = String::with_capacity(1024);
        let mut closed = None;
        let rules = Arc::clone(&self.ruleset);
        let result = rules.legal_moves(at.variant as usize, &position, prefix, &mut |mv| {
            moves.push_str(mv);
            moves.push('\n');
            if moves.len() < MOVES_BYTES {
                return ControlFlow::Continue(());
            }
            let wants_more = self.send_part(&moves);
            moves.clear();
            match wants_more {
                Ok(true) => ControlFlow::Continue(()),
                Ok(false) => ControlFlow::Break(()),
                Err(error) => {
                    closed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        match (closed, result) {
            (Some(error), _) => Err(error),
            (None, Ok(_)) => self.send(&Reply::Moves { text: &moves, is_last: true }),
            (None, Err(error)) => self.send(&Reply::Refused(Refusal::new(&error))),
        }
    }

    fn send_part(&mut self, moves: &str) -> io::Result<bool> {
        self.send(&Reply::Moves { text: moves, is_last: false })?;
        match postcard::from_bytes(self.channel.receive()?) {
            Ok(Call::Continue(wants_more)) => Ok(wants_more),
            _ => Err(io::Error::other("expected whether to continue")),
        }
    }

    fn play_moves(&mut self, at: At<'_>, moves: &[&str]) -> Result<io::Result<()>, CallError> {
        let mut position = self.position(at)?;
        for (move_idx, mv) in moves.iter().enumerate() {
            match self.ruleset.play_known(at.variant as usize, &position, mv) {
                Ok(next) => position = next,
                Err(error) => {
                    let refusal = Some(Refusal::new(&error));
                    let n_played = move_idx as u32;
                    return Ok(self.send(&Reply::Reached { position: position.as_bytes(), n_played, refusal }));
                }
            }
        }
        let n_played = moves.len() as u32;
        Ok(self.send(&Reply::Reached { position: position.as_bytes(), n_played, refusal: None }))
    }

    fn run(&mut self, at: At<'_>, request: &pentad_model::Request<String>) -> Result<io::Result<()>, CallError> {
        let position = self.position(at)?;
        let searcher = self.searcher.as_mut().ok_or_else(|| unreadable("run"))?;
        let control = RemoteControl::new(&mut self.channel, self.stop_flag);
        let report = searcher.run(&position, request, &control)?;
        Ok(self.send(&Reply::Report(WireReport::new(&report))))
    }

    fn fallback_search(
        &mut self,
        at: At<'_>,
        request: &pentad_model::Request<String>,
    ) -> Result<io::Result<()>, CallError> {
        let position = self.position(at)?;
        let control = RemoteControl::new(&mut self.channel, self.stop_flag);
        let report = self.ruleset.fallback_search(at.variant as usize, &position, request, &control)?;
        Ok(self.send(&Reply::Report(WireReport::new(&report))))
    }

    /// Returns a position that the host received from a worker with the same library.
    fn position(&self, at: At<'_>) -> Result<Position, CallError> {
        self.ruleset.checked_variant("position", at.variant as usize)?;
        self.ruleset.position_of(at.variant as usize, at.position).map_err(|_| unreadable("position"))
    }

    fn reply_position(&mut self, position: Result<Position, CallError>) -> Result<io::Result<()>, CallError> {
        position.map(|position| self.send(&Reply::Position(position.as_bytes())))
    }

    /// Sends a reply, or a fault if it is too large.
    fn send(&mut self, reply: &Reply<'_>) -> io::Result<()> {
        let len = self.channel.send_within(reply, REPLY_BYTES_MAX)?;
        if len <= REPLY_BYTES_MAX {
            return Ok(());
        }
        let detail = format!("its output takes {len} bytes; an isolated rule set may give {REPLY_BYTES_MAX} per call");
        let fault = Fault { kind: pentad_model::FaultKind::BadValue, call: "", detail };
        self.channel.send(&Reply::Refused(Refusal::Fault(WireFault::new(&fault))))
    }
}

fn unreadable(call: &'static str) -> CallError {
    let detail = "the host sent arguments that do not fit".to_owned();
    CallError::Fault(Fault { kind: pentad_model::FaultKind::BadValue, call, detail })
}

/// Passes reports to the host, and its cancellation to the search.
struct RemoteControl<'a> {
    channel: Mutex<&'a mut Channel>,
    stop_flag: &'a AtomicU64,
    /// The host is gone.
    is_closed: AtomicBool,
}

impl<'a> RemoteControl<'a> {
    fn new(channel: &'a mut Channel, stop_flag: &'a AtomicU64) -> RemoteControl<'a> {
        RemoteControl { channel: Mutex::new(channel), stop_flag, is_closed: AtomicBool::new(false) }
    }
}

impl Control<String> for RemoteControl<'_> {
    fn should_stop(&self) -> bool {
        self.stop_flag.load(Ordering::Relaxed) != 0 || self.is_closed.load(Ordering::Relaxed)
    }

    fn report(&self, report: &Report<String>) {
        let mut channel = self.channel.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // A report that is too large is dropped: it is an intermediate one.
        if channel.send_within(&Reply::Report(WireReport::new(report)), REPLY_BYTES_MAX).is_err() {
            self.is_closed.store(true, Ordering::Relaxed);
        }
    }
}
