//! A random graph with a token that two players push along its edges; some nodes end
//! the game. Play can cycle forever.

use pentad_model::Scores;
use pentad_model::rng::mix;
use pentad_search::Game;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Graph {
    pub(crate) seed: u64,
    pub(crate) n_nodes: u64,
}

/// A node and the player to push.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Token {
    pub(crate) node: u64,
    pub(crate) player: usize,
}

impl Graph {
    fn hash(&self, node: u64, what: u64) -> u64 {
        mix(mix(self.seed ^ mix(what)) ^ node)
    }
}

impl Game for Graph {
    type Position = Token;
    type Move = u8;

    fn n_seats(&self) -> usize {
        2
    }

    fn to_move(&self, token: &Token) -> usize {
        token.player
    }

    fn key(&self, token: &Token) -> u64 {
        token.node * 2 + token.player as u64
    }

    fn outcome(&self, token: &Token) -> Option<Scores> {
        // The first tenth of the nodes end the game, one in five of them drawn.
        if token.node >= self.n_nodes / 10 {
            return None;
        }
        let hash = self.hash(token.node, 1);
        Some(Scores::new(match hash % 5 {
            0 => &[0.5, 0.5],
            1 | 2 => &[1.0, 0.0],
            _ => &[0.0, 1.0],
        }))
    }

    fn moves(&self, token: &Token, out: &mut Vec<u8>) {
        out.extend(0..=(self.hash(token.node, 2 + token.player as u64) % 3) as u8);
    }

    fn play(&self, token: &Token, mv: &u8) -> Token {
        let what = 100 + 10 * u64::from(*mv) + token.player as u64;
        Token { node: self.hash(token.node, what) % self.n_nodes, player: 1 - token.player }
    }

    fn evaluate(&self, token: &Token) -> i32 {
        (self.hash(token.node, 5) % 201) as i32 - 100
    }

    fn forcing_moves(&self, token: &Token, out: &mut Vec<u8>) {
        if self.hash(token.node, 6).is_multiple_of(2) {
            out.push(0);
        }
    }
}
