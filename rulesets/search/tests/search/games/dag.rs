//! A random game on a directed acyclic graph: layers of positions, everything decided
//! by hashes.
//!
//! There are transpositions, the same seat may move twice, games end at any ply, and
//! estimates, move ordering, forcing moves and winners are random.

use pentad_model::Scores;
use pentad_model::rng::mix;
use pentad_search::Game;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Dag {
    pub(crate) seed: u64,
    pub(crate) n_seats: usize,
    /// Seats 0, 2, … against 1, 3, …
    pub(crate) teams: bool,
    /// Positions per ply.
    pub(crate) width: u64,
    pub(crate) n_plies: u32,
    pub(crate) n_moves_max: u64,
    /// Whether games end before the last ply.
    pub(crate) ends_early: bool,
    /// Percentage of final positions that are draws.
    pub(crate) draws: u64,
    /// Whether `winning_move` is implemented.
    pub(crate) has_hints: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) ply: u32,
    pub(crate) id: u64,
}

impl Place {
    pub(crate) const START: Place = Place { ply: 0, id: 0 };
}

impl Dag {
    pub(crate) fn two_sides(seed: u64) -> Self {
        let n_plies = 3 + (mix(seed) % 6) as u32;
        let draws = [0, 30, 70, 95][(mix(seed + 1) % 4) as usize];
        let has_hints = mix(seed + 2).is_multiple_of(2);
        Dag { seed, n_seats: 2, teams: false, width: 40, n_plies, n_moves_max: 6, ends_early: true, draws, has_hints }
    }

    fn hash(&self, place: &Place, what: u64) -> u64 {
        mix(mix(self.seed ^ mix(what)) ^ mix(u64::from(place.ply) << 32 | place.id))
    }

    fn wins(&self, place: &Place, mv: u8) -> bool {
        self.outcome(&self.play(place, &mv)).is_some_and(|scores| scores[self.to_move(place)] == 1.0)
    }
}

impl Game for Dag {
    type Position = Place;
    type Move = u8;

    fn n_seats(&self) -> usize {
        self.n_seats
    }

    fn side_of(&self, seat: usize) -> usize {
        if self.teams { seat % 2 } else { seat }
    }

    fn n_sides(&self) -> usize {
        if self.teams { 2 } else { self.n_seats }
    }

    fn to_move(&self, place: &Place) -> usize {
        // Mostly in turn; randomly in one of four positions.
        let hash = self.hash(place, 1);
        if hash.is_multiple_of(4) { (hash >> 8) as usize % self.n_seats } else { place.ply as usize % self.n_seats }
    }

    fn key(&self, place: &Place) -> u64 {
        u64::from(place.ply) << 32 | place.id
    }

    fn outcome(&self, place: &Place) -> Option<Scores> {
        let hash = self.hash(place, 2);
        if place.ply == 0 || (place.ply < self.n_plies && !(self.ends_early && hash.is_multiple_of(8))) {
            return None;
        }
        let winner = (hash >> 16) as usize % self.n_seats;
        let n_sides = self.n_sides();
        let drawn = (hash >> 32) % 100 < self.draws;
        let score = |seat| match () {
            () if drawn => 1.0 / n_sides as f64,
            () if self.side_of(seat) == self.side_of(winner) => 1.0,
            () => 0.0,
        };
        Some(Scores::new(&(0..self.n_seats).map(score).collect::<Vec<_>>()))
    }

    fn moves(&self, place: &Place, out: &mut Vec<u8>) {
        out.extend(0..=(self.hash(place, 3) % self.n_moves_max) as u8);
    }

    fn play(&self, place: &Place, mv: &u8) -> Place {
        Place { ply: place.ply + 1, id: self.hash(place, 100 + u64::from(*mv)) % self.width }
    }

    fn evaluate(&self, place: &Place) -> i32 {
        (self.hash(place, 4) % 2001) as i32 - 1000
    }

    fn evaluate_seats(&self, place: &Place) -> Scores {
        let weight = |seat: usize| (self.hash(place, 50 + self.side_of(seat) as u64) % 100 + 1) as f64;
        let total: f64 = (0..self.n_sides()).map(weight).sum();
        Scores::new(&(0..self.n_seats).map(|seat| weight(seat) / total).collect::<Vec<_>>())
    }

    fn order(&self, place: &Place, mv: &u8) -> i32 {
        (self.hash(place, 200 + u64::from(*mv)) % 5000) as i32
    }

    fn forcing_moves(&self, place: &Place, out: &mut Vec<u8>) {
        let mut moves = Vec::new();
        self.moves(place, &mut moves);
        out.extend(moves.into_iter().filter(|mv| self.hash(place, 300 + u64::from(*mv)).is_multiple_of(3)));
    }

    fn winning_move(&self, place: &Place) -> Option<u8> {
        let mut moves = Vec::new();
        self.moves(place, &mut moves);
        moves.into_iter().find(|mv| self.has_hints && self.wins(place, *mv))
    }

    fn n_slots(&self) -> usize {
        32
    }

    fn slot(&self, mv: &u8) -> usize {
        usize::from(*mv % 32)
    }

    fn can_cycle(&self) -> bool {
        // The game has no cycles; half of the seeds still make the search allow for them.
        self.seed.is_multiple_of(2)
    }
}
