//! Threats are the reference's wins in one, and stops are the moves that end them.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::{Contract, depth};
use pentad_sdk::testing::threats::{ThreatReference, check_stops, check_threats};
use pentad_sdk::{Ruleset, Search, Threat, Threats};
use pentago::{Cell, Move, Pentago, Position};

use crate::reference::{ReferenceGame, fives_after};
use crate::support::{all_rules, parse, random_position, rules, text};

/// Kind, turn, and the current cells of the five.
type Five = (usize, String, Vec<String>);

fn check(game: &Pentago, position: &Position) -> usize {
    let reference = ReferenceGame::parse(game.edition().id(), &text(game, position)).expect("a position of a game");
    let expected = ThreatReference { is_won, described };
    check_threats(game, 2, position, &reference, &expected, |threat: &Threat<Move>, mv| {
        let mut cells: Vec<String> = threat.points.iter().map(|&point| cell(point)).collect();
        cells.sort();
        (threat.kind, turn_of(mv).to_owned(), cells)
    })
}

fn cell(point: usize) -> String {
    Cell::all().nth(point).expect("a cell").to_string()
}

fn turn_of(mv: &str) -> &str {
    mv.split_once('-').map_or("", |(_, turn)| turn)
}

/// Returns whether a seat has won, at once or whatever the other side replies (Czech
/// edition).
fn is_won(after: &ReferenceGame, seat: usize) -> bool {
    let won = |game: &ReferenceGame| game.outcome().is_some_and(|outcome| outcome.scores[seat] == 1.0);
    won(after) || after.reply && after.legal().iter().all(|reply| won(&after.play(reply)))
}

fn described(before: &ReferenceGame, mv: &str) -> Vec<Five> {
    let kind = usize::from(mv.contains('-'));
    fives_after(before, mv).into_iter().map(|cells| (kind, turn_of(mv).to_owned(), cells)).collect()
}

fn compare(variant: &str) {
    let game = rules(variant);
    let mut rng = Rng::new(23);
    let mut n_threats = 0;
    for i in 0..120 {
        let position = random_position(&game, &mut rng, 8 + i % 26);
        n_threats += check(&game, &position);
    }
    assert!(n_threats > 100, "{n_threats} threats");
}

// Over random positions of every edition.
pentad_sdk::variant_tests!(
    compare: standard_threats_agree = "standard",
    finnish_threats_agree = "finnish",
    czech_threats_agree = "czech",
    clockwise_threats_agree = "clockwise",
);

/// A stop of a threat is a move after which the threat is gone.
#[test]
fn stops_agree_with_threats() {
    let mut rng = Rng::new(29);
    for game in all_rules() {
        let mut n_stops = 0;
        for i in 0..30 {
            let position = random_position(&game, &mut rng, 10 + i % 20);
            n_stops += check_stops(&game, &[0, 1], &position, 40, &mut rng);
        }
        assert!(n_stops > 100, "{}: {n_stops}", game.edition().id());
    }
}

fn threats(variant: &str, position: &str, seat: usize) -> Vec<(&'static str, String)> {
    let game = rules(variant);
    let turn = game.turn_of(&parse(&game, position), seat).expect("it may be its turn");
    let kind = |threat: &Threat<Move>| Pentago::KINDS[threat.kind].kind;
    game.threats(&turn).iter().map(|threat| (kind(threat), threat.mv.text().to_owned())).collect()
}

/// Checks each rule of `THREATS.md` on a position made for it.
#[test]
fn threats_follow_the_rules() {
    let both = "wwww2/6/bbbb2/6/6/6 w";
    assert_eq!(threats("standard", both, 0), [("placing", "e1".to_owned())]);
    assert_eq!(threats("standard", both, 1), [("placing", "e3".to_owned())], "with one marble too many for its turn");
    // The turn alone completes row 1: any placement will do, the first one is named.
    let turned = "www2w/5w/6/b3b1/6/bb3b b";
    assert!(threats("standard", turned, 0).contains(&("turning", "a2-2l".to_owned())), "{turned}");
    // The turn that gives both sides five is a draw, and a win in the Finnish edition.
    let double = "www2w/5w/3bbb/5b/5b/6 w";
    assert!(!threats("standard", double, 0).iter().any(|(_, mv)| mv.ends_with("-2l")));
    assert!(threats("finnish", double, 0).iter().any(|(_, mv)| mv.ends_with("-2l")));
    // Blocks turn clockwise only.
    assert!(!threats("clockwise", turned, 0).iter().any(|(_, mv)| mv.ends_with('l')));
    // A reply is pending: the game is decided by it.
    let game = rules("czech");
    let reply = parse(&game, "wwwww1/6/bbbb2/6/6/6 b reply");
    assert_eq!(game.turn_of(&reply, 0), None);
    assert!(game.threats(&reply).is_empty());
    let over = parse(&game, "wwwww1/6/bbbb2/6/6/6 b");
    assert_eq!((game.turn_of(&over, 0), game.turn_of(&over, 1)), (None, None));
}

/// A five by turning that the other side can answer is no threat in the Czech edition,
/// unless the marble that is placed takes the answer away.
#[test]
fn czech_fives_must_not_be_answered() {
    let answered = "www2w/5w/6/bbbb2/6/5b w";
    assert!(threats("standard", answered, 0).iter().any(|(_, mv)| mv.ends_with("-2l")));
    assert_eq!(threats("czech", answered, 0), [("turning", "e4-2l".to_owned())]);
    let twice = "www2w/5w/6/1bbbb1/6/5b w";
    assert!(!threats("czech", twice, 0).iter().any(|(_, mv)| mv.ends_with("-2l")));
}

/// A search of a position with the other side to move proves what the rules say: it does not use
/// the book or the solver, which only know positions of a game.
#[test]
fn off_turn_positions_can_be_searched() {
    for game in all_rules() {
        let mut rng = Rng::new(31);
        for n_marbles in [1, 3, 5, 9, 15, 25, 31] {
            let position = random_position(&game, &mut rng, n_marbles);
            let turn = game.turn_of(&position, 1 - game.to_move(&position)).expect("the game goes on");
            assert!(game.is_off_turn(&turn) || game.edition().id() == "czech", "{position:?}");
            let report = Contract::of(&game, game.edition().id()).search(&turn, depth(2), 1);
            let legal = pentad_sdk::testing::moves(&game, &turn);
            assert!(report.lines.iter().all(|line| legal.contains(&line.moves[0])), "{turn:?}");
            let has_threat = !game.threats(&turn).is_empty();
            let wins_now =
                report.evaluation.plies_to_end == Some(1) && report.evaluation.outcome == Some(pentad_sdk::Wdl::Win);
            // A Czech five by turning waits for the reply.
            assert!(has_threat == wins_now || game.edition().id() == "czech", "{turn:?}: {report:?}");
            let _value = game.evaluate(&turn);
        }
    }
}
