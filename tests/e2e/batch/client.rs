//! A client for batches on both edges, with lines of JSON.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::grpc::{GrpcClient, decode_for, encode_for};
use crate::support::{TIMEOUT, TestServer};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Rest,
    Grpc,
}

type Lines = Pin<Box<dyn futures_util::Stream<Item = Result<Bytes, String>> + Send>>;

/// An open batch.
pub(crate) struct Stream {
    sender: Sender,
    receiver: Receiver,
}

/// Sends lines. Dropping it ends the batch.
pub(crate) struct Sender {
    edge: Edge,
    lines: mpsc::Sender<Bytes>,
}

pub(crate) struct Receiver {
    edge: Edge,
    pieces: Lines,
    buffer: BytesMut,
    /// Keeps the client from closing a connection that it does not read.
    _grpc: GrpcClient,
}

impl Stream {
    pub(crate) async fn open(server: &TestServer, edge: Edge) -> Stream {
        Stream::open_with(server, edge, |request| request, server.grpc()).await
    }

    /// Opens a batch with a modified request or another gRPC client.
    pub(crate) async fn open_with(
        server: &TestServer,
        edge: Edge,
        change: impl FnOnce(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
        grpc: GrpcClient,
    ) -> Stream {
        let (lines, receiver) = mpsc::channel::<Bytes>(1);
        let body = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
        let pieces: Lines = match edge {
            Edge::Rest => {
                let body = reqwest::Body::wrap_stream(body.map(Ok::<_, Infallible>));
                let request = change(server.http.post(server.rest_url("/v1/batch"))).body(body);
                let response = request.send().await.expect("the server answers");
                assert_eq!(response.status(), 200, "{response:?}");
                Box::pin(response.bytes_stream().map(|piece| piece.map_err(|error| error.to_string())))
            }
            Edge::Grpc => {
                let messages = grpc.bidirectional("Batch", body).await.expect("the server answers");
                Box::pin(messages.map(|piece| piece.map_err(|status| status.to_string())))
            }
        };
        let receiver = Receiver { edge, pieces, buffer: BytesMut::new(), _grpc: grpc };
        Stream { sender: Sender { edge, lines }, receiver }
    }

    pub(crate) fn split(self) -> (Sender, Receiver) {
        (self.sender, self.receiver)
    }
}

impl Sender {
    /// Waits until there is room for the line.
    pub(crate) async fn send(&self, line: &Value) {
        // The server may have ended the batch.
        let _ = self.lines.send(self.encode(line)).await;
    }

    fn encode(&self, line: &Value) -> Bytes {
        match self.edge {
            Edge::Rest => format!("{line}\n").into(),
            Edge::Grpc => encode_for("Batch", &message(line.clone())),
        }
    }
}

/// Converts a line of REST to gRPC's message.
fn message(mut line: Value) -> Value {
    if line["cancel"].is_string() {
        return line;
    }
    let fields = line.as_object_mut().expect("lines are objects");
    let id = fields.remove("id").unwrap_or_default();
    let priority = fields.remove("priority").map_or("PRIORITY_UNSPECIFIED".to_owned(), |word| {
        format!("PRIORITY_{}", word.as_str().expect("a word").to_uppercase())
    });
    let kind = fields.remove("kind").expect("a kind");
    let kind = kind.as_str().expect("a word").replace("legal-moves", "legalMoves");
    if let Some(detail) = fields.get_mut("detail") {
        *detail = format!("DETAIL_{}", detail.as_str().expect("a word").to_uppercase()).into();
    }
    json!({"question": {"id": id, "priority": priority, kind: line}})
}

impl Receiver {
    /// Returns the next line, in REST's form.
    pub(crate) async fn next(&mut self) -> Value {
        self.try_next().await.expect("there is another line")
    }

    pub(crate) async fn next_but_progress(&mut self) -> Value {
        loop {
            let output = self.next().await;
            if output["progress"].is_null() {
                return output;
            }
        }
    }

    /// Panics if anything follows.
    pub(crate) async fn assert_ended(&mut self) {
        let more = self.try_next().await;
        assert!(more.is_none(), "after the last line: {more:?}");
    }

    /// Returns everything that follows except progress.
    pub(crate) async fn rest(&mut self) -> Vec<Value> {
        let mut outputs = Vec::new();
        while let Some(output) = self.try_next().await {
            if output["progress"].is_null() {
                outputs.push(output);
            }
        }
        outputs
    }

    /// Counts the messages that follow except progress.
    pub(crate) async fn count_rest(&mut self) -> usize {
        let mut n_messages = 0;
        while let Some(message) = timeout(TIMEOUT, self.pieces.next()).await.expect("the stream goes on") {
            // Field 3, length-delimited.
            n_messages += usize::from(message.expect("the stream is whole").first() != Some(&0x1a));
        }
        n_messages
    }

    /// Returns `None` at the end; panics if the stream breaks off.
    pub(crate) async fn try_next(&mut self) -> Option<Value> {
        loop {
            if self.edge == Edge::Rest
                && let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n')
            {
                let line = self.buffer.split_to(end + 1);
                return Some(serde_json::from_slice(&line).expect("lines are JSON"));
            }
            let piece = timeout(TIMEOUT, self.pieces.next()).await.expect("the stream goes on");
            match piece {
                Some(piece) => {
                    let piece = piece.expect("the stream is whole");
                    if self.edge == Edge::Grpc {
                        return Some(rest_form(&decode_for("Batch", piece)));
                    }
                    self.buffer.extend_from_slice(&piece);
                }
                None => {
                    assert!(self.buffer.is_empty(), "the last line is whole");
                    return None;
                }
            }
        }
    }
}

/// Converts a message of gRPC to the form of a line.
fn rest_form(message: &Value) -> Value {
    let (name, mut value) = message
        .as_object()
        .and_then(|fields| fields.iter().find(|(_, value)| !value.is_null()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .expect("one field is set");
    match name.as_str() {
        "answer" => {
            let id = value["id"].take();
            let kinds = ["position", "legalMoves", "evaluation", "hints", "compare", "threats", "judge"];
            let answer = kinds.iter().find(|kind| value[**kind].is_object()).map(|kind| value[*kind].take());
            json!({"id": id, "answer": answer.expect("an answer of a kind")})
        }
        "error" => json!({"id": value["id"].take(), "line": value["line"].take(), "error": value}),
        _ => json!({ name: value }),
    }
}

/// Sends a head, waits for `100 Continue`, sends the body and reads to the end.
pub(crate) async fn raw_with_continue(address: SocketAddr, head: &str, body: &str) -> String {
    let exchange = async {
        let mut connection = TcpStream::connect(address).await.expect("the server listens");
        connection.write_all(head.as_bytes()).await.expect("it is read");
        let mut text = vec![0; 1024];
        let n_read = connection.read(&mut text).await.expect("the server goes on");
        text.truncate(n_read);
        connection.write_all(body.as_bytes()).await.expect("it is read");
        connection.read_to_end(&mut text).await.expect("the connection is closed in order");
        String::from_utf8(text).expect("UTF-8")
    };
    timeout(TIMEOUT, exchange).await.expect("the server answers")
}

/// A batch over HTTP/1.1 whose answers are read on demand, with small buffers before that.
pub(crate) struct SlowConnection(OwnedReadHalf, JoinHandle<OwnedWriteHalf>);

impl SlowConnection {
    pub(crate) async fn open(address: SocketAddr, body: String) -> SlowConnection {
        let socket = TcpSocket::new_v4().expect("the system has sockets");
        socket.set_recv_buffer_size(32 * 1024).expect("sockets can be small");
        let (read, mut write) = socket.connect(address).await.expect("the server listens").into_split();
        let length = body.len();
        let head = format!(
            "POST /v1/batch HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
        );
        let writing = tokio::spawn(async move {
            write.write_all((head + &body).as_bytes()).await.expect("it is read in the end");
            // Dropping it would close the connection.
            write
        });
        SlowConnection(read, writing)
    }

    pub(crate) async fn read_to_end(&mut self) -> String {
        let mut text = Vec::new();
        timeout(TIMEOUT, self.0.read_to_end(&mut text)).await.expect("the server goes on").expect("it is whole");
        (&mut self.1).await.expect("no panic");
        String::from_utf8(text).expect("UTF-8")
    }
}
