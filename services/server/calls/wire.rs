//! Conversions between the JSON types of REST and the messages of gRPC.
//!
//! Both have the same fields; they differ in how values are represented: a protobuf
//! enum is a number, a nested message an option, and a JSON object keeps its order. A
//! call is written for its JSON types; `question!` and `message!` list the fields that
//! its messages share with them.

use std::collections::BTreeMap;

use pentad_host::Variant;
use pentad_model::{Board, Scores};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::error::ApiError;

/// A JSON object that keeps the order of its entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyed<T>(Vec<(String, T)>);

impl<T> FromIterator<(String, T)> for Keyed<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Keyed(entries.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for Keyed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// A request message about a game: the game's id, and the question that REST takes as a
/// body.
pub(crate) trait GameMessage {
    type Body;
    /// `None` if the call is not about one game.
    fn game(&self) -> Option<&str>;
    fn into_parts(self) -> Result<(String, Self::Body), ApiError>;
}

/// Reads a JSON type from its counterpart in protobuf, in which zero and empty mean "not
/// set".
pub(crate) trait FromProto<P>: Sized {
    fn from_proto(value: P) -> Result<Self, ApiError>;
}

/// Writes a JSON type as its counterpart in protobuf.
pub(crate) trait IntoProto<P> {
    fn into_proto(self) -> P;
}

/// Reads `$body` from a request with the same fields.
macro_rules! question {
    ($message:ident => $body:ident { $($field:ident),* $(,)? }) => {
        impl $crate::calls::wire::GameMessage for $crate::proto::$message {
            type Body = $body;

            fn game(&self) -> Option<&str> {
                Some(&self.game)
            }

            fn into_parts(self) -> Result<(String, $body), $crate::error::ApiError> {
                let body = $body { $($field: $crate::calls::wire::FromProto::from_proto(self.$field)?),* };
                Ok((self.game, body))
            }
        }
    };
}

/// Writes `$json` as a message with the same fields.
macro_rules! message {
    ($json:ident => $($message:ident)::+ { $($field:ident),* $(,)? }) => {
        impl $crate::calls::wire::IntoProto<$crate::proto::$($message)::+> for $json {
            fn into_proto(self) -> $crate::proto::$($message)::+ {
                $crate::proto::$($message)::+ {
                    $($field: $crate::calls::wire::IntoProto::into_proto(self.$field)),*
                }
            }
        }

        impl $crate::calls::wire::IntoProto<Option<$crate::proto::$($message)::+>> for $json {
            fn into_proto(self) -> Option<$crate::proto::$($message)::+> {
                Some($crate::calls::wire::IntoProto::into_proto(self))
            }
        }
    };
}

/// Converts an enum between the engine, JSON and protobuf, which all have the same variants.
macro_rules! wire_enum {
    ($json:ident, $engine:path => $($variant:ident),*) => {
        impl From<$engine> for $json {
            fn from(value: $engine) -> $json {
                use $engine as Engine;
                match value {
                    $(Engine::$variant => $json::$variant,)*
                }
            }
        }

        impl $crate::calls::wire::IntoProto<i32> for $json {
            fn into_proto(self) -> i32 {
                match self {
                    $($json::$variant => $crate::proto::$json::$variant.into(),)*
                }
            }
        }
    };
}

pub(crate) use {message, question, wire_enum};

impl FromProto<String> for Option<String> {
    fn from_proto(text: String) -> Result<Self, ApiError> {
        Ok(Some(text))
    }
}

impl FromProto<Vec<String>> for Option<Vec<String>> {
    fn from_proto(list: Vec<String>) -> Result<Self, ApiError> {
        Ok(Some(list))
    }
}

impl FromProto<Vec<u32>> for Option<Vec<u32>> {
    fn from_proto(list: Vec<u32>) -> Result<Self, ApiError> {
        Ok(Some(list))
    }
}

impl FromProto<bool> for Option<bool> {
    fn from_proto(flag: bool) -> Result<Self, ApiError> {
        Ok(Some(flag))
    }
}

impl FromProto<u32> for Option<u32> {
    fn from_proto(number: u32) -> Result<Self, ApiError> {
        Ok((number > 0).then_some(number))
    }
}

impl FromProto<u64> for Option<u64> {
    fn from_proto(number: u64) -> Result<Self, ApiError> {
        Ok((number > 0).then_some(number))
    }
}

impl FromProto<Option<u64>> for Option<u64> {
    fn from_proto(number: Option<u64>) -> Result<Self, ApiError> {
        Ok(number)
    }
}

macro_rules! same_in_proto {
    ($($type:ty)*) => {
        $(impl IntoProto<$type> for $type {
            fn into_proto(self) -> $type {
                self
            }
        })*
    };
}

same_in_proto! { String bool u32 u64 f64 }

impl IntoProto<String> for &'static str {
    fn into_proto(self) -> String {
        self.to_owned()
    }
}

impl<T: IntoProto<P>, P> IntoProto<Option<P>> for Option<T> {
    fn into_proto(self) -> Option<P> {
        self.map(IntoProto::into_proto)
    }
}

impl<T: IntoProto<P>, P> IntoProto<Vec<P>> for Vec<T> {
    fn into_proto(self) -> Vec<P> {
        self.into_iter().map(IntoProto::into_proto).collect()
    }
}

impl<T: IntoProto<P>, P> IntoProto<BTreeMap<String, P>> for Keyed<T> {
    fn into_proto(self) -> BTreeMap<String, P> {
        self.0.into_iter().map(|(key, value)| (key, value.into_proto())).collect()
    }
}

/// Ids of the seats, in playing order.
pub(super) fn seat_ids(variant: &Variant) -> Vec<String> {
    variant.seats.iter().map(|seat| seat.id.clone()).collect()
}

/// Id of a seat; empty if there is no such seat.
pub(super) fn seat_id(variant: &Variant, seat: usize) -> String {
    variant.seats.get(seat).map(|seat| seat.id.clone()).unwrap_or_default()
}

/// Values by seat id, in playing order.
pub(super) fn by_seat<T>(variant: &Variant, values: impl IntoIterator<Item = T>) -> Keyed<T> {
    variant.seats.iter().zip(values).map(|(seat, value)| (seat.id.clone(), value)).collect()
}

/// Scores by seat id, [`rounded`].
pub(super) fn scores(variant: &Variant, scores: &Scores) -> Keyed<f64> {
    by_seat(variant, scores.as_slice().iter().copied().map(rounded))
}

/// Rounds to six decimals.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

/// A small count or index as it is sent.
pub(super) fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Milliseconds, rounded to microseconds.
pub(super) fn milliseconds(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// Id of a point; empty if there is no such point.
pub(super) fn point_id(board: &Board, point: u32) -> String {
    board.points.get(point as usize).map(|point| point.id.clone()).unwrap_or_default()
}
