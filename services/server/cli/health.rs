//! `pentad health`: queries `/readyz` of a running server, for probes without
//! curl.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::text::print_json;
use crate::config::Config;

const TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub(super) struct HealthArgs {
    /// The server's admin port; the setting `admin_listen` by default
    #[arg(long, value_name = "HOST:PORT")]
    admin: Option<SocketAddr>,
    /// Prints the result as JSON, also if the server is not ready
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Health {
    address: SocketAddr,
    ready: bool,
    /// What the server says, or why it does not answer.
    status: String,
}

pub(super) fn run(args: &HealthArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let address = reachable(args.admin.unwrap_or(config.admin_listen));
    let (ready, status, failure) = match get_readyz(address) {
        Ok(response) => {
            let (head, body) = response.split_once("\r\n\r\n").unwrap_or((&response, ""));
            let status = body.trim().to_owned();
            let failure = format!("{address} is not ready: {status}");
            (head.split(' ').nth(1) == Some("200"), status, failure)
        }
        Err(error) => (false, error.to_string(), format!("{address} does not answer: {error}")),
    };
    if args.json {
        print_json(&Health { address, ready, status })?;
    } else if ready {
        println!("{status}");
    }
    if ready { Ok(()) } else { Err(failure.into()) }
}

/// The address at which this machine reaches a server that listens there.
pub(super) fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() { [127, 0, 0, 1].into() } else { std::net::Ipv6Addr::LOCALHOST.into() });
    }
    address
}

fn get_readyz(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    let mut response = String::new();
    stream.take(4096).read_to_string(&mut response)?;
    Ok(response)
}
