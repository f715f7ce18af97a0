//! Threats, for both edges.

use pentad_engine as engine;
use pentad_host::{Ruleset, Variant};

use super::{grpc, json, point_id, seat_id};
use crate::proto::{self, ListThreatsResponse};
use crate::rest::threats::{ThreatAnswer, ThreatKind, ThreatsAnswer, ThreatsQuestion};

pub(crate) fn grpc_question(request: proto::ListThreatsRequest) -> engine::ThreatsQuestion {
    let spec = engine::PositionSpec {
        game: request.game,
        variant: request.variant,
        position: request.position,
        moves: request.moves,
    };
    let default = engine::ThreatsQuestion::new(spec);
    engine::ThreatsQuestion {
        depth: if request.depth == 0 { default.depth } else { request.depth },
        limits: grpc::limits(request.limits),
        ..default
    }
}

pub(crate) fn json_question(game: String, question: ThreatsQuestion) -> engine::ThreatsQuestion {
    let default = engine::ThreatsQuestion::new(json::spec(game, question.variant, question.position, question.moves));
    engine::ThreatsQuestion {
        depth: question.depth.unwrap_or(default.depth),
        limits: json::limits(question.limits),
        ..default
    }
}

/// The messages of both edges have the same fields.
macro_rules! conversions {
    ($answer_fn:ident: $answer:ident of $threat:path, $kinds_fn:ident: $kind:path) => {
        pub(crate) fn $answer_fn(found: engine::Threats) -> $answer {
            let variant = &*found.variant;
            let threat = |threat: engine::SeatThreat| {
                use $threat as Threat;
                Threat {
                    seat: seat_id(variant, threat.seat),
                    kind: threat.kind,
                    r#move: threat.mv,
                    cells: cells(variant, &threat.points),
                    stopped_by: threat.stopped_by,
                    plies: threat.plies,
                    // Rounded, so that both edges send equal ones.
                    score: (threat.score * 1e6).round() / 1e6,
                }
            };
            $answer {
                threats: found.threats.into_iter().map(threat).collect(),
                stops_all: found.stops_all,
                position: found.position,
                to_move: seat_id(variant, found.to_move),
                seats: found.seats.iter().map(|&seat| seat_id(variant, seat)).collect(),
                truncated: found.is_truncated,
                key: found.key.to_string(),
            }
        }

        pub(super) fn $kinds_fn(ruleset: &Ruleset) -> Vec<$kind> {
            use $kind as Kind;
            let kinds = ruleset.threat_kinds().iter();
            kinds.map(|it| Kind { kind: it.kind.clone(), description: it.description.clone() }).collect()
        }
    };
}

conversions! { grpc_answer: ListThreatsResponse of proto::Threat, grpc_kinds: proto::ThreatKind }
conversions! { json_answer: ThreatsAnswer of ThreatAnswer, json_kinds: ThreatKind }

fn cells(variant: &Variant, points: &[u32]) -> Vec<String> {
    let Some(board) = &variant.board else { return Vec::new() };
    points.iter().map(|&point| point_id(board, point)).collect()
}
