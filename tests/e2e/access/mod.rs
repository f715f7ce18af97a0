//! Access control: tokens, quotas, TLS, web origins.

mod oidc;
mod quotas;
mod tls;
mod tokens;
mod web_pages;

use std::path::{Path, PathBuf};

use crate::support::program::{program, run};
use crate::support::two_games;

/// A token file that a test may change.
pub(crate) struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// Returns a file with a line for each name and quota, made by `pentad token`, and the
    /// tokens.
    pub(crate) async fn new<const N: usize>(names: [(&str, Option<u64>); N]) -> (TokenFile, [String; N]) {
        let file = TokenFile { path: pentad_test_plugins::scratch_dir().join("tokens") };
        let (mut lines, mut tokens) = (String::from("# callers\n"), Vec::new());
        for (name, cpu_ms_per_second) in names {
            let (token, line) = new_token(name, cpu_ms_per_second).await;
            lines.push_str(&line);
            tokens.push(token);
        }
        file.write(&lines);
        (file, tokens.try_into().expect("as many tokens as names"))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn write(&self, text: &str) {
        std::fs::write(&self.path, text).expect("its directory is writable");
    }
}

/// Runs `pentad token`; returns the token and its line.
async fn new_token(name: &str, cpu_ms_per_second: Option<u64>) -> (String, String) {
    let mut command = program(["token", name]);
    if let Some(quota) = cpu_ms_per_second {
        command.args(["--cpu-ms-per-second", &quota.to_string()]);
    }
    let made = run(command).await;
    assert_eq!(made.code, Some(0), "{made:?}");
    let token = made.stderr.lines().next().expect("the token").to_owned();
    assert!(!made.stdout.contains(&token), "redirecting the line does not store the token: {made:?}");
    (token, made.stdout)
}

/// Other machines are served only if something restricts the callers, or with
/// `--insecure`. The message names the remedies, also with `--print-config`.
#[tokio::test]
async fn public_addresses_need_a_decision() {
    for (flags, address) in [
        (&["--rest-listen", "0.0.0.0:0"][..], "rest_listen is 0.0.0.0:0"),
        (&["--grpc-listen", "[::]:0"], "grpc_listen is [::]:0"),
        (&["--grpc-listen", "192.0.2.1:50051", "--print-config"], "grpc_listen is 192.0.2.1:50051"),
        (&["--rest-listen", "0.0.0.0:0", "--insecure=false"], "rest_listen is 0.0.0.0:0"),
    ] {
        let ended = run(program(flags)).await;
        assert_eq!(ended.code, Some(64), "{flags:?}: {ended:?}");
        for word in [address, "tokens", "tls_client_ca", "anonymous_cpu_ms_per_second", "insecure"] {
            assert!(ended.stderr.contains(word), "{flags:?}: {word}: {ended:?}");
        }
    }
    let (file, _) = TokenFile::new([("web", None)]).await;
    let file = file.path().to_str().expect("a path in UTF-8");
    let public = ["--rest-listen", "0.0.0.0:0", "--print-config"];
    for remedy in [
        &["--insecure"][..],
        &["--insecure=true"],
        &["--tokens", file],
        &["--anonymous-cpu-ms-per-second", "100"],
        &["--tls-client-ca", "ca.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem"],
    ] {
        let printed = run(program(public.iter().chain(remedy))).await;
        assert_eq!(printed.code, Some(0), "{remedy:?}: {printed:?}");
    }
    let loopback = run(program(["--rest-listen", "[::1]:0", "--grpc-listen", "127.0.0.2:0", "--print-config"])).await;
    assert_eq!(loopback.code, Some(0), "{loopback:?}");
    let mut games = program(["games", "--rulesets"]);
    games.arg(two_games()).env("PENTAD_REST_LISTEN", "0.0.0.0:8080");
    assert_eq!(run(games).await.code, Some(0), "what does not serve needs no decision");
}

/// An admin port that other machines can reach causes a warning, and so do tokens in
/// clear text.
#[tokio::test]
async fn exposed_secrets_are_warned_about() {
    let (file, _) = TokenFile::new([("web", None)]).await;
    // Exits right after its warnings.
    let in_use = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let in_use = in_use.local_addr().expect("it is bound").to_string();
    for (host, is_warned) in [("0.0.0.0", true), ("127.0.0.1", false)] {
        let free = format!("{host}:0");
        let mut command = program(["--rest-listen", &free, "--admin-listen", &free, "--grpc-listen", &in_use]);
        command.arg("--tokens").arg(file.path()).arg("--rulesets").arg(two_games());
        let ended = run(command).await;
        assert!(ended.stderr.contains("cannot listen on"), "{ended:?}");
        for words in ["must not be public", "clear text"] {
            assert_eq!(ended.stderr.contains(words), is_warned, "{words}: {ended:?}");
        }
    }
}

/// Keys of an OpenID Connect provider need TLS, an issuer and an audience.
#[tokio::test]
async fn openid_connect_settings_are_checked() {
    let complete = ["--oidc-issuer", "https://login.example", "--oidc-audience", "pentad", "--oidc-jwks", "keys.json"];
    for (flags, message) in [
        (&complete[..4], "oidc_issuer, oidc_audience and oidc_jwks need each other"),
        (&complete[4..], "oidc_issuer, oidc_audience and oidc_jwks need each other"),
        (&["--oidc-jwks", "http://login.example/keys"], "is not protected by TLS"),
        (&["--oidc-jwks", "ftp://login.example/keys"], "is not an HTTP URL"),
    ] {
        let ended = run(program(flags)).await;
        assert_eq!(ended.code, Some(64), "{flags:?}: {ended:?}");
        assert!(ended.stderr.contains(message), "{flags:?}: {ended:?}");
    }
    let printed = run(program(complete.iter().chain(&["--rest-listen", "0.0.0.0:0", "--print-config"]))).await;
    assert_eq!(printed.code, Some(0), "callers need a token: {printed:?}");
}

/// A setting that needs another one is refused without it.
#[tokio::test]
async fn tls_settings_need_each_other() {
    for (flags, message) in [
        (&["--tls-cert", "cert.pem"][..], "tls_cert and tls_key need each other"),
        (&["--tls-key", "key.pem"], "tls_cert and tls_key need each other"),
        (&["--tls-client-ca", "ca.pem"], "tls_client_ca needs TLS"),
        (&["--insecure=yes"], "--insecure: `yes` is neither true nor false"),
        (&["--cors-origins", "play.example"], "`play.example` is not an origin"),
        (&["--allowed-hosts", "http://play.example"], "`http://play.example` is not a host name"),
    ] {
        let ended = run(program(flags)).await;
        assert_eq!(ended.code, Some(64), "{flags:?}: {ended:?}");
        assert!(ended.stderr.contains(message), "{flags:?}: {ended:?}");
    }
}
