//! Pentagame as a loadable rule set: the C ABI around the crate `pentagame`.

pentad_sdk::export!(pentagame::Pentagame: search, symmetry, layout, reasons, threats, move_text);
