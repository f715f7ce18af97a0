//! Recorded games in the file.
//!
//! | table | content |
//! | --- | --- |
//! | `games` | key of the game (16 bytes) and number of the scope (4, big-endian) → game, encoded by `game_codec` |
//! | `steps` | key of a position (16), number of the scope (4), key of the position after (16) → number of games with this step and their scores |
//!
//! All steps of a position are adjacent. A game and its tallies are written in one
//! transaction, so that it counts exactly once even if the process is killed.

use pentad_engine::{Explored, GameTally, PositionKey, RecordedGame, StoreKey};
use redb::{ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition, TableError, WriteTransaction};

use super::database::{KEY_LEN, LookupResult, OpenFile, fenced, key_bytes, split_key};
use crate::error::{OrFailed, StoreError};
use crate::game_codec::{self, GameText};

pub(super) const GAMES: TableDefinition<&[u8; KEY_LEN], &[u8]> = TableDefinition::new("games");
pub(super) const STEPS: TableDefinition<&[u8; STEP_LEN], &[u8]> = TableDefinition::new("steps");

/// Length of position, scope and position after.
pub(super) const STEP_LEN: usize = KEY_LEN + 16;

/// Result of a game in a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    New,
    Known,
    /// The game exceeds the maximum length of a value.
    TooLong,
}

/// Writes a game and counts its moves, unless the file already has it.
pub(crate) fn write_game(
    file: &OpenFile,
    write: &WriteTransaction,
    scope: u32,
    game: &RecordedGame,
) -> Result<Written, StoreError> {
    let path = &file.path;
    let key = key_bytes(&PositionKey(game.key.0), scope);
    let mut games = write.open_table(GAMES).or_failed(path)?;
    if games.get(&key).or_failed(path)?.is_some() {
        return Ok(Written::Known);
    }
    let Some(value) = game_codec::encode_game(&key, game) else { return Ok(Written::TooLong) };
    games.insert(&key, value.as_slice()).or_failed(path)?;
    let mut steps = write.open_table(STEPS).or_failed(path)?;
    for step in &game.steps {
        let key = step_key(&step.before, scope, &step.after);
        let present = steps.get(&key).or_failed(path)?;
        // A damaged tally starts again from zero.
        let present = present.and_then(|present| game_codec::decode_tally(&key, present.value()).ok());
        let mut tally = present.unwrap_or_default();
        tally.add(&step.scores);
        steps.insert(&key, game_codec::encode_tally(&key, &tally).as_slice()).or_failed(path)?;
    }
    Ok(Written::New)
}

impl OpenFile {
    /// Returns the answers and tallies of a position and of the positions after its moves.
    pub(crate) fn explore(&self, position: &StoreKey, after: &[PositionKey]) -> Result<Explored, StoreError> {
        let scope = &position.scope;
        let answer_key = |digest: &PositionKey| StoreKey { scope: scope.clone(), digest: *digest };
        let keys: Vec<StoreKey> = std::iter::once(&position.digest).chain(after).map(answer_key).collect();
        let answers = self.get(keys.iter())?.into_iter().map(|result| match result {
            LookupResult::Answer(answer) => Some(*answer),
            LookupResult::Nothing | LookupResult::Damaged => None,
        });
        let mut answers = answers.collect::<Vec<_>>().into_iter();
        let played = match self.scope_number(scope) {
            Some(number) => fenced(&self.path, || self.played(&position.digest, number))?,
            None => Vec::new(),
        };
        Ok(Explored { played, answer: answers.next().flatten(), answers_after: answers.collect() })
    }

    fn played(&self, position: &PositionKey, scope: u32) -> Result<Vec<(PositionKey, GameTally)>, StoreError> {
        let path = &self.path;
        let read = self.database.begin_read().or_failed(path)?;
        let Some(steps) = existing(read.open_table(STEPS), path)? else { return Ok(Vec::new()) };
        let first = step_key(position, scope, &PositionKey([0; 16]));
        let last = step_key(position, scope, &PositionKey([0xff; 16]));
        let mut played = Vec::new();
        for step in steps.range::<&[u8; STEP_LEN]>(&first..=&last).or_failed(path)? {
            let (key, value) = step.or_failed(path)?;
            let after = key.value().last_chunk::<16>().expect("a step ends with a position");
            if let Ok(tally) = game_codec::decode_tally(key.value(), value.value()) {
                played.push((PositionKey(*after), tally));
            }
        }
        Ok(played)
    }

    /// Returns the number of games.
    pub(crate) fn n_games(&self) -> Result<u64, StoreError> {
        let path = &self.path;
        fenced(path, || {
            let read = self.database.begin_read().or_failed(path)?;
            let games = existing(read.open_table(GAMES), path)?;
            games.map_or(Ok(0), |games| games.len().or_failed(path))
        })
    }

    /// Calls `visit` with each game and the number of its scope; `None` for a damaged game.
    pub(crate) fn each_game(
        &self,
        mut visit: impl FnMut(u32, Option<GameText>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let path = &self.path;
        fenced(path, || {
            let read = self.database.begin_read().or_failed(path)?;
            let Some(games) = existing(read.open_table(GAMES), path)? else { return Ok(()) };
            for entry in games.iter().or_failed(path)? {
                let (key, value) = entry.or_failed(path)?;
                visit(split_key(key.value()).1, game_codec::decode_game(key.value(), value.value()).ok())?;
            }
            Ok(())
        })
    }

    /// Counts undamaged and damaged games and steps.
    pub(crate) fn check_games(&self) -> Result<(u64, u64), StoreError> {
        let (mut good, mut damaged) = (0, 0);
        let mut count = |is_good: bool| if is_good { good += 1 } else { damaged += 1 };
        self.each_game(|_, game| {
            count(game.is_some());
            Ok(())
        })?;
        let path = &self.path;
        fenced(path, || {
            let read = self.database.begin_read().or_failed(path)?;
            let Some(steps) = existing(read.open_table(STEPS), path)? else { return Ok(()) };
            for entry in steps.iter().or_failed(path)? {
                let (key, value) = entry.or_failed(path)?;
                count(game_codec::decode_tally(key.value(), value.value()).is_ok());
            }
            Ok(())
        })?;
        Ok((good, damaged))
    }
}

/// Returns the table, or `None` if no game was ever written.
pub(super) fn existing<T>(table: Result<T, TableError>, path: &std::path::Path) -> Result<Option<T>, StoreError> {
    match table {
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        table => table.or_failed(path).map(Some),
    }
}

fn step_key(before: &PositionKey, scope: u32, after: &PositionKey) -> [u8; STEP_LEN] {
    let mut bytes = [0; STEP_LEN];
    bytes[..KEY_LEN].copy_from_slice(&key_bytes(before, scope));
    bytes[KEY_LEN..].copy_from_slice(&after.0);
    bytes
}
