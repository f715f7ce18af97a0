//! The encrypted connection to a collector, trusting the authorities that the system
//! trusts.

use std::error::Error;
use std::io;
use std::sync::Arc;

use http::Uri;
use hyper_util::rt::TokioIo;
use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tonic::transport::{Channel, Endpoint};

/// Makes a channel that connects with its first call. Fails if the system trusts no
/// authority.
pub(super) fn channel(endpoint: &Endpoint) -> Result<Channel, Box<dyn Error + Send + Sync>> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err("otlp_endpoint: the system trusts no certificate authority; install its certificates".into());
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let mut config = builder.with_safe_default_protocol_versions()?.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let connector = TlsConnector::from(Arc::new(config));
    let connect = tower::service_fn(move |uri: Uri| connect(connector.clone(), uri));
    Ok(endpoint.connect_with_connector_lazy(connect))
}

async fn connect(connector: TlsConnector, uri: Uri) -> io::Result<TokioIo<TlsStream<TcpStream>>> {
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let name = ServerName::try_from(host.clone()).map_err(io::Error::other)?;
    let socket = TcpStream::connect((host, uri.port_u16().unwrap_or(443))).await?;
    Ok(TokioIo::new(connector.connect(name, socket).await?))
}
