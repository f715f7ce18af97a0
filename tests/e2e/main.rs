//! The whole service as its users meet it: real servers on free ports, real
//! clients, real rule sets. What the engine, the host and the rule sets do by
//! themselves is tested beside them; this suite is about the edges.
//!
//! | module | question |
//! | --- | --- |
//! | `games` | are the games described as the contract says? |
//! | `family` | does every bundled game, in every variant, get useful answers? |
//! | `parity` | do gRPC, POST and GET give the same answers and reasons? |
//! | `errors` | does every reason arrive with its code, status and evidence? |
//! | `hints` | does every limit and deadline get a legal move, and does leaving free the worker? |
//! | `analyze` | do streams improve and end once, in all their forms? |
//! | `misbehaving` | does a rule set that misbehaves cost its own requests only? |
//! | `http` | tags, CORS, compression, request ids, documentation, pictures |
//! | `farewell` | does a connection that is told to finish do so in good order? |
//! | `grpc` | reflection, health, gRPC-Web, compression, bounds |
//! | `admin` | metrics, probes, the list of rule sets |
//! | `tracing` | does every call tell its trace where its time went, at nobody's cost? |
//! | `process` | the program: flags, environment, file, signals, exit codes |
//! | `readme` | does the README show what the server gives? |
//! | `regression` | one test per defect that was fixed |
//!
//! `support` starts servers and asks them. Questions and answers are JSON on
//! both edges: the published descriptors translate them for gRPC, so no test
//! relies on the server's own conversions.
//!
//! No verdict depends on how fast or busy the machine is. What asks about time
//! is asked of counted nodes, of searches that end only when something ends them
//! (`search_endless`) or when the test releases them (`held`), and of the order of
//! events; bounds of time are nets against hanging.

#![forbid(unsafe_code)]

mod admin;
mod analyze;
mod errors;
mod family;
mod farewell;
mod games;
mod grpc;
mod hints;
mod http;
mod misbehaving;
mod parity;
mod process;
mod readme;
mod regression;
mod support;
mod tracing;
