//! Keys and values in the server.
//!
//! | key | value |
//! | --- | --- |
//! | `pentad:1:answer:GAME:VERSION:FINGERPRINT:VARIANT:DIGEST` | rank (21 bytes, ordered), then the answer, encoded by `codec` |
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

use std::collections::HashMap;
use std::fmt::Write as _;

use pentad_engine::{AnswerRank, GameTally, PositionKey, RecordedGame, StoreKey, StoredAnswer};
use pentad_model::SEATS_MAX;

use crate::codec;

/// Maximum length of a value; longer ones are foreign and not fetched.
pub(super) const VALUE_LEN_MAX: usize = AnswerRank::LEN + codec::VALUE_LEN_MAX;

/// Key for probes; never set.
pub(super) const PROBE_KEY: &str = "pentad:1:probe";

pub(super) fn answer_key(key: &StoreKey) -> String {
    text("pentad:1:answer", key)
}

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

/// Encodes an answer; `None` if it is too long.
pub(super) fn encode(digest: &PositionKey, answer: &StoredAnswer) -> Option<Vec<u8>> {
    let mut value = answer.rank().to_ordered_bytes().to_vec();
    value.extend(codec::encode(digest, answer)?);
    Some(value)
}

/// Decodes an answer; `None` if it is damaged.
pub(super) fn decode(digest: &PositionKey, value: &[u8]) -> Option<StoredAnswer> {
    let (rank, rest) = value.split_at_checked(AnswerRank::LEN)?;
    let answer = codec::decode(digest, rest).ok()?;
    (answer.rank().to_ordered_bytes() == rank).then_some(answer)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentad_engine::StoreScope;

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

    /// Keys start with the game, for operators; keys of different scopes differ, whatever a
    /// version contains.
    #[test]
    fn keys_are_readable_and_unambiguous() {
        let expected = "pentad:1:answer:pentago:1.2.0:00ff:standard:1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a";
        assert_eq!(answer_key(&key("1.2.0", "standard")), expected);
        assert_eq!(lease_key(&key("1.2.0", "standard")), expected.replace("answer", "lease"));
        assert_ne!(answer_key(&key("1:00ff", "x")), answer_key(&key("1", "00ff:x")));
        assert!(answer_key(&key("ä b%\n", "x")).contains(":%c3%a4%20b%25%0a:"));
    }

    /// The number in the keys is the format version.
    #[test]
    fn other_formats_have_other_keys() {
        let prefix = format!("pentad:{}:", codec::FORMAT_VERSION);
        let keys = [answer_key(&key("1", "x")), lease_key(&key("1", "x")), PROBE_KEY.to_owned()];
        assert!(keys.iter().all(|key| key.starts_with(&prefix)));
    }
}
