//! The kinds of questions that a batch may have: the one table of them, with their
//! conversions from and to both edges.

use std::sync::Arc;

use pentad_engine as engine;
use pentad_engine::{Caller, Engine, QuestionLimits};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{grpc, json, threats};
use crate::error::ApiError;
use crate::proto::batch_answer::Answer as ProtoAnswer;
use crate::proto::batch_question::Question as ProtoQuestion;
use crate::rest::from_object;

/// Defines [`Kind`], [`Question`] and [`Answer`]. A kind has the same name in the oneofs of
/// `BatchQuestion` and `BatchAnswer`.
macro_rules! kinds {
    ($($kind:ident $name:literal {
        question: $question:ty,
        answer: $answer:ty,
        limits: $limits:expr,
        ask: |$engine:ident, $asked:ident, $caller:ident| $ask:expr,
        json: $from_json:expr => $to_json:expr,
        proto: $from_proto:expr => $to_proto:expr,
    })*) => {
        /// What a question asks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind {
            $($kind,)*
        }

        impl Kind {
            pub(crate) const ALL: &[Kind] = &[$(Kind::$kind,)*];

            /// As in JSON and in metrics.
            pub(crate) fn as_str(self) -> &'static str {
                match self {
                    $(Kind::$kind => $name,)*
                }
            }
        }

        /// A question of a batch.
        #[derive(Debug)]
        pub(crate) enum Question {
            $($kind($question),)*
        }

        /// The answer to one.
        #[derive(Debug)]
        pub(crate) enum Answer {
            $($kind($answer),)*
        }

        impl Question {
            /// From the fields that the call of this kind takes.
            pub(crate) fn from_json(kind: Kind, game: String, fields: Map<String, Value>) -> Result<Question, ApiError> {
                Ok(match kind {
                    $(Kind::$kind => Question::$kind($from_json(game, from_object(fields)?)),)*
                })
            }

            pub(crate) fn from_proto(question: ProtoQuestion) -> Result<Question, ApiError> {
                Ok(match question {
                    $(ProtoQuestion::$kind(question) => Question::$kind($from_proto(question)?),)*
                })
            }

            pub(crate) fn kind(&self) -> Kind {
                match self {
                    $(Question::$kind(_) => Kind::$kind,)*
                }
            }

            /// Of the search that it needs; `None` if it needs none.
            pub(crate) fn limits(&self) -> Option<QuestionLimits> {
                match self {
                    $(Question::$kind(question) => $limits(question),)*
                }
            }

            /// Asks the engine.
            pub(crate) async fn ask(&self, engine: &Arc<Engine>, caller: Caller) -> Result<Answer, ApiError> {
                Ok(match self {
                    $(Question::$kind($asked) => {
                        let ($engine, $caller) = (engine, caller);
                        Answer::$kind($ask.await?)
                    })*
                })
            }
        }

        impl Answer {
            /// As the call of this kind answers.
            pub(crate) fn write_json(self, out: &mut Vec<u8>) -> serde_json::Result<()> {
                match self {
                    $(Answer::$kind(answer) => write(out, &$to_json(answer)),)*
                }
            }

            pub(crate) fn into_proto(self) -> ProtoAnswer {
                match self {
                    $(Answer::$kind(answer) => ProtoAnswer::$kind($to_proto(answer)),)*
                }
            }
        }
    };
}

kinds! {
    Position "position" {
        question: engine::PositionSpec,
        answer: engine::Description,
        limits: |_: &_| None,
        ask: |engine, spec, caller| engine.describe(spec, caller),
        json: json::position_question => json::position_answer,
        proto: infallible(grpc::position_question) => grpc::position_answer,
    }
    LegalMoves "legal-moves" {
        question: engine::MovesQuestion,
        answer: engine::MovePage,
        limits: |_: &_| None,
        ask: |engine, question, caller| engine.legal_moves(question, caller),
        json: json::moves_question => json::moves_answer,
        proto: infallible(grpc::moves_question) => grpc::moves_answer,
    }
    Evaluation "evaluation" {
        question: (engine::PositionSpec, QuestionLimits),
        answer: engine::PositionValue,
        limits: |question: &(_, QuestionLimits)| Some(question.1),
        ask: |engine, question, caller| engine.evaluate(&question.0, question.1, caller),
        json: json::evaluation_question => json::evaluation_answer,
        proto: infallible(grpc::evaluation_question) => grpc::evaluation_answer,
    }
    Hints "hints" {
        question: engine::HintQuestion,
        answer: engine::Hints,
        limits: |question: &engine::HintQuestion| Some(question.limits),
        ask: |engine, question, caller| engine.hint(question, caller),
        json: json::hint_question => json::hints_answer,
        proto: grpc::hint_question => grpc::hints_answer,
    }
    Compare "compare" {
        question: engine::CompareQuestion,
        answer: engine::Comparison,
        limits: |question: &engine::CompareQuestion| Some(question.limits),
        ask: |engine, question, caller| engine.compare(question, caller),
        json: json::comparison_question => json::comparison_answer,
        proto: infallible(grpc::comparison_question) => grpc::comparison_answer,
    }
    Threats "threats" {
        question: engine::ThreatsQuestion,
        answer: engine::Threats,
        limits: |question: &engine::ThreatsQuestion| (question.depth > 1).then_some(question.limits),
        ask: |engine, question, caller| engine.threats(question, caller),
        json: threats::json_question => threats::json_answer,
        proto: infallible(threats::grpc_question) => threats::grpc_answer,
    }
}

impl Kind {
    pub(crate) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}

fn infallible<Q, T>(convert: impl Fn(Q) -> T) -> impl Fn(Q) -> Result<T, ApiError> {
    move |question| Ok(convert(question))
}

fn write<T: Serialize>(out: &mut Vec<u8>, answer: &T) -> serde_json::Result<()> {
    serde_json::to_writer(out, answer)
}
