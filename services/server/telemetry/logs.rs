//! The log on standard error.
//!
//! One event is one line, whatever its texts contain: both formats escape characters
//! that would end the line or control the terminal. Texts from callers are cut
//! ([`Excerpt`]), and refusals are rate-limited ([`RefusalLimiter`]). Nothing waits for
//! the log ([`LogWriter`]), and panics are logged.

use std::fmt::{self, Debug, Display, Write};
use std::io::{self, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use anstream::{AutoStream, ColorChoice};
use tracing::field::Field;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{self, Writer};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry, reload};

use super::log_writer::{LogWriter, UnlockedStderr};
use crate::config::{LogFilter, LogFormat};
use crate::error::Reason;
use crate::text_direction;

/// Maximum length of a caller's text in the log, in bytes.
const EXCERPT_LEN_MAX: usize = 200;
/// Refusals logged per second and reason.
const REFUSALS_PER_SECOND: u64 = 10;

/// The process's log, once it is installed.
static WRITER: OnceLock<LogWriter> = OnceLock::new();

/// Installs the logger, once per process. An existing one, as in tests, is kept.
pub(crate) fn init(format: LogFormat, level: &LogFilter) -> io::Result<()> {
    if WRITER.get().is_some() {
        return Ok(());
    }
    let writer = LogWriter::start(UnlockedStderr)?;
    let writer = WRITER.get_or_init(|| writer);
    let (filter, handle) = reload::Layer::new(level.targets());
    let lines = tracing_subscriber::fmt::layer().with_writer(move || writer).log_internal_errors(false);
    let lines = match format {
        LogFormat::Text => lines
            .with_ansi(AutoStream::choice(&io::stderr()) != ColorChoice::Never)
            .map_fmt_fields(|_| format::debug_fn(write_field))
            .boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let started = tracing_subscriber::registry().with(filter).with(lines).try_init();
    if started.is_ok() {
        // A logger is installed at most once.
        let _ = FILTER.set(handle);
    }
    match started {
        Ok(()) => std::panic::set_hook(Box::new(|panic| {
            let location = panic.location().map(tracing::field::display);
            let message = panic.payload_as_str().unwrap_or("without a message");
            tracing::error!(location, "panic: {}", Excerpt(message));
        })),
        Err(error) => tracing::debug!(%error, "a logger is already installed"),
    }
    Ok(())
}

/// Writes a line to standard error, after the lines logged before it, and returns when
/// it is written. Gives up after a while, and ignores failures.
pub(crate) fn print_line(line: &str) {
    let line = format!("{line}\n");
    match WRITER.get() {
        Some(writer) => {
            writer.write_line(line.as_bytes());
            writer.flush();
        }
        None => drop(io::stderr().write_all(line.as_bytes())),
    }
}

/// Waits until the log is written, as long as there is a reader.
pub(crate) fn flush() {
    if let Some(writer) = WRITER.get() {
        writer.flush();
    }
}

/// Number of lost lines of this process's log.
pub(super) fn n_lost() -> u64 {
    WRITER.get().map_or(0, LogWriter::n_lost)
}

/// Changes the level of the logger if [`init`] installed one.
pub(crate) fn set_level(level: &LogFilter) {
    if let Some(Err(error)) = FILTER.get().map(|filter| filter.reload(level.targets())) {
        tracing::error!(%error, "cannot change the level of the log");
    }
}

/// Filter of the installed logger.
static FILTER: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// Writes a field of the text format: the message as it is, others as `name=value`.
fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn Debug) -> fmt::Result {
    match field.name() {
        "message" => write!(Escaped(writer), "{value:?}"),
        name if writer.has_ansi_escapes() => {
            write!(writer, " \x1b[3m{name}\x1b[0m\x1b[2m=\x1b[0m")?;
            write!(Escaped(writer), "{value:?}")
        }
        name => write!(Escaped(writer), " {name}={value:?}"),
    }
}

/// Escapes what could forge a line or reorder it on a terminal.
struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.split_inclusive(is_unprintable).try_for_each(|part| match part.chars().next_back() {
            Some(last) if is_unprintable(last) => {
                self.0.write_str(&part[..part.len() - last.len_utf8()])?;
                write!(self.0, "{}", last.escape_default())
            }
            _ => self.0.write_str(part),
        })
    }
}

/// Whether it is a control character, a line or paragraph separator, or a change of
/// direction.
fn is_unprintable(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') || text_direction::is_override(letter)
}

/// A caller's text for the log: its beginning, and how much is missing.
pub(crate) struct Excerpt<'a>(pub(crate) &'a str);

impl Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Excerpt(text) = self;
        let end = text.floor_char_boundary(EXCERPT_LEN_MAX);
        f.write_str(&text[..end])?;
        match text.len() - end {
            0 => Ok(()),
            n_cut => write!(f, "… ({n_cut} more bytes)"),
        }
    }
}

/// Rate limiter for logged refusals, which callers can provoke.
#[derive(Debug, Default)]
pub(crate) struct RefusalLimiter {
    /// Refusals of this second, by reason.
    n_refused: [AtomicU64; Reason::ALL.len()],
}

impl RefusalLimiter {
    /// Whether to log this refusal.
    pub(super) fn admits(&self, reason: Reason) -> bool {
        self.n_refused[reason as usize].fetch_add(1, Ordering::Relaxed) < REFUSALS_PER_SECOND
    }

    /// Starts the next second. Returns how many refusals of the last one were not
    /// logged.
    fn reset(&self) -> impl Iterator<Item = (Reason, u64)> {
        Reason::ALL.into_iter().filter_map(|reason| {
            let n_refused = self.n_refused[reason as usize].swap(0, Ordering::Relaxed);
            Some((reason, n_refused.saturating_sub(REFUSALS_PER_SECOND))).filter(|(_, n_left_out)| *n_left_out > 0)
        })
    }

    /// Logs how many refusals were left out. Call it every second.
    pub(super) fn log_left_out(&self) {
        for (reason, left_out) in self.reset() {
            tracing::info!(
                reason = reason.as_str(),
                left_out,
                "more calls were refused; the metrics count all of them"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No text from a caller ends a line or controls a terminal.
    #[test]
    fn control_characters_are_escaped() {
        let escaped = |text: &str| {
            let mut out = String::new();
            write!(Escaped(&mut out), "{text}").expect("writing to a string cannot fail");
            out
        };
        assert_eq!(escaped("a\nb\r\u{1b}[31mc"), "a\\nb\\r\\u{1b}[31mc");
        assert_eq!(escaped("\u{202e}x\u{2028}"), "\\u{202e}x\\u{2028}");
        assert_eq!(escaped("\n"), "\\n");
        assert_eq!(escaped("plain, é and 五"), "plain, é and 五");
    }

    /// Long texts are cut between characters.
    #[test]
    fn excerpts_are_bounded() {
        assert_eq!(Excerpt("short").to_string(), "short");
        let cut = Excerpt(&"五".repeat(100)).to_string();
        assert_eq!(cut, format!("{}… (102 more bytes)", "五".repeat(66)));
    }

    /// Ten refusals of a reason are logged per second; the others are counted.
    #[test]
    fn refusals_are_limited_by_reason() {
        let limiter = RefusalLimiter::default();
        let n_logged = (0..25).filter(|_| limiter.admits(Reason::BadMove)).count();
        assert_eq!(n_logged, 10);
        assert!(limiter.admits(Reason::Overloaded), "another reason has its own share");
        assert_eq!(limiter.reset().collect::<Vec<_>>(), [(Reason::BadMove, 15)]);
        assert!(limiter.admits(Reason::BadMove), "the next second begins");
        assert_eq!(limiter.reset().count(), 0);
    }
}
