//! One call of a tool.
//!
//! Arguments that are wrong, and everything that the API refuses, are results with an error
//! that the model can read: they have the API's problem, and the position up to an illegal
//! move.

use serde_json::{Map, Value, json};

use super::state::State;
use super::{LISTING_ARGUMENT, PUZZLES, Question, Tool, ToolKind, ToolSet, text};
use crate::calls::game_path;
use crate::error::ApiError;
use crate::mcp::routes::{self, NoAnswer, Routes};
use crate::mcp::version::Version;
use crate::request_id;
use crate::rest::Problem;

/// Legal moves that `position` lists at most.
const LISTED_MAX: u64 = 300;

/// A successful call.
struct Success {
    structured: Map<String, Value>,
    text: String,
    /// The position, if the tool is about one.
    state: Option<State>,
}

/// A failed call, with the position that its arguments named, as far as they were legal.
struct Failure {
    cause: NoAnswer,
    state: Option<State>,
}

impl From<NoAnswer> for Failure {
    fn from(cause: NoAnswer) -> Failure {
        Failure { cause, state: None }
    }
}

/// Calls a tool, and returns its result.
pub(in crate::mcp) async fn call(
    tool: &Tool,
    arguments: Map<String, Value>,
    tools: &ToolSet,
    routes: &dyn Routes,
    version: Version,
) -> Value {
    match answer(tool, arguments, tools, routes).await {
        Ok(Success { structured, text, state }) => {
            let mut content = vec![json!({ "type": "text", "text": text })];
            content.extend(state.filter(|_| version.has_resource_links()).map(|state| state.diagram_link()));
            json!({ "content": content, "structuredContent": structured, "isError": false })
        }
        Err(failure) => failed(failure),
    }
}

async fn answer(
    tool: &Tool,
    mut arguments: Map<String, Value>,
    tools: &ToolSet,
    routes: &dyn Routes,
) -> Result<Success, Failure> {
    check_names(tool, &arguments, tools)?;
    // Null means that an argument is not given.
    arguments.retain(|_, value| !value.is_null());
    let game = match arguments.remove("game") {
        None => None,
        Some(Value::String(game)) => Some(game),
        Some(other) => return Err(refused("game", &format!("`game` must be a string, not {other}")).into()),
    };
    match (&tool.kind, game) {
        (ToolKind::Games, game) => games(routes, game.as_deref()).await,
        (_, None) => Err(refused("game", "`game` is missing; the tool `games` lists the ids").into()),
        (ToolKind::Position, Some(game)) => position(&game, arguments, tools, routes).await,
        (ToolKind::Question(question), Some(game)) => ask(question, &game, arguments, routes).await,
    }
}

/// Refuses arguments that the tool does not have.
fn check_names(tool: &Tool, arguments: &Map<String, Value>, tools: &ToolSet) -> Result<(), NoAnswer> {
    let known = tools.argument_names(tool);
    let Some(unknown) = arguments.keys().find(|name| !known.contains(name)) else { return Ok(()) };
    let (name, known) = (tool.name, known.join(", "));
    Err(refused(unknown, &format!("`{name}` has no argument `{unknown}`; its arguments are {known}")))
}

/// Returns the problem of an argument, as the API would write it.
fn refused(field: &str, message: &str) -> NoAnswer {
    let error = ApiError::bad_request(field, message);
    let problem = Problem::new(&error, &request_id::generate());
    NoAnswer::Problem(serde_json::to_value(problem).unwrap_or_default())
}

async fn games(routes: &dyn Routes, game: Option<&str>) -> Result<Success, Failure> {
    let structured = match game {
        None => routes::get(routes, "/v1/games").await?,
        Some(game) => {
            let mut described = routes::get(routes, &game_path(game)).await?;
            let (rules, notation) = (described["rules"].take(), described["notation"].take());
            // A model has no use for coordinates, and the codes are explained where they occur.
            let listed = ["id", "name", "version", "abi", "seats", "variants", "capabilities"];
            let fields = described.as_object_mut().map(std::mem::take).unwrap_or_default();
            let game: Map<String, Value> =
                fields.into_iter().filter(|(name, _)| listed.contains(&name.as_str())).collect();
            json!({ "games": [game], "rules": rules, "notation": notation })
        }
    };
    let text = text::games(&structured).map_err(|error| unreadable(&error))?;
    let Value::Object(structured) = structured else {
        return Err(NoAnswer::Failure("the answer cannot be read: it is no object".to_owned()).into());
    };
    Ok(Success { structured, text, state: None })
}

async fn position(
    game: &str,
    mut arguments: Map<String, Value>,
    tools: &ToolSet,
    routes: &dyn Routes,
) -> Result<Success, Failure> {
    let listed = match arguments.remove(LISTING_ARGUMENT) {
        None => tools.lists_moves(),
        Some(Value::Bool(listed)) => listed,
        Some(other) => {
            return Err(refused(LISTING_ARGUMENT, &format!("`legalMoves` must be true or false, not {other}")).into());
        }
    };
    let state = fetch_state(routes, game, &arguments).await?;
    let mut structured = state.fields();
    structured.extend(state.answer.clone());
    let mut text = state.text();
    if listed && state.answer["outcome"].is_null() {
        arguments.insert("pageSize".to_owned(), LISTED_MAX.into());
        let page = match routes::post(routes, &format!("{}/legal-moves", game_path(game)), &arguments).await {
            Ok(page) => page,
            Err(cause) => return Err(Failure { cause, state: Some(state) }),
        };
        text += &format!("\n{}", text::legal_moves(&state.game, &page).map_err(|error| unreadable(&error))?);
        structured.insert(LISTING_ARGUMENT.to_owned(), page["moves"].clone());
    }
    Ok(Success { structured, text, state: Some(state) })
}

async fn ask(
    question: &Question,
    game: &str,
    mut arguments: Map<String, Value>,
    routes: &dyn Routes,
) -> Result<Success, Failure> {
    let mut state = fetch_state(routes, game, &arguments).await?;
    if let Some(ms) = question.total_time_ms
        && !arguments.contains_key("limits")
    {
        arguments.entry("totalTimeMs").or_insert_with(|| ms.into());
    }
    let answer = match routes::post(routes, &format!("{}/{}", game_path(game), question.path), &arguments).await {
        Ok(answer) => answer,
        Err(cause) => return Err(Failure { cause, state: Some(state) }),
    };
    if let Some(puzzle) = answer["puzzles"].get(0).filter(|_| question.path == PUZZLES) {
        let mut place = Map::new();
        place.insert("position".to_owned(), puzzle["position"].clone());
        place.insert("variant".to_owned(), state.game.variant.id.clone().into());
        state = State::fetch(routes, game, &place).await?;
    }
    let text = (question.text)(&state.game, &answer).map_err(|error| unreadable(&error))?;
    let mut structured = state.fields();
    if let Value::Object(fields) = answer {
        structured.extend(fields);
    }
    Ok(Success { structured, text: format!("{}\n{text}", state.text()), state: Some(state) })
}

/// Asks for the position. If one of the moves is illegal, the failure has the position
/// before it.
async fn fetch_state(routes: &dyn Routes, game: &str, arguments: &Map<String, Value>) -> Result<State, Failure> {
    let cause = match State::fetch(routes, game, arguments).await {
        Ok(state) => return Ok(state),
        Err(cause) => cause,
    };
    let NoAnswer::Problem(problem) = &cause else { return Err(cause.into()) };
    let Some(index) = problem["index"].as_u64() else { return Err(cause.into()) };
    let mut legal = arguments.clone();
    if let Some(moves) = legal.get_mut("moves").and_then(Value::as_array_mut) {
        moves.truncate(index as usize);
    }
    let state = State::fetch(routes, game, &legal).await.ok();
    Err(Failure { cause, state })
}

fn unreadable(error: &serde_json::Error) -> NoAnswer {
    NoAnswer::Failure(format!("the answer cannot be read: {error}"))
}

/// Returns the result of a call that failed.
fn failed(Failure { cause, state }: Failure) -> Value {
    let text = |text: String| json!([{ "type": "text", "text": text }]);
    let problem = match cause {
        NoAnswer::Failure(message) => return json!({ "content": text(message), "isError": true }),
        NoAnswer::Problem(problem) => problem,
    };
    let mut message = text::problem(&problem);
    let mut structured = Map::new();
    if let Some(state) = state {
        message += &format!("\n\n{}", state.text());
        structured = state.fields();
    }
    structured.insert("error".to_owned(), problem);
    json!({ "content": text(message), "structuredContent": structured, "isError": true })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unknown arguments are refused by name, with those that the tool has.
    #[test]
    fn unknown_arguments_are_named() {
        let tools = ToolSet::all();
        let arguments = json!({"game": "pentago", "limts": {}});
        let refused = check_names(tools.find("hint").unwrap(), arguments.as_object().unwrap(), &tools);
        let Err(NoAnswer::Problem(problem)) = refused else { panic!("it is refused") };
        assert_eq!((&problem["reason"], &problem["field"]), (&json!("bad_argument"), &json!("limts")));
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.starts_with("`hint` has no argument `limts`; its arguments are "), "{detail}");
        let few = ToolSet::parse("position").unwrap();
        let arguments = json!({"game": "pentago", "legalMoves": true});
        assert!(check_names(few.find("position").unwrap(), arguments.as_object().unwrap(), &few).is_err());
        assert!(few.find("legal_moves").is_none());
    }
}
