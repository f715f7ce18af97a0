//! `pentad selfplay`: the engine against itself, or against players to measure it by.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use clap::Args;
use futures_util::{StreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};
use pentad_engine::{Caller, Class, GameToRecord, PositionSpec, Recorded};
use pentad_model::rng::mix;

use super::client::{Call, Client, Recorder, with_local_client};
use super::import::{GameLine, open_store, store_failure};
use super::players::{MoveLimits, Player, parse_players};
use super::position::PositionArgs;
use crate::answers::PositionAnswer;
use crate::config::Config;
use crate::telemetry::print_line;

/// Longer games are abandoned: some rules let positions repeat forever.
const GAME_LEN_MAX: usize = 500;
/// Level of the opening moves, low so that games differ.
const OPENING_LEVEL: u8 = 1;
const DEFAULT_NODES: u64 = 20_000;

#[derive(Debug, Args)]
pub(super) struct SelfplayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Number of games
    #[arg(long = "games", value_name = "N", default_value_t = 10)]
    n_games: u64,
    /// Strength of all seats, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Who plays instead, in playing order: level1 to level10, random (any legal move) or
    /// greedy (wins in one and stops those of others, else any move). The seats rotate from
    /// game to game, and the games name their players
    #[arg(long, value_name = "PLAYERS", conflicts_with = "level")]
    seats: Option<String>,
    /// Number of opening moves that are played weakly, so that games differ
    #[arg(long, value_name = "N", default_value_t = 2, conflicts_with = "seats")]
    opening_plies: usize,
    /// Limit on the positions visited for each move [default: 20000 without a time limit]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Time limit of each move in milliseconds
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
    /// Makes the games reproducible, which then count once; random by default
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// File for the games, as JSON lines for `pentad import` and `pentad judge`. Without a
    /// store, standard output by default
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Number of games by result.
#[derive(Debug, Default)]
struct Played {
    new: u64,
    known: u64,
    endless: u64,
}

/// What all games have in common.
struct Setup<'a> {
    args: &'a SelfplayArgs,
    game: &'a str,
    /// Ids of the seats in playing order.
    seats: Vec<String>,
    /// Players of the first game; `None` if all seats have the level of the arguments.
    players: Option<Vec<Player>>,
    seed: u64,
}

pub(super) fn run(args: &SelfplayArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    with_local_client(&args.position.game, args.position.language(), config, async |client, game, recorder| {
        let Recorder { engine, store } = recorder;
        let store = store.map(|store| open_store(Some(store))).transpose()?;
        let mut output = open_output(args, store.is_some())?;
        let setup = Setup::new(args, client, game).await?;
        // Hidden unless standard error is a terminal.
        let bar = ProgressBar::new(args.n_games);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {elapsed}, {eta} left")?);
        let games = (0..args.n_games).map(async |number| setup.play(client, number).await);
        // Keeps every worker busy while other games are recorded.
        let mut games = stream::iter(games).buffer_unordered(config.workers * 2);
        let mut played = Played::default();
        while let Some(game) = games.next().await {
            bar.inc(1);
            let Some((record, players)) = game? else {
                played.endless += 1;
                continue;
            };
            if let Some(store) = &store {
                match engine.record(&record, Caller { class: Class::Bulk, ..Caller::now() }).await? {
                    Recorded::New => played.new += 1,
                    Recorded::Known => played.known += 1,
                    Recorded::Failed => return Err(store_failure(store)),
                }
            }
            if let Some(output) = &mut output {
                let line = serde_json::to_string(&GameLine { players, ..GameLine::new(&record) })?;
                bar.suspend(|| writeln!(output, "{line}"))?;
            }
        }
        bar.finish_and_clear();
        if let Some(output) = &mut output {
            output.flush()?;
        }
        let Played { new, known, endless } = played;
        if store.is_some() {
            print_line(&format!("pentad: {new} games recorded, {known} were there already"));
        }
        if endless > 0 {
            print_line(&format!("pentad: {endless} games were abandoned after {GAME_LEN_MAX} moves"));
        }
        Ok(())
    })
}

/// Opens the file for the games, or standard output if they go nowhere else.
fn open_output(args: &SelfplayArgs, has_store: bool) -> Result<Option<Box<dyn Write>>, Box<dyn Error>> {
    Ok(match (&args.output, has_store) {
        (Some(file), _) => {
            let file = File::create(file).map_err(|error| format!("{}: {error}", file.display()))?;
            Some(Box::new(BufWriter::new(file)))
        }
        (None, false) => Some(Box::new(stdout())),
        (None, true) => None,
    })
}

impl<'a> Setup<'a> {
    async fn new(args: &'a SelfplayArgs, client: &Client, game: &'a str) -> Result<Setup<'a>, Box<dyn Error>> {
        let seats = client.game_view(game, &args.position.variant).await?.variant.seats;
        let players =
            args.seats.as_deref().map(parse_players).transpose().map_err(|error| format!("--seats: {error}"))?;
        if let Some(players) = &players {
            if players.contains(&Player::Person) {
                return Err("--seats: nobody is asked here; `pentad play` has persons".into());
            }
            if players.len() != seats.len() {
                let (n, names) = (players.len(), seats.join(", "));
                return Err(format!("--seats: {n} players for {} seats: {names}", seats.len()).into());
            }
        }
        let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(()));
        Ok(Setup { args, game, seats, players, seed })
    }

    /// Plays one game; `None` if it does not end.
    async fn play(
        &self,
        client: &Client,
        number: u64,
    ) -> Result<Option<(GameToRecord, BTreeMap<String, String>)>, Box<dyn Error>> {
        let mut spec = self.args.position.spec(self.game);
        let n_given = spec.moves.len();
        let seed = mix(self.seed ^ mix(number));
        let limits = self.args.limits();
        while spec.moves.len() - n_given < GAME_LEN_MAX {
            let ply = spec.moves.len() - n_given;
            let question = self.args.position.question().with_moves(&spec.moves);
            let player = match &self.players {
                None => self.args.level_at(ply),
                Some(_) => {
                    let position: PositionAnswer = client.ask(self.game, Call::POSITION, &question).await?.read()?;
                    self.player(number, &position.to_move)
                }
            };
            let Some(mv) = player.choose(client, self.game, &question, limits, mix(seed ^ ply as u64)).await? else {
                if ply == 0 {
                    return Err("the game is over already; there is nothing to play".into());
                }
                let players = self.players.iter().flat_map(|_| &self.seats);
                let players = players.map(|seat| (seat.clone(), self.player(number, seat).to_string())).collect();
                let id = self.id(number);
                return Ok(Some((GameToRecord { id, spec, scores: Vec::new() }, players)));
            };
            spec.moves.push(mv);
        }
        Ok(None)
    }

    /// Returns who has a seat in a game: the players move on by one seat from game to game.
    fn player(&self, number: u64, seat: &str) -> Player {
        let seat_idx = self.seats.iter().position(|it| it == seat).unwrap_or_default();
        let level = Player::Level(self.args.level);
        self.players.as_ref().map_or(level, |players| players[(seat_idx + number as usize) % players.len()])
    }

    /// Id of a game, the same whenever it is played again.
    fn id(&self, number: u64) -> String {
        let SelfplayArgs { level, opening_plies, nodes, time_ms, .. } = self.args;
        let PositionSpec { position, moves, .. } = self.args.position.spec(self.game);
        let players = self.args.seats.as_ref().map_or_else(String::new, |seats| format!(" {seats}"));
        let settings = format!("{level} {opening_plies} {nodes:?} {time_ms:?} {position} {moves:?}{players}");
        let settings = settings.bytes().fold(0, |digest, byte| mix(digest ^ u64::from(byte)));
        format!("selfplay-{:x}-{settings:x}-{number}", self.seed)
    }
}

impl SelfplayArgs {
    /// The level of a move, if all seats have the same.
    fn level_at(&self, ply: usize) -> Player {
        Player::Level(if ply < self.opening_plies { OPENING_LEVEL.min(self.level) } else { self.level })
    }

    fn limits(&self) -> MoveLimits {
        let nodes = self.nodes.or_else(|| self.time_ms.is_none().then_some(DEFAULT_NODES));
        MoveLimits { time_ms: self.time_ms, nodes }
    }
}
