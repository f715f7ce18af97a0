//! What a check is doing, for whoever has to say where it ended.

use crate::ConformanceReport;

/// Follows a check. A plugin can crash, exit or hang; a process that follows the
/// check from outside can then tell in which call, and on which position.
pub trait Trace: Sync {
    /// A law is about to be checked.
    fn checking(&self, at: &Checkpoint<'_>);

    /// A function of the plugin is about to be called, by its name in the header.
    /// Called millions of times, and from several threads.
    fn calling(&self, call: &'static str);

    /// The results up to now, after every game and every law of a variant.
    fn progressed(&self, report: &ConformanceReport);
}

/// A law and what it is checked on.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint<'a> {
    /// Its name.
    pub law: &'a str,
    /// Id of the variant.
    pub variant: &'a str,
    /// Where the position comes from, such as game and ply.
    pub found_at: &'a str,
    /// The position's text; empty if it is not known yet.
    pub position: &'a str,
}

/// Follows nothing.
pub(crate) struct NoTrace;

impl Trace for NoTrace {
    fn checking(&self, _at: &Checkpoint<'_>) {}
    fn calling(&self, _call: &'static str) {}
    fn progressed(&self, _report: &ConformanceReport) {}
}
