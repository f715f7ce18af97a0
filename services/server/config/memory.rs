//! The default of `memory_per_search_mib`, from the memory available.

use std::fs;

/// Enough to solve every position that one machine can solve in reasonable time.
const SHARE_MIB_MAX: u64 = 5 * 1024;
const SHARE_MIB_MIN: u64 = 64;

/// Half of the memory, divided by the number of workers.
pub(super) fn share_per_search_mib(workers: usize) -> u64 {
    share(available_mib(), workers as u64)
}

fn share(available_mib: Option<u64>, workers: u64) -> u64 {
    let Some(available_mib) = available_mib else { return SHARE_MIB_MIN };
    (available_mib / 2 / workers.max(1)).clamp(SHARE_MIB_MIN, SHARE_MIB_MAX)
}

/// The machine's memory, or the container's limit if that is lower.
fn available_mib() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_in_meminfo(&text));
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let container = limits.iter().find_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok());
    let container_mib = container.map(|bytes| bytes >> 20);
    match (machine, container_mib) {
        (Some(machine), Some(container)) => Some(machine.min(container)),
        (machine, container) => machine.or(container),
    }
}

fn total_in_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half is divided, within bounds; the minimum if the memory is unknown.
    #[test]
    fn share_per_search() {
        assert_eq!(share(Some(8192), 2), 2048);
        assert_eq!(share(Some(65536), 2), SHARE_MIB_MAX);
        assert_eq!(share(Some(100), 2), SHARE_MIB_MIN);
        assert_eq!(share(None, 2), SHARE_MIB_MIN);
        assert_eq!(total_in_meminfo("MemTotal:       24576000 kB\nMemFree: 1 kB\n"), Some(24000));
    }
}
