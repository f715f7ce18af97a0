//! `pentad health`: queries `/readyz` of a running server, for probes without
//! curl.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use clap::Args;

use crate::config::Config;

const TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub(super) struct HealthArgs {
    /// The server's admin port; the setting `admin_listen` by default
    #[arg(long, value_name = "HOST:PORT")]
    admin: Option<SocketAddr>,
}

pub(super) fn run(args: &HealthArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let address = reachable(args.admin.unwrap_or(config.admin_listen));
    let response = get_readyz(address).map_err(|error| format!("{address} does not answer: {error}"))?;
    let (head, body) = response.split_once("\r\n\r\n").unwrap_or((&response, ""));
    if head.split(' ').nth(1) == Some("200") {
        println!("{}", body.trim());
        return Ok(());
    }
    Err(format!("{address} is not ready: {}", body.trim()).into())
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
