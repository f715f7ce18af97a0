//! Available memory: the default of `memory_per_search_mib`, and whether all budgets
//! fit.

use std::fs;
use std::path::Path;

use super::Config;

/// Enough to solve every position that one machine can solve in reasonable time.
const SHARE_MIB_MAX: u64 = 5 * 1024;
const SHARE_MIB_MIN: u64 = 64;

/// Where containers find their limits.
const CGROUP_ROOT: &str = "/sys/fs/cgroup";

/// Half of the memory, divided by the number of searches that may run at once.
pub(super) fn share_per_search_mib(workers: usize) -> u64 {
    share(available_mib(), n_searches_max(workers))
}

/// Warns if searches and cache may exceed the container's limit, at which the kernel
/// kills the process.
pub(super) fn warning(config: &Config) -> Option<String> {
    exceeded(config, limit_mib()?, "the container's limit")
}

/// Warns if searches and cache may exceed the machine's memory.
pub(super) fn machine_warning(config: &Config) -> Option<String> {
    exceeded(config, machine_mib()?, "the machine's memory")
}

/// The container's limit, if it has one.
pub(super) fn limit_mib() -> Option<u64> {
    container_limit_mib(Path::new(CGROUP_ROOT))
}

/// Memory of all searches that may run at once, and of the cache.
pub(super) fn budget_mib(config: &Config) -> u64 {
    n_searches_max(config.workers).saturating_mul(config.memory_per_search_mib).saturating_add(config.cache_mib)
}

/// `workers` short searches and as many long ones.
pub(super) fn n_searches_max(workers: usize) -> u64 {
    2 * workers.max(1) as u64
}

fn share(available_mib: Option<u64>, n_searches: u64) -> u64 {
    let Some(available_mib) = available_mib else { return SHARE_MIB_MIN };
    (available_mib / 2 / n_searches).clamp(SHARE_MIB_MIN, SHARE_MIB_MAX)
}

fn exceeded(config: &Config, limit_mib: u64, limit: &str) -> Option<String> {
    let (n_searches, per_search_mib) = (n_searches_max(config.workers), config.memory_per_search_mib);
    let budget_mib = budget_mib(config);
    (budget_mib > limit_mib).then(|| {
        format!(
            "{n_searches} searches of memory_per_search_mib ({per_search_mib}) and cache_mib ({}) may take \
             {budget_mib} MiB, above {limit} of {limit_mib} MiB; lower them or `workers`",
            config.cache_mib
        )
    })
}

/// The machine's memory, or the container's limit if that is lower.
fn available_mib() -> Option<u64> {
    machine_mib().into_iter().chain(limit_mib()).min()
}

fn machine_mib() -> Option<u64> {
    total_in_meminfo(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// Reads the limit of cgroup v2, else v1. `None` if there is none.
fn container_limit_mib(cgroup_root: &Path) -> Option<u64> {
    let limit = |file| fs::read_to_string(cgroup_root.join(file)).ok()?.trim().parse::<u64>().ok();
    let bytes = limit("memory.max").or_else(|| limit("memory/memory.limit_in_bytes"))?;
    // Without a limit, v1 has the largest number of pages.
    (bytes < i64::MAX as u64 / 2).then_some(bytes >> 20)
}

fn total_in_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half is divided by the short and the long searches, within bounds; the minimum
    /// if the memory is unknown.
    #[test]
    fn share_per_search() {
        let share = |available_mib, workers| share(available_mib, n_searches_max(workers));
        assert_eq!(share(Some(8192), 2), 1024);
        assert_eq!(share(Some(65536), 2), SHARE_MIB_MAX);
        assert_eq!(share(Some(100), 2), SHARE_MIB_MIN);
        assert_eq!(share(None, 2), SHARE_MIB_MIN);
        assert_eq!(total_in_meminfo("MemTotal:       24576000 kB\nMemFree: 1 kB\n"), Some(24000));
    }

    /// The limit of either version of cgroups is read; `max` and a huge number mean no
    /// limit.
    #[test]
    fn container_limits() {
        let root = std::env::temp_dir().join(format!("pentad-cgroup-{}", std::process::id()));
        fs::create_dir_all(root.join("memory")).unwrap();
        let limit = || container_limit_mib(&root);
        assert_eq!(limit(), None, "no file");
        fs::write(root.join("memory/memory.limit_in_bytes"), "9223372036854771712\n").unwrap();
        assert_eq!(limit(), None, "v1 without a limit");
        fs::write(root.join("memory/memory.limit_in_bytes"), "1073741824\n").unwrap();
        assert_eq!(limit(), Some(1024));
        fs::write(root.join("memory.max"), "max\n").unwrap();
        assert_eq!(limit(), Some(1024), "v2 has none, v1 has");
        fs::write(root.join("memory.max"), "536870912\n").unwrap();
        assert_eq!(limit(), Some(512));
        fs::remove_dir_all(&root).unwrap();
    }

    /// Two workers mean four searches; the cache is added.
    #[test]
    fn budgets_above_the_limit_are_warned_about() {
        let config = Config { workers: 2, memory_per_search_mib: 200, cache_mib: 64, ..Config::default() };
        assert_eq!(exceeded(&config, 864, "the container's limit"), None);
        let warning = exceeded(&config, 863, "the container's limit").expect("one too few");
        assert!(warning.contains("864 MiB, above the container's limit of 863 MiB"), "{warning}");
    }
}
