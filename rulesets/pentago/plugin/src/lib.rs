//! Pentago as a loadable rule set. The game itself is in the crate `pentago`;
//! this one only puts the C ABI around it.

pentad_sdk::export!(pentago::Pentago: search, symmetry, layout, reasons, threats);
