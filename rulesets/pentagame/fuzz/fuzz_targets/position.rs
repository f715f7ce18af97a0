//! Positions from text and from bytes: whatever is accepted comes back the
//! same, and everything can be asked about it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pentad_sdk::{Layout, Ruleset, Search, Symmetry};
use pentagame::{Pentagame, Position};

fuzz_target!(|data: &[u8]| {
    for game in (2..=4).map(Pentagame::for_players) {
        if let Some(position) = game.decode(data) {
            let mut bytes = vec![0; game.position_size()];
            game.encode(&position, &mut bytes);
            assert_eq!(bytes, data);
            ask(&game, &position);
        }
        let Ok(text) = std::str::from_utf8(data) else { continue };
        match game.parse(text) {
            Ok(position) => ask(&game, &position),
            Err(refusal) => assert!(refusal.column.is_none_or(|column| column <= text.chars().count() + 1)),
        }
    }
});

fn ask(game: &Pentagame, position: &Position) {
    let mut text = String::new();
    game.format(position, &mut text);
    assert_eq!(game.parse(&text).as_ref(), Ok(position));
    assert_eq!(game.outcome(position).is_some(), game.count_moves(position, "") == 0);
    let (canonical, symmetry) = game.canonical(position);
    assert_eq!(game.apply(game.inverse(symmetry), &canonical), *position);
    let _value = game.evaluate(position);
    let n_kinds = 5 * game.n_seats() + 2;
    game.pieces(position, &mut |point, piece| assert!(point < 100 && piece < n_kinds));
}
