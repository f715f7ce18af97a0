//! The cost of isolation: the same calls of the same library, in this process and in a
//! worker process, alternating so that other load on the machine affects both alike.
//!
//! ```sh
//! cargo bench -p pentad-host --bench isolation
//! ```

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_host::{Confinement, IsolationOptions, NoObserver, Position, Ruleset, WorkerCommand};
use pentad_model::{Control, Limits, Report, Request};

/// Calls per turn, and number of turns.
const CALLS: u32 = 200;
const TURNS: usize = 50;
const LONG_LIST_TURNS: usize = 15;
/// A position of Pentagame with four players: 379,173 legal moves.
const MANY_MOVES: &str = "b,a,C,D,E/*,*,C,D,E/*,*,C,D,E/*,*,C,D,E c,d,e,C1D,C2D A1B,A2B,A3B,B1C,B2C 1 -";
const SEARCH_TURNS: usize = 101;
/// Duration of the measured hints.
const HINT: Duration = Duration::from_millis(50);

struct NeverStop;

impl Control<String> for NeverStop {
    fn should_stop(&self) -> bool {
        false
    }
    fn report(&self, report: &Report<String>) {
        black_box(report);
    }
}

/// Runs on a thread, as the engine calls rule sets: the C library gives the main thread
/// a heap of its own, which keeps what others return to the system.
fn main() {
    std::thread::spawn(compare).join().expect("nothing panics");
}

fn compare() {
    let pentago = bundled("pentago");
    println!("{:44} {:>12} {:>12} {:>12}", "median", "in process", "isolated", "difference");
    compare_calls("pentago: to_move", &pentago, |rules, position| {
        black_box(rules.to_move(0, position).unwrap());
    });
    compare_calls("pentago: legal_moves (288)", &pentago, |rules, position| {
        let mut n_moves = 0;
        let _complete = rules
            .legal_moves(0, position, "", &mut |mv| {
                n_moves += mv.len();
                ControlFlow::Continue(())
            })
            .unwrap();
        black_box(n_moves);
    });
    compare_calls("pentago: play", &pentago, |rules, position| {
        black_box(rules.play_known(0, position, "b2-1l").unwrap());
    });
    compare_long_lists("pentagame", &bundled("pentagame"));
    compare_searches("pentago: search", &pentago, |rules| {
        let mut searcher = rules.searcher(0, 16 << 20, 1).unwrap();
        Box::new(move |position, request| {
            black_box(searcher.run(position, request, &NeverStop).unwrap());
        })
    });
    compare_searches("pentago: fallback search", &pentago, |rules| {
        let rules = Arc::clone(rules);
        Box::new(move |position, request| {
            black_box(rules.fallback_search(0, position, request, &NeverStop).unwrap());
        })
    });
}

/// Searches a position with a request.
type Search = Box<dyn FnMut(&Position, &Request<String>)>;

fn bundled(name: &str) -> PathBuf {
    let dir = pentad_host::bundled_dir().expect("a running program has a path");
    dir.join(format!("libruleset_{name}{}", std::env::consts::DLL_SUFFIX))
}

fn load(path: &Path) -> [Arc<Ruleset>; 2] {
    let options = IsolationOptions {
        command: WorkerCommand { program: env!("CARGO_BIN_EXE_pentad-host-worker").into(), args: Vec::new() },
        confinement: Confinement::full(2 << 30),
        call_time_max: Duration::from_secs(60),
        stop_time_max: Duration::from_secs(60),
        observer: Arc::new(NoObserver),
    };
    [Ruleset::load(path, None).unwrap(), Ruleset::load_isolated(path, None, &options).unwrap()]
}

fn compare_calls(name: &str, path: &Path, call: impl Fn(&Ruleset, &Position)) {
    let rules = load(path);
    let positions = rules.each_ref().map(|rules| rules.start(0).unwrap());
    let mut took: [Vec<Duration>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for ((rules, position), took) in rules.iter().zip(&positions).zip(&mut took) {
            let began = Instant::now();
            for _ in 0..CALLS {
                call(rules, position);
            }
            took.push(began.elapsed() / CALLS);
        }
    }
    let [here, there] = took.map(median);
    let micros = |it: Duration| it.as_nanos() as f64 / 1000.0;
    let difference = micros(there) - micros(here);
    println!("{name:44} {:9.1} µs {:9.1} µs {difference:9.1} µs", micros(here), micros(there));
}

/// Measures the longest list, and the share of the socket: as many bytes in parts of
/// the same size, read and discarded by a thread that does nothing else.
fn compare_long_lists(name: &str, path: &Path) {
    let rules = load(path);
    let variant = rules[0].variant_idx("4p").unwrap();
    let position = rules.each_ref().map(|rules| rules.parse(variant, MANY_MOVES).unwrap());
    let mut took: [Vec<Duration>; 3] = [Vec::new(), Vec::new(), Vec::new()];
    let (mut n_moves, mut n_bytes) = (0, 0);
    for _ in 0..LONG_LIST_TURNS {
        for side in 0..2 {
            (n_moves, n_bytes) = (0_usize, 0);
            let began = Instant::now();
            let mut visit = |mv: &str| {
                (n_moves, n_bytes) = (n_moves + 1, n_bytes + mv.len() + 1);
                ControlFlow::Continue(())
            };
            let _complete = rules[side].legal_moves(variant, &position[side], "", &mut visit).unwrap();
            took[side].push(began.elapsed());
        }
        took[2].push(through_a_socket(n_bytes));
    }
    let [here, there, socket] = took.map(median);
    let millis = |it: Duration| it.as_nanos() as f64 / 1e6;
    let difference = 100.0 * (there.as_secs_f64() / here.as_secs_f64() - 1.0);
    let list = format!("{name}: legal_moves ({n_moves}, {} KiB)", n_bytes >> 10);
    println!("{list:44} {:9.2} ms {:9.2} ms {difference:9.1} %", millis(here), millis(there));
    let share = 100.0 * socket.as_secs_f64() / there.as_secs_f64();
    println!("{:44} {:>12} {:9.2} ms {share:9.1} % of it", "  of which the socket alone", "", millis(socket));
}

/// Sends this many bytes in parts of 32 KiB, each answered, as a list of moves is.
fn through_a_socket(n_bytes: usize) -> Duration {
    use std::io::{Read as _, Write as _};

    const PART: usize = 32 << 10;
    let (mut sender, mut receiver) = std::os::unix::net::UnixStream::pair().unwrap();
    let n_parts = n_bytes.div_ceil(PART);
    let sending = std::thread::spawn(move || {
        let (part, mut answer) = (vec![b'a'; PART], [0]);
        for _ in 0..n_parts {
            sender.write_all(&part).unwrap();
            sender.read_exact(&mut answer).unwrap();
        }
    });
    let began = Instant::now();
    let mut part = vec![0; PART];
    for _ in 0..n_parts {
        receiver.read_exact(&mut part).unwrap();
        receiver.write_all(&[1]).unwrap();
    }
    let took = began.elapsed();
    sending.join().unwrap();
    took
}

/// Searches each position once on either side, so that no table knows it already.
fn compare_searches(name: &str, path: &Path, make: impl Fn(&Arc<Ruleset>) -> Search) {
    let rules = load(path);
    let mut searches = rules.each_ref().map(&make);
    let mut timed = |side: usize, game: usize, nodes: u64| {
        let position = middle_game(&rules[side], game);
        let request = Request::new(Limits { nodes: Some(nodes), ..Limits::default() });
        let began = Instant::now();
        searches[side](&position, &request);
        began.elapsed()
    };
    // As many nodes as take the time of a hint here, whatever else the machine does.
    let (mut nodes, mut games) = (500, 0..);
    while median(games.by_ref().take(7).map(|game| timed(0, game, nodes)).collect()) < HINT {
        nodes += nodes / 4;
    }
    // Positions differ much, and so does the machine over time: the result is the ratio
    // of the two times of one position, measured one after the other.
    let mut took: Vec<[Duration; 2]> = Vec::new();
    for game in 1000..1000 + SEARCH_TURNS {
        let (first, second) = if game % 2 == 0 { (0, 1) } else { (1, 0) };
        let mut pair = [Duration::ZERO; 2];
        for side in [first, second] {
            pair[side] = timed(side, game, nodes);
        }
        took.push(pair);
    }
    took.retain(|[here, _]| *here >= HINT / 5);
    took.sort_unstable_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let at = |share: usize| 100.0 * (ratio(&took[took.len() * share / 4]) - 1.0);
    let [here, there] = [0, 1].map(|side| median(took.iter().map(|pair| pair[side]).collect()));
    let millis = |it: Duration| it.as_nanos() as f64 / 1e6;
    let name = format!("{name}, {nodes} nodes");
    println!("{name:44} {:9.2} ms {:9.2} ms {:9.1} %", millis(here), millis(there), at(2));
    println!("{:44} quartiles {:.1} and {:.1} % of {} positions", "", at(1), at(3), took.len());
}

fn ratio([here, there]: &[Duration; 2]) -> f64 {
    there.as_secs_f64() / here.as_secs_f64()
}

/// Returns a position that no book knows and no search solves at once; another for each
/// game.
fn middle_game(rules: &Ruleset, game: usize) -> Position {
    let mut position = rules.start(0).unwrap();
    for ply in 0..10 {
        let mut moves = Vec::new();
        let _complete = rules
            .legal_moves(0, &position, "", &mut |mv| {
                moves.push(mv.to_owned());
                ControlFlow::Continue(())
            })
            .unwrap();
        let move_idx = (ply * 7919 + game * 104_729 + 13) % moves.len();
        position = rules.play_known(0, &position, &moves[move_idx]).unwrap();
    }
    position
}

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort_unstable();
    took[took.len() / 2]
}
