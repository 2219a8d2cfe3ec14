//! Values for the formats with types that hold a column together: Arrow, Parquet and blocks.

use std::ops::Range;

use crate::columns::Cell;
use crate::columns::course::Moves;
use crate::table::group::{Group, GroupPiece};
use crate::table::value::{Pairs, Value};
use pgn2fen_tables::Texts;

/// Defines a method that returns a value of one kind.
macro_rules! getter {
    ($method:ident, $kind:ident, $type:ty) => {
        pub(crate) fn $method(self) -> Option<$type> {
            match self {
                Self::$kind(value) => Some(value),
                _ => None,
            }
        }
    };
}

impl<'t> Value<'t> {
    getter!(seconds, Seconds, f64);
    getter!(times, Times, &'t [Option<f64>]);
    getter!(moves, Moves, Moves<'t>);
    getter!(pairs, Pairs, Pairs<'t>);

    /// Returns a number of 32 bits. Plies, evaluations and numbers in tags are such numbers.
    pub(crate) fn int(self) -> Option<i32> {
        self.number().and_then(|number| i32::try_from(number).ok())
    }

    /// Returns a list of numbers.
    pub(crate) fn numbers(self) -> Option<impl Iterator<Item = Option<i32>> + 't> {
        let (small, numbers): (&[u8], &[Option<i32>]) = match self {
            Self::SmallNumbers(small) => (small, &[]),
            Self::Numbers(numbers) => (&[], numbers),
            _ => return None,
        };
        Some(small.iter().map(|number| Some(i32::from(*number))).chain(numbers.iter().copied()))
    }

    /// Returns a date as the number of days since 1970-01-01.
    pub(crate) fn days(self) -> Option<i32> {
        match self {
            Self::Date(date) => date.days_since_1970(),
            _ => None,
        }
    }
}

impl GroupPiece {
    /// Returns the values of a column for formats with types, and the number of successive rows that have each. A value
    /// that all rows of a game share is looked up once.
    pub(crate) fn values<'t>(&'t self, cell: Cell<'t>) -> impl Iterator<Item = (Value<'t>, usize)> {
        let Range { start: mut nth, end } = self.rows;
        let is_of_game = cell.column.is_of_game();
        std::iter::from_fn(move || {
            let begun = (nth < end).then_some(nth)?;
            nth = if is_of_game { self.table.end_of_game(begun).min(end) } else { begun + 1 };
            Some((self.table.typed_value(cell, self.table.index(begun)), nth - begun))
        })
    }

    /// Returns the integers of a column that each row has for itself, if they are one behind the other.
    pub(crate) fn ints(&self, cell: Cell<'_>) -> Option<&[i32]> {
        self.table.adjacent_ints(cell.column, self.rows.clone())
    }

    /// Passes on the texts of a column. A missing value is an empty text.
    #[cfg(feature = "parquet")]
    pub(crate) fn try_for_each_text<E>(
        &self,
        cell: Cell<'_>,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(texts) = self.table.adjacent_texts(cell.column, &self.rows) {
            return self.rows.clone().try_for_each(|index| take(texts.bytes(index)));
        }
        self.values(cell).try_for_each(|(value, rows)| {
            let text = value.text_bytes().unwrap_or_default();
            (0..rows).try_for_each(|_| take(text))
        })
    }

    /// Returns the number of bytes of the texts of a column, if it is known without reading them, and otherwise 0.
    fn byte_len(&self, cell: Cell<'_>) -> usize {
        let texts = self.table.adjacent_texts(cell.column, &self.rows);
        texts.map_or(0, |texts| texts.adjacent_bytes(self.rows.clone()).len())
    }

    /// Appends the texts of a column. A missing value becomes an empty text.
    pub(crate) fn append_texts(&self, cell: Cell<'_>, out: &mut Texts) {
        if let Some(texts) = self.table.adjacent_texts(cell.column, &self.rows) {
            out.extend_from(texts, self.rows.clone());
            return;
        }
        for (value, rows) in self.values(cell) {
            let text = value.text_bytes().unwrap_or_default();
            (0..rows).for_each(|_| out.push(text));
        }
    }
}

impl Group {
    /// Returns the texts of a column. A missing value becomes an empty text.
    pub(crate) fn texts(&self, cell: Cell<'_>) -> Texts {
        let mut texts = Texts::with_capacity(self.rows, self.pieces.iter().map(|piece| piece.byte_len(cell)).sum());
        self.pieces.iter().for_each(|piece| piece.append_texts(cell, &mut texts));
        texts
    }

    /// Returns the values of a column for formats with types, and the number of successive rows that have each.
    pub(crate) fn values<'t>(&'t self, cell: Cell<'t>) -> impl Iterator<Item = (Value<'t>, usize)> {
        self.pieces.iter().flat_map(move |piece| piece.values(cell))
    }
}

#[cfg(test)]
mod tests {
    use std::iter::repeat_n;

    use crate::columns::Columns;
    use crate::columns::column::Column;
    use crate::table::Table;
    use crate::table::group::{Division, Grouping};
    use crate::table::value::Value;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::pgn::encoding::Fallback;
    use pgn2fen_games::pgn::tags::Tags;
    use pgn2fen_tables::Texts;

    /// Compares the values of the columns of all groups with those of single rows.
    #[track_caller]
    fn check_values(table: Table) {
        let columns: Columns = "game,White,ply,san,turn,fen".parse().unwrap();
        let (mut grouping, mut groups) = (Grouping::new(Division::Rows(5)), Vec::new());
        grouping.add(table, &mut groups);
        groups.push(grouping.end());
        for (cell, group) in columns.cells().flat_map(|cell| groups.iter().map(move |group| (cell, group))) {
            let texts = group.texts(cell);
            let texts: Vec<_> = (0..texts.len()).map(|index| texts.get(index)).collect();
            let values = group.values(cell).flat_map(|(value, rows)| repeat_n(value.text_bytes(), rows));
            assert_eq!(texts, values.collect::<Vec<_>>());
        }
        for (cell, piece) in
            columns.cells().flat_map(|cell| groups.iter().flat_map(move |g| g.pieces.iter().map(move |p| (cell, p))))
        {
            let expected: Vec<_> = piece.indices().map(|index| piece.table.typed_value(cell, index)).collect();
            let values: Vec<_> = piece.values(cell).flat_map(|(value, rows)| repeat_n(value, rows)).collect();
            assert_eq!(values, expected);
            let ints = piece.ints(cell).map(|ints| ints.iter().map(|int| Value::Number((*int).into())).collect());
            assert_eq!(ints.unwrap_or_else(|| expected.clone()), expected);
            let mut texts = Texts::default();
            piece.append_texts(cell, &mut texts);
            let texts: Vec<_> = (0..texts.len()).map(|index| texts.get(index)).collect();
            assert_eq!(texts, expected.iter().map(|value| value.text_bytes()).collect::<Vec<_>>());
            #[cfg(feature = "parquet")]
            {
                let mut passed = Texts::default();
                let pass = |text: &[u8]| {
                    passed.push(text);
                    Ok::<_, std::convert::Infallible>(())
                };
                piece.try_for_each_text(cell, pass).unwrap();
                let passed: Vec<_> = (0..passed.len()).map(|index| passed.get(index)).collect();
                assert_eq!(passed, texts);
            }
        }
    }

    #[test]
    fn runs_and_slices_of_values_are_the_values_of_the_rows() {
        let filled = || {
            let mut table = Table::default();
            for (number, rows) in [3, 0, 1, 7, 2].into_iter().enumerate() {
                let tags = [&b"[White \"Anand\"]"[..], b"", b"[White \"Carlsen\"]"][number % 3];
                table.begin_game(number as u64, 0, 0);
                table.push_tags(&"White".parse().unwrap(), &Tags::read(tags, 0), &Fallback::default());
                for ply in 0..rows {
                    table.begin_row(ply, Color::White);
                    table.buffer_mut(&Column::San).ascii().push([&b"e4"[..], b"", b"Nf3"][ply as usize % 3]);
                }
            }
            table
        };
        check_values(filled());
        for most in [1, 2, 5] {
            let mut some = filled();
            some.retain(|row| row % most != 0 || row > 9);
            check_values(some);
            let mut compact = filled();
            compact.retain(|row| row / most != 1);
            compact.compact();
            check_values(compact);
        }
    }
}
