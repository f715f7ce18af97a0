//! The API as commands call it: in this process, or on a running server.
//!
//! Either way a command sends the JSON of a REST request and reads the JSON of its
//! response, so what it prints does not depend on where the answer comes from.
//!
//! | module | contents |
//! | --- | --- |
//! | `args` | the arguments that name a server, a token or a library file |
//! | `local` | the REST routes in this process, without a port |
//! | `remote` | HTTP/1.1 with or without TLS |
//! | `failure` | why there is no answer |
//! | `lines` | the answers of a stream |
//! | `json` | indentation of an answer's text |

mod args;
mod failure;
mod json;
mod lines;
mod local;
mod remote;

use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use pentad_engine::Engine;
use pentad_model::i18n::Language;
use pentad_store::Layers;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub(super) use args::{ServerArgs, game_file};
pub(super) use failure::Failure;
pub(super) use json::{indented, unwrapped};
pub(super) use lines::AnswerLines;

use failure::{Problem, with_causes};
use local::Local;
use remote::Remote;

use crate::answers::GameView;
use crate::calls::game_path;
use crate::config::Config;
use crate::mcp::{RouteReply, Routes};
use crate::stores;

/// A response's body, of either transport.
type Body = UnsyncBoxBody<Bytes, Box<dyn Error + Send + Sync>>;

const JSON: &str = "application/json";
const BATCH: &str = "/v1/batch";
const JSON_LINES: &str = "application/x-ndjson";

/// A call about a game, by the last part of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call(&'static str);

impl Call {
    pub(super) const POSITION: Call = Call("position");
    pub(super) const MOVES: Call = Call("legal-moves");
    pub(super) const EVALUATION: Call = Call("evaluation");
    pub(super) const HINTS: Call = Call("hints");
    pub(super) const ANALYSIS: Call = Call("analysis");
    pub(super) const COMPARE: Call = Call("compare");
    pub(super) const THREATS: Call = Call("threats");
    pub(super) const EXPLORER: Call = Call("explorer");
    pub(super) const REVIEW: Call = Call("review");
    pub(super) const PUZZLES: Call = Call("puzzles");
}

/// The fields of a request. Those that are not set get the API's defaults.
#[derive(Clone, Debug, Default)]
pub(super) struct Question(Map<String, Value>);

impl Question {
    /// Sets a field, unless there is no value.
    #[must_use]
    pub(super) fn with<T: Into<Value>>(mut self, field: &str, value: Option<T>) -> Question {
        if let Some(value) = value {
            self.0.insert(field.to_owned(), value.into());
        }
        self
    }

    /// Sets the limits that are given.
    #[must_use]
    pub(super) fn with_limits(self, time_ms: Option<u64>, nodes: Option<u64>, depth: Option<u32>) -> Question {
        let limits = Question::default().with("timeMs", time_ms).with("nodes", nodes).with("depth", depth);
        let limits = (!limits.0.is_empty()).then_some(Value::Object(limits.0));
        self.with("limits", limits)
    }

    /// Replaces the moves.
    #[must_use]
    pub(super) fn with_moves(self, moves: &[String]) -> Question {
        self.with("moves", Some(moves.to_vec()))
    }

    fn into_body(self) -> Bytes {
        Value::Object(self.0).to_string().into()
    }

    /// The time that the answer may take at least, in milliseconds.
    fn time_ms(&self) -> u64 {
        let time = self.0.get("limits").and_then(|limits| limits.get("timeMs")).and_then(Value::as_u64);
        time.or_else(|| self.0.get("totalTimeMs").and_then(Value::as_u64)).unwrap_or(0)
    }
}

/// The text of an answer, as REST sends it.
#[derive(Clone, Debug)]
pub(super) struct Answer(pub(super) String);

impl Answer {
    /// Reads the fields that a command needs.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(&self.0).map_err(|error| Failure::Unexpected { message: error.to_string() })
    }

    /// Prints all of it, indented.
    pub(super) fn print(&self) {
        println!("{}", indented(&self.0));
    }
}

/// The parts of a line of a batch that commands use.
#[derive(Deserialize)]
struct BatchLine<T> {
    answer: Option<T>,
    error: Option<Problem>,
}

/// Answers questions.
pub(super) struct Client {
    transport: Transport,
    language: Language,
}

enum Transport {
    Local(Local),
    Remote(Remote),
}

/// Runs a command with a client: of the server that is named, else of the configured rule
/// sets, or of one library file in place of `game`. Passes the game's id.
pub(super) fn with_client(
    server: &ServerArgs,
    game: &str,
    language: Language,
    config: &Config,
    work: impl AsyncFnOnce(&Client, &str) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    if let Some(url) = server.url(game_file(game), super::env)? {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let remote = Remote::new(&url, server.token(super::env)?)?;
        let client = Client { transport: Transport::Remote(remote), language };
        return runtime.block_on(work(&client, game));
    }
    with_local_client(game, language, config, async |client, id, _| work(client, id).await)
}

/// Same as [`with_client`], always in this process. Passes what is recorded to as well.
pub(super) fn with_local_client(
    game: &str,
    language: Language,
    config: &Config,
    work: impl AsyncFnOnce(&Client, &str, Recorder<'_>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (local, id) = Local::start(config, game_file(game))?;
    let app = Arc::clone(&local.app);
    let client = Client { transport: Transport::Local(local), language };
    runtime.block_on(async {
        let recorder = Recorder { engine: &app.engine, store: app.store.clone() };
        let worked = work(&client, id.as_deref().unwrap_or(game), recorder).await;
        if let Some(store) = &app.store {
            store.close(stores::CLOSE_TIMEOUT).await;
        }
        worked
    })
}

/// Records games, which the API does not.
pub(super) struct Recorder<'a> {
    pub(super) engine: &'a Engine,
    pub(super) store: Option<Layers>,
}

impl Client {
    /// Asks a question that has one answer.
    pub(super) async fn ask(&self, game: &str, call: Call, question: &Question) -> Result<Answer, Failure> {
        let path = format!("{}/{}", game_path(game), call.0);
        let response = self.send(&path, Some(question), JSON, self.language).await?;
        self.text(response).await.map(Answer)
    }

    /// Asks a question that has a stream of answers.
    pub(super) async fn stream(&self, game: &str, call: Call, question: &Question) -> Result<AnswerLines, Failure> {
        let path = format!("{}/{}", game_path(game), call.0);
        let response = self.send(&path, Some(question), JSON_LINES, self.language).await?;
        Ok(AnswerLines::new(response.into_body(), self.server()))
    }

    /// Asks a question as a batch of one. It waits while the server is busy or the quota is
    /// used up, and may take any time.
    pub(super) async fn ask_in_batch<T: DeserializeOwned>(&self, question: Question) -> Result<T, Failure> {
        let question = question.with("id", Some("1"));
        let response = self.send(BATCH, Some(&question), JSON_LINES, self.language).await?;
        let mut lines = AnswerLines::new(response.into_body(), self.server());
        loop {
            let Some(line) = lines.next_as_it_is().await? else {
                return Err(Failure::broken_off(self.server(), "the batch ended without an answer".to_owned()));
            };
            match line.read().map_err(|failure| failure.at(self.server()))? {
                BatchLine { answer: Some(answer), .. } => return Ok(answer),
                BatchLine { error: Some(problem), .. } => {
                    return Err(Failure::Refused { problem, server: self.server() });
                }
                // Progress.
                BatchLine { .. } => {}
            }
        }
    }

    /// Asks for a page of the API without a question: `/v1/games` or one of them. Names are
    /// in English, like the commands' own words.
    pub(super) async fn get(&self, path: &str) -> Result<Answer, Failure> {
        self.get_in(path, Language::English).await
    }

    async fn get_in(&self, path: &str, language: Language) -> Result<Answer, Failure> {
        let response = self.send(path, None, JSON, language).await?;
        self.text(response).await.map(Answer)
    }

    /// Asks for a variant of a game; an empty one is its first.
    pub(super) async fn game_view(&self, game: &str, variant: &str) -> Result<GameView, Box<dyn Error>> {
        self.game_view_in(game, variant, Language::English).await
    }

    /// Same as [`game_view`](Self::game_view), with names in a language.
    pub(super) async fn game_view_in(
        &self,
        game: &str,
        variant: &str,
        language: Language,
    ) -> Result<GameView, Box<dyn Error>> {
        let answer = self.get_in(&game_path(game), language).await?;
        Ok(GameView::new(answer.read()?, variant)?)
    }

    /// The rule-set files that were refused; a server does not list them here.
    pub(super) fn refused(&self) -> &[String] {
        match &self.transport {
            Transport::Local(local) => &local.refused,
            Transport::Remote(_) => &[],
        }
    }

    fn server(&self) -> Option<String> {
        match &self.transport {
            Transport::Local(_) => None,
            Transport::Remote(remote) => Some(remote.url.clone()),
        }
    }

    async fn text(&self, response: Response<Body>) -> Result<String, Failure> {
        let body = response.into_body().collect().await;
        let bytes = body.map_err(|cause| Failure::broken_off(self.server(), with_causes(&*cause)))?.to_bytes();
        String::from_utf8(bytes.into()).map_err(|_| Failure::Unexpected { message: "it is not UTF-8".to_owned() })
    }

    /// Sends a request; fails unless it is answered with 200.
    async fn send(
        &self,
        path: &str,
        question: Option<&Question>,
        accept: &'static str,
        language: Language,
    ) -> Result<Response<Body>, Failure> {
        let method = if question.is_some() { http::Method::POST } else { http::Method::GET };
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::ACCEPT, HeaderValue::from_static(accept))
            .header(header::ACCEPT_LANGUAGE, HeaderValue::from_static(language.tag()));
        let time_ms = question.map_or(0, Question::time_ms);
        let body = question.map_or_else(Bytes::new, |question| question.clone().into_body());
        if question.is_some() {
            request = request.header(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
        }
        let request = request.body(Full::new(body)).expect("path and headers are valid");
        let response = self.transmit(request, time_ms).await?;
        if response.status() == http::StatusCode::OK {
            return Ok(response);
        }
        let status = response.status();
        let text = self.text(response).await?;
        Err(match serde_json::from_str::<Problem>(&text) {
            Ok(problem) => Failure::Refused { problem, server: self.server() },
            Err(_) => Failure::Unexpected { message: format!("the status is {status}") },
        }
        .at(self.server()))
    }

    async fn transmit(&self, request: Request<Full<Bytes>>, time_ms: u64) -> Result<Response<Body>, Failure> {
        match &self.transport {
            Transport::Local(local) => Ok(local.send(request).await),
            Transport::Remote(remote) => remote.send(request, time_ms).await,
        }
    }
}

/// Tools send the requests of REST as they are.
impl Routes for Client {
    fn send(&self, mut request: Request<Full<Bytes>>, time_ms: u64) -> RouteReply<'_> {
        let language = HeaderValue::from_static(self.language.tag());
        request.headers_mut().insert(header::ACCEPT_LANGUAGE, language);
        Box::pin(async move {
            let response = self.transmit(request, time_ms).await.map_err(|failure| failure.to_string())?;
            let (parts, body) = response.into_parts();
            let body = body.collect().await.map_err(|cause| with_causes(&*cause))?.to_bytes();
            Ok(Response::from_parts(parts, body))
        })
    }
}
