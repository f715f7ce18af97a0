//! Tokens, certificates and the clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::finding::Findings;
use crate::access::{Access, CertificateDates};
use crate::config::Config;
use crate::telemetry::Telemetry;

const DAY_S: i64 = 24 * 60 * 60;
/// Expiry within this time is a warning, as the alert PentadCertificateExpires is a ticket.
const EXPIRY_WARNING_S: i64 = 14 * DAY_S;
/// Clocks of two machines may differ by this much.
const CLOCK_SKEW: Duration = Duration::from_mins(5);

pub(super) fn check(config: &Config, findings: &mut Findings) {
    let telemetry = match Telemetry::new(config.access_log) {
        Ok(telemetry) => telemetry,
        Err(error) => return findings.failed(format!("metrics: {error}"), "this is a defect of the server; report it"),
    };
    let access = match Access::new(config, &telemetry) {
        Ok(access) => access,
        Err(error) => return findings.failed(error.to_string(), "correct the file or the setting that it names"),
    };
    let now_s = unix_s(SystemTime::now());
    for CertificateDates { setting, not_before_s, not_after_s } in access.certificate_dates() {
        if not_before_s.is_some_and(|from| from > now_s) {
            let days = (not_before_s.unwrap_or(now_s) - now_s) / DAY_S + 1;
            findings.failed(
                format!("{setting}: a certificate is not valid before {days} days from now"),
                "set the clock, or use a certificate that is valid now",
            );
        }
        match not_after_s.map(|until| until - now_s) {
            Some(left) if left <= 0 => {
                findings.failed(format!("{setting}: a certificate expired {} days ago", -left / DAY_S), "renew it");
            }
            Some(left) if left < EXPIRY_WARNING_S => {
                findings.warning(format!("{setting}: a certificate expires in {} days", left / DAY_S), "renew it");
            }
            Some(_) | None => {}
        }
    }
    let named = [("tokens", config.tokens.is_some()), ("TLS", config.tls_cert.is_some())];
    let named: Vec<&str> = named.into_iter().filter_map(|(name, is_set)| is_set.then_some(name)).collect();
    findings.ok(match named[..] {
        [] => "no tokens and no TLS are configured".to_owned(),
        _ => format!("{} can be used", named.join(" and ")),
    });
}

/// The clock must not be behind files that were made before: tokens of OpenID Connect and certificates
/// would be refused, and log lines misplaced.
pub(super) fn check_clock(config: &Config, findings: &mut Findings) {
    let files = [&config.tokens, &config.tls_cert, &config.tls_key, &config.tls_client_ca, &config.store_secret];
    let files = files.into_iter().flatten().cloned().chain(std::env::current_exe().ok());
    let now = SystemTime::now();
    for path in files {
        let made = path.metadata().and_then(|metadata| metadata.modified());
        if let Some(ahead) = made.ok().and_then(|made| made.duration_since(now).ok()).filter(|it| *it > CLOCK_SKEW) {
            findings.warning(
                format!(
                    "the clock is {} minutes behind the time at which {} was written",
                    ahead.as_secs() / 60,
                    path.display()
                ),
                "synchronise the clock (NTP)",
            );
        }
    }
    findings.ok("not behind any file of the server");
}

fn unix_s(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
