//! The parts of a line that are written as soon as a position is reached.

use std::io::Write;
use std::ops::Range;

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::columns::sources::Reached;
use crate::encode::formats::lines::Syntax;
use crate::encode::formats::values::{hex, whole};
use crate::table::buffer::Evaluation;
use crate::table::drafted::{Drafted, ROOM};
use crate::table::{Table, turn};
use pgn2fen_chess::fen::{FenWriter, LineBuffer};

/// The values of a position that are written as text at once, and not stored in a table. Columns of such values that
/// follow one another are a run, and a run is one text in the table, with its separators.
#[derive(Debug)]
pub(crate) struct Draft {
    runs: Vec<Vec<Item>>,
    append: fn(&[Item], &Reached<'_>, &mut FenWriter, &mut Drafted),
}

/// A column of a run.
#[derive(Debug)]
struct Item {
    /// The text before the value: the first `len` bytes. They are copied as an array, because a copy of fixed size is
    /// one machine instruction.
    before: [u8; 16],
    len: usize,
    column: Column,
}

impl Draft {
    /// Creates a draft of lines in the syntax of a format.
    pub(crate) fn new<S: Syntax>(columns: &Columns) -> Self {
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
        for (run, drafted) in self.runs.iter().zip(table.drafts_mut(self.runs.len())) {
            (self.append)(run, reached, writer, drafted);
        }
    }
}

/// Appends the values of a run, with the text before each.
fn append<S: Syntax>(run: &[Item], reached: &Reached<'_>, writer: &mut FenWriter, drafted: &mut Drafted) {
    drafted.push_with(|mut line| {
        for Item { before, len, column } in run {
            line.push(*before, *len);
            // Passed and returned by value, the length of the line can stay in a register.
            match column {
                Column::Ply => line.push_number(reached.ply),
                Column::San if !reached.last_move.san.is_empty() => {
                    let (text, len) = reached.last_move.san.text();
                    quoted::<S>(&mut line, |line| line.push(text, len));
                }
                Column::Fen if S::HAS_QUOTES => {
                    line.push(*b"\"", 1);
                    line = push_fen(reached, writer, line);
                    line.push(*b"\"", 1);
                }
                Column::Fen => line = push_fen(reached, writer, line),
                column => line = push_other::<S>(column, reached, line),
            }
        }
        line.len()
    });
}

/// Appends the position. This is a function of its own, because the loop over the columns is faster without its many
/// variables.
#[inline(never)]
fn push_fen<'l>(reached: &Reached<'_>, writer: &mut FenWriter, mut line: LineBuffer<'l, ROOM>) -> LineBuffer<'l, ROOM> {
    writer.push(reached.after, reached.position, &mut line);
    line
}

/// Appends a value that is a text without escapes.
#[inline(always)]
fn quoted<S: Syntax>(line: &mut LineBuffer<'_, ROOM>, write: impl FnOnce(&mut LineBuffer<'_, ROOM>)) {
    if S::HAS_QUOTES {
        line.push(*b"\"", 1);
    }
    write(line);
    if S::HAS_QUOTES {
        line.push(*b"\"", 1);
    }
}

/// Appends the value of a column other than the FEN and the ply, or the SAN where there is no move.
#[inline(never)]
fn push_other<'l, S: Syntax>(
    column: &Column,
    reached: &Reached<'_>,
    mut line: LineBuffer<'l, ROOM>,
) -> LineBuffer<'l, ROOM> {
    match column {
        Column::Uci if !reached.last_move.uci.is_empty() => {
            quoted::<S>(&mut line, |line| match reached.last_move.uci[..] {
                [a, b, c, d] => line.push([a, b, c, d], 4),
                ref uci => line.push_all(uci),
            });
        }
        Column::Turn => quoted::<S>(&mut line, |line| line.push_all(turn(reached.position.turn()))),
        Column::Key => quoted::<S>(&mut line, |line| line.push(hex(reached.key()), 16)),
        Column::Eval => match reached.eval {
            Some(Evaluation { centipawns, .. }) => {
                line.push(*b"-", usize::from(centipawns < 0));
                line.push_number(centipawns.unsigned_abs());
            }
            None => line.push_all(S::MISSING.as_bytes()),
        },
        Column::Clk => match reached.clk {
            Some(seconds) => push_seconds(seconds, &mut line),
            None => line.push_all(S::MISSING.as_bytes()),
        },
        _ => line.push_all(S::MISSING.as_bytes()),
    }
    line
}

/// Appends a number of seconds, always with a period.
fn push_seconds(seconds: f64, line: &mut LineBuffer<'_, ROOM>) {
    if let Some(seconds) = whole(seconds) {
        line.push_number(seconds);
        line.push(*b".0", 2);
        return;
    }
    let mut text = [0; 32];
    let mut rest = &mut text[..];
    write!(rest, "{seconds:?}").expect("a number has at most 24 digits and signs");
    let left = rest.len();
    line.push_all(&text[..text.len() - left]);
}
