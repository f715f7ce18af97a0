//! What the machine or the container provides.

use std::thread::available_parallelism;

use pentad_host::Protections;

use super::finding::Findings;
use crate::config::Config;
use crate::listen::{BoundPort, file_limit};
use crate::rulesets;

/// Binds all three ports at once, so that two settings with the same address are found.
pub(super) fn check_ports(config: &Config, findings: &mut Findings) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_io().build() {
        Ok(runtime) => runtime,
        Err(error) => return findings.failed(format!("cannot poll sockets: {error}"), "raise the limit of open files"),
    };
    let ports = [
        ("grpc_listen", config.grpc_listen),
        ("rest_listen", config.rest_listen),
        ("admin_listen", config.admin_listen),
    ];
    let mut bound = Vec::new();
    for (setting, address) in ports {
        match BoundPort::bind(address, runtime.handle()) {
            Ok(port) => bound.push(port),
            Err(error) => findings.failed(
                format!("{setting}: cannot listen on {address}: {error}"),
                "stop what listens there (perhaps a running server), or choose another address",
            ),
        }
    }
    let addresses = ports.map(|(_, address)| address.to_string());
    findings.ok(format!("{} are free", addresses.join(", ")));
}

pub(super) fn check_files(config: &Config, findings: &mut Findings) {
    file_limit::raise();
    let (wanted, possible) = (config.connections_max, file_limit::public_connections_max(config.connections_max));
    if possible < wanted {
        findings.warning(
            format!(
                "the limit of open files leaves {possible} connections per port, not the {wanted} of connections_max"
            ),
            "raise the limit (ulimit -n, LimitNOFILE=), or lower connections_max",
        );
    }
    findings.ok(format!("enough for {wanted} connections per port"));
}

pub(super) fn check_memory(config: &Config, findings: &mut Findings) {
    if let Some(warning) = config.memory_warning() {
        findings.warning(warning, "raise the container's memory limit, or lower the settings that it names");
    } else if let Some(warning) = config.machine_memory_warning() {
        findings.warning(warning, "choose a machine with more memory, or lower the settings that it names");
    }
    let budget_mib = config.memory_budget_mib();
    findings.ok(match config.memory_limit_mib() {
        Some(limit_mib) => format!("searches and cache take up to {budget_mib} MiB of {limit_mib} MiB"),
        None => format!("searches and cache take up to {budget_mib} MiB; the container has no limit"),
    });
}

pub(super) fn check_processor(config: &Config, findings: &mut Findings) {
    let n_cores = available_parallelism().map_or(1, usize::from);
    if config.workers > n_cores {
        findings.warning(
            format!("{} workers on {n_cores} cores: searches take longer than they were granted", config.workers),
            "lower `workers`, or provide more cores",
        );
    }
    match vector_instructions() {
        Some((name, false)) => findings.warning(
            format!("this processor lacks {name}, with which exact solutions of Pentago are several times faster"),
            "choose machines that have it, or expect estimates where others give proofs",
        ),
        Some((name, true)) => findings.ok(format!("{n_cores} cores for {} workers, with {name}", config.workers)),
        None => findings.ok(format!("{n_cores} cores for {} workers", config.workers)),
    }
}

/// The vector instructions that bundled rule sets use on this architecture, and whether the processor has them.
fn vector_instructions() -> Option<(&'static str, bool)> {
    #[cfg(target_arch = "x86_64")]
    return Some(("AVX2", std::is_x86_feature_detected!("avx2")));
    #[cfg(not(target_arch = "x86_64"))]
    None
}

pub(super) fn check_protections(config: &Config, findings: &mut Findings) {
    let active = rulesets::active_protections(config, &super::super::this_program_as_worker());
    let missing = Protections::all().missing_from(active);
    let required = config.require_protections.0.missing_from(active);
    if !required.is_empty() {
        findings.failed(
            format!("this system does not enforce {required}, which require_protections names"),
            "run on a kernel and a container runtime that do, or require less",
        );
    } else if !missing.is_empty() {
        findings.warning(
            format!("worker processes of third-party rule sets run without {missing}"),
            "run on a kernel and a container runtime that enforce it, or serve only rule sets that you trust",
        );
    }
    findings.ok(format!("worker processes have {active}"));
}
