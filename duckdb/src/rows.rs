//! The functions `read_pgn`, `read_pgn_games` and `read_pgn_starts`.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use pgn2fen_games::database::Source;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::messages::{Report, Restrictions, shown};
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::walk::{Listener, Place, Totals};
use pgn2fen_rows::options::{JobOptions, StartsOptions};
use pgn2fen_rows::starts::Starts;
use pgn2fen_rows::{Column, Columns, Format, GameRows, RecordBatches, Rows, Shape};

use crate::door::{Arguments, Bound, Plan, Scan, TableFunction};
use crate::inputs::{self, Inputs, failed, takers};
use crate::options::{set, spelled};

/// Rows of positions, and all options. `columns` and `per` are those of Python's `scan`.
pub(crate) const POSITIONS: TableFunction = TableFunction {
    name: "read_pgn",
    positional: 1,
    named: &[JobOptions::NAMES, inputs::OPTIONS],
    bind: |arguments| bind(arguments, &[]),
};

/// Rows of games.
pub(crate) const GAMES: TableFunction = TableFunction {
    name: "read_pgn_games",
    positional: 1,
    named: &[
        &[
            "columns",
            "batch_rows",
            "tags",
            "start",
            "opening",
            "reached",
            "moves",
            "ends",
            "commented",
            "length",
            "max_games",
            "on_error",
            "ep",
            "castling",
            "fields",
            "lang",
            "setup",
            "encoding",
            "evals",
            "movetext",
            "verbose",
        ],
        inputs::OPTIONS,
    ],
    bind: |arguments| bind(arguments, &[("per", "game")]),
};

/// Starting positions other than the initial position.
pub(crate) const STARTS: TableFunction = TableFunction {
    name: "read_pgn_starts",
    positional: 1,
    named: &[StartsOptions::NAMES, inputs::OPTIONS],
    bind: bind_starts,
};

/// The bytes of a game in a file, about.
const GAME_BYTES: u64 = 700;
/// The bytes of a game for each of its positions, about.
const POSITION_BYTES: u64 = 9;

fn bind(arguments: &Arguments, fixed: &[(&str, &str)]) -> Result<Bound, String> {
    let mut options = JobOptions::new();
    fixed.iter().try_for_each(|(name, value)| options.set(name, value)).map_err(|error| spelled(&error))?;
    for (name, argument) in &arguments.named {
        if !inputs::OPTIONS.contains(name) {
            set(&mut options, name, argument)?;
        }
    }
    let read = options.read_options();
    let mut inputs = Inputs::new(arguments)?;
    inputs.reading(read.encoding, read.movetext);
    if options.may_use_tag_names().map_err(|error| spelled(&error))? {
        options.set_tag_names(inputs.first_tags()?);
    }
    let (table, columns, bytes) = if options.is_per_game() {
        let games = options.game_rows().map_err(|error| spelled(&error))?.threads(inputs.threads);
        let columns = games.block_columns();
        (Table::Games(Box::new(games)), columns, GAME_BYTES)
    } else {
        let rows = options.rows().map_err(|error| spelled(&error))?.threads(inputs.threads);
        let columns = rows.block_columns();
        (Table::Positions(Box::new(rows)), columns, POSITION_BYTES)
    };
    bound(table, columns, inputs, (bytes, options.raises(), read.encoding))
}

fn bind_starts(arguments: &Arguments) -> Result<Bound, String> {
    let mut options = StartsOptions::new();
    for (name, argument) in &arguments.named {
        if !inputs::OPTIONS.contains(name) {
            set(&mut options, name, argument)?;
        }
    }
    let read = options.read_options();
    let mut inputs = Inputs::new(arguments)?;
    inputs.reading(read.encoding, read.movetext);
    if options.may_use_tag_names().map_err(|error| spelled(&error))? {
        options.set_tag_names(inputs.first_tags()?);
    }
    let columns = options.columns().map_err(|error| spelled(&error))?;
    options.starts().map_err(|error| spelled(&error))?;
    let raises = options.raises();
    bound(Table::Starts(Box::new(options)), columns, inputs, (GAME_BYTES, raises, read.encoding))
}

/// Rows of one of the kinds.
enum Table {
    Positions(Box<Rows>),
    Games(Box<GameRows>),
    Starts(Box<StartsOptions>),
}

impl Table {
    /// Returns the schema of the columns.
    fn schema(&self, columns: &Columns) -> Result<arrow_schema::SchemaRef, String> {
        Ok(match self {
            Self::Positions(rows) => (**rows).clone().shape(shape(columns)).schema(),
            Self::Games(games) => (**games).clone().with_columns(Some(columns.clone())).schema(),
            Self::Starts(_) => self.starts(columns)?.schema(),
        })
    }

    fn starts(&self, columns: &Columns) -> Result<Starts, String> {
        match self {
            Self::Starts(options) => options.starts_with(columns.clone()).map_err(|error| spelled(&error)),
            _ => Err("these are not starting positions".to_owned()),
        }
    }

    /// Begins to read the columns.
    fn begin(&self, columns: &Columns, inputs: &Inputs, listener: Recorder) -> Result<RecordBatches, String> {
        let files = inputs.inputs();
        let begun = match self {
            Self::Positions(rows) => (**rows).clone().shape(shape(columns)).batches_with(files, listener),
            Self::Games(games) => (**games).clone().with_columns(Some(columns.clone())).batches_with(files, listener),
            Self::Starts(_) => self.starts(columns)?.threads(inputs.threads).batches_with(files, listener),
        };
        begun.map_err(|error| failed(&error))
    }

    /// Returns a column that costs next to nothing, for queries that count rows.
    fn cheapest(&self) -> Column {
        match self {
            Self::Positions(_) => Column::Ply,
            Self::Games(_) | Self::Starts(_) => Column::Game,
        }
    }
}

/// Returns the shape for columns. The format has no meaning for record batches.
fn shape(columns: &Columns) -> Shape {
    Shape { format: Format::Tsv, columns: Some(columns.clone()), no_header: false }
}

/// Rows of files.
struct RowsOfFiles {
    table: Table,
    columns: Columns,
    inputs: Inputs,
    /// Whether an error in a game ends the query.
    raises: bool,
    encoding: Option<Label>,
}

fn bound(
    table: Table,
    columns: Columns,
    inputs: Inputs,
    (bytes, raises, encoding): (u64, bool, Option<Label>),
) -> Result<Bound, String> {
    let (schema, rows) = (table.schema(&columns)?, inputs.rows(bytes));
    Ok(Bound { schema, rows, plan: Box::new(RowsOfFiles { table, columns, inputs, raises, encoding }) })
}

impl Plan for RowsOfFiles {
    fn begin(&self, columns: &[usize]) -> Result<Arc<dyn Scan>, String> {
        let chosen = self.columns.iter().enumerate().filter(|(index, _)| columns.contains(index));
        let chosen: Vec<Column> = match columns {
            [] => vec![self.table.cheapest()],
            _ => chosen.map(|(_, column)| column.clone()).collect(),
        };
        let report = self.raises.then(|| Arc::new(Mutex::new(Report::new(0, self.encoding))));
        let listener = Recorder { report: report.clone(), skips_unreadable: self.inputs.skips_unreadable };
        let batches = self.table.begin(&Columns::new(chosen), &self.inputs, listener)?;
        Ok(Arc::new(Reading { batches: Mutex::new(Some(batches)), report }))
    }
}

/// Files that are being read.
struct Reading {
    /// None when all rows have been taken, or the query has failed.
    batches: Mutex<Option<RecordBatches>>,
    /// The report of the run, if an error in a game ends the query.
    report: Option<Arc<Mutex<Report>>>,
}

impl Scan for Reading {
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        let mut batches = lock(&self.batches);
        match batches.as_mut().and_then(Iterator::next) {
            Some(Ok(batch)) => Ok(Some(batch)),
            Some(Err(error)) => {
                *batches = None;
                Err(failed(&error))
            }
            None => {
                *batches = None;
                match self.report.as_ref().and_then(|report| lock(report).stopped_by().map(spelled)) {
                    Some(error) => Err(error),
                    None => Ok(None),
                }
            }
        }
    }

    fn threads(&self) -> usize {
        takers()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes the first error of a run, if it is wanted.
struct Recorder {
    report: Option<Arc<Mutex<Report>>>,
    skips_unreadable: bool,
}

impl Recorder {
    fn tell(&self, tell: impl FnOnce(&mut Report)) {
        if let Some(report) = &self.report {
            tell(&mut lock(report));
        }
    }
}

impl Listener for Recorder {
    fn begin_file(&mut self, path: &Path, source: &Source) {
        self.tell(|report| report.begin_file(shown(path), source));
    }

    fn unread(&mut self, _path: &Path, _error: &io::Error) -> bool {
        self.skips_unreadable
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.tell(|report| report.diagnostic(diagnostic, place));
    }

    fn end(&mut self, totals: &Totals) {
        self.tell(|report| report.end(totals, &Restrictions::default()));
    }
}
