//! `pentad judge`: how often players keep the value of a position, where that is proven.
//!
//! `services/JUDGE.md` has the definitions.
//!
//! | module | contents |
//! | --- | --- |
//! | `game` | one game, as a batch of one question |
//! | `tally` | what was counted for a seat or a player |
//! | `interval` | Wilson's interval of a share |

mod game;
mod interval;
mod tally;

use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use futures_util::{StreamExt as _, stream};
use pentad_model::i18n::Language;
use serde::Serialize;

use super::client::{Client, Question, ServerArgs, with_client};
use super::import::GameLine;
use super::input::Input;
use super::progress::bar;
use super::question::LimitArgs;
use super::style::Palette;
use super::text::{Row, Table, print_json};
use super::{EXIT_FAILURE, print_error};
use crate::config::{Config, LogFormat};
use crate::telemetry::print_line;

use game::JudgedGame;
use tally::Tally;

/// Everything was read, and some lines were not games.
const EXIT_BAD_LINES: u8 = 2;
/// Maximum number of bad lines that are reported one by one.
const TOLD_MAX: u64 = 20;
/// Time for a position without other limits.
const TIME_MS: u64 = 200;

/// Each line is a game as for `pentad import`, with the names of its `players` by seat if
/// that is known. Moves that are not legal are counted and skipped. Exits with 2 if some
/// lines were not games. See services/JUDGE.md.
#[derive(Debug, Args)]
pub(super) struct JudgeArgs {
    /// JSON lines; standard input by default
    file: Option<PathBuf>,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of games judged at once; the setting `workers` by default
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    server: ServerArgs,
}

/// Everything that was counted.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    games: u64,
    /// Lines that are not games.
    bad_lines: u64,
    /// By game and seat, such as `pentago w`.
    seats: BTreeMap<String, Tally>,
    /// By name, over all games and seats.
    players: BTreeMap<String, Tally>,
}

pub(super) fn run(args: &JudgeArgs, config: &Config) -> ExitCode {
    let mut report = Report::default();
    let n_jobs = args.jobs.map_or(config.workers, NonZeroUsize::get);
    let worked = with_client(&args.server, "", Language::English, config, async |client, _| {
        report = judge(args, client, n_jobs).await?;
        if args.json {
            print_json(&report)?;
        } else {
            report.print();
        }
        Ok(())
    });
    match worked {
        Ok(()) if report.bad_lines == 0 => ExitCode::SUCCESS,
        Ok(()) => ExitCode::from(EXIT_BAD_LINES),
        Err(error) => {
            print_error(LogFormat::Text, &error.to_string());
            ExitCode::from(EXIT_FAILURE)
        }
    }
}

async fn judge(args: &JudgeArgs, client: &Client, n_jobs: usize) -> Result<Report, Box<dyn Error>> {
    let input = Input::open(args.file.as_deref())?;
    let bar = bar("judging", input.n_bytes);
    let limits = args.limits();
    let lines = (1u64..).zip(input.lines(&bar)).filter(|(_, line)| !matches!(line, Ok(line) if line.trim().is_empty()));
    let judged = lines.map(async |(number, line)| {
        let line: GameLine = match line.map_err(|error| error.to_string()).and_then(|line| parse(&line)) {
            Ok(line) => line,
            Err(message) => return Ok((number, Err(message))),
        };
        let judged = JudgedGame::judge(client, &line, &limits).await?;
        Ok::<_, Box<dyn Error>>((number, judged.map(|judged| (line, judged))))
    });
    let mut judged = stream::iter(judged).buffer_unordered(n_jobs);
    let mut report = Report::default();
    while let Some(result) = judged.next().await {
        match result? {
            (_, Ok((line, judged))) => report.add(&line, &judged),
            (number, Err(message)) => {
                report.bad_lines += 1;
                if report.bad_lines <= TOLD_MAX {
                    bar.suspend(|| print_line(&format!("pentad: line {number}: {message}")));
                }
                if report.bad_lines == TOLD_MAX {
                    bar.suspend(|| print_line("pentad: further bad lines are only counted"));
                }
            }
        }
        bar.set_message(format!("judging, {} games", report.games));
    }
    bar.finish_and_clear();
    Ok(report)
}

impl JudgeArgs {
    /// The limits of each search, as a question has them.
    fn limits(&self) -> Question {
        let LimitArgs { time_ms, nodes, depth } = self.limits;
        let time_ms = time_ms.or_else(|| (nodes.is_none() && depth.is_none()).then_some(TIME_MS));
        Question::default().with_limits(time_ms, nodes, depth)
    }
}

fn parse(line: &str) -> Result<GameLine, String> {
    // The error counts lines from here; the caller adds the line of the file.
    serde_json::from_str(line.trim_end()).map_err(|error| error.to_string().replace(" at line 1 column", " at column"))
}

/// Adds what was counted in a game to the sums of a name.
fn add(sums: &mut BTreeMap<String, Tally>, name: String, tally: &Tally) {
    sums.entry(name).and_modify(|sum| sum.add(tally)).or_insert_with(|| tally.clone());
}

impl Report {
    fn add(&mut self, line: &GameLine, judged: &JudgedGame) {
        self.games += 1;
        for (seat, tally) in &judged.seats {
            add(&mut self.seats, format!("{} {seat}", line.game), tally);
        }
        // A player may have several seats of a game.
        for (seat, player) in &line.players {
            if let Some(tally) = judged.seats.get(seat) {
                add(&mut self.players, player.clone(), tally);
            }
        }
    }

    fn print(&self) {
        let palette = Palette::of_stdout();
        for (heading, tallies) in [("player", &self.players), ("seat", &self.seats)] {
            if tallies.is_empty() {
                continue;
            }
            let headings = Row::default().left(heading).right("games").right("score").right("moves").right("illegal");
            let headings = headings.right("known").right("kept").left("95 %").right("wins thrown").left("95 %");
            let mut table = Table::new(headings.right("draws thrown").left("95 %"), palette);
            tallies.iter().for_each(|(name, tally)| table.push(tally.row(name, palette)));
            table.lines().iter().for_each(|line| println!("{line}"));
            println!();
        }
        println!("{} games; see services/JUDGE.md for what is counted", self.games);
    }
}
