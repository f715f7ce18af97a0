//! `pentad play`: a game at the prompt, here from a pipe.

use super::typed;

/// Plays tic-tac-toe against somebody at the same prompt: moves, hints, mistakes, undo.
#[tokio::test]
async fn games_are_played_at_the_prompt() {
    let script = "help\nb2\nhint\nb2\nnonsense\n\u{e9}\u{e9}\nmoves c\na1\nundo\nundo\na1\n";
    let played = typed(["play", "tictactoe", "--seats", "person,person"], script).await;
    assert_eq!((played.code, played.stderr.as_str()), (Some(0), ""), "{played:?}");
    let text = &played.stdout;
    assert!(
        text.contains("Crosses to move, 9 legal moves") && text.contains("Noughts to move, 8 legal moves"),
        "{text}"
    );
    assert!(text.contains("undo           takes back"), "the help:\n{text}");
    assert!(text.contains("a proven draw"), "the hint:\n{text}");
    assert!(text.contains("legal: c1 c2 c3"), "the list:\n{text}");
    assert!(text.contains("b2") && text.contains("taken"), "the mistake:\n{text}");
    let n_starts = text.matches("Crosses to move, 9 legal moves").count();
    assert_eq!(n_starts, 2, "at the start, and after taking back both moves:\n{text}");
    assert!(!text.contains('\u{1b}') && !text.contains("> "), "a pipe gets neither colours nor prompts:\n{text}");
}

/// Levels answer at once; a game between them runs to its end without a prompt, the same for
/// the same seed.
#[tokio::test]
async fn levels_play_their_seats() {
    let alone = ["play", "tictactoe", "--seats", "level3,random", "--seed", "5", "--nodes", "500"];
    let first = typed(alone, "").await;
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(
        first.stdout.contains("Crosses (level3) plays ") && first.stdout.contains("Noughts (random) plays "),
        "{first:?}"
    );
    assert_eq!(typed(alone, "").await.stdout, first.stdout);

    let person = ["play", "tictactoe", "--seats", "person,greedy", "--seed", "5"];
    let greedy = typed(person, "a1\n").await.stdout;
    assert!(greedy.contains("Noughts (greedy) plays "), "{greedy}");
    // Crosses threaten the first row; the other seat stops it.
    let position = "xx1/3/o2 o";
    let stopping = typed(["play", "tictactoe", "--position", position, "--seats", "person,greedy"], "").await.stdout;
    assert!(stopping.contains("Noughts (greedy) plays c1"), "{stopping}");

    for (seats, message) in
        [("person", "1 players for 2 seats: Crosses, Noughts"), ("person,level11", "none of person")]
    {
        let refused = typed(["play", "tictactoe", "--seats", seats], "").await;
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("--seats: ") && refused.stderr.contains(message), "{refused:?}");
    }
}

/// A saved game is text that is loaded again, also by `review`.
#[tokio::test]
async fn games_are_saved_and_loaded() {
    let file = pentad_test_plugins::scratch_dir().join("game.txt");
    let file = file.to_str().expect("UTF-8");
    let seats = ["play", "tictactoe", "--seats", "person,person"];
    let saved = typed(seats, &format!("a1\nb1\na2\nb2\na3\nsave {file}\nsave /no/such/place\nquit\nignored\n")).await;
    assert_eq!(saved.code, Some(0), "{saved:?}");
    assert!(saved.stdout.contains("saved 5 moves") && saved.stdout.contains("/no/such/place: "), "{saved:?}");
    let text = std::fs::read_to_string(file).expect("it is written");
    assert!(text.contains("[Game \"tictactoe\"]") && text.contains("\n1. a1 b1 2. a2 b2 3. a3\n"), "{text}");
    let over = saved.stdout.lines().find(|line| line.contains("wins") || line.contains("three")).expect("the result");
    assert!(text.contains(&format!("[Result \"{over}\"]")), "{over}: {text}");

    let loaded = typed(seats.into_iter().chain(["--load", file]), "undo\nc3\n").await;
    assert_eq!(loaded.code, Some(0), "{loaded:?}");
    assert!(loaded.stdout.contains(over) && loaded.stdout.contains("Noughts to move, 4 legal moves"), "{loaded:?}");
    let again = typed(seats, &format!("load {file}\nboard\n")).await;
    assert_eq!(again.stdout.matches(over).count(), 2, "{again:?}");
    let reviewed = typed(["review", "tictactoe", file, "--depth", "9"], "").await;
    assert!(reviewed.stdout.contains(over), "{reviewed:?}");
    let other = typed(["play", "pentago", "--load", file], "").await;
    assert!(other.stderr.contains("a game of tictactoe, not of pentago"), "{other:?}");
}
