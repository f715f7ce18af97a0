//! `pentad play`: a game at the prompt, against levels or other people at this terminal.
//!
//! | module | contents |
//! | --- | --- |
//! | `command` | what is typed at the prompt |
//! | `table` | the game: its moves, its players, the position |

mod command;
mod table;

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, IsTerminal, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use pentad_model::i18n::Language;

use super::client::{Call, Client, ServerArgs, with_client};
use super::game_text::GameText;
use super::players::{MoveLimits, Player, parse_players};
use super::progress::spinning;
use super::style::Palette;
use super::text::{drawn, evaluation_text, print_move_text, print_reasons};
use crate::answers::{GameView, HintsAnswer, MovesAnswer};
use crate::config::Config;
use crate::language;

use command::{Command, HELP};
use table::Table;

/// Legal moves that are shown after a move that is not one.
const SUGGESTIONS_MAX: u32 = 8;
/// Level of the seats that nobody chose.
const DEFAULT_LEVEL: u8 = 5;

/// Type a move, or `help`. In a pipe it reads the same lines from standard input.
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// Id of the game, as `pentad games` lists it, or the file of a rule set
    game: String,
    /// Id of the variant; the game's first by default
    #[arg(long, value_name = "ID")]
    variant: Option<String>,
    /// Position to begin with; the start by default
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Who plays, in playing order: person, level1 to level10, random or greedy. By default
    /// a person has the first seat and level5 the others
    #[arg(long, value_name = "PLAYERS")]
    seats: Option<String>,
    /// Time limit of each move of a level and of hints, in milliseconds
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
    /// Limit on the positions visited for each of them
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Makes the choices of levels reproducible; random by default
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Continues a game that `save` wrote, or that the board page copied
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    load: Option<PathBuf>,
    /// Language of reasons and outcomes: en, sv, fi, de or fr; that of the locale by default
    #[arg(long, value_name = "TAG", value_parser = language::parse_argument)]
    lang: Option<Language>,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn run(args: &PlayArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let text = match &args.load {
        Some(file) => GameText::read_file(file)?,
        None => GameText { position: args.position.clone(), ..GameText::default() },
    };
    let text = GameText { variant: args.variant.clone().or(text.variant), ..text };
    let language = args.lang.unwrap_or_else(|| language::from_locale(super::env));
    with_client(&args.server, &args.game, language, config, async |client, id| {
        check_game(&text, id)?;
        let game = client.game_view(id, text.variant.as_deref().unwrap_or_default()).await?;
        let players = args.players(&game)?;
        let table = Table::set_up(client, game, text, players).await?;
        let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(()));
        let limits = MoveLimits { time_ms: args.time_ms, nodes: args.nodes };
        Session { client, table, seed, limits, is_prompting: stdin().is_terminal() }.run().await
    })
}

impl PlayArgs {
    fn players(&self, game: &GameView) -> Result<Vec<Player>, Box<dyn Error>> {
        let n_seats = game.variant.seats.len();
        let Some(text) = &self.seats else {
            let player = |idx| if idx == 0 { Player::Person } else { Player::Level(DEFAULT_LEVEL) };
            return Ok((0..n_seats).map(player).collect());
        };
        let players = parse_players(text).map_err(|error| format!("--seats: {error}"))?;
        if players.len() != n_seats {
            let names: Vec<&str> = game.variant.seats.iter().map(|seat| game.variant.seat_name(seat)).collect();
            let (n, names) = (players.len(), names.join(", "));
            return Err(format!("--seats: {n} players for {n_seats} seats: {names}").into());
        }
        Ok(players)
    }
}

/// Refuses a text that names another game.
fn check_game(text: &GameText, id: &str) -> Result<(), Box<dyn Error>> {
    match text.game.as_deref() {
        Some(named) if named != id => Err(format!("this is a game of {named}, not of {id}").into()),
        _ => Ok(()),
    }
}

/// What a command leads to.
enum Next {
    /// The same position is shown no second time.
    Prompt,
    Changed,
    Quit,
}

struct Session<'a> {
    client: &'a Client,
    table: Table,
    seed: u64,
    limits: MoveLimits,
    /// Whether a prompt is shown: not in a pipe.
    is_prompting: bool,
}

impl Session<'_> {
    async fn run(mut self) -> Result<(), Box<dyn Error>> {
        self.show();
        let mut lines = stdin().lock().lines();
        loop {
            if self.play_levels().await? {
                self.show();
            }
            if !self.has_person() {
                return Ok(());
            }
            self.prompt()?;
            let Some(line) = lines.next().transpose()? else { return Ok(()) };
            match self.obey(Command::parse(&line)).await {
                Ok(Next::Prompt) => {}
                Ok(Next::Changed) => self.show(),
                Ok(Next::Quit) => return Ok(()),
                // A wrong move or file name does not end the game.
                Err(error) => println!("{}", Palette::of_stdout().bad(error)),
            }
        }
    }

    fn has_person(&self) -> bool {
        self.table.players.contains(&Player::Person)
    }

    /// Plays the moves of seats without a person; returns whether there were any.
    async fn play_levels(&mut self) -> Result<bool, Box<dyn Error>> {
        let mut has_played = false;
        while let Some(player) = self.table.player_to_move().filter(|player| *player != Player::Person) {
            let seed = self.seed ^ pentad_model::rng::mix(self.table.moves.len() as u64);
            let question = self.table.question();
            let seat = self.table.game.variant.seat_name(&self.table.position.to_move).to_owned();
            let choice = player.choose(self.client, &self.table.game.id, &question, self.limits, seed);
            let Some(mv) = spinning(format!("{seat} ({player}) is thinking"), choice).await? else { break };
            println!("{seat} ({player}) plays {}", Palette::of_stdout().heading(&mv));
            self.table.play(self.client, &mv).await?;
            has_played = true;
        }
        Ok(has_played)
    }

    fn show(&self) {
        let Table { game, position, .. } = &self.table;
        if let Some(drawn) = drawn(game, position) {
            println!("\n{drawn}");
        } else {
            println!("\n{}\n", position.position);
        }
        match &position.outcome {
            Some(outcome) => println!("{}", Palette::of_stdout().heading(&outcome.text)),
            None => {
                println!(
                    "{} to move, {} legal moves",
                    game.variant.seat_name(&position.to_move),
                    position.legal_move_count
                );
            }
        }
    }

    fn prompt(&self) -> std::io::Result<()> {
        if !self.is_prompting {
            return Ok(());
        }
        let Table { game, position, .. } = &self.table;
        let who = if position.outcome.is_some() { "over" } else { game.variant.seat_name(&position.to_move) };
        print!("{who}> ");
        stdout().flush()
    }

    async fn obey(&mut self, command: Command<'_>) -> Result<Next, Box<dyn Error>> {
        match command {
            Command::Nothing => {}
            Command::Help => println!("{HELP}"),
            Command::Board => return Ok(Next::Changed),
            Command::Quit => return Ok(Next::Quit),
            Command::Move(mv) => return self.play(mv).await,
            Command::Undo => {
                self.table.undo(self.client).await?;
                return Ok(Next::Changed);
            }
            Command::Hint(count) => self.hint(count).await?,
            Command::Moves(prefix) => self.list_moves(prefix, None).await?,
            Command::Seats(players) => {
                let PlayersChanged { was, is } = self.change_players(players)?;
                println!("{was} is now {is}");
            }
            Command::Save(file) => self.save(Path::new(file))?,
            Command::Load(file) => {
                let text = GameText::read_file(Path::new(file))?;
                check_game(&text, &self.table.game.id)?;
                self.table.load(self.client, text).await?;
                return Ok(Next::Changed);
            }
            Command::Unknown(message) => println!("{message}"),
        }
        Ok(Next::Prompt)
    }

    async fn play(&mut self, mv: &str) -> Result<Next, Box<dyn Error>> {
        let Err(failure) = self.table.play(self.client, mv).await else { return Ok(Next::Changed) };
        let text = failure.to_string();
        // The index of the move in the game says nothing at the prompt.
        let text = match text.strip_prefix("moves[").and_then(|rest| rest.split_once(']')) {
            Some((_, text)) => text.trim_start_matches(':').trim_start(),
            None => &text,
        };
        println!("{}", Palette::of_stdout().bad(text));
        let is_wrong = failure.problem().is_some_and(|it| it.reason == "illegal_move" || it.reason == "bad_move");
        if is_wrong && self.table.position.outcome.is_none() {
            let begin: String = mv.chars().take(2).collect();
            self.list_moves(&begin, Some(SUGGESTIONS_MAX)).await?;
        }
        Ok(Next::Prompt)
    }

    async fn hint(&self, count: u32) -> Result<(), Box<dyn Error>> {
        let MoveLimits { time_ms, nodes } = self.limits;
        let question = self.table.question().with("count", Some(count)).with_limits(time_ms, nodes, None);
        let game = &self.table.game;
        let asked = spinning("searching", self.client.ask(&game.id, Call::HINTS, &question));
        let hints: HintsAnswer = asked.await?.read()?;
        for hint in &hints.hints {
            println!("{}   {}", Palette::of_stdout().heading(&hint.r#move), evaluation_text(game, &hint.evaluation));
            print_move_text(hint);
            print_reasons(&hint.reasons, "   ");
        }
        Ok(())
    }

    async fn list_moves(&self, prefix: &str, count_max: Option<u32>) -> Result<(), Box<dyn Error>> {
        let question = self.table.question().with("prefix", Some(prefix)).with("pageSize", count_max);
        let page: MovesAnswer = self.client.ask(&self.table.game.id, Call::MOVES, &question).await?.read()?;
        let n_more = page.total.saturating_sub(page.moves.len() as u64);
        match (page.moves.is_empty(), n_more) {
            (true, _) if count_max.is_none() => println!("no legal move begins with `{prefix}`"),
            (true, _) => {}
            (false, 0) => println!("legal: {}", page.moves.join(" ")),
            (false, _) => println!("legal: {} and {n_more} more", page.moves.join(" ")),
        }
        Ok(())
    }

    fn change_players(&mut self, text: &str) -> Result<PlayersChanged, Box<dyn Error>> {
        let players = parse_players(text)?;
        let n_seats = self.table.players.len();
        if players.len() != n_seats {
            return Err(format!("name {n_seats} players, such as person,level7").into());
        }
        let was = std::mem::replace(&mut self.table.players, players);
        let joined = |players: &[Player]| players.iter().map(Player::to_string).collect::<Vec<_>>().join(",");
        Ok(PlayersChanged { was: joined(&was), is: joined(&self.table.players) })
    }

    fn save(&self, file: &Path) -> Result<(), Box<dyn Error>> {
        std::fs::write(file, self.table.text()).map_err(|error| format!("{}: {error}", file.display()))?;
        println!("saved {} moves in {}", self.table.moves.len(), file.display());
        Ok(())
    }
}

struct PlayersChanged {
    was: String,
    is: String,
}
