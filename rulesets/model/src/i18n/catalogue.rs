//! The catalogue: templates by language and id.

use std::collections::{BTreeMap, HashMap, HashSet};

use pentad_abi as abi;

use super::language::{Language, PluralCategory};
use super::message::{Message, MessageInfo, ParamInfo, ParamKind, ParamValue};
use super::template::{Part, Template};
use crate::variant::Seat;
use crate::violation::Violation;

/// The group of the terms that name seats.
const SEAT: &str = "seat";

/// All messages, and their templates in each language. English is complete; a template
/// that another language lacks is replaced by the English one.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Catalogue {
    messages: HashMap<String, Vec<ParamInfo>>,
    /// Templates and forms of terms by language, in the order of [`Language::ALL`].
    templates: [HashMap<String, Template>; Language::ALL.len()],
}

impl Catalogue {
    /// Builds a catalogue from messages and templates; a template is a language tag, an
    /// id and a text.
    ///
    /// Fails if a message is not well-formed or English is not complete. Mistakes in other
    /// languages are returned with the catalogue, which leaves out those templates.
    /// Languages that are not among [`Language::ALL`] are ignored.
    pub fn build<'a>(
        messages: impl IntoIterator<Item = MessageInfo>,
        templates: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
    ) -> Result<(Catalogue, Vec<Violation>), Violation> {
        let mut catalogue = Catalogue::default();
        for message in messages {
            catalogue.declare(message)?;
        }
        catalogue.check_groups()?;
        let mut problems: Vec<(Language, Violation)> = Vec::new();
        for (tag, id, text) in templates {
            let Some(language) = Language::from_tag(tag) else { continue };
            if let Err(violation) = catalogue.insert(language, id, text) {
                problems.push((language, violation.at(format_args!("{language}: `{}`", id.escape_debug()))));
            }
        }
        for language in Language::ALL {
            problems.extend(catalogue.complete(language).into_iter().map(|violation| (language, violation)));
        }
        match problems.iter().position(|(language, _)| *language == Language::English) {
            Some(idx) => Err(problems.swap_remove(idx).1),
            None => Ok((catalogue, problems.into_iter().map(|(_, violation)| violation).collect())),
        }
    }

    /// Returns the ids of the messages, sorted, each with its parameters.
    pub fn messages(&self) -> BTreeMap<&str, &[ParamInfo]> {
        self.messages.iter().map(|(id, params)| (id.as_str(), params.as_slice())).collect()
    }

    /// Returns whether there is any template in a language. English is always complete.
    pub fn speaks(&self, language: Language) -> bool {
        !self.templates[language as usize].is_empty()
    }

    /// Checks that a message is in the catalogue and has the declared parameters.
    pub fn check(&self, message: &Message) -> Result<(), Violation> {
        let Some(params) = self.messages.get(&*message.id) else {
            return Err(Violation::text(format!("`{}` is not a message that was listed", message.id.escape_debug())));
        };
        let at = |violation: Violation| violation.at(format_args!("message `{}`", message.id));
        if message.params.len() != params.len() {
            let (found, wanted) = (message.params.len(), params.len());
            return Err(at(Violation::value(format!("{found} parameters instead of {wanted}"))));
        }
        for info in params {
            let violation = match message.get(&info.name) {
                None => Violation::value(format!("no parameter `{}`", info.name)),
                Some(value) if value.kind() != info.kind => {
                    let (found, wanted) = (value.kind(), info.kind);
                    Violation::value(format!("`{}` is of the kind {found:?} instead of {wanted:?}", info.name))
                }
                Some(ParamValue::Terms(terms)) => match terms.iter().find(|term| !self.is_term(&info.group, term)) {
                    Some(term) => Violation::text(format!(
                        "`{}.{}` is not a term that was listed",
                        info.group,
                        term.escape_debug()
                    )),
                    None => continue,
                },
                Some(_) => continue,
            };
            return Err(at(violation));
        }
        Ok(())
    }

    /// Renders a message of the catalogue in a language. Seats without a term are named
    /// as in `seats`. A text longer than the ABI's bound is cut.
    pub fn render(&self, language: Language, message: &Message, seats: &[Seat]) -> String {
        self.render_as(Place::Sentence, language, message, seats)
    }

    /// Renders a phrase, such as a move in words, within a sentence: nothing is
    /// capitalised.
    pub fn render_phrase(&self, language: Language, message: &Message, seats: &[Seat]) -> String {
        self.render_as(Place::Inside, language, message, seats)
    }

    /// Renders a phrase that stands alone: it is capitalised, unless it begins with a
    /// parameter that is neither a seat nor a term.
    pub fn render_alone(&self, language: Language, message: &Message, seats: &[Seat]) -> String {
        self.render_as(Place::Alone, language, message, seats)
    }

    fn render_as(&self, place: Place, language: Language, message: &Message, seats: &[Seat]) -> String {
        let (template, language) = self.template(language, &message.id);
        let mut renderer = Renderer { catalogue: self, language, message, seats, place, out: String::new() };
        if let Some(template) = template {
            renderer.push_parts(&template.parts, None);
        }
        renderer.out
    }

    /// Returns the text of a message without parameters, such as a term.
    pub fn term(&self, language: Language, id: &str) -> Option<&str> {
        self.template(language, id).0?.as_text()
    }

    /// Returns the name of a seat where it stands alone, if the catalogue has it: the
    /// form `name` of its term, or the term itself.
    pub fn seat_name(&self, language: Language, seat: &str) -> Option<String> {
        let name = self.templates[language as usize].get(&format!("{SEAT}.{seat}.name")).and_then(Template::as_text);
        name.or_else(|| self.term(language, &format!("{SEAT}.{seat}"))).map(capitalised)
    }

    fn declare(&mut self, message: MessageInfo) -> Result<(), Violation> {
        let MessageInfo { id, params } = message;
        let at = |violation: Violation| violation.at(format_args!("message `{}`", id.escape_debug()));
        if !id.split('.').next().is_some_and(is_name) || id.contains(['{', '}', '=', '#']) || id.ends_with('.') {
            return Err(at(Violation::text("the id does not begin with lower-case letters, digits and `_`")));
        }
        let mut names = HashSet::new();
        for param in &params {
            if !is_name(&param.name) || !names.insert(&param.name) {
                let name = param.name.escape_debug();
                return Err(at(Violation::text(format!(
                    "the parameter `{name}` is declared twice or has an invalid name"
                ))));
            }
            if (param.kind == ParamKind::Terms) == param.group.is_empty() {
                return Err(at(Violation::value(format!(
                    "`{}`: terms have a group, and nothing else has",
                    param.name
                ))));
            }
        }
        match self.messages.contains_key(&id) {
            true => Err(at(Violation::value("listed twice"))),
            false => {
                self.messages.insert(id, params);
                Ok(())
            }
        }
    }

    fn check_groups(&self) -> Result<(), Violation> {
        let groups = self.messages.values().flatten().filter(|param| param.kind == ParamKind::Terms);
        match groups.map(|param| &param.group).find(|group| self.terms(group).next().is_none()) {
            Some(group) => Err(Violation::value(format!("there are no terms of the group `{}`", group.escape_debug()))),
            None => Ok(()),
        }
    }

    fn insert(&mut self, language: Language, id: &str, text: &str) -> Result<(), Violation> {
        let template = Template::parse(text).map_err(|error| Violation::text(error.to_string()))?;
        match self.messages.get(id) {
            Some(params) => check_placeholders(&template, params)?,
            None if !self.is_form(id) => return Err(Violation::text("neither a message nor a form of a term")),
            None => check_placeholders(&template, &[])?,
        }
        match self.templates[language as usize].insert(id.to_owned(), template) {
            Some(_) => Err(Violation::value("has two templates")),
            None => Ok(()),
        }
    }

    /// Checks that a language, if it has any template, has every message and every form
    /// that its templates use, and removes templates whose forms are missing.
    fn complete(&mut self, language: Language) -> Vec<Violation> {
        if !self.speaks(language) && language != Language::English {
            return Vec::new();
        }
        let templates = &self.templates[language as usize];
        let mut problems: Vec<Violation> = Vec::new();
        let mut without_forms: Vec<String> = Vec::new();
        let mut ids: Vec<&String> = self.messages.keys().collect();
        ids.sort();
        for id in ids {
            let at = |violation: Violation| violation.at(format_args!("{language}: `{}`", id.escape_debug()));
            match templates.get(id).map(|template| self.missing_form(language, template, &self.messages[id])) {
                None => problems.push(at(Violation::value("no template"))),
                Some(Some(form)) => {
                    problems.push(at(Violation::value(format!("uses the form `{form}`, which is missing"))));
                    without_forms.push(id.clone());
                }
                Some(None) => {}
            }
        }
        self.templates[language as usize].retain(|id, _| !without_forms.contains(id));
        problems
    }

    /// Returns the first form that a template uses and a term of its parameters lacks.
    fn missing_form(&self, language: Language, template: &Template, params: &[ParamInfo]) -> Option<String> {
        let templates = &self.templates[language as usize];
        template.parts().find_map(|part| {
            let Part::Placeholder { name, form: Some(form) } = part else { return None };
            let param = params.iter().find(|param| param.name == *name)?;
            let group = if param.kind == ParamKind::Seats { SEAT } else { &param.group };
            let missing = |term: &&str| !templates.contains_key(&format!("{term}.{form}"));
            match self.terms(group).find(missing) {
                Some(term) => Some(format!("{term}.{form}")),
                None => self.terms(group).next().is_none().then(|| format!("{group}.….{form}")),
            }
        })
    }

    /// Returns the ids of the terms of a group.
    fn terms<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a str> {
        let terms = self.messages.iter().filter(|(_, params)| params.is_empty()).map(|(id, _)| id.as_str());
        terms.filter(move |id| id.strip_prefix(group).is_some_and(|rest| rest.starts_with('.')))
    }

    fn is_term(&self, group: &str, term: &str) -> bool {
        self.messages.get(&format!("{group}.{term}")).is_some_and(Vec::is_empty)
    }

    /// Returns whether an id is that of a term followed by the name of a form.
    fn is_form(&self, id: &str) -> bool {
        let Some((term, form)) = id.rsplit_once('.') else { return false };
        is_name(form) && term.contains('.') && self.messages.get(term).is_some_and(Vec::is_empty)
    }

    /// Returns a template in a language, or else in English, and the language found.
    fn template(&self, language: Language, id: &str) -> (Option<&Template>, Language) {
        match self.templates[language as usize].get(id) {
            Some(template) => (Some(template), language),
            None => (self.templates[Language::English as usize].get(id), Language::English),
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Checks that every parameter is used in a way that its kind allows, and no other is.
fn check_placeholders(template: &Template, params: &[ParamInfo]) -> Result<(), Violation> {
    let mut used = HashSet::new();
    for part in template.parts() {
        let (name, form, is_plural) = match part {
            Part::Placeholder { name, form } => (name, form.as_ref(), false),
            Part::Plural { name, .. } => (name, None, true),
            Part::Text(_) | Part::Number => continue,
        };
        let Some(param) = params.iter().find(|param| param.name == *name) else {
            return Err(Violation::text(format!("there is no parameter `{name}`")));
        };
        if is_plural && !param.kind.is_countable() || form.is_some() && !param.kind.has_forms() {
            let what = if is_plural { "plural" } else { "forms" };
            return Err(Violation::text(format!("`{name}` is of the kind {:?}, which has no {what}", param.kind)));
        }
        used.insert(name);
    }
    match params.iter().find(|param| !used.contains(&param.name)) {
        Some(param) => Err(Violation::text(format!("the parameter `{}` is not used", param.name))),
        None => Ok(()),
    }
}

/// Where a text is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A sentence of its own; its template begins as it should.
    Sentence,
    /// A phrase within a sentence.
    Inside,
    /// A phrase of its own.
    Alone,
}

/// Fills a template.
struct Renderer<'a> {
    catalogue: &'a Catalogue,
    language: Language,
    message: &'a Message,
    seats: &'a [Seat],
    place: Place,
    out: String,
}

impl Renderer<'_> {
    fn push_parts(&mut self, parts: &[Part], number: Option<u64>) {
        for part in parts {
            match part {
                Part::Text(text) if self.out.is_empty() && self.place == Place::Alone => self.push(&capitalised(text)),
                Part::Text(text) => self.push(text),
                Part::Number => self.push(&number.unwrap_or_default().to_string()),
                Part::Placeholder { name, form } => {
                    if let Some(value) = self.message.get(name) {
                        self.push_value(name, value, form.as_deref());
                    }
                }
                Part::Plural { name, exact, one, other } => {
                    let count = self.message.get(name).map_or(0, ParamValue::count);
                    let branch = match (exact.iter().find(|(number, _)| *number == count), one) {
                        (Some((_, branch)), _) => branch,
                        (None, Some(one)) if self.language.plural_category(count) == PluralCategory::One => one,
                        (None, _) => other,
                    };
                    self.push_parts(branch, Some(count));
                }
            }
        }
    }

    fn push_value(&mut self, name: &str, value: &ParamValue, form: Option<&str>) {
        match value {
            ParamValue::Integer(number) => self.push(&number.to_string()),
            ParamValue::Decimal(hundredths) => {
                let sign = if *hundredths < 0 { "-" } else { "" };
                let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
                self.push(&format!("{sign}{whole}{}{rest:02}", self.language.decimal_separator()));
            }
            ParamValue::Move(text) | ParamValue::Text(text) => self.push(text),
            ParamValue::Points(points) => self.push_list(points, |_, point| point.clone()),
            ParamValue::Seats(seats) => self.push_list(seats, |it, seat| it.word(SEAT, seat, form)),
            ParamValue::Terms(terms) => {
                let params = self.catalogue.messages.get(&*self.message.id);
                let info = params.and_then(|params| params.iter().find(|param| param.name == name));
                let group = info.map_or("", |info| info.group.as_str());
                self.push_list(terms, |it, term| it.word(group, term, form));
            }
        }
    }

    /// Appends "a", "a and b", or "a, b and c".
    fn push_list(&mut self, items: &[String], word: impl Fn(&Self, &String) -> String) {
        for (idx, item) in items.iter().enumerate() {
            if idx > 0 {
                let and = self.language.and();
                self.push(&if idx + 1 == items.len() { format!(" {and} ") } else { ", ".to_owned() });
            }
            let word = word(self, item);
            self.push(&word);
        }
    }

    /// Returns a term in one of its forms, capitalised where the text begins with it. A
    /// seat without a term is called by its name.
    fn word(&self, group: &str, term: &str, form: Option<&str>) -> String {
        let id = format!("{group}.{term}");
        let in_form = form.and_then(|form| self.catalogue.term(self.language, &format!("{id}.{form}")));
        let name = || self.seats.iter().find(|seat| group == SEAT && seat.id == term).map(|seat| seat.name.as_str());
        let found = in_form.or_else(|| self.catalogue.term(self.language, &id)).or_else(name);
        let found = found.unwrap_or(term);
        let is_first = self.out.is_empty() && self.place != Place::Inside;
        if is_first { capitalised(found) } else { found.to_owned() }
    }

    /// Appends as much of the text as fits.
    fn push(&mut self, text: &str) {
        let left = abi::TEXT_LEN_MAX as usize - self.out.len();
        self.out.push_str(&text[..text.floor_char_boundary(left)]);
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
