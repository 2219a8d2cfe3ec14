//! Writes a tree as rows, one for each move.

#[cfg(feature = "parquet")]
use std::io;
use std::io::Write;

use crate::counts::score;
use crate::tree::Tree;
use crate::write::guide::{Fate, Guide, append_move, line_of};
use crate::write::{RowFormat, TreeError, TreeStyle, WrittenTree};
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::position::Position;
use pgn2fen_games::Results;
use pgn2fen_rows::lines::{Cell, Lines};
use pgn2fen_tables::ColumnType;
#[cfg(feature = "parquet")]
use pgn2fen_tables::parquet_file::{self, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type, ParquetError};

/// A row: a move, and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeRow {
    /// The moves from the start, with this move.
    pub path: String,
    /// The number of plies behind the root.
    pub ply: u32,
    /// The move as SAN.
    pub san: String,
    /// The move in the notation of UCI engines.
    pub uci: String,
    /// The FEN of the position after the move.
    pub fen: String,
    /// The results of the games in which the move was played.
    pub results: Results,
    /// The score of the side that is asked for, in thousandths; None if no result is known.
    pub score: Option<u64>,
    /// The latest year of the games.
    pub last_year: Option<u16>,
    /// The path on which the position stands, if it is another one.
    pub transposes_to: Option<String>,
}

impl TreeRow {
    /// The columns of rows, with their types in Parquet.
    pub const COLUMNS: [(&str, ColumnType); 13] = [
        ("path", ColumnType::Text),
        ("ply", ColumnType::Int),
        ("san", ColumnType::Text),
        ("uci", ColumnType::Text),
        ("fen", ColumnType::Text),
        ("games", ColumnType::Long),
        ("white", ColumnType::Long),
        ("draws", ColumnType::Long),
        ("black", ColumnType::Long),
        ("unknown", ColumnType::Long),
        ("score", ColumnType::Double),
        ("last_year", ColumnType::Int),
        ("transposes_to", ColumnType::Text),
    ];

    fn numbers(&self) -> [u64; 5] {
        let Results { white, draws, black, unknown } = self.results;
        [self.results.games(), white, draws, black, unknown]
    }
}

/// Calls a function with each row.
pub(super) fn each_row(
    tree: &Tree,
    style: &TreeStyle,
    take: &mut dyn FnMut(TreeRow) -> Result<(), TreeError>,
) -> Result<WrittenTree, TreeError> {
    let mut guide = Guide::new(tree, style.transpositions);
    let mut line = String::new();
    let mut position = tree.root().start().clone();
    for m in tree.root().moves() {
        append_move(&position, &m.to_san(&position), &mut line);
        position.play_unchecked(*m);
    }
    let before = line.clone();
    rows(&mut guide, style, (&before, &mut line), &position, take)?;
    Ok(guide.written)
}

fn rows(
    guide: &mut Guide<'_>,
    style: &TreeStyle,
    (root, line): (&str, &mut String),
    position: &Position,
    take: &mut dyn FnMut(TreeRow) -> Result<(), TreeError>,
) -> Result<(), TreeError> {
    for at in guide.tree.range(guide.node()) {
        let Some(played) = guide.play(at, position) else {
            continue;
        };
        let (edge, length) = (played.edge, line.len());
        let san = played.played.to_san(position);
        append_move(position, &san, line);
        let elsewhere = matches!(played.fate, Fate::Transposes | Fate::Repeats);
        let transposes_to = match elsewhere.then(|| line_of(guide.tree, edge.to)) {
            None => None,
            Some(behind) if root.is_empty() || behind.is_empty() => Some(format!("{root}{behind}")),
            Some(behind) => Some(format!("{root} {}", without_number(&behind, guide.tree.root().position()))),
        };
        let row = TreeRow {
            path: line.clone(),
            ply: u32::try_from(guide.ply() + 1).unwrap_or(u32::MAX),
            san,
            uci: edge.next.to_string(),
            fen: fen::to_string(&played.after, FenStyle::default()),
            results: edge.counts.results(),
            score: score(&edge.counts.results(), style.side),
            last_year: Some(edge.year).filter(|year| *year > 0),
            transposes_to,
        };
        take(row)?;
        if played.fate == Fate::GoesOn {
            guide.enter(&played);
            rows(guide, style, (root, line), &played.after, take)?;
            guide.leave();
        }
        line.truncate(length);
    }
    Ok(())
}

/// Returns moves that begin in a position without the number before a first move of Black.
fn without_number<'l>(line: &'l str, start: &Position) -> &'l str {
    line.strip_prefix(&format!("{}... ", start.fullmoves())).unwrap_or(line)
}

pub(super) fn write_lines(
    tree: &Tree,
    style: &TreeStyle,
    format: RowFormat,
    output: &mut impl Write,
) -> Result<WrittenTree, TreeError> {
    let names: Vec<&'static str> = TreeRow::COLUMNS.iter().map(|(name, _)| *name).collect();
    let lines = Lines::new(format.into(), &names);
    let mut out = Vec::new();
    lines.header(&mut out);
    let written = each_row(tree, style, &mut |row| {
        let [games, white, draws, black, unknown] = row.numbers().map(Cell::Number);
        let cells = [
            Cell::Text(&row.path),
            Cell::Number(row.ply.into()),
            Cell::Text(&row.san),
            Cell::Text(&row.uci),
            Cell::Text(&row.fen),
            games,
            white,
            draws,
            black,
            unknown,
            row.score.map_or(Cell::Missing, Cell::Thousandths),
            row.last_year.map_or(Cell::Missing, |year| Cell::Number(year.into())),
            Cell::Text(row.transposes_to.as_deref().unwrap_or_default()),
        ];
        lines.row(cells.into_iter(), &mut out);
        output.write_all(&out)?;
        out.clear();
        Ok(())
    })?;
    output.write_all(&out)?;
    Ok(written)
}

/// The number of rows that a group of a Parquet file has.
#[cfg(feature = "parquet")]
const GROUP: usize = 1 << 16;

#[cfg(feature = "parquet")]
pub(super) fn write_parquet(tree: &Tree, style: &TreeStyle, output: &mut impl Write) -> Result<WrittenTree, TreeError> {
    let failed = |error: ParquetError| TreeError::Write(io::Error::other(error));
    let (groups, mut file) = parquet_file::begin(TreeRow::COLUMNS.iter().copied(), &["path", "fen"]).map_err(failed)?;
    let mut rows: Vec<TreeRow> = Vec::new();
    let mut out = Vec::new();
    let mut end_group = |rows: &mut Vec<TreeRow>, out: &mut Vec<u8>| {
        let group = group(&groups, rows)?;
        rows.clear();
        file.append(group)?;
        file.take(out)
    };
    let written = each_row(tree, style, &mut |row| {
        rows.push(row);
        if rows.len() == GROUP {
            end_group(&mut rows, &mut out).map_err(failed)?;
            output.write_all(&out)?;
            out.clear();
        }
        Ok(())
    })?;
    if !rows.is_empty() {
        end_group(&mut rows, &mut out).map_err(failed)?;
    }
    file.end(&mut out).map_err(failed)?;
    output.write_all(&out)?;
    Ok(written)
}

/// Encodes a group of rows.
#[cfg(feature = "parquet")]
fn group(groups: &parquet_file::RowGroups, rows: &[TreeRow]) -> Result<parquet_file::RowGroup, ParquetError> {
    let text = |text: &String| (!text.is_empty()).then(|| ByteArray::from(text.as_str()));
    let mut group = groups.begin()?;
    group.column::<ByteArrayType>(|column| column.extend(rows.iter().map(|row| text(&row.path))))?;
    group.column::<Int32Type>(|column| column.extend(rows.iter().map(|row| i32::try_from(row.ply).ok())))?;
    group.column::<ByteArrayType>(|column| column.extend(rows.iter().map(|row| text(&row.san))))?;
    group.column::<ByteArrayType>(|column| column.extend(rows.iter().map(|row| text(&row.uci))))?;
    group.column::<ByteArrayType>(|column| column.extend(rows.iter().map(|row| text(&row.fen))))?;
    for at in 0..5 {
        group.column::<Int64Type>(|column| {
            column.extend(rows.iter().map(|row| i64::try_from(row.numbers()[at]).ok()))
        })?;
    }
    group.column::<DoubleType>(|column| column.extend(rows.iter().map(|row| row.score.map(|s| s as f64 / 1000.0))))?;
    let year = |row: &TreeRow| row.last_year.map(i32::from);
    group.column::<Int32Type>(|column| column.extend(rows.iter().map(year)))?;
    group.column::<ByteArrayType>(|column| {
        column.extend(rows.iter().map(|row| row.transposes_to.as_ref().and_then(text)))
    })?;
    Ok(group.end())
}

#[cfg(test)]
mod tests {
    use crate::testing::{from, tree, written};
    use crate::write::{RowFormat, TreeFormat, TreeStyle};

    #[test]
    fn a_line_transposes_to_a_line_from_the_first_move() {
        let transposed = |games: &str, root: &str| {
            let (rows, _) = written(&tree(games, &from(root)), TreeFormat::Rows(RowFormat::Tsv), &TreeStyle::default());
            let cells = |row: &str| row.split('\t').next_back().unwrap_or_default().to_owned();
            rows.lines().skip(1).map(cells).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        };
        let back = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *\n";
        assert_eq!(transposed(back, "1. Nf3"), ["1. Nf3"; 0]);
        let again = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. e3 *\n";
        assert_eq!(transposed(again, "1. Nf3"), ["1. Nf3"]);
        let games = "1. d4 d5 2. c4 e6 *\n\n1. c4 d5 2. d4 e6 *\n";
        assert_eq!(transposed(games, "startpos"), ["1. d4 d5 2. c4"]);
    }
}
