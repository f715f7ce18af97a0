//! `pentad preflight`: would a server with these settings start, be ready and serve well here?
//!
//! Each check uses the code with which the server itself starts, and changes nothing but what
//! that would: a store's file is created if it does not exist. A finding is `failed` if the
//! server would not start or not become ready, or would serve a rule set that breaks the rules;
//! it is a `warning` if the server would serve, but not as well as it could. Each names a remedy.
//!
//! | module | contents |
//! | --- | --- |
//! | `finding` | findings, and how they are printed |
//! | `machine` | ports, open files, memory, processor, protections |
//! | `access` | tokens, certificates, the clock |
//! | `rulesets` | rule sets load and conform |
//! | `stores` | stores can be read and written |

mod access;
mod finding;
mod machine;
mod rulesets;
mod stores;

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::{EXIT_FAILURE, EXIT_USAGE};
use crate::config::{ConfigError, EffectiveConfig};
use finding::{Findings, Report};

/// Exits with 0 if the server would serve here, with 1 if a check failed, with 64 if the
/// settings are invalid.
#[derive(Debug, Args)]
pub(super) struct PreflightArgs {
    /// Prints the findings as JSON
    #[arg(long)]
    json: bool,
    /// Warnings count as failures
    #[arg(long)]
    strict: bool,
    /// Leaves out a check; may be repeated. Beside a running server: ports and stores
    #[arg(long, value_name = "CHECK")]
    skip: Vec<Check>,
}

/// The checks, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Check {
    /// The settings are valid, and something restricts the callers.
    Settings,
    /// Tokens and certificates can be used, and are valid now.
    Access,
    /// The clock is not behind files that were made before.
    Clock,
    /// The three ports are free.
    Ports,
    /// Open files suffice for `connections_max`.
    Files,
    /// Searches and cache fit into the memory.
    Memory,
    /// As many cores as `workers`, and the instructions that searches use.
    Processor,
    /// The kernel enforces the protections of worker processes.
    Protections,
    /// Rule sets load and conform, and required games are among them.
    Rulesets,
    /// Stores can be read and written.
    Stores,
}

impl Check {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Runs the checks, or reports why the settings cannot be read.
pub(super) fn run(args: &PreflightArgs, loaded: Result<EffectiveConfig, ConfigError>) -> ExitCode {
    let mut report = Report::default();
    let code = match loaded {
        Ok(effective) => {
            check(args, &effective, &mut report);
            if report.is_failed(args.strict) { EXIT_FAILURE } else { 0 }
        }
        Err(error) => {
            let remedy = "correct it; `pentad --print-config` explains every setting";
            report.add(Check::Settings, |settings| settings.failed(error.to_string(), remedy));
            EXIT_USAGE
        }
    };
    report.print(args.json, args.strict);
    ExitCode::from(code)
}

fn check(args: &PreflightArgs, effective: &EffectiveConfig, report: &mut Report) {
    let config = &effective.config;
    for check in Check::value_variants().iter().copied().filter(|check| !args.skip.contains(check)) {
        report.add(check, |findings| match check {
            Check::Settings => settings(effective, findings),
            Check::Access => access::check(config, findings),
            Check::Clock => access::check_clock(config, findings),
            Check::Ports => machine::check_ports(config, findings),
            Check::Files => machine::check_files(config, findings),
            Check::Memory => machine::check_memory(config, findings),
            Check::Processor => machine::check_processor(config, findings),
            Check::Protections => machine::check_protections(config, findings),
            Check::Rulesets => rulesets::check(config, findings),
            Check::Stores => stores::check(config, findings),
        });
    }
}

fn settings(effective: &EffectiveConfig, findings: &mut Findings) {
    let config = &effective.config;
    if let Err(error) = config.check_exposure() {
        return findings.failed(error.to_string(), "set one of these settings");
    }
    // The memory has a check of its own.
    let memory = config.memory_warning();
    let warnings = effective.warnings.iter().filter(|warning| Some(*warning) != memory.as_ref()).cloned();
    for warning in warnings.chain(config.exposure_warnings()) {
        findings.warning(warning, "change the setting that it names, or accept it");
    }
    findings.ok(format!("valid; {} differ from their defaults", effective.sources.len()));
}
