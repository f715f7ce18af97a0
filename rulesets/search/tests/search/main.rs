//! The search against slow reference algorithms, and the properties of its reports.
//!
//! - `games`: small games with everything that is hard for a search
//! - `reference`: plain minimax, max^n and retrograde analysis
//! - `proofs`: every value and every claimed proof against the reference
//! - `cycles`: the same in games with repetitions
//! - `seats`: three seats, and four in two teams
//! - `staged`: turns of several steps equal the same turns in one
//! - `reports`: lines are legal and sorted, limits are kept, cancellation is quick
//! - `interleaved`: estimates from the beginning, and counters that never fall
//! - `memory`: requests for more memory than is available
//! - `determinism`: the same request gives the same report
//! - `signature`: node counts, which reveal a change of behaviour

mod cycles;
mod determinism;
mod games;
mod interleaved;
mod memory;
mod proofs;
mod reference;
mod reports;
mod seats;
mod signature;
mod staged;
