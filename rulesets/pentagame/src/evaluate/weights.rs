//! The weights of the evaluation, by number of players.
//!
//! Fitted by `examples/fit.rs` to games of the search against itself with
//! hand-set weights; each table names the arguments it was fitted with.

/// Weights of one variant; 400 points mean ten times the odds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// By the number of moves still needed.
    pub(crate) moves: [i32; N_MOVE_WEIGHTS],
    /// Per move that the spare figure needs.
    pub(crate) spare: i32,
    /// Per needed figure whose path one block lengthens: one move away, and more.
    pub(crate) narrow_near: i32,
    pub(crate) narrow_far: i32,
    /// Per figure that another player brought to its goal.
    pub(crate) brought: i32,
    /// By the number of other players' turns before one's own.
    pub(crate) delay: [i32; 4],
}

/// Entries of `moves`; higher numbers of moves use the last one.
pub(crate) const N_MOVE_WEIGHTS: usize = 12;

/// By number of players, from two.
pub(crate) const WEIGHTS: [Weights; 3] = [TWO, THREE, FOUR];

/// `fit -- 2p 500 1500`
const TWO: Weights = Weights {
    moves: [577, 390, 204, 113, -1, -56, -117, -137, -179, -254, -330, -405],
    spare: -72,
    narrow_near: -30,
    narrow_far: -31,
    brought: -68,
    delay: [28, -28, 0, 0],
};

/// `fit -- 3p 150 1500`
const THREE: Weights = Weights {
    moves: [367, 138, 41, 1, -57, -106, -126, -146, -166, -186, -206, -226],
    spare: -45,
    narrow_near: 1,
    narrow_far: -11,
    brought: 194,
    delay: [18, 0, -18, 0],
};

/// `fit -- 4p 120 1500`
const FOUR: Weights = Weights {
    moves: [547, 247, 130, 24, -14, -74, -94, -114, -134, -154, -226, -319],
    spare: -8,
    narrow_near: 5,
    narrow_far: -21,
    brought: 138,
    delay: [26, 10, -10, -26],
};
