//! Defects that were found and fixed, so that they stay so.
