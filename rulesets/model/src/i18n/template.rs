//! Templates: text with placeholders and plurals, a small part of ICU MessageFormat.
//!
//! ```text
//! template    = 1*( text / placeholder / plural )
//! placeholder = "{" name [ "." form ] "}"
//! plural      = "{" name "," "plural" "," 1*( category "{" branch "}" ) "}"
//! category    = "=" number / "one" / "other"         ; "other" is required
//! branch      = *( text / placeholder / "#" )
//! ```
//!
//! White space is allowed around names, commas and categories, as in ICU. There is no
//! quoting: apostrophes are text, and braces are never text.

use std::fmt;

use pentad_abi as abi;

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pub(super) parts: Vec<Part>,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Placeholder {
        name: String,
        form: Option<String>,
    },
    /// The number of the surrounding plural.
    Number,
    Plural {
        name: String,
        exact: Vec<(u64, Vec<Part>)>,
        one: Option<Vec<Part>>,
        other: Vec<Part>,
    },
}

/// A mistake in a template, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The offending character, from 1.
    pub column: usize,
    /// Lower case, no full stop.
    pub message: String,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (column {})", self.message, self.column)
    }
}

impl std::error::Error for TemplateError {}

impl Template {
    /// Parses a template.
    ///
    /// ```
    /// use pentad_model::i18n::Template;
    ///
    /// assert!(Template::parse("It takes {n, plural, one {a match} other {# matches}} of {opponent.genitive}.").is_ok());
    /// let error = Template::parse("It takes {n, plural, one {a match}}.").unwrap_err();
    /// assert_eq!(error.to_string(), "a plural without `other` (column 10)");
    /// ```
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        let mut parser = Parser { rest: text, column: 1 };
        if text.len() as u64 > abi::TEMPLATE_LEN_MAX {
            return Err(parser.error(format!("{} bytes; at most {} are allowed", text.len(), abi::TEMPLATE_LEN_MAX)));
        }
        if text.is_empty() || text.trim() != text {
            return Err(parser.error("empty, or with spaces around it"));
        }
        let parts = parser.parts(false)?;
        if parser.rest.is_empty() { Ok(Template { parts }) } else { Err(parser.error("`}` without `{`")) }
    }

    /// Returns the text of a template without placeholders.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns every part, including those within plurals.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().flat_map(|part| {
            let branches: Vec<&Part> = match part {
                Part::Plural { exact, one, other, .. } => {
                    exact.iter().flat_map(|(_, parts)| parts).chain(one.iter().flatten()).chain(other).collect()
                }
                Part::Text(_) | Part::Placeholder { .. } | Part::Number => Vec::new(),
            };
            std::iter::once(part).chain(branches)
        })
    }
}

struct Parser<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, message: impl Into<String>) -> TemplateError {
        TemplateError { column: self.column, message: message.into() }
    }

    fn advance(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.column += taken.chars().count();
        self.rest = rest;
        taken
    }

    /// Parses up to an unmatched `}` or the end.
    fn parts(&mut self, in_plural: bool) -> Result<Vec<Part>, TemplateError> {
        let mut parts = Vec::new();
        while let Some(first) = self.rest.chars().next() {
            match first {
                '}' => break,
                '{' => parts.push(self.braces(in_plural)?),
                '#' if in_plural => {
                    self.advance(1);
                    parts.push(Part::Number);
                }
                _ => {
                    let ends = |c: char| c == '{' || c == '}' || c.is_control() || in_plural && c == '#';
                    let len = self.rest.find(ends).unwrap_or(self.rest.len());
                    if len == 0 {
                        return Err(self.error("a control character"));
                    }
                    parts.push(Part::Text(self.advance(len).to_owned()));
                }
            }
        }
        Ok(parts)
    }

    fn braces(&mut self, in_plural: bool) -> Result<Part, TemplateError> {
        let (start, column) = (self.rest, self.column);
        self.advance(1);
        self.skip_spaces();
        let name = self.name()?;
        let form = match self.rest.strip_prefix('.') {
            Some(_) => {
                self.advance(1);
                Some(self.name()?)
            }
            None => None,
        };
        self.skip_spaces();
        if self.rest.starts_with('}') {
            self.advance(1);
            return Ok(Part::Placeholder { name, form });
        }
        if in_plural || form.is_some() {
            return Err(self.error("expected `}`: plurals do not nest, and their number has no form"));
        }
        self.expect(",")?;
        self.expect("plural")?;
        self.expect(",")?;
        let mut plural = Plural::default();
        while !self.rest.starts_with('}') {
            self.branch(&mut plural)?;
        }
        let Plural { exact, one, other: Some(other) } = plural else {
            (self.rest, self.column) = (start, column);
            return Err(self.error("a plural without `other`"));
        };
        self.advance(1);
        Ok(Part::Plural { name, exact, one, other })
    }

    fn branch(&mut self, plural: &mut Plural) -> Result<(), TemplateError> {
        let column = self.column;
        let twice = |category: &str| TemplateError { column, message: format!("`{category}` twice") };
        let len = self.rest.find(|c: char| c.is_whitespace() || c == '{' || c == '}').unwrap_or(self.rest.len());
        let category = self.advance(len);
        self.expect("{")?;
        let parts = self.parts(true)?;
        self.expect("}")?;
        match category {
            "one" if plural.one.is_none() => plural.one = Some(parts),
            "other" if plural.other.is_none() => plural.other = Some(parts),
            "one" | "other" => return Err(twice(category)),
            exact => {
                let digits =
                    exact.strip_prefix('=').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
                let Some(number) = digits.and_then(|digits| digits.parse().ok()) else {
                    let message = format!("`{exact}` is no category; expected `=` and a number, `one` or `other`");
                    return Err(TemplateError { column, message });
                };
                if plural.exact.iter().any(|(known, _)| *known == number) {
                    return Err(twice(exact));
                }
                plural.exact.push((number, parts));
            }
        }
        Ok(())
    }

    fn name(&mut self) -> Result<String, TemplateError> {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        match self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len()) {
            0 => Err(self.error("expected a name: lower-case letters, digits and `_`")),
            len => Ok(self.advance(len).to_owned()),
        }
    }

    /// Consumes a fixed text and the spaces around it, except those inside a branch's
    /// braces, which belong to the branch.
    fn expect(&mut self, text: &str) -> Result<(), TemplateError> {
        if text != "}" {
            self.skip_spaces();
        }
        if !self.rest.starts_with(text) {
            return Err(self.error(format!("expected `{text}`")));
        }
        self.advance(text.len());
        if text != "{" {
            self.skip_spaces();
        }
        Ok(())
    }

    fn skip_spaces(&mut self) {
        let len = self.rest.len() - self.rest.trim_start_matches(' ').len();
        self.advance(len);
    }
}

#[derive(Default)]
struct Plural {
    exact: Vec<(u64, Vec<Part>)>,
    one: Option<Vec<Part>>,
    other: Option<Vec<Part>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    /// Each element of the syntax is parsed.
    #[test]
    fn syntax_is_read() {
        let parsed = Template::parse("L'un {a} {b.gen}: { n , plural , =0 {no} one{# x}other { #{c} }}!").unwrap();
        let placeholder =
            |name: &str, form: Option<&str>| Part::Placeholder { name: name.to_owned(), form: form.map(str::to_owned) };
        let plural = Part::Plural {
            name: "n".to_owned(),
            exact: vec![(0, vec![text("no")])],
            one: Some(vec![Part::Number, text(" x")]),
            other: vec![text(" "), Part::Number, placeholder("c", None), text(" ")],
        };
        let expected = [
            text("L'un "),
            placeholder("a", None),
            text(" "),
            placeholder("b", Some("gen")),
            text(": "),
            plural,
            text("!"),
        ];
        assert_eq!(parsed.parts, expected);
    }

    /// Text outside the grammar is refused with its column.
    #[test]
    fn mistakes_are_refused() {
        for (template, error) in [
            ("", "empty, or with spaces around it (column 1)"),
            (" a", "empty, or with spaces around it (column 1)"),
            ("a {", "expected a name: lower-case letters, digits and `_` (column 4)"),
            ("a {b", "expected `,` (column 5)"),
            ("é {B}", "expected a name: lower-case letters, digits and `_` (column 4)"),
            ("a }", "`}` without `{` (column 3)"),
            ("a {b} }", "`}` without `{` (column 7)"),
            ("a {b.}", "expected a name: lower-case letters, digits and `_` (column 6)"),
            ("a {b, select, other {x}}", "expected `plural` (column 7)"),
            (
                "a {b, plural, two {x} other {y}}",
                "`two` is no category; expected `=` and a number, `one` or `other` (column 15)",
            ),
            (
                "a {b, plural, =-1 {x} other {y}}",
                "`=-1` is no category; expected `=` and a number, `one` or `other` (column 15)",
            ),
            (
                "a {b, plural, = {x} other {y}}",
                "`=` is no category; expected `=` and a number, `one` or `other` (column 15)",
            ),
            ("a {b, plural, one {x} one {x} other {y}}", "`one` twice (column 23)"),
            ("a {b, plural, =1 {x} =01 {x} other {y}}", "`=01` twice (column 22)"),
            ("a {b, plural, other {x}", "expected `{` (column 24)"),
            (
                "a {b, plural, other {x {c, plural, other {y}}}}",
                "expected `}`: plurals do not nest, and their number has no form (column 26)",
            ),
            (
                "a {b.gen, plural, other {x}}",
                "expected `}`: plurals do not nest, and their number has no form (column 9)",
            ),
            ("a\tb", "a control character (column 2)"),
        ] {
            match Template::parse(template) {
                Err(found) => assert_eq!(found.to_string(), error, "{template}"),
                Ok(parsed) => panic!("{template}: {parsed:?}"),
            }
        }
        assert!(Template::parse(&"x".repeat(2048)).is_ok());
        assert!(Template::parse(&"x".repeat(2049)).is_err());
    }

    /// No text makes the parser panic or loop.
    #[test]
    fn arbitrary_texts_are_read_or_refused() {
        let mut rng = crate::rng::Rng::new(5);
        let pieces = [
            "{",
            "}",
            "#",
            ",",
            "plural",
            "one",
            "other",
            "=1",
            "a",
            ".",
            " ",
            "é",
            "'",
            "\n",
            "{a}",
            "=99999999999999999999",
        ];
        for _ in 0..20_000 {
            let text: String = (0..rng.below(14)).map(|_| pieces[rng.below(pieces.len())]).collect();
            if let Err(error) = Template::parse(&text) {
                assert!(error.column <= text.chars().count() + 1, "{text}: {error}");
            }
        }
    }
}
