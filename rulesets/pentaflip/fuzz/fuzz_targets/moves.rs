//! A position and moves behind it, a line each: accepted is what is listed,
//! and playing leads to a position that its own text describes.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use pentad_sdk::Ruleset;
use pentaflip::Pentaflip;

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Some(Ok(mut position)) = lines.next().map(|line| Pentaflip.parse(line)) else { return };
    for line in lines {
        let mut listed = false;
        let _stopped = Pentaflip.legal_move_texts(&position, line, &mut |text| {
            listed |= text == line;
            ControlFlow::Continue(())
        });
        let parsed = Pentaflip.parse_move(&position, line);
        assert_eq!(parsed.is_ok(), listed);
        let Ok(mv) = parsed else { break };
        position = Pentaflip.play(&position, &mv);
        let mut text = String::new();
        Pentaflip.format(&position, &mut text);
        assert_eq!(Pentaflip.parse(&text), Ok(position));
    }
});
