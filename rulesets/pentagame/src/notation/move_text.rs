//! Parses moves and explains refusals of illegal ones.

use pentad_sdk::Refusal;
use pentad_sdk::notation::Reader;

use crate::board::Figure;
use crate::moves::{GREYS_MAX, Grey, Move};
use crate::notation::reader::ReadPieces;
use crate::position::Position;
use crate::rules::IllegalMove;

const FIELD: &str = "move";

/// Parses a move and checks that it is legal.
pub(crate) fn parse_move(position: &Position, text: &str) -> Result<Move, Refusal> {
    let (mv, n_greys) = read_move(position, text)?;
    position.check_move(mv).map_err(refuse)?;
    if n_greys > GREYS_MAX {
        return Err(refuse(IllegalMove::GreyCount { wanted: mv.greys().count() as u32, found: n_greys as u32 }));
    }
    Ok(mv)
}

/// Reads `fig ( "-" stop [ "=" figure ] | "!" ) [ "@" stop ] { "+" [ stop ">" ] stop }`
/// or `pass`. Also returns how many grey blocks were named, since a [`Move`]
/// holds at most two.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<(Move, usize), Refusal> {
    if text == "pass" {
        return Ok((Move::PASS, 0));
    }
    let mut reader = Reader::new(text);
    let figure = Figure::new(position.to_move(), reader.colour(FIELD)?);
    let mut mv = if reader.take('!') {
        Move::out(figure)
    } else if reader.take('-') {
        let mv = Move::go(figure, reader.stop(FIELD)?);
        if reader.take('=') { mv.with_swap(reader.figure(FIELD, position.n_seats())?) } else { mv }
    } else {
        return Err(reader.refuse(FIELD, "`-` and a stop, or `!`"));
    };
    if reader.take('@') {
        mv = mv.with_black(reader.stop(FIELD)?);
    }
    let mut n_greys = 0;
    while reader.take('+') {
        let stop = reader.stop(FIELD)?;
        let grey = if reader.take('>') {
            Grey { from: Some(stop), to: reader.stop(FIELD)? }
        } else {
            Grey { from: None, to: stop }
        };
        mv = mv.with_grey(grey);
        n_greys += 1;
    }
    match reader.peek() {
        None => Ok((mv, n_greys)),
        Some(_) => Err(reader.refuse(FIELD, "`+` and a stop, or the end")),
    }
}

fn refuse(illegal: IllegalMove) -> Refusal {
    let message = match illegal {
        IllegalMove::GameOver => return Refusal::game_over(),
        IllegalMove::PassWithMoves => "only a player without a legal move passes".to_owned(),
        IllegalMove::MustPass => "there is no legal move but `pass`".to_owned(),
        IllegalMove::FigureOut(figure) => format!("figure {figure} is out"),
        IllegalMove::MustMoveOut(figure) => {
            format!("figure {figure} stands on its goal and must move out: `{}!+` and a stop", figure.letter())
        }
        IllegalMove::NotOnGoal(figure) => format!("figure {figure} does not stand on its goal {}", figure.goal()),
        IllegalMove::SameStop(stop) => format!("the figure stands on {stop} already and must end elsewhere"),
        IllegalMove::OutOfReach(figure, stop) => {
            format!("figure {figure} cannot reach {stop}: something is in its way")
        }
        IllegalMove::SwapNotNamed(stop) => format!("name the figure on {stop} to swap with, as in `{stop}=1a`"),
        IllegalMove::NobodyToSwap(stop) => format!("there is no figure on {stop} to swap with"),
        IllegalMove::NotThere(figure, stop) => format!("figure {figure} does not stand on {stop}"),
        IllegalMove::Ko(one, other) => {
            format!("the turn before swapped {one} and {other}: they may not be swapped back")
        }
        IllegalMove::BlackNotPut(stop) => format!("say where the black block from {stop} goes: `@` and a free stop"),
        IllegalMove::NoBlackToPut => "no black block is beaten, so there is none to put".to_owned(),
        IllegalMove::NotFree(stop) => format!("{stop} is not free"),
        IllegalMove::GreyCount { wanted: 0, .. } => "no figure moves out, so there is no grey block to put".to_owned(),
        IllegalMove::GreyCount { wanted: 1, .. } => {
            "one figure moves out: put one grey block, `+` and a free stop".to_owned()
        }
        IllegalMove::GreyCount { .. } => {
            "two figures move out: put two grey blocks, each `+` and a free stop".to_owned()
        }
        IllegalMove::GreyOutside => {
            "a grey block waits outside the board, so none is moved: `+` and a free stop".to_owned()
        }
        IllegalMove::NoGreyOutside => {
            "no grey block is left outside the board: move one, `+` and its stop, `>` and a free stop".to_owned()
        }
        IllegalMove::NoGreyAt(stop) => format!("there is no grey block on {stop}"),
    };
    Refusal::illegal(message)
}
