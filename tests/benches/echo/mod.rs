//! A bare gRPC echo server as a baseline, and a client with the same cost for every server.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::uri::PathAndQuery;
use tonic::codegen::{BoxFuture, Service};
use tonic::transport::Channel;
use tonic_prost::ProstCodec;

pub(crate) const CONCURRENT: usize = 32;
const CONNECTIONS: usize = 4;
pub(crate) const ROUNDS: usize = 9;
const ROUND: Duration = Duration::from_secs(1);
pub(crate) const ECHO_PATH: &str = "/bench.Echo/Echo";

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime")
}

/// One round of one server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) n_calls: u64,
    /// CPU time of the server.
    pub(crate) cpu: Duration,
}

/// Prints the results of rounds that alternate between the servers, the echo first. A ratio
/// compares a round with the echo's of the same turn, so that temporary load slows both; the
/// median of the turns counts.
pub(crate) fn print_ratios<'a>(servers: impl Iterator<Item = (&'a str, &'a Vec<Round>)> + Clone) {
    let cpu_us = |rounds: &[Round]| {
        let cpu: Duration = rounds.iter().map(|round| round.cpu).sum();
        // Over all rounds, because it is counted in coarse steps.
        cpu.as_secs_f64() * 1e6 / rounds.iter().map(|round| round.n_calls).sum::<u64>() as f64
    };
    let Some((_, echo)) = servers.clone().next() else { return };
    println!("{:18} {:>8} {:>12}    ratios to the echo", "", "", "us of CPU");
    println!("{:18} {:>8} {:>12}    calls/s (all turns)    CPU", "", "calls/s", "a call");
    for (name, rounds) in servers {
        let [_, calls, _] = spread(rounds.iter().map(|round| round.n_calls as f64 / ROUND.as_secs_f64()));
        let turns = rounds.iter().zip(echo);
        let [low, ratio, high] = spread(turns.map(|(round, echo)| round.n_calls as f64 / echo.n_calls as f64));
        let cpu = cpu_us(rounds);
        println!(
            "  {name:16} {calls:>8.0} {cpu:>12.1}    {ratio:.2} ({low:.2} to {high:.2})    {:.2}",
            cpu / cpu_us(echo)
        );
    }
}

/// Returns the lowest, the median and the highest.
fn spread(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    [0, sorted.len() / 2, sorted.len() - 1].map(|idx| sorted[idx])
}

/// Calls as fast as the server answers, for one round, with one message after the other.
pub(crate) async fn load(address: SocketAddr, path: &'static str, messages: &[Bytes]) -> u64 {
    let mut channels = Vec::new();
    for _ in 0..CONNECTIONS {
        channels.push(channel(address).await);
    }
    let n_calls = Arc::new(AtomicU64::new(0));
    let end = Instant::now() + ROUND;
    let callers: Vec<_> = (0..CONCURRENT)
        .map(|caller| {
            let (channel, n_calls) = (channels[caller % CONNECTIONS].clone(), n_calls.clone());
            let messages = messages.to_vec();
            tokio::spawn(async move {
                let mut number = caller * messages.len() / CONCURRENT;
                while Instant::now() < end {
                    raw_call(&channel, path, messages[number % messages.len()].clone()).await;
                    number += 1;
                    n_calls.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.expect("no caller fails");
    }
    n_calls.load(Ordering::Relaxed)
}

pub(crate) async fn channel(address: SocketAddr) -> Channel {
    let endpoint = Channel::from_shared(format!("http://{address}")).expect("an address");
    endpoint.connect().await.expect("the server listens")
}

/// Makes a unary call without decoding messages, so that the client's cost does not depend on
/// the call.
pub(crate) async fn raw_call(channel: &Channel, path: &'static str, message: Bytes) -> Bytes {
    let mut grpc = tonic::client::Grpc::new(channel.clone());
    grpc.ready().await.expect("the channel is open");
    let response = grpc.unary(tonic::Request::new(message), PathAndQuery::from_static(path), Raw).await;
    response.expect("an answer").into_inner()
}

/// A codec that passes bytes through.
#[derive(Clone, Copy, Default)]
struct Raw;

impl tonic::codec::Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Raw;
    type Decoder = Raw;
    fn encoder(&mut self) -> Raw {
        Raw
    }
    fn decoder(&mut self) -> Raw {
        Raw
    }
}

impl tonic::codec::Encoder for Raw {
    type Item = Bytes;
    type Error = tonic::Status;
    fn encode(&mut self, item: Bytes, buffer: &mut tonic::codec::EncodeBuf<'_>) -> Result<(), tonic::Status> {
        bytes::BufMut::put(buffer, item);
        Ok(())
    }
}

impl tonic::codec::Decoder for Raw {
    type Item = Bytes;
    type Error = tonic::Status;
    fn decode(&mut self, buffer: &mut tonic::codec::DecodeBuf<'_>) -> Result<Option<Bytes>, tonic::Status> {
        let len = bytes::Buf::remaining(buffer);
        Ok(Some(bytes::Buf::copy_to_bytes(buffer, len)))
    }
}

/// A process that serves gRPC.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts the process on core 0 and waits for the line that names its port.
    pub(crate) fn start(command: &mut Command) -> Server {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the server starts");
        pin(child.id(), 0);
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let address = loop {
            let line = lines.next().expect("it says where it listens").expect("a line");
            if let Some(address) = line.split_whitespace().find_map(|word| word.strip_prefix("grpc=")) {
                break address.parse().expect("an address");
            }
        };
        // The rest is read so that the server never blocks on the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, address }
    }

    /// Returns the CPU time used, user and system.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        let ticks: u64 = after_name.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
        // Linux counts in hundredths of a second on every common platform.
        Duration::from_millis(ticks * 10)
    }
}

/// Pins a process to one core, where `taskset` is available.
pub(crate) fn pin(process: u32, core: u32) {
    let pinned = Command::new("taskset")
        .args(["-a", "-c", "-p", &core.to_string(), &process.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !pinned.is_ok_and(|status| status.success()) {
        println!("process {process} is not pinned to core {core}");
    }
}

/// Serves a bare unary echo.
pub(crate) async fn echo_server() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    eprintln!("listening grpc={}", listener.local_addr().expect("an address"));
    // TCP_NODELAY, as in the server it is compared with.
    let incoming = tonic::transport::server::TcpIncoming::from(listener).with_nodelay(Some(true));
    tonic::transport::Server::builder().add_service(Echo).serve_with_incoming(incoming).await.expect("it serves");
}

#[derive(Clone)]
struct Echo;

impl tonic::server::NamedService for Echo {
    const NAME: &'static str = "bench.Echo";
}

impl Service<http::Request<tonic::body::Body>> for Echo {
    type Response = http::Response<tonic::body::Body>;
    type Error = std::convert::Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Self::Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<tonic::body::Body>) -> Self::Future {
        Box::pin(async move {
            let mut grpc = tonic::server::Grpc::new(ProstCodec::<Bytes, Bytes>::default());
            Ok(grpc.unary(EchoService, request).await)
        })
    }
}

struct EchoService;

impl tonic::server::UnaryService<Bytes> for EchoService {
    type Response = Bytes;
    type Future = BoxFuture<tonic::Response<Bytes>, tonic::Status>;

    fn call(&mut self, request: tonic::Request<Bytes>) -> Self::Future {
        Box::pin(async move { Ok(tonic::Response::new(request.into_inner())) })
    }
}
