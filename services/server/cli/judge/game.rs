//! One game: its legal moves, and the proven values of its positions.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use super::tally::Tally;
use crate::answers::{Certainty, EvaluationAnswer, PositionAnswer};
use crate::cli::client::{Answer, Call, Client, Failure, Question};
use crate::cli::import::GameLine;

/// How often a busy server is asked again, and how long to wait at most.
const RETRIES_MAX: usize = 20;
const RETRY_AFTER_MAX: Duration = Duration::from_secs(60);

/// What was counted in one game, by seat.
#[derive(Debug, Default)]
pub(super) struct JudgedGame {
    pub(super) seats: BTreeMap<String, Tally>,
}

impl JudgedGame {
    /// Judges a game. The inner error says why the line is not one; the outer one ends
    /// everything.
    pub(super) async fn judge(
        client: &Client,
        line: &GameLine,
        limits: &Question,
    ) -> Result<Result<JudgedGame, String>, Box<dyn Error>> {
        let mut game = JudgedGame::default();
        let asker = Asker { client, line };
        // The position that the game began with has to be one.
        let start = match asker.position(&[]).await {
            Ok(start) => start,
            Err(failure) => return refused(failure),
        };
        let (moves, last) = match game.play(&asker, start).await {
            Ok(played) => played,
            Err(failure) => return refused(failure),
        };
        // From the end, where proofs are found first and help with what came before.
        let mut after = asker.value(&moves, limits).await?;
        if let Some(seat) = line.players.keys().find(|seat| !after.seats.contains(seat)) {
            return Ok(Err(format!("players: there is no seat `{seat}`; there are {}", after.seats.join(", "))));
        }
        after.seats.iter().for_each(|seat| {
            game.tally(seat);
        });
        if let Some(outcome) = &last.outcome {
            outcome.scores.iter().for_each(|(seat, score)| game.tally(seat).count_result(*score));
        }
        for n_before in (0..moves.len()).rev() {
            let before = asker.value(&moves[..n_before], limits).await?;
            let seat = &before.to_move;
            game.tally(seat).count_move(before.proven_score(seat), after.proven_score(seat));
            after = before;
        }
        Ok(Ok(game))
    }

    /// Plays the moves of the line, and counts and skips those that are not legal. Returns
    /// the legal ones and the last position. Moves after the end are no decisions.
    async fn play(
        &mut self,
        asker: &Asker<'_>,
        start: PositionAnswer,
    ) -> Result<(Vec<String>, PositionAnswer), Failure> {
        let mut moves = asker.line.moves.clone();
        loop {
            let failure = match asker.position(&moves).await {
                Ok(last) => return Ok((moves, last)),
                Err(failure) => failure,
            };
            let problem = failure.problem().and_then(|problem| Some((problem.reason.as_str(), problem.index?)));
            match problem {
                Some(("illegal_move" | "bad_move", idx)) if idx < moves.len() => {
                    let seat =
                        if idx == 0 { start.to_move.clone() } else { asker.position(&moves[..idx]).await?.to_move };
                    self.tally(&seat).count_illegal();
                    moves.remove(idx);
                }
                Some(("game_over", idx)) if idx < moves.len() => moves.truncate(idx),
                _ => return Err(failure),
            }
        }
    }

    fn tally(&mut self, seat: &str) -> &mut Tally {
        self.seats.entry(seat.to_owned()).or_insert_with(Tally::of_game)
    }
}

/// Whether the line is to blame, or the judge has to end.
fn refused<T>(failure: Failure) -> Result<Result<T, String>, Box<dyn Error>> {
    match failure.problem().map(|problem| problem.reason.as_str()) {
        Some("unknown_game" | "unknown_variant" | "bad_position" | "bad_argument" | "too_large") => {
            Ok(Err(failure.to_string()))
        }
        _ => Err(failure.into()),
    }
}

/// Asks about positions of one game.
struct Asker<'a> {
    client: &'a Client,
    line: &'a GameLine,
}

impl Asker<'_> {
    async fn position(&self, moves: &[String]) -> Result<PositionAnswer, Failure> {
        self.ask(Call::POSITION, &self.question(Question::default(), moves)).await?.read()
    }

    async fn value(&self, moves: &[String], limits: &Question) -> Result<Value, Failure> {
        let answer: EvaluationAnswer =
            self.ask(Call::EVALUATION, &self.question(limits.clone(), moves)).await?.read()?;
        let EvaluationAnswer { evaluation, to_move } = answer;
        let is_proven = evaluation.certainty == Certainty::Proven;
        let seats = evaluation.scores.keys().cloned().collect();
        Ok(Value { to_move, seats, scores: is_proven.then_some(evaluation.scores) })
    }

    fn question(&self, question: Question, moves: &[String]) -> Question {
        let set = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let GameLine { variant, position, .. } = self.line;
        question.with("variant", set(variant)).with("position", set(position)).with_moves(moves)
    }

    /// Asks again if a server is busy.
    async fn ask(&self, call: Call, question: &Question) -> Result<Answer, Failure> {
        let mut n_retries = 0;
        loop {
            let failure = match self.client.ask(&self.line.game, call, question).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let Some(after_ms) = failure.problem().and_then(|problem| problem.retry_after_ms) else {
                return Err(failure);
            };
            if n_retries == RETRIES_MAX {
                return Err(failure);
            }
            n_retries += 1;
            tokio::time::sleep(Duration::from_millis(after_ms).min(RETRY_AFTER_MAX)).await;
        }
    }
}

/// The value of a position.
struct Value {
    to_move: String,
    /// Ids of all seats.
    seats: Vec<String>,
    /// `None` if it is not proven.
    scores: Option<BTreeMap<String, f64>>,
}

impl Value {
    fn proven_score(&self, seat: &str) -> Option<f64> {
        self.scores.as_ref()?.get(seat).copied()
    }
}
