//! Extensions: tables of functions, found by id.

/// A table of functions that a plugin provides under an id.
///
/// # Safety
/// `ID` must be the id that the header gives to this table.
pub unsafe trait Extension: Copy {
    /// Id of the extension, such as `pentad.rules/1`.
    const ID: &'static str;

    /// Returns the name of the first function that is null, such as `rules.parse`.
    /// Functions are `Option`s only because a plugin in C may leave one out; the host
    /// refuses such a plugin.
    fn first_null(&self) -> Option<&'static str>;
}

/// Defines the table of an extension from the signatures in its header.
macro_rules! extension {
    (
        $(#[$table_doc:meta])*
        pub struct $table:ident($id:ident, $header:literal) {
            $($(#[$doc:meta])* $function:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)+
        }
    ) => {
        $(#[$table_doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $table {
            $($(#[$doc])* pub $function: Option<unsafe extern "C" fn($($argument: $type),*) $(-> $result)?>,)+
        }

        // SAFETY: id and table are those of one header.
        unsafe impl crate::Extension for $table {
            const ID: &'static str = $id;

            fn first_null(&self) -> Option<&'static str> {
                [$((self.$function.is_none(), concat!($header, ".", stringify!($function)))),+]
                    .into_iter()
                    .find_map(|(is_null, name)| is_null.then_some(name))
            }
        }
    };
}

pub(crate) use extension;
