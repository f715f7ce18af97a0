//! Pentago XL as a loadable rule set: the C ABI around the crate `pentago-xl`.

pentad_sdk::export!(pentago_xl::PentagoXl: search, symmetry, layout, reasons, threats, move_text);
