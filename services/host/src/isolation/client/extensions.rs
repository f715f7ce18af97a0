//! The calls of extensions: symmetries, layouts, reasons and static evaluations.

use pentad_model::i18n::Message;
use pentad_model::{Evaluation, Report};
use pentad_model::{Reason, Violation, evaluation, text};

use super::{WorkerClient, at, below, position, unexpected};
use crate::call::ErrorSet;
use crate::error::CallError;
use crate::isolation::wire::{Call, Reply, WireReason, WireReport};
use crate::layout::PIECES_MAX;
use crate::position::Position;
use crate::reasons::{Explanation, REASONS_MAX};
use crate::ruleset::Ruleset;

/// Moves that are said in one message.
const SAID_MOVES_MAX: usize = 256;

impl WorkerClient {
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
    ) -> Result<Explanation, CallError> {
        const CALL: &str = "explain";
        let idxs = line_idxs.iter().map(|idx| *idx as u32).collect();
        let call = Call::Explain { at: at(variant, position), report: WireReport::new(report), line_idxs: idxs };
        let (catalogue, of) = (rules.catalogue(), &rules.variants()[variant]);
        let explanation = self.call(CALL, ErrorSet::EXTENSION, &call, |reply| match reply {
            Reply::Reasons { lists, fault } if lists.len() == line_idxs.len() => {
                if lists.iter().any(|reasons| reasons.len() > REASONS_MAX) {
                    return Err(Violation::value("too many reasons"));
                }
                let read = |reasons: &Vec<WireReason<'_>>| {
                    reasons.iter().map(|reason| reason.read(catalogue, of)).collect::<Result<Vec<Reason>, _>>()
                };
                let reasons = lists.iter().map(read).collect::<Result<_, _>>()?;
                Ok(Explanation { reasons, fault: fault.map(|fault| fault.read(CALL)) })
            }
            reply => Err(unexpected(&reply)),
        })?;
        if let Some(fault) = &explanation.fault {
            rules.record_fault(fault.clone());
        }
        Ok(explanation)
    }

    pub(crate) fn say_moves(
        &self,
        rules: &Ruleset,
        variant: usize,
        position: &Position,
        moves: &[&str],
    ) -> Result<Vec<Option<Message>>, CallError> {
        let (catalogue, of) = (rules.catalogue(), &rules.variants()[variant]);
        let mut said = Vec::with_capacity(moves.len());
        for moves in moves.chunks(SAID_MOVES_MAX) {
            let call = Call::SayMoves { at: at(variant, position), moves: moves.to_vec() };
            self.call("move_text", ErrorSet::EXTENSION, &call, |reply| match reply {
                Reply::Messages(messages) if messages.len() == moves.len() => {
                    for message in &messages {
                        let sentence = message.as_ref().map(|message| message.read(catalogue, of)).transpose()?;
                        said.push(sentence.and_then(|sentence| sentence.message));
                    }
                    Ok(())
                }
                reply => Err(unexpected(&reply)),
            })?;
        }
        Ok(said)
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
}
