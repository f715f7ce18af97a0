//! The README matches the server. `.ci/readme` runs its commands.

use serde_json::{Value, json};

use crate::support::{assert_golden, server};

const README: &str = include_str!("../../README.md");

/// The picture is the server's diagram of the position in the example request.
#[tokio::test]
async fn picture_matches_the_position() {
    let server = server().start().await;
    let path = "/v1/games/pentago/diagram.svg?position=wwww2/6/bbbb2/6/6/6+w&size=320";
    assert_golden("pentago.svg", &server.get(path).await.ok().text());
    assert!(README.contains("tests/golden/pentago.svg"));
}

/// The example answer is the server's, except for the elapsed time.
#[tokio::test]
async fn example_answer_matches() {
    let shown = README.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("one answer");
    let mut shown: Value = serde_json::from_str(shown).expect("the answer is JSON");
    let server = server().start().await;
    let request = json!({"position": "wwww2/6/bbbb2/6/6/6 w"});
    let mut given = server.post("/v1/games/pentago/hints", &request).await.ok().json();
    for answer in [&mut shown, &mut given] {
        let took = answer.as_object_mut().and_then(|fields| fields.remove("elapsedMs"));
        assert!(took.is_some_and(|took| took.is_number()));
    }
    assert_eq!(given, shown);
}

/// The commands for a first start are shown.
#[test]
fn commands_are_shown() {
    for command in ["\ncargo run --release\n", "\ncargo test --workspace\n", "\ncurl -s localhost:8080/", "\nbuf curl "]
    {
        assert!(README.contains(command), "{command:?}");
    }
}
