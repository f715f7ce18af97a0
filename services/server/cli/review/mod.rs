//! `pentad review`: a whole game, judged move by move.
//!
//! | module | contents |
//! | --- | --- |
//! | `table` | the review as text |
//! | `page` | the review as one page of HTML |
//! | `graph` | the expected scores as a picture |
//! | `labels` | the names of labels, and how bad they are |
//! | `words` | the page's own words, in every language |

mod graph;
mod labels;
mod page;
mod table;
mod words;

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;
use pentad_model::i18n::Language;

use super::client::{AnswerLines, Call, Client, Question, ServerArgs, with_client};
use super::game_text::GameText;
use super::position::split_moves;
use super::progress::bar;
use super::question::LimitArgs;
use super::style::Palette;
use crate::answers::{GameView, PositionAnswer, ReviewMessage, ReviewSummary, ReviewedMove};
use crate::config::Config;
use crate::language;

use words::Words;

/// The game is a file, standard input (`-`), or `--moves`: the text that the board page
/// copies, a line of JSON as for `pentad import`, or a list of moves.
#[derive(Debug, Args)]
pub(super) struct ReviewArgs {
    /// Id of the game, as `pentad games` lists it, or the file of a rule set
    game: String,
    /// File with the game to review; `-` for standard input
    #[arg(required_unless_present = "moves", conflicts_with = "moves")]
    file: Option<PathBuf>,
    /// The moves to review, separated by commas or spaces
    #[arg(long)]
    moves: Option<String>,
    /// Id of the variant; the file's, else the game's first, by default
    #[arg(long, value_name = "ID")]
    variant: Option<String>,
    /// Position that the game began with; the file's, else the start, by default
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Writes the review as a page of HTML that needs nothing else; `-` for standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Prints the answers as JSON lines, as REST streams them
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Language of the page, of reasons and of outcomes: en, sv, fi, de or fr; that of the
    /// locale by default
    #[arg(long, value_name = "TAG", value_parser = language::parse_argument)]
    lang: Option<Language>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Time for the whole review in milliseconds
    #[arg(long, value_name = "MS")]
    total_time_ms: Option<u64>,
    #[command(flatten)]
    server: ServerArgs,
}

/// A complete review.
#[derive(Debug)]
struct Review {
    game: GameView,
    /// What the game began with, as questions have it.
    question: Question,
    /// All moves of the game.
    played: Vec<String>,
    /// Those that were reviewed, in playing order.
    moves: Vec<ReviewedMove>,
    summary: ReviewSummary,
    /// The position at the end.
    end: PositionAnswer,
    /// Language of the page. The table is in English, as all text of commands is.
    language: Language,
}

pub(super) fn run(args: &ReviewArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let text = args.read_game()?;
    let language = args.lang.unwrap_or_else(|| language::from_locale(super::env));
    with_client(&args.server, &args.game, language, config, async |client, id| {
        if let (Some(named), Some(file)) = (text.game.as_deref().filter(|named| *named != id), &args.file) {
            return Err(format!("{}: a game of {named}, not of {id}", file.display()).into());
        }
        let question =
            Question::default().with("variant", text.variant.clone()).with("position", text.position.clone());
        let played = text.moves.clone();
        let limited = args.limits.add_to(question.clone().with_moves(&played)).with("totalTimeMs", args.total_time_ms);
        let mut messages = client.stream(id, Call::REVIEW, &limited).await?;
        if args.json {
            return print_lines(&mut messages).await;
        }
        let (moves, summary) = collect(&mut messages, played.len()).await?;
        // Only the page has all words in the language of its names.
        let names = if args.html.is_some() { language } else { Language::English };
        let game = client.game_view_in(id, text.variant.as_deref().unwrap_or_default(), names).await?;
        let end = client.ask(id, Call::POSITION, &question.clone().with_moves(&played)).await?.read()?;
        let review = Review { game, question, played, moves, summary, end, language };
        match &args.html {
            Some(file) => write_page(client, &review, file).await,
            None => {
                table::print(&review, Palette::of_stdout());
                Ok(())
            }
        }
    })
}

impl ReviewArgs {
    /// Reads the game. Arguments take precedence over what the file says.
    fn read_game(&self) -> Result<GameText, Box<dyn Error>> {
        let read = match (&self.file, &self.moves) {
            (Some(file), _) => GameText::read_file(file)?,
            (None, moves) => {
                GameText { moves: split_moves(moves.as_deref().unwrap_or_default()), ..GameText::default() }
            }
        };
        Ok(GameText {
            variant: self.variant.clone().or(read.variant),
            position: self.position.clone().or(read.position),
            ..read
        })
    }
}

async fn print_lines(messages: &mut AnswerLines) -> Result<(), Box<dyn Error>> {
    loop {
        let message = messages.expect_next().await?;
        println!("{}", message.0);
        if matches!(message.read()?, ReviewMessage::Summary(_)) {
            return Ok(());
        }
    }
}

/// Reads the stream to its end, showing progress on a terminal.
async fn collect(
    messages: &mut AnswerLines,
    n_moves: usize,
) -> Result<(Vec<ReviewedMove>, ReviewSummary), Box<dyn Error>> {
    let bar = bar("reviewing", Some(n_moves as u64));
    let mut moves = Vec::new();
    loop {
        match messages.expect_next().await?.read()? {
            ReviewMessage::Move(reviewed) => moves.push(*reviewed),
            ReviewMessage::Progress(progress) => {
                bar.set_length(progress.total);
                bar.set_position(progress.done);
            }
            ReviewMessage::Summary(summary) => {
                bar.finish_and_clear();
                moves.sort_by_key(|it| it.index);
                return Ok((moves, summary));
            }
        }
    }
}

async fn write_page(client: &Client, review: &Review, file: &Path) -> Result<(), Box<dyn Error>> {
    let page = page::render(client, review).await?;
    if file == Path::new("-") {
        print!("{page}");
        return Ok(());
    }
    std::fs::write(file, page).map_err(|error| format!("{}: {error}", file.display()))?;
    eprintln!("pentad: {} has the review", file.display());
    Ok(())
}

impl Review {
    /// Returns `12. White`, where a turn is one move of every seat.
    fn numbered_seat(&self, it: &ReviewedMove) -> String {
        let turn = it.index / self.game.variant.seats.len().max(1) + 1;
        format!("{turn}. {}", self.game.variant.seat_name(&it.seat))
    }

    fn words(&self) -> &'static Words {
        Words::of(self.language)
    }

    /// The moves to explain: turning points, and those that gave something away.
    fn key_moves(&self) -> impl Iterator<Item = &ReviewedMove> {
        let is_key = |it: &&ReviewedMove| {
            self.summary.turning_points.contains(&it.index) || labels::is_mistake(it.label.as_deref())
        };
        self.moves.iter().filter(is_key)
    }
}
