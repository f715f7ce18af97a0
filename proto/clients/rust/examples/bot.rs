//! Two levels play a game: `cargo run --example bot [GAME] [LEVEL LEVEL]`.

use pentad_client::proto::{DescribePositionRequest, HintRequest, Limits};
use pentad_client::{Error, Pentad};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or("pentago".to_owned());
    let levels: Vec<u32> = arguments.filter_map(|level| level.parse().ok()).chain([3, 7]).collect();
    let pentad = Pentad::connect("http://127.0.0.1:50051").await?;
    let mut moves = Vec::new();
    loop {
        let (game, so_far) = (game.clone(), moves.clone());
        let question = DescribePositionRequest { game: game.clone(), moves: so_far.clone(), ..Default::default() };
        let position = pentad.position(question).await?;
        if let Some(outcome) = position.outcome {
            println!("{} {:?}", outcome.text, outcome.scores);
            return Ok(());
        }
        let (level, limits) = (levels[moves.len() % 2], Some(Limits { time_ms: 500, ..Default::default() }));
        let answer = pentad.hint(HintRequest { game, moves: so_far, level, limits, ..Default::default() }).await?;
        println!("{} {}", position.to_move, answer.hints[0].r#move);
        moves.push(answer.hints[0].r#move.clone());
    }
}
