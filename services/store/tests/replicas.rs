//! Two servers that share a store, as operators run them. `.ci/redis` runs this, with the
//! service's binary in `PENTAD`.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use redis::{Commands, Connection};
use serde_json::{Value, json};

use support::assert_eventually;
use support::redis_server::{RedisServer, secret_file};

/// White wins with `e1`.
const WON: &str = "wwww2/6/bbbb2/6/6/6 w";

/// A server in its own process.
struct Replica {
    process: Child,
    log: Arc<Mutex<String>>,
    rest: String,
    admin: String,
}

impl Replica {
    async fn start(store: &str) -> Replica {
        let program = std::env::var_os("PENTAD").expect("PENTAD names the service's binary");
        let mut command = Command::new(program);
        for port in ["--grpc-listen", "--rest-listen", "--admin-listen"] {
            command.args([port, "127.0.0.1:0"]);
        }
        // Generous timeouts for slow machines.
        command.args(["--store-shared-ms-max", "10000", "--hang-grace-ms", "60000", "--store", store]);
        command.env("PENTAD_STORE_SECRET", secret_file());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("PENTAD starts");
        let log = Arc::new(Mutex::new(String::new()));
        let stderr = BufReader::new(process.stderr.take().expect("it is piped"));
        let lines = log.clone();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).for_each(|line| lines.lock().unwrap().push_str(&format!("{line}\n")));
        });
        let listening = assert_eventually("it listens", || {
            let log = log.lock().unwrap().clone();
            log.lines().find_map(|line| line.strip_prefix("listening ").map(str::to_owned)).ok_or(log)
        })
        .await;
        let port = |name: &str| {
            let found = listening.split(' ').find_map(|part| part.strip_prefix(name));
            found.unwrap_or_else(|| panic!("no {name} in `{listening}`")).to_owned()
        };
        Replica { rest: port("rest="), admin: port("admin="), process, log }
    }

    fn hint(&self, question: &Value) -> Value {
        let answer = http(&self.rest, "POST", "/v1/games/pentago/hints", &question.to_string());
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// Sends a question; dropping the stream abandons it.
    fn ask(&self, question: &Value) -> TcpStream {
        request(&self.rest, "POST", "/v1/games/pentago/hints", &question.to_string())
    }

    fn get(&self, path: &str) -> String {
        http(&self.admin, "GET", path, "")
    }

    /// Returns the sum over all series with this prefix.
    fn metric(&self, series: &str) -> f64 {
        let metrics = self.get("/metrics");
        let values = metrics.lines().filter(|line| line.starts_with(series)).filter_map(|line| line.rsplit(' ').next());
        values.map(|value| value.parse::<f64>().expect("a number")).sum()
    }

    fn n_searches(&self) -> f64 {
        self.metric("pentad_search_duration_seconds_count")
    }

    /// Kills the process without a shutdown.
    fn kill(&mut self) {
        self.process.kill().expect("it is this process's own");
        self.process.wait().expect("it is this process's own");
    }

    /// Stops it as an orchestrator does, and returns what it logged.
    async fn stop(mut self) -> String {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("there is kill").success());
        let status = assert_eventually("it ends", || {
            let status = self.process.try_wait().expect("it is this process's own");
            status.ok_or_else(|| "it runs".to_owned())
        })
        .await;
        let log = self.log.lock().unwrap().clone();
        assert!(status.success(), "{status}: {log}");
        log
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends a request and returns its connection.
fn request(address: &str, method: &str, path: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head = format!("{method} {path} HTTP/1.0\r\nhost: localhost\r\ncontent-type: application/json\r\n");
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).expect("it reads");
    stream
}

/// Returns the body of a successful response.
fn http(address: &str, method: &str, path: &str, body: &str) -> String {
    let mut stream = request(address, method, path, body);
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("it answers");
    let (head, body) = response.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{response}"));
    assert!(head.contains(" 200 "), "{response}");
    body.to_owned()
}

/// Returns the value of the only lease: `TOKEN:ENDS_MS`.
fn lease(connection: &mut Connection) -> Option<String> {
    let leases: Vec<String> = connection.keys("pentad:1:lease:*").expect("keys");
    leases.first().and_then(|lease| connection.get(lease).expect("a text"))
}

/// Returns the lease if its search ends within `limit` by the server's clock. The end is
/// fixed when the search is claimed, so a question asked later than that with a time limit
/// of more than `limit` is due after the search, however slow the machine is.
fn ends_before(connection: &mut Connection, limit: Duration) -> Result<String, String> {
    let lease = lease(connection).ok_or("the search is not claimed")?;
    let ends_ms = lease.rsplit(':').next().and_then(|ends| ends.parse::<u64>().ok()).ok_or("no end")?;
    let (seconds, micros): (u64, u64) = redis::cmd("TIME").query(connection).expect("the time");
    let left = Duration::from_millis(ends_ms.saturating_sub(seconds * 1_000 + micros / 1_000));
    if left < limit { Ok(lease) } else { Err(format!("it ends in {left:?}")) }
}

/// A proof found by one replica is a cached answer of the other, and both keep serving when
/// the server is killed.
#[tokio::test]
async fn a_proof_of_one_is_the_others_cached_answer() {
    let mut server = RedisServer::start(&["--requirepass", "s3cret"]);
    let store = format!("{}?pass=s3cret", server.url());
    let (one, other) = (Replica::start(&store).await, Replica::start(&store).await);
    let question = json!({"position": WON});
    let found = one.hint(&question);
    assert_eq!((&found["cached"], &found["evaluation"]["certainty"]), (&json!(false), &json!("proven")));
    assert_eventually("it is stored", || {
        match one.metric("pentad_store_writes_total{layer=\"shared\",result=\"stored\"}") {
            1.0 => Ok(()),
            n => Err(format!("{n} stored")),
        }
    })
    .await;
    let again = other.hint(&question);
    assert_eq!((&again["cached"], &again["hints"]), (&json!(true), &found["hints"]));
    assert_eq!(other.n_searches(), 0.0);
    assert_eq!(other.metric("pentad_store_requests_total{layer=\"shared\",result=\"hit\"}"), 1.0);
    assert_eq!(other.metric("pentad_store_up{layer=\"shared\"}"), 1.0);

    server.kill();
    for nodes in 1..=7 {
        let question = json!({"variant": "finnish", "limits": {"nodes": nodes * 1000}});
        assert_eq!(other.hint(&question)["hints"].as_array().map(Vec::len), Some(1));
    }
    assert_eventually("it says so", || match other.metric("pentad_stores_down") {
        1.0 => Ok(()),
        n => Err(format!("{n} stores are down: {}", other.get("/plugins"))),
    })
    .await;
    assert_eq!(other.get("/readyz"), "ready\n");
    let plugins: Value = serde_json::from_str(&other.get("/plugins")).expect("JSON");
    let shared = &plugins["stores"][0];
    assert_eq!((&shared["layer"], &shared["state"]), (&json!("shared"), &json!("down")), "{shared}");
    assert!(shared["problem"].is_string(), "{shared}");
    assert_eventually("the log says so", || {
        let log = other.log.lock().unwrap().clone();
        if log.contains("going on without the shared store") { Ok(()) } else { Err(log) }
    })
    .await;
    let log = other.stop().await;
    assert_eq!(log.matches("going on without the shared store").count(), 1, "{log}");
    assert!(!log.contains("s3cret") && !shared.to_string().contains("s3cret"), "{log}");
    one.stop().await;
}

/// A search of one replica is not repeated by the other, which answers with the first one's
/// result.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_under_way_is_not_made_again() {
    let server = RedisServer::start(&[]);
    let (one, other) = (Replica::start(&server.url()).await, Replica::start(&server.url()).await);
    let (one, other) = (Arc::new(one), Arc::new(other));
    let ask = |replica: &Arc<Replica>, question: &Value| {
        let (replica, question) = (replica.clone(), question.clone());
        tokio::task::spawn_blocking(move || replica.hint(&question))
    };
    let mut connection = server.connection();
    // A lease that its replica renews too late, because the machine is busy, is taken over: then
    // another position is tried.
    let mut attempts = Vec::new();
    for first in ["a1-2l", "b2-3l", "c3-2r", "a2-1l", "b3-4r", "a3-2l", "b2-1r", "c3-4l"] {
        let question = json!({"variant": "finnish", "moves": [first], "limits": {"timeMs": 4_000}});
        let before = [&one, &other].map(|replica| replica.n_searches());
        let asked = ask(&one, &question);
        // Due a second after the first one's search ends, so that its answer arrives in time.
        assert_eventually("a question asked now would be due a second later", || {
            ends_before(&mut connection, Duration::from_millis(4_000 - 1_000))
        })
        .await;
        let (found, shared) = (ask(&other, &question).await.expect("a hint"), asked.await.expect("a hint"));
        assert_eventually("the lease is released", || {
            let leases: Vec<String> = connection.keys("pentad:1:lease:*").expect("keys");
            if leases.is_empty() { Ok(()) } else { Err(format!("{leases:?}")) }
        })
        .await;
        let n_searches = [one.n_searches() - before[0], other.n_searches() - before[1]];
        if found["cached"] == true && n_searches == [1.0, 0.0] {
            assert_eq!(found["hints"][0]["move"], shared["hints"][0]["move"]);
            attempts.clear();
            break;
        }
        attempts.push((n_searches, found));
    }
    assert!(attempts.is_empty(), "{attempts:#?}");
    for replica in [one, other] {
        Arc::into_inner(replica).expect("nobody asks any more").stop().await;
    }
}

/// However long the search of a killed replica would have taken, a waiting replica soon
/// searches in its place.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_of_a_killed_replica_is_taken_over() {
    let server = RedisServer::start(&[]);
    let (mut one, other) = (Replica::start(&server.url()).await, Replica::start(&server.url()).await);
    let question = json!({"variant": "finnish", "limits": {"timeMs": 50_000}});
    let mut connection = server.connection();
    let asked = one.ask(&question);
    // The other replica waits only if its question is due later than the first one's.
    let first = assert_eventually("a question asked now would be due later", || {
        ends_before(&mut connection, Duration::from_millis(50_000 - 200))
    })
    .await;
    let mut holder = || lease(&mut connection);
    let waiting = other.ask(&question);
    assert_eventually("it has looked for an answer, and waits", || {
        match other.metric("pentad_store_requests_total{layer=\"shared\",result=\"miss\"}") {
            1.0 => Ok(()),
            n => Err(format!("{n} lookups")),
        }
    })
    .await;
    one.kill();
    let killed = Instant::now();
    assert_eventually("the other one claims it", || match holder() {
        Some(holder) if holder != first => Ok(()),
        holder => Err(format!("{holder:?}")),
    })
    .await;
    println!("free {} ms after its holder was killed", killed.elapsed().as_millis());
    assert_eventually("it searches", || match other.metric("pentad_workers_busy") {
        1.0.. => Ok(()),
        n => Err(format!("{n} workers are busy")),
    })
    .await;
    drop((asked, waiting));
    assert_eventually("nobody waits, and the lease is released", || holder().map_or(Ok(()), Err)).await;
    other.stop().await;
}
