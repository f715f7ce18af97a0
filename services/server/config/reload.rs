//! Settings that can change while the server runs.

use super::{Config, SETTINGS, Setting};

/// Settings that a reload applies; the others need a restart.
const RELOADABLE: [&str; 26] = [
    "rulesets",
    "allow_list",
    "require_games",
    "threads_per_search",
    "threads_per_long_search",
    "store_estimate_ms_min",
    "time_default_ms",
    "time_max_ms",
    "stream_time_max_ms",
    "page_len_max",
    "hints_max",
    "moves_len_max",
    "position_len_max",
    "log_level",
    "tokens",
    "oidc_issuer",
    "oidc_audience",
    "oidc_jwks",
    "oidc_cpu_ms_per_second",
    "tls_cert",
    "tls_key",
    "tls_client_ca",
    "cors_origins",
    "allowed_hosts",
    "anonymous_cpu_ms_per_second",
    "quota_window_s",
];

/// Changes between the current and a new configuration.
#[derive(Debug)]
pub(crate) struct SettingChanges {
    /// The current configuration with the new values of reloadable settings.
    pub(crate) config: Config,
    /// Keys of the settings that are changed.
    pub(crate) applied: Vec<&'static str>,
    /// Keys of changed settings that need a restart.
    pub(crate) need_restart: Vec<&'static str>,
}

impl SettingChanges {
    pub(crate) fn between(present: &Config, new: &Config) -> SettingChanges {
        let mut changes = SettingChanges { config: present.clone(), applied: Vec::new(), need_restart: Vec::new() };
        let is_changed = |setting: &&Setting| (setting.to_toml)(present) != (setting.to_toml)(new);
        for setting in SETTINGS.iter().filter(is_changed) {
            if RELOADABLE.contains(&setting.key) {
                (setting.copy)(&mut changes.config, new);
                changes.applied.push(setting.key);
            } else {
                changes.need_restart.push(setting.key);
            }
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits change at once, pools and ports after a restart.
    #[test]
    fn only_reloadable_settings_change() {
        let present = Config::default();
        let new = Config { time_max_ms: 7_000, workers: present.workers + 1, ..Config::default() };
        let SettingChanges { config, applied, need_restart } = SettingChanges::between(&present, &new);
        assert_eq!((config.time_max_ms, config.workers), (7_000, present.workers));
        assert_eq!((applied, need_restart), (vec!["time_max_ms"], vec!["workers"]));
    }

    /// Every key names a setting.
    #[test]
    fn reloadable_settings_exist() {
        for key in RELOADABLE {
            assert!(SETTINGS.iter().any(|setting| setting.key == key), "{key}");
        }
    }
}
