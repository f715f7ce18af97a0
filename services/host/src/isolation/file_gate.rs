//! Lets the dynamic linker open one file, and the library none.
//!
//! The linker opens a library, maps it and runs its constructors in one call, so no
//! filter that is installed beforehand can tell the linker's calls from the library's.
//! Here the kernel asks another process, the gatekeeper, about every call that names a
//! path. The first open and the first status are the linker's, made before any code of
//! the library is mapped; all others are refused. The gatekeeper ends once a filter
//! refuses such calls without it.

use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};

use rustix::event::{PollFd, PollFlags, poll};

use super::descriptors;
use super::sandbox::{OPENING, STATUS};

/// The kernel's answers need a flag of Linux 5.5.
const KERNEL_MIN: (u32, u32) = (5, 5);
/// Descriptors that a new worker may have.
const DESCRIPTORS_MAX: i32 = 1024;

/// The gatekeeper, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct FileGate {
    _alive: OwnedFd,
}

impl FileGate {
    /// Starts the gatekeeper and lets it decide from now on. Call it while this process
    /// has one thread.
    pub(super) fn install() -> io::Result<FileGate> {
        if kernel_version().is_none_or(|version| version < KERNEL_MIN) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let (own, other) = descriptors::control_pair()?;
        // SAFETY: ignoring a signal calls no code. The gatekeeper is then reaped by the
        // kernel when it ends.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
        // SAFETY: this process has one thread, so the child finds no lock held.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                keep_gate(&other);
                // SAFETY: ends the child without running what the parent registered.
                unsafe { libc::_exit(0) }
            }
            _ => {
                drop(other);
                let listener = listen()?;
                // The only copy is then the gatekeeper's.
                descriptors::send(own.as_fd(), &0_u8, &[listener.as_fd()])?;
                Ok(FileGate { _alive: own })
            }
        }
    }
}

fn kernel_version() -> Option<(u32, u32)> {
    // SAFETY: the structure consists of bytes.
    let mut names: libc::utsname = unsafe { std::mem::zeroed() };
    // SAFETY: the call writes one such structure.
    if unsafe { libc::uname(&raw mut names) } != 0 {
        return None;
    }
    let release: Vec<u8> = names.release.iter().map(|byte| *byte as u8).take_while(|byte| *byte != 0).collect();
    let mut numbers = release.split(|byte| !byte.is_ascii_digit()).map(|digits| std::str::from_utf8(digits).ok());
    Some((numbers.next()??.parse().ok()?, numbers.next()??.parse().ok()?))
}

/// Installs a filter that asks the holder of the returned descriptor about each call.
fn listen() -> io::Result<OwnedFd> {
    let calls: Vec<u32> = OPENING.iter().chain(STATUS).map(|call| *call as u32).collect();
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    // The number of the call is the first field of the filter's data.
    let mut filter = vec![statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0)];
    for (idx, call) in calls.iter().enumerate() {
        let jump = statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, *call);
        filter.push(libc::sock_filter { jt: (calls.len() - idx) as u8, ..jump });
    }
    filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW));
    filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_USER_NOTIF));
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    let (mode, flags) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER);
    // SAFETY: the kernel copies the program, which lives until the call returns.
    let listener = unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &raw const program) };
    if listener < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just opened this descriptor for the caller.
    Ok(unsafe { OwnedFd::from_raw_fd(listener as i32) })
}

/// The gatekeeper: decides until the other end of the socket is closed.
fn keep_gate(socket: &OwnedFd) {
    // SAFETY: sets an attribute of this process.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    // Copies of the worker's sockets would hide its end from the host.
    for number in (0..DESCRIPTORS_MAX).filter(|number| *number != socket.as_raw_fd()) {
        // SAFETY: nothing in this process uses another descriptor from here on.
        unsafe { libc::close(number) };
    }
    let Ok(Some((_, listeners))) = descriptors::receive::<u8>(socket.as_fd()) else { return };
    let [listener] = &listeners[..] else { return };
    let (mut may_open, mut may_stat) = (true, true);
    loop {
        let mut fds = [PollFd::new(listener, PollFlags::IN), PollFd::new(socket, PollFlags::IN)];
        match poll(&mut fds, None) {
            Ok(_) if !fds[1].revents().is_empty() || fds[0].revents().contains(PollFlags::HUP) => return,
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        }
        answer(listener.as_fd(), |call| {
            std::mem::take(if OPENING.contains(&call) { &mut may_open } else { &mut may_stat })
        });
    }
}

/// Answers the next question. If the caller is gone, there is none.
fn answer(listener: BorrowedFd<'_>, is_allowed: impl FnOnce(i64) -> bool) {
    // SAFETY: the structure consists of integers, and the kernel expects zeros.
    let mut question: libc::seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes one such structure.
    if unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut question) } != 0 {
        return;
    }
    let (error, flags) = match is_allowed(i64::from(question.data.nr)) {
        true => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        false => (-libc::EACCES, 0),
    };
    let mut reply = libc::seccomp_notif_resp { id: question.id, val: 0, error, flags };
    // SAFETY: the kernel reads one such structure. It fails if the caller is gone.
    let _gone = unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut reply) };
}
