//! Restrictions of a worker.
//!
//! All restrictions are best effort: a kernel or container without one of them still
//! runs the worker, and `/plugins` reports which are active. There are two stages,
//! because the dynamic linker must open the libraries that a rule set depends on:
//!
//! | stage | from | allows |
//! | --- | --- | --- |
//! | [`confine`] | before the library is loaded | memory up to the limit, threads, clocks, its own descriptors, reading the system's library directories |
//! | [`forbid_files`] | once it is loaded and described | as before, but no file is opened |
//!
//! Forbidden calls fail with EPERM or EACCES instead of killing the worker, so that a
//! library which only tries (for example to read the number of cores from `/sys`)
//! continues without.

use std::collections::BTreeMap;
use std::io;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _,
    RulesetStatus, Scope,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition as Condition,
    SeccompFilter, SeccompRule, apply_filter_all_threads,
};

use super::{Confinement, Protections};

/// Where the dynamic linker looks for dependencies of a library.
const LIBRARY_PATHS: [&str; 6] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];

/// Confines this process before any code of a rule set runs. Call it while it has one
/// thread.
pub(super) fn confine(confinement: &Confinement) -> Protections {
    let mut active = Protections::default();
    active.note(Protections::NO_NEW_PRIVS, set_no_new_privs(true).is_ok());
    active.note(Protections::MEMORY_LIMIT, limit_memory(confinement.memory_bytes_max).is_ok());
    // The signal identifies a crash; a core dump of each would fill the disk.
    let _best_effort = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    active.note(Protections::NO_CAPABILITIES, set_capabilities(None, sets).is_ok());
    active.note(Protections::LANDLOCK, confinement.landlock && restrict_paths().unwrap_or(false));
    active.note(Protections::SECCOMP, confinement.seccomp && filter_calls().is_ok());
    active
}

/// Forbids opening any file from now on, on all threads.
pub(super) fn forbid_files(confinement: &Confinement) {
    if confinement.seccomp {
        // The first filter, which is of the same kind, reported it.
        let _best_effort = apply(OPENING, libc::EACCES);
    }
}

/// Limits writable memory to the current use plus `memory_bytes_max`. Memory that is
/// only reserved does not count.
fn limit_memory(memory_bytes_max: u64) -> io::Result<()> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let data_kib = status.lines().find_map(|line| line.strip_prefix("VmData:")?.trim().strip_suffix("kB"));
    let data_kib: u64 = data_kib.and_then(|kib| kib.trim().parse().ok()).unwrap_or(0);
    let limit = Some((data_kib << 10).saturating_add(memory_bytes_max));
    Ok(setrlimit(Resource::Data, Rlimit { current: limit, maximum: limit })?)
}

/// Allows only the paths of the system's libraries, no TCP, and no signals to others.
fn restrict_paths() -> Result<bool, Box<dyn std::error::Error>> {
    // The newest access rights known here; older kernels enforce fewer.
    let abi = ABI::V6;
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?;
    for path in LIBRARY_PATHS {
        let Ok(path_fd) = PathFd::new(path) else { continue };
        let access = if path.ends_with("cache") { AccessFs::ReadFile.into() } else { AccessFs::from_read(abi) };
        ruleset = ruleset.add_rule(PathBeneath::new(path_fd, access))?;
    }
    Ok(ruleset.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}

/// Allows the calls of [`ALLOWED`] and a few with certain arguments; all others fail.
fn filter_calls() -> Result<(), Box<dyn std::error::Error>> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    let rule = |conditions: Vec<Condition>| SeccompRule::new(conditions);
    // Threads, but no processes, which would outlive the worker.
    let thread = libc::CLONE_THREAD as u64;
    rules.insert(libc::SYS_clone, vec![rule(vec![Condition::new(0, Len::Qword, Op::MaskedEq(thread), thread)?])?]);
    // `abort` and `raise`.
    let own = u64::from(std::process::id());
    rules.insert(libc::SYS_tgkill, vec![rule(vec![Condition::new(0, Len::Dword, Op::Eq, own)?])?]);
    // Reading limits, not setting them.
    rules.insert(libc::SYS_prlimit64, vec![rule(vec![Condition::new(2, Len::Qword, Op::Eq, 0)?])?]);
    // Not the parent death signal, for example.
    let prctls = [libc::PR_SET_NAME, libc::PR_GET_NAME, PR_SET_VMA, libc::PR_SET_NO_NEW_PRIVS]
        .map(|option| rule(vec![Condition::new(0, Len::Dword, Op::Eq, option as u64)?]));
    rules.insert(libc::SYS_prctl, prctls.into_iter().collect::<Result<_, _>>()?);
    let arch = std::env::consts::ARCH.try_into()?;
    let errno = |errno: i32| SeccompAction::Errno(errno as u32);
    let allowed: BpfProgram = SeccompFilter::new(rules, errno(libc::EPERM), SeccompAction::Allow, arch)?.try_into()?;
    apply_filter_all_threads(&allowed)?;
    // Its arguments are in memory, which a filter cannot read; the C library then falls
    // back to `clone`.
    apply(&[libc::SYS_clone3], libc::ENOSYS)
}

/// Makes these calls fail.
fn apply(calls: &[i64], errno: i32) -> Result<(), Box<dyn std::error::Error>> {
    let rules = calls.iter().map(|call| (*call, Vec::new())).collect();
    let arch = std::env::consts::ARCH.try_into()?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno as u32), arch)?;
    let program: BpfProgram = filter.try_into()?;
    Ok(apply_filter_all_threads(&program)?)
}

/// Names a mapping; some allocators do so.
const PR_SET_VMA: i32 = 0x5356_4d41;

/// Calls that open files.
const OPENING: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    libc::SYS_openat,
    libc::SYS_openat2,
];

/// Calls that a search or the dynamic linker needs.
const ALLOWED: &[i64] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    // Threads.
    libc::SYS_clone3,
    libc::SYS_futex,
    libc::SYS_get_robust_list,
    libc::SYS_getcpu,
    libc::SYS_gettid,
    libc::SYS_rseq,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    // Time and randomness.
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    libc::SYS_times,
    // Its own descriptors.
    libc::SYS_close,
    libc::SYS_dup,
    libc::SYS_fcntl,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_sendmsg,
    libc::SYS_sendto,
    libc::SYS_shutdown,
    libc::SYS_write,
    libc::SYS_writev,
    // Files, which Landlock restricts until no more can be opened.
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_readlinkat,
    libc::SYS_statx,
    // Signals to itself.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    // The process.
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_restart_syscall,
    libc::SYS_seccomp,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    // Older forms of the above.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_getrlimit,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_pause,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
];
