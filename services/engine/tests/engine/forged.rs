//! Forged answers in stores: none of them comes out as a proof.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pentad_engine::{
    AnswerStore, Caller, Engine, EngineConfig, ExploreQuestion, Explored, Hints, LocalLookup, PositionKey, StopReason,
    StoreExplore, StoreKey, StoreLookup, StoredAnswer,
};
use pentad_host::Ruleset;
use pentad_model::{Certainty, Evaluation, Scores, Source, Wdl};
use pentad_store::{FileConfig, FileStore, Layer, SharedAddress, SharedConfig, SharedSecret, SharedStore, StoreFile};

use crate::fake_redis::FakeRedis;
use crate::support::{self, Notes, config, question};

/// White wins with `e1`.
const WON: &str = "wwww2/6/bbbb2/6/6/6 w";
/// White wins with the next move but one, whatever black does.
const WON_IN_3: &str = "6/1www2/6/3b2/bb4/6 w";
/// Black loses with white's next move.
const LOST: &str = "6/1wwww1/6/3b2/bb4/6 b";
const MINUTE: Duration = Duration::from_mins(1);

/// Keeps the last answer, which a test may change, and the reason of the last refusal.
#[derive(Clone, Debug, Default)]
struct OpenStore(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    answer: Option<(StoreKey, StoredAnswer)>,
    refused: Option<&'static str>,
}

impl AnswerStore for OpenStore {
    fn get(&self, _key: &StoreKey) -> StoreLookup {
        Box::pin(std::future::ready(self.answer().map(|(_, answer)| answer)))
    }

    fn get_here(&self, _key: &StoreKey) -> LocalLookup {
        self.answer().map_or(LocalLookup::Nothing, |(_, answer)| LocalLookup::Found(Box::new(answer)))
    }

    fn offer(&self, key: &StoreKey, answer: &StoredAnswer) {
        self.0.lock().unwrap().answer = Some((key.clone(), answer.clone()));
    }

    fn explore(&self, _position: &StoreKey, _after: &[PositionKey]) -> StoreExplore {
        let answer = self.answer().map(|(_, answer)| answer);
        Box::pin(std::future::ready(Explored { answer, ..Explored::default() }))
    }

    fn refuse(&self, _key: &StoreKey, reason: &'static str) {
        *self.0.lock().unwrap() = State { answer: None, refused: Some(reason) };
    }
}

impl OpenStore {
    fn answer(&self) -> Option<(StoreKey, StoredAnswer)> {
        self.0.lock().unwrap().answer.clone()
    }

    fn set(&self, key: &StoreKey, answer: &StoredAnswer) {
        *self.0.lock().unwrap() = State { answer: Some((key.clone(), answer.clone())), refused: None };
    }

    fn refused(&self) -> Option<&'static str> {
        self.0.lock().unwrap().refused
    }
}

/// Returns an engine with Pentago and this store, and no cache in memory.
fn serve(store: Arc<dyn AnswerStore>) -> Arc<Engine> {
    let rulesets = vec![Ruleset::load(&support::pentago(), None).expect("the plugin loads")];
    let config = EngineConfig { cache_bytes_max: 0, ..config() };
    Engine::with_store(config, rulesets, Arc::new(Notes::default()), Some(store))
}

async fn ask(engine: &Engine, position: &str) -> Hints {
    engine.hint(&question("pentago", position), Caller::now()).await.expect("a hint")
}

/// Returns an engine, and the key and answer that it stored about a position.
async fn searched(position: &str) -> (OpenStore, Arc<Engine>, Hints, StoreKey, StoredAnswer) {
    let store = OpenStore::default();
    let engine = serve(Arc::new(store.clone()));
    let found = ask(&engine, position).await;
    assert_eq!((found.evaluation.certainty, found.cached), (Certainty::Proven, false), "{found:?}");
    let (key, answer) = store.answer().expect("a proof is stored");
    (store, engine, found, key, answer)
}

/// Returns a proof for the first seat to move.
fn proven(outcome: Wdl, plies: Option<u32>) -> Evaluation {
    let score = match outcome {
        Wdl::Loss => 0.0,
        Wdl::Draw => 0.5,
        Wdl::Win => 1.0,
    };
    let (certainty, scores) = (Certainty::Proven, Scores::pair(0, score));
    Evaluation { certainty, outcome: Some(outcome), plies_to_end: plies, scores, source: Source::Search, depth: 9 }
}

/// Gives an answer and its line this value and these moves.
fn forge(answer: &StoredAnswer, evaluation: Evaluation, moves: &[&str]) -> StoredAnswer {
    let mut forged = answer.clone();
    forged.lines.truncate(1);
    forged.lines[0].moves = moves.iter().map(|&mv| mv.to_owned()).collect();
    forged.lines[0].equivalents.clear();
    (forged.lines[0].evaluation, forged.evaluation) = (evaluation, evaluation);
    forged
}

/// Forges a proof of a win that neither its line nor the rules refute at once: it takes other plies.
fn farther(answer: &StoredAnswer) -> StoredAnswer {
    forge(answer, proven(Wdl::Win, Some(9)), &[&answer.lines[0].moves[0]])
}

/// A proof that contradicts its line, itself or the rules is refused whether or not the store vouches for it,
/// and the question is searched.
#[tokio::test]
async fn contradictory_proofs_are_refused() {
    let all_win = Scores::new(&[1.0, 1.0]);
    let draw_of_winners = Evaluation { scores: all_win, ..proven(Wdl::Draw, Some(4_000_000_000)) };
    let won = [
        ("a line that ends the game with another result", proven(Wdl::Loss, Some(1)), "e1"),
        ("more plies than a game has", draw_of_winners, "e1"),
        ("scores that do not agree with the outcome", Evaluation { plies_to_end: None, ..draw_of_winners }, "e1"),
        ("a last move that does not end the game", proven(Wdl::Win, Some(1)), "f6-1l"),
        ("a line that ends the game after other plies", proven(Wdl::Win, Some(5)), "e1"),
        ("a value that the rules refute", proven(Wdl::Draw, None), "f6-1l"),
        ("a value that the rules refute", proven(Wdl::Loss, Some(2)), "f6-1l"),
        ("a proof without a proven value", proven(Wdl::Win, Some(1)).as_estimate(), "e1"),
        ("a move that the rules refuse", proven(Wdl::Win, Some(1)), "a1-1l"),
    ];
    let (store, engine, found, key, answer) = searched(WON).await;
    for (reason, evaluation, mv) in won {
        for is_trusted in [true, false] {
            let forged = StoredAnswer { is_trusted, ..forge(&answer, evaluation, &[mv]) };
            store.set(&key, &forged);
            let again = ask(&engine, WON).await;
            assert_eq!((again.cached, &again.hints), (false, &found.hints), "{reason}: {forged:?}");
            assert_eq!(store.refused(), Some(reason), "{forged:?}");
        }
    }
    // A win in three that is none.
    let (store, engine, found, key, answer) = searched(LOST).await;
    assert_eq!(found.evaluation.outcome, Some(Wdl::Loss), "{found:?}");
    let lost = answer.evaluation.scores;
    let scores = Scores::new(&[lost[1], lost[0]]);
    let forged = forge(&answer, Evaluation { scores, ..proven(Wdl::Win, Some(3)) }, &["f6-1l"]);
    store.set(&key, &forged);
    assert_eq!(ask(&engine, LOST).await.hints, found.hints);
    assert_eq!(store.refused(), Some("a value that the rules refute"));
}

/// Proofs that nobody vouches for: those that the rules confirm are proofs; the others are estimates, which
/// are given if they took long enough, and are otherwise searched again.
#[tokio::test]
async fn unconfirmed_proofs_are_estimates() {
    for position in [WON, WON_IN_3, LOST] {
        let (store, engine, found, key, answer) = searched(position).await;
        for is_trusted in [true, false] {
            store.set(&key, &StoredAnswer { is_trusted, ..answer.clone() });
            let again = ask(&engine, position).await;
            assert_eq!((again.cached, &again.hints), (true, &found.hints), "{position} {is_trusted} {answer:?}");
            assert_eq!((again.evaluation, again.stop), (found.evaluation, Some(StopReason::Proven)));
        }
    }
    let (store, engine, found, key, answer) = searched(WON_IN_3).await;
    let far = StoredAnswer { is_trusted: false, ..farther(&answer) };
    store.set(&key, &far);
    let again = ask(&engine, WON_IN_3).await;
    assert_eq!((again.cached, &again.hints, store.refused()), (false, &found.hints, None));
    store.set(&key, &StoredAnswer { took: 2 * MINUTE, ..far });
    let again = ask(&engine, WON_IN_3).await;
    assert_eq!((again.cached, again.evaluation.certainty, again.evaluation.outcome), (true, Certainty::Estimate, None));
    assert_eq!((again.stop, again.evaluation.plies_to_end), (Some(StopReason::Time), None));
    assert!(again.hints.iter().all(|hint| hint.evaluation.certainty == Certainty::Estimate), "{again:?}");
}

/// The explorer shows only proofs that a store vouches for and that their lines do not refute.
#[tokio::test]
async fn explorations_show_no_forged_proofs() {
    let (store, engine, _, key, answer) = searched(WON_IN_3).await;
    let question = ExploreQuestion { spec: support::spec("pentago", WON_IN_3), ..ExploreQuestion::default() };
    let n_forged = async |answer: &StoredAnswer| {
        store.set(&key, answer);
        let explored = engine.explore(&question, Caller::now()).await.expect("an exploration");
        explored.moves.iter().filter(|it| it.evaluation.plies_to_end == Some(9)).count()
    };
    let forged = farther(&answer);
    assert_eq!(n_forged(&forged).await, 1, "the store vouches for it");
    assert_eq!(n_forged(&StoredAnswer { is_trusted: false, ..forged.clone() }).await, 0);
    assert_eq!(store.refused(), None);
    let contradictory = forge(&forged, Evaluation { scores: Scores::even(2), ..forged.evaluation }, &["f6-1l"]);
    assert_eq!(
        (n_forged(&contradictory).await, store.refused()),
        (0, Some("scores that do not agree with the outcome"))
    );
}

fn file_store(path: &Path) -> Arc<FileStore> {
    let file = FileConfig { open_wait: MINUTE, read_timeout: MINUTE, ..FileConfig::new(path.to_owned()) };
    Arc::new(FileStore::open(file))
}

/// Answers of every length of proof, exported, with won and lost turned round, and imported: no answer is a
/// false proof. Imported unchanged they are proofs again where the rules confirm them.
#[tokio::test]
async fn exported_altered_and_imported() {
    let positions = [WON, WON_IN_3, LOST, "wwww2/6/bbbb2/6/6/6 b", "6/6/wwww2/6/bbbb2/6 w"];
    let path = pentad_test_plugins::scratch_dir().join("answers");
    let (mut truths, mut lines) = (Vec::new(), Vec::new());
    {
        let store = file_store(&path);
        let engine = serve(store.clone());
        for position in positions {
            truths.push(ask(&engine, position).await);
        }
        assert!(store.flush().await.expect("the writer lives"));
        store.close_blocking(MINUTE);
    }
    let write = |line: &str| {
        lines.push(line.to_owned());
        Ok(())
    };
    StoreFile::open(&path).unwrap().export(write).unwrap();
    let turned = |line: &String| {
        let swap = |line: &str, a: &str, b: &str| line.replace(a, "<>").replace(b, a).replace("<>", b);
        swap(&swap(line, "\"win\"", "\"loss\""), "[1.0,0.0]", "[0.0,1.0]")
    };
    let altered: Vec<String> = lines.iter().map(turned).collect();
    assert!(altered.iter().zip(&lines).all(|(altered, line)| altered != line));
    let trials = [(&altered, false, false), (&altered, false, true), (&lines, true, false), (&lines, true, true)];
    for (lines, is_authentic, is_trusted) in trials {
        let path = pentad_test_plugins::scratch_dir().join("answers");
        let imported = StoreFile::create(&path).unwrap().import(lines.iter().cloned().map(Ok), is_trusted, |_| {});
        assert_eq!(imported.unwrap().stored, lines.len() as u64);
        let store = file_store(&path);
        let engine = serve(store.clone());
        for (position, truth) in positions.iter().zip(&truths) {
            let again = ask(&engine, position).await;
            assert_eq!((&again.hints, again.evaluation), (&truth.hints, truth.evaluation), "{position}");
            assert!(!again.cached || is_authentic, "{position}: a forged proof was believed");
            assert!(again.cached || !(is_authentic && is_trusted), "{position}: an authentic proof was not believed");
        }
        store.close_blocking(MINUTE);
    }
}

fn shared_store(server: &FakeRedis, secret: Option<&[u8]>) -> Arc<SharedStore> {
    let address = SharedAddress::parse(&format!("redis://{}", server.address)).expect("an address");
    let secret = secret.map(|secret| SharedSecret::new(secret).expect("it is long enough"));
    let config = SharedConfig {
        secret,
        timeout: MINUTE,
        write_timeout: MINUTE,
        connect_timeout: MINUTE,
        open_wait: MINUTE,
        ..SharedConfig::new(address)
    };
    Arc::new(SharedStore::open(config))
}

async fn flushed(store: &SharedStore) {
    assert!(store.flush().await.expect("the writer lives"), "{:?}", store.status());
}

/// Two engines with the same secret share proofs of any length. Nothing that another writes to the server
/// comes out as a proof: neither answers without the code or with that of another secret, nor authentic
/// answers to other questions.
#[tokio::test]
async fn shared_proofs_are_authentic() {
    let secret: &[u8] = b"0123456789abcdef";
    let (_, _, truth, key, answer) = searched(WON_IN_3).await;
    let forged = farther(&answer);
    let server = FakeRedis::start();
    let first = shared_store(&server, Some(secret));
    first.offer(&key, &forged);
    flushed(&first).await;
    let [signed] = &server.keys()[..] else { panic!("{:?}", server.keys()) };
    let second = shared_store(&server, Some(secret));
    let engine = serve(second.clone());
    let believed = ask(&engine, WON_IN_3).await;
    assert_eq!(
        (believed.cached, believed.evaluation.plies_to_end),
        (true, Some(9)),
        "a holder of the secret is trusted"
    );

    let elsewhere = StoreKey { digest: PositionKey([7; 16]), ..key.clone() };
    let others: [(&str, Option<&[u8]>, &StoreKey); 3] = [
        ("no code", None, &key),
        ("another secret", Some(b"fedcba9876543210"), &key),
        ("moved", Some(secret), &elsewhere),
    ];
    for (what, secret, key) in others {
        let elsewhere = FakeRedis::start();
        let forger = shared_store(&elsewhere, secret);
        forger.offer(key, &forged);
        flushed(&forger).await;
        let [from] = &elsewhere.keys()[..] else { panic!("{:?}", elsewhere.keys()) };
        elsewhere.copy(from, signed);
        let store = shared_store(&elsewhere, Some(b"0123456789abcdef"));
        let again = ask(&serve(store.clone()), WON_IN_3).await;
        assert_eq!((again.cached, &again.hints, store.status().reads.bad), (false, &truth.hints, 1), "{what}");
    }
}

/// Without a secret, proofs of a shared store are estimates, or searched again.
#[tokio::test]
async fn shared_proofs_without_a_secret_are_estimates() {
    let (_, _, truth, key, answer) = searched(WON_IN_3).await;
    for (took, is_cached) in [(Duration::from_millis(1), false), (2 * MINUTE, true)] {
        let server = FakeRedis::start();
        let forger = shared_store(&server, None);
        forger.offer(&key, &StoredAnswer { took, ..farther(&answer) });
        flushed(&forger).await;
        let engine = serve(shared_store(&server, None));
        let again = ask(&engine, WON_IN_3).await;
        assert_eq!(again.cached, is_cached);
        match is_cached {
            true => assert_eq!(again.evaluation.certainty, Certainty::Estimate),
            false => assert_eq!(again.hints, truth.hints),
        }
    }
}
