//! `pentad/messages.h`: messages in several languages.

use std::ffi::c_void;

use crate::extension::extension;
use crate::{Report, Status, Str};

/// Id of the list of messages.
pub const MESSAGES_1: &str = "pentad.messages/1";

/// Maximum number of messages of one rule set.
pub const MESSAGES_MAX: u64 = 1024;
/// Maximum number of templates of one rule set, in all languages together.
pub const TEMPLATES_MAX: u64 = 8192;
/// Maximum length of a template in bytes.
pub const TEMPLATE_LEN_MAX: u64 = 2048;
/// Maximum number of parameters of one message.
pub const PARAMS_MAX: u64 = 16;
/// Maximum number of items of a parameter.
pub const ITEMS_MAX: u64 = 64;
/// Maximum length of an item in bytes.
pub const ITEM_LEN_MAX: u64 = 256;

/// A number.
pub const PARAM_INTEGER: u32 = 1;
/// Hundredths, written with two decimals.
pub const PARAM_DECIMAL: u32 = 2;
/// Seats of the variant, by id.
pub const PARAM_SEATS: u32 = 3;
/// Points of the layout, by id.
pub const PARAM_POINTS: u32 = 4;
/// A move.
pub const PARAM_MOVE: u32 = 5;
/// Terms of a group.
pub const PARAM_TERMS: u32 = 6;
/// A line of text, the same in every language.
pub const PARAM_TEXT: u32 = 7;

/// `pentad_param_info_t`: the declaration of a parameter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// Lower-case letters, digits and `_`.
    pub name: Str,
    /// First part of the terms' ids, for [`PARAM_TERMS`]; else empty.
    pub group: Str,
    /// One of the `PARAM_` constants.
    pub kind: u32,
    /// Written as 0.
    pub reserved: u32,
}

/// `pentad_message_info_t`: the declaration of a message.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MessageInfo {
    /// The code, and parts that distinguish messages with the same code.
    pub id: Str,
    /// No two with the same name.
    pub params: *const ParamInfo,
    /// Length of `params`.
    pub n_params: u64,
}

/// `pentad_template_t`: the text of a message in one language.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// A tag of BCP 47.
    pub language: Str,
    /// Id of a declared message, or of a term's form.
    pub id: Str,
    /// Text with placeholders, in the syntax of the header.
    pub text: Str,
}

/// `pentad_message_lister_t`: callbacks that receive messages and templates.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MessageLister {
    /// The first argument of both.
    pub ctx: *mut c_void,
    /// Receives one message; non-zero means stop.
    pub message: unsafe extern "C" fn(ctx: *mut c_void, message: *const MessageInfo) -> i32,
    /// Receives one template; non-zero means stop.
    pub text: unsafe extern "C" fn(ctx: *mut c_void, text: *const Template) -> i32,
}

extension! {
    /// `pentad_messages_t`: the functions of `pentad.messages/1`.
    pub struct Messages(MESSAGES_1, "messages") {
        /// Lists every message, then every template.
        list(out: *const MessageLister) -> Status;
    }
}

/// `pentad_param_t`: a parameter with its value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// As declared.
    pub name: Str,
    /// Items, for the kinds that have any.
    pub items: *const Str,
    /// Length of `items`.
    pub n_items: u64,
    /// Number, for the kinds that have one; else 0.
    pub number: i64,
    /// As declared.
    pub kind: u32,
    /// Written as 0.
    pub reserved: u32,
}

/// `pentad_message_t`: an id and the values of its declared parameters.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// Id of a declared message.
    pub id: Str,
    /// Exactly the declared parameters.
    pub params: *const Param,
    /// Length of `params`.
    pub n_params: u64,
}

/// Id of the reasons as messages.
pub const REASONS_2: &str = "pentad.reasons/2";

/// `pentad_spoken_reason_t`: one reason.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SpokenReason {
    /// The first part of its id is the reason's code.
    pub message: Message,
    /// The points of the layout that it is about, by id.
    pub points: *const Str,
    /// Length of `points`.
    pub n_points: u64,
}

/// `pentad_reason_taker_t`: a callback that receives reasons.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ReasonTaker {
    /// The first argument of `give`.
    pub ctx: *mut c_void,
    /// Receives one reason; non-zero means stop.
    pub give: unsafe extern "C" fn(ctx: *mut c_void, reason: *const SpokenReason) -> i32,
}

extension! {
    /// `pentad_spoken_reasons_t`: the functions of `pentad.reasons/2`.
    pub struct SpokenReasons(REASONS_2, "spoken_reasons") {
        /// Explains the first move of one line of a report.
        explain(
            variant: u32,
            position: *const u8,
            report: *const Report,
            line_idx: u64,
            out: *const ReasonTaker,
        ) -> Status;
    }
}

/// Id of the outcome as a message.
pub const OUTCOME_MESSAGE_1: &str = "pentad.outcome_message/1";

/// `pentad_message_taker_t`: a callback that receives one message.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MessageTaker {
    /// The first argument of `give`.
    pub ctx: *mut c_void,
    /// Receives the message; non-zero means stop.
    pub give: unsafe extern "C" fn(ctx: *mut c_void, message: *const Message) -> i32,
}

extension! {
    /// `pentad_outcome_message_t`: the functions of `pentad.outcome_message/1`.
    pub struct OutcomeMessage(OUTCOME_MESSAGE_1, "outcome_message") {
        /// Gives the message for a finished game.
        outcome(variant: u32, position: *const u8, out: *const MessageTaker) -> Status;
    }
}
