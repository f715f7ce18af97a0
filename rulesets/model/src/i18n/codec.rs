//! Messages as they cross the ABI.

use std::borrow::Cow;

use pentad_abi as abi;

use super::message::{Message, MessageInfo, Param, ParamInfo, ParamKind, ParamValue};
use crate::board::Board;
use crate::code::Code as _;
use crate::text;
use crate::variant::Seat;
use crate::violation::Violation;

impl Message {
    /// Calls `give` with the message in the ABI's form, readable during that call.
    pub fn with_abi<T>(&self, give: impl FnOnce(&abi::Message) -> T) -> T {
        let strs = |param: &Param| param.value.items().into_iter().map(abi::Str::new).collect();
        let items: Vec<Vec<abi::Str>> = self.params.iter().map(strs).collect();
        let param = |(param, items): (&Param, &Vec<abi::Str>)| abi::Param {
            name: abi::Str::new(&param.name),
            items: items.as_ptr(),
            n_items: items.len() as u64,
            number: param.value.number(),
            kind: param.value.kind().code(),
            reserved: 0,
        };
        let params: Vec<abi::Param> = self.params.iter().zip(&items).map(param).collect();
        give(&abi::Message { id: abi::Str::new(&self.id), params: params.as_ptr(), n_params: params.len() as u64 })
    }

    /// Validates and copies a message. Its seats must be among `seats`, its points on
    /// `board`, if there is one. [`Catalogue::check`](super::Catalogue::check) checks whether
    /// its id is known and has these parameters.
    ///
    /// # Safety
    /// The parts of `raw` must be readable as far as their lengths are within the
    /// bounds.
    pub unsafe fn from_plugin(raw: &abi::Message, seats: &[Seat], board: Option<&Board>) -> Result<Message, Violation> {
        // SAFETY: the caller's promise, here and for each parameter.
        let id = unsafe { text::long_id(raw.id) }.map_err(|violation| violation.at("message"))?;
        let at = |violation: Violation| violation.at(format_args!("message `{id}`"));
        // SAFETY: as above.
        let read = |raw: &abi::Param| unsafe { Param::from_plugin(raw, seats, board) };
        // SAFETY: as above.
        let params =
            unsafe { text::parts("parameter", raw.params, raw.n_params, abi::PARAMS_MAX, read) }.map_err(at)?;
        Ok(Message { id: Cow::Owned(id), params })
    }
}

impl Param {
    /// # Safety
    /// As [`Message::from_plugin`].
    unsafe fn from_plugin(raw: &abi::Param, seats: &[Seat], board: Option<&Board>) -> Result<Param, Violation> {
        let kind = ParamKind::from_plugin(raw.kind)?;
        // SAFETY: the caller's promise, here and for each item.
        let name = unsafe { text::short_id(raw.name) }?;
        // SAFETY: as above.
        let read = |item: &abi::Str| unsafe { item_text(*item) };
        // SAFETY: as above.
        let mut items = unsafe { text::parts("item", raw.items, raw.n_items, abi::ITEMS_MAX, read) }?;
        let fits = match kind {
            ParamKind::Integer | ParamKind::Decimal => items.is_empty(),
            ParamKind::Move | ParamKind::Text => items.len() == 1,
            ParamKind::Seats | ParamKind::Points | ParamKind::Terms => !items.is_empty(),
        };
        if !fits {
            return Err(Violation::value(format!("{} items of the kind {kind:?}", items.len())));
        }
        let unknown = match kind {
            ParamKind::Seats => items.iter().find(|item| !seats.iter().any(|seat| seat.id == **item)),
            ParamKind::Points => items
                .iter()
                .find(|item| board.is_some_and(|board| !board.points.iter().any(|point| point.id == **item))),
            ParamKind::Move => items.iter().find(|item| text::move_text(item.as_bytes()).is_err()),
            ParamKind::Terms => items.iter().find(|item| item.contains(char::is_whitespace)),
            ParamKind::Integer | ParamKind::Decimal | ParamKind::Text => None,
        };
        if let Some(item) = unknown {
            return Err(Violation::text(format!("`{item}` is not one of the {kind:?}")));
        }
        let value = match kind {
            ParamKind::Integer => ParamValue::Integer(raw.number),
            ParamKind::Decimal => ParamValue::Decimal(raw.number),
            ParamKind::Seats => ParamValue::Seats(items),
            ParamKind::Points => ParamValue::Points(items),
            ParamKind::Terms => ParamValue::Terms(items),
            ParamKind::Move => ParamValue::Move(items.remove(0)),
            ParamKind::Text => ParamValue::Text(items.remove(0)),
        };
        Ok(Param { name: Cow::Owned(name), value })
    }
}

impl MessageInfo {
    /// Calls `give` with the declaration in the ABI's form, readable during that call.
    pub fn with_abi<T>(&self, give: impl FnOnce(&abi::MessageInfo) -> T) -> T {
        let param = |param: &ParamInfo| abi::ParamInfo {
            name: abi::Str::new(&param.name),
            group: abi::Str::new(&param.group),
            kind: param.kind.code(),
            reserved: 0,
        };
        let params: Vec<abi::ParamInfo> = self.params.iter().map(param).collect();
        give(&abi::MessageInfo { id: abi::Str::new(&self.id), params: params.as_ptr(), n_params: params.len() as u64 })
    }

    /// Validates and copies a declaration.
    ///
    /// # Safety
    /// `raw` must be null or lead to a declaration whose parts are readable as far as
    /// their lengths are within the bounds.
    pub unsafe fn from_plugin(raw: *const abi::MessageInfo) -> Result<MessageInfo, Violation> {
        // SAFETY: the caller's promise, here and for each part below.
        let [raw] = unsafe { text::slice(raw, 1, 1) }? else { return Err(Violation::value("a null message")) };
        // SAFETY: as above.
        let id = unsafe { text::long_id(raw.id) }?;
        let read = |raw: &abi::ParamInfo| {
            // SAFETY: as above.
            let (name, group) = unsafe { (text::short_id(raw.name)?, text::bytes(raw.group, abi::ID_LEN_MAX)?) };
            let group = std::str::from_utf8(group).map_err(|_| Violation::text("a group that is not UTF-8"))?;
            Ok(ParamInfo { name, kind: ParamKind::from_plugin(raw.kind)?, group: group.to_owned() })
        };
        // SAFETY: as above.
        let params = unsafe { text::parts("parameter", raw.params, raw.n_params, abi::PARAMS_MAX, read) }?;
        Ok(MessageInfo { id, params })
    }
}

/// # Safety
/// As [`text::bytes`].
unsafe fn item_text(item: abi::Str) -> Result<String, Violation> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { text::bytes(item, abi::ITEM_LEN_MAX) }?;
    text::sentence(bytes.to_vec())
}

impl ParamKind {
    /// Returns the ABI's constant.
    pub fn code(self) -> u32 {
        self.to_abi()
    }
}

impl ParamValue {
    /// Returns what [`abi::Param::items`] holds.
    pub fn items(&self) -> Vec<&str> {
        match self {
            ParamValue::Integer(_) | ParamValue::Decimal(_) => Vec::new(),
            ParamValue::Seats(items) | ParamValue::Points(items) | ParamValue::Terms(items) => {
                items.iter().map(String::as_str).collect()
            }
            ParamValue::Move(text) | ParamValue::Text(text) => vec![text],
        }
    }

    /// Returns what [`abi::Param::number`] holds.
    pub fn number(&self) -> i64 {
        match self {
            ParamValue::Integer(number) | ParamValue::Decimal(number) => *number,
            ParamValue::Seats(_)
            | ParamValue::Points(_)
            | ParamValue::Move(_)
            | ParamValue::Terms(_)
            | ParamValue::Text(_) => 0,
        }
    }
}
