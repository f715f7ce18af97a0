//! The results of an isolated rule set equal those of the same library in this process.

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pentad_host::{CallError, Position, Ruleset};
use pentad_model::{Control, FaultKind, Limits, Report, Request};

use crate::calls::{CALLS, call};
use crate::{isolated, load, options, status};

/// The same library twice.
struct Pair {
    here: Arc<Ruleset>,
    there: Arc<Ruleset>,
}

impl Pair {
    fn load(path: &Path) -> Pair {
        let here = Ruleset::load(path, None).unwrap_or_else(|error| panic!("{error}"));
        Pair { here, there: load(path) }
    }

    /// Calls both, and compares the results.
    #[track_caller]
    fn ask<T: PartialEq + Debug>(&self, question: impl Fn(&Arc<Ruleset>, &Position) -> T, at: &At) -> T {
        let here = question(&self.here, &at.here);
        let there = question(&self.there, &at.there);
        assert_eq!(here, there, "{} at {:?}", self.here.info().id, at.here);
        here
    }
}

/// A position of both.
#[derive(Clone)]
struct At {
    here: Position,
    there: Position,
}

fn bundled(name: &str) -> PathBuf {
    let dir = pentad_host::bundled_dir().expect("a running program has a path");
    dir.join(format!("libruleset_{name}{}", std::env::consts::DLL_SUFFIX))
}

fn moves_of(rules: &Ruleset, variant: usize, position: &Position, prefix: &str) -> Result<Vec<String>, CallError> {
    let mut moves = Vec::new();
    let flow = rules.legal_moves(variant, position, prefix, &mut |mv| {
        moves.push(mv.to_owned());
        ControlFlow::Continue(())
    })?;
    assert_eq!(flow, ControlFlow::Continue(()));
    Ok(moves)
}

#[derive(Default)]
struct Collect(Mutex<Vec<Report<String>>>);

impl Control<String> for Collect {
    fn should_stop(&self) -> bool {
        false
    }

    fn report(&self, report: &Report<String>) {
        self.0.lock().unwrap().push(report.clone());
    }
}

/// A search with one thread and a node limit finds the same result with the same nodes.
fn searched(
    rules: &Arc<Ruleset>,
    variant: usize,
    position: &Position,
    by_rules: bool,
) -> impl PartialEq + Debug + use<> {
    let limits = Limits { nodes: Some(400), ..Limits::default() };
    let request = Request { n_lines: 2, ..Request::new(limits) };
    let control = Collect::default();
    let last = if by_rules {
        rules.fallback_search(variant, position, &request, &control)
    } else {
        rules.searcher(variant, 16 << 20, 1).and_then(|mut it| it.run(position, &request, &control))
    };
    let explained = last.as_ref().map(|report| rules.explain(variant, position, report, &[0]));
    (format!("{explained:?}"), last, control.0.into_inner().unwrap())
}

/// Every call about one position.
fn compare(pair: &Pair, variant: usize, at: &At, is_searched: bool) -> Vec<String> {
    let text = pair.ask(|rules, position| rules.format(variant, position), at).unwrap();
    pair.ask(|rules, _| rules.parse(variant, &text), at).unwrap();
    pair.ask(|rules, position| rules.to_move(variant, position), at).unwrap();
    pair.ask(|rules, position| rules.count_moves(variant, position, ""), at).unwrap();
    pair.ask(|rules, position| rules.outcome(variant, position), at).unwrap();
    pair.ask(|rules, position| rules.scores(variant, position), at).unwrap();
    pair.ask(|rules, position| rules.pieces(variant, position), at).unwrap_or_default();
    pair.ask(|rules, position| rules.threats(variant, position, &|| false), at).unwrap();
    pair.ask(|rules, position| rules.turn_of(variant, position, 1), at).unwrap();
    drop(pair.ask(|rules, position| rules.evaluate(variant, position), at));
    let (_, symmetry) = pair.ask(|rules, position| rules.canonical(variant, position), at).unwrap();
    pair.ask(|rules, _| rules.inverse_symmetry(variant, symmetry), at).unwrap();
    pair.ask(|rules, position| rules.apply_symmetry(variant, symmetry, position), at).unwrap();
    pair.ask(|rules, _| rules.apply_symmetry_to_seat(variant, symmetry, 0), at).unwrap();
    let moves = pair.ask(|rules, position| moves_of(rules, variant, position, ""), at).unwrap();
    let few = &moves[..moves.len().min(20)];
    for mv in few {
        pair.ask(|rules, position| rules.play(variant, position, mv), at).unwrap();
        pair.ask(|rules, position| rules.apply_symmetry_to_move(variant, symmetry, position, mv), at).unwrap();
        pair.ask(|rules, position| moves_of(rules, variant, position, &mv[..1]), at).unwrap();
    }
    pair.ask(|rules, position| rules.successors(variant, position, few), at).unwrap();
    pair.ask(|rules, position| rules.canonical_successors(variant, position, few), at).unwrap();
    for wrong in ["", "x", "a1a1a1", "1 2", "ä", "-", &"y".repeat(200), "zero\0byte"] {
        pair.ask(|rules, position| rules.play(variant, position, wrong), at).unwrap_err();
        pair.ask(|rules, _| rules.parse(variant, wrong), at).unwrap_err();
        let line = [few.first().cloned().unwrap_or_default(), wrong.to_owned()];
        pair.ask(|rules, position| rules.play_moves(variant, position, &line), at).unwrap_err();
    }
    if is_searched && !moves.is_empty() {
        pair.ask(|rules, position| searched(rules, variant, position, false), at);
        pair.ask(|rules, position| searched(rules, variant, position, true), at);
    }
    moves
}

/// Walks through a game of each variant with moves chosen by a fixed rule.
fn walk(path: &Path) {
    let pair = Pair::load(path);
    let described = |rules: &Ruleset| {
        (rules.info().clone(), rules.variants().to_vec(), rules.reason_codes().to_vec(), rules.last_fault())
    };
    assert_eq!(described(&pair.here), described(&pair.there));
    for variant in 0..pair.here.variants().len() {
        let start = |rules: &Ruleset| rules.start(variant).unwrap();
        let mut at = At { here: start(&pair.here), there: start(&pair.there) };
        let mut line: Vec<String> = Vec::new();
        for ply in 0..24 {
            let moves = compare(&pair, variant, &at, ply % 8 == 3);
            let Some(mv) = moves.get((ply * 7919 + 13) % moves.len().max(1)) else { break };
            line.push(mv.clone());
            let next = |rules: &Ruleset, position: &Position| rules.play_known(variant, position, mv).unwrap();
            at = At { here: next(&pair.here, &at.here), there: next(&pair.there, &at.there) };
        }
        let begin = At { here: start(&pair.here), there: start(&pair.there) };
        let reached = pair.ask(|rules, position| rules.play_moves(variant, position, &line), &begin);
        assert_eq!(reached.as_ref(), Ok(&at.here));
        let last = pair.here.variants()[variant].n_symmetries as u32 - 1;
        pair.ask(|rules, position| rules.apply_symmetry_to_line(variant, last, position, &line), &begin).unwrap();
    }
    assert_eq!(pair.there.faults(), 0, "{:?}", pair.there.last_fault());
    assert_eq!(status(&pair.there).restarts, 0);
}

#[test]
fn pentago() {
    walk(&bundled("pentago"));
}

#[test]
fn pentago_xl() {
    walk(&bundled("pentago_xl"));
}

#[test]
fn pentagame() {
    walk(&bundled("pentagame"));
}

#[test]
fn pentaflip() {
    walk(&bundled("pentaflip"));
}

/// In C, with rules only.
#[test]
fn tictactoe() {
    walk(&pentad_test_plugins::build("tictactoe"));
}

/// A misbehaving library behaves alike in a worker: the same files are refused with the
/// same message, the same calls fail with the same kind of fault, and the worker
/// survives.
#[test]
fn misbehaviour() {
    // Some of their calls do not return, or are legal but wrong.
    let left_out = ["search_hangs", "search_ignores_stop", "search_endless", "held", "nonconforming", "ignores_stop"];
    let mut n_faults = 0;
    for name in pentad_test_plugins::misbehaving() {
        let path = pentad_test_plugins::build(&name);
        let here = Ruleset::load(&path, None);
        let there = Ruleset::load_isolated(&path, None, &options());
        let (here, there) = match (here, there) {
            (Ok(here), Ok(there)) => (here, there),
            (Err(here), Err(there)) => {
                let (here, there) = (here.to_string(), there.to_string());
                let detail = here.split_once(": ").expect("it begins with the path").1;
                assert!(there.contains(detail), "{there}\n{here}");
                continue;
            }
            (here, there) => panic!("{name}: {here:?}\n{there:?}"),
        };
        for variant in (0..here.variants().len()).filter(|_| !left_out.contains(&name.as_str())) {
            for name_of_call in CALLS {
                // Some return what `call` does not expect: then both do.
                let attempt = |rules| catch_unwind(AssertUnwindSafe(|| call(rules, variant, name_of_call))).ok();
                let result = |rules| match attempt(rules) {
                    Some(Err(CallError::Fault(fault))) => Some(Err(CallError::Fault(pentad_host::Fault {
                        // An address may be part of it.
                        detail: fault.detail.split("0x").next().unwrap_or_default().to_owned(),
                        ..fault
                    }))),
                    other => other,
                };
                let (here, there) = (result(&here), result(&there));
                assert_eq!(here, there, "{name}, variant {variant}, {name_of_call}");
                n_faults += usize::from(matches!(here, Some(Err(CallError::Fault(_)))));
            }
        }
        assert_eq!(status(&there).restarts, 0, "{name}: {:?}", there.last_fault());
    }
    assert!(n_faults > 100, "{n_faults} faults");
}

/// A panic is caught in the worker as it is here.
#[test]
fn panics() {
    let ruleset = load(&pentad_test_plugins::panics());
    let pid = status(&ruleset).pid;
    for variant in 0..ruleset.variants().len() {
        for name in CALLS {
            if let Err(CallError::Fault(fault)) = call(&ruleset, variant, name) {
                assert_eq!(fault.kind, FaultKind::Panic, "{fault}");
            }
        }
    }
    assert!(ruleset.faults() >= 10);
    assert_eq!(status(&ruleset).pid, pid);
}

/// A long list comes in parts, and ends when the visitor stops.
#[test]
fn long_lists() {
    let ruleset = load(&bundled("pentagame"));
    let start = ruleset.start(0).unwrap();
    let all = moves_of(&ruleset, 0, &start, "").unwrap();
    assert_eq!(all.len() as u64, ruleset.count_moves(0, &start, "").unwrap());
    for n_wanted in [1, 2, all.len() / 2, all.len() - 1, all.len()] {
        let mut seen = Vec::new();
        let flow = ruleset.legal_moves(0, &start, "", &mut |mv| {
            seen.push(mv.to_owned());
            if seen.len() == n_wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((flow, seen.as_slice()), (Ok(ControlFlow::Break(())), &all[..n_wanted]));
    }
    println!("{} moves", all.len());
}

/// The visitor may call the rule set, and its panic reaches only the caller.
#[test]
fn visitors_may_call_and_panic() {
    let ruleset = isolated("tictactoe");
    let start = ruleset.start(0).unwrap();
    let mut reached = Vec::new();
    let flow = ruleset.legal_moves(0, &start, "", &mut |mv| {
        reached.push(ruleset.play_known(0, &start, mv).unwrap());
        ControlFlow::Continue(())
    });
    assert_eq!((flow, reached.len()), (Ok(ControlFlow::Continue(())), 9));
    let panicking = std::panic::AssertUnwindSafe(|| ruleset.legal_moves(0, &start, "", &mut |_| panic!("on purpose")));
    assert!(std::panic::catch_unwind(panicking).is_err());
    assert_eq!(ruleset.count_moves(0, &start, ""), Ok(9));
    assert_eq!(status(&ruleset).restarts, 0);
}
