//! The overhead over a bare gRPC server, with and without traces, and the latency of
//! hints with a deadline.
//!
//! `cargo bench --bench edge` prints two measurements:
//!
//! 1. `ListLegalMoves` of Pentago's start against a bare tonic echo that answers
//!    with as many bytes: calls per second at 32 concurrent calls, and server
//!    CPU per call; once without a collector, and once with the spans of every call
//!    exported. The same client calls all servers in alternating rounds; servers run
//!    on core 0, client and collector on core 1, where `taskset` is available.
//!    `PENTAD_BASELINE=FILE` names the program of another version, to measure it in
//!    the same rounds.
//! 2. `Hint` with a deadline of 100 ms, 200 different positions, 8 at a time: the
//!    latency, and that each hint is a legal move. The positions are of the Finnish
//!    variant, which has no opening book.
//!
//! The machine's speed cancels out of the ratios, so compare those.

mod echo;

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use pentad::proto::analysis_client::AnalysisClient;
use pentad::proto::{DescribePositionRequest, HintRequest, HintResponse, ListLegalMovesRequest};
use prost::Message;

use echo::{
    CONCURRENT, ECHO_PATH, ROUNDS, Round, Server, channel, echo_server, load, pin, print_ratios, raw_call, runtime,
};

/// After a round, for the spans that are still queued; the server waits at most 1 s
/// for a batch to fill.
const EXPORTED_WITHIN: Duration = Duration::from_millis(1500);
const MOVES_PATH: &str = "/pentad.v1.Analysis/ListLegalMoves";

fn main() {
    let mut args = std::env::args().skip(1);
    match (args.next().as_deref(), args.next()) {
        (Some("echo-server"), _) => runtime().block_on(echo_server()),
        // `cargo test --benches` only checks that it starts.
        (Some("--test"), _) => {}
        _ => runtime().block_on(measure()),
    }
}

async fn measure() {
    pin(std::process::id(), 1);
    let collector = collector().await;
    let start = |program: &str, traced: bool| {
        let mut command = Command::new(program);
        command.args(["--grpc-listen=127.0.0.1:0", "--rest-listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"]);
        if traced {
            // Nothing is dropped, so that every span is exported.
            command.args([&format!("--otlp-endpoint=http://{collector}"), "--trace-queue-len-max=1000000"]);
        }
        Server::start(&mut command)
    };
    let me = std::env::current_exe().expect("the path of this benchmark");
    let this = env!("CARGO_BIN_EXE_pentad");
    let mut servers = vec![
        ("bare echo", Server::start(Command::new(me).arg("echo-server"))),
        ("pentad", start(this, false)),
        ("pentad, traced", start(this, true)),
    ];
    if let Ok(baseline) = std::env::var("PENTAD_BASELINE") {
        servers.extend([("baseline", start(&baseline, false)), ("baseline, traced", start(&baseline, true))]);
    }
    legal_moves_against_echo(&servers).await;
    hint_latency(&servers[1].1).await;
    for (_, server) in &mut servers {
        server.child.kill().expect("the server was running");
    }
}

/// The first server is the echo.
async fn legal_moves_against_echo(servers: &[(&str, Server)]) {
    let request = ListLegalMovesRequest { game: "pentago".to_owned(), ..Default::default() };
    let request = Bytes::from(request.encode_to_vec());
    let reply = raw_call(&channel(servers[1].1.address).await, MOVES_PATH, request.clone()).await;
    let size = reply.len();
    // A bytes field adds its key and length.
    let payload = Bytes::from(Bytes::from(vec![b'x'; size - 3]).encode_to_vec());
    let mut results = vec![Vec::new(); servers.len()];
    for _ in 0..ROUNDS {
        for (idx, (_, server)) in servers.iter().enumerate() {
            let (path, message) = if idx == 0 { (ECHO_PATH, &payload) } else { (MOVES_PATH, &request) };
            let cpu_before = server.cpu();
            let n_calls = load(server.address, path, std::slice::from_ref(message)).await;
            tokio::time::sleep(EXPORTED_WITHIN).await;
            let cpu = server.cpu() - cpu_before;
            results[idx].push(Round { n_calls, cpu });
        }
    }
    println!("legal moves over gRPC, {size} bytes a reply, {CONCURRENT} calls at a time");
    print_ratios(servers.iter().map(|(name, _)| *name).zip(&results));
}

/// Accepts all spans and returns its address.
async fn collector() -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let incoming = tonic::transport::server::TcpIncoming::from(listener);
    let service = TraceServiceServer::new(Collector);
    tokio::spawn(tonic::transport::Server::builder().add_service(service).serve_with_incoming(incoming));
    address
}

struct Collector;

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        _: tonic::Request<ExportTraceServiceRequest>,
    ) -> Result<tonic::Response<ExportTraceServiceResponse>, tonic::Status> {
        Ok(tonic::Response::new(ExportTraceServiceResponse::default()))
    }
}

async fn hint_latency(pentad: &Server) {
    let next = Arc::new(AtomicU64::new(0));
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (address, next) = (pentad.address, next.clone());
            tokio::spawn(async move {
                let mut client = AnalysisClient::new(channel(address).await);
                let hint_client = DeadlineClient::new(address);
                let mut elapsed = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= 200 {
                        return elapsed;
                    }
                    let text = position(number);
                    let request = HintRequest {
                        game: "pentago".to_owned(),
                        variant: "finnish".to_owned(),
                        position: text.clone(),
                        ..Default::default()
                    };
                    let sent = Instant::now();
                    let hints = hint_client.hint(&request).await;
                    elapsed.push(sent.elapsed());
                    let legal = DescribePositionRequest {
                        game: "pentago".to_owned(),
                        variant: "finnish".to_owned(),
                        position: text,
                        moves: vec![hints.hints[0].r#move.clone()],
                    };
                    client.describe_position(legal).await.expect("the hint is a legal move");
                }
            })
        })
        .collect();
    let mut elapsed = Vec::new();
    for task in tasks {
        elapsed.extend(task.await.expect("no task fails"));
    }
    elapsed.sort();
    let at = |share: f64| elapsed[((elapsed.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!("hints with a deadline of 100 ms, {} requests, 8 at a time", elapsed.len());
    println!("  median {:.1} ms, 99th percentile {:.1} ms, slowest {:.1} ms", at(0.5), at(0.99), at(1.0));
}

/// Requests hints with a deadline of 100 ms and waits for the response however late
/// it is; tonic's client would give up at the deadline.
struct DeadlineClient {
    http: hyper_util::client::legacy::Client<hyper_util::client::legacy::connect::HttpConnector, Full<Bytes>>,
    uri: String,
}

impl DeadlineClient {
    fn new(address: SocketAddr) -> Self {
        let executor = hyper_util::rt::TokioExecutor::new();
        let http = hyper_util::client::legacy::Client::builder(executor).http2_only(true).build_http();
        DeadlineClient { http, uri: format!("http://{address}/pentad.v1.Analysis/Hint") }
    }

    async fn hint(&self, hint: &HintRequest) -> HintResponse {
        let message = hint.encode_to_vec();
        let mut body = vec![0];
        body.extend((message.len() as u32).to_be_bytes());
        body.extend(message);
        let request = http::Request::post(&self.uri)
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("grpc-timeout", "100m")
            .body(Full::from(body))
            .expect("a request");
        let answer = self.http.request(request).await.expect("an answer").into_body().collect().await.expect("a body");
        let bytes = answer.to_bytes();
        HintResponse::decode(bytes.get(5..).expect("a hint, not an error")).expect("a hint")
    }
}

/// A position with two marbles, a different one for each number.
fn position(number: u64) -> String {
    let (white, black) = (number % 36, (number / 36 * 5 + number % 36 + 1 + number / 36) % 36);
    let mut rows = Vec::new();
    for row in 0..6 {
        let cells: String = (0..6)
            .map(|column| match row * 6 + column {
                cell if cell == white => 'w',
                cell if cell == black => 'b',
                _ => '1',
            })
            .collect();
        rows.push(cells);
    }
    format!("{} w", rows.join("/"))
}
