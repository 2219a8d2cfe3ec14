//! Paths with placeholders, such as `boards/{game}-{ply}.svg`.

use std::path::is_separator;

use crate::encode::pictures::cleaned;

/// A path with placeholders: names in braces. Double braces stand for a brace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The names of the folders, each with the separator behind it, then the name of the file.
    path: Vec<(Vec<NamePart>, Option<char>)>,
    /// The names of the placeholders, in the order in which they first occur.
    names: Vec<String>,
    text: String,
}

/// A part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NamePart {
    Text(String),
    /// The value of the placeholder at this index.
    Value(usize),
}

/// The error for braces that do not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BraceError {
    /// A brace is not closed.
    Open,
    /// A brace is closed that was not opened.
    Close,
}

impl Template {
    /// Parses a path with placeholders.
    pub(crate) fn parse(text: &str) -> Result<Self, BraceError> {
        let mut template = Self { path: vec![(Vec::new(), None)], names: Vec::new(), text: text.to_owned() };
        let mut literal = String::new();
        let mut rest = text;
        while let Some(char) = rest.chars().next() {
            let is_double = rest.as_bytes().get(1) == rest.as_bytes().first();
            match char {
                '{' | '}' if is_double => {
                    literal.push(char);
                    rest = &rest[2..];
                    continue;
                }
                '{' => {
                    let (name, after) = rest[1..].split_once('}').ok_or(BraceError::Open)?;
                    template.push_text(&mut literal);
                    let index = template.index(name);
                    template.push(NamePart::Value(index));
                    rest = after;
                    continue;
                }
                '}' => return Err(BraceError::Close),
                char if is_separator(char) => {
                    template.push_text(&mut literal);
                    if let Some((_, separator)) = template.path.last_mut() {
                        *separator = Some(char);
                    }
                    template.path.push((Vec::new(), None));
                }
                char => literal.push(char),
            }
            rest = &rest[char.len_utf8()..];
        }
        template.push_text(&mut literal);
        Ok(template)
    }

    fn push(&mut self, part: NamePart) {
        if let Some((parts, _)) = self.path.last_mut() {
            parts.push(part);
        }
    }

    fn push_text(&mut self, text: &mut String) {
        if !text.is_empty() {
            self.push(NamePart::Text(std::mem::take(text)));
        }
    }

    /// Returns the index of a placeholder, which is added if it is new.
    fn index(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Returns the names of the placeholders, in the order in which they first occur.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the text that was parsed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the path with these values of the placeholders, which have been [cleaned](clean).
    pub(crate) fn path(&self, values: &[String]) -> String {
        let text = |part: &NamePart| match part {
            NamePart::Text(text) => text.clone(),
            NamePart::Value(at) => values.get(*at).cloned().unwrap_or_default(),
        };
        let component = |parts: &[NamePart]| match parts {
            // The user chose the whole name.
            [] | [NamePart::Text(_)] => parts.iter().map(text).collect(),
            parts => {
                let name: String = parts.iter().map(text).collect();
                cleaned::component(&name, matches!(parts[0], NamePart::Value(_)))
            }
        };
        let mut path = String::new();
        for (parts, separator) in &self.path {
            path += &component(parts);
            path.extend(*separator);
        }
        path
    }
}

/// The character that stands in a path for a number that is not known yet.
pub(crate) const NUMBER: char = cleaned::NUMBER;

/// Returns a path in which [`NUMBER`] is replaced by a number.
pub(crate) fn numbered(path: &str, number: u64) -> String {
    let mut numbered = String::new();
    for part in path.split_inclusive(is_separator) {
        let name = part.trim_end_matches(is_separator);
        numbered += &if name.contains(NUMBER) { cleaned::numbered(name, number) } else { name.to_owned() };
        numbered += &part[name.len()..];
    }
    numbered
}

/// Returns a value as part of a file name, on any system. It cannot choose another folder.
pub(crate) fn clean(value: &str) -> String {
    cleaned::value(value)
}
