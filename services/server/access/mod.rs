//! Access control: who may call, from where, and how much.
//!
//! Every call passes [`Access::admit`] before its body is read. That checks the host
//! name in the request, the web page that sends it ([`web_origin`]), its token
//! ([`tokens`], `oidc`) and its quota ([`quota`]). A search then reserves the CPU time
//! that it may need ([`QuotaReservation`]). [`tls`] is for connections.
//!
//! All settings are in one [`Policy`], which [`Access::reload`] replaces as a whole or
//! not at all.

mod not_after;
#[cfg(feature = "oidc")]
mod oidc;
mod quota;
mod reservation;
mod tls;
mod tokens;
mod web_origin;

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use http::{HeaderMap, Request, Uri, Version};
use pentad_engine::CallerKey;
use rustls::ServerConfig;

use crate::client_address::ClientAddress;
use crate::config::{Config, ConfigError};
use crate::error::ApiError;
use crate::host_header;
use crate::telemetry::{ANONYMOUS, ClientCounters, Protocol, Telemetry};

#[cfg(feature = "oidc")]
pub use oidc::KeySetError;
pub(crate) use reservation::{Admission, QuotaReservation, RATE_LIMIT, RATE_LIMIT_POLICY};
pub(crate) use tls::CertificateDates;
pub use tls::TlsError;
pub(crate) use tokens::NewToken;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use tokens::read_arbitrary_tokens;
pub use tokens::{AuthFailure, TokensError};
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use web_origin::check_arbitrary_page;

use quota::{BUCKETS_MAX, QuotaKey, QuotaLimit, Quotas};
use tls::Tls;
use tokens::{Tokens, bearer_token};
use web_origin::{HostNames, WebOrigins};

/// CPU time that every call takes from a quota: a few times the cost of an answer from
/// the cache.
const CALL_COST: Duration = Duration::from_micros(100);

/// Why the access settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The tokens file.
    #[error("tokens: {0}")]
    Tokens(#[from] TokensError),
    /// The keys of the OpenID Connect provider.
    #[cfg(feature = "oidc")]
    #[error("oidc_jwks: {0}")]
    Oidc(#[from] KeySetError),
    /// Certificates.
    #[error("TLS: {0}")]
    Tls(#[from] TlsError),
    /// Anyone could call.
    #[error(transparent)]
    Exposed(ConfigError),
    /// TLS is on or off for the life of a port.
    #[error("TLS cannot be turned {} by a reload; restart the server", if *on { "on" } else { "off" })]
    TlsSwitched {
        /// Whether the new settings have TLS.
        on: bool,
    },
}

/// Access control of one server.
#[derive(Debug)]
pub(crate) struct Access {
    policy: ArcSwap<Policy>,
    quotas: Quotas,
    telemetry: Arc<Telemetry>,
}

/// Access settings, with the contents of the files that they name.
#[derive(Debug)]
struct Policy {
    /// `None` without a tokens file.
    tokens: Option<Tokens>,
    /// `None` without an OpenID Connect provider. With neither, no call needs a token.
    #[cfg(feature = "oidc")]
    oidc: Option<OidcPolicy>,
    /// One per token holder, in the same order.
    principals: Vec<Principal>,
    anonymous: Arc<ClientCounters>,
    anonymous_limit: Option<QuotaLimit>,
    origins: WebOrigins,
    grpc_hosts: HostNames,
    rest_hosts: HostNames,
    admin_hosts: HostNames,
    tls: Option<Tls>,
}

/// Callers with a token of an OpenID Connect provider.
#[cfg(feature = "oidc")]
#[derive(Debug)]
struct OidcPolicy {
    oidc: oidc::Oidc,
    counters: Arc<ClientCounters>,
    /// Quota of each subject.
    limit: Option<QuotaLimit>,
}

/// An authenticated or anonymous caller.
#[derive(Clone, Debug)]
pub(crate) struct Principal {
    counters: Arc<ClientCounters>,
    /// Subject of an OpenID Connect token.
    subject: Option<Arc<str>>,
    /// Unlimited if `None`.
    quota: Option<(QuotaKey, QuotaLimit)>,
    /// Identity for fair queuing in the engine.
    key: CallerKey,
}

impl Access {
    pub(crate) fn new(config: &Config, telemetry: &Arc<Telemetry>) -> Result<Access, AccessError> {
        let policy = Policy::load(config, telemetry, None)?;
        policy.export_expiry(telemetry);
        let policy = ArcSwap::from_pointee(policy);
        Ok(Access { policy, quotas: Quotas::new(BUCKETS_MAX), telemetry: Arc::clone(telemetry) })
    }

    /// Reads tokens, certificates, origins, host names and quotas again. On failure
    /// nothing changes. Calls and connections that were admitted continue, and buckets
    /// keep their balance.
    pub(crate) fn reload(&self, config: &Config) -> Result<(), AccessError> {
        let policy = Policy::load(config, &self.telemetry, Some(&*self.policy.load()))?;
        let has_tls = policy.tls.is_some();
        if has_tls != self.policy.load().tls.is_some() {
            return Err(AccessError::TlsSwitched { on: has_tls });
        }
        policy.export_expiry(&self.telemetry);
        self.policy.store(Arc::new(policy));
        Ok(())
    }

    /// Identifies the caller and checks that the call may proceed. Its cost is taken
    /// from the [`QuotaReservation`], beginning with
    /// [`begin`](QuotaReservation::begin).
    pub(crate) fn admit<B>(
        self: &Arc<Self>,
        protocol: Protocol,
        request: &Request<B>,
    ) -> Result<Arc<QuotaReservation>, ApiError> {
        let policy = self.policy.load();
        policy.check_page(protocol, request)?;
        let principal = policy.authenticate(request).inspect_err(|error| {
            if let ApiError::Unauthenticated { failure } = error {
                self.telemetry.count_auth_failure(*failure);
            }
        })?;
        Ok(QuotaReservation::new(self, principal))
    }

    /// Whether a request to the admin port addresses it by a name that no page can have:
    /// one that the public ports would accept, or one without a dot, such as `pentad` in a
    /// network of containers.
    pub(crate) fn allows_admin_host(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let is_dotted = |host: &String| host.split(':').next().is_some_and(|name| name.contains('.'));
        !self.policy.load().admin_hosts.check(headers, uri).is_err_and(|host| is_dotted(&host))
    }

    /// Whether pages of this origin may read answers.
    pub(crate) fn allows_origin(&self, origin: &str) -> bool {
        self.policy.load().origins.allows(origin)
    }

    /// Whether pages of any origin may read answers.
    pub(crate) fn allows_any_origin(&self) -> bool {
        self.policy.load().origins.allows_any()
    }

    /// Settings for the next handshake; `None` if the ports have no TLS.
    pub(crate) fn tls(&self) -> Option<Arc<ServerConfig>> {
        self.policy.load().tls.as_ref().map(|tls| Arc::clone(&tls.config))
    }

    /// When the certificates in use are valid.
    pub(crate) fn certificate_dates(&self) -> Vec<CertificateDates> {
        self.policy.load().tls.iter().flat_map(|tls| [tls.cert, tls.client_ca]).collect()
    }

    /// Takes CPU time from the principal's quota, if it has one; counts a refusal.
    fn take(&self, principal: &Principal, time: Duration) -> Result<(), ApiError> {
        self.try_take(principal, time).inspect_err(|_| principal.counters.count_rate_limited())
    }

    /// Same as [`take`](Self::take), but does not count a refusal: the caller waits.
    fn try_take(&self, principal: &Principal, time: Duration) -> Result<(), ApiError> {
        let Some((key, limit)) = &principal.quota else { return Ok(()) };
        self.quotas.take(key, *limit, time, Instant::now()).map_err(|shortage| ApiError::RateLimited {
            client: principal.name().to_owned(),
            cpu_ms_per_second: limit.cpu_ms_per_second.get(),
            retry_after: shortage.retry_after,
        })
    }
}

impl Policy {
    /// Keeps what was fetched for the policy `before` where it still applies.
    #[cfg_attr(not(feature = "oidc"), allow(unused_variables, reason = "only keys are fetched"))]
    fn load(config: &Config, telemetry: &Telemetry, before: Option<&Policy>) -> Result<Policy, AccessError> {
        config.check_exposure().map_err(AccessError::Exposed)?;
        let tokens = config.tokens.as_deref().map(Tokens::read).transpose()?;
        let tls = tls::load(config)?;
        let window_s = NonZeroU64::new(config.quota_window_s).unwrap_or(NonZeroU64::MIN);
        let limit = |cpu_ms_per_second| QuotaLimit { cpu_ms_per_second, window_s };
        let holders = tokens.iter().flat_map(|tokens| tokens.holders());
        let principals = holders.map(|holder| Principal {
            counters: telemetry.client(&holder.name),
            subject: None,
            quota: holder.cpu_ms_per_second.map(|quota| (QuotaKey::Token(Arc::clone(&holder.name)), limit(quota))),
            key: CallerKey::of(QuotaKey::Token(Arc::clone(&holder.name))),
        });
        Ok(Policy {
            principals: principals.collect(),
            tokens,
            #[cfg(feature = "oidc")]
            oidc: oidc::Oidc::load(config, before.and_then(|before| Some(&before.oidc.as_ref()?.oidc)))?.map(|oidc| {
                let limit = oidc.cpu_ms_per_second.map(limit);
                OidcPolicy { oidc, counters: telemetry.client(oidc::OIDC_CLIENT), limit }
            }),
            anonymous: telemetry.client(ANONYMOUS),
            anonymous_limit: NonZeroU64::new(config.anonymous_cpu_ms_per_second).map(limit),
            origins: WebOrigins::new(config.cors_origins.clone()),
            grpc_hosts: HostNames::new(&config.allowed_hosts, config.grpc_listen),
            rest_hosts: HostNames::new(&config.allowed_hosts, config.rest_listen),
            admin_hosts: HostNames::new(&config.allowed_hosts, config.admin_listen),
            tls,
        })
    }

    fn export_expiry(&self, telemetry: &Telemetry) {
        if let Some(tls) = &self.tls {
            for CertificateDates { setting, not_after_s, .. } in [tls.cert, tls.client_ca] {
                telemetry.set_tls_not_after(setting, not_after_s);
            }
        }
    }

    /// Over HTTP/2 only the origin is checked: browsers use HTTP/2 only with TLS, whose
    /// certificate names the server, so DNS rebinding fails.
    fn check_page<B>(&self, protocol: Protocol, request: &Request<B>) -> Result<(), ApiError> {
        let (headers, uri) = (request.headers(), request.uri());
        host_header::check(request.version(), headers)?;
        if request.version() != Version::HTTP_2 {
            let hosts = match protocol {
                Protocol::Grpc => &self.grpc_hosts,
                Protocol::Rest => &self.rest_hosts,
            };
            hosts.check(headers, uri).map_err(|host| ApiError::UnknownHost { host })?;
        }
        self.origins.check(headers, uri).map_err(|origin| ApiError::ForeignOrigin { origin })
    }

    fn authenticate<B>(&self, request: &Request<B>) -> Result<Principal, ApiError> {
        if !self.needs_token() {
            return Ok(self.anonymous(request));
        }
        match bearer_token(request.headers()).and_then(|token| self.holder(token)) {
            Ok(principal) => Ok(principal),
            Err(AuthFailure::Missing) if self.anonymous_limit.is_some() => Ok(self.anonymous(request)),
            Err(failure) => Err(ApiError::Unauthenticated { failure }),
        }
    }

    fn needs_token(&self) -> bool {
        #[cfg(feature = "oidc")]
        if self.oidc.is_some() {
            return true;
        }
        self.tokens.is_some()
    }

    /// Returns the holder of a token.
    fn holder(&self, token: &[u8]) -> Result<Principal, AuthFailure> {
        if let Some(idx) = self.tokens.as_ref().and_then(|tokens| tokens.find(token)) {
            return Ok(self.principals[idx].clone());
        }
        #[cfg(feature = "oidc")]
        if let Some(OidcPolicy { oidc, counters, limit }) =
            self.oidc.as_ref().filter(|_| oidc::Oidc::is_candidate(token))
        {
            let subject = oidc.authenticate(token)?;
            let quota = limit.map(|limit| (QuotaKey::Subject(Arc::clone(&subject)), limit));
            let key = CallerKey::of(QuotaKey::Subject(Arc::clone(&subject)));
            return Ok(Principal { counters: Arc::clone(counters), subject: Some(subject), quota, key });
        }
        Err(AuthFailure::Unknown)
    }

    fn anonymous<B>(&self, request: &Request<B>) -> Principal {
        let address = request.extensions().get::<ClientAddress>().map(|client| client.0);
        let address = QuotaKey::of_address(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)));
        let key = CallerKey::of(&address);
        let quota = self.anonymous_limit.map(|limit| (address, limit));
        Principal { counters: Arc::clone(&self.anonymous), subject: None, quota, key }
    }
}

impl Principal {
    /// Name of the token, the subject, or `-`.
    pub(crate) fn name(&self) -> &str {
        self.subject.as_deref().unwrap_or_else(|| self.counters.name())
    }

    /// Whether answers are for this caller only: it has a token or a quota.
    fn is_personal(&self) -> bool {
        self.quota.is_some() || self.name() != ANONYMOUS
    }
}
