//! Answers that outlive an engine, in a real store.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use pentad_engine::{
    AnswerStore, Caller, Engine, HintQuestion, LocalLookup, PositionSpec, QuestionLimits, ReviewQuestion, ReviewUpdate,
    StoreKey, StoreLookup, StoredAnswer,
};
use pentad_host::Ruleset;
use pentad_model::Certainty;
use pentad_store::{FileConfig, FileStore, Layer, StoreFile};

use crate::support::{self, Notes, config, question, spec};

/// White wins with `e1`.
const WON: &str = "wwww2/6/bbbb2/6/6/6 w";
/// The same position, mirrored.
const WON_MIRRORED: &str = "2wwww/6/2bbbb/6/6/6 w";

struct Served {
    engine: Arc<Engine>,
    notes: Arc<Notes>,
    store: Arc<FileStore>,
}

/// An engine with this rule set and a store in this file.
fn serve(path: &Path, ruleset: &Path) -> Served {
    // However slow the machine is.
    let minute = Duration::from_mins(1);
    let file = FileConfig { open_wait: minute, read_timeout: minute, ..FileConfig::new(path.to_owned()) };
    let store = Arc::new(FileStore::open(file));
    let notes = Arc::new(Notes::default());
    let rulesets = vec![Ruleset::load(ruleset, None).expect("the plugin loads")];
    let answers: Arc<dyn AnswerStore> = store.clone();
    let engine = Engine::with_store(config(), rulesets, notes.clone(), Some(answers));
    Served { engine, notes, store }
}

impl Served {
    fn n_searches(&self) -> usize {
        self.notes.searches.lock().unwrap().len()
    }

    /// Ends the engine, with everything written.
    async fn end(self) {
        assert!(self.store.flush().await.expect("the writer lives"), "{:?}", self.store.status());
        self.store.close_blocking(Duration::from_mins(1));
    }
}

fn file() -> PathBuf {
    pentad_test_plugins::scratch_dir().join("answers")
}

/// The next engine answers with a stored proof without a search, in every orientation, with the same moves,
/// lines, equivalents and reasons.
#[tokio::test]
async fn proofs_outlive_the_engine() {
    let path = file();
    let pentago = support::pentago();
    let first = serve(&path, &pentago);
    let found = first.engine.hint(&question("pentago", WON), Caller::now()).await.expect("a hint");
    let mirrored = first.engine.hint(&question("pentago", WON_MIRRORED), Caller::now()).await.expect("a hint");
    assert_eq!((found.cached, mirrored.cached, first.n_searches()), (false, true, 1));
    assert_eq!(found.evaluation.certainty, Certainty::Proven);
    first.end().await;

    for (position, before) in [(WON, &found), (WON_MIRRORED, &mirrored)] {
        let next = serve(&path, &pentago);
        let again = next.engine.hint(&question("pentago", position), Caller::now()).await.expect("a hint");
        assert!(again.cached);
        assert_eq!(next.n_searches(), 0);
        assert_eq!(again.hints, before.hints);
        assert_eq!((again.evaluation, again.depth, again.nodes), (before.evaluation, before.depth, before.nodes));
        assert_eq!((again.stop, again.key), (before.stop, before.key));
        next.end().await;
    }
}

/// The next engine repeats the review of a game without a search: every judgement, and the summary.
#[tokio::test]
async fn reviews_outlive_the_engine() {
    let (path, pentago) = (file(), support::pentago());
    let moves = ["c3-1l", "e5-4r", "b2-1r", "d3-2l", "d4-1l", "a6-3r"].map(str::to_owned).to_vec();
    let game = PositionSpec { moves, ..spec("pentago", "") };
    // However long that takes.
    let limits = QuestionLimits { nodes: Some(3000), time: Some(Duration::from_mins(1)), depth: None };
    let question = ReviewQuestion { spec: game, limits, ..ReviewQuestion::default() };
    let review = async |served: &Served| {
        let mut review = served.engine.review(&question, Caller::now()).await.expect("the game is legal");
        let mut moves = Vec::new();
        loop {
            match review.next().await.expect("a summary ends it").expect("no failure") {
                ReviewUpdate::Move(reviewed) => moves.push(*reviewed),
                ReviewUpdate::Progress(_) => {}
                ReviewUpdate::Summary(summary) => return (moves, summary),
            }
        }
    };
    let first = serve(&path, &pentago);
    let reviewed = review(&first).await;
    assert!(first.n_searches() > 6, "{} searches", first.n_searches());
    first.end().await;
    let next = serve(&path, &pentago);
    let again = review(&next).await;
    assert_eq!((again, next.n_searches()), (reviewed, 0));
    next.end().await;
}

/// A question that a stored answer does not satisfy is searched, and its answer replaces the stored one.
#[tokio::test]
async fn the_better_answer_replaces_the_stored_one() {
    let path = file();
    let pentago = support::pentago();
    let shallow = |depth| HintQuestion {
        limits: QuestionLimits { depth: Some(depth), time: Some(Duration::from_mins(1)), ..QuestionLimits::default() },
        ..HintQuestion::new(PositionSpec { variant: "finnish".to_owned(), ..spec("pentago", "") })
    };
    let config = pentad_engine::EngineConfig { stored_estimate_min: Duration::ZERO, ..config() };
    let serve = || {
        let served = serve(&path, &pentago);
        served.engine.set_config(config.clone());
        served
    };
    for (depth, is_cached) in [(1, false), (2, false), (1, true), (2, true)] {
        let served = serve();
        let hints = served.engine.hint(&shallow(depth), Caller::now()).await.expect("a hint");
        assert_eq!(hints.cached, is_cached, "depth {depth}");
        assert!(hints.depth >= depth);
        served.end().await;
    }
}

/// Answers of another version of the rules, or of different rules with the same version, are not used.
#[tokio::test]
async fn other_rules_have_other_answers() {
    let path = file();
    let rules = pentad_test_plugins::build("tictactoe");
    let ask = async |rules: &Path| {
        let served = serve(&path, rules);
        let hints = served.engine.hint(&question("tictactoe", ""), Caller::now()).await.expect("a hint");
        served.end().await;
        hints.cached
    };
    assert!(!ask(&rules).await);
    assert!(ask(&rules).await, "the same rules");
    assert!(
        ask(&changed(&rules, b"Three in a row on a board", b"THREE in a row on a board")).await,
        "another text, the same rules"
    );
    assert!(!ask(&changed(&rules, b"1.0.0", b"1.0.1")).await, "another version");
    assert!(ask(&rules).await, "the old version still has its own");
}

/// The library with some bytes changed.
fn changed(library: &Path, from: &[u8], to: &[u8]) -> PathBuf {
    let mut bytes = std::fs::read(library).expect("a library");
    let at = bytes.windows(from.len()).position(|window| window == from).expect("the bytes are in it");
    bytes[at..at + to.len()].copy_from_slice(to);
    pentad_test_plugins::file("libchanged.so", &bytes)
}

/// A forged answer is checked against the rules: an illegal move costs a search and the stored answer.
#[tokio::test]
async fn illegal_moves_in_a_store_are_refused() {
    let path = file();
    let pentago = support::pentago();
    let first = serve(&path, &pentago);
    let found = first.engine.hint(&question("pentago", WON), Caller::now()).await.expect("a hint");
    first.end().await;
    let mut lines = Vec::new();
    let exported = StoreFile::open(&path).unwrap().export(|line| {
        lines.push(line.replace("\"e1\"", "\"a1\""));
        Ok(())
    });
    assert_eq!(exported.unwrap(), 1);
    let forged = file();
    StoreFile::create(&forged).unwrap().import(lines.into_iter().map(Ok), false, |_| {}).unwrap();

    let next = serve(&forged, &pentago);
    let again = next.engine.hint(&question("pentago", WON), Caller::now()).await.expect("a hint");
    assert_eq!((again.cached, again.hints), (false, found.hints));
    assert_eq!((next.n_searches(), next.store.status().reads.bad), (1, 1));
    next.end().await;
    let after = serve(&forged, &pentago);
    assert!(after.engine.hint(&question("pentago", WON), Caller::now()).await.expect("a hint").cached);
    after.end().await;
}

/// Symmetric positions have equal keys, other positions do not.
#[tokio::test]
async fn keys_are_equal_for_symmetric_positions() {
    let (engine, _) = support::engine(config(), &[]);
    let key = async |position: &str| {
        let description = engine.describe(&spec("pentago", position), Caller::now()).await.expect("a position");
        description.key.to_string()
    };
    assert_eq!(key(WON).await, key(WON_MIRRORED).await);
    assert_ne!(key(WON).await, key("wwww2/6/bbbb2/6/6/6 b").await);
    assert_eq!(key(WON).await.len(), 32);
    let hints = engine.hint(&question("pentago", WON), Caller::now()).await.expect("a hint");
    assert_eq!(hints.key.to_string(), key(WON).await);
}

/// A store whose readers wait while it is held.
#[derive(Clone, Debug, Default)]
struct HeldStore(Arc<(Mutex<HeldState>, Condvar)>);

#[derive(Debug, Default)]
struct HeldState {
    is_held: bool,
    n_waiting: usize,
}

impl HeldStore {
    fn set_held(&self, is_held: bool) {
        let (state, changed) = &*self.0;
        state.lock().unwrap().is_held = is_held;
        changed.notify_all();
    }

    fn n_waiting(&self) -> usize {
        self.0.0.lock().unwrap().n_waiting
    }
}

impl AnswerStore for HeldStore {
    fn get(&self, _key: &StoreKey) -> StoreLookup {
        Box::pin(std::future::ready(None))
    }

    fn get_here(&self, _key: &StoreKey) -> LocalLookup {
        let (state, changed) = &*self.0;
        let mut held = state.lock().unwrap();
        held.n_waiting += 1;
        held = changed.wait_while(held, |state| state.is_held).unwrap();
        held.n_waiting -= 1;
        LocalLookup::Nothing
    }

    fn offer(&self, _key: &StoreKey, _answer: &StoredAnswer) {}

    fn refuse(&self, _key: &StoreKey, _reason: &'static str) {}
}

/// A disk that holds up the reading thread costs a search, but no answer, and is not charged to the rule set.
#[tokio::test]
async fn a_held_up_reader_costs_no_answer() {
    let (store, notes) = (HeldStore::default(), Arc::new(Notes::default()));
    let rulesets = vec![Ruleset::load(&support::pentago(), None).expect("the plugin loads")];
    let answers: Arc<dyn AnswerStore> = Arc::new(store.clone());
    let engine = Engine::with_store(config(), rulesets, notes.clone(), Some(answers));
    let ask = async |position| engine.hint(&question("pentago", position), Caller::now()).await.expect("a hint");
    // The first question takes the fingerprint of the rules.
    ask("6/wwww2/6/bbbb2/6/6 w").await;

    store.set_held(true);
    let hints = ask(WON).await;
    assert_eq!((hints.hints[0].mv.as_str(), hints.cached, store.n_waiting()), ("e1", false, 1));
    let value = engine.evaluate(&spec("pentago", WON_MIRRORED), QuestionLimits::default(), Caller::now()).await;
    assert_eq!(value.expect("a value").evaluation.certainty, Certainty::Proven, "from memory, without the store");
    assert_eq!(store.n_waiting(), 1);
    assert!(notes.faults.lock().unwrap().is_empty() && engine.is_up("pentago"));

    store.set_held(false);
    support::eventually("the thread returns", || store.n_waiting() == 0).await;
    assert!(!ask("1wwww1/6/bbbb2/6/6/6 w").await.cached);
}

/// Without a cache in memory an answer is read from the file each time, whether or not it was checked before,
/// and answers only its own question.
#[tokio::test]
async fn the_file_answers_again_and_again() {
    let (path, pentago) = (file(), support::pentago());
    let first = serve(&path, &pentago);
    let found = first.engine.hint(&question("pentago", WON), Caller::now()).await.expect("a hint");
    first.end().await;
    let no_memory = pentad_engine::EngineConfig { cache_bytes_max: 0, ..config() };
    let minute = Duration::from_mins(1);
    let store =
        Arc::new(FileStore::open(FileConfig { open_wait: minute, read_timeout: minute, ..FileConfig::new(path) }));
    let rulesets = vec![Ruleset::load(&pentago, None).expect("the plugin loads")];
    let (answers, notes): (Arc<dyn AnswerStore>, _) = (store.clone(), Arc::new(Notes::default()));
    let engine = Engine::with_store(no_memory, rulesets, notes.clone(), Some(answers));
    for _ in 0..3 {
        let again = engine.hint(&question("pentago", WON), Caller::now()).await.expect("a hint");
        assert_eq!((again.cached, &again.hints), (true, &found.hints));
    }
    // The same question restricted to other moves has another answer.
    let limits = QuestionLimits { depth: Some(1), ..question("pentago", WON).limits };
    let restricted = HintQuestion { avoid_moves: vec!["e1".to_owned()], limits, ..question("pentago", WON) };
    let other = engine.hint(&restricted, Caller::now()).await.expect("a hint");
    assert!(!other.cached && other.hints[0].mv != "e1");
    assert_eq!(notes.searches.lock().unwrap().len(), 1);
}

/// A store with one answer, which the test may change.
#[derive(Clone, Debug, Default)]
struct OpenStore(Arc<Mutex<(Option<StoredAnswer>, usize)>>);

impl OpenStore {
    fn change(&self, change: impl FnOnce(&mut StoredAnswer)) {
        change(self.0.lock().unwrap().0.as_mut().expect("an answer was offered"));
    }

    fn n_refused(&self) -> usize {
        self.0.lock().unwrap().1
    }
}

impl AnswerStore for OpenStore {
    fn get(&self, _key: &StoreKey) -> StoreLookup {
        Box::pin(std::future::ready(self.0.lock().unwrap().0.clone()))
    }

    fn get_here(&self, _key: &StoreKey) -> LocalLookup {
        self.0.lock().unwrap().0.clone().map_or(LocalLookup::Nothing, |answer| LocalLookup::Found(Box::new(answer)))
    }

    fn offer(&self, _key: &StoreKey, answer: &StoredAnswer) {
        self.0.lock().unwrap().0 = Some(answer.clone());
    }

    fn refuse(&self, _key: &StoreKey, _reason: &'static str) {
        let mut state = self.0.lock().unwrap();
        *state = (None, state.1 + 1);
    }
}

/// A checked answer does not vouch for another that differs in anything that the rules decide.
#[tokio::test]
async fn a_changed_answer_is_checked_again() {
    let (store, notes) = (OpenStore::default(), Arc::new(Notes::default()));
    let rulesets = vec![Ruleset::load(&support::pentago(), None).expect("the plugin loads")];
    let answers: Arc<dyn AnswerStore> = Arc::new(store.clone());
    let no_memory = pentad_engine::EngineConfig { cache_bytes_max: 0, ..config() };
    let engine = Engine::with_store(no_memory, rulesets, notes.clone(), Some(answers));
    // White wins with the next move but one, whatever black does.
    let position = "6/1www2/6/3b2/bb4/6 w";
    let ask = async || engine.hint(&question("pentago", position), Caller::now()).await.expect("a hint");
    let found = ask().await;
    assert!(found.evaluation.certainty == Certainty::Proven && found.hints[0].line.len() > 1, "{found:?}");
    type Change = fn(&mut StoredAnswer);
    let changes: [(&str, Change); 4] = [
        ("an illegal move", |answer| answer.lines[0].moves[0] = "b2-1l".to_owned()),
        ("an illegal reply", |answer| answer.lines[0].moves[1] = "b2-1l".to_owned()),
        ("an illegal equivalent", |answer| answer.lines[0].equivalents.push("b2-1l".to_owned())),
        ("a seat too many", |answer| answer.lines[0].evaluation.scores = pentad_model::Scores::even(3)),
    ];
    for (idx, (what, change)) in changes.into_iter().enumerate() {
        let again = ask().await;
        assert_eq!((again.cached, &again.hints, store.n_refused()), (true, &found.hints, idx), "before {what}");
        store.change(change);
        let searched = ask().await;
        assert_eq!((searched.cached, &searched.hints, store.n_refused()), (false, &found.hints, idx + 1), "{what}");
    }
    assert_eq!(notes.searches.lock().unwrap().len(), 5);
}
