//! Turns an opened library into a rule set that may be called.
//!
//! The order is fixed: magic, ABI version, size, `init`, extensions, texts,
//! variants. The version is read before any function is called, because a
//! plugin of another version may have another function in that place.
//!
//! Opening the file belongs to [`library`](crate::library).

use std::collections::HashSet;
use std::mem::offset_of;
use std::path::Path;
use std::sync::Arc;

use pentad_abi as abi;
use pentad_model::{Board, FaultKind, ReasonCode, ThreatKind, Violation, text};

use crate::allow::AllowList;
use crate::call::read_message;
use crate::elf;
use crate::error::{Fault, FaultLog};
use crate::guard::Guarded;
use crate::i18n::LoadedTranslations;
use crate::image::Image;
use crate::isolation::{self, Confinement, Described, IsolationOptions, WorkerClient};
use crate::library::{self, CheckedFile, Opened};
use crate::load_error::LoadError;
use crate::ruleset::{Backend, Capabilities, Ruleset, RulesetInfo};
use crate::tables::{Tables, non_null};
use crate::variant::Variant;

/// Checks the descriptor that a library exports and copies it.
///
/// # Safety
/// `symbol` must be the address of an object of a library that stays loaded.
/// Its size and content are checked here.
pub(crate) unsafe fn check_entry(path: &Path, symbol: *const u8) -> Result<abi::Entry, LoadError> {
    let path = || path.to_owned();
    if symbol.is_null() {
        return Err(LoadError::Magic { path: path(), found: 0 });
    }
    // SAFETY: the object exists. Reading its first bytes one field at a time
    // touches nothing beyond what the fields before it guarantee.
    let magic = unsafe { symbol.add(offset_of!(abi::Entry, magic)).cast::<u64>().read_unaligned() };
    if magic != abi::MAGIC {
        return Err(LoadError::Magic { path: path(), found: magic });
    }
    // SAFETY: as above; these three follow the magic in every ABI.
    let (major, struct_size) = unsafe {
        (
            symbol.add(offset_of!(abi::Entry, abi_major)).cast::<u32>().read_unaligned(),
            symbol.add(offset_of!(abi::Entry, struct_size)).cast::<u32>().read_unaligned(),
        )
    };
    if major != abi::ABI_MAJOR {
        return Err(LoadError::AbiVersion { path: path(), found: major, wanted: abi::ABI_MAJOR });
    }
    let wanted = size_of::<abi::Entry>() as u32;
    if struct_size < wanted {
        return Err(LoadError::StructSize { path: path(), found: struct_size, wanted });
    }
    // SAFETY: the object says that it has at least these bytes.
    let entry = unsafe { symbol.cast::<abi::Entry>().read_unaligned() };
    if entry.extension.is_none() {
        return Err(LoadError::NullFunction { path: path(), function: "extension" });
    }
    Ok(entry)
}

/// Calls `init`, if there is one.
///
/// # Safety
/// `entry` must be what [`check_entry`] gave; to be called once per library.
pub(crate) unsafe fn call_init(entry: &abi::Entry) -> Result<(), String> {
    let Some(init) = entry.init else { return Ok(()) };
    let mut error = Guarded::new(abi::Error::empty());
    // SAFETY: the ABI version was checked, so this is `init`; the error is ours.
    let status = unsafe { init(error.as_mut_ptr()) };
    let error = error.into_checked().map_err(|violation| violation.detail)?;
    match status {
        abi::OK => Ok(()),
        status => Err(match read_message(&error) {
            Ok(message) if !message.is_empty() => message,
            _ => format!("`init` returned the status {status} without a message"),
        }),
    }
}

impl Ruleset {
    /// Loads a rule set from a file into this process. With an allow-list, only if its
    /// hash is on it.
    pub fn load(path: &Path, allow: Option<&AllowList>) -> Result<Arc<Ruleset>, LoadError> {
        let file = library::check(path, allow)?;
        let mut ruleset = Ruleset::from_opened(&library::open(&file)?)?;
        ruleset.info.writable_by_others = file.writable_by_others;
        Ok(Arc::new(ruleset))
    }

    /// Loads a rule set from a file into a worker process of its own. The process ends
    /// with the last reference to the rule set.
    pub fn load_isolated(
        path: &Path,
        allow: Option<&AllowList>,
        options: &IsolationOptions,
    ) -> Result<Arc<Ruleset>, LoadError> {
        let CheckedFile { path, content, sha256, writable_by_others } = library::check(path, allow)?;
        let not_started = |detail| LoadError::Worker { path: path.clone(), detail };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let image = Image::in_memory(&name, &content).map_err(|error| not_started(error.to_string()))?;
        let needed = elf::needed(&content);
        drop(content);
        let faults = Arc::new(FaultLog::default());
        let (worker, Described { info, variants, reason_codes, threat_kinds, words, .. }) =
            WorkerClient::start(&path, &sha256, image, needed, options, Arc::clone(&faults)).map_err(not_started)?;
        let library = library::isolated_number(&sha256);
        let info = RulesetInfo { path, sha256, writable_by_others, ..info };
        let backend = Backend::Worker(worker);
        Ok(Arc::new(Ruleset { info, variants, reason_codes, threat_kinds, words, library, backend, faults }))
    }

    /// Loads a rule set from a file into this process and confines the process like a
    /// worker, for the rest of its life. Call it while it has one thread.
    pub fn load_confined(path: &Path, confinement: &Confinement) -> Result<Arc<Ruleset>, LoadError> {
        let CheckedFile { path, content, sha256, .. } = library::check(path, None)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let copied = Image::in_memory(&name, &content);
        let image = copied.map_err(|error| LoadError::Open { path: path.clone(), detail: error.to_string() })?;
        isolation::confined(confinement, &elf::needed(&content), || Ruleset::load_image(&path, &sha256, image))
    }

    /// Loads a library that another process checked, from a file with this path.
    pub(crate) fn load_image(path: &Path, sha256: &str, image: Image) -> Result<Arc<Ruleset>, LoadError> {
        Ok(Arc::new(Ruleset::from_opened(&library::open_image(path, sha256, image)?)?))
    }

    fn from_opened(opened: &Opened) -> Result<Ruleset, LoadError> {
        let tables = Tables::find(opened)?;
        let mut info = read_info(opened, &tables)?;
        let variants = read_variants(&opened.path, &tables.rules)?;
        let faults = FaultLog::default();
        let (variants, reason_codes) = read_optional_extensions(&tables, variants, &faults);
        let threat_kinds = read_threat_kinds(&tables, &faults);
        let (words, problems) = LoadedTranslations::list(&tables);
        // The last fault is the one shown. It should be the first mistake, which others
        // may follow from.
        for violation in problems.into_iter().rev() {
            faults.record(Fault::new("messages.list", violation));
        }
        info.capabilities.messages = words.is_some();
        info.capabilities.move_text = words.is_some() && tables.move_text.is_some();
        info.capabilities.reasons |= words.is_some() && tables.spoken_reasons.is_some();
        Ok(Ruleset {
            info,
            variants,
            reason_codes,
            threat_kinds,
            words,
            library: opened.number,
            backend: Backend::InProcess(Box::new(tables)),
            faults: Arc::new(faults),
        })
    }
}

/// Reads symmetries, boards and reason codes. A variant with invalid data loses them,
/// and the fault is recorded; its rules remain usable.
fn read_optional_extensions(
    tables: &Tables,
    mut variants: Vec<Variant>,
    faults: &FaultLog,
) -> (Vec<Variant>, Vec<ReasonCode>) {
    let reason_codes = Ruleset::list_reason_codes(tables).unwrap_or_else(|violation| {
        faults.record(Fault::new("reason_codes.list", violation));
        Vec::new()
    });
    for (variant_idx, variant) in variants.iter_mut().enumerate() {
        match count_symmetries(tables, variant_idx) {
            Ok(n_symmetries) => variant.n_symmetries = n_symmetries,
            Err(violation) => faults.record(Fault::new("symmetry.count", violation.at(&variant.id))),
        }
        match read_board(tables, variant_idx, variant.seats.len()) {
            Ok(board) => variant.board = board,
            Err(violation) => faults.record(Fault::new("board", violation.at(&variant.id))),
        }
    }
    (variants, reason_codes)
}

/// Without kinds every listed threat is a fault.
fn read_threat_kinds(tables: &Tables, faults: &FaultLog) -> Vec<ThreatKind> {
    Ruleset::list_threat_kinds(tables).unwrap_or_else(|violation| {
        faults.record(Fault::new("threats.kinds", violation));
        Vec::new()
    })
}

fn count_symmetries(tables: &Tables, variant_idx: usize) -> Result<usize, Violation> {
    let Some(symmetry) = &tables.symmetry else { return Ok(1) };
    // SAFETY: the table was checked; the variant exists.
    match unsafe { non_null(symmetry.count)(variant_idx as u32) } {
        count @ 1..=abi::SYMMETRIES_MAX => Ok(count as usize),
        count => Err(Violation::value(format!("{count} symmetries"))),
    }
}

fn read_board(tables: &Tables, variant_idx: usize, n_seats: usize) -> Result<Option<Board>, Violation> {
    let Some(layout) = &tables.layout else { return Ok(None) };
    let mut board = Guarded::new(abi::Board {
        width: 0.0,
        height: 0.0,
        points: std::ptr::null(),
        n_points: 0,
        edges: std::ptr::null(),
        n_edges: 0,
        blocks: std::ptr::null(),
        n_blocks: 0,
        labels: std::ptr::null(),
        n_labels: 0,
        pieces: std::ptr::null(),
        n_pieces: 0,
    });
    // SAFETY: the table was checked; the variant exists; the board is ours.
    let status = unsafe { non_null(layout.board)(variant_idx as u32, board.as_mut_ptr()) };
    let board = board.into_checked()?;
    match status {
        // SAFETY: the header promises that what the board points to is
        // constant and readable; lengths are checked before.
        abi::OK => unsafe { Board::from_plugin(&board, n_seats) }.map(Some),
        abi::UNSUPPORTED => Ok(None),
        abi::FAULT => Err(Violation { kind: FaultKind::Panic, detail: "panicked".to_owned() }),
        other => Err(Violation::status(format!("status {other}"))),
    }
}

fn read_info(opened: &Opened, tables: &Tables) -> Result<RulesetInfo, LoadError> {
    let entry = &opened.entry;
    let named = |what, read: Result<String, Violation>| {
        read.map_err(|violation| LoadError::BadText { path: opened.path.clone(), what, detail: violation.detail })
    };
    // SAFETY: the header promises constant, readable text; lengths are checked
    // before a byte is read.
    let (id, name, version, rules, notation) = unsafe {
        (
            text::game_id(entry.id),
            text::line(entry.name),
            text::line(entry.version),
            text::prose(entry.rules),
            text::prose(entry.notation),
        )
    };
    Ok(RulesetInfo {
        id: named("id", id)?,
        name: named("name", name)?,
        version: named("version", version)?,
        rules: named("rules text", rules)?,
        notation: named("notation text", notation)?,
        abi_major: entry.abi_major,
        abi_minor: entry.abi_minor,
        path: opened.path.clone(),
        sha256: opened.sha256.clone(),
        capabilities: Capabilities {
            search: tables.search.is_some(),
            symmetry: tables.symmetry.is_some(),
            layout: tables.layout.is_some(),
            reasons: tables.reasons.is_some(),
            threats: tables.threats.is_some(),
            messages: false,
            move_text: false,
        },
        writable_by_others: Vec::new(),
    })
}

fn read_variants(path: &Path, rules: &abi::Rules) -> Result<Vec<Variant>, LoadError> {
    let bad = |variant, detail| LoadError::BadVariant { path: path.to_owned(), variant, detail };
    // SAFETY: the table was checked.
    let count = unsafe { non_null(rules.variant_count)() };
    if !(1..=abi::VARIANTS_MAX).contains(&count) {
        return Err(bad(0, format!("`variant_count` returned {count}, expected 1 to {}", abi::VARIANTS_MAX)));
    }
    let mut variants = Vec::with_capacity(count as usize);
    let mut ids = HashSet::new();
    for variant_idx in 0..count {
        let mut raw = Guarded::new(abi::Variant {
            id: abi::Str::EMPTY,
            name: abi::Str::EMPTY,
            summary: abi::Str::EMPTY,
            seats: std::ptr::null(),
            n_seats: 0,
            position_size: 0,
            plies_max: 0,
            reserved: 0,
        });
        // SAFETY: the table was checked; the variant is ours.
        let status = unsafe { non_null(rules.variant)(variant_idx, raw.as_mut_ptr()) };
        let raw = raw.into_checked().map_err(|violation| bad(variant_idx, violation.detail))?;
        if status != abi::OK {
            return Err(bad(variant_idx, format!("`variant` returned the status {status}")));
        }
        // SAFETY: the header promises constant, readable texts and seats;
        // lengths are checked before.
        let variant = unsafe { Variant::read(&raw) }.map_err(|violation| bad(variant_idx, violation.detail))?;
        if !ids.insert(variant.id.clone()) {
            return Err(bad(variant_idx, format!("a second variant with the id `{}`", variant.id)));
        }
        variants.push(variant);
    }
    Ok(variants)
}
