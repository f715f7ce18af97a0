//! Arguments that name a server, its token, and a library file in place of a game.

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;
use http::HeaderValue;

use crate::settings_file;

/// Where questions are answered.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct ServerArgs {
    /// Asks a running server over REST, such as http://localhost:8080, instead of loading
    /// rule sets [environment PENTAD_SERVER]
    #[arg(long, value_name = "URL", help_heading = "Server")]
    server: Option<String>,
    /// File with the token for the server; PENTAD_TOKEN may hold the token itself
    /// [environment PENTAD_TOKEN_FILE]
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    token_file: Option<PathBuf>,
}

impl ServerArgs {
    /// Returns the URL of the server, if one is named. A library file is for this process:
    /// the environment does not send it elsewhere, and the flag contradicts it.
    pub(super) fn url(
        &self,
        file: Option<&Path>,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<String>, Box<dyn Error>> {
        match (&self.server, file) {
            (Some(_), Some(file)) => {
                let file = file.display();
                Err(format!("--server: a server has its own rule sets; {file} is read without it").into())
            }
            (Some(url), None) => Ok(Some(url.clone())),
            (None, Some(_)) => Ok(None),
            (None, None) => Ok(env("PENTAD_SERVER").filter(|url| !url.is_empty())),
        }
    }

    /// Returns the header with the token: from the file, else from the environment.
    pub(super) fn token(&self, env: impl Fn(&str) -> Option<String>) -> Result<Option<HeaderValue>, Box<dyn Error>> {
        let set = |name: &str| env(name).filter(|value| !value.is_empty());
        let (token, place) = match self.token_file.clone().or_else(|| set("PENTAD_TOKEN_FILE").map(PathBuf::from)) {
            Some(path) => {
                let place = path.display().to_string();
                let token = settings_file::read_to_string(&path).map_err(|error| format!("{place}: {error}"))?;
                (token, place)
            }
            None => match set("PENTAD_TOKEN") {
                Some(token) => (token, "PENTAD_TOKEN".to_owned()),
                None => return Ok(None),
            },
        };
        // The error never shows the token.
        let no_token = || format!("{place}: not a token; it has to be one line of printable characters");
        let token = token.trim();
        if token.is_empty() || token.contains(char::is_whitespace) {
            return Err(no_token().into());
        }
        let mut header = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| no_token())?;
        header.set_sensitive(true);
        Ok(Some(header))
    }
}

/// Returns the path if the argument names a rule set's file rather than a game: ids have
/// neither slashes nor dots.
pub(in crate::cli) fn game_file(game: &str) -> Option<&Path> {
    game.contains(['/', '.']).then(|| Path::new(game))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(args: &ServerArgs, env: &[(&str, &str)]) -> Result<Option<String>, String> {
        let env = |wanted: &str| env.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned());
        let header = args.token(env).map_err(|error| error.to_string())?;
        Ok(header.map(|header| header.to_str().expect("it is ASCII").to_owned()))
    }

    /// The file takes precedence over the variables; errors do not show the token.
    #[test]
    fn tokens_come_from_files_and_variables() {
        let file = pentad_test_plugins::file("token", b"secret-1\n");
        let args = ServerArgs { server: None, token_file: Some(file.clone()) };
        let variables = [("PENTAD_TOKEN", "secret-2")];
        assert_eq!(token(&args, &variables), Ok(Some("Bearer secret-1".to_owned())));
        let none = ServerArgs::default();
        assert_eq!(token(&none, &variables), Ok(Some("Bearer secret-2".to_owned())));
        let path = file.to_str().expect("UTF-8");
        assert_eq!(token(&none, &[("PENTAD_TOKEN_FILE", path), variables[0]]), Ok(Some("Bearer secret-1".to_owned())));
        assert_eq!(token(&none, &[("PENTAD_TOKEN", "")]), Ok(None));
        let error = token(&none, &[("PENTAD_TOKEN", "secret 3")]).expect_err("it has a space");
        assert!(error.starts_with("PENTAD_TOKEN: not a token") && !error.contains("secret"), "{error}");
    }

    /// A file in place of a game is told from an id, and is never sent to a server.
    #[test]
    fn files_are_not_ids() {
        assert_eq!(game_file("pentago-xl"), None);
        for file in ["./libmine.so", "libmine.so", "/opt/rules/libmine.so", "mine.toml"] {
            assert_eq!(game_file(file), Some(Path::new(file)));
        }
        let url = |server: Option<&str>, file: Option<&str>| {
            let args = ServerArgs { server: server.map(str::to_owned), token_file: None };
            let env = |name: &str| (name == "PENTAD_SERVER").then(|| "http://env".to_owned());
            args.url(file.map(Path::new), env).map_err(|error| error.to_string())
        };
        assert_eq!(url(None, None), Ok(Some("http://env".to_owned())));
        assert_eq!(url(Some("http://flag"), None), Ok(Some("http://flag".to_owned())));
        assert_eq!(url(None, Some("a.so")), Ok(None));
        assert!(url(Some("http://flag"), Some("a.so")).is_err());
    }
}
