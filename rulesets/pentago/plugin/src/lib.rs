//! Pentago as a loadable rule set. The game itself is in the crate `pentago`; this one
//! only adds the C ABI.

pentad_sdk::export!(pentago::Pentago: search, symmetry, layout, reasons, threats, move_text);
