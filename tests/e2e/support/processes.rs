//! Child processes of a server, from `/proc`.

/// A child process of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChildProcess {
    pub(crate) pid: u32,
    /// Resident memory.
    pub(crate) rss_bytes: u64,
}

/// Returns the children of a process, including zombies.
pub(crate) fn children(parent: u32) -> Vec<ChildProcess> {
    let pids = std::fs::read_dir("/proc").expect("the system has /proc").filter_map(|entry| {
        let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        (parent_of(pid)? == parent).then_some(pid)
    });
    pids.map(|pid| ChildProcess { pid, rss_bytes: rss_bytes(pid) }).collect()
}

/// Returns the resident memory of a process; 0 if it has ended.
pub(crate) fn rss_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may have spaces.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
