//! `pentad games`: lists the games that are served, or would be.

use std::error::Error;

use clap::Args;
use pentad_model::i18n::Language;

use super::client::{Client, ServerArgs, with_client};
use super::style::Palette;
use crate::answers::GamesAnswer;
use crate::config::Config;

#[derive(Debug, Args)]
pub(super) struct GamesArgs {
    /// Prints the answer as JSON, as REST gives it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn run(args: &GamesArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    with_client(&args.server, "", Language::English, config, async |client, _| {
        print_games(client, args.json).await?;
        for error in client.refused() {
            eprintln!("refused: {error}");
        }
        Ok(())
    })
}

async fn print_games(client: &Client, as_json: bool) -> Result<(), Box<dyn Error>> {
    let answer = client.get("/v1/games").await?;
    if as_json {
        answer.print();
        return Ok(());
    }
    let GamesAnswer { games } = answer.read()?;
    for game in &games {
        println!("{}  {} {}", Palette::of_stdout().heading(&game.id), game.name, game.version);
        for variant in &game.variants {
            let seats: Vec<&str> = variant.seats.iter().map(|seat| variant.seat_name(seat)).collect();
            println!("    {}  {} ({})", variant.id, variant.summary, seats.join(", "));
        }
    }
    Ok(())
}
