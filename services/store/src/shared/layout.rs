//! Keys and values in the server.
//!
//! | key | value |
//! | --- | --- |
//! | `pentad:1:answer:GAME:VERSION:FINGERPRINT:VARIANT:DIGEST` | rank (21 bytes, ordered), then the answer, encoded by `codec` |
//! | `pentad:1:signed:` + the same, with a secret | the same, then the authentication code (32 bytes) |
//! | `pentad:1:lease:` + scope and digest of a search | `TOKEN:ENDS_MS`: token of the holder, and the latest end of the search by the server's clock; expires after two seconds unless renewed |
//! | `pentad:1:game:` + scope and key of a game | the game, encoded by `game_codec` |
//! | `pentad:1:steps:` + scope and digest of a position | hash with the fields `AFTER:games`, `AFTER:0`, `AFTER:1` … for each next position: number of games, and the score of each seat in millionths |
//!
//! For example `pentad:1:answer:pentago:1.2.0:00ff:standard:1a1a…1a`, and in the hash
//! `pentad:1:steps:pentago:1.2.0:00ff:standard:1a1a…1a` the fields `2b2b…2b:games` = 3,
//! `2b2b…2b:0` = 2500000, `2b2b…2b:1` = 500000: three games, of which seat 0 got 2.5 points.
//!
//! The number in the keys is the format version of the values, so that versions of this
//! program that cannot read each other's values do not see them. The rank comes first, so
//! that the server can compare two answers without decoding them; it is checked against the
//! answer when that is read.
//!
//! The authentication code is the HMAC-SHA-256 of key and value, so that nobody without the
//! secret can write an answer, or move one to another question or to other rules. Replicas
//! without the secret use other keys: neither sees the other's answers.

use std::collections::HashMap;
use std::fmt::Write as _;

use pentad_engine::{AnswerRank, GameTally, PositionKey, RecordedGame, StoreKey, StoredAnswer};
use pentad_model::SEATS_MAX;
use ring::digest::SHA256_OUTPUT_LEN;
use ring::hmac;

use crate::codec;
use crate::shared_config::SharedSecret;

/// Maximum length of a value; longer ones are foreign and not fetched.
pub(super) const VALUE_LEN_MAX: usize = AnswerRank::LEN + codec::VALUE_LEN_MAX + CODE_LEN;
/// Length of an authentication code.
const CODE_LEN: usize = SHA256_OUTPUT_LEN;

/// Key for probes; never set.
pub(super) const PROBE_KEY: &str = "pentad:1:probe";

pub(super) fn lease_key(search: &StoreKey) -> String {
    text("pentad:1:lease", search)
}

pub(super) fn game_key(game: &RecordedGame) -> String {
    text("pentad:1:game", &StoreKey { scope: game.scope.clone(), digest: PositionKey(game.key.0) })
}

pub(super) fn steps_key(position: &StoreKey) -> String {
    text("pentad:1:steps", position)
}

/// Parses the fields of a position's hash into tallies. Foreign fields are ignored.
pub(super) fn tallies(fields: Vec<(String, u64)>) -> Vec<(PositionKey, GameTally)> {
    let mut tallies: HashMap<PositionKey, GameTally> = HashMap::new();
    for (field, value) in fields {
        let Some((after, what)) = field.split_once(':') else { continue };
        let Some(after) = u128::from_str_radix(after, 16).ok().filter(|_| after.len() == 32) else { continue };
        let tally = tallies.entry(PositionKey(after.to_be_bytes())).or_default();
        match what.parse::<usize>() {
            Ok(seat @ 0..SEATS_MAX) => tally.points[seat] = value,
            _ if what == "games" => tally.games = value,
            _ => {}
        }
    }
    tallies.into_iter().filter(|(_, tally)| tally.games > 0).collect()
}

fn text(prefix: &str, key: &StoreKey) -> String {
    let scope = &key.scope;
    let mut text = String::with_capacity(128);
    text.push_str(prefix);
    for part in [&scope.game, &scope.version, &scope.fingerprint, &scope.variant] {
        text.push(':');
        for byte in part.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'+' => text.push(byte.into()),
                // Above all the separator.
                _ => write!(text, "%{byte:02x}").expect("writing to a string cannot fail"),
            }
        }
    }
    write!(text, ":{}", key.digest).expect("writing to a string cannot fail");
    text
}

/// Keys and values of answers, authenticated if the replicas share a secret.
pub(super) struct AnswerLayout(Option<hmac::Key>);

impl AnswerLayout {
    pub(super) fn new(secret: Option<&SharedSecret>) -> Self {
        AnswerLayout(secret.map(|secret| hmac::Key::new(hmac::HMAC_SHA256, secret.bytes())))
    }

    pub(super) fn answer_key(&self, key: &StoreKey) -> String {
        text(if self.0.is_some() { "pentad:1:signed" } else { "pentad:1:answer" }, key)
    }

    /// Encodes an answer with its key; `None` if it is too long.
    pub(super) fn encode(&self, key: &StoreKey, answer: &StoredAnswer) -> Option<(String, Vec<u8>)> {
        let mut value = answer.rank().to_ordered_bytes().to_vec();
        value.extend(codec::encode(&key.digest, answer)?);
        let key = self.answer_key(key);
        if let Some(secret) = &self.0 {
            let code = hmac::sign(secret, &authenticated(&key, &value));
            value.extend(code.as_ref());
        }
        Some((key, value))
    }

    /// Decodes an answer; the error describes what is wrong. Without a secret, nothing
    /// vouches for it.
    pub(super) fn decode(&self, key: &StoreKey, value: &[u8]) -> Result<StoredAnswer, &'static str> {
        let value = match &self.0 {
            Some(secret) => {
                let (value, code) = value.split_last_chunk::<CODE_LEN>().ok_or("no authentication code")?;
                let verified = hmac::verify(secret, &authenticated(&self.answer_key(key), value), code);
                verified.map_err(|_| "a wrong authentication code")?;
                value
            }
            None => value,
        };
        let (rank, rest) = value.split_at_checked(AnswerRank::LEN).ok_or("it is cut off")?;
        let answer = codec::decode(&key.digest, rest).map_err(|_| "a damaged value")?;
        if answer.rank().to_ordered_bytes() != rank {
            return Err("the rank of another answer");
        }
        Ok(StoredAnswer { is_trusted: answer.is_trusted && self.0.is_some(), ..answer })
    }
}

/// Returns the bytes that a code authenticates. Keys have no zero bytes.
fn authenticated(key: &str, value: &[u8]) -> Vec<u8> {
    [key.as_bytes(), &[0], value].concat()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use pentad_engine::{StopReason, StoreScope, StoredLine};
    use pentad_model::{Certainty, Evaluation, Scores, Source, Wdl};

    use super::*;

    fn key(version: &str, variant: &str) -> StoreKey {
        let scope = StoreScope {
            game: "pentago".to_owned(),
            version: version.to_owned(),
            fingerprint: "00ff".to_owned(),
            variant: variant.to_owned(),
        };
        StoreKey { scope: Arc::new(scope), digest: PositionKey([0x1a; 16]) }
    }

    fn secret(byte: u8) -> SharedSecret {
        SharedSecret::new(&[byte; 16]).expect("it is long enough")
    }

    fn proof() -> StoredAnswer {
        let evaluation = Evaluation {
            certainty: Certainty::Proven,
            outcome: Some(Wdl::Win),
            plies_to_end: Some(1),
            scores: Scores::pair(0, 1.0),
            source: Source::Search,
            depth: 1,
        };
        StoredAnswer {
            position: String::new(),
            stop: StopReason::Proven,
            n_lines: 1,
            took: Duration::from_millis(1),
            depth: 1,
            nodes: 9,
            evaluation,
            lines: vec![StoredLine { moves: vec!["e1".to_owned()], evaluation, equivalents: Vec::new() }],
            n_choices: 9,
            n_moves: 9,
            is_trusted: true,
        }
    }

    /// Only an answer with the code of the secret is read, under its own key; one that was not
    /// trusted when it was written stays so. Without a secret no answer is trusted.
    #[test]
    fn answers_are_authenticated() {
        let (layout, other) = (AnswerLayout::new(Some(&secret(1))), AnswerLayout::new(Some(&secret(2))));
        let (question, unsigned) = (key("1", "x"), AnswerLayout::new(None));
        let (_, value) = layout.encode(&question, &proof()).expect("it is short");
        assert_eq!(layout.decode(&question, &value), Ok(proof()));
        let imported = StoredAnswer { is_trusted: false, ..proof() };
        let (_, of_import) = layout.encode(&question, &imported).expect("it is short");
        assert_eq!(layout.decode(&question, &of_import), Ok(imported.clone()));

        let (_, bare) = unsigned.encode(&question, &proof()).expect("it is short");
        assert_eq!(unsigned.decode(&question, &bare), Ok(imported));
        let wrong = Err("a wrong authentication code");
        assert_eq!(layout.decode(&question, &bare), wrong);
        assert_eq!(layout.decode(&question, b""), Err("no authentication code"));
        assert_eq!(other.decode(&question, &value), wrong);
        let elsewhere = StoreKey { digest: PositionKey([0x1b; 16]), ..question.clone() };
        for moved in [elsewhere, key("2", "x"), key("1", "y")] {
            assert_eq!(layout.decode(&moved, &value), wrong);
        }
        for bit in 0..value.len() * 8 {
            let mut altered = value.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(layout.decode(&question, &altered), wrong, "bit {bit}");
        }
    }

    /// Keys start with the game, for operators; keys of different scopes differ, whatever a
    /// version contains.
    #[test]
    fn keys_are_readable_and_unambiguous() {
        let (unsigned, signed) = (AnswerLayout::new(None), AnswerLayout::new(Some(&secret(1))));
        let answer_key = |key: &StoreKey| unsigned.answer_key(key);
        let expected = "pentad:1:answer:pentago:1.2.0:00ff:standard:1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a";
        assert_eq!(answer_key(&key("1.2.0", "standard")), expected);
        assert_eq!(signed.answer_key(&key("1.2.0", "standard")), expected.replace("answer", "signed"));
        assert_eq!(lease_key(&key("1.2.0", "standard")), expected.replace("answer", "lease"));
        assert_ne!(answer_key(&key("1:00ff", "x")), answer_key(&key("1", "00ff:x")));
        assert!(answer_key(&key("ä b%\n", "x")).contains(":%c3%a4%20b%25%0a:"));
    }

    /// The number in the keys is the format version.
    #[test]
    fn other_formats_have_other_keys() {
        let prefix = format!("pentad:{}:", codec::FORMAT_VERSION);
        let keys =
            [AnswerLayout::new(None).answer_key(&key("1", "x")), lease_key(&key("1", "x")), PROBE_KEY.to_owned()];
        assert!(keys.iter().all(|key| key.starts_with(&prefix)));
    }
}
