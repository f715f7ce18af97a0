//! What this program is.

/// One line, for `-V`.
pub(super) fn short() -> String {
    format!("{} ({}, ABI {})", crate::VERSION, crate::revision(), crate::rulesets::abi_version())
}

/// With the Cargo features and the target, for `--version`.
pub(super) fn long() -> String {
    let features =
        [("oidc", cfg!(feature = "oidc")), ("otlp", cfg!(feature = "otlp")), ("redis", cfg!(feature = "redis"))];
    let features: Vec<&str> = features.into_iter().filter_map(|(name, has)| has.then_some(name)).collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    let profile = if cfg!(debug_assertions) { ", debug" } else { "" };
    format!("{}\nfeatures: {features}\ntarget: {}{profile}", short(), crate::target())
}
