//! Tools for language models: the Model Context Protocol, at `/mcp` on the REST port and on
//! the standard streams of `pentad mcp`.
//!
//! A tool sends the requests of REST through the routes of REST, as the commands do, so
//! tokens, quotas, limits, deadlines and errors are those of REST, and nothing is kept
//! between two requests: every answer about a position has that position. What is added is
//! a text for the model, with the board.
//!
//! | module | contents |
//! | --- | --- |
//! | `message` | JSON-RPC messages and errors |
//! | `version` | revisions of the protocol, and which of them a request follows |
//! | `server` | the methods |
//! | `http` | the transport Streamable HTTP, without sessions |
//! | `stdio` | the transport of standard streams |
//! | `routes` | sends the requests of tools to the API |
//! | `tools` | the tools: schemas, calls, texts |
//! | `resources` | diagrams as resources |

mod http;
mod message;
mod resources;
mod routes;
mod server;
pub(crate) mod stdio;
mod tools;
mod version;

pub(crate) use http::router;
pub(crate) use routes::{RouteReply, Routes};
pub(crate) use tools::ToolSet;
