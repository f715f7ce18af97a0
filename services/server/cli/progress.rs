//! Progress of commands that take their time: a bar or a spinner on standard error, only
//! if that is a terminal.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Interval at which a spinner turns.
const TICK: Duration = Duration::from_millis(100);

/// Creates a progress bar of `n` steps, or a spinner if their number is unknown.
pub(super) fn bar(message: &'static str, n: Option<u64>) -> ProgressBar {
    bar_with(message, n, "{msg} {bar:30} {percent:>3} %  {eta} left")
}

/// Same as [`bar`], with the number of steps.
pub(super) fn counting_bar(message: &'static str, n: u64) -> ProgressBar {
    bar_with(message, Some(n), "{msg} {bar:30} {pos}/{len}  {eta} left")
}

fn bar_with(message: &'static str, n: Option<u64>, template: &str) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match n {
        Some(n) => (ProgressBar::new(n), template),
        None => (ProgressBar::new_spinner(), "{spinner} {msg}"),
    };
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    let bar = bar.with_style(style).with_message(message);
    // Otherwise it appears after the first step.
    bar.tick();
    bar
}

/// Shows a spinner with the elapsed time while `work` is under way.
pub(super) async fn spinning<T>(message: impl Into<String>, work: impl Future<Output = T>) -> T {
    if !stderr().is_terminal() {
        return work.await;
    }
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("the template is valid");
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(message.into());
    spinner.enable_steady_tick(TICK);
    let result = work.await;
    spinner.finish_and_clear();
    result
}
