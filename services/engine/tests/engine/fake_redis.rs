//! A server that understands what shared stores send, and whose values a test can change.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

type Values = Arc<Mutex<HashMap<String, Vec<u8>>>>;

/// The server. It ends with the process.
pub(crate) struct FakeRedis {
    pub(crate) address: SocketAddr,
    values: Values,
}

impl FakeRedis {
    pub(crate) fn start() -> FakeRedis {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (address, values) = (listener.local_addr().expect("it is bound"), Values::default());
        let shared = values.clone();
        std::thread::spawn(move || {
            for peer in listener.incoming().flatten() {
                let values = shared.clone();
                std::thread::spawn(move || serve(peer, &values));
            }
        });
        FakeRedis { address, values }
    }

    /// Returns the keys of answers, sorted.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.values.lock().unwrap().keys().cloned().collect();
        keys.sort_unstable();
        keys
    }

    /// Copies a value to another key.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        let mut values = self.values.lock().unwrap();
        let value = values.get(from).expect("there is such a key").clone();
        values.insert(to.to_owned(), value);
    }
}

/// Answers the commands of a connection.
fn serve(peer: TcpStream, values: &Values) {
    let mut writer = peer.try_clone().expect("a second handle");
    let mut reader = BufReader::new(peer);
    while let Some(command) = read_command(&mut reader) {
        let reply = reply(&command, &mut values.lock().unwrap());
        if writer.write_all(&reply).is_err() {
            return;
        }
    }
}

/// Reads an array of bulk strings; `None` at the end.
fn read_command(reader: &mut impl BufRead) -> Option<Vec<Vec<u8>>> {
    let number = |sign: char, reader: &mut dyn BufRead| {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        line.trim_end().strip_prefix(sign)?.parse::<usize>().ok()
    };
    let n_args = number('*', reader)?;
    let mut args = Vec::new();
    for _ in 0..n_args {
        let mut bytes = vec![0; number('$', reader)? + 2];
        reader.read_exact(&mut bytes).ok()?;
        bytes.truncate(bytes.len() - 2);
        args.push(bytes);
    }
    Some(args)
}

fn reply(command: &[Vec<u8>], values: &mut HashMap<String, Vec<u8>>) -> Vec<u8> {
    let text = |idx: usize| command.get(idx).map_or_else(String::new, |arg| String::from_utf8_lossy(arg).into_owned());
    let bulk = |value: &[u8]| [format!("${}\r\n", value.len()).as_bytes(), value, b"\r\n"].concat();
    match (text(0).as_str(), text(1)) {
        ("GETRANGE", key) => bulk(values.get(&key).map_or(&[][..], Vec::as_slice)),
        ("HGETALL", _) => b"*0\r\n".to_vec(),
        ("DEL", key) => format!(":{}\r\n", u8::from(values.remove(&key).is_some())).into_bytes(),
        // A claim; all are granted.
        ("EVAL", script) if script.contains("'TIME'") => b"*2\r\n:1\r\n$5\r\ntoken\r\n".to_vec(),
        ("EVAL", script) if script.contains("rank_len") => {
            let (key, value, rank_len) = (text(3), &command[4], text(5).parse::<usize>().expect("a length"));
            let is_better = values.get(&key).is_none_or(|present| value[..rank_len] > present[..rank_len]);
            if is_better {
                values.insert(key, value.clone());
            }
            format!(":{}\r\n", u8::from(is_better)).into_bytes()
        }
        ("EVAL", _) => b":1\r\n".to_vec(),
        _ => b"+OK\r\n".to_vec(),
    }
}
