//! The `process_*` metrics of Prometheus's client libraries, from `/proc`: Linux only.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use metrics::{Unit, counter, describe_counter, describe_gauge, gauge};
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};

/// Registers the descriptions.
pub(super) fn describe() {
    describe_counter!("process_cpu_seconds_total", Unit::Seconds, "Total user and system CPU time spent in seconds.");
    describe_gauge!("process_open_fds", Unit::Count, "Number of open file descriptors.");
    describe_gauge!("process_max_fds", Unit::Count, "Maximum number of open file descriptors.");
    describe_gauge!("process_virtual_memory_bytes", Unit::Bytes, "Virtual memory size in bytes.");
    describe_gauge!(
        "process_virtual_memory_max_bytes",
        Unit::Bytes,
        "Maximum amount of virtual memory available in bytes."
    );
    describe_gauge!("process_resident_memory_bytes", Unit::Bytes, "Resident memory size in bytes.");
    describe_gauge!(
        "process_start_time_seconds",
        Unit::Seconds,
        "Start time of the process since unix epoch in seconds."
    );
    describe_gauge!("process_threads", Unit::Count, "Number of OS threads in the process.");
}

/// Sets the metrics to their current values. What cannot be read keeps its last value.
pub(super) fn export() {
    let stat = fs::read_to_string("/proc/self/stat").ok();
    if let Some(stat) = stat.as_deref().and_then(Stat::parse) {
        let ticks_per_second = clock_ticks_per_second();
        // In microseconds, as its siblings.
        counter!("process_cpu_seconds_total").absolute(stat.cpu_ticks.saturating_mul(1_000_000) / ticks_per_second);
        gauge!("process_virtual_memory_bytes").set(stat.virtual_bytes as f64);
        gauge!("process_resident_memory_bytes").set((stat.resident_pages * page_size() as u64) as f64);
        gauge!("process_threads").set(stat.n_threads as f64);
        if let Some(boot) = boot_time() {
            gauge!("process_start_time_seconds").set((boot + stat.start_ticks / ticks_per_second) as f64);
        }
    }
    if let Some(n_open) = n_open_fds() {
        gauge!("process_open_fds").set(n_open as f64);
    }
    // 0 is unlimited.
    let soft_limit = |resource| getrlimit(resource).current.unwrap_or(0) as f64;
    gauge!("process_max_fds").set(soft_limit(Resource::Nofile));
    gauge!("process_virtual_memory_max_bytes").set(soft_limit(Resource::As));
}

/// The fields of `/proc/self/stat` that are exported; see proc_pid_stat(5).
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    /// In user and kernel mode.
    cpu_ticks: u64,
    n_threads: u64,
    /// Since the system booted.
    start_ticks: u64,
    virtual_bytes: u64,
    resident_pages: u64,
}

impl Stat {
    /// Returns `None` if a field is missing or is not a number.
    fn parse(text: &str) -> Option<Stat> {
        // The second field is the program's name in parentheses, which may itself
        // contain spaces and parentheses. The third field follows the last one.
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        Some(Stat {
            cpu_ticks: field(14)? + field(15)?,
            n_threads: field(20)?,
            start_ticks: field(22)?,
            virtual_bytes: field(23)?,
            resident_pages: field(24)?,
        })
    }
}

/// Returns when the system booted, in seconds since 1970. It is read once: the kernel
/// recomputes it from the clock, and a start time that moves looks like a restart.
fn boot_time() -> Option<u64> {
    static BOOT_TIME: OnceLock<Option<u64>> = OnceLock::new();
    *BOOT_TIME.get_or_init(|| parse_boot_time(&fs::read_to_string("/proc/stat").ok()?))
}

/// Parses the line `btime` of `/proc/stat`.
fn parse_boot_time(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()
}

fn n_open_fds() -> Option<u64> {
    let fds = Path::new("/proc/self/fd");
    match fs::metadata(fds).ok()?.len() {
        // Linux before 6.2 does not report it; the listing itself holds one open.
        0 => Some((fs::read_dir(fds).ok()?.count() as u64).saturating_sub(1)),
        n_open => Some(n_open),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: &str = "S 1 23744 18942 0 -1 4194304 121 0 0 0 250 75 3 4 20 0 17 0 209082 3133440 348 \
                           18446744073709551615 94492867334144 0 0 0";
    const STAT: Stat =
        Stat { cpu_ticks: 325, n_threads: 17, start_ticks: 209_082, virtual_bytes: 3_133_440, resident_pages: 348 };

    /// Names may contain spaces, parentheses and digits.
    #[test]
    fn stat_with_any_program_name() {
        for name in ["pentad", "my pentad", "a) S 1 2 3 (b", "((", "))", ""] {
            assert_eq!(Stat::parse(&format!("23754 ({name}) {NUMBERS}\n")), Some(STAT), "{name}");
        }
    }

    #[test]
    fn malformed_stat_is_refused() {
        for text in ["", "1 (pentad", "1 (pentad)", "1 (pentad) S 1 2 3"] {
            assert_eq!(Stat::parse(text), None, "{text}");
        }
        assert_eq!(Stat::parse(&format!("1 (pentad) {}", NUMBERS.replace("250", "x"))), None);
    }

    #[test]
    fn boot_time_is_found_among_other_lines() {
        assert_eq!(parse_boot_time("cpu  1 2 3\nctxt 585820\nbtime 1794975552\nprocesses 7\n"), Some(1_794_975_552));
        assert_eq!(parse_boot_time("cpu  1 2 3\n"), None);
    }

    #[test]
    fn this_process_is_measured() {
        let stat = Stat::parse(&fs::read_to_string("/proc/self/stat").expect("proc is mounted")).expect("a stat");
        assert!(stat.n_threads > 0 && stat.resident_pages > 0, "{stat:?}");
        assert!(n_open_fds().is_some_and(|n_open| n_open >= 3));
        assert!(boot_time().is_some());
    }
}
