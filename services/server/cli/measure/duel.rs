//! `pentad match`: two players against each other, in pairs of games with colours swapped.

use std::error::Error;

use clap::Args;
use futures_util::{StreamExt, stream};
use pentad_engine::PositionSpec;
use pentad_host::Ruleset;
use pentad_model::rng::{Rng, mix};
use serde::Serialize;

use super::elo::{PairScores, Sprt, Verdict};
use super::player::Player;
use super::{legal_moves, position_of, variant_of};
use crate::cli::progress::counting_bar;
use crate::cli::text::print_json;
use crate::config::Config;

/// Longer games are drawn: some rules let positions repeat forever.
const GAME_LEN_MAX: usize = 500;
/// Tries to find an opening that does not end the game.
const OPENING_TRIES: u64 = 100;

#[derive(Debug, Args)]
pub(in crate::cli) struct MatchArgs {
    /// A player: a game or a rule set's shared library, with `,level=1..10`, `,nodes=N` and
    /// `,time-ms=MS` as wanted, such as `./libnew.so,time-ms=100`
    a: String,
    /// The other player, of the same game
    b: String,
    /// Id of the variant; the game's first by default. Two sides are needed
    #[arg(long, default_value = "")]
    variant: String,
    /// Position in which the openings begin; the start by default
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Number of pairs of games; fewer if the test has decided
    #[arg(long, value_name = "N", default_value_t = 50)]
    pairs: u64,
    /// Random plies of each opening
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: usize,
    /// Ends the match once it is decided whether A is stronger than B by ELO0 or by ELO1,
    /// with an error of 5 % either way
    #[arg(long, value_name = "ELO0:ELO1", value_parser = parse_sprt)]
    sprt: Option<Sprt>,
    /// Seed of the openings and of levels below 10
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct MatchResult {
    a: String,
    b: String,
    games: u64,
    /// Games that A won.
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtResult>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SprtResult {
    elo0: f64,
    elo1: f64,
    llr: f64,
    verdict: &'static str,
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let parts = text.split_once(':').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    match parts {
        Some((elo0, elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two numbers, the smaller one first, such as 0:20".to_owned()),
    }
}

pub(in crate::cli) fn run(args: &MatchArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let (a, b) = (Player::new(&args.a, config)?, Player::new(&args.b, config)?);
    if a.ruleset.info().id != b.ruleset.info().id {
        return Err(
            format!("{} plays {}, and {} plays {}", a.name, a.ruleset.info().id, b.name, b.ruleset.info().id).into()
        );
    }
    let variant = variant_of(&a.ruleset, &args.variant)?;
    let description = &a.ruleset.variants()[variant];
    if description.n_sides != 2 || description.seats.len() != 2 {
        return Err(format!("the variant `{}` is not for two players", description.id).into());
    }
    let spec = PositionSpec { variant: description.id.clone(), ..PositionSpec::default() };
    let duel = Duel { args, variant, spec, players: [a, b] };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(duel.play(config.workers))?;
    if args.json { print_json(&result) } else { print(&result) }
}

fn print(result: &MatchResult) -> Result<(), Box<dyn Error>> {
    let MatchResult { a, b, games, wins, draws, losses, score, elo, elo_error, sprt } = result;
    println!("{a} against {b}: {games} games, {wins} won, {draws} drawn, {losses} lost ({:.1} %)", 100.0 * score);
    let error = elo_error.map_or_else(String::new, |error| format!(" ± {error:.0}"));
    println!("Elo {elo:+.0}{error}");
    if let Some(SprtResult { elo0, elo1, llr, verdict }) = sprt {
        println!("SPRT {elo0}:{elo1}: {verdict} (log-likelihood ratio {llr:.2})");
    }
    Ok(())
}

/// A match between two players of the same game.
struct Duel<'a> {
    args: &'a MatchArgs,
    variant: usize,
    spec: PositionSpec,
    players: [Player; 2],
}

impl Duel<'_> {
    async fn play(&self, n_at_once: usize) -> Result<MatchResult, Box<dyn Error>> {
        let mut result =
            MatchResult { a: self.players[0].name.clone(), b: self.players[1].name.clone(), ..MatchResult::default() };
        let mut pairs = PairScores::default();
        let played = (0..self.args.pairs).map(async |number| self.play_pair(number).await);
        let mut played = stream::iter(played).buffered(n_at_once.max(1));
        let bar = counting_bar("playing pairs", self.args.pairs);
        while let Some(scores) = played.next().await {
            let scores = scores?;
            for score in scores {
                result.games += 1;
                result.wins += u64::from(score > 0.5);
                result.losses += u64::from(score < 0.5);
                result.draws += u64::from(score == 0.5);
                result.score += score;
            }
            pairs.push((scores[0] + scores[1]) / 2.0);
            bar.inc(1);
            bar.set_message(format!("playing pairs, A scores {:.1} %", 100.0 * result.score / result.games as f64));
            let Some(sprt) = self.args.sprt else { continue };
            let (llr, verdict) = pairs.test(sprt);
            let (elo0, elo1) = (sprt.elo0, sprt.elo1);
            let name = match verdict {
                Verdict::Accepted => "accepted",
                Verdict::Rejected => "rejected",
                Verdict::Open => "open",
            };
            result.sprt = Some(SprtResult { elo0, elo1, llr, verdict: name });
            if verdict != Verdict::Open {
                break;
            }
        }
        bar.finish_and_clear();
        result.score /= result.games.max(1) as f64;
        let elo = pairs.elo();
        (result.elo, result.elo_error) = (elo.difference, elo.error);
        Ok(result)
    }

    /// Plays an opening with either player in the first seat; returns A's scores.
    async fn play_pair(&self, number: u64) -> Result<[f64; 2], Box<dyn Error>> {
        let seed = mix(self.args.seed ^ mix(number));
        let opening = self.opening(seed)?;
        let mut scores = [0.0; 2];
        for (seat_of_a, score) in scores.iter_mut().enumerate() {
            *score = self.play_game(&opening, seat_of_a, mix(seed ^ seat_of_a as u64)).await?;
        }
        Ok(scores)
    }

    /// Returns random moves after which the game goes on.
    fn opening(&self, seed: u64) -> Result<Vec<String>, Box<dyn Error>> {
        let rules = &self.players[0].ruleset;
        for attempt in 0..OPENING_TRIES {
            let mut rng = Rng::new(seed ^ mix(attempt));
            let mut position = position_of(rules, self.variant, self.args.position.as_deref())?;
            let mut opening = Vec::new();
            for _ in 0..self.args.opening_plies {
                let mut moves = legal_moves(rules, self.variant, &position)?;
                if moves.is_empty() {
                    break;
                }
                let mv = moves.swap_remove(rng.below(moves.len()));
                position = rules.play_known(self.variant, &position, &mv)?;
                opening.push(mv);
            }
            if rules.scores(self.variant, &position)?.is_none() {
                return Ok(opening);
            }
        }
        Err(format!("no opening of {} random plies leaves the game open", self.args.opening_plies).into())
    }

    /// Plays one game; returns A's score.
    async fn play_game(&self, opening: &[String], seat_of_a: usize, seed: u64) -> Result<f64, Box<dyn Error>> {
        let rules: &Ruleset = &self.players[0].ruleset;
        let position = self.args.position.clone().unwrap_or_default();
        let mut spec = PositionSpec { position, moves: opening.to_vec(), ..self.spec.clone() };
        let mut reached = position_of(rules, self.variant, self.args.position.as_deref())?;
        for mv in opening {
            reached = rules.play_known(self.variant, &reached, mv)?;
        }
        while spec.moves.len() < GAME_LEN_MAX {
            if let Some(scores) = rules.scores(self.variant, &reached)? {
                return Ok(scores[seat_of_a]);
            }
            let player_idx = usize::from(rules.to_move(self.variant, &reached)? != seat_of_a);
            let player = &self.players[player_idx];
            let mv = player.choose(&spec, mix(seed ^ spec.moves.len() as u64)).await?;
            reached = rules.play_known(self.variant, &reached, &mv).map_err(|error| {
                format!("`{mv}` of {} is refused by the rules of {}: {error}", player.name, self.players[0].name)
            })?;
            spec.moves.push(mv);
        }
        Ok(0.5)
    }
}
