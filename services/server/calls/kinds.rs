//! The kinds of questions that a batch may have.

use std::sync::Arc;

use pentad_engine::{Caller, Engine, EngineError, QuestionLimits};
use serde_json::{Map, Value};

use super::wire::{GameMessage, IntoProto};
use super::{PositionCall, compare, evaluation, hints, judge, legal_moves, position, threats};
use crate::error::ApiError;
use crate::proto::batch_answer::Answer as ProtoAnswer;
use crate::proto::batch_question::Question as ProtoQuestion;
use crate::rest::from_object;

/// A call that batches have: most are answered in one step.
pub(crate) trait BatchCall {
    type Body: Send;
    /// The question, and how far its answer has come.
    type Question: Send + Sync;
    type Found: Send;
    type Answer;

    fn question(game: String, body: Self::Body) -> Self::Question;

    /// Returns the limits of the search that the next step needs, if it needs one.
    fn limits(question: &Self::Question) -> Option<QuestionLimits>;

    /// Makes a step; returns the answer after the last one. A step that failed may be tried
    /// again.
    fn step(
        engine: &Arc<Engine>,
        question: &mut Self::Question,
        caller: Caller,
    ) -> impl Future<Output = Result<Option<Self::Found>, EngineError>> + Send;

    fn json(found: Self::Found) -> Self::Answer;
}

impl<C: PositionCall> BatchCall for C {
    type Body = C::Body;
    type Question = C::Question;
    type Found = C::Found;
    type Answer = C::Answer;

    fn question(game: String, body: C::Body) -> C::Question {
        <C as PositionCall>::question(game, body)
    }

    fn limits(question: &C::Question) -> Option<QuestionLimits> {
        <C as PositionCall>::limits(question)
    }

    async fn step(
        engine: &Arc<Engine>,
        question: &mut C::Question,
        caller: Caller,
    ) -> Result<Option<C::Found>, EngineError> {
        C::ask(engine, question, caller).await.map(Some)
    }

    fn json(found: C::Found) -> C::Answer {
        <C as PositionCall>::json(found)
    }
}

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
            $($kind(<$module::Call as BatchCall>::Question),)*
        }

        /// The answer to a question of a batch.
        #[derive(Debug)]
        pub(crate) enum Answer {
            $($kind(<$module::Call as BatchCall>::Found),)*
        }

        impl Question {
            /// Reads a question from the fields that the call of this kind takes.
            pub(crate) fn from_json(kind: Kind, game: String, fields: Map<String, Value>) -> Result<Question, ApiError> {
                Ok(match kind {
                    $(Kind::$kind => {
                        let body = from_object(fields)?;
                        Question::$kind(<$module::Call as BatchCall>::question(game, body))
                    },)*
                })
            }

            pub(crate) fn from_proto(question: ProtoQuestion) -> Result<Question, ApiError> {
                Ok(match question {
                    $(ProtoQuestion::$kind(question) => {
                        let (game, body) = question.into_parts()?;
                        Question::$kind(<$module::Call as BatchCall>::question(game, body))
                    })*
                })
            }

            pub(crate) fn kind(&self) -> Kind {
                match self {
                    $(Question::$kind(_) => Kind::$kind,)*
                }
            }

            /// Returns the limits of the search that its next step needs, if it needs one.
            pub(crate) fn limits(&self) -> Option<QuestionLimits> {
                match self {
                    $(Question::$kind(question) => <$module::Call as BatchCall>::limits(question),)*
                }
            }

            /// Makes a step towards the answer; returns it after the last one.
            pub(crate) async fn step(
                &mut self,
                engine: &Arc<Engine>,
                caller: Caller,
            ) -> Result<Option<Answer>, ApiError> {
                Ok(match self {
                    $(Question::$kind(question) => {
                        $module::Call::step(engine, question, caller).await?.map(Answer::$kind)
                    })*
                })
            }
        }

        impl Answer {
            /// Writes the JSON that the call of this kind answers with.
            pub(crate) fn write_json(self, out: &mut Vec<u8>) -> serde_json::Result<()> {
                match self {
                    $(Answer::$kind(found) => serde_json::to_writer(out, &<$module::Call as BatchCall>::json(found)),)*
                }
            }

            pub(crate) fn into_proto(self) -> ProtoAnswer {
                match self {
                    $(Answer::$kind(found) => {
                        ProtoAnswer::$kind(<$module::Call as BatchCall>::json(found).into_proto())
                    },)*
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
    Judge "judge" judge;
}

impl Kind {
    pub(crate) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}
