//! Pentagame as a loadable rule set. The game itself is in the crate
//! `pentagame`; this one only puts the C ABI around it.

pentad_sdk::export!(pentagame::Pentagame: search, symmetry, layout, reasons, threats);
