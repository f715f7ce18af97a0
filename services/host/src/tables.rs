//! A plugin's extensions: tables of function pointers, checked for nulls at load.

use pentad_abi as abi;

use crate::library::Opened;
use crate::load_error::LoadError;

/// The functions of a plugin, none of them null.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) rules: abi::Rules,
    pub(crate) search: Option<abi::Search>,
    pub(crate) symmetry: Option<abi::Symmetry>,
    pub(crate) layout: Option<abi::Layout>,
    pub(crate) reasons: Option<abi::Reasons>,
    pub(crate) reason_codes: Option<abi::ReasonCodes>,
    pub(crate) threats: Option<abi::Threats>,
    pub(crate) messages: Option<abi::Messages>,
    pub(crate) spoken_reasons: Option<abi::SpokenReasons>,
    pub(crate) outcome_message: Option<abi::OutcomeMessage>,
    pub(crate) move_text: Option<abi::MoveText>,
}

/// Unwraps a function of a table that [`Tables::find`] has checked.
pub(crate) fn non_null<F>(function: Option<F>) -> F {
    function.expect("a table with a null function is refused at load")
}

impl Tables {
    /// Looks up every extension; a null function in any of them is an error.
    pub(crate) fn find(opened: &Opened) -> Result<Tables, LoadError> {
        let Some(rules) = extension(opened)? else {
            return Err(LoadError::MissingExtension { path: opened.path.clone(), id: abi::RULES_1 });
        };
        Ok(Tables {
            rules,
            search: extension(opened)?,
            symmetry: extension(opened)?,
            layout: extension(opened)?,
            reasons: extension(opened)?,
            reason_codes: extension(opened)?,
            threats: extension(opened)?,
            messages: extension(opened)?,
            spoken_reasons: extension(opened)?,
            outcome_message: extension(opened)?,
            move_text: extension(opened)?,
        })
    }

    /// Whether it gives messages, which only a catalogue makes into texts.
    pub(crate) fn needs_messages(&self) -> bool {
        self.spoken_reasons.is_some() || self.outcome_message.is_some() || self.move_text.is_some()
    }
}

/// A copy of an extension's table, if the plugin provides it.
fn extension<T: abi::Extension>(opened: &Opened) -> Result<Option<T>, LoadError> {
    // SAFETY: `check_entry` saw the function and the version; the id is static.
    let table = unsafe { non_null(opened.entry.extension)(abi::Str::new(T::ID)) };
    if table.is_null() {
        return Ok(None);
    }
    // SAFETY: the header promises the constant table of that id or null.
    let table = unsafe { table.cast::<T>().read_unaligned() };
    match table.first_null() {
        Some(function) => Err(LoadError::NullFunction { path: opened.path.clone(), function }),
        None => Ok(Some(table)),
    }
}
