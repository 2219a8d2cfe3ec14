//! The format `parquet`: rows as row groups of a Parquet file.

use std::iter::repeat_n;

use crate::columns::{Cell, Columns};
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::{Assemble, Encode, OpenFormat};
use crate::table::group::{Division, Group, GroupPiece};
use crate::table::value::Value;
use pgn2fen_tables::parquet_file::{
    ByteArrayType, ColumnWriter, DoubleType, Int32Type, Int64Type, ParquetError, ParquetFile, RowGroup, RowGroups,
    SharedTexts, begin,
};
use pgn2fen_tables::{ColumnType, Texts};

/// The most rows of a row group. Row groups should be large, because readers process or skip a row group as a whole.
/// They cannot be larger, because each is encoded in memory.
const ROWS: usize = 64 * 1024;

/// The columns without a dictionary. Most values of `fen` and `key` differ, so that it would save nothing. The values
/// of `ply` go up by one, which compresses better than their numbers in a dictionary.
const PLAIN: &[&str] = &["fen", "key", "ply"];

/// Begins a file.
pub(super) fn open(columns: &Columns) -> Result<OpenFormat, ExportError> {
    let types = columns.iter().map(|column| (column.name(), column.column_type()));
    let (row_groups, file) = begin(types, PLAIN).map_err(ExportError::new)?;
    Ok(OpenFormat { encode: Box::new(row_groups), assemble: Box::new(File { file, ready: Vec::new() }) })
}

impl Encode for RowGroups {
    fn division(&self) -> Division {
        Division::Rows(ROWS)
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        encoded.row_groups.push(encode(self, columns, group).map_err(ExportError::new)?);
        Ok(())
    }
}

/// A file that is being written.
struct File {
    file: ParquetFile,
    /// The bytes of the file that have been encoded but not yet written.
    ready: Vec<u8>,
}

impl Assemble for File {
    fn head(&self) -> &[u8] {
        &[]
    }

    fn assemble(&mut self, encoded: &mut Encoded, write: &mut dyn FnMut(&[u8])) -> Result<(), ExportError> {
        self.ready.clear();
        for group in encoded.row_groups.drain(..) {
            self.file.append(group).map_err(ExportError::new)?;
        }
        self.file.take(&mut self.ready).map_err(ExportError::new)?;
        write(&self.ready);
        Ok(())
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExportError> {
        let mut last = Vec::new();
        self.file.end(&mut last).map_err(ExportError::new)?;
        Ok(last)
    }
}

/// A function that returns the name or the text of a pair.
type PairPart = for<'t> fn((&'t str, &'t str)) -> &'t str;

/// Encodes a row group.
fn encode(row_groups: &RowGroups, columns: &Columns, group: &Group) -> Result<RowGroup, ParquetError> {
    let mut encoder = row_groups.begin()?;
    for cell in columns.cells() {
        let values = group.values(cell);
        // A list is written for each row that has it.
        let lists = group.values(cell).flat_map(|(value, rows)| repeat_n(value, rows));
        match cell.column.column_type() {
            ColumnType::Text if PLAIN.contains(&cell.column.name()) => encoder.plain_texts(|column| {
                group.pieces.iter().try_for_each(|piece| piece.try_for_each_text(cell, |text| column.push(text)))
            })?,
            ColumnType::Text => encoder.column::<ByteArrayType>(|column| {
                group.pieces.iter().try_for_each(|piece| extend_texts(column, piece, cell))
            })?,
            ColumnType::Int => encoder.column::<Int32Type>(|column| {
                group.pieces.iter().try_for_each(|piece| match piece.ints(cell) {
                    Some(ints) => column.extend(ints.iter().copied().map(Some)),
                    // Evaluations and numbers in tags fit into 32 bits.
                    None => column.extend_runs(piece.values(cell).map(|(value, rows)| (value.int(), rows))),
                })
            })?,
            ColumnType::Long => encoder
                .column::<Int64Type>(|column| column.extend_runs(values.map(|(value, rows)| (value.number(), rows))))?,
            ColumnType::Double => encoder.column::<DoubleType>(|column| {
                column.extend_runs(values.map(|(value, rows)| (value.seconds(), rows)))
            })?,
            ColumnType::Date => encoder
                .column::<Int32Type>(|column| column.extend_runs(values.map(|(value, rows)| (value.days(), rows))))?,
            ColumnType::Ints => {
                encoder.lists::<Int32Type, _>(lists.map(Value::numbers))?;
            }
            ColumnType::Doubles => {
                encoder.lists::<DoubleType, _>(lists.map(|value| Some(value.times()?.iter().copied())))?;
            }
            ColumnType::Texts => {
                let lists: Vec<_> = lists.map(Value::moves).collect();
                encoder.text_lists(lists.iter().map(|moves| Some(moves.as_ref()?.iter())))?;
            }
            ColumnType::TextMap => {
                let pairs: Vec<_> = lists.map(Value::pairs).collect();
                let part = |part: PairPart| pairs.iter().map(move |pairs| Some(pairs.as_ref()?.iter().map(part)));
                encoder.text_maps(part(|(name, _)| name), part(|(_, text)| text))?;
            }
        }
    }
    Ok(encoder.end())
}

/// Appends the texts of a piece. A text that all rows of a game share is pooled once.
fn extend_texts(
    column: &mut ColumnWriter<'_, '_, ByteArrayType>,
    piece: &GroupPiece,
    cell: Cell<'_>,
) -> Result<(), ParquetError> {
    let mut texts = Texts::default();
    if !cell.column.is_of_game() {
        piece.append_texts(cell, &mut texts);
        return column.extend(SharedTexts::from(texts).iter());
    }
    let mut lengths = Vec::new();
    for (value, rows) in piece.values(cell) {
        texts.push(value.text_bytes().unwrap_or_default());
        lengths.push(rows);
    }
    column.extend_runs(SharedTexts::from(texts).iter().zip(lengths))
}

#[cfg(test)]
#[cfg(feature = "files")]
mod tests {
    use parquet::column::page::Page;
    use parquet::file::metadata::RowGroupMetaData;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    use crate::testing::games;
    use crate::{Format, GameRows, Rows};

    const GAMES: &str = "[White \"Tal\"]\n[WhiteElo \"2700\"]\n[Date \"1960.03.15\"]\n\n\
        1. e4 {[%eval 0.3] [%clk 0:01:00] good} e5 $1 $2 *\n\n[White \"\"]\n\n1. d4 *\n\n";

    /// Reads a file. Returns the rows as text, and the numbers of rows of its row groups.
    fn read(bytes: &[u8]) -> (Vec<String>, Vec<i64>) {
        use std::io::Write;

        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let file = SerializedFileReader::new(file).unwrap();
        let rows = file.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        (rows, file.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).collect())
    }

    /// Reads rows of these columns.
    fn rows(columns: &str, group: Option<usize>) -> (Vec<String>, Vec<i64>) {
        let rows = Rows::columns(columns).unwrap().format(Format::Parquet);
        let rows = group.map_or_else(|| rows.clone(), |group| rows.clone().group(group));
        read(&rows.write(games(GAMES), Vec::new()).unwrap().0)
    }

    #[test]
    fn row_groups_have_the_rows_of_all_columns() {
        let columns = "ply,san,White,WhiteElo,Date,eval,clk,nags,game,fen,comment,turn,tags";
        let (all, groups) = rows(columns, None);
        let tal = |row: &str| {
            let shared = r#"White: "Tal", WhiteElo: 2700, Date: 1960-03-15"#;
            let tags = r#"tags: {"White" -> "Tal", "WhiteElo" -> "2700", "Date" -> "1960.03.15"}"#;
            format!("{{{}, {tags}}}", row.replace("TAGS", shared))
        };
        let nobody = |row: &str| {
            format!(
                "{{{}, tags: {{\"White\" -> \"\"}}}}",
                row.replace("TAGS", "White: null, WhiteElo: null, Date: null")
            )
        };
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let expected = [
            tal(&format!(
                "ply: 0, san: null, TAGS, eval: null, clk: null, nags: null, game: 1, fen: \"{initial}\", \
                 comment: null, turn: \"w\""
            )),
            tal("ply: 1, san: \"e4\", TAGS, eval: 30, clk: 60.0, nags: null, game: 1, \
                 fen: \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\", \
                 comment: \"[%eval 0.3] [%clk 0:01:00] good\", turn: \"b\""),
            tal("ply: 2, san: \"e5\", TAGS, eval: null, clk: null, nags: [1, 2], game: 1, \
                 fen: \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\", \
                 comment: null, turn: \"w\""),
            nobody(&format!(
                "ply: 0, san: null, TAGS, eval: null, clk: null, nags: null, game: 2, fen: \"{initial}\", \
                 comment: null, turn: \"w\""
            )),
            nobody(
                "ply: 1, san: \"d4\", TAGS, eval: null, clk: null, nags: null, game: 2, \
                 fen: \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1\", \
                 comment: null, turn: \"b\"",
            ),
        ];
        assert_eq!(groups, [5]);
        let (same, groups) = rows(columns, Some(2));
        assert_eq!((&same, groups), (&all, vec![2, 2, 1]));
        assert_eq!(all, expected);
    }

    #[test]
    fn games_have_lists() {
        let columns = "White,moves,evals,clocks,tags";
        let bytes = GameRows::columns(columns).unwrap().format(Format::Parquet).write(games(GAMES), Vec::new());
        let expected = [
            concat!(
                r#"{White: "Tal", moves: ["e2e4", "e7e5"], evals: [30, null], clocks: [60.0, null], "#,
                r#"tags: {"White" -> "Tal", "WhiteElo" -> "2700", "Date" -> "1960.03.15"}}"#,
            ),
            r#"{White: null, moves: ["d2d4"], evals: null, clocks: null, tags: {"White" -> ""}}"#,
        ];
        assert_eq!(read(&bytes.unwrap().0).0, expected);
    }

    #[test]
    fn chosen_rows_are_those_of_the_file() {
        let unique = Rows::columns("fen,White,ply").unwrap().format(Format::Parquet).unique(true);
        let (rows, _) = read(&unique.write(games(GAMES), Vec::new()).unwrap().0);
        let expected = [
            r#"{fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", White: "Tal", ply: 0}"#,
            r#"{fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", White: "Tal", ply: 1}"#,
            r#"{fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", White: "Tal", ply: 2}"#,
            r#"{fen: "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1", White: null, ply: 1}"#,
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn texts_that_many_rows_share_have_a_dictionary() {
        use std::io::Write;

        let rows = Rows::columns("fen,White").unwrap().format(Format::Parquet);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&rows.write(games(GAMES), Vec::new()).unwrap().0).unwrap();
        let file = SerializedFileReader::new(file).unwrap();
        let group = file.get_row_group(0).unwrap();
        let has_dictionary = |column: usize| {
            let first = group.get_column_page_reader(column).unwrap().get_next_page().unwrap();
            matches!(first, Some(Page::DictionaryPage { .. }))
        };
        assert!(!has_dictionary(0) && has_dictionary(1));
    }
}
