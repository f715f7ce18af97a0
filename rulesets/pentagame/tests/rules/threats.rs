//! Threats are the wins in one of the reference, and stops are the moves that end
//! them.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::threats::{ThreatReference, check_stops, check_threats};
use pentad_sdk::testing::{play, random_move};
use pentad_sdk::{Ruleset, Threat, Threats};
use pentagame::{Move, Pentagame, Position};

use crate::reference::ReferenceGame;
use crate::support::{all_rules, parse, random_position, rules, text};

fn check(game: &Pentagame, position: &Position) -> usize {
    let reference = ReferenceGame::parse(game.n_seats(), &text(game, position)).expect("a position of a game");
    let is_won = |after: &ReferenceGame, seat: usize| after.n_out(seat) >= 3;
    let expected = ThreatReference { is_won, described: leaving };
    check_threats(game, game.n_seats(), position, &reference, &expected, |threat: &Threat<Move>, _| {
        (0..5).filter(|colour| threat.key >> colour & 1 != 0).collect()
    })
}

/// Returns the colours of the figures that a move brings out.
fn leaving(before: &ReferenceGame, mv: &str) -> Vec<Vec<usize>> {
    let (after, player) = (before.play(mv), before.to_move);
    let is_leaving =
        |&colour: &usize| before.find((player, colour)).is_some() && after.find((player, colour)).is_none();
    vec![(0..5).filter(is_leaving).collect()]
}

/// Threats agree with the reference on random positions with figures out.
#[test]
fn threats_agree() {
    for game in all_rules() {
        let mut rng = Rng::new(61);
        let mut n_threats = 0;
        for _ in 0..12 {
            n_threats += check(&game, &random_position(&game, &mut rng));
        }
        assert!(n_threats > 3, "{} players: {n_threats} threats", game.n_seats());
    }
}

/// A move stops exactly the threats that do not exist after it, even where boards are
/// not evaluated again.
#[test]
fn stops_agree_with_threats() {
    for game in all_rules() {
        let mut rng = Rng::new(67);
        let sides: Vec<u32> = (0..game.n_seats() as u32).collect();
        let (mut n_stops, mut n_positions) = (0, 0);
        while n_positions < 3 {
            let position = random_position(&game, &mut rng);
            if game.count_moves(&position, "") > 15_000 {
                continue;
            }
            let found = check_stops(&game, &sides, &position, 200, &mut rng);
            n_positions += usize::from(found > 0);
            n_stops += found;
        }
        assert!(n_stops > 50, "{n_stops}");
    }
}

/// Whatever follows, the player gets the score that the threat promises.
#[test]
fn scores_are_certain() {
    for game in all_rules() {
        let mut rng = Rng::new(71);
        let (mut n_whole, mut n_shared) = (0, 0);
        for _ in 0..200 {
            let position = random_position(&game, &mut rng);
            for threat in game.threats(&position) {
                let seat = game.to_move(&position);
                let mut next = game.play(&position, &threat.mv);
                while game.outcome(&next).is_none() {
                    next = game.play(&next, &random_move(&game, &next, &mut rng));
                }
                let score = game.outcome(&next).expect("it is over").scores[seat];
                assert!(score >= threat.score - 1e-9, "{}: {:?}", text(&game, &position), threat.mv);
                *(if threat.score == 1.0 { &mut n_whole } else { &mut n_shared }) += 1;
            }
        }
        assert!(n_whole > 5 && n_shared > 5, "{n_whole} {n_shared}");
    }
}

/// Each rule of `THREATS.md`, on a position made for it.
#[test]
fn threats_follow_the_rules() {
    let game = rules("2p");
    // Player 1 needs one more, and only the white figure, on the arm next to its goal, has
    // a free path. Player 2 is far from finishing.
    let position = parse(&game, "C6a,*,*,D,E/A,B,C,D,E a,b,c,d,e A1B,B1C 2 -");
    let of_seat = |position: &Position, seat| game.turn_of(position, seat).map(|turn| game.threats(&turn));
    let threats = of_seat(&position, 0).expect("it may be its turn");
    assert_eq!(threats.iter().map(|threat| (threat.key, threat.score)).collect::<Vec<_>>(), [(1, 1.0)]);
    assert!(threats[0].mv.to_string().starts_with("a-a@"), "{:?}", threats[0].mv);
    assert_eq!(of_seat(&position, 1).expect("it is its turn").len(), 0);
    // Once it is out, player 2 has the last turn of the round, and player 1 none.
    let first = parse(&game, "C6a,*,*,D,E/A,B,C,D,E a,b,c,d,e A1B,B1C 1 -");
    let won = play(&game, &first, &game.threats(&first)[0].mv.to_string());
    assert_eq!((of_seat(&won, 0), of_seat(&won, 1).map(|threats| threats.len())), (None, Some(0)));
}
