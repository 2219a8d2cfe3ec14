//! Arrow IPC files and streams of games, read batch by batch from the start to the end.
//!
//! A file is a stream between a magic number and a footer, so it can also be read from a pipe. Some writers do not
//! write the schema where a stream has it; their files need the footer. Memory holds one record batch, and the
//! dictionaries.

mod message;
mod value;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_ipc::MessageHeader;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_schema::{Schema, SchemaRef};

use crate::games::TableGames;
use crate::tabular::arrow::message::{Message, Messages};
use crate::tabular::choice::{ColumnChoice, TableColumn};
use crate::tabular::error::{TableError, TableFormat};
use crate::tabular::guard::guard;
use crate::tabular::table::{Cell, Row, Table};
use crate::tabular::text::TableText;
use pgn2fen_bytes::{Meter, Metered};

/// Opens a file. `wanted` is the name of the column with the moves, if one was given.
pub(crate) fn open(mut file: File, meter: Meter, wanted: Option<&str>) -> io::Result<TableGames> {
    match guarded(|| Messages::file(&file, meter.clone()))? {
        Some((messages, schema)) => games(messages, schema, wanted),
        // A stream, or a file that is cut short: its games are read up to there.
        None => {
            file.rewind()?;
            let reader = Box::new(Metered::new(BufReader::new(file), meter.clone()));
            let (messages, schema) = begin(reader, meter, || None)?;
            games(messages, schema, wanted)
        }
    }
}

/// Opens a stream, or a file that comes through a pipe, from its first byte on.
pub(crate) fn open_stream(reader: Box<dyn Read + Send>, meter: Meter, wanted: Option<&str>) -> io::Result<TableGames> {
    let (messages, schema) = begin(reader, meter, || Some(TableError::late_schema(TableFormat::Arrow).into()))?;
    games(messages, schema, wanted)
}

/// Reads the schema of a stream, or of a file that is read like a stream. Without a schema at the start of a file, the
/// error is that of `late`, or tells the damage.
fn begin(
    reader: Box<dyn Read + Send>,
    meter: Meter,
    late: impl FnOnce() -> Option<io::Error>,
) -> io::Result<(Messages, Result<Schema, String>)> {
    guarded(|| {
        let mut messages = Messages::stream(reader, meter)?;
        let is_file = messages.is_file();
        let first = messages.next();
        let has_schema = || matches!(&first, Ok(Some(message)) if message.has_schema());
        let is_late =
            is_file && !has_schema() && first.as_ref().map_or_else(|error| TableError::of(error).is_some(), |_| true);
        if let Some(error) = is_late.then(late).flatten() {
            return Err(error);
        }
        let schema = first?.ok_or("it has no schema".to_owned()).and_then(|message| message.schema());
        Ok((messages, schema))
    })
}

/// Runs a function that reads the beginning of a file, and returns an error if a package panics.
fn guarded<T>(run: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let damaged = |reason: String| TableError::damaged(TableFormat::Arrow, "in its schema", reason);
    guard(run).map_err(damaged)?
}

fn games(messages: Messages, schema: Result<Schema, String>, wanted: Option<&str>) -> io::Result<TableGames> {
    let schema = schema.map_err(|reason| TableError::damaged(TableFormat::Arrow, "in its schema", reason))?;
    let columns: Vec<TableColumn> = schema.fields().iter().map(|field| value::column(field)).collect();
    let choice = ColumnChoice::new(TableFormat::Arrow, &columns, wanted)?;
    Ok(TableGames::new(|parts| {
        let choice = choice.of_parts(parts);
        let batches = Batches {
            messages,
            schema: Arc::new(schema),
            dictionaries: HashMap::new(),
            sizes: HashMap::new(),
            projection: choice.columns.clone(),
            columns: Vec::new(),
            rows: 0,
            row: 0,
            batches: 0,
        };
        let text: Box<dyn Read + Send> = Box::new(TableText::reader(batches, choice));
        std::iter::once(Ok(text))
    }))
}

/// The record batches of a file, row by row.
struct Batches {
    messages: Messages,
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
    /// The number of bytes that each dictionary takes.
    sizes: HashMap<i64, u64>,
    /// The numbers of the columns that are read.
    projection: Vec<usize>,
    columns: Vec<ArrayRef>,
    /// The number of rows of the batch, and the place of the current row in it.
    rows: usize,
    row: usize,
    /// The number of batches that were read before.
    batches: u64,
}

impl Batches {
    /// Reads messages up to the next record batch with rows. Returns false if there is none.
    fn load(&mut self) -> io::Result<bool> {
        loop {
            // The memory of the last batch is released first.
            self.columns.clear();
            (self.rows, self.row) = (0, 0);
            let Some(message) = self.messages.next()? else {
                return Ok(false);
            };
            let taken = self.take(&message).map_err(|reason| self.damage(&reason));
            if taken? && self.rows > 0 {
                return Ok(true);
            }
        }
    }

    /// Returns the number of bytes that the next message may take.
    fn room(&self) -> u64 {
        self.messages.room().saturating_sub(self.sizes.values().fold(0, |sum, size| sum.saturating_add(*size)))
    }

    /// Takes a message. Returns whether it was a record batch. The error is the reason why it cannot be read.
    fn take(&mut self, message: &Message) -> Result<bool, String> {
        let header = message.header()?;
        let version = header.version();
        match header.header_type() {
            MessageHeader::DictionaryBatch => {
                let batch = header.header_as_dictionary_batch().ok_or("a dictionary cannot be read")?;
                let size = message.check(batch.data().ok_or("a dictionary has no values")?, self.room())?;
                // A dictionary that is extended is copied.
                let before = self.sizes.remove(&batch.id()).filter(|_| batch.isDelta()).unwrap_or(0);
                self.sizes.insert(batch.id(), size.saturating_add(before));
                if batch.isDelta() && size.saturating_add(before) > self.room() {
                    return Err("its dictionaries are too large".to_owned());
                }
                read_dictionary(&message.body, batch, &self.schema, &mut self.dictionaries, &version)
                    .map_err(|error| error.to_string())?;
                Ok(false)
            }
            MessageHeader::RecordBatch => {
                let batch = header.header_as_record_batch().ok_or("the record batch cannot be read")?;
                message.check(batch, self.room())?;
                let (schema, projection) = (Arc::clone(&self.schema), Some(self.projection.as_slice()));
                let batch = read_record_batch(&message.body, batch, schema, &self.dictionaries, projection, &version)
                    .map_err(|error| error.to_string())?;
                self.batches += 1;
                self.rows = batch.num_rows();
                self.columns = batch.columns().to_vec();
                Ok(true)
            }
            _ => Err("a message is neither a record batch nor a dictionary".to_owned()),
        }
    }
}

impl Table for Batches {
    fn next(&mut self) -> io::Result<bool> {
        self.row += 1;
        Ok(self.row < self.rows || self.load()?)
    }

    fn damage(&self, reason: &str) -> TableError {
        TableError::damaged(TableFormat::Arrow, format!("in record batch {}", self.batches + 1), reason)
    }
}

impl Row for Batches {
    fn cell(&self, column: usize) -> Cell<'_> {
        value::cell(self.columns[column].as_ref(), self.row)
    }

    fn each(&self, column: usize, take: &mut dyn FnMut(Cell<'_>)) {
        value::each(self.columns[column].as_ref(), self.row, take);
    }

    fn each_pair(&self, column: usize, take: &mut dyn FnMut(Cell<'_>, Cell<'_>)) {
        value::each_pair(self.columns[column].as_ref(), self.row, take);
    }
}
