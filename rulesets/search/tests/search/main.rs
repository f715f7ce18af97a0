//! The search against slow twins, and the laws of its reports.
//!
//! - `games`: small games with everything that makes a search go wrong
//! - `reference`: plain minimax, max^n and retrograde analysis
//! - `truth`: every value and every claimed proof against a twin
//! - `cycles`: the same where play can return
//! - `seats`: three seats, and four in two teams
//! - `staged`: turns of several steps equal the same turns in one
//! - `laws`: lines are legal and ranked, limits hold, stops are quick
//! - `determinism`: the same question gives the same report
//! - `signature`: node counts, so that a change of behaviour is seen

mod cycles;
mod determinism;
mod games;
mod laws;
mod reference;
mod seats;
mod signature;
mod staged;
mod truth;
