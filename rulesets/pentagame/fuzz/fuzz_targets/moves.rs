//! A position and moves behind it, a line each: accepted is what is listed
//! under its canonical text, and playing leads to a position that its own text
//! describes.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use pentad_sdk::Ruleset;
use pentagame::Pentagame;

fuzz_target!(|text: &str| {
    for game in (2..=4).map(Pentagame::for_players) {
        let mut lines = text.lines();
        let Some(Ok(mut position)) = lines.next().map(|line| game.parse(line)) else { continue };
        for line in lines {
            let parsed = game.parse_move(&position, line);
            let wanted = parsed.as_ref().map_or(line.to_owned(), |mv| mv.text());
            let mut listed = false;
            let _stopped = game.legal_move_texts(&position, &wanted, &mut |text| {
                listed |= text == wanted;
                ControlFlow::Continue(())
            });
            assert_eq!(parsed.is_ok(), listed);
            let Ok(mv) = parsed else { break };
            position = game.play(&position, &mv);
            let mut text = String::new();
            game.format(&position, &mut text);
            assert_eq!(game.parse(&text), Ok(position));
        }
    }
});
