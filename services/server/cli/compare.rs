//! `pentad compare`: moves of a position, side by side.

use std::error::Error;

use clap::Args;

use super::client::{Answer, Call, Client, Failure, Question};
use super::position::split_moves;
use super::progress::spinning;
use super::question::{LimitArgs, QuestionArgs};
use super::style::Palette;
use super::text::{evaluation_text, print_position, print_reasons};
use crate::answers::{ComparisonAnswer, GameView, MoveComparison};
use crate::config::Config;

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// The moves to compare, 2 to 8, separated by commas or spaces
    #[arg(long, short, value_name = "MOVES", required = true)]
    compare_moves: String,
    #[command(flatten)]
    limits: LimitArgs,
}

impl CompareArgs {
    fn question(&self) -> Question {
        let moves = split_moves(&self.compare_moves);
        self.limits.add_to(self.question.question().with("compareMoves", Some(moves)))
    }

    async fn ask(&self, client: &Client, id: &str) -> Result<Answer, Failure> {
        spinning("comparing", client.ask(id, Call::COMPARE, &self.question())).await
    }
}

pub(super) fn run(args: &CompareArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    args.question.run(config, async |client, id| {
        if args.question.position.json {
            args.ask(client, id).await?.print();
            return Ok(());
        }
        let (game, position) = args.question.describe(client, id).await?;
        print_position(&game, &position);
        print_comparison(&game, &args.ask(client, id).await?.read()?);
        Ok(())
    })
}

fn print_comparison(game: &GameView, answer: &ComparisonAnswer) {
    let palette = Palette::of_stdout();
    let mover = game.variant.seat_name(&answer.to_move);
    println!("{mover} to move: {}", evaluation_text(game, &answer.evaluation));
    let is_best = |it: &MoveComparison| it.r#move == answer.best_move;
    for it in &answer.comparisons {
        let note = if is_best(it) { ", the best move" } else { "" };
        let value = evaluation_text(game, &it.evaluation);
        println!("\n{}   {value}{}", palette.heading(&it.r#move), palette.good(note));
        if it.line.len() > 1 {
            println!("   {}", it.line.join(" "));
        }
        if let Some(at) = it.differs_at.filter(|at| *at > 0) {
            println!("   differs from the best line after {}", it.line[..at.min(it.line.len())].join(" "));
        }
        print_reasons(&it.reasons, "   ");
    }
    if !answer.comparisons.iter().any(is_best) {
        println!("\nbetter than these: {}", palette.good(answer.best_line.join(" ")));
    }
}
