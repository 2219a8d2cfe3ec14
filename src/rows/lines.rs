//! Tables of other things than positions, in the text formats of rows.

use crate::rows::format::Format;
use crate::rows::formats::csv::{self, Csv};
use crate::rows::formats::jsonl::Jsonl;
use crate::rows::formats::lines;
use crate::rows::formats::tsv::{self, Tsv};
use crate::rows::table::Value;

/// The value of a cell of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell<'c> {
    /// A missing value.
    Missing,
    /// A text.
    Text(&'c str),
    /// A number.
    Number(u64),
    /// A number in thousandths.
    Thousandths(u64),
    /// A number of hundredths, which a table on a terminal shows with a `%`.
    PerCent(u64),
}

/// Appends the header row, if the format has one.
pub fn append_header(format: Format, names: &[&str], out: &mut Vec<u8>) {
    match format {
        Format::Csv => csv::names(names.iter().copied(), out),
        Format::Tsv => tsv::names(names.iter().copied(), out),
        _ => {}
    }
}

/// Appends a row as a line of csv or jsonl. Any other format is written as tsv.
pub fn append_row(format: Format, names: &[&str], cells: &[Cell<'_>], out: &mut Vec<u8>) {
    let values = cells.iter().map(|cell| match *cell {
        Cell::Missing | Cell::Text("") => Value::Missing,
        Cell::Text(text) => Value::Text(text.as_bytes()),
        Cell::Number(number) | Cell::PerCent(number) => Value::Number(i64::try_from(number).unwrap_or(i64::MAX)),
        // A number of thousandths has at most 53 bits.
        Cell::Thousandths(number) => Value::Seconds(number as f64 / 1000.0),
    });
    let row = names.iter().copied().zip(values);
    match format {
        Format::Csv => lines::row::<Csv>(row, out),
        Format::Jsonl => lines::row::<Jsonl>(row, out),
        _ => lines::row::<Tsv>(row, out),
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, append_header, append_row};
    use crate::rows::Format;

    #[track_caller]
    fn check(format: Format, expected: &str) {
        let names = ["White", "games"];
        let mut out = Vec::new();
        append_header(format, &names, &mut out);
        append_row(format, &names, &[Cell::Text("a, \"b\"\tc"), Cell::Number(7)], &mut out);
        append_row(format, &names, &[Cell::Text(""), Cell::Missing], &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn each_format_has_its_lines() {
        check(Format::Tsv, "White\tgames\na, \"b\"\\tc\t7\n\t\n");
        check(Format::Csv, "White,games\n\"a, \"\"b\"\"\tc\",7\n,\n");
        check(Format::Jsonl, "{\"White\":\"a, \\\"b\\\"\\tc\",\"games\":7}\n{\"White\":null,\"games\":null}\n");
    }
}
