//! `pentad threats`: the wins that each seat would have if it were its turn.

use std::error::Error;

use clap::Args;

use super::client::{Answer, Call, Client, Failure, Question};
use super::progress::spinning;
use super::question::QuestionArgs;
use super::style::Palette;
use super::text::print_position;
use crate::answers::{GameView, Threat, ThreatsAnswer};
use crate::config::Config;

/// Longer lists of moves are cut in the text.
const MOVES_MAX: usize = 12;

#[derive(Debug, Args)]
pub(super) struct ThreatsArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Plies within which to find wins: 1 finds wins at once, without a search
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Time limit in milliseconds
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
    /// Limit on the positions visited by each search
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl ThreatsArgs {
    fn question(&self) -> Question {
        self.question.question().with("depth", self.depth).with_limits(self.time_ms, self.nodes, None)
    }

    async fn ask(&self, client: &Client, id: &str) -> Result<Answer, Failure> {
        spinning("looking for wins", client.ask(id, Call::THREATS, &self.question())).await
    }
}

pub(super) fn run(args: &ThreatsArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    args.question.run(config, async |client, id| {
        if args.question.position.json {
            args.ask(client, id).await?.print();
            return Ok(());
        }
        let (game, position) = args.question.describe(client, id).await?;
        print_position(&game, &position);
        match &position.outcome {
            Some(outcome) => println!("The game is over: {}", outcome.text),
            None => print_threats(&game, &args.ask(client, id).await?.read()?),
        }
        Ok(())
    })
}

fn print_threats(game: &GameView, answer: &ThreatsAnswer) {
    let name = |seat: &str| game.variant.seat_name(seat).to_owned();
    println!("{} to move", name(&answer.to_move));
    for seat in &answer.seats {
        let threats: Vec<&Threat> = answer.threats.iter().filter(|threat| threat.seat == *seat).collect();
        if threats.is_empty() {
            println!("\n{} threatens nothing", name(seat));
            continue;
        }
        println!("\n{} {}:", name(seat), if *seat == answer.to_move { "can win" } else { "threatens to win" });
        threats.iter().for_each(|threat| print_threat(threat));
    }
    if !answer.stops_all.is_empty() {
        println!("\nstops all threats: {}", shortened(&answer.stops_all));
    }
    if answer.truncated {
        println!("\nNot all threats and answers are listed.");
    }
}

fn print_threat(threat: &Threat) {
    let Threat { kind, r#move: mv, cells, stopped_by, plies, .. } = threat;
    let palette = Palette::of_stdout();
    let when = if *plies > 1 { format!(" in {plies} plies") } else { String::new() };
    println!("   {}   {kind}{when}  {}", palette.heading(mv), palette.quiet(cells.join(" ")));
    if !stopped_by.is_empty() {
        println!("      stopped by {}", shortened(stopped_by));
    }
}

fn shortened(moves: &[String]) -> String {
    match moves.len().checked_sub(MOVES_MAX) {
        Some(n_more) if n_more > 0 => format!("{} and {n_more} more", moves[..MOVES_MAX].join(" ")),
        _ => moves.join(" "),
    }
}
