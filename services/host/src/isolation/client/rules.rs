//! The calls that every rule set has.

use std::ops::ControlFlow;

use pentad_abi as abi;
use pentad_model::Scores;
use pentad_model::{Outcome, Violation, text};

use super::{WorkerClient, at, below, finished_with, position, round_trip, unexpected};
use crate::call::ErrorSet;
use crate::error::CallError;
use crate::isolation::process::REPLY_BYTES_MAX;
use crate::isolation::wire::{Call, Reply, read_outcome};
use crate::position::Position;
use crate::ruleset::{Failed, Played, Ruleset};

/// Bytes of positions per message, below the bound of a reply.
const SUCCESSORS_BYTES_MAX: usize = REPLY_BYTES_MAX / 2;

impl WorkerClient {
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
            let received = round_trip(&mut lease, &next, |reply| match reply {
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
    ) -> Result<Position, Box<Failed>> {
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
                Ok(Err(Box::new(Failed { move_idx, reached, error })))
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
            Err(error) => Err(Box::new(Failed { move_idx: 0, reached: position.clone(), error })),
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
        let (catalogue, of) = (rules.catalogue(), &rules.variants()[variant]);
        self.call("outcome", ErrorSet::NONE, &Call::Outcome(at(variant, position)), |reply| match reply {
            Reply::Outcome { raw, text, message } if text.len() as u64 <= abi::TEXT_LEN_MAX => {
                read_outcome((&raw, text, message.as_ref()), catalogue, of)
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
}

/// Visits the moves of one message.
pub(super) fn visit_moves(
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
