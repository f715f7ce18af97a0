//! Checks that reviews are correct.
//!
//! `cargo bench --bench review` (`-- 20` for twenty games each, six by default) lets the
//! levels 1, 4, 7 and 10 of every bundled game play against themselves, reviews the games
//! and prints the mean accuracy of each level, which should rise. Then it reviews Pentago
//! games (`-- 6 200` for two hundred, forty by default) and compares every label with the
//! exact values of the positions before and after the move, where book or solver knows
//! them: no label may contradict them.

use std::collections::BTreeMap;
use std::sync::Arc;

use pentad_engine::{
    Caller, Class, Engine, EngineConfig, EngineError, FaultContext, HintQuestion, MoveLabel, Observer, PositionSpec,
    QuestionLimits, Review, ReviewQuestion, ReviewSummary, ReviewUpdate, ReviewedMove, StopReason,
};
use pentad_host::Fault;
use pentad_model::{Certainty, Evaluation, Source};

const LEVELS: [u8; 4] = [1, 4, 7, 10];
/// Node limit of each move played and reviewed.
const NODES: u64 = 40_000;
/// Node limit where labels are compared with exact values, and of these values: labels must
/// reflect what a search with the review's limits finds.
const EXACT_NODES: u64 = 200_000;
/// Game and variant; the last has as many sides as the first.
const GAMES: [(&str, &str); 4] = [("pentago", ""), ("pentaflip", ""), ("pentago-xl", "ffa2"), ("pentagame", "2p")];
const GAME_LEN_MAX: usize = 400;

struct Silent;

impl Observer for Silent {
    fn search_finished(&self, _: &str, _: std::time::Duration, _: u64, _: StopReason) {}
    fn evaluation_given(&self, _: &str, _: &Evaluation) {}
    fn cache_looked_up(&self, _: &str, _: pentad_engine::CacheResult) {}
    fn search_cancelled(&self, _: &str, _: std::time::Duration) {}
    fn job_dequeued(&self, _: Class, _: std::time::Duration) {}
    fn ruleset_faulted(&self, game: &str, fault: &Fault, _: FaultContext<'_>) {
        panic!("{game}: {fault:?}");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` only checks that it starts.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let mut numbers = arguments.iter().filter_map(|argument| argument.parse::<u64>().ok());
    let (n_games, n_exact) = (numbers.next().unwrap_or(6), numbers.next().unwrap_or(40));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let loaded = pentad_host::load_bundled(None).expect("the bundled rule sets load");
        let engine = Engine::new(EngineConfig::default(), loaded.rulesets, Arc::new(Silent));
        println!("mean accuracy of {n_games} games of each level against itself (both seats)");
        println!("{:12}{:>10}{:>10}{:>10}{:>10}", "", "level 1", "level 4", "level 7", "level 10");
        for (game, variant) in GAMES {
            let mut row = format!("{game:12}");
            for level in LEVELS {
                let accuracy = mean_accuracy(&engine, game, variant, level, n_games).await;
                row += &format!("{accuracy:>10.1}");
            }
            println!("{row}");
        }
        exact_labels(&engine, n_exact).await;
    });
}

async fn mean_accuracy(engine: &Arc<Engine>, game: &str, variant: &str, level: u8, n_games: u64) -> f64 {
    let mut accuracies = Vec::new();
    for seed in 0..n_games {
        let spec = play(engine, game, variant, level, seed).await;
        let (_, summary) = review(engine, spec, NODES).await;
        accuracies.extend(summary.seats.iter().filter_map(|seat| seat.accuracy()));
    }
    accuracies.iter().sum::<f64>() / accuracies.len().max(1) as f64
}

/// Plays a game of a level against itself; the first two moves are those of level 1, so that
/// full strength varies, too.
async fn play(engine: &Arc<Engine>, game: &str, variant: &str, level: u8, seed: u64) -> PositionSpec {
    let mut spec = PositionSpec { game: game.to_owned(), variant: variant.to_owned(), ..PositionSpec::default() };
    while spec.moves.len() < GAME_LEN_MAX {
        let level = if spec.moves.len() < 2 { 1 } else { level };
        let limits = QuestionLimits { nodes: Some(NODES), ..QuestionLimits::default() };
        let seed = Some(seed * 1000 + spec.moves.len() as u64);
        let question = HintQuestion { level, seed, limits, ..HintQuestion::new(spec.clone()) };
        match engine.hint(&question, Caller::now()).await {
            Ok(hints) => spec.moves.push(hints.hints[0].mv.clone()),
            Err(EngineError::GameOver { .. }) => break,
            Err(error) => panic!("{error}"),
        }
    }
    spec
}

async fn review(engine: &Arc<Engine>, spec: PositionSpec, nodes: u64) -> (Vec<ReviewedMove>, ReviewSummary) {
    let limits = QuestionLimits { nodes: Some(nodes), ..QuestionLimits::default() };
    let question = ReviewQuestion { spec, limits, ..ReviewQuestion::default() };
    let mut review: Review = engine.review(&question, Caller::now()).await.expect("the game is legal");
    let mut moves = Vec::new();
    loop {
        match review.next().await.expect("a summary ends it").expect("no failure") {
            ReviewUpdate::Move(reviewed) => moves.push(*reviewed),
            ReviewUpdate::Progress(_) => {}
            ReviewUpdate::Summary(summary) => return (moves, summary),
        }
    }
}

/// Reviews games and compares the labels with exact values.
async fn exact_labels(engine: &Arc<Engine>, n_games: u64) {
    let (mut n_known, mut n_labels) = (0, BTreeMap::<MoveLabel, u32>::new());
    for seed in 0..n_games {
        if seed > 0 && seed % 20 == 0 {
            println!("  {seed} of {n_games} games, {n_known} moves with exact values");
        }
        let level = [1, 3, 5, 7][(seed % 4) as usize];
        let spec = play(engine, "pentago", "", level, 1_000_000 + seed).await;
        let (moves, _) = review(engine, spec.clone(), EXACT_NODES).await;
        for reviewed in &moves {
            let at = |n_moves: usize| PositionSpec { moves: spec.moves[..n_moves].to_vec(), ..spec.clone() };
            let before = exact_value(engine, &at(reviewed.move_idx), reviewed.seat).await;
            let after = exact_value(engine, &at(reviewed.move_idx + 1), reviewed.seat).await;
            let (Some(before), Some(after)) = (before, after) else { continue };
            n_known += 1;
            let label = reviewed.label.unwrap_or_else(|| panic!("exact values have no noise: {reviewed:#?}"));
            *n_labels.entry(label).or_default() += 1;
            assert!(
                is_true(label, before, after),
                "{label:?} of a move from {before} to {after}: {spec:?} {reviewed:#?}"
            );
        }
    }
    let counts: Vec<String> = n_labels.iter().map(|(label, count)| format!("{} {count}", label.as_str())).collect();
    println!(
        "{n_games} Pentago games: {n_known} moves with exact values, no label contradicts them ({})",
        counts.join(", ")
    );
}

/// Returns the score of a seat, where book, solver or rules know it.
async fn exact_value(engine: &Arc<Engine>, spec: &PositionSpec, seat: usize) -> Option<f64> {
    let limits = QuestionLimits { nodes: Some(EXACT_NODES), ..QuestionLimits::default() };
    let value = engine.evaluate(spec, limits, Caller::now()).await.expect("the game is legal").evaluation;
    let is_exact = matches!(value.source, Source::Book | Source::Solver | Source::Terminal);
    (value.certainty == Certainty::Proven && is_exact).then(|| value.scores[seat])
}

/// Whether a label may be given to a move that leads from one exact score to another.
fn is_true(label: MoveLabel, before: f64, after: f64) -> bool {
    match label {
        MoveLabel::Forced => before == after,
        MoveLabel::LostAnyway => before == 0.0 && after == 0.0,
        MoveLabel::Best | MoveLabel::Good | MoveLabel::OnlyMove => before == after && before > 0.0,
        MoveLabel::SlowerWin => before == 1.0 && after == 1.0,
        MoveLabel::MissedWin => before == 1.0 && after == 0.5,
        MoveLabel::Blunder => before > after && after == 0.0,
        MoveLabel::Inaccuracy | MoveLabel::Mistake => false,
    }
}
