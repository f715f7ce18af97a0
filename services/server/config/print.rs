//! `--print-config`: the effective settings as a valid configuration file.

use std::fmt::Write;

use super::{Config, EffectiveConfig, SETTINGS, Setting, Source, ValueKind};

/// Every setting with its documentation, value and source, as TOML.
pub fn print(config: &EffectiveConfig) -> String {
    let mut out = String::new();
    for (idx, setting) in SETTINGS.iter().enumerate() {
        if idx > 0 {
            out.push('\n');
        }
        print_setting(&mut out, setting, config);
    }
    out
}

fn print_setting(out: &mut String, setting: &Setting, effective: &EffectiveConfig) {
    for line in setting.doc.lines() {
        push_line(out, format_args!("#{line}"));
    }
    if let Some((min, max)) = setting.bounds {
        push_line(out, format_args!("# From {min} to {max}."));
    }
    if let ValueKind::Choice(words) = setting.kind {
        push_line(out, format_args!("# One of {}.", words.join(", ")));
    }
    let source = effective.sources.get(setting.key).unwrap_or(&Source::Default);
    if *source == Source::Default {
        push_line(out, format_args!("# Default. --{}, {}", setting.flag(), setting.env()));
    } else {
        let default = (setting.to_toml)(&Config::default()).unwrap_or_else(|| "unset".to_owned());
        push_line(
            out,
            format_args!("# Set by {source}; the default is {default}. --{}, {}", setting.flag(), setting.env()),
        );
    }
    match (setting.to_toml)(&effective.config) {
        Some(value) => push_line(out, format_args!("{} = {value}", setting.key)),
        None => push_line(out, format_args!("# {} = \"\"", setting.key)),
    }
}

fn push_line(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("writing to a string cannot fail");
}
