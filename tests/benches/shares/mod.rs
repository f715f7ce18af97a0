//! How callers share the workers: positions searched per answer, beside those of a single caller.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::served::{Server, position};

const N_CALLERS: [usize; 6] = [1, 2, 4, 8, 16, 32];
const N_WORKERS: usize = 2;
const LIMIT: Duration = Duration::from_millis(100);
/// An answer is late if it arrives this long after its limit.
const LATE: Duration = Duration::from_millis(20);
const MEASURED: Duration = Duration::from_secs(5);

/// Answers to callers that ask again as soon as they have one.
#[derive(Clone, Copy, Default)]
struct Answers {
    n_answers: u64,
    n_nodes: u64,
    n_late: u64,
    n_failed: u64,
    slowest: Duration,
}

/// Prints a row for each number of callers.
pub(crate) async fn measure() {
    let server = Server::start(&["--workers", &N_WORKERS.to_string()]);
    let (client, n_asked) = (reqwest::Client::builder().no_proxy().build().expect("a client"), Arc::default());
    let url = format!("http://{}/v1/games/pentago/hints", server.rest);
    println!("hints of {} ms with {N_WORKERS} workers:", LIMIT.as_millis());
    println!("callers  answers/s  nodes/answer  of one caller    fair  ratio  CPU  late  slowest ms  failed");
    let mut of_one = 0.0;
    for n_callers in N_CALLERS {
        let (begin, cpu) = (Instant::now(), server.cpu());
        let mut callers = JoinSet::new();
        for _ in 0..n_callers {
            callers.spawn(ask_in_a_loop(client.clone(), url.clone(), Arc::clone(&n_asked), begin + MEASURED));
        }
        let answers = callers.join_all().await.into_iter().fold(Answers::default(), Answers::and);
        let seconds = begin.elapsed().as_secs_f64();
        let nodes = answers.n_nodes as f64 / answers.n_answers.max(1) as f64;
        of_one = if n_callers == 1 { nodes } else { of_one };
        let (share, fair) = (nodes / of_one, (N_WORKERS as f64 / n_callers as f64).min(1.0));
        println!(
            "{n_callers:>7} {:>10.1} {nodes:>13.0} {:>13.1} % {:>5.1} % {:>6.2} {:>4.2} {:>5} {:>11.0} {:>7}",
            answers.n_answers as f64 / seconds,
            100.0 * share,
            100.0 * fair,
            share / fair,
            (server.cpu() - cpu).as_secs_f64() / seconds,
            answers.n_late,
            answers.slowest.as_secs_f64() * 1e3,
            answers.n_failed,
        );
    }
}

/// Asks for hints of new positions until the end.
async fn ask_in_a_loop(client: reqwest::Client, url: String, n_asked: Arc<AtomicU64>, end: Instant) -> Answers {
    let mut answers = Answers::default();
    while Instant::now() < end {
        // Without an opening book, so that each is searched.
        let position = position(n_asked.fetch_add(1, Ordering::Relaxed));
        let limits = json!({"timeMs": LIMIT.as_millis() as u64});
        let sent = Instant::now();
        let response = client.post(&url).json(&json!({"variant": "finnish", "position": position, "limits": limits}));
        let answer: Option<Value> = match response.send().await {
            Ok(response) if response.status() == 200 => response.json().await.ok(),
            _ => None,
        };
        let latency = sent.elapsed();
        let nodes = answer.as_ref().and_then(|answer| answer["nodes"].as_u64());
        answers = answers.and(Answers {
            n_answers: u64::from(nodes.is_some()),
            n_nodes: nodes.unwrap_or(0),
            n_late: u64::from(latency > LIMIT + LATE),
            n_failed: u64::from(nodes.is_none()),
            slowest: latency,
        });
    }
    answers
}

impl Answers {
    fn and(self, other: Answers) -> Answers {
        Answers {
            n_answers: self.n_answers + other.n_answers,
            n_nodes: self.n_nodes + other.n_nodes,
            n_late: self.n_late + other.n_late,
            n_failed: self.n_failed + other.n_failed,
            slowest: self.slowest.max(other.slowest),
        }
    }
}
