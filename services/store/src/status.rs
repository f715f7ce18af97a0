//! What a layer says of itself.

/// A layer at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerStatus {
    /// `file` or `shared`, as in metrics.
    pub layer: &'static str,
    /// Where it is, for operators: a path, or an address without its password.
    pub place: String,
    /// Whether it serves.
    pub state: LayerState,
    /// Answers in it, as far as that is known.
    pub entries: u64,
    /// What they take, as far as that is known.
    pub bytes: u64,
    /// What became of lookups since the start.
    pub reads: ReadCounts,
    /// What became of offered answers since the start.
    pub writes: WriteCounts,
    /// Files that could not be opened and were set aside since the start.
    pub set_aside: u64,
}

/// Whether a layer serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerState {
    /// Not yet.
    Opening,
    /// Lookups and writes work.
    Up,
    /// It does not, and why.
    Down(String),
}

impl LayerState {
    /// Whether lookups and writes work.
    pub fn is_up(&self) -> bool {
        *self == LayerState::Up
    }

    /// Why it does not serve.
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
            /// Each result as written in metrics, with its count.
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
    /// What became of lookups.
    ReadCounts {
        /// The answer was there.
        hit = "hit",
        /// It was not.
        miss = "miss",
        /// Not asked: the layer is down, stalled or has too many lookups waiting.
        skipped = "skipped",
        /// It took too long.
        timeout = "timeout",
        /// The value was damaged, or the rules refused it.
        bad = "bad",
        /// The layer failed.
        failed = "failed",
    }
}

counts! {
    /// What became of offered answers.
    WriteCounts {
        /// Stored, and on disk or acknowledged.
        stored = "stored",
        /// There was a better one.
        kept = "kept",
        /// There was no room to wait in.
        dropped = "dropped",
        /// The layer failed.
        failed = "failed",
        /// Removed to make room.
        evicted = "evicted",
    }
}
