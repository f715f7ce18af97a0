//! The limit of open files, and how many connections it leaves to a port.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Connections of the admin port, which only probes and scrapers use.
pub(crate) const ADMIN_CONNECTIONS_MAX: usize = 64;
/// Files that the public ports leave to others: admin connections, and about as many
/// again for rule sets, stores, the collector of traces and the runtime.
const RESERVED: u64 = ADMIN_CONNECTIONS_MAX as u64 + 64;

/// Raises the limit as far as possible without privileges. The usual 1,024 is for
/// programs that use `select`.
pub(crate) fn raise() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::warn!(%error, current, maximum, "cannot raise the limit of open files");
    }
}

/// Returns how many connections each of the two public ports may have: `wanted`, or
/// what the limit of open files leaves, with a warning.
pub(crate) fn public_connections_max(wanted: usize) -> usize {
    let limit = getrlimit(Resource::Nofile).current;
    let max = share(wanted, limit);
    if max < wanted {
        tracing::warn!(
            "connections_max is {wanted}, but the limit of {} open files leaves {max} per port; raise the limit \
             (ulimit -n, LimitNOFILE=) to {}, or lower connections_max",
            limit.unwrap_or_default(),
            2 * wanted as u64 + RESERVED,
        );
    }
    max
}

fn share(wanted: usize, limit: Option<u64>) -> usize {
    let Some(limit) = limit else { return wanted };
    let share = limit.saturating_sub(RESERVED) / 2;
    wanted.min(usize::try_from(share).unwrap_or(usize::MAX)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ports together leave the reserve, and each has at least one connection.
    #[test]
    fn ports_share_what_is_left() {
        assert_eq!(share(4096, None), 4096);
        assert_eq!(share(4096, Some(1 << 20)), 4096);
        assert_eq!(share(4096, Some(512)), 192);
        assert_eq!(share(100, Some(512)), 100);
        assert_eq!(share(4096, Some(64)), 1);
    }
}
