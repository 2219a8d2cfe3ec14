//! Writes comparisons: as text, pages and tables.

mod page;
mod rows;
mod text;
mod words;

use std::io::{self, Write};

use crate::compare::Comparison;
use crate::write::RowFormat;
use pgn2fen_board::TextStyle;
use pgn2fen_rows::Format;
use pgn2fen_tables::ColumnType;

pub use crate::compare::write::rows::Value as CompareValue;

/// The format of a comparison. PGN with annotations is written by an [`Annotator`](crate::Annotator).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareFormat {
    /// A report with boards, as text.
    Text,
    /// A report with boards, as a page in one file of HTML.
    Html,
    /// Rows of text: csv, tsv or jsonl.
    Rows(RowFormat),
    /// Rows in a Parquet file. Writing it needs the feature `parquet`.
    Parquet,
}

impl CompareFormat {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Text,
        Self::Html,
        Self::Rows(RowFormat::Csv),
        Self::Rows(RowFormat::Tsv),
        Self::Rows(RowFormat::Jsonl),
        Self::Parquet,
    ];

    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Rows(RowFormat::Csv) => "csv",
            Self::Rows(RowFormat::Tsv) => "tsv",
            Self::Rows(RowFormat::Jsonl) => "jsonl",
            Self::Parquet => "parquet",
        }
    }

    /// Returns the format that the ending of a file name in lower case stands for.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending {
            "txt" => Self::Text,
            _ => match Format::of_ending(ending)? {
                Format::Html => Self::Html,
                Format::Csv => Self::Rows(RowFormat::Csv),
                Format::Tsv => Self::Rows(RowFormat::Tsv),
                Format::Jsonl => Self::Rows(RowFormat::Jsonl),
                #[cfg(feature = "parquet")]
                Format::Parquet => Self::Parquet,
                _ => return None,
            },
        })
    }
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareTable {
    /// Games, each with the place where it leaves the repertoire.
    #[default]
    Games,
    /// Places where games left the repertoire, with their counts.
    Departures,
    /// Lines of the repertoire that no game met.
    Unmet,
}

impl CompareTable {
    /// Returns the columns, with their types in Parquet.
    pub fn columns(self) -> &'static [(&'static str, ColumnType)] {
        rows::columns(self)
    }
}

/// The options for writing a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompareStyle {
    /// The title of a report.
    pub title: String,
    /// What the rows of a table are.
    pub table: CompareTable,
    /// The greatest number of places and of lines in each part of a report.
    pub most: usize,
    /// How boards are drawn as text. If they have colours, which are for a terminal, all other text of the report is
    /// made safe for it.
    pub board: TextStyle,
}

impl Default for CompareStyle {
    fn default() -> Self {
        Self {
            title: "Games and repertoire".to_owned(),
            table: CompareTable::Games,
            most: 20,
            board: TextStyle::default(),
        }
    }
}

impl Comparison {
    /// Calls a function with each row of a table, which has a value for each of its
    /// [columns](CompareTable::columns). An error of the function ends it.
    ///
    /// # Errors
    ///
    /// That of the function.
    pub fn each_row(
        &self,
        table: CompareTable,
        mut take: impl FnMut(Vec<CompareValue>) -> io::Result<()>,
    ) -> io::Result<()> {
        rows::each_row(self, table, &mut take)
    }

    /// Writes the comparison.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn write(&self, format: CompareFormat, style: &CompareStyle, output: &mut impl Write) -> io::Result<()> {
        match format {
            CompareFormat::Text => text::write(self, style, output),
            CompareFormat::Html => page::write(self, style, output),
            CompareFormat::Rows(format) => rows::write_lines(self, style.table, format, output),
            #[cfg(feature = "parquet")]
            CompareFormat::Parquet => rows::write_parquet(self, style.table, output),
            #[cfg(not(feature = "parquet"))]
            CompareFormat::Parquet => Err(crate::write::no_parquet()),
        }
    }
}
