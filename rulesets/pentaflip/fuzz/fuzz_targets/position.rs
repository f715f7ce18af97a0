//! Positions from text and from bytes: whatever is accepted comes back the
//! same, and everything can be asked about it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pentad_sdk::{Layout, Ruleset, Search, Symmetry};
use pentaflip::{Pentaflip, Position};

fuzz_target!(|data: &[u8]| {
    if let Some(position) = Pentaflip.decode(data) {
        let mut bytes = vec![0; Pentaflip.position_size()];
        Pentaflip.encode(&position, &mut bytes);
        assert_eq!(bytes, data);
        ask(&position);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Pentaflip.parse(text) {
        Ok(position) => ask(&position),
        Err(refusal) => assert!(refusal.column.is_some_and(|column| column <= text.chars().count() + 1)),
    }
});

fn ask(position: &Position) {
    let mut text = String::new();
    Pentaflip.format(position, &mut text);
    assert_eq!(Pentaflip.parse(&text).as_ref(), Ok(position));
    assert_eq!(Ruleset::outcome(&Pentaflip, position).is_some(), Pentaflip.count_moves(position, "") == 0);
    let (canonical, symmetry) = Pentaflip.canonical(position);
    assert_eq!(Pentaflip.apply(Pentaflip.inverse(symmetry), &canonical), *position);
    let _value = Search::evaluate(&Pentaflip, position);
    Pentaflip.pieces(position, &mut |point, piece| assert!(point < 68 && piece < 4));
}
