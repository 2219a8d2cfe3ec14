//! The rows of text with separators, and their cells.
//!
//! A cell that begins with a quote goes on up to the next single quote, over separators and line breaks. If what
//! follows that quote is neither a separator nor the end of the row, the cell was not closed: the quote is the first
//! one of a later row. So a quote that is missing costs the row in which it is missing, and each byte is read at most
//! twice.

use std::ops::Range;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};

/// The bytes that separate the rows and the cells of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Separators {
    /// The byte between two cells.
    pub(super) cell: u8,
    /// The last byte of a row: a line feed, or a carriage return in text without line feeds.
    pub(super) row: u8,
}

/// The end of the row with which a text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowEnd {
    /// The row ends here, behind its line break, or with the text.
    Closed(usize),
    /// A cell is not closed. The lines up to the one where it begins end here.
    Unclosed(usize),
    /// The text ends within a cell. The lines up to the one where it begins end here.
    Open(usize),
}

impl Separators {
    /// Returns the separators of a text with this byte between cells.
    pub(super) fn of(text: &[u8], cell: u8) -> Self {
        let is_lone_return = memchr::memchr2(b'\n', b'\r', text)
            .is_some_and(|at| text[at..].starts_with(b"\r") && text.get(at + 1) != Some(&b'\n'));
        Self { cell, row: if is_lone_return { b'\r' } else { b'\n' } }
    }

    /// Returns the end of the line with which a text begins, behind its line break.
    pub(super) fn line_end(self, text: &[u8]) -> usize {
        memchr::memchr(self.row, text).map_or(text.len(), |end| end + 1)
    }

    /// Returns a row without its line break.
    pub(super) fn without_line_end(self, row: &[u8]) -> &[u8] {
        let row = row.strip_suffix(&[self.row]).unwrap_or(row);
        row.strip_suffix(b"\r").unwrap_or(row)
    }

    /// Finds the end of the row with which a text begins.
    pub(super) fn row_end(self, text: &[u8]) -> RowEnd {
        let line = self.line_end(text);
        if memchr::memchr(b'"', &text[..line]).is_none() {
            return RowEnd::Closed(line);
        }
        let mut at = 0;
        loop {
            if text.get(at) == Some(&b'"') {
                let start = at;
                let first_lines = || start + self.line_end(&text[start..]);
                let Some(end) = quoted_end(text, start) else { return RowEnd::Open(first_lines()) };
                at = end;
                if !self.ends_cell(&text[at..]) && memchr::memchr(self.row, &text[start..at]).is_some() {
                    return RowEnd::Unclosed(first_lines());
                }
            }
            match memchr::memchr2(self.cell, self.row, &text[at..]) {
                None => return RowEnd::Closed(text.len()),
                Some(next) => at += next + 1,
            }
            if text[at - 1] == self.row {
                return RowEnd::Closed(at);
            }
        }
    }

    /// Whether a cell ends here, before the text.
    fn ends_cell(self, text: &[u8]) -> bool {
        let text = &text[text.iter().take_while(|byte| **byte == b' ').count()..];
        match text {
            [] => true,
            [b'\r', rest @ ..] if self.row == b'\n' => rest.first().is_none_or(|next| *next == b'\n'),
            [next, ..] => *next == self.cell || *next == self.row,
        }
    }

    /// Returns the end of the rows of a text that may go on: behind the last row that is whole. 0 if there is none. Of
    /// a text that `must_end`, the first lines are passed if their cell is not closed.
    pub(super) fn whole_rows(self, text: &[u8], must_end: bool) -> usize {
        if memchr::memchr(b'"', text).is_none() {
            return memchr::memrchr(self.row, text).map_or(0, |end| end + 1);
        }
        let mut at = 0;
        loop {
            let length = match self.row_end(&text[at..]) {
                RowEnd::Closed(length) | RowEnd::Unclosed(length) => length,
                RowEnd::Open(length) if must_end && at == 0 => length,
                RowEnd::Open(_) => return at,
            };
            if length == 0 || text[at + length - 1] != self.row {
                return at;
            }
            at += length;
        }
    }
}

/// Returns the place behind the quote that closes the cell whose first quote is at `start`.
fn quoted_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr(b'"', &text[at..])? + 1;
        if text.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

/// The kind of the lines with which a text begins, and their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A row that has been read, up to its end.
    Read(usize),
    /// A blank line, up to its end.
    Blank(usize),
    /// Lines with a cell that is not closed, up to their end.
    Unclosed(usize),
}

/// Reads rows.
pub(super) struct Cells {
    pub(super) separators: Separators,
    /// The number of columns. Further cells are counted, but not kept.
    columns: usize,
    quoted: Reader,
    /// The cells of a row without their quotes, if it has some, and their ends there.
    text: Vec<u8>,
    ends: Vec<usize>,
    is_quoted: bool,
    /// The places of the cells, in the row or in `text`.
    places: Vec<Range<usize>>,
    /// The number of cells of the row.
    count: usize,
}

impl Cells {
    pub(super) fn new(separators: Separators, columns: usize) -> Self {
        let terminator = Terminator::Any(separators.row);
        Self {
            separators,
            columns,
            quoted: ReaderBuilder::new().delimiter(separators.cell).terminator(terminator).build(),
            text: Vec::new(),
            ends: Vec::new(),
            is_quoted: false,
            places: Vec::new(),
            count: 0,
        }
    }

    /// Reads the row with which a text begins.
    pub(super) fn read(&mut self, text: &[u8]) -> Row {
        let end = match self.separators.row_end(text) {
            RowEnd::Closed(end) => end,
            RowEnd::Unclosed(end) | RowEnd::Open(end) => return Row::Unclosed(end),
        };
        let row = self.separators.without_line_end(&text[..end]);
        if row.trim_ascii().is_empty() {
            return Row::Blank(end);
        }
        self.places.clear();
        self.is_quoted = memchr::memchr(b'"', row).is_some();
        if self.is_quoted {
            self.read_quoted(row);
            return Row::Read(end);
        }
        let mut start = 0;
        let ends = memchr::memchr_iter(self.separators.cell, row).chain([row.len()]);
        for end in ends.clone().take(self.columns) {
            self.places.push(start..end);
            start = end + 1;
        }
        self.count = self.places.len() + ends.skip(self.columns).count();
        Row::Read(end)
    }

    /// Finds the cells of a row with quotes.
    fn read_quoted(&mut self, row: &[u8]) {
        self.quoted.reset();
        self.text.resize(row.len() + 1, 0);
        self.ends.resize(self.columns, 0);
        self.count = 0;
        let (mut read, mut written) = (0, 0);
        let mut further = [0; 64];
        loop {
            let ends = self.ends.get_mut(self.count..).filter(|ends| !ends.is_empty()).unwrap_or(&mut further);
            let (result, taken, made, cells) = self.quoted.read_record(&row[read..], &mut self.text[written..], ends);
            (read, written, self.count) = (read + taken, written + made, self.count + cells);
            // The text of the cells is no longer than the row, so there is room for it.
            if matches!(result, ReadRecordResult::Record | ReadRecordResult::End | ReadRecordResult::OutputFull) {
                break;
            }
        }
        let mut start = 0;
        for end in &self.ends[..self.count.min(self.columns)] {
            self.places.push(start..*end);
            start = *end;
        }
    }

    /// Returns the number of cells of the row that was read last.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns a cell of the row that was read last, at the start of this text, without blanks around it.
    pub(super) fn cell<'c>(&'c self, text: &'c [u8], column: usize) -> &'c [u8] {
        let text = if self.is_quoted { &self.text } else { text };
        self.places.get(column).map_or(&[][..], |place| text[place.clone()].trim_ascii())
    }
}

/// Returns the reason why a row with so many cells cannot be read, if that is not the number of columns.
pub(super) fn wrong_count(count: usize, columns: usize, has_header: bool) -> Option<String> {
    let header = if has_header { "the header row" } else { "the first row" };
    (count != columns).then(|| format!("{count} fields, but {header} has {columns}"))
}

#[cfg(test)]
mod tests {
    use super::{Cells, Row, Separators};

    /// The cells of each row, with `|` between them. Rows are separated by ` / `.
    fn rows(text: &str, cell: u8) -> String {
        let separators = Separators::of(text.as_bytes(), cell);
        let mut cells = Cells::new(separators, 3);
        let (mut rows, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let rest = &text.as_bytes()[at..];
            let (told, length) = match cells.read(rest) {
                Row::Blank(length) => ("blank".to_owned(), length),
                Row::Unclosed(length) => ("unclosed".to_owned(), length),
                Row::Read(length) => {
                    let shown = |column| String::from_utf8_lossy(cells.cell(rest, column)).into_owned();
                    let kept: Vec<String> = (0..cells.count().min(3)).map(shown).collect();
                    let further = "|+".repeat(cells.count().saturating_sub(3));
                    (kept.join("|") + &further, length)
                }
            };
            rows.push(told);
            at += length;
        }
        rows.join(" / ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(rows(text, b','), expected, "{text}");
        // Wherever the text is cut behind whole rows, the rows are the same.
        for cut in 0..=text.len() {
            let Some(before) = text.get(..cut) else { continue };
            let end = Separators::of(text.as_bytes(), b',').whole_rows(before.as_bytes(), false);
            let parts = [rows(&text[..end], b','), rows(&text[end..], b',')];
            let joined: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
            assert_eq!(joined.join(" / "), expected, "{text} at {end}");
        }
    }

    #[test]
    fn cells_are_separated_and_quoted() {
        check("a,b,c\nd,,f", "a|b|c / d||f");
        check("a,b\r\n\r\n c , d\r\n", "a|b / blank / c|d");
        check("a,b\rc,d\r", "a|b / c|d");
        check("\"a, \"\"x\"\"\",\"b\nc\",d\n1,2,3\n", "a, \"x\"|b\nc|d / 1|2|3");
        check("\"a\r\nb\",c\r\nd,\"\"\r\n", "a\r\nb|c / d|");
        check("a,b,c,d,e\n\"a\",b,c,d,e\n", "a|b|c|+|+ / a|b|c|+|+");
        check("a 5\" x,b\nc,d\n", "a 5\" x|b / c|d");
        check("\"a\" b,c\nd,e\n", "a b|c / d|e");
        check("\"a\" ,c\n", "a|c");
        assert_eq!(rows("a;\"b;c\";d\n", b';'), "a|b;c|d");
        assert_eq!(rows("a\t\"b\tc\"\n", b'\t'), "a|b\tc");
    }

    #[test]
    fn a_quote_that_is_not_closed_costs_its_row() {
        check("\"a,b\nc,d\ne,f\n", "unclosed / c|d / e|f");
        check("\"a,b\nc,\"d\"\ne,f\n", "unclosed / c|d / e|f");
        check("\"a,b\n\"c\",d\n", "unclosed / c|d");
        check("x,\"y\nz\",\"a\n\"b\",c\n", "unclosed / b|c");
        check("\"a\nb", "unclosed / b");
    }

    #[test]
    fn time_is_linear_in_quotes() {
        for line in ["\"a\n", "\"\"\"a\n", "a,\"b\n", "\",\"\n", "a\",\"b\n", "\"\"\"\"\n", "\",\"\",\"\n"] {
            let text = line.repeat(200_000);
            let (mut cells, mut at) = (Cells::new(Separators { cell: b',', row: b'\n' }, 3), 0);
            while at < text.len() {
                let (Row::Read(length) | Row::Blank(length) | Row::Unclosed(length)) =
                    cells.read(&text.as_bytes()[at..]);
                at += length;
            }
        }
    }
}
