//! Status of a layer.

/// Snapshot of a layer's status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerStatus {
    /// `file` or `shared`, as in metrics.
    pub layer: &'static str,
    /// Location for operators: a path, or an address without its password.
    pub place: String,
    /// Whether it serves.
    pub state: LayerState,
    /// Number of answers, if known; otherwise 0.
    pub entries: u64,
    /// Size of the answers, if known; otherwise 0.
    pub bytes: u64,
    /// Results of lookups since the start.
    pub reads: ReadCounts,
    /// Results of offered answers since the start.
    pub writes: WriteCounts,
    /// Number of unreadable files set aside since the start.
    pub set_aside: u64,
}

/// Whether a layer serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerState {
    /// It is being opened.
    Opening,
    /// Lookups and writes work.
    Up,
    /// It does not serve, for this reason.
    Down(String),
}

impl LayerState {
    /// Returns whether lookups and writes work.
    pub fn is_up(&self) -> bool {
        *self == LayerState::Up
    }

    /// Returns why it does not serve.
    pub fn problem(&self) -> Option<&str> {
        match self {
            LayerState::Up => None,
            LayerState::Opening => Some("opening"),
            LayerState::Down(reason) => Some(reason),
        }
    }
}

macro_rules! counts {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: u64,)+
        }

        impl $name {
            /// Iterates over the results, as named in metrics, with their counts.
            pub fn by_result(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$(($word, self.$field)),+].into_iter()
            }
        }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)+
            }
        }
    };
}

counts! {
    /// Results of lookups.
    ReadCounts {
        /// The answer was found.
        hit = "hit",
        /// There was no answer.
        miss = "miss",
        /// No lookup was made: the layer is down, stalled or has too many waiting lookups.
        skipped = "skipped",
        /// The lookup took too long.
        timeout = "timeout",
        /// The value was damaged, or the rules refused it.
        bad = "bad",
        /// The layer failed.
        failed = "failed",
    }
}

counts! {
    /// Results of offered answers.
    WriteCounts {
        /// Stored: on disk, or acknowledged by the server.
        stored = "stored",
        /// Not stored, since the layer had a better one.
        kept = "kept",
        /// Dropped, since the queue was full.
        dropped = "dropped",
        /// The layer failed.
        failed = "failed",
        /// Evicted to make room.
        evicted = "evicted",
    }
}
