//! The parts of a line that are written as soon as a position is reached.

use std::ops::Range;

use crate::chess::moves::Move;
use crate::chess::position::Position;
use crate::fen::FenWriter;
use crate::rows::column::{Column, Columns};
use crate::rows::formats::lines::Syntax;
use crate::rows::table::{Evaluation, Table, Value, turn};
use crate::san::Spelled;
use crate::tables::Texts;

/// The values of a position that are written as text at once, and not stored in a table. Columns of such values that follow one another are
/// a run, and a run is one text in the table, with its separators.
#[derive(Debug)]
pub(crate) struct Draft {
    runs: Vec<Vec<Item>>,
    append: fn(&[Vec<Item>], &Reached<'_>, &mut FenWriter, &mut [Texts]),
}

/// A column of a run.
#[derive(Debug)]
struct Item {
    /// The text before the value: the first `len` bytes. They are copied as an array, because a copy of fixed size is one machine
    /// instruction.
    before: [u8; 16],
    len: usize,
    column: Column,
}

/// A position with the values that a draft may need.
pub(crate) struct Reached<'p> {
    pub(crate) ply: u32,
    pub(crate) position: &'p Position,
    /// The move that led here from the position whose FEN was written last, if there is one.
    pub(crate) after: Option<Move>,
    /// The move that led to the position. Empty at the start of the game.
    pub(crate) san: Spelled,
    pub(crate) uci: &'p [u8],
    pub(crate) eval: Option<Evaluation>,
    pub(crate) clk: Option<f64>,
    pub(crate) key: u64,
}

impl Draft {
    /// Creates a draft of lines in the syntax of a format.
    pub(in crate::rows) fn new<S: Syntax>(columns: &Columns) -> Self {
        let item = |(nth, column): (usize, &Column)| {
            let (mut text, mut before) = (Vec::new(), [0; 16]);
            S::begin_value(nth, column.name(), &mut text);
            before[..text.len()].copy_from_slice(&text);
            Item { before, len: text.len(), column: column.clone() }
        };
        let run = |run: Range<usize>| columns.iter().enumerate().take(run.end).skip(run.start).map(item).collect();
        let runs = columns.drafted().into_iter().map(run).collect();
        Self { runs, append: append::<S> }
    }

    /// Appends the values of the row that was begun last.
    #[inline(always)]
    pub(crate) fn append(&self, reached: &Reached<'_>, writer: &mut FenWriter, table: &mut Table) {
        (self.append)(&self.runs, reached, writer, table.drafts_mut(self.runs.len()));
    }
}

impl Reached<'_> {
    /// Returns the value of a column other than FEN and ply. The move is missing here.
    #[inline(never)]
    fn value(&self, column: &Column) -> Value<'_> {
        match column {
            Column::Uci if !self.uci.is_empty() => Value::Ascii(self.uci),
            Column::Turn => Value::Ascii(turn(self.position.turn())),
            Column::Eval => self.eval.map_or(Value::Missing, Evaluation::value),
            Column::Clk => self.clk.map_or(Value::Missing, Value::Seconds),
            Column::Key => Value::Key(self.key),
            Column::San | Column::Uci => Value::Missing,
            _ => unreachable!("the table has the other columns"),
        }
    }

    /// Appends the position.
    #[inline(never)]
    pub(crate) fn append_fen(&self, writer: &mut FenWriter, out: &mut Vec<u8>) {
        match self.after {
            Some(m) => writer.append_after(m, self.position, out),
            None => writer.append(self.position, out),
        }
    }
}

/// Appends the values of all runs, with the text before each.
fn append<S: Syntax>(runs: &[Vec<Item>], reached: &Reached<'_>, writer: &mut FenWriter, texts: &mut [Texts]) {
    for (run, texts) in runs.iter().zip(texts) {
        texts.push_with(|out| {
            for Item { before, len, column } in run {
                let end = out.len() + len;
                out.extend_from_slice(before);
                out.truncate(end);
                match column {
                    Column::Fen => S::quoted(|out| reached.append_fen(writer, out), out),
                    Column::San if !reached.san.is_empty() => S::quoted(|out| reached.san.append(out), out),
                    Column::Ply => S::value(Value::Number(reached.ply.into()), out),
                    column => S::value(reached.value(column), out),
                }
            }
        });
    }
}
