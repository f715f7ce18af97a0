//! Pentago XL as a loadable rule set. The game itself is in the crate
//! `pentago-xl`; this one only puts the C ABI around it.

pentad_sdk::export!(pentago_xl::PentagoXl: search, symmetry, layout, reasons, threats);
