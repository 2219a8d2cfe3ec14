//! Tables of other things than positions, in the text formats of rows.

use crate::encode::formats::csv::Csv;
use crate::encode::formats::jsonl::Jsonl;
use crate::encode::formats::lines;
use crate::encode::formats::separated;
use crate::encode::formats::tsv::Tsv;
use crate::format::Format;
use crate::table::value::Value;

pub use pgn2fen_tables::Cell;

/// The lines of a table in `csv`, `jsonl` or `tsv`.
#[derive(Clone, Debug)]
pub struct Lines {
    format: Format,
    names: Vec<&'static str>,
}

impl Lines {
    /// Creates the lines of a table with these columns. A format other than csv and jsonl stands for tsv.
    pub fn new(format: Format, names: &[&'static str]) -> Self {
        Self { format, names: names.to_vec() }
    }

    /// Appends the header row, if the format has one.
    pub fn header(&self, out: &mut Vec<u8>) {
        match self.format {
            Format::Csv => separated::header::<Csv>(self.names.iter().copied(), out),
            Format::Jsonl => {}
            _ => separated::header::<Tsv>(self.names.iter().copied(), out),
        }
    }

    /// Appends a row.
    pub fn row<'c>(&self, cells: impl Iterator<Item = Cell<'c>>, out: &mut Vec<u8>) {
        let values = cells.map(|cell| match cell {
            Cell::Missing | Cell::Text("") => Value::Missing,
            Cell::Text(text) => Value::Text(text.as_bytes()),
            Cell::Number(number) | Cell::PerCent(number) => Value::Number(i64::try_from(number).unwrap_or(i64::MAX)),
            // A number of thousandths has at most 53 bits.
            Cell::Thousandths(number) => Value::Seconds(number as f64 / 1000.0),
        });
        let row = self.names.iter().copied().zip(values);
        match self.format {
            Format::Csv => lines::row::<Csv>(row, out),
            Format::Jsonl => lines::row::<Jsonl>(row, out),
            _ => lines::row::<Tsv>(row, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Lines};
    use crate::Format;

    #[track_caller]
    fn check(format: Format, expected: &str) {
        let lines = Lines::new(format, &["White", "games"]);
        let mut out = Vec::new();
        lines.header(&mut out);
        lines.row([Cell::Text("a, \"b\"\tc"), Cell::Number(7)].into_iter(), &mut out);
        lines.row([Cell::Text(""), Cell::Missing].into_iter(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn each_format_has_its_lines() {
        check(Format::Tsv, "White\tgames\na, \"b\"\\tc\t7\n\t\n");
        check(Format::Csv, "White,games\n\"a, \"\"b\"\"\tc\",7\n,\n");
        check(Format::Jsonl, "{\"White\":\"a, \\\"b\\\"\\tc\",\"games\":7}\n{\"White\":null,\"games\":null}\n");
    }

    #[test]
    fn numbers_of_thousandths_and_of_percents_are_told() {
        let lines = Lines::new(Format::Csv, &["a", "b", "c"]);
        let mut out = Vec::new();
        lines.row([Cell::Thousandths(1500), Cell::PerCent(7), Cell::Number(u64::MAX)].into_iter(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), format!("1.5,7,{}\n", i64::MAX));
    }
}
