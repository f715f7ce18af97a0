//! Answers and games as lines of JSON, to export and import.
//!
//! Names are those of the API where it has them. An import is untrusted: every value is
//! checked as far as possible without the rules, and the engine checks moves and proofs
//! before it uses them.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use pentad_engine::{PositionKey, StopReason, StoreScope, StoredAnswer, StoredLine};
use pentad_model::{Certainty, Evaluation, SEATS_MAX, Scores, Source, Wdl};
use serde::{Deserialize, Serialize};

use crate::codec;
use crate::game_codec::GameText;

/// Scopes read so far, to share them: most lines have one of a few.
#[derive(Default)]
pub(crate) struct Scopes(HashSet<Arc<StoreScope>>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Answer {
    game: String,
    version: String,
    fingerprint: String,
    variant: String,
    key: String,
    position: String,
    stop_reason: Stop,
    count: usize,
    depth: u32,
    nodes: u64,
    took_us: u64,
    choices: usize,
    legal_moves: usize,
    evaluation: Value,
    lines: Vec<Line>,
    /// False if the exporting store did not vouch for it.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    trusted: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    moves: Vec<String>,
    evaluation: Value,
    #[serde(default)]
    equivalents: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Value {
    certainty: Sure,
    outcome: Option<Outcome>,
    plies_to_end: Option<u32>,
    scores: Vec<f64>,
    source: Origin,
    depth: u32,
}

macro_rules! words {
    ($name:ident of $engine:ty { $($word:ident),+ }) => {
        #[derive(Clone, Copy, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum $name { $($word),+ }

        impl std::convert::From<$name> for $engine {
            fn from(word: $name) -> Self {
                match word { $($name::$word => <$engine>::$word),+ }
            }
        }
    };
}

words! { Sure of Certainty { Proven, Estimate } }
words! { Outcome of Wdl { Loss, Draw, Win } }
words! { Origin of Source { Terminal, Book, Solver, Search, Static } }
words! { Stop of StopReason { Proven, Nodes, Depth, Time } }

/// Writes an answer as a line.
pub(crate) fn to_line(scope: &StoreScope, digest: &PositionKey, answer: &StoredAnswer) -> String {
    let line = |line: &StoredLine| Line {
        moves: line.moves.clone(),
        evaluation: value(&line.evaluation),
        equivalents: line.equivalents.clone(),
    };
    let answer = Answer {
        game: scope.game.clone(),
        version: scope.version.clone(),
        fingerprint: scope.fingerprint.clone(),
        variant: scope.variant.clone(),
        key: digest.to_string(),
        position: answer.position.clone(),
        stop_reason: match answer.stop {
            StopReason::Proven => Stop::Proven,
            StopReason::Nodes => Stop::Nodes,
            StopReason::Depth => Stop::Depth,
            _ => Stop::Time,
        },
        count: answer.n_lines,
        depth: answer.depth,
        nodes: answer.nodes,
        took_us: u64::try_from(answer.took.as_micros()).unwrap_or(u64::MAX),
        choices: answer.n_choices,
        legal_moves: answer.n_moves,
        evaluation: value(&answer.evaluation),
        lines: answer.lines.iter().map(line).collect(),
        trusted: answer.is_trusted,
    };
    serde_json::to_string(&answer).expect("texts and numbers have a JSON form")
}

/// Writes a game as a line that `pentad import` reads.
pub(crate) fn game_to_line(scope: &StoreScope, game: &GameText) -> String {
    let scores: serde_json::Map<String, serde_json::Value> =
        game.scores.iter().map(|(seat, score)| (seat.clone(), (*score).into())).collect();
    let game = serde_json::json!({
        "game": scope.game,
        "variant": scope.variant,
        "id": game.id,
        "position": game.position,
        "moves": game.moves,
        "scores": scores,
    });
    game.to_string()
}

/// Parses the answer of a line; the error describes the problem.
pub(crate) fn from_line(
    line: &str,
    scopes: &mut Scopes,
) -> Result<(Arc<StoreScope>, PositionKey, StoredAnswer), String> {
    let answer: Answer = serde_json::from_str(line).map_err(|error| error.to_string())?;
    // `from_str_radix` accepts a sign, which a key must not have.
    let is_key = answer.key.len() == 32 && answer.key.bytes().all(|digit| digit.is_ascii_hexdigit());
    let digest = u128::from_str_radix(&answer.key, 16).ok().filter(|_| is_key);
    let digest = digest.ok_or_else(|| format!("key: `{}` is not 32 hexadecimal digits", answer.key))?;
    if answer.lines.is_empty() || answer.lines.iter().any(|line| line.moves.is_empty()) {
        return Err("lines: expected at least one line, each with at least one move".to_owned());
    }
    let line = |line: Line| {
        let evaluation = evaluation(&line.evaluation)?;
        Ok::<_, String>(StoredLine { moves: line.moves, evaluation, equivalents: line.equivalents })
    };
    let scope = StoreScope {
        game: answer.game,
        version: answer.version,
        fingerprint: answer.fingerprint,
        variant: answer.variant,
    };
    let stored = StoredAnswer {
        position: answer.position,
        stop: answer.stop_reason.into(),
        n_lines: answer.count,
        took: Duration::from_micros(answer.took_us),
        depth: answer.depth,
        nodes: answer.nodes,
        evaluation: evaluation(&answer.evaluation)?,
        lines: answer.lines.into_iter().map(line).collect::<Result<_, _>>()?,
        n_choices: answer.choices,
        n_moves: answer.legal_moves,
        is_trusted: answer.trusted,
    };
    Ok((scopes.shared(scope), PositionKey(digest.to_be_bytes()), stored))
}

/// Parses an arbitrary line. For fuzzing: an accepted answer is unchanged when it is
/// written and read again, as JSON and, unless it is too long, as a stored value.
#[doc(hidden)]
pub fn read_arbitrary_line(line: &str) {
    let mut scopes = Scopes::default();
    let Ok(read) = from_line(line, &mut scopes) else { return };
    let (scope, digest, answer) = &read;
    let again = from_line(&to_line(scope, digest, answer), &mut scopes);
    assert_eq!(again.as_ref(), Ok(&read));
    if let Some(value) = codec::encode(digest, answer) {
        assert_eq!(codec::decode(digest, &value).ok().as_ref(), Some(answer));
    }
}

impl Scopes {
    fn shared(&mut self, scope: StoreScope) -> Arc<StoreScope> {
        if let Some(known) = self.0.get(&scope) {
            return known.clone();
        }
        let scope = Arc::new(scope);
        self.0.insert(scope.clone());
        scope
    }
}

fn value(evaluation: &Evaluation) -> Value {
    Value {
        certainty: match evaluation.certainty {
            Certainty::Proven => Sure::Proven,
            Certainty::Estimate => Sure::Estimate,
        },
        outcome: evaluation.outcome.map(|outcome| match outcome {
            Wdl::Loss => Outcome::Loss,
            Wdl::Draw => Outcome::Draw,
            Wdl::Win => Outcome::Win,
        }),
        plies_to_end: evaluation.plies_to_end,
        scores: evaluation.scores.as_slice().to_vec(),
        source: match evaluation.source {
            Source::Terminal => Origin::Terminal,
            Source::Book => Origin::Book,
            Source::Solver => Origin::Solver,
            Source::Search => Origin::Search,
            Source::Static => Origin::Static,
        },
        depth: evaluation.depth,
    }
}

fn evaluation(value: &Value) -> Result<Evaluation, String> {
    if value.scores.len() > SEATS_MAX || !value.scores.iter().all(|score| (0.0..=1.0).contains(score)) {
        return Err(format!("scores: expected at most {SEATS_MAX} numbers from 0 to 1, found {:?}", value.scores));
    }
    Ok(Evaluation {
        certainty: value.certainty.into(),
        outcome: value.outcome.map(Into::into),
        plies_to_end: value.plies_to_end,
        scores: Scores::new(&value.scores),
        source: value.source.into(),
        depth: value.depth,
    })
}

#[cfg(test)]
mod tests {
    use pentad_model::rng::Rng;

    use super::*;

    const LINE: &str = r#"{"game":"pentago","version":"1.0.0","fingerprint":"00ff","variant":"standard","key":"0123456789abcdef0123456789ABCDEF","position":"6/6/6/6/6/6 w","stopReason":"time","count":1,"depth":7,"nodes":99,"tookUs":150000,"choices":36,"legalMoves":288,"evaluation":{"certainty":"estimate","outcome":null,"pliesToEnd":null,"scores":[0.512345678,0.487654322],"source":"search","depth":7},"lines":[{"moves":["b2-1r"],"evaluation":{"certainty":"proven","outcome":"win","pliesToEnd":5,"scores":[1,0],"source":"solver","depth":5},"equivalents":["b2-2r"]}]}"#;

    /// Slightly malformed lines are read or refused, and what is read can be written.
    #[test]
    fn arbitrary_lines_are_read_or_refused() {
        const SIGNS: &[u8] = b"0123456789+-.eE\"{}[],:";
        let mut rng = Rng::new(1);
        for _ in 0..5_000 {
            let mut bytes = LINE.as_bytes().to_vec();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(bytes.len());
                match rng.below(3) {
                    0 => bytes[at] = b' ' + rng.below(95) as u8,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, SIGNS[rng.below(SIGNS.len())]),
                }
            }
            read_arbitrary_line(&String::from_utf8(bytes).expect("ASCII"));
        }
    }

    /// A key is exactly 32 hexadecimal digits.
    #[test]
    fn keys_are_digits() {
        let key = "0123456789abcdef0123456789ABCDEF";
        let read = |key_read: &str| from_line(&LINE.replace(key, key_read), &mut Scopes::default());
        let (_, digest, _) = read(key).expect("a key");
        assert_eq!(digest.to_string(), key.to_lowercase());
        for bad in ["", "0123", &format!("+{}", &key[1..]), &format!("{key}0"), &key.replace('f', "g")] {
            let error = read(bad).expect_err(bad);
            assert_eq!(error, format!("key: `{bad}` is not 32 hexadecimal digits"));
        }
    }
}
