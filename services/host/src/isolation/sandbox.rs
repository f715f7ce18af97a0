//! Restrictions of a worker.
//!
//! All restrictions are best effort: a kernel or container without one of them still
//! runs the worker, and `/plugins` reports which are active. There are two stages,
//! because the dynamic linker must open the library:
//!
//! | stage | from | allows |
//! | --- | --- | --- |
//! | [`confine`] | before the library is loaded | private memory up to the limit, threads, clocks, its own descriptors, one open by the linker ([`FileGate`]) |
//! | [`Confined::forbid_files`] | once it is loaded and described | as before, but no file is opened |
//!
//! Libraries that the rule set depends on are loaded first, from the system's
//! directories. Without a [`FileGate`], its constructors may read what Landlock allows.
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
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition as Condition,
    SeccompFilter, SeccompRule, apply_filter_all_threads,
};

use super::file_gate::FileGate;
use super::{Confinement, Protections};

/// Where the dynamic linker looks for dependencies of a library.
const LIBRARY_PATHS: [&str; 6] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];

/// Stack of the main thread, which does not count as writable memory.
const STACK_BYTES_MAX: u64 = 64 << 20;
/// Addresses that may be reserved beyond the memory limit. Reading them takes no memory
/// except for page tables, which have 1/512 of their size.
const RESERVED_BYTES_MAX: u64 = 64 << 30;

/// A confined process that may load its library.
#[derive(Debug)]
pub(super) struct Confined {
    pub(super) protections: Protections,
    has_seccomp: bool,
    gate: Option<FileGate>,
}

/// Confines this process before any code of a rule set runs, and loads the libraries
/// that it depends on. Call it while it has one thread.
pub(super) fn confine(confinement: &Confinement, needed: &[String]) -> Confined {
    let mut active = Protections::default();
    active.note(Protections::NO_NEW_PRIVS, set_no_new_privs(true).is_ok());
    active.note(Protections::MEMORY_LIMIT, limit_memory(confinement.memory_bytes_max).is_ok());
    // The signal identifies a crash; a core dump of each would fill the disk.
    let _best_effort = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    active.note(Protections::NO_CAPABILITIES, set_capabilities(None, sets).is_ok());
    active.note(Protections::LANDLOCK, confinement.landlock && restrict_paths().unwrap_or(false));
    preload(needed);
    let gate = confinement.seccomp.then(|| FileGate::install().ok()).flatten();
    active.note(Protections::SECCOMP, confinement.seccomp && filter_calls().is_ok());
    let is_gated = gate.is_some() && apply(PATHS, libc::EACCES).is_ok();
    active.note(Protections::NO_FILES, is_gated && active.bits & Protections::SECCOMP != 0);
    Confined { protections: active, has_seccomp: confinement.seccomp, gate }
}

impl Confined {
    /// Forbids opening any file from now on, on all threads.
    pub(super) fn forbid_files(self) {
        if self.has_seccomp {
            // The first filter, which is of the same kind, reported it.
            let _best_effort = apply(&[OPENING, STATUS, PATHS].concat(), libc::EACCES);
        }
        drop(self.gate);
    }
}

/// Loads libraries, which stay loaded. One that cannot be loaded is missed when the rule
/// set is.
fn preload(needed: &[String]) {
    for name in needed {
        // SAFETY: a name without a path is a library of the system, whose constructors
        // this program trusts as it does those that it is linked to.
        let loaded = unsafe { Library::open(Some(name), RTLD_NOW | RTLD_LOCAL) };
        if let Ok(library) = loaded {
            std::mem::forget(library);
        }
    }
}

/// Limits writable private memory to the current use plus `memory_bytes_max`; the filter
/// of calls refuses other kinds. Memory that is only reserved does not count.
fn limit_memory(memory_bytes_max: u64) -> io::Result<()> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kib = |field: &str| {
        let value = status.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix("kB"));
        value.and_then(|kib| kib.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    let limit = |bytes: u64| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    let addresses = (kib("VmSize:") << 10).saturating_add(memory_bytes_max).saturating_add(RESERVED_BYTES_MAX);
    // Best effort: both only bound what the limit below does not count.
    let _best_effort = setrlimit(Resource::As, limit(addresses));
    if getrlimit(Resource::Stack).current.is_none_or(|bytes| bytes > STACK_BYTES_MAX) {
        let _best_effort = setrlimit(Resource::Stack, limit(STACK_BYTES_MAX));
    }
    Ok(setrlimit(Resource::Data, limit((kib("VmData:") << 10).saturating_add(memory_bytes_max)))?)
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
    // Only memory that counts towards the limit: neither shared nor a growing stack.
    let (kinds, private) = ((libc::MAP_TYPE | libc::MAP_GROWSDOWN) as u64, libc::MAP_PRIVATE as u64);
    rules.insert(libc::SYS_mmap, vec![rule(vec![Condition::new(3, Len::Dword, Op::MaskedEq(kinds), private)?])?]);
    // Reading only.
    let writing = (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND | libc::O_TMPFILE) as u64;
    let reads = |flags_at| Condition::new(flags_at, Len::Dword, Op::MaskedEq(writing), libc::O_RDONLY as u64);
    rules.insert(libc::SYS_openat, vec![rule(vec![reads(2)?])?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![rule(vec![reads(1)?])?]);
    // Nothing that makes the kernel send a signal to the owner of a descriptor, which may
    // be any process of this user.
    let command = |command: i32| Condition::new(1, Len::Dword, Op::Eq, command as u64);
    let harmless = [libc::F_DUPFD, libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, F_GET_SEALS];
    let mut fcntls = harmless.map(|it| rule(vec![command(it)?])).into_iter().collect::<Result<Vec<_>, _>>()?;
    let not_async = Condition::new(2, Len::Dword, Op::MaskedEq(libc::O_ASYNC as u64), 0)?;
    fcntls.push(rule(vec![command(libc::F_SETFL)?, not_async])?);
    rules.insert(libc::SYS_fcntl, fcntls);
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
const F_GET_SEALS: i32 = libc::F_GET_SEALS;

/// Calls that open files.
pub(super) const OPENING: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    libc::SYS_openat,
];

/// Calls that return the status of a file by path. C libraries use them for descriptors,
/// too.
pub(super) const STATUS: &[i64] = &[
    libc::SYS_newfstatat,
    libc::SYS_statx,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
];

/// Other calls that take a path.
const PATHS: &[i64] = &[
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
];

/// Calls that a search or the dynamic linker needs, whatever their arguments.
const ALLOWED: &[i64] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_membarrier,
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
    // Files, which the gate and Landlock restrict until no more can be opened.
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    libc::SYS_newfstatat,
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
