//! Progress of a check, so that an observer can report where it ended.

use crate::ConformanceReport;

/// Observes a check. A plugin can crash, exit or hang; a process that observes the check
/// can then report the call and the position.
pub trait Trace: Sync {
    /// Called before a law is checked.
    fn checking(&self, at: &Checkpoint<'_>);

    /// Called before each call of a plugin function, with its name in the header and the
    /// text that it gets, such as a move (empty if it gets none): millions of times, and
    /// from several threads.
    fn calling(&self, call: &'static str, argument: &str);

    /// Called with the results so far, after every game and every law of a variant.
    fn progressed(&self, report: &ConformanceReport);
}

/// A law and the position that it is checked on.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint<'a> {
    /// Name of the law.
    pub law: &'a str,
    /// Id of the variant.
    pub variant: &'a str,
    /// Origin of the position, such as game and ply.
    pub found_at: &'a str,
    /// The position's text; empty if it is not known yet.
    pub position: &'a str,
    /// The moves from the start that lead to the position.
    pub moves: &'a [String],
}

/// Ignores all events.
pub(crate) struct NoTrace;

impl Trace for NoTrace {
    fn checking(&self, _at: &Checkpoint<'_>) {}
    fn calling(&self, _call: &'static str, _argument: &str) {}
    fn progressed(&self, _report: &ConformanceReport) {}
}
