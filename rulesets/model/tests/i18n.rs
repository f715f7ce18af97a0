//! Catalogues: what they refuse, and how they render.

use pentad_model::i18n::{Catalogue, Language, Message, MessageInfo, Param, ParamInfo, ParamKind, ParamValue};
use pentad_model::{Seat, Violation};

fn param(name: &str, kind: ParamKind, group: &str) -> ParamInfo {
    ParamInfo { name: name.to_owned(), kind, group: group.to_owned() }
}

fn message(id: &str, params: &[ParamInfo]) -> MessageInfo {
    MessageInfo { id: id.to_owned(), params: params.to_vec() }
}

fn messages() -> Vec<MessageInfo> {
    vec![
        message("seat.w", &[]),
        message("seat.b", &[]),
        message("figure.a", &[]),
        message("wins", &[]),
        message("takes", &[param("who", ParamKind::Seats, ""), param("count", ParamKind::Integer, "")]),
        message("scores", &[param("points", ParamKind::Decimal, ""), param("reply", ParamKind::Move, "")]),
        message("moves", &[param("what", ParamKind::Terms, "figure"), param("cells", ParamKind::Points, "")]),
    ]
}

const ENGLISH: &[(&str, &str)] = &[
    ("seat.w", "White"),
    ("seat.b", "Black"),
    ("figure.a", "the white figure"),
    ("wins", "It wins."),
    (
        "takes",
        "{who} {who, plural, one {takes} other {take}} {count, plural, =0 {nothing} one {# ring} other {# rings}}.",
    ),
    ("scores", "It scores {points} against {reply}."),
    ("moves", "{what} goes to {cells}."),
];

const FINNISH: &[(&str, &str)] = &[
    ("seat.w", "valkoinen"),
    ("seat.b", "musta"),
    ("seat.w.adessive", "valkoisella"),
    ("seat.b.adessive", "mustalla"),
    ("figure.a", "valkoinen nappula"),
    ("wins", "Siirto voittaa."),
    ("takes", "{who.adessive} on {count, plural, one {yksi rengas} other {# rengasta}}."),
    ("scores", "Siirto saa {points} pistettä vastaan {reply}."),
    ("moves", "{what} menee kohtiin {cells}."),
];

type Built = Result<(Catalogue, Vec<Violation>), Violation>;

/// Builds a catalogue from the tables above, with changes to one of them: a text is
/// replaced or added; `None` removes it.
fn with(messages: Vec<MessageInfo>, language: &str, changes: &[(&str, Option<&str>)]) -> Built {
    let mut templates = Vec::new();
    for (tag, table) in [("en", ENGLISH), ("fi", FINNISH)] {
        let mut table: Vec<(&str, &str)> = table.to_vec();
        for (id, text) in changes.iter().filter(|_| tag == language) {
            table.retain(|(known, _)| known != id);
            table.extend(text.map(|text| (*id, text)));
        }
        templates.extend(table.into_iter().map(|(id, text)| (tag, id, text)));
    }
    Catalogue::build(messages, templates)
}

fn catalogue() -> Catalogue {
    let (catalogue, problems) = with(messages(), "en", &[]).unwrap();
    assert_eq!(problems, []);
    catalogue
}

fn takes(seats: &[&str], count: i64) -> Message {
    let seats = ParamValue::Seats(seats.iter().map(|&seat| seat.to_owned()).collect());
    Message::new("takes", vec![Param::new("who", seats), Param::new("count", ParamValue::Integer(count))])
}

/// Numbers, lists, plurals, forms and capitals follow the language.
#[test]
fn languages_differ_in_more_than_words() {
    let catalogue = catalogue();
    let render = |language, message: &Message| catalogue.render(language, message, &[]);
    for (seats, count, english, finnish) in [
        (&["w"][..], 1, "White takes 1 ring.", "Valkoisella on yksi rengas."),
        (&["b"], 0, "Black takes nothing.", "Mustalla on 0 rengasta."),
        (&["w", "b"], 12, "White and Black take 12 rings.", "Valkoisella ja mustalla on 12 rengasta."),
        (
            &["w", "b", "w"],
            2,
            "White, Black and White take 2 rings.",
            "Valkoisella, mustalla ja valkoisella on 2 rengasta.",
        ),
    ] {
        assert_eq!(render(Language::English, &takes(seats, count)), english);
        assert_eq!(render(Language::Finnish, &takes(seats, count)), finnish);
        // There is no German.
        assert_eq!(render(Language::German, &takes(seats, count)), english);
    }
    let scores = |hundredths| {
        let params = [("points", ParamValue::Decimal(hundredths)), ("reply", ParamValue::Move("a1".to_owned()))];
        Message::new("scores", params.map(|(name, value)| Param::new(name, value)).into())
    };
    assert_eq!(render(Language::English, &scores(5)), "It scores 0.05 against a1.");
    assert_eq!(render(Language::Finnish, &scores(-1_250)), "Siirto saa -12,50 pistettä vastaan a1.");
    let moves = Message::new(
        "moves",
        vec![
            Param::new("what", ParamValue::Terms(vec!["a".to_owned()])),
            Param::new("cells", ParamValue::Points(vec!["a1".to_owned(), "b2".to_owned()])),
        ],
    );
    assert_eq!(render(Language::English, &moves), "The white figure goes to a1 and b2.");
    assert_eq!(render(Language::Finnish, &moves), "Valkoinen nappula menee kohtiin a1 ja b2.");
    assert_eq!(catalogue.seat_name(Language::Finnish, "w").as_deref(), Some("Valkoinen"));
    assert_eq!(catalogue.seat_name(Language::Finnish, "x"), None);
}

/// French has one form for 0 and 1, the others one for 1.
#[test]
fn plurals_follow_the_language() {
    let infos = [message("n", &[param("n", ParamKind::Integer, "")])];
    let texts = Language::ALL.map(|language| (language.tag(), "n", "{n, plural, one {one} other {#}}"));
    let (catalogue, problems) = Catalogue::build(infos, texts).unwrap();
    assert_eq!(problems, []);
    for language in Language::ALL {
        let of = |n| catalogue.render(language, &Message::new("n", vec![Param::new("n", ParamValue::Integer(n))]), &[]);
        let zero = if language == Language::French { "one" } else { "0" };
        assert_eq!([of(0), of(1), of(2), of(21)], [zero, "one", "2", "21"], "{language}");
    }
}

/// A seat without a term is called by its name, a region does not change the language,
/// and unknown languages are ignored.
#[test]
fn gaps_are_filled() {
    let infos = [message("n", &[param("who", ParamKind::Seats, "")])];
    let texts = [("en-GB", "n", "{who} wins."), ("eo", "n", "{wrong"), ("SV", "n", "{who} vinner.")];
    let (catalogue, problems) = Catalogue::build(infos, texts).unwrap();
    assert_eq!(problems, []);
    let seats = [Seat { id: "a".to_owned(), name: "ann".to_owned(), side: 0 }];
    let ann = Message::new("n", vec![Param::new("who", ParamValue::Seats(vec!["a".to_owned()]))]);
    assert_eq!(catalogue.render(Language::English, &ann, &seats), "Ann wins.");
    assert_eq!(catalogue.render(Language::Swedish, &ann, &seats), "Ann vinner.");
    assert!(catalogue.speaks(Language::Swedish) && !catalogue.speaks(Language::French));
}

/// A mistake in English refuses the catalogue; in another language it is reported, and
/// the message is rendered in English.
#[test]
fn mistakes_are_found() {
    for (id, text, problem) in [
        ("wins", Some("It wins"), None),
        ("wins", None, Some("`wins`: no template")),
        ("wins", Some("It {wins"), Some("`wins`: expected `,`")),
        ("wins", Some("It wins {count}."), Some("`wins`: there is no parameter `count`")),
        ("takes", Some("{who} takes."), Some("`takes`: the parameter `count` is not used")),
        ("takes", Some("{who} takes {count} {n}."), Some("`takes`: there is no parameter `n`")),
        ("takes", Some("{who} {count.adessive}."), Some("`takes`: `count` is of the kind Integer, which has no forms")),
        ("takes", Some("{who.dative} {count}."), Some("`takes`: uses the form `seat.")),
        (
            "scores",
            Some("{points, plural, other {#}} {reply}"),
            Some("`scores`: `points` is of the kind Decimal, which has no plural"),
        ),
        ("unknown", Some("It wins."), Some("`unknown`: neither a message nor a form of a term")),
        ("seat.x", Some("Grey"), Some("`seat.x`: neither a message nor a form of a term")),
        ("seat.x.dative", Some("Grey"), Some("`seat.x.dative`: neither a message nor a form of a term")),
        ("wins.dative", Some("Grey"), Some("`wins.dative`: neither a message nor a form of a term")),
        ("seat.w.dative", Some("{count}"), Some("`seat.w.dative`: there is no parameter `count`")),
        ("seat.w.dative", Some("valkoiselle"), None),
    ] {
        let english = with(messages(), "en", &[(id, text)]);
        let (finnish, problems) = with(messages(), "fi", &[(id, text)]).expect("English is complete");
        match problem {
            Some(problem) => {
                let found = english.expect_err(problem).detail;
                assert!(found.starts_with(&format!("en: {problem}")), "{id} = {text:?}: {found}");
                assert!(problems.iter().any(|it| it.detail.starts_with(&format!("fi: {problem}"))), "{problems:?}");
            }
            None => {
                assert_eq!(english.map(|(_, problems)| problems), Ok(Vec::new()), "{id}");
                assert_eq!(problems, [], "{id}");
            }
        }
        let rendered = finnish.render(Language::Finnish, &takes(&["w"], 2), &[]);
        let is_broken = id == "takes";
        assert_eq!(rendered, if is_broken { "White takes 2 rings." } else { "Valkoisella on 2 rengasta." });
    }
    let twice = ENGLISH.iter().chain(&ENGLISH[3..4]).map(|&(id, text)| ("en", id, text));
    assert_eq!(Catalogue::build(messages(), twice).unwrap_err().detail, "en: `wins`: has two templates");
}

/// Declarations are checked before templates are.
#[test]
fn declarations_are_checked() {
    let twice = [param("n", ParamKind::Integer, ""), param("n", ParamKind::Move, "")];
    for (added, problem) in [
        (message("wins", &[]), "message `wins`: listed twice"),
        (message("Wins", &[]), "message `Wins`: the id does not begin with lower-case letters"),
        (message(".wins", &[]), "message `.wins`: the id does not begin"),
        (message("a{b}", &[]), "message `a{b}`: the id does not begin"),
        (message("n", &twice), "message `n`: the parameter `n` is declared twice"),
        (message("n", &[param("N", ParamKind::Integer, "")]), "message `n`: the parameter `N`"),
        (message("n", &[param("n", ParamKind::Terms, "")]), "message `n`: `n`: terms have a group"),
        (message("n", &[param("n", ParamKind::Move, "figure")]), "message `n`: `n`: terms have a group"),
        (message("n", &[param("n", ParamKind::Terms, "ghost")]), "there are no terms of the group `ghost`"),
    ] {
        let found = with(messages().into_iter().chain([added]).collect(), "en", &[]).unwrap_err().detail;
        assert!(found.starts_with(problem), "{problem}: {found}");
    }
}

/// A message has exactly the parameters that are declared for it.
#[test]
fn messages_are_checked() {
    let catalogue = catalogue();
    assert_eq!(catalogue.check(&takes(&["w"], 1)), Ok(()));
    let who = || Param::new("who", ParamValue::Seats(vec!["w".to_owned()]));
    let terms = |term: &str| Param::new("what", ParamValue::Terms(vec![term.to_owned()]));
    let cells = || Param::new("cells", ParamValue::Points(vec!["a1".to_owned()]));
    assert_eq!(catalogue.check(&Message::new("moves", vec![cells(), terms("a")])), Ok(()));
    for (message, problem) in [
        (Message::new("loses", vec![]), "`loses` is not a message that was listed"),
        (Message::new("takes", vec![who()]), "message `takes`: 1 parameters instead of 2"),
        (Message::new("takes", vec![who(), who()]), "message `takes`: no parameter `count`"),
        (
            Message::new("takes", vec![who(), Param::new("count", ParamValue::Text("2".to_owned()))]),
            "message `takes`: `count` is of the kind Text instead of Integer",
        ),
        (Message::new("moves", vec![terms("b"), cells()]), "message `moves`: `figure.b` is not a term that was listed"),
    ] {
        assert_eq!(catalogue.check(&message).unwrap_err().detail, problem);
    }
}

/// Messages and declarations are read as they were written.
#[test]
fn messages_round_trip() {
    let values = [
        ("integer", ParamValue::Integer(i64::MIN)),
        ("decimal", ParamValue::Decimal(53)),
        ("seats", ParamValue::Seats(vec!["w".to_owned(), "b".to_owned()])),
        ("points", ParamValue::Points(vec!["a1".to_owned()])),
        ("mv", ParamValue::Move("a1-1r".to_owned())),
        ("terms", ParamValue::Terms(vec!["x".to_owned()])),
        ("text", ParamValue::Text("any é text".to_owned())),
    ];
    let seats = ["w", "b"].map(|id| Seat { id: id.to_owned(), name: id.to_owned(), side: 0 });
    let message = Message::new("all.kinds", values.map(|(name, value)| Param::new(name, value)).into());
    // SAFETY: the message is readable during the call.
    let read = message.with_abi(|raw| unsafe { Message::from_plugin(raw, &seats, None) });
    assert_eq!(read.as_ref(), Ok(&message));
    assert_eq!(message.code(), "all");
    // SAFETY: as above.
    let unknown_seat = message.with_abi(|raw| unsafe { Message::from_plugin(raw, &seats[..1], None) });
    assert_eq!(unknown_seat.unwrap_err().detail, "message `all.kinds`: parameter 2: `b` is not one of the Seats");
    for info in messages() {
        // SAFETY: as above.
        let read = info.with_abi(|raw| unsafe { MessageInfo::from_plugin(raw) });
        assert_eq!(read, Ok(info));
    }
}

/// A template cannot make a text longer than the ABI allows.
#[test]
fn long_texts_are_cut() {
    let infos = [message("n", &[param("t", ParamKind::Text, "")])];
    let template = "{t}".repeat(600);
    let (catalogue, _) = Catalogue::build(infos, [("en", "n", template.as_str())]).unwrap();
    let message = Message::new("n", vec![Param::new("t", ParamValue::Text("é".repeat(128)))]);
    let text = catalogue.render(Language::English, &message, &[]);
    assert_eq!(text.len() as u64, pentad_abi::TEXT_LEN_MAX);
}
