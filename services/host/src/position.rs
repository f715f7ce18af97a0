//! A position as the host holds it: bytes that only its rule set interprets.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use pentad_model::Violation;
use smallvec::{SmallVec, smallvec};

use crate::guard::{self, GUARD_LEN};

/// A position of one variant of one rule set.
///
/// Equality, order and hash are those of the bytes. A position also records which
/// library and variant wrote it, because a plugin in C may trust its own bytes: a call
/// with another rule set's position is rejected.
#[derive(Clone)]
pub struct Position {
    /// Most games fit without a heap allocation, including Pentagame with four seats
    /// (33 bytes) and its guard bytes; a search clones often.
    bytes: SmallVec<[u8; 64]>,
    owner: Owner,
}

/// The library and variant that a position belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) library: u32,
    pub(crate) variant: u32,
}

impl Position {
    /// The bytes, as the plugin wrote them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Creates a buffer of `size` zeros for a plugin to write into. Until
    /// [`written`](Position::written) it also has guard bytes.
    pub(crate) fn unwritten(owner: Owner, size: usize) -> Self {
        let mut bytes = smallvec![0; size];
        bytes.extend_from_slice(&guard::guard());
        Position { bytes, owner }
    }

    /// Checks and removes the guard bytes.
    pub(crate) fn written(mut self) -> Result<Self, Violation> {
        let size = self.bytes.len() - GUARD_LEN;
        guard::check(&self.bytes[size..])?;
        self.bytes.truncate(size);
        Ok(self)
    }

    pub(crate) fn from_bytes(owner: Owner, bytes: &[u8]) -> Self {
        Position { bytes: SmallVec::from_slice(bytes), owner }
    }

    pub(crate) fn owner(&self) -> Owner {
        self.owner
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.bytes.as_mut_ptr()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Position {}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Position {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Position(")?;
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
