//! The search finds wins and stops losses, proves only what is so, keeps to its
//! limits, and has a signature.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pentad_sdk::search::rng::Rng;
use pentad_sdk::testing::contract::{Contract, depth, nodes};
use pentad_sdk::{Certainty, Control, Limits, NeverStop, Report, Request, Resources, Ruleset, Search, Wdl};
use pentagame::{Move, Pentagame, Position};

use crate::support::{all_rules, compare_or_bless, moves, parse, racing_move, rules, scattered, text};

fn contract(game: &Pentagame) -> Contract<'_, Pentagame, <Pentagame as Search>::Context> {
    Contract::of(game, ["2p", "3p", "4p"][game.n_seats() - 2])
}

pub(crate) fn search(game: &Pentagame, position: &Position, limits: Limits, n_lines: usize) -> Report<Move> {
    contract(game).search(position, limits, n_lines)
}

pub(crate) fn ask_about(game: &Pentagame, position: &Position, limits: Limits, root_moves: Vec<Move>) -> Report<Move> {
    contract(game).ask(position, &Request { root_moves, ..Request::new(limits) }, &NeverStop)
}

/// Whether the player to move can have three out after this turn, by the list
/// of legal moves.
fn can_finish(game: &Pentagame, position: &Position) -> bool {
    let n_out = position.n_out(position.to_move()) as usize;
    let mut found = false;
    let _stopped = game.legal_moves(position, &mut |mv| {
        found = n_out + mv.greys().count() >= 3;
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// What a game of two is worth to the player to move within the turns that
/// follow at once, by brute force: a win, a draw or a loss with its plies.
#[derive(Debug, PartialEq)]
enum Truth {
    Win(u32),
    Draw(u32),
    Loss(u32),
    Open,
}

fn last_player_truth(game: &Pentagame, position: &Position) -> Truth {
    match (position.n_out(0) >= 3, can_finish(game, position)) {
        (true, true) => Truth::Draw(1),
        (true, false) => Truth::Loss(1),
        (false, true) => Truth::Win(1),
        (false, false) => Truth::Open,
    }
}

fn first_player_wins(game: &Pentagame, position: &Position) -> bool {
    let n_out = position.n_out(0) as usize;
    let finishing = |mv: &Move| n_out + mv.greys().count() >= 3;
    let wins = |mv: &Move| !can_finish(game, &game.play(position, mv));
    n_out > 0 && moves(game, position).iter().filter(|mv| finishing(mv)).any(wins)
}

fn truth(game: &Pentagame, position: &Position) -> Truth {
    let replies =
        |wins: &dyn Fn(&Position) -> bool| moves(game, position).iter().all(|mv| wins(&game.play(position, mv)));
    if position.to_move() == 1 {
        let truth = last_player_truth(game, position);
        let lost = || replies(&|next: &Position| !next.is_over() && first_player_wins(game, next));
        return if truth == Truth::Open && lost() { Truth::Loss(3) } else { truth };
    }
    if first_player_wins(game, position) {
        return Truth::Win(2);
    }
    let lost = replies(&|next: &Position| last_player_truth(game, next) == Truth::Win(1));
    if lost { Truth::Loss(2) } else { Truth::Open }
}

/// Late positions of games for two with not too many moves.
fn late_positions(seed: u64, n: usize, n_moves_max: u64) -> Vec<Position> {
    let game = rules("2p");
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < n {
        let position = scattered(&game, &mut rng);
        let is_late = position.n_out(0) + position.n_out(1) >= 3;
        if !position.is_over() && is_late && game.count_moves(&position, "") <= n_moves_max {
            found.push(position);
        }
    }
    found
}

/// What the rules settle within the next turns is proven, with its distance,
/// and nothing else is claimed at that distance.
#[test]
fn short_proofs_are_exact() {
    let game = rules("2p");
    let mut n_by_kind = [0; 4];
    for position in late_positions(31, 400, 1_500) {
        let truth = truth(&game, &position);
        let report = search(&game, &position, nodes(4_000), 1);
        let found = (report.evaluation.outcome, report.evaluation.plies_to_end);
        let context = text(&game, &position);
        let (kind, wanted) = match truth {
            Truth::Win(plies) => (0, (Some(Wdl::Win), Some(plies))),
            Truth::Draw(plies) => (1, (Some(Wdl::Draw), Some(plies))),
            Truth::Loss(plies) => (2, (Some(Wdl::Loss), Some(plies))),
            Truth::Open => {
                let is_longer_win = matches!(found, (Some(Wdl::Win), Some(3 | 4)));
                assert!(found.0.is_none() || is_longer_win, "{context}: {found:?} is claimed");
                n_by_kind[3] += 1;
                continue;
            }
        };
        assert_eq!(found, wanted, "{context}");
        n_by_kind[kind] += 1;
    }
    assert!(n_by_kind.iter().all(|&n| n >= 5), "{n_by_kind:?}");
}

/// A win in three or four plies that is claimed is one: after the move, the
/// opponent is lost by brute force.
#[test]
fn longer_wins_are_true() {
    let game = rules("2p");
    let mut n_checked = 0;
    for position in late_positions(77, 600, 1_200) {
        let report = search(&game, &position, nodes(3_000), 1);
        let (Some(Wdl::Win), Some(plies @ 3..)) = (report.evaluation.outcome, report.evaluation.plies_to_end) else {
            continue;
        };
        let next = game.play(&position, &report.lines[0].moves[0]);
        if game.count_moves(&next, "") > 2_500 {
            continue;
        }
        assert_eq!(truth(&game, &next), Truth::Loss(plies - 1), "{}", text(&game, &position));
        n_checked += 1;
    }
    assert!(n_checked >= 10, "only {n_checked} were checked");
}

/// Positions of every number of players in which somebody is about to win the
/// round, 300 in all, found by the list of legal moves alone. A win at hand is
/// taken, and a loss that can be stopped is.
#[test]
fn wins_are_taken_and_losses_stopped() {
    for game in all_rules() {
        let mut rng = Rng::new(11);
        let (mut n_wins, mut n_stopped) = (0, 0);
        while n_wins < 60 || n_stopped < 40 {
            let position = scattered(&game, &mut rng);
            let nobody_has_three = (0..game.n_seats()).all(|seat| position.n_out(seat) < 3);
            if position.is_over() || !nobody_has_three || game.count_moves(&position, "") > 20_000 {
                continue;
            }
            let last = game.n_seats() - 1;
            if position.to_move() == last && can_finish(&game, &position) && n_wins < 60 {
                let next = game.play(&position, &search(&game, &position, nodes(3_000), 1).lines[0].moves[0]);
                assert!(next.is_over() && next.n_out(last) >= 3, "{}", text(&game, &position));
                n_wins += 1;
            }
            if position.to_move() + 1 == last && !can_finish(&game, &position) && n_stopped < 40 {
                let safe = |mv: &Move| !can_finish(&game, &game.play(&position, mv));
                let legal = moves(&game, &position);
                let some = legal.iter().step_by(1 + legal.len() / 100);
                let is_tight = some.clone().filter(|mv| safe(mv)).count() * 4 < some.count();
                if !is_tight || !legal.iter().any(safe) {
                    continue;
                }
                let chosen = search(&game, &position, nodes(3_000), 1).lines[0].moves[0];
                assert!(safe(&chosen), "{}: {chosen}", text(&game, &position));
                n_stopped += 1;
            }
        }
    }
}

/// Positions of games as they are played, to search.
fn sample(game: &Pentagame, seed: u64, n: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < n {
        let mut position = game.start();
        for _ in 0..rng.below(24) {
            if position.is_over() {
                break;
            }
            let mv = racing_move(game, &position, &mut rng);
            position = game.play(&position, &mv);
        }
        if !position.is_over() {
            found.push(position);
        }
    }
    found
}

/// Lines are different legal moves, ranked, playable to their end, and as many
/// as asked for; chances add up to one.
#[test]
fn lines_keep_their_laws() {
    for game in all_rules() {
        for position in sample(&game, 6, 12) {
            let context = text(&game, &position);
            let report = contract(&game).check_lines(&position, nodes(6_000), 5);
            assert_eq!(report.lines.len(), 5.min(game.count_moves(&position, "") as usize), "{context}");
            for line in &report.lines {
                let total: f64 = line.evaluation.scores.as_slice().iter().sum();
                assert!((total - 1.0).abs() < 0.01, "{context}: {:?}", line.evaluation.scores);
            }
        }
    }
}

/// More lines than there are moves worth a look are filled up from the list.
#[test]
fn many_lines_are_given() {
    for game in all_rules() {
        let report = search(&game, &game.start(), nodes(3_000), 400);
        assert_eq!(report.lines.len(), 400);
    }
}

/// Only the moves asked about are considered, each of them.
#[test]
fn root_moves_are_honoured() {
    for game in all_rules() {
        let mut rng = Rng::new(51);
        for position in sample(&game, 9, 5) {
            contract(&game).check_root_moves(&position, nodes(2_000), &mut rng);
        }
    }
}

/// Of very many moves asked about, nothing else is reported, the best of them is
/// found, and no claim rests on those left out.
#[test]
fn very_many_root_moves_are_honoured() {
    for game in all_rules() {
        let position = game.start();
        let mut root_moves = moves(&game, &position);
        let best = search(&game, &position, nodes(3_000), 1).lines[0].moves[0];
        root_moves.retain(|mv| *mv != best);
        assert!(root_moves.len() > 1_000);
        let request = Request { root_moves, n_lines: 4, ..Request::new(nodes(3_000)) };
        let report = contract(&game).ask(&position, &request, &NeverStop);
        assert_eq!(report.lines.len(), 4);
        assert!(report.lines.iter().all(|line| line.moves[0] != best));
    }
}

/// A win that is not among the moves asked about is not claimed.
#[test]
fn root_moves_limit_the_claims() {
    let game = rules("2p");
    let position = parse(&game, "*,*,C,D,E/*,*,a2b,D,E A1B,A2B,A3B,B1C,B2C a,b 2 -");
    assert_eq!(search(&game, &position, nodes(500), 1).evaluation.outcome, Some(Wdl::Win));
    let report = contract(&game).search_only(&position, nodes(500), &["d-D1E"]);
    assert_eq!(report.lines[0].moves[0].text(), "d-D1E");
    assert_ne!(report.evaluation.outcome, Some(Wdl::Win));
}

/// The same nodes give the same answer, in new and in used memory.
#[test]
fn answers_repeat() {
    for game in all_rules() {
        let mut used = game.context(Resources { memory_bytes: 4 << 20, threads: 1 }).unwrap();
        let request = Request { n_lines: 3, ..Request::new(nodes(3_000)) };
        for position in sample(&game, 4, 4) {
            contract(&game).check_repeats(&mut used, &position, &request, &[&request, &request]);
        }
    }
}

/// Nodes, depth and time are kept; one node or no time still name a move.
#[test]
fn limits_are_kept() {
    for game in all_rules() {
        let contract = contract(&game);
        for position in sample(&game, 12, 4) {
            for n in [1, 10, 1_000] {
                contract.check_nodes(&position, n);
            }
            contract.check_depth(&position, 2);
            for time in [Duration::ZERO, Duration::from_millis(30)] {
                contract.check_time(&position, time);
            }
        }
    }
}

/// Told to stop, a search does, at once if it must.
#[test]
fn stops_when_told() {
    for game in all_rules() {
        contract(&game).check_stop(&game.start(), &Request::new(Limits::default()));
        contract(&game).check_stop_at_once(&game.start());
    }
}

/// The caller is asked at least every 512 positions (a search makes more than
/// that in a millisecond).
#[test]
fn the_caller_is_asked_often() {
    struct Asked(AtomicU64);
    impl Control<Move> for Asked {
        fn should_stop(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed);
            false
        }
        fn report(&self, _: &Report<Move>) {}
    }
    for game in all_rules() {
        for position in sample(&game, 15, 6) {
            let asked = Asked(AtomicU64::new(0));
            let report = contract(&game).ask(&position, &Request::new(nodes(20_000)), &asked);
            let n_asked = asked.0.into_inner();
            assert!(n_asked > report.nodes / 512, "{n_asked} in {}: {}", report.nodes, text(&game, &position));
        }
    }
}

/// Reports come with growing depth and end with the answer.
#[test]
fn improvements_are_reported() {
    let game = rules("2p");
    let (heard, report) = contract(&game).check_reports(&game.start(), depth(3));
    assert_eq!(heard.len(), 3);
    assert!(heard.windows(2).all(|pair| pair[0].depth < pair[1].depth && pair[0].nodes < pair[1].nodes));
    assert_eq!(heard[2].lines, report.lines);
}

/// Two figures that walk to and fro never make a proof.
#[test]
fn circles_prove_nothing() {
    let game = rules("2p");
    let position = parse(&game, "A1B,B,C,D,E/A,B1C,C,D,E a,b,c,d,e - 1 -");
    let report = search(&game, &position, nodes(20_000), 1);
    assert_eq!(report.evaluation.certainty, Certainty::Estimate);
}

/// A game that is over has no lines and its result.
#[test]
fn finished_games_are_reported() {
    let game = rules("2p");
    let report = contract(&game).check_over(&parse(&game, "*,*,*,D,E/A,B,C,D,E a,b,c,d,e - 1 -"));
    assert_eq!(report.evaluation.outcome, Some(Wdl::Win));
}

/// Node counts, depths and values over fixed positions. `PENTAD_BLESS=1` writes
/// the file anew after a change of behaviour.
#[test]
fn signature_is_as_written() {
    let mut out = String::new();
    for game in all_rules() {
        for position in sample(&game, 100, 5) {
            let depth = if game.n_seats() == 2 { Some(4) } else { None };
            let limits = Limits { nodes: Some(20_000), depth, ..Limits::default() };
            let report = search(&game, &position, limits, 1);
            let scores = report.evaluation.scores;
            let (nodes, depth) = (report.nodes, report.depth);
            let mv = report.lines[0].moves[0];
            writeln!(out, "{}\n    nodes {nodes} depth {depth} {mv} {scores:.4?}", text(&game, &position)).unwrap();
        }
    }
    compare_or_bless("tests/signature.txt", &out);
}
