//! Translation files, one per language: lines of `id = template`.
//!
//! Empty lines and lines that begin with `#` are ignored. There are no escapes and no
//! continued lines. Tools for translators read such files as Java properties in UTF-8.

/// Reads the ids and templates of a file, in order. An error names the line.
///
/// ```
/// use pentad_model::i18n::file;
///
/// let lines: Vec<_> = file::entries("# seats\nseat.w = White\n").collect();
/// assert_eq!(lines, [Ok(("seat.w", "White"))]);
/// assert!(file::entries("White").next().unwrap().is_err());
/// ```
pub fn entries(content: &str) -> impl Iterator<Item = Result<(&str, &str), String>> {
    let numbered = content.lines().enumerate().map(|(idx, line)| (idx + 1, line.trim()));
    let entries = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    entries.map(|(number, line)| {
        let (id, template) = line.split_once('=').ok_or_else(|| format!("line {number}: expected `id = template`"))?;
        Ok((id.trim(), template.trim()))
    })
}
