//! A gRPC client of Pentad, a game-analysis service.
//!
//! The messages are those of [`proto`], generated from the contract. [`Pentad`] adds what
//! every caller needs: a token, deadlines, retries that keep to the server's times, typed
//! errors, pages as streams, and streams that end their search when they are dropped.
//!
//! ```no_run
//! use pentad_client::{Pentad, proto::HintRequest};
//!
//! # async fn ask() -> Result<(), pentad_client::Error> {
//! let pentad = Pentad::connect("http://127.0.0.1:50051").await?;
//! let question = HintRequest { game: "pentago".into(), moves: vec!["c3-2r".into()], ..Default::default() };
//! let answer = pentad.hint(question).await?;
//! println!("{} ({:?})", answer.hints[0].r#move, answer.evaluation);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod error;
mod retry;
mod streams;

use std::str::FromStr;
use std::time::Duration;

pub use pentad_proto as proto;
use pentad_proto::analysis_client::AnalysisClient;
use pentad_proto::{
    CompareRequest, CompareResponse, DescribePositionRequest, DescribePositionResponse, EvaluateRequest,
    EvaluateResponse, ExploreRequest, ExploreResponse, Game, GetGameRequest, GetGameResponse, HintRequest,
    HintResponse, ListGamesRequest, ListLegalMovesRequest, ListLegalMovesResponse, ListThreatsRequest,
    ListThreatsResponse,
};
use tonic::metadata::{Ascii, MetadataKey, MetadataMap, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

pub use crate::error::{ApiError, Error, Reason};
use crate::retry::Attempts;
pub use crate::streams::Messages;

/// Maximum size of an answer: a page of 100,000 legal moves has some megabytes.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// A client of one server. Clones share its connection.
#[derive(Clone, Debug)]
pub struct Pentad {
    analysis: AnalysisClient<Channel>,
    metadata: MetadataMap,
    timeout: Option<Duration>,
    stream_timeout: Option<Duration>,
    retries: u32,
}

impl Pentad {
    /// Connects to a server: `http://127.0.0.1:50051`.
    pub async fn connect(url: &str) -> Result<Pentad, Error> {
        Ok(Pentad::from_channel(endpoint(url)?.connect().await.map_err(unreachable)?))
    }

    /// Connects with the first call, and whenever the connection is lost.
    pub fn connect_lazy(url: &str) -> Result<Pentad, Error> {
        Ok(Pentad::from_channel(endpoint(url)?.connect_lazy()))
    }

    /// Uses a channel of the caller's, for TLS, proxies and several servers.
    pub fn from_channel(channel: Channel) -> Pentad {
        Pentad {
            analysis: AnalysisClient::new(channel).max_decoding_message_size(ANSWER_BYTES_MAX),
            metadata: MetadataMap::new(),
            timeout: Some(Duration::from_secs(60)),
            stream_timeout: None,
            retries: 2,
        }
    }

    /// Sends a bearer token with every call. It has to be printable ASCII.
    pub fn with_token(self, token: &str) -> Result<Pentad, Error> {
        self.with_metadata("authorization", &format!("Bearer {token}"))
    }

    /// Asks for texts for players in a language: `en`, `sv`, `fi`, `de`, `fr`.
    pub fn with_language(self, language: &str) -> Result<Pentad, Error> {
        self.with_metadata("accept-language", language)
    }

    /// Sends metadata with every call, such as `x-request-id` or `x-pentad-key`.
    pub fn with_metadata(mut self, name: &str, value: &str) -> Result<Pentad, Error> {
        let invalid = |what: &str| Error::from(Status::invalid_argument(format!("{name}: {what}")));
        let key = MetadataKey::<Ascii>::from_str(name).map_err(|_| invalid("not the name of metadata"))?;
        let mut value = MetadataValue::from_str(value).map_err(|_| invalid("the value is not printable ASCII"))?;
        value.set_sensitive(name == "authorization");
        self.metadata.insert(key, value);
        Ok(self)
    }

    /// Bounds each call, retries included; 60 s by default. The server is sent it as
    /// `grpc-timeout` and answers with the best that it has a little earlier; far from the
    /// server, set `limits.time_ms` below it. Streams and batches have
    /// [`with_stream_timeout`](Self::with_stream_timeout) instead.
    #[must_use]
    pub fn with_timeout(self, timeout: Option<Duration>) -> Pentad {
        Pentad { timeout, ..self }
    }

    /// Bounds each stream and batch; unbounded by default.
    #[must_use]
    pub fn with_stream_timeout(self, stream_timeout: Option<Duration>) -> Pentad {
        Pentad { stream_timeout, ..self }
    }

    /// How often a call is repeated that was refused because the server is busy or restarts;
    /// 2 by default.
    #[must_use]
    pub fn with_retries(self, retries: u32) -> Pentad {
        Pentad { retries, ..self }
    }

    /// The games that are served.
    pub async fn list_games(&self) -> Result<Vec<Game>, Error> {
        let answer =
            self.unary(ListGamesRequest {}, async |mut client, request| client.list_games(request).await).await?;
        Ok(answer.games)
    }

    /// One game, with its rules, its notation and its board.
    pub async fn game(&self, id: &str) -> Result<GetGameResponse, Error> {
        let request = GetGameRequest { game: id.to_owned() };
        self.unary(request, async |mut client, request| client.get_game(request).await).await
    }

    /// A position: whose turn it is, whether the game is over, where the pieces are.
    pub async fn position(&self, request: DescribePositionRequest) -> Result<DescribePositionResponse, Error> {
        self.unary(request, async |mut client, request| client.describe_position(request).await).await
    }

    /// A page of the legal moves, with their total number.
    pub async fn legal_moves_page(&self, request: ListLegalMovesRequest) -> Result<ListLegalMovesResponse, Error> {
        self.unary(request, async |mut client, request| client.list_legal_moves(request).await).await
    }

    /// The value of a position for every seat.
    pub async fn evaluate(&self, request: EvaluateRequest) -> Result<EvaluateResponse, Error> {
        self.unary(request, async |mut client, request| client.evaluate(request).await).await
    }

    /// The best moves, with their values, expected lines and reasons.
    pub async fn hint(&self, request: HintRequest) -> Result<HintResponse, Error> {
        self.unary(request, async |mut client, request| client.hint(request).await).await
    }

    /// Two to eight moves side by side.
    pub async fn compare(&self, request: CompareRequest) -> Result<CompareResponse, Error> {
        self.unary(request, async |mut client, request| client.compare(request).await).await
    }

    /// The wins that each seat would have if it were its turn, and the moves that stop them.
    pub async fn threats(&self, request: ListThreatsRequest) -> Result<ListThreatsResponse, Error> {
        self.unary(request, async |mut client, request| client.list_threats(request).await).await
    }

    /// A page of what is known of each distinct move, without a search.
    pub async fn explore_page(&self, request: ExploreRequest) -> Result<ExploreResponse, Error> {
        self.unary(request, async |mut client, request| client.explore(request).await).await
    }

    /// Makes a call, and repeats it if it may be.
    async fn unary<Q: Clone, A>(
        &self,
        request: Q,
        call: impl AsyncFn(AnalysisClient<Channel>, Request<Q>) -> Result<Response<A>, Status>,
    ) -> Result<A, Error> {
        self.repeated(self.timeout, request, call).await
    }

    async fn repeated<Q: Clone, A>(
        &self,
        timeout: Option<Duration>,
        request: Q,
        call: impl AsyncFn(AnalysisClient<Channel>, Request<Q>) -> Result<Response<A>, Status>,
    ) -> Result<A, Error> {
        let mut attempts = Attempts::new(self.retries, timeout);
        loop {
            let attempt = self.request(request.clone(), attempts.timeout());
            match call(self.analysis.clone(), attempt).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => attempts.wait(status.into()).await?,
            }
        }
    }

    fn request<Q>(&self, message: Q, timeout: Option<Duration>) -> Request<Q> {
        let mut request = Request::new(message);
        *request.metadata_mut() = self.metadata.clone();
        if let Some(timeout) = timeout {
            request.set_timeout(timeout);
        }
        request
    }
}

fn endpoint(url: &str) -> Result<Endpoint, Error> {
    let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|error| {
        Status::invalid_argument(format!("{url} is no address; write http://127.0.0.1:50051: {error}"))
    })?;
    // Dead connections are noticed between calls, too.
    Ok(endpoint
        .connect_timeout(Duration::from_secs(10))
        .http2_keep_alive_interval(Duration::from_secs(60))
        .tcp_nodelay(true))
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn unreachable(error: tonic::transport::Error) -> Error {
    Status::unavailable(format!("no connection: {error}")).into()
}
