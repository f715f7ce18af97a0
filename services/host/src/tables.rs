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
}

/// Unwraps a function of a table that [`Tables::find`] has checked.
pub(crate) fn non_null<F>(function: Option<F>) -> F {
    function.expect("a table with a null function is refused at load")
}

/// The name of the first null function of a table. Destructuring makes the
/// compiler reject a table with a field that is not listed.
macro_rules! first_null {
    ($table:expr, $type:path { $($field:ident = $name:literal),+ $(,)? }) => {{
        let $type { $($field),+ } = $table;
        [$(($field.is_none(), $name)),+].into_iter().find_map(|(is_null, name)| is_null.then_some(name))
    }};
}

impl Tables {
    /// Looks up every extension; a null function in any of them is an error.
    pub(crate) fn find(opened: &Opened) -> Result<Tables, LoadError> {
        let refuse_null = |null: Option<&'static str>| match null {
            Some(function) => Err(LoadError::NullFunction { path: opened.path.clone(), function }),
            None => Ok(()),
        };
        // SAFETY: each id is asked with the table that the header gives it.
        let (rules, search, symmetry, layout, reasons) = unsafe {
            (
                extension::<abi::Rules>(opened, abi::RULES_1),
                extension::<abi::Search>(opened, abi::SEARCH_1),
                extension::<abi::Symmetry>(opened, abi::SYMMETRY_1),
                extension::<abi::Layout>(opened, abi::LAYOUT_1),
                extension::<abi::Reasons>(opened, abi::REASONS_1),
            )
        };
        let Some(rules) = rules else {
            return Err(LoadError::MissingExtension { path: opened.path.clone(), id: abi::RULES_1 });
        };
        refuse_null(first_null!(&rules, abi::Rules {
            variant_count = "rules.variant_count",
            variant = "rules.variant",
            start = "rules.start",
            parse = "rules.parse",
            format = "rules.format",
            to_move = "rules.to_move",
            legal_moves = "rules.legal_moves",
            count_moves = "rules.count_moves",
            play = "rules.play",
            outcome = "rules.outcome",
        }))?;
        if let Some(search) = &search {
            refuse_null(first_null!(search, abi::Search {
                create = "search.create",
                run = "search.run",
                destroy = "search.destroy",
                evaluate = "search.evaluate",
            }))?;
        }
        if let Some(symmetry) = &symmetry {
            refuse_null(first_null!(symmetry, abi::Symmetry {
                count = "symmetry.count",
                inverse = "symmetry.inverse",
                apply = "symmetry.apply",
                apply_move = "symmetry.apply_move",
                apply_seat = "symmetry.apply_seat",
                canonical = "symmetry.canonical",
            }))?;
        }
        if let Some(layout) = &layout {
            refuse_null(first_null!(layout, abi::Layout { board = "layout.board", pieces = "layout.pieces" }))?;
        }
        if let Some(reasons) = &reasons {
            refuse_null(first_null!(reasons, abi::Reasons { explain = "reasons.explain" }))?;
        }
        Ok(Tables { rules, search, symmetry, layout, reasons })
    }
}

/// A copy of an extension's table.
///
/// # Safety
/// `T` must be the table that the header gives to `id`.
unsafe fn extension<T: Copy>(opened: &Opened, id: &'static str) -> Option<T> {
    // SAFETY: `check_entry` saw the function and the version; the id is static.
    let table = unsafe { non_null(opened.entry.extension)(abi::Str::new(id)) };
    // SAFETY: the header promises the constant table of that id or null.
    (!table.is_null()).then(|| unsafe { table.cast::<T>().read_unaligned() })
}
