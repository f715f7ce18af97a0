//! The effective settings as a file that can be used as one.

use std::fmt::Write;

use super::{Config, KNOBS, Kind, Knob, Settings, Source};

/// Every knob with its documentation, value and source, as TOML.
pub fn print(settings: &Settings) -> String {
    let mut out = String::new();
    for (idx, knob) in KNOBS.iter().enumerate() {
        if idx > 0 {
            out.push('\n');
        }
        print_knob(&mut out, knob, settings);
    }
    out
}

fn print_knob(out: &mut String, knob: &Knob, settings: &Settings) {
    for line in knob.doc.lines() {
        line_of(out, format_args!("#{line}"));
    }
    if let Some((min, max)) = knob.bounds {
        line_of(out, format_args!("# From {min} to {max}."));
    }
    if let Kind::Choice(words) = knob.kind {
        line_of(out, format_args!("# One of {}.", words.join(", ")));
    }
    let source = settings.sources.get(knob.key).unwrap_or(&Source::Default);
    if *source == Source::Default {
        line_of(out, format_args!("# Default. --{}, {}", knob.flag(), knob.env()));
    } else {
        let default = (knob.show)(&Config::default()).unwrap_or_else(|| "unset".to_owned());
        line_of(out, format_args!("# Set by {source}; the default is {default}. --{}, {}", knob.flag(), knob.env()));
    }
    match (knob.show)(&settings.config) {
        Some(value) => line_of(out, format_args!("{} = {value}", knob.key)),
        None => line_of(out, format_args!("# {} = \"\"", knob.key)),
    }
}

fn line_of(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("writing to a string cannot fail");
}
