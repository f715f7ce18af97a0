//! `<figures> <black> <grey> <to-move> <ko>`: parses and writes positions.

use pentad_sdk::Refusal;
use pentad_sdk::notation::Reader;

use crate::board::{Figure, N_COLOURS, Stop, Stops};
use crate::notation::reader::ReadPieces;
use crate::position::{N_BLACK, N_GREY, Position, PositionError};

/// Reads `<figures> <black> <grey> <to-move> <ko>`.
pub(crate) fn parse(text: &str, n_seats: usize) -> Result<Position, Refusal> {
    let mut reader = Reader::new(text);
    let mut position = Position::empty(n_seats);
    read_figures(&mut reader, &mut position)?;
    expect_space(&mut reader, "figures", "black")?;
    position.black = read_blocks(&mut reader, &position, "black", N_BLACK)?;
    if position.black.count() < N_BLACK {
        let message = format!("{} black blocks, not {N_BLACK}", position.black.count());
        return Err(Refusal::malformed("black", reader.column(), message));
    }
    expect_space(&mut reader, "black", "grey")?;
    let grey_column = reader.column();
    if !reader.take('-') {
        position.grey = read_blocks(&mut reader, &position, "grey", N_GREY)?;
    }
    expect_space(&mut reader, "grey", "to-move")?;
    let to_move_column = reader.column();
    position.to_move = reader.seat("to-move", n_seats)? as u8;
    expect_space(&mut reader, "to-move", "ko")?;
    let ko_column = reader.column();
    read_ko(&mut reader, &mut position)?;
    if reader.peek().is_some() {
        return Err(reader.refuse("ko", "nothing behind the ko"));
    }
    position.check().map_err(|invalid| refuse(&position, invalid, grey_column, to_move_column, ko_column))?;
    Ok(position)
}

/// Appends a position in canonical form.
pub(crate) fn format(position: &Position, out: &mut String) {
    for figure in position.all_figures() {
        if figure.index() > 0 {
            out.push(if figure.colour() == 0 { '/' } else { ',' });
        }
        out.push_str(position.stop_of(figure).map_or("*", Stop::name));
    }
    out.push(' ');
    push_blocks(position.black, out);
    out.push(' ');
    push_blocks(position.grey, out);
    out.push(' ');
    out.push(char::from(b'1' + position.to_move));
    out.push(' ');
    match position.ko() {
        Some((one, other)) => out.push_str(&format!("{one}{other}")),
        None => out.push('-'),
    }
}

fn push_blocks(blocks: Stops, out: &mut String) {
    let mut stops: Vec<Stop> = blocks.iter().collect();
    stops.sort_by_key(|stop| stop.list_rank());
    if stops.is_empty() {
        out.push('-');
    }
    for (at, stop) in stops.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(stop.name());
    }
}

fn expect_space(reader: &mut Reader<'_>, field: &'static str, next: &'static str) -> Result<(), Refusal> {
    if reader.take(' ') {
        return Ok(());
    }
    let field = if reader.peek().is_none() { next } else { field };
    Err(reader.refuse(field, &format!("a space and the field `{next}`")))
}

fn read_figures(reader: &mut Reader<'_>, position: &mut Position) -> Result<(), Refusal> {
    const FIELD: &str = "figures";
    let n_seats = position.n_seats();
    for figure in position.all_figures() {
        if figure.index() > 0 {
            let (separator, expected) = match figure.colour() {
                0 => ('/', format!("`/` and the figures of player {}", figure.seat() + 1)),
                _ => (',', format!("`,` and figure {figure}")),
            };
            if !reader.take(separator) {
                return Err(reader.refuse(FIELD, &expected));
            }
        }
        if reader.take('*') {
            continue;
        }
        let column = reader.column();
        let stop = reader.stop(FIELD)?;
        let n_there = position.figures_at(stop).count();
        if n_there > 0 && !stop.is_corner() {
            let other = position.figures_at(stop).next().unwrap_or(figure);
            return Err(Refusal::malformed(FIELD, column, format!("{stop} holds {other} already")));
        }
        if n_there == n_seats {
            let message = format!("{stop} holds {n_there} figures already, as many as there are players");
            return Err(Refusal::malformed(FIELD, column, message));
        }
        position.put(figure, stop);
    }
    if matches!(reader.peek(), Some(',' | '/')) {
        let message = format!("there are no more than {N_COLOURS} figures each of {n_seats} players");
        return Err(Refusal::malformed(FIELD, reader.column(), message));
    }
    Ok(())
}

fn read_blocks(
    reader: &mut Reader<'_>,
    position: &Position,
    field: &'static str,
    n_max: u32,
) -> Result<Stops, Refusal> {
    let mut blocks = Stops::NONE;
    loop {
        let column = reader.column();
        let stop = reader.stop(field)?;
        if position.occupied().union(blocks).contains(stop) {
            return Err(Refusal::malformed(field, column, format!("{stop} is occupied already")));
        }
        if blocks.count() == n_max {
            return Err(Refusal::malformed(field, column, format!("there are only {n_max} {field} blocks")));
        }
        blocks = blocks.with(stop);
        if !reader.take(',') {
            return Ok(blocks);
        }
    }
}

fn read_ko(reader: &mut Reader<'_>, position: &mut Position) -> Result<(), Refusal> {
    if reader.take('-') {
        return Ok(());
    }
    if !reader.peek().is_some_and(|digit| digit.is_ascii_digit()) {
        return Err(reader.refuse("ko", "`-` or two figures, as in `1a2c`"));
    }
    let one = reader.figure("ko", position.n_seats())?;
    let column = reader.column();
    let other: Figure = reader.figure("ko", position.n_seats())?;
    if other <= one {
        let message = format!("expected two figures, the lower first, found {one} and {other}");
        return Err(Refusal::malformed("ko", column, message));
    }
    position.set_ko(Some((one, other)));
    Ok(())
}

fn refuse(position: &Position, invalid: PositionError, grey: usize, to_move: usize, ko: usize) -> Refusal {
    match invalid {
        PositionError::Crowded(stop) => {
            Refusal::malformed("figures", None, format!("{stop} holds more than one piece"))
        }
        PositionError::CornerFull(stop) => {
            Refusal::malformed("figures", None, format!("{stop} holds more figures than there are players"))
        }
        PositionError::TooManyGrey => {
            let n_out: u32 = (0..position.n_seats()).map(|seat| position.n_out(seat)).sum();
            let message = format!("{} grey blocks on the board, but {n_out} figures out", position.grey.count());
            Refusal::malformed("grey", grey, message)
        }
        PositionError::FinishedBeforeTurn(seat) => Refusal::malformed(
            "to-move",
            to_move,
            format!("player {} has three figures out before moving in this round", seat + 1),
        ),
        PositionError::KoWithoutLastMover => Refusal::malformed(
            "ko",
            ko,
            format!("player {} moved last, and neither figure is theirs", position.moved_last() + 1),
        ),
    }
}
