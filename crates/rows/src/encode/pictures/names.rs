//! The names of picture files: a template with placeholders, such as `boards/{game}-{ply}.svg`.

use std::error::Error;
use std::fmt;

use crate::columns::column::error::ColumnError;
use crate::columns::column::set::ColumnSet;
use crate::columns::column::{Column, OF_POSITIONS, OF_STARTS};
use crate::columns::{Cell, Columns};
use crate::encode::formats::values::append_plain;
use crate::encode::pictures::cleaned;
use crate::encode::pictures::format::PictureFormat;
use crate::encode::pictures::template::{BraceError, Template};
use crate::table::Table;

/// The names of picture files: a path with placeholders. A placeholder is the name of a column in braces, such as
/// `{game}` or `{White}`, or `{number}`, the number of the picture, from 1. Double braces stand for a brace.
///
/// A value cannot choose another folder: separators and characters that a file name cannot have become `_`. If a path
/// occurs again, a number is added, as in `Carlsen-2.svg`. Paths that differ only in their case count as equal, as on
/// some systems.
///
/// ```
/// use pgn2fen_rows::{FileNames, PictureFormat};
///
/// assert!(FileNames::of_positions("boards/{White}/{game}-{ply}.svg", PictureFormat::Svg).is_ok());
/// let error = FileNames::of_positions("{gane}.svg", PictureFormat::Svg).unwrap_err();
/// assert_eq!(error.to_string(), "there is no column gane; did you mean game?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileNames {
    template: Template,
    /// The value of each placeholder of the template.
    values: Vec<Placeholder>,
    columns: Columns,
}

/// The value of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placeholder {
    /// The value of the column at this index.
    Column(usize),
    /// The number of the picture.
    Number,
}

/// The name of a picture file, as far as it is known from its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowName(Vec<String>);

impl FileNames {
    /// Parses the names of pictures of positions.
    ///
    /// # Errors
    ///
    /// A placeholder is not the name of a column, braces do not match, or the name does not end like files of the
    /// format.
    pub fn of_positions(template: &str, format: PictureFormat) -> Result<Self, NameError> {
        Self::parse(template, format, &OF_POSITIONS)
    }

    /// Parses the names of pictures of starting positions.
    ///
    /// # Errors
    ///
    /// A placeholder is not the name of a column, braces do not match, or the name does not end like files of the
    /// format.
    pub fn of_starts(template: &str, format: PictureFormat) -> Result<Self, NameError> {
        Self::parse(template, format, &OF_STARTS)
    }

    fn parse(template: &str, format: PictureFormat, known: &'static [Column]) -> Result<Self, NameError> {
        let ending = format!(".{}", format.name());
        let is_ended = template.len() > ending.len() && template.is_char_boundary(template.len() - ending.len());
        if !is_ended || !template[template.len() - ending.len()..].eq_ignore_ascii_case(&ending) {
            return Err(NameError::Ending(format));
        }
        let template = Template::parse(template)?;
        let mut columns: Vec<Column> = Vec::new();
        let mut values = Vec::new();
        for name in template.names() {
            values.push(match &**name {
                "number" => Placeholder::Number,
                name => Placeholder::Column(index(name, known, &mut columns)?),
            });
        }
        Ok(Self { template, values, columns: Columns::new(columns) })
    }

    /// Whether a placeholder needs the evaluation of the position.
    pub fn reads_evals(&self) -> bool {
        self.columns.has().has_any(ColumnSet::SEARCH)
    }

    /// Returns the names of the tags that stand in the names.
    pub fn tags(&self) -> &[Box<str>] {
        self.columns.tags()
    }

    /// Returns the columns that the names are made of.
    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Whether the names differ.
    pub(super) fn has_placeholder(&self) -> bool {
        !self.values.is_empty()
    }

    /// Returns the text that was parsed.
    pub(super) fn template(&self) -> &str {
        self.template.text()
    }

    /// Returns the values of a row, cleaned. The columns of the names are the first of `cells`.
    pub(super) fn of_row(&self, cells: &[Cell<'_>], table: &Table, index: usize) -> RowName {
        let value = |cell: &Cell<'_>| {
            let mut text = Vec::new();
            append_plain(table.value(*cell, index), &mut text);
            cleaned::value(&String::from_utf8_lossy(&text))
        };
        RowName(cells.iter().map(value).collect())
    }

    /// Returns the path of a picture with this number.
    pub(super) fn path(&self, row: &RowName, number: u64) -> String {
        let value = |value: &Placeholder| match value {
            Placeholder::Column(at) => row.0.get(*at).cloned().unwrap_or_default(),
            Placeholder::Number => number.to_string(),
        };
        self.template.path(&self.values.iter().map(value).collect::<Vec<String>>())
    }
}

/// Returns the index of the column with this name, which is added to the columns if it is new.
fn index(name: &str, known: &'static [Column], columns: &mut Vec<Column>) -> Result<usize, NameError> {
    let is_one = !name.is_empty() && !name.contains(|char: char| char == ',' || char.is_whitespace());
    if !is_one {
        return Err(NameError::NoName(name.to_owned()));
    }
    let found = Column::named(name, known)?;
    Ok(columns.iter().position(|known| *known == found).unwrap_or_else(|| {
        columns.push(found);
        columns.len() - 1
    }))
}

/// The error for names of picture files that cannot be parsed, or that do not suffice.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// The name does not end in the name of the format.
    Ending(PictureFormat),
    /// A brace is not closed.
    Open,
    /// A brace is closed that was not opened.
    Close,
    /// The text between two braces is not one name.
    NoName(String),
    /// A placeholder is not the name of a column.
    Column(ColumnError),
    /// The name has no placeholder, and there is more than one picture.
    Several {
        /// The name.
        name: String,
    },
}

impl From<BraceError> for NameError {
    fn from(error: BraceError) -> Self {
        match error {
            BraceError::Open => Self::Open,
            BraceError::Close => Self::Close,
        }
    }
}

impl From<ColumnError> for NameError {
    fn from(error: ColumnError) -> Self {
        Self::Column(error)
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ending(format) => {
                let name = format.name();
                write!(
                    f,
                    "a file of the format {name} needs a name that ends in .{name}, such as \
                     boards/{{game}}-{{ply}}.{name}"
                )
            }
            Self::Open => {
                f.write_str("a brace { is not closed; write {game} for the number of the game, and {{ for a brace")
            }
            Self::Close => f.write_str("a brace } was not opened; write }} for a brace"),
            Self::NoName(name) => {
                write!(
                    f,
                    "{{{name}}} is not the name of one column; write a name such as {{game}}, and {{{{ for a brace"
                )
            }
            Self::Column(error) => error.fmt(f),
            Self::Several { name } => {
                let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
                write!(
                    f,
                    "there is more than one board, and the name {name} has no placeholder; use a name such as \
                     {stem}-{{number}}.{ending}"
                )
            }
        }
    }
}

impl Error for NameError {}

#[cfg(test)]
mod tests {
    use super::{FileNames, RowName};
    use crate::encode::pictures::format::PictureFormat;

    fn parse(template: &str) -> Result<FileNames, String> {
        FileNames::of_positions(template, PictureFormat::Svg).map_err(|error| error.to_string())
    }

    /// Compares the path of picture 12 with these values.
    #[track_caller]
    fn check(template: &str, values: &[&str], expected: &str) {
        let row = RowName(values.iter().map(ToString::to_string).collect());
        assert_eq!(parse(template).unwrap().path(&row, 12), expected);
    }

    #[test]
    fn a_placeholder_is_the_name_of_a_column() {
        check("boards/{game}-{ply}.svg", &["3", "40"], "boards/3-40.svg");
        check("{White}/{White} {number}.SVG", &["Carlsen"], "Carlsen/Carlsen 12.SVG");
        check("/a//../{{{game}}}.svg", &["3"], "/a//../{3}.svg");
        check("one.svg", &[], "one.svg");
        check("{Site}/.{Site}/x{Site}.svg", &["."], "_/__/x..svg");
        check("COM{number}.svg", &[], "COM12.svg");
    }

    #[track_caller]
    fn check_refused(template: &str, expected: &str) {
        assert_eq!(parse(template).unwrap_err(), expected);
    }

    #[test]
    fn a_name_that_cannot_be_meant_is_refused_with_advice() {
        for name in ["aaéddd", "ééa", "svg", ".svg"] {
            assert_eq!(parse(name).unwrap_err(), parse("x.png").unwrap_err(), "{name}");
        }
        check_refused("{gmae}.svg", "there is no column gmae; did you mean game?");
        check_refused(
            "{game.svg",
            "a brace { is not closed; write {game} for the number of the game, and {{ for a brace",
        );
        check_refused("game}.svg", "a brace } was not opened; write }} for a brace");
        check_refused("{}.svg", "{} is not the name of one column; write a name such as {game}, and {{ for a brace");
        check_refused(
            "{game,ply}.svg",
            "{game,ply} is not the name of one column; write a name such as {game}, and {{ for a brace",
        );
        let ending = "a file of the format svg needs a name that ends in .svg, such as boards/{game}-{ply}.svg";
        for template in ["{game}", "{game}.png", ".svg", "x.svg.gz", ""] {
            check_refused(template, ending);
        }
        let of_starts = FileNames::of_starts("{ply}.svg", PictureFormat::Svg).unwrap_err();
        assert!(of_starts.to_string().starts_with("there is no column ply; "), "{of_starts}");
    }

    #[test]
    fn names_tell_what_they_need() {
        let names = parse("{White}-{eval}-{Black}.svg").unwrap();
        assert_eq!(names.tags(), ["White", "Black"].map(Box::from));
        assert!(names.reads_evals() && !parse("{White}.svg").unwrap().reads_evals());
        assert_eq!(PictureFormat::of_ending("SVG"), Some(PictureFormat::Svg));
        assert_eq!(PictureFormat::of_ending("gif"), None);
    }
}
