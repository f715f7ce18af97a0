//! Parses arbitrary bytes as a worker's messages.

use std::ops::ControlFlow;

use pentad_model::evaluation;

use super::rules::visit_moves;
use super::{decode, unexpected};
use crate::isolation::wire::{Loaded, Reply, read_outcome};
use crate::isolation::wire_translations::{arbitrary_variant, arbitrary_words};

/// See [`read_arbitrary_bytes`](crate::read_arbitrary_bytes).
pub(in crate::isolation) fn read_arbitrary_bytes(bytes: &[u8]) {
    if let Ok(Loaded::Ready(description)) = postcard::from_bytes(bytes) {
        let _ignored = description.read();
    }
    let variant = arbitrary_variant();
    let (seating, words) = (variant.seating(), arbitrary_words());
    let catalogue = Some(&words.catalogue);
    let Ok(reply) = decode(bytes) else { return };
    let _shown = unexpected(&reply);
    match reply {
        Reply::Moves { text, .. } => drop(visit_moves(text, "", &mut |_| ControlFlow::Continue(()))),
        Reply::Report(report) => drop(report.read(seating, 8)),
        Reply::Outcome { raw, text, message } => {
            drop(read_outcome((&raw, text, message.as_ref()), catalogue, &variant));
        }
        Reply::Evaluation(raw) => drop(evaluation::from_plugin(&raw, seating)),
        Reply::Reasons { lists, .. } => {
            lists.iter().flatten().for_each(|reason| drop(reason.read(catalogue, &variant)));
        }
        Reply::Messages(messages) => messages.iter().flatten().for_each(|it| drop(it.read(catalogue, &variant))),
        Reply::Refused(refusal) => drop(refusal.read("run")),
        Reply::Reached { refusal: Some(refusal), .. } => drop(refusal.read("play")),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use pentad_model::i18n::{Message, Param, ParamValue, Sentence};
    use pentad_model::rng::mix;
    use pentad_model::{Certainty, Evaluation, Line, Report, Scores, Source};
    use pentad_model::{Outcome, Reason, Seating};

    use super::*;
    use crate::error::CallError;
    use crate::isolation::wire::{Description, Refusal, WireReason, WireReport, outcome_reply};
    use crate::isolation::wire_translations::WireMessage;
    use crate::ruleset::Ruleset;

    fn report() -> Report<String> {
        let evaluation = Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores: Scores::even(2),
            source: Source::Search,
            depth: 3,
        };
        let line = |mv: &str| Line { moves: vec![mv.to_owned(), "b2".to_owned()], evaluation };
        Report { lines: vec![line("a1"), line("c3")], evaluation, depth: 3, nodes: 77, stop: None }
    }

    /// One message of every kind that a worker may send.
    fn messages() -> Vec<Vec<u8>> {
        let tictactoe = Ruleset::load(&pentad_test_plugins::build("tictactoe"), None).unwrap();
        let report = report();
        let reason = Reason {
            code: "only_move".to_owned(),
            text: "Loses.".to_owned(),
            points: vec!["a1".to_owned()],
            message: None,
        };
        let winner = Param::new("winner", ParamValue::Seats(vec!["b".to_owned()]));
        let message = Message::new("wins", vec![winner, Param::new("plies", ParamValue::Integer(3))]);
        let spoken = Reason { message: Some(message.clone()), ..reason.clone() };
        let sentence = Sentence { text: String::new(), message: Some(message) };
        let ended = Outcome::of_two(Some(0), sentence);
        let error = CallError::Malformed { field: "board".to_owned(), column: Some(3), message: "no".to_owned() };
        let replies = [
            Reply::Position(&[1, 2, 3]),
            Reply::Positions(&[1, 2, 3, 4]),
            Reply::Played { position: &[1, 2], canonical: "a1" },
            Reply::Reached { position: &[1], n_played: 3, refusal: Some(Refusal::new(&error)) },
            Reply::Text("3/3/3 x"),
            Reply::Number(7),
            Reply::Moves { text: "a1\na2\n", is_last: true },
            Reply::Outcome { raw: Outcome::of_two(Some(0), "").to_abi(), text: "x wins.", message: None },
            outcome_reply(&ended),
            Reply::Canonical { position: &[9], symmetry: 3 },
            Reply::Line(vec!["a1", "b2"]),
            Reply::Pieces(vec![(0, 1), (2, 0)]),
            Reply::Reasons { lists: vec![vec![WireReason::new(&reason)], vec![WireReason::new(&spoken)]], fault: None },
            Reply::Messages(vec![spoken.message.as_ref().map(WireMessage::new), None]),
            Reply::Evaluation(evaluation::to_abi(&report.evaluation)),
            Reply::Created,
            Reply::Report(WireReport::new(&report)),
            Reply::Refused(Refusal::new(&error)),
        ];
        let loaded = Loaded::Ready(Box::new(Description::new(&tictactoe, 31)));
        let mut messages: Vec<Vec<u8>> = replies.iter().map(|reply| postcard::to_stdvec(reply).unwrap()).collect();
        messages.push(postcard::to_stdvec(&loaded).unwrap());
        messages
    }

    /// Arbitrary bytes, and valid messages with bytes changed, cut off or repeated, are
    /// refused or read as a valid value. Nothing panics.
    #[test]
    fn arbitrary_bytes_are_survived() {
        let mut state = 0;
        let mut random = |end: usize| {
            state += 1;
            (mix(state) % end.max(1) as u64) as usize
        };
        for _ in 0..20_000 {
            let len = random(100);
            // Small first bytes are message kinds.
            let bytes: Vec<u8> = (0..len).map(|at| random(if at == 0 { 21 } else { 256 }) as u8).collect();
            read_arbitrary_bytes(&bytes);
        }
        for message in messages() {
            read_arbitrary_bytes(&message);
            for _ in 0..1000 {
                let mut bytes = message.clone();
                for _ in 0..=random(3) {
                    let at = random(bytes.len());
                    match random(3) {
                        0 => bytes[at] = random(256) as u8,
                        1 => bytes.truncate(at.max(1)),
                        _ => bytes.extend_from_within(at..),
                    }
                }
                read_arbitrary_bytes(&bytes);
            }
        }
    }

    /// A valid message round-trips.
    #[test]
    fn reports_are_read_back() {
        let report = report();
        let bytes = postcard::to_stdvec(&Reply::Report(WireReport::new(&report))).unwrap();
        let Ok(Reply::Report(read)) = decode(&bytes) else { panic!("it is a report") };
        let seating = Seating { n_seats: 2, n_sides: 2 };
        assert_eq!(read.read(seating, 2), Ok(report));
        assert!(read.read(seating, 1).is_err(), "more lines than were asked for");
        assert!(read.read(Seating { n_seats: 3, n_sides: 3 }, 2).is_err(), "of another variant");
    }
}
