//! Limits of a search, which most calls take.

use std::time::Duration;

use pentad_engine::QuestionLimits;
use serde::Deserialize;
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use super::wire::FromProto;
use crate::error::ApiError;
use crate::proto;

/// Limits of a search, which stops at the first one it reaches. Values above
/// the server's maximums are lowered to them. Without any, the time is 1,000 ms.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema, IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Limits {
    /// Time from the arrival of the request to the response.
    #[cfg_attr(test, schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64))]
    #[cfg_attr(test, param(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64))]
    pub time_ms: Option<u64>,
    /// Positions visited. With this limit alone, equal requests get equal
    /// responses.
    #[cfg_attr(test, schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64))]
    #[cfg_attr(test, param(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64))]
    pub nodes: Option<u64>,
    /// Search depth in plies.
    #[cfg_attr(test, schema(format = "uint32", minimum = 1, maximum = 4_294_967_295_u32))]
    #[cfg_attr(test, param(format = "uint32", minimum = 1, maximum = 4_294_967_295_u32))]
    pub depth: Option<u32>,
}

impl FromProto<Option<proto::Limits>> for Option<Limits> {
    fn from_proto(limits: Option<proto::Limits>) -> Result<Self, ApiError> {
        let proto::Limits { time_ms, nodes, depth } = limits.unwrap_or_default();
        Ok(Some(Limits {
            time_ms: FromProto::from_proto(time_ms)?,
            nodes: FromProto::from_proto(nodes)?,
            depth: FromProto::from_proto(depth)?,
        }))
    }
}

/// Limits as the engine takes them.
pub(super) fn limits(limits: Option<Limits>) -> QuestionLimits {
    let Limits { time_ms, nodes, depth } = limits.unwrap_or_default();
    QuestionLimits { time: time_ms.map(Duration::from_millis), nodes, depth }
}
