//! A position and moves behind it, a line each: accepted is what is listed,
//! and playing leads to a position that its own text describes.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use pentad_sdk::Ruleset;
use pentago_xl::{Contest, PentagoXl};

fuzz_target!(|text: &str| {
    for game in Contest::ALL.map(PentagoXl::of) {
        let mut lines = text.lines();
        let Some(Ok(mut position)) = lines.next().map(|line| game.parse(line)) else { continue };
        for line in lines {
            let mut listed = false;
            let _stopped = game.legal_move_texts(&position, line, &mut |text| {
                listed |= text == line;
                ControlFlow::Continue(())
            });
            let parsed = game.parse_move(&position, line);
            assert_eq!(parsed.is_ok(), listed);
            let Ok(mv) = parsed else { break };
            position = game.play(&position, &mv);
            let mut text = String::new();
            game.format(&position, &mut text);
            assert_eq!(game.parse(&text), Ok(position));
        }
    }
});
