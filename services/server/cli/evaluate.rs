//! `pentad evaluate`: the value of a position.

use std::error::Error;

use clap::Args;

use super::client::{Answer, Call, Client, Failure, Question};
use super::progress::spinning;
use super::question::{LimitArgs, QuestionArgs};
use super::text::{evaluation_text, print_position};
use crate::answers::EvaluationAnswer;
use crate::config::Config;

#[derive(Debug, Args)]
pub(super) struct EvaluateArgs {
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub(super) fn run(args: &EvaluateArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    args.question.run(config, async |client, id| {
        let question = args.limits.add_to(args.question.question());
        if args.question.position.json {
            ask(client, id, &question).await?.print();
            return Ok(());
        }
        let (game, position) = args.question.describe(client, id).await?;
        print_position(&game, &position);
        let answer: EvaluationAnswer = ask(client, id, &question).await?.read()?;
        match &position.outcome {
            Some(outcome) => println!("The game is over: {}", outcome.text),
            None => {
                let mover = game.variant.seat_name(&answer.to_move);
                println!("{mover} to move: {}", evaluation_text(&game, &answer.evaluation));
            }
        }
        Ok(())
    })
}

async fn ask(client: &Client, id: &str, question: &Question) -> Result<Answer, Failure> {
    spinning("evaluating", client.ask(id, Call::EVALUATION, question)).await
}
