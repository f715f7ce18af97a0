//! A running server: HTTP/1.1, with or without TLS.
//!
//! Connections are kept and used again, one request at a time each. A kept connection may
//! be closed by the server just then; the request is repeated on a new one, since no
//! request changes anything.

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderValue, Request, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::failure::with_causes;
use super::{Body, Failure};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How much longer than its limits an answer may take: a server may be busy.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);

type AnyError = Box<dyn Error + Send + Sync>;

/// A server and the connections to it.
pub(super) struct Remote {
    /// As given, for messages.
    pub(super) url: String,
    host: String,
    port: u16,
    authority: HeaderValue,
    /// Before the paths of the API, for servers behind a proxy.
    path: String,
    tls: Option<TlsConnector>,
    token: Option<HeaderValue>,
    kept: Mutex<Vec<SendRequest<Full<Bytes>>>>,
}

impl Remote {
    pub(super) fn new(url: &str, token: Option<HeaderValue>) -> Result<Remote, Box<dyn Error>> {
        let bad = |what: &str| format!("--server: `{url}` {what}; write http://HOST:PORT or https://HOST");
        let with_scheme = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
        let uri: Uri = with_scheme.parse().map_err(|error| bad(&format!("is not a URL ({error})")))?;
        let is_https = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err(bad("is neither http nor https").into()),
        };
        if uri.query().is_some() || uri.authority().is_none_or(|it| it.as_str().contains('@')) {
            return Err(bad("has a query or a user").into());
        }
        let authority = uri.authority().map_or("", Authority::as_str);
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        Ok(Remote {
            url: url.trim_end_matches('/').to_owned(),
            host,
            port: uri.port_u16().unwrap_or(if is_https { 443 } else { 80 }),
            authority: HeaderValue::from_str(authority)?,
            path: uri.path().trim_end_matches('/').to_owned(),
            tls: is_https.then(tls_connector).transpose()?,
            token,
            kept: Mutex::default(),
        })
    }

    /// Sends a request whose answer may take `time_ms` and a while.
    pub(super) async fn send(&self, request: Request<Full<Bytes>>, time_ms: u64) -> Result<Response<Body>, Failure> {
        let request = self.addressed(request);
        let time_max = ANSWER_TIMEOUT + Duration::from_millis(time_ms);
        while let Some(kept) = self.take_kept() {
            match self.send_on(kept, &request, time_max).await {
                Err(Sending::Closed(_)) => {}
                Err(Sending::Failed(failure)) => return Err(failure),
                Ok(response) => return Ok(response),
            }
        }
        let connection = timeout(CONNECT_TIMEOUT, self.connect()).await;
        let late = || Err(format!("no connection within {} s", CONNECT_TIMEOUT.as_secs()).into());
        let connection = connection.unwrap_or_else(|_| late()).map_err(|cause: AnyError| self.unreachable(&*cause))?;
        self.send_on(connection, &request, time_max).await.map_err(|error| match error {
            Sending::Closed(failure) | Sending::Failed(failure) => failure,
        })
    }

    async fn send_on(
        &self,
        mut connection: SendRequest<Full<Bytes>>,
        request: &Request<Full<Bytes>>,
        time_max: Duration,
    ) -> Result<Response<Body>, Sending> {
        let response = timeout(time_max, connection.send_request(request.clone())).await;
        let late = Failure::BrokenOff {
            server: self.url.clone(),
            cause: format!("no answer within {} s", time_max.as_secs()),
        };
        let response = response.map_err(|_| Sending::Failed(late))?.map_err(|error| {
            let failure = Failure::BrokenOff { server: self.url.clone(), cause: with_causes(&error) };
            let is_closed = error.is_canceled() || error.is_incomplete_message() || error.is_closed();
            if is_closed { Sending::Closed(failure) } else { Sending::Failed(failure) }
        })?;
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        self.check_redirect(&response).map_err(Sending::Failed)?;
        Ok(response.map(|body: Incoming| body.map_err(|error| Box::new(error) as AnyError).boxed_unsync()))
    }

    /// Redirects are not followed: the token is for this server.
    fn check_redirect(&self, response: &Response<Incoming>) -> Result<(), Failure> {
        let status = response.status();
        if !status.is_redirection() || status == StatusCode::NOT_MODIFIED {
            return Ok(());
        }
        let target = response.headers().get(header::LOCATION).map(|it| String::from_utf8_lossy(it.as_bytes()));
        let message = format!("it redirects to {}; name that", target.unwrap_or_default());
        Err(Failure::NotPentad { server: self.url.clone(), message })
    }

    /// Returns a connection whose last answer is complete.
    fn take_kept(&self) -> Option<SendRequest<Full<Bytes>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|connection| !connection.is_closed());
        let free = kept.iter().position(SendRequest::is_ready)?;
        Some(kept.swap_remove(free))
    }

    fn addressed(&self, request: Request<Full<Bytes>>) -> Request<Full<Bytes>> {
        let mut request = request;
        let asked = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
        let path = format!("{}{asked}", self.path);
        let path = PathAndQuery::try_from(path).expect("both parts are valid paths");
        *request.uri_mut() = Uri::from(path);
        let headers = request.headers_mut();
        headers.insert(header::HOST, self.authority.clone());
        let agent = HeaderValue::from_str(&format!("pentad/{}", crate::VERSION));
        headers.insert(header::USER_AGENT, agent.expect("a version is ASCII"));
        if let Some(token) = &self.token {
            headers.insert(header::AUTHORIZATION, token.clone());
        }
        request
    }

    async fn connect(&self) -> Result<SendRequest<Full<Bytes>>, AnyError> {
        let socket = TcpStream::connect((self.host.as_str(), self.port)).await?;
        socket.set_nodelay(true)?;
        match &self.tls {
            None => handshake(socket).await,
            Some(tls) => {
                let name = ServerName::try_from(self.host.clone())?;
                handshake(tls.connect(name, socket).await?).await
            }
        }
    }

    fn unreachable(&self, cause: &(dyn Error + Send + Sync + 'static)) -> Failure {
        Failure::Unreachable { server: self.url.clone(), cause: with_causes(cause) }
    }
}

/// Why a request was not answered.
enum Sending {
    /// The connection was closed before it was sent, as far as is known.
    Closed(Failure),
    Failed(Failure),
}

async fn handshake<S>(socket: S) -> Result<SendRequest<Full<Bytes>>, AnyError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sender, connection) = http1::handshake(TokioIo::new(socket)).await?;
    // Its errors reach the requests on it.
    tokio::spawn(async move { drop(connection.await) });
    Ok(sender)
}

/// Trusts the authorities that the system trusts, or those of `SSL_CERT_FILE`.
fn tls_connector() -> Result<TlsConnector, Box<dyn Error>> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        let remedy = "install its certificates, or name a file of them in SSL_CERT_FILE";
        return Err(format!("--server: the system trusts no certificate authority; {remedy}").into());
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = builder.with_safe_default_protocol_versions()?.with_root_certificates(roots).with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> Result<(String, u16, String, bool), String> {
        let remote = Remote::new(url, None).map_err(|error| error.to_string())?;
        Ok((remote.host, remote.port, remote.path, remote.tls.is_some()))
    }

    /// A scheme may be left out, and a path of a proxy may be named.
    #[test]
    fn servers_are_named_by_url() {
        let plain = |host: &str, port, path: &str| Ok((host.to_owned(), port, path.to_owned(), false));
        assert_eq!(parsed("http://localhost:8080"), plain("localhost", 8080, ""));
        assert_eq!(parsed("localhost:8080/"), plain("localhost", 8080, ""));
        assert_eq!(parsed("http://example.org/games/"), plain("example.org", 80, "/games"));
        assert_eq!(parsed("http://[::1]:8080"), plain("::1", 8080, ""));
        for bad in ["ftp://x", "http://", "http://a b", "http://user:secret@host", "http://host/?x=1"] {
            let error = parsed(bad).expect_err(bad);
            assert!(error.starts_with("--server: "), "{error}");
        }
    }
}
