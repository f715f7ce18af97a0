//! `pentad explore`: what is known of each move of a position, without a search.

use std::error::Error;

use clap::Args;

use super::client::{Call, Question};
use super::question::QuestionArgs;
use super::style::Palette;
use super::text::{Row, Table, percent, print_position, short_value};
use crate::answers::{ExplorationAnswer, GameView};
use crate::config::Config;

#[derive(Debug, Args)]
pub(super) struct ExploreArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Number of moves to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: u32,
    /// `nextPageToken` of the previous answer, for the moves after it
    #[arg(long, value_name = "TOKEN")]
    page_token: Option<String>,
}

impl ExploreArgs {
    fn question(&self) -> Question {
        let question = self.question.question();
        question.with("pageSize", Some(self.count)).with("pageToken", self.page_token.clone())
    }
}

pub(super) fn run(args: &ExploreArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    args.question.run(config, async |client, id| {
        if args.question.position.json {
            client.ask(id, Call::EXPLORER, &args.question()).await?.print();
            return Ok(());
        }
        let (game, position) = args.question.describe(client, id).await?;
        print_position(&game, &position);
        match &position.outcome {
            Some(outcome) => println!("The game is over: {}", outcome.text),
            None => print_moves(&game, &client.ask(id, Call::EXPLORER, &args.question()).await?.read()?),
        }
        Ok(())
    })
}

fn print_moves(game: &GameView, answer: &ExplorationAnswer) {
    let ExplorationAnswer { moves, total, games, to_move, next_page_token } = answer;
    let palette = Palette::of_stdout();
    println!("{} to move; {total} distinct moves, {games} recorded games", game.variant.seat_name(to_move));
    let headings = Row::default().left("move").right("games").right("score").left("value").left("source");
    let mut table = Table::new(headings.right("proven replies").right("equivalents"), palette);
    for it in moves {
        let score = it.scores.get(to_move).map_or_else(|| "-".to_owned(), |score| percent(*score));
        let row = Row::default().styled(&it.r#move, palette.heading(&it.r#move)).right(it.games).right(score);
        let row = row.left(short_value(&it.evaluation, to_move)).left(&it.evaluation.source);
        table.push(row.right(percent(it.proven_share)).right(it.equivalents.len()));
    }
    println!();
    table.lines().iter().for_each(|line| println!("{line}"));
    if !next_page_token.is_empty() {
        println!("\nMore with --count N, or --page-token '{next_page_token}'");
    }
}
