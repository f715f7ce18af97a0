//! The kinds of questions that a batch may have.

use std::sync::Arc;

use pentad_engine::{Caller, Engine, QuestionLimits};
use serde_json::{Map, Value};

use super::wire::{GameMessage, IntoProto};
use super::{PositionCall, compare, evaluation, hints, legal_moves, position, threats};
use crate::error::ApiError;
use crate::proto::batch_answer::Answer as ProtoAnswer;
use crate::proto::batch_question::Question as ProtoQuestion;
use crate::rest::from_object;

/// Defines [`Kind`], [`Question`] and [`Answer`]. A kind has the same name in the oneofs of
/// `BatchQuestion` and `BatchAnswer`.
macro_rules! kinds {
    ($($kind:ident $name:literal $module:ident;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind {
            $($kind,)*
        }

        impl Kind {
            pub(crate) const ALL: &[Kind] = &[$(Kind::$kind,)*];

            /// The name in JSON and in metrics.
            pub(crate) fn as_str(self) -> &'static str {
                match self {
                    $(Kind::$kind => $name,)*
                }
            }
        }

        /// A question of a batch.
        #[derive(Debug)]
        pub(crate) enum Question {
            $($kind(<$module::Call as PositionCall>::Question),)*
        }

        /// The answer to a question of a batch.
        #[derive(Debug)]
        pub(crate) enum Answer {
            $($kind(<$module::Call as PositionCall>::Found),)*
        }

        impl Question {
            /// Reads a question from the fields that the call of this kind takes.
            pub(crate) fn from_json(kind: Kind, game: String, fields: Map<String, Value>) -> Result<Question, ApiError> {
                Ok(match kind {
                    $(Kind::$kind => Question::$kind($module::Call::question(game, from_object(fields)?)),)*
                })
            }

            pub(crate) fn from_proto(question: ProtoQuestion) -> Result<Question, ApiError> {
                Ok(match question {
                    $(ProtoQuestion::$kind(question) => {
                        let (game, body) = question.into_parts()?;
                        Question::$kind($module::Call::question(game, body))
                    })*
                })
            }

            pub(crate) fn kind(&self) -> Kind {
                match self {
                    $(Question::$kind(_) => Kind::$kind,)*
                }
            }

            /// Returns the limits of the search that it needs, if it needs one.
            pub(crate) fn limits(&self) -> Option<QuestionLimits> {
                match self {
                    $(Question::$kind(question) => $module::Call::limits(question),)*
                }
            }

            pub(crate) async fn ask(&self, engine: &Arc<Engine>, caller: Caller) -> Result<Answer, ApiError> {
                Ok(match self {
                    $(Question::$kind(question) => {
                        Answer::$kind($module::Call::ask(engine, question, caller).await?)
                    })*
                })
            }
        }

        impl Answer {
            /// Writes the JSON that the call of this kind answers with.
            pub(crate) fn write_json(self, out: &mut Vec<u8>) -> serde_json::Result<()> {
                match self {
                    $(Answer::$kind(found) => serde_json::to_writer(out, &$module::Call::json(found)),)*
                }
            }

            pub(crate) fn into_proto(self) -> ProtoAnswer {
                match self {
                    $(Answer::$kind(found) => ProtoAnswer::$kind($module::Call::json(found).into_proto()),)*
                }
            }
        }
    };
}

kinds! {
    Position "position" position;
    LegalMoves "legal-moves" legal_moves;
    Evaluation "evaluation" evaluation;
    Hints "hints" hints;
    Compare "compare" compare;
    Threats "threats" threats;
}

impl Kind {
    pub(crate) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}
