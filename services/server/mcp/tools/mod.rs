//! The tools, and which of them a client has.
//!
//! | module | contents |
//! | --- | --- |
//! | `schema` | schemas of arguments and results, from those of `/openapi.json` |
//! | `call` | one call of a tool: its questions to the API, and its result |
//! | `state` | a position as every result has it |
//! | `text` | answers as text for a model |

mod call;
mod schema;
mod state;
mod text;

use std::collections::HashMap;
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use super::resources::BOARD_APP;
use crate::answers::GameView;

pub(super) use call::call;
pub(super) use state::DIAGRAM_TYPE;

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    title: &'static str,
    description: &'static str,
    kind: ToolKind,
}

#[derive(Debug)]
enum ToolKind {
    /// Describes the games that are served.
    Games,
    /// Describes a position.
    Position,
    /// Asks a question about a position.
    Question(Question),
}

impl Tool {
    /// Whether every result has a position, which the app can show.
    fn has_position(&self) -> bool {
        !matches!(self.kind, ToolKind::Games)
    }
}

/// A call of the API.
#[derive(Debug)]
struct Question {
    /// The last part of its path.
    path: &'static str,
    /// The schemas of its question and its answer in `/openapi.json`.
    schemas: (&'static str, &'static str),
    /// Fields of the question that the tool does not have.
    withheld: &'static [&'static str],
    /// Time that the tool allows if its arguments limit none; otherwise the API's default.
    total_time_ms: Option<u64>,
    /// Writes the answer for a model.
    text: fn(&GameView, &Value) -> Result<String, serde_json::Error>,
}

/// Without `legal_moves` a client gets no list of legal moves from any tool.
const LEGAL_MOVES: &str = "legal_moves";

/// The argument of `position` that keeps the list back.
const LISTING_ARGUMENT: &str = "legalMoves";

/// Time of reviews and searches for puzzles whose arguments limit none: clients wait for a
/// minute.
const TOTAL_TIME_MS: u64 = 20_000;

static TOOLS: [Tool; 8] = [
    Tool {
        name: "games",
        title: "Games",
        description: "Lists the games that are served, with their variants and seats. With `game`, also the rules of \
                      that game and how its positions and moves are written: read that before you play it.",
        kind: ToolKind::Games,
    },
    Tool {
        name: "position",
        title: "Position",
        description: "Plays moves and describes the position that they lead to: its canonical text, a board, whose \
                      turn it is, the legal moves, and how the game ended if it is over. Nothing is kept between \
                      calls: pass the position that you got, or all moves from the start.",
        kind: ToolKind::Position,
    },
    Tool {
        name: LEGAL_MOVES,
        title: "Legal moves",
        description: "Lists the legal moves of a position, page by page; `prefix` narrows them down.",
        kind: ToolKind::Question(Question {
            path: "legal-moves",
            schemas: ("MovesQuestion", "MovesAnswer"),
            withheld: &[],
            total_time_ms: None,
            text: text::legal_moves,
        }),
    },
    Tool {
        name: "hint",
        title: "Best moves",
        description: "Finds the best moves of a position, with their values, expected lines and reasons. A value is \
                      proven or an estimate, and says which. `level` below 10 plays like a weaker player, and \
                      `detail` says how much to give away.",
        kind: ToolKind::Question(Question {
            path: "hints",
            schemas: ("HintsQuestion", "HintsAnswer"),
            withheld: &["policy"],
            total_time_ms: None,
            text: text::hints,
        }),
    },
    Tool {
        name: "compare",
        title: "Compare moves",
        description: "Values two to eight moves of a position by one search, with the best reply to each, and says \
                      which move is best.",
        kind: ToolKind::Question(Question {
            path: "compare",
            schemas: ("ComparisonQuestion", "ComparisonAnswer"),
            withheld: &[],
            total_time_ms: None,
            text: text::comparison,
        }),
    },
    Tool {
        name: "review",
        title: "Review a game",
        description: "Judges the moves of a game one by one: what each gave away, its label, the better move, and \
                      the turning points. The result's position is the one after the last move.",
        kind: ToolKind::Question(Question {
            path: "review",
            schemas: ("ReviewQuestion", "ReviewAnswer"),
            withheld: &[],
            total_time_ms: Some(TOTAL_TIME_MS),
            text: text::review,
        }),
    },
    Tool {
        name: "threats",
        title: "Threats",
        description: "Lists the wins that each seat would have if it were its turn, and the moves that stop them.",
        kind: ToolKind::Question(Question {
            path: "threats",
            schemas: ("ThreatsQuestion", "ThreatsAnswer"),
            withheld: &[],
            total_time_ms: None,
            text: text::threats,
        }),
    },
    Tool {
        name: "puzzle",
        title: "Puzzle",
        description: "Finds positions that exactly one move wins, proven for every defence, with their solutions: in \
                      the game that `moves` give, or in games that it plays itself. The result's position is that of \
                      the first puzzle.",
        kind: ToolKind::Question(Question {
            path: PUZZLES,
            schemas: ("PuzzleQuestion", "PuzzlesAnswer"),
            withheld: &[],
            total_time_ms: Some(TOTAL_TIME_MS),
            text: text::puzzles,
        }),
    },
];

const PUZZLES: &str = "puzzles";

/// The tools that a client has, in the order of the table.
#[derive(Clone, Debug)]
pub(crate) struct ToolSet(Vec<&'static Tool>);

impl ToolSet {
    pub(crate) fn all() -> ToolSet {
        ToolSet(TOOLS.iter().collect())
    }

    /// Reads the names of tools, separated by commas. Fails with a sentence.
    pub(crate) fn parse(names: &str) -> Result<ToolSet, String> {
        let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let known = || TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
        if let Some(unknown) = names.iter().find(|name| TOOLS.iter().all(|tool| tool.name != **name)) {
            return Err(format!("there is no tool `{unknown}`; the tools are {}", known()));
        }
        if names.is_empty() {
            return Err(format!("no tool is named; the tools are {}", known()));
        }
        Ok(ToolSet(TOOLS.iter().filter(|tool| names.contains(&tool.name)).collect()))
    }

    /// Reads the parameter `tools` of an address; without it, all are meant. Fails with the
    /// name of the parameter that is wrong, and a sentence.
    pub(super) fn from_query(query: &str) -> Result<ToolSet, (String, String)> {
        let mut tools = None;
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if name != "tools" || tools.is_some() {
                let what = if name == "tools" { "is given twice" } else { "is not known; the only one is `tools`" };
                return Err((name.to_owned(), format!("the parameter `{name}` {what}")));
            }
            let value = percent_decode_str(value).decode_utf8_lossy();
            tools = Some(ToolSet::parse(&value).map_err(|message| (name.to_owned(), format!("`tools`: {message}")))?);
        }
        Ok(tools.unwrap_or_else(ToolSet::all))
    }

    pub(super) fn find(&self, name: &str) -> Option<&'static Tool> {
        self.0.iter().find(|tool| tool.name == name).copied()
    }

    /// Whether answers may list legal moves.
    fn lists_moves(&self) -> bool {
        self.find(LEGAL_MOVES).is_some()
    }

    /// Returns the definitions for `tools/list`.
    pub(super) fn definitions(&self) -> Vec<Value> {
        self.0.iter().map(|tool| self.definition(tool)).collect()
    }

    fn definition(&self, tool: &Tool) -> Value {
        let mut definition = DEFINITIONS.get(tool.name).cloned().unwrap_or_default();
        let properties = definition.pointer_mut("/inputSchema/properties").and_then(Value::as_object_mut);
        if let Some(properties) = properties.filter(|_| !self.lists_moves()) {
            properties.remove(LISTING_ARGUMENT);
        }
        definition
    }

    /// Returns the names of the arguments that a tool takes.
    fn argument_names(&self, tool: &Tool) -> Vec<String> {
        let definition = self.definition(tool);
        let properties = definition["inputSchema"]["properties"].as_object();
        properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
    }
}

/// The definitions of all tools by name, made once: schemas take a while.
static DEFINITIONS: LazyLock<HashMap<&'static str, Value>> = LazyLock::new(|| {
    let definition = |tool: &Tool| {
        let mut definition = json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": schema::input(tool),
            "outputSchema": schema::output(tool),
            "annotations": {
                "title": tool.title, "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
                "openWorldHint": false,
            },
        });
        if tool.has_position() {
            definition["_meta"] = json!({ "ui": { "resourceUri": BOARD_APP } });
        }
        definition
    };
    TOOLS.iter().map(|tool| (tool.name, definition(tool))).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn names(set: &ToolSet) -> Vec<&'static str> {
        set.0.iter().map(|tool| tool.name).collect()
    }

    /// A choice of tools keeps the order of the table; unknown names and parameters are named.
    #[test]
    fn tools_can_be_chosen() {
        assert_eq!(names(&ToolSet::from_query("").unwrap()), names(&ToolSet::all()));
        assert_eq!(names(&ToolSet::from_query("tools=hint,%20games").unwrap()), ["games", "hint"]);
        assert!(!ToolSet::parse("games,position").unwrap().lists_moves());
        assert!(ToolSet::all().lists_moves());
        for (query, field, part) in [
            ("tools=games,solve", "tools", "no tool `solve`; the tools are games, position"),
            ("tools=", "tools", "no tool is named"),
            ("tools=games&tools=hint", "tools", "given twice"),
            ("session=1", "session", "the only one is `tools`"),
            ("tools", "tools", "no tool is named"),
        ] {
            let (found, message) = ToolSet::from_query(query).expect_err(query);
            assert!(found == field && message.contains(part), "{query}: {found}: {message}");
        }
    }

    /// Moves can be kept back only where they can be listed.
    #[test]
    fn legal_moves_are_an_option() {
        let (all, few) = (ToolSet::all(), ToolSet::parse("position").unwrap());
        let takes = |set: &ToolSet| set.argument_names(&TOOLS[1]).contains(&LISTING_ARGUMENT.to_owned());
        assert!(takes(&all) && !takes(&few));
    }

    /// Names are those that clients accept, and titles and descriptions are sentences.
    #[test]
    fn definitions_are_complete() {
        for definition in ToolSet::all().definitions() {
            let name = definition["name"].as_str().unwrap();
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
            assert!(definition["description"].as_str().unwrap().ends_with('.'), "{name}");
            assert!(!definition["title"].as_str().unwrap().is_empty(), "{name}");
        }
    }
}
