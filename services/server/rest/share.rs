//! `/s/GAME/VARIANT?p=POSITION&m=MOVES`: addresses of games for messages to others.
//!
//! The board page keeps a game in the fragment of its address, which no server sees. The
//! services that show previews of links need one that they can ask about: the same address
//! with `/s/` in place of `#`. It answers with a small page that has the tags of previews
//! and leads on to the board; with `.png` behind the variant, with a picture of the
//! position.
//!
//! People follow such links from other sites and without a token. Then, and if their quota
//! is used up, the page leads on without a preview.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::{HeaderMap, StatusCode, Uri, header};
use pentad_engine::{Description, EngineError, PositionSpec, to_move_text};
use pentad_model::i18n::Language;
use percent_encoding::percent_decode_str;

use super::middleware::RequestContext;
use super::response::{self, CachePolicy, IfNoneMatch};
use super::svg::Escaped;
use super::svg::png::{self, PREVIEW};
use crate::app::App;
use crate::calls::diagram::changed_points;
use crate::error::ApiError;
use crate::language;

const PREFIX: &str = "/s/";
const PICTURE: &str = ".png";

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/s/{*address}", get(serve))
}

/// Whether a path is a page that leads on to the board without admission.
pub(super) fn is_page(path: &str) -> bool {
    path.starts_with(PREFIX) && !path.ends_with(PICTURE)
}

async fn serve(
    State(app): State<Arc<App>>,
    context: Result<RequestContext, ApiError>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, ApiError> {
    let shared = SharedGame::parse(uri.path(), uri.query().unwrap_or_default());
    if uri.path().ends_with(PICTURE) {
        return picture(&app, &context?, &shared.spec, uri.path()).await;
    }
    let Ok(context) = context else {
        return page(&IfNoneMatch::new(&headers), &shared.page(None, Language::English), Language::English);
    };
    let language = context.admitted.caller.language;
    let preview = match app.engine.describe(&shared.spec, context.admitted.caller.clone()).await {
        Ok(description) => Some(Preview::new(&app, &description, &headers, &uri, language)),
        Err(error) => {
            let status = ApiError::Engine(error).mapping().status;
            if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
                return Ok(refusal(status));
            }
            // The board page says it, and tries again.
            None
        }
    };
    page(&context.if_none_match, &shared.page(preview.as_ref(), language), language)
}

/// A game as its address names it.
struct SharedGame<'a> {
    spec: PositionSpec,
    path: &'a str,
    query: &'a str,
}

impl<'a> SharedGame<'a> {
    /// Parts that are malformed are left to the board page, which explains them.
    fn parse(path: &'a str, query: &'a str) -> SharedGame<'a> {
        let address = path.strip_prefix(PREFIX).unwrap_or_default();
        let address = address.strip_suffix(PICTURE).unwrap_or(address);
        let (game, variant) = address.split_once('/').unwrap_or((address, ""));
        let field = |name: &str| query.split('&').find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
        let spec = PositionSpec {
            game: decoded(game),
            variant: decoded(variant.trim_end_matches('/')),
            // As the board page writes it, a blank is an underscore.
            position: field("p").map(|text| decoded(&text.replace('_', " "))).unwrap_or_default(),
            moves: main_line(field("m").unwrap_or_default(), field("at")),
        };
        SharedGame { spec, path, query }
    }

    /// The address of the board, relative to the page: the server may be under any path.
    fn board(&self) -> String {
        let address = self.path.strip_prefix(PREFIX).unwrap_or_default();
        let up = "../".repeat(self.path.matches('/').count().saturating_sub(1));
        let mark = if self.query.is_empty() { "" } else { "?" };
        format!("{up}#{}{mark}{}", address.trim_end_matches('/'), self.query)
    }

    fn page(&self, preview: Option<&Preview>, language: Language) -> String {
        let board = self.board();
        let title = preview.map_or("Pentad", |preview| &preview.title);
        let mut page = format!(
            "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n",
            Escaped(title)
        );
        let tags = preview.map(Preview::tags).unwrap_or_default();
        for (name, content) in tags {
            // Open Graph has its own attribute.
            let attribute = if name.starts_with("og:") { "property" } else { "name" };
            // Writing to a string cannot fail.
            let _ = writeln!(page, "<meta {attribute}=\"{name}\" content=\"{}\">", Escaped(&content));
        }
        let _ = writeln!(
            page,
            "<meta http-equiv=\"refresh\" content=\"0; url={0}\">\n</head>\n<body>\n<p><a href=\"{0}\">{1}</a></p>\n</body>\n</html>",
            Escaped(&board),
            Escaped(title)
        );
        page
    }
}

/// Returns the moves of the main line, in the notation of the page's addresses:
/// `c3-2r.d4-1l(e5-2r.a1-3l).b2-1r`, where parentheses have variations. `at` counts the
/// moves that are shown; with variations it counts these too, and is ignored.
fn main_line(text: &str, at: Option<&str>) -> Vec<String> {
    let mut depth = 0_usize;
    let mut line = String::new();
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => line.push(letter),
            _ => {}
        }
    }
    let n_shown = at.filter(|_| !text.contains('(')).and_then(|at| at.parse().ok()).unwrap_or(usize::MAX);
    line.split('.').filter(|mv| !mv.is_empty()).take(n_shown).map(decoded).collect()
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// What services show of a link.
struct Preview {
    title: String,
    state: String,
    /// Absolute, as services want it.
    address: String,
    picture: Option<String>,
}

impl Preview {
    fn new(app: &App, description: &Description, headers: &HeaderMap, uri: &Uri, language: Language) -> Preview {
        let variant = &description.variant;
        let base = base_address(app, headers, uri);
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        let path = uri.path().trim_end_matches('/');
        Preview {
            title: format!("{}, {}", variant.ruleset().info().name, variant.name),
            state: state(description, language),
            address: format!("{base}{path}{query}"),
            picture: variant.board.is_some().then(|| format!("{base}{path}{PICTURE}{query}")),
        }
    }

    fn tags(&self) -> Vec<(&'static str, String)> {
        let mut tags = vec![
            ("description", self.state.clone()),
            ("og:type", "website".to_owned()),
            ("og:site_name", "Pentad".to_owned()),
            ("og:title", self.title.clone()),
            ("og:description", self.state.clone()),
            ("og:url", self.address.clone()),
        ];
        match &self.picture {
            Some(picture) => tags.extend([
                ("og:image", picture.clone()),
                ("og:image:type", "image/png".to_owned()),
                ("og:image:width", PREVIEW.0.to_string()),
                ("og:image:height", PREVIEW.1.to_string()),
                ("og:image:alt", self.state.clone()),
                ("twitter:card", "summary_large_image".to_owned()),
            ]),
            None => tags.push(("twitter:card", "summary".to_owned())),
        }
        tags
    }
}

fn state(description: &Description, language: Language) -> String {
    match &description.outcome {
        Some(outcome) => outcome.text.clone(),
        None => to_move_text(language, &description.variant, description.to_move),
    }
}

/// Scheme and host, as the client named them. A proxy with TLS says so in
/// `X-Forwarded-Proto`.
fn base_address(app: &App, headers: &HeaderMap, uri: &Uri) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let host = uri.authority().map(http::uri::Authority::as_str).or_else(|| text("host")).unwrap_or("localhost");
    let is_secure = app.access.tls().is_some() || text("x-forwarded-proto") == Some("https");
    format!("{}://{host}", if is_secure { "https" } else { "http" })
}

fn page(if_none_match: &IfNoneMatch, page: &str, language: Language) -> Result<Response, ApiError> {
    let etag = response::etag(page.as_bytes());
    let mut response = response::with_etag(if_none_match, &etag, CachePolicy::Revalidate, || {
        Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page.to_owned()).into_response())
    })?;
    language::write_headers(response.headers_mut(), language);
    Ok(response)
}

/// A page for addresses that lead nowhere. It repeats nothing of them.
fn refusal(status: StatusCode) -> Response {
    let text = match status {
        StatusCode::NOT_FOUND => "There is no such game here.",
        _ => "This link is damaged: it leads to no position.",
    };
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Pentad</title>\n</head>\n\
         <body>\n<p>{text}</p>\n<p><a href=\"/\">All games</a></p>\n</body>\n</html>\n"
    );
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, page).into_response()
}

async fn picture(app: &App, context: &RequestContext, spec: &PositionSpec, path: &str) -> Result<Response, ApiError> {
    let caller = &context.admitted.caller;
    let description: Description = app.engine.describe(spec, caller.clone()).await?;
    let Some(board) = &description.variant.board else { return Err(ApiError::UnknownPath { path: path.to_owned() }) };
    let changed = match spec.moves.split_last() {
        Some((_, earlier)) => {
            let before = PositionSpec { moves: earlier.to_vec(), ..spec.clone() };
            let before = app.engine.describe(&before, caller.clone()).await?;
            changed_points(&before.pieces, &description.pieces)
        }
        None => Vec::new(),
    };
    let draw = || Ok::<_, EngineError>(png::board(board, &description.pieces, &changed, PREVIEW));
    let picture = caller.meter.charge(draw)?;
    let etag = response::etag(&picture);
    let headers = [(header::CONTENT_TYPE, "image/png")];
    response::with_etag(&context.if_none_match, &etag, CachePolicy::Revalidate, || {
        Ok((headers, picture).into_response())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses are those of the board page, with `/s/` in place of `#`.
    #[test]
    fn addresses_are_those_of_the_page() {
        let shared =
            SharedGame::parse("/s/pentago/standard", "p=6/6/6/6/6/6_w&m=c3-2r.d4-1l(e5-2r.a1-3l).b2%2d1r&at=2");
        let PositionSpec { game, variant, position, moves } = &shared.spec;
        assert_eq!((game.as_str(), variant.as_str(), position.as_str()), ("pentago", "standard", "6/6/6/6/6/6 w"));
        assert_eq!(*moves, ["c3-2r", "d4-1l", "b2-1r"]);
        assert_eq!(shared.board(), "../../#pentago/standard?p=6/6/6/6/6/6_w&m=c3-2r.d4-1l(e5-2r.a1-3l).b2%2d1r&at=2");
        assert_eq!(SharedGame::parse("/s/pentago", "").board(), "../#pentago");
        assert_eq!(SharedGame::parse("/s/pentago/", "").board(), "../../#pentago");
        assert_eq!(main_line("a.b.c", Some("1")), ["a"]);
        assert_eq!(main_line(")a.(b", None), ["a"]);
        assert_eq!(SharedGame::parse("/s/pentago/czech.png", "").spec.variant, "czech");
    }
}
