//! End-to-end tests of the service: real servers on free ports, real clients, real
//! rule sets. The engine, the host and the rule sets have tests of their own; this
//! suite covers the gRPC, REST and admin ports and the process.
//!
//! | module | what it tests |
//! | --- | --- |
//! | `games` | are the games described as in the contract? |
//! | `bundled_games` | does every bundled game work in every variant? |
//! | `parity` | do gRPC, POST and GET give the same answers and reasons? |
//! | `errors` | does every reason arrive with its code, status and details? |
//! | `hints` | does every limit and deadline get a legal move, and does cancelling free the worker? |
//! | `analyze` | do streams improve and end once, in all their forms? |
//! | `callers` | whole answers in JSON, chosen turns, probabilities, new answers, moves in words |
//! | `threats` | are the wins of every seat listed, and do the moves named stop them? |
//! | `batch` | is every question answered once, in bounded memory, on both edges and from a file? |
//! | `misbehaving` | does a misbehaving rule set affect its own requests only? |
//! | `isolation` | does a failing isolated rule set affect its own requests only, and recover? |
//! | `http` | ETags, CORS, compression, request ids, documentation, diagrams |
//! | `web` | the board page and the embeddable board: types, caching, policy, paths |
//! | `share` | do links have previews that hold nothing hostile, and lead on to the board? |
//! | `docs` | the guides and the reference: a page for every reason, types, caching |
//! | `connections` | do silent, slow and hostile peers leave room for others? |
//! | `attacks` | are smuggled, oversized and endless requests harmless, and files that are not libraries? |
//! | `goaway` | does an HTTP/2 connection shut down gracefully? |
//! | `client` | does the Rust client read every answer, keep to retry times and end searches? |
//! | `grpc` | reflection, health, gRPC-Web, compression, bounds |
//! | `access` | tokens, OpenID Connect, quotas, web pages, TLS |
//! | `admin` | metrics, probes, the list of rule sets |
//! | `tracing` | does every call export its spans without affecting others? |
//! | `process` | the program: flags, environment, file, signals, exit codes |
//! | `commands` | do commands print what the API answers, here and from a server? do they play, review and judge? |
//! | `check` | does `pentad check` report every defect, also one that ends its process? |
//! | `authors` | does a new project build, conform and get served, and each good version after it? |
//! | `mcp` | do the tools for language models answer as REST does, on both transports, and to whom? |
//! | `measure` | do `pentad perft`, `bench`, `match` and `report` count and measure correctly? |
//! | `readme`, `module_tables` | do the README and the tables of modules match the program? |
//! | `reload` | do changed rule sets and settings take effect without failing a request? |
//! | `review` | do reviews and comparisons agree with exact values, on both edges? |
//! | `puzzles` | are puzzles correct for every defence? |
//! | `i18n` | is every caller answered in their language? |
//! | `store` | do proofs survive the process, and does the service work with any file? |
//! | `streams` | is the number of streams bounded, and do they leave room for others? |
//! | `explorer` | is every move listed with what is known about it, and does every game count once? |
//! | `regression` | one test per fixed defect |
//! | `support` | starts servers, sends requests |
//!
//! `support` starts servers and sends requests. Requests and responses are JSON on
//! both protocols: the published descriptors convert them for gRPC, so no test
//! relies on the server's own conversions.
//!
//! No result depends on how fast or busy the machine is. Tests about time use node counts,
//! searches that end only when they are cancelled (`search_endless`) or released by the test
//! (`held`), and the order of events; time bounds only guard against hanging.

#![forbid(unsafe_code)]

mod access;
mod admin;
mod analyze;
mod attacks;
mod authors;
mod batch;
mod bundled_games;
mod callers;
mod check;
mod client;
mod commands;
mod connections;
mod docs;
mod errors;
mod explorer;
mod games;
mod goaway;
mod grpc;
mod hints;
mod http;
mod i18n;
mod isolation;
mod mcp;
mod measure;
mod misbehaving;
mod module_tables;
mod parity;
mod process;
mod puzzles;
mod readme;
mod regression;
mod reload;
mod review;
mod share;
mod store;
mod streams;
mod support;
mod threats;
mod tracing;
mod web;
