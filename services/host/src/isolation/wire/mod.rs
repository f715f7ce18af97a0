//! Messages between the host and a worker.
//!
//! A message is a serde value in postcard's format. Positions are bytes, values of
//! `pentad-model` have the shape of their ABI structs, so that the host reads them with
//! the same `from_plugin` functions that read a plugin's memory: a worker is trusted no
//! more than the plugin in it.
//!
//! Both ends are the same program, so the format has no versions.
//!
//! | module | contents |
//! | --- | --- |
//! | `call` | from the host to the worker |
//! | `reply` | from the worker to the host |
//! | `report` | reports of searches, in both directions |
//! | `refusal` | failed calls |
//! | `description`, `board` | description of a rule set |

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
    /// Path of the original file, for messages.
    pub(crate) path: String,
    pub(crate) sha256: String,
    pub(crate) memory_bytes_max: u64,
    pub(crate) seccomp: bool,
    pub(crate) landlock: bool,
    /// Bits of the protections without which nothing is loaded.
    pub(crate) required: u32,
    /// Libraries that the rule set depends on.
    pub(crate) needed: Vec<String>,
}

/// A further message on the control socket; the channel comes with it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OpenChannel {
    /// Index of its stop flag.
    pub(crate) slot: u32,
}
