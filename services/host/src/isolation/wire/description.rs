//! Description of a rule set.

use pentad_abi as abi;
use pentad_model::{ReasonCode, ThreatKind, Violation};
use serde::{Deserialize, Serialize};

use super::board::WireBoard;
use super::refusal::WireFault;
use crate::error::Fault;
use crate::i18n::LoadedTranslations;
use crate::isolation::wire_translations::WireTranslations;
use crate::ruleset::{Capabilities, RulesetInfo};
use crate::variant::Variant;

/// Reply to [`Init`](super::Init), on the first channel.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Loaded {
    Ready(Box<Description>),
    /// The message of a `LoadError`.
    Refused(String),
    /// Bits of the active protections, if there was no library to load.
    Probed(u32),
}

/// Description of a rule set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Description {
    id: String,
    name: String,
    version: String,
    rules: String,
    notation: String,
    abi_major: u32,
    abi_minor: u32,
    search: bool,
    symmetry: bool,
    layout: bool,
    reasons: bool,
    threats: bool,
    move_text: bool,
    variants: Vec<WireVariant>,
    reason_codes: Vec<WireReasonCode>,
    /// Id and description.
    threat_kinds: Vec<(String, String)>,
    words: Option<WireTranslations>,
    /// Faults found while loading.
    faults: Vec<WireFault>,
    /// As [`Protections::bits`](crate::Protections::bits).
    pub(crate) protections: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WireVariant {
    id: String,
    name: String,
    summary: String,
    /// Id, name and side.
    seats: Vec<(String, String, u32)>,
    position_size: u32,
    plies_max: u32,
    n_symmetries: u32,
    board: Option<WireBoard>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WireReasonCode {
    code: String,
    description: String,
    names_points: bool,
}

/// A validated [`Description`].
pub(crate) struct Described {
    pub(crate) info: RulesetInfo,
    pub(crate) variants: Vec<Variant>,
    pub(crate) reason_codes: Vec<ReasonCode>,
    pub(crate) threat_kinds: Vec<ThreatKind>,
    pub(crate) words: Option<LoadedTranslations>,
    pub(crate) faults: Vec<Fault>,
}

impl Description {
    /// Describes a rule set that was loaded in this process.
    pub(crate) fn new(ruleset: &crate::Ruleset, protections: u32) -> Description {
        let RulesetInfo { id, name, version, rules, notation, abi_major, abi_minor, capabilities, .. } =
            ruleset.info().clone();
        let Capabilities { search, symmetry, layout, reasons, threats, messages: _, move_text } = capabilities;
        let kind = |known: &ThreatKind| (known.kind.clone(), known.description.clone());
        let code = |code: &ReasonCode| WireReasonCode {
            code: code.code.clone(),
            description: code.description.clone(),
            names_points: code.names_points,
        };
        Description {
            id,
            name,
            version,
            rules,
            notation,
            abi_major,
            abi_minor,
            search,
            symmetry,
            layout,
            reasons,
            threats,
            move_text,
            variants: ruleset.variants().iter().map(WireVariant::new).collect(),
            reason_codes: ruleset.reason_codes().iter().map(code).collect(),
            threat_kinds: ruleset.threat_kinds().iter().map(kind).collect(),
            words: ruleset.words.as_ref().map(WireTranslations::new),
            faults: ruleset.last_fault().iter().map(|(_, fault)| WireFault::new(fault)).collect(),
            protections,
        }
    }

    /// Validates the description like that of a library in this process.
    pub(crate) fn read(&self) -> Result<Described, Violation> {
        let str = |text: &str| abi::Str::new(text);
        // SAFETY: each text is readable: it is borrowed from a `String`.
        let (id, name, version, rules, notation) = unsafe {
            use pentad_model::text::{game_id, line, prose};
            (
                game_id(str(&self.id)).map_err(|violation| violation.at("id"))?,
                line(str(&self.name)).map_err(|violation| violation.at("name"))?,
                line(str(&self.version)).map_err(|violation| violation.at("version"))?,
                prose(str(&self.rules)).map_err(|violation| violation.at("rules"))?,
                prose(str(&self.notation)).map_err(|violation| violation.at("notation"))?,
            )
        };
        if self.abi_major != abi::ABI_MAJOR {
            return Err(Violation::value(format!("built for ABI {}", self.abi_major)));
        }
        if !(1..=abi::VARIANTS_MAX as usize).contains(&self.variants.len()) {
            return Err(Violation::value(format!("{} variants", self.variants.len())));
        }
        let mut variants: Vec<Variant> = Vec::with_capacity(self.variants.len());
        for (idx, raw) in self.variants.iter().enumerate() {
            let variant = raw.read().map_err(|violation| violation.at(format_args!("variant {idx}")))?;
            if variants.iter().any(|other| other.id == variant.id) {
                return Err(Violation::value(format!("a second variant with the id `{}`", variant.id)));
            }
            variants.push(variant);
        }
        let reason_codes: Vec<ReasonCode> =
            self.reason_codes.iter().map(WireReasonCode::read).collect::<Result<_, _>>()?;
        let threat_kind = |(kind, description): &(String, String)| {
            let raw = ThreatKind { kind: &**kind, description: &**description }.to_abi();
            // SAFETY: the texts are borrowed from `self`.
            unsafe { ThreatKind::from_plugin(&raw const raw) }
        };
        let threat_kinds = self.threat_kinds.iter().map(threat_kind).collect::<Result<_, _>>()?;
        let words = self.words.as_ref().map(WireTranslations::read).transpose()?;
        let capabilities = Capabilities {
            search: self.search,
            symmetry: self.symmetry,
            layout: self.layout,
            reasons: self.reasons,
            threats: self.threats,
            messages: words.is_some(),
            move_text: words.is_some() && self.move_text,
        };
        let info = RulesetInfo {
            id,
            name,
            version,
            rules,
            notation,
            abi_major: self.abi_major,
            abi_minor: self.abi_minor,
            path: Default::default(),
            sha256: String::new(),
            capabilities,
            writable_by_others: Vec::new(),
        };
        let faults = self.faults.iter().take(1).map(|fault| fault.read("load")).collect();
        Ok(Described { info, variants, reason_codes, threat_kinds, words, faults })
    }
}

impl WireVariant {
    fn new(variant: &Variant) -> WireVariant {
        WireVariant {
            id: variant.id.clone(),
            name: variant.name.clone(),
            summary: variant.summary.clone(),
            seats: variant.seats.iter().map(|seat| (seat.id.clone(), seat.name.clone(), seat.side)).collect(),
            position_size: variant.position_size as u32,
            plies_max: variant.plies_max.unwrap_or(0),
            n_symmetries: variant.n_symmetries as u32,
            board: variant.board.clone().map(WireBoard::new),
        }
    }

    fn read(&self) -> Result<Variant, Violation> {
        let seat = |(id, name, side): &(String, String, u32)| abi::Seat {
            id: abi::Str::new(id),
            name: abi::Str::new(name),
            side: *side,
            reserved: 0,
        };
        let seats: Vec<abi::Seat> = self.seats.iter().map(seat).collect();
        let raw = abi::Variant {
            id: abi::Str::new(&self.id),
            name: abi::Str::new(&self.name),
            summary: abi::Str::new(&self.summary),
            seats: seats.as_ptr(),
            n_seats: u32::try_from(seats.len()).unwrap_or(u32::MAX),
            position_size: self.position_size,
            plies_max: self.plies_max,
            reserved: 0,
        };
        // SAFETY: the seats and all texts are readable until the end of this function.
        let mut variant = unsafe { Variant::read(&raw) }?;
        if !(1..=abi::SYMMETRIES_MAX).contains(&self.n_symmetries) {
            return Err(Violation::value(format!("{} symmetries", self.n_symmetries)));
        }
        variant.n_symmetries = self.n_symmetries as usize;
        variant.board = self.board.as_ref().map(|board| board.read(variant.seats.len())).transpose()?;
        Ok(variant)
    }
}

impl WireReasonCode {
    fn read(&self) -> Result<ReasonCode, Violation> {
        let code = ReasonCode { code: &*self.code, description: &*self.description, names_points: self.names_points };
        let raw = code.to_abi();
        // SAFETY: the texts are borrowed from `self`.
        unsafe { ReasonCode::from_plugin(&raw const raw) }
    }
}
