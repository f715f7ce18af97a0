//! Pentaflip as a loadable rule set. The game itself is in the crate `pentaflip`; this
//! one only adds the C ABI.

pentad_sdk::export!(pentaflip::Pentaflip: search, symmetry, layout, reasons, threats, move_text);
