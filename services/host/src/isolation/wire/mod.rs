//! The messages between the host and a worker, and what they become.
//!
//! A message is a serde value in postcard's format. Positions are bytes, values of
//! `pentad-model` have the shape of their ABI structs, so that the host reads them
//! with the same `from_plugin` functions that read a plugin's memory: a worker is
//! trusted no more than the plugin in it.
//!
//! Only the two ends of one program exchange these, so the format has no versions.
//!
//! | module | contents |
//! | --- | --- |
//! | `call` | the host's half of a conversation on a channel |
//! | `reply` | the worker's half |
//! | `report` | what a search has found, in both directions |
//! | `refusal` | failed calls |
//! | `description`, `board` | what a rule set says about itself |

mod board;
mod call;
mod description;
mod refusal;
mod reply;
mod report;

use serde::{Deserialize, Serialize};

pub(crate) use call::{At, Call, WireRequest};
pub(crate) use description::{Described, Description, Loaded};
pub(crate) use refusal::{Refusal, WireFault, printable};
pub(crate) use reply::{Reply, WireReason, evaluation_reply, outcome_reply, read_outcome};
pub(crate) use report::WireReport;

/// The first message on the control socket. The sealed library, the page of stop
/// flags and the first channel come with it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Init {
    /// Of the original file, for messages.
    pub(crate) path: String,
    pub(crate) sha256: String,
    pub(crate) memory_bytes_max: u64,
    pub(crate) seccomp: bool,
    pub(crate) landlock: bool,
}

/// A further message on the control socket; the channel comes with it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OpenChannel {
    /// The index of its stop flag.
    pub(crate) slot: u32,
}
