//! The description of a job: files, and what is made of them.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use pgn2fen_chess::fen::FenStyle;
use pgn2fen_games::selection::{PositionFilter, Sample, Share, chosen, chosen_style};
use pgn2fen_games::walk::{ReadOptions, parse_size};
use pgn2fen_rows::files::PictureFiles;
use pgn2fen_rows::{ColumnPatterns, Columns, FileNames, Format, GameRows, Rows, RowsError, Shape, ShapeError};
use pyo3::prelude::{Bound, FromPyObject, Py, PyAny, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyCapsule;

use crate::batches::Batches;
use crate::capsules::{empty_stream, names, schema_capsule};
use crate::errors::wrong;
use crate::formats::{Formats, Target, names_of_pictures};
use crate::options::{
    BoardArguments, ShapeArguments, arguments, boards, castling_style, choose, ep_style, evals, fields, owned, parsed,
    turn,
};
use crate::reading::Reading;
use crate::run::Run;
use crate::writing::{write, write_to};

/// Options for rows of positions.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct RowArguments {
    columns: Option<String>,
    per: String,
    plies: String,
    skip_start: bool,
    every: u32,
    sample: Option<f64>,
    seed: u64,
    unique: bool,
    memory: Option<String>,
    variations: bool,
    turn: Option<String>,
    pieces: Option<String>,
    skip_checks: bool,
    skip_captures: bool,
    max_eval: Option<u32>,
    ep: String,
    castling: String,
    fields: i64,
    batch_rows: Option<usize>,
}

/// Rows of positions, or rows of whole games.
#[derive(Clone)]
enum Table {
    Positions(Box<Rows>),
    Games(Box<GameRows>),
}

/// The names of chosen options that some formats refuse.
struct Refusable {
    /// Those that change the style of FENs.
    style: Vec<&'static str>,
    /// Those that leave out positions between others of a game, or add positions.
    dividing: Vec<&'static str>,
}

/// The options for rows, with the names of those that leave out positions, and of those that some formats refuse.
fn table(
    arguments: RowArguments,
    shape: &ShapeArguments,
    columns: Option<Columns>,
    read: ReadOptions,
    threads: usize,
) -> PyResult<(Table, Vec<&'static str>, Refusable)> {
    let RowArguments { plies, every, sample, seed, turn, pieces, batch_rows, .. } = &arguments;
    let turn = self::turn(turn.as_deref())?;
    let share = |share| Share::new(share).ok_or_else(|| wrong("sample: a share is a number from 0 to 1, such as 0.01"));
    let sample = sample.map(share).transpose()?.map(|share| Sample { share, seed: *seed });
    let filter = PositionFilter {
        plies: parsed("plies", plies)?,
        every: NonZeroU32::new(*every).ok_or_else(|| wrong("every is 0, but must be 1 or more"))?,
        skip_start: arguments.skip_start,
        sample,
        turn,
        men: pieces.as_deref().map(|text| parsed("pieces", text)).transpose()?,
        skip_checks: arguments.skip_checks,
        skip_captures: arguments.skip_captures,
        max_eval: arguments.max_eval,
        shape: shape.filter()?,
    };
    let restricting = [filter.chosen(), filter.shape.chosen()].concat();
    let kept = chosen(&[("unique", arguments.unique), ("variations", arguments.variations)]);
    let dividing = [filter.dividing(), filter.shape.chosen(), kept].concat();
    let style = FenStyle {
        ep: ep_style(&arguments.ep)?,
        castling: castling_style(&arguments.castling)?,
        fields: fields(arguments.fields)?,
    };
    let refusable = Refusable { style: chosen_style(style), dividing };
    let memory = arguments.memory.as_deref().map(parse_size).transpose();
    let memory = memory.map_err(|error| wrong(format!("memory: {error}")))?;
    if *batch_rows == Some(0) {
        return Err(wrong("batch_rows is 0, but must be 1 or more"));
    }
    if is_per_game(&arguments.per)? {
        let kept = [("unique", arguments.unique), ("memory", memory.is_some()), ("variations", arguments.variations)];
        let unwanted = [restricting.clone(), chosen(&kept)].concat();
        if !unwanted.is_empty() {
            let names = unwanted.join(", ");
            return Err(wrong(format!(
                "per='game' gives whole games and has no options for positions; leave out {names}"
            )));
        }
        let mut games = GameRows::new().with_columns(columns).style(style).read_options(read).threads(threads);
        if let Some(count) = batch_rows {
            games = games.group(*count);
        }
        return Ok((Table::Games(Box::new(games)), restricting, refusable));
    }
    let mut rows = Rows::new()
        .shape(Shape { format: Format::Tsv, columns: columns.or_else(|| Some(Columns::default())), no_header: false })
        .positions(filter)
        .unique(arguments.unique)
        .variations(arguments.variations)
        .style(style)
        .read_options(read)
        .threads(threads);
    if let Some(memory) = memory {
        if !arguments.unique {
            return Err(wrong("memory limits unique, which is not chosen; add unique=True"));
        }
        rows = rows.unique_within(memory);
    }
    if let Some(count) = batch_rows {
        rows = rows.group(*count);
    }
    Ok((Table::Positions(Box::new(rows)), restricting, refusable))
}

fn is_per_game(word: &str) -> PyResult<bool> {
    choose("per", word, &[("position", false), ("game", true)])
}

/// The description of rows of positions, or of whole games.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct Plan {
    reading: Arc<Reading>,
    table: Table,
    /// None for the usual columns of each format.
    columns: Option<Columns>,
    refusable: Refusable,
}

#[pymethods]
impl Plan {
    #[new]
    fn new(files: Vec<Bound<'_, PyAny>>, options: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut reading = Reading::new(&files, options)?;
        reading.read.replay.evals = evals(options)?;
        let arguments: RowArguments = arguments(options)?;
        let patterns = if is_per_game(&arguments.per)? { ColumnPatterns::of_games } else { str::parse };
        let columns = arguments.columns.as_deref().map(|list| reading.columns(patterns(list))).transpose()?;
        let shape = self::arguments(options)?;
        let (table, restricting, refusable) =
            table(arguments, &shape, columns.clone(), reading.read.clone(), reading.threads)?;
        reading.report.restrictions.positions = owned(&restricting);
        Ok(Self { reading: Arc::new(reading), table, columns, refusable })
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        names(&self.schema_ref())
    }

    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema_ref())
    }

    fn empty_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        empty_stream(py, self.schema_ref())
    }

    fn open(&self, py: Python<'_>, run: &Run, watch: Py<PyAny>, has_pauses: bool) -> PyResult<Batches> {
        let start = |inputs, recorder| match &self.table {
            Table::Positions(rows) => rows.batches_with(inputs, recorder),
            Table::Games(games) => games.batches_with(inputs, recorder),
        };
        Batches::begin(py, &self.reading, run, watch, has_pauses, start)
    }

    #[pyo3(signature = (path, format, header, boards, run, watch))]
    #[expect(clippy::too_many_arguments, reason = "they are the arguments of the method in Python")]
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        header: bool,
        boards: BoardArguments,
        run: &Run,
        watch: Py<PyAny>,
    ) -> PyResult<()> {
        let of_name = |name: &str| Format::ALL.iter().copied().find(|format| format.name() == name);
        let names = Format::ALL.iter().map(|format| format.name()).collect();
        let formats = Formats { names, named: of_name, of_ending: Format::of_ending };
        let (target, compression) = formats.target(&path, format)?;
        let files = self.reading.inputs.found();
        // Without a format, a file name such as `rows.txt` means a FEN on each line, as in the command.
        let format = match target.unwrap_or(Target::OneFile(Format::default())) {
            Target::OneFile(format) => format,
            Target::Pictures(format) => {
                let Table::Positions(rows) = &self.table else {
                    return Err(wrong(format!("per='game' writes no pictures such as {}", format.name())));
                };
                let rows_asked = (self.columns.is_some(), header);
                let names = names_of_pictures(format, (&path, compression), rows_asked, FileNames::of_positions)?;
                let boards = self::boards(&boards, (format.name(), true), "", &files)?;
                let (rows, pictures) = ((**rows).clone().boards(boards), PictureFiles::new(&files));
                let begin = move || Ok::<_, RowsError>(rows.begin_pictures(format, names, pictures));
                return write_to(py, "the files", begin, &self.reading, run, watch);
            }
        };
        let shape = Shape { format, columns: self.columns.clone(), no_header: !header };
        shape.columns().map_err(wrong)?;
        self.refuse_for(format)?;
        let boards = self::boards(&boards, (format.name(), format.has_boards()), "Positions", &files)?;
        match self.table.clone() {
            Table::Positions(rows) => {
                let rows = (*rows).shape(shape).boards(boards);
                write(py, (&path, compression), move |output| rows.begin(output), &self.reading, run, watch)
            }
            Table::Games(games) => {
                if !format.has_lists() {
                    return Err(wrong(format!("per='game': {}", ShapeError::NoLists(format))));
                }
                let games = (*games).format(format);
                write(py, (&path, compression), move |output| games.begin(output), &self.reading, run, watch)
            }
        }
    }
}

impl Plan {
    /// Refuses the options that have no meaning for a format.
    fn refuse_for(&self, format: Format) -> PyResult<()> {
        let name = format.name();
        let Refusable { style, dividing } = &self.refusable;
        if !format.has_fens() && !style.is_empty() {
            let style = style.join(", ");
            return Err(wrong(format!(
                "the format {name} has no FENs, whose style could be chosen; leave out {style}"
            )));
        }
        if format.stores_games() && !dividing.is_empty() {
            let dividing = dividing.join(", ");
            return Err(wrong(format!(
                "the format {name} stores games, which would be divided by {dividing}; leave the choice of positions \
                 to the loader of the trainer, which has a filter, or write bulletformat, which stores positions"
            )));
        }
        Ok(())
    }

    fn schema_ref(&self) -> SchemaRef {
        match &self.table {
            Table::Positions(rows) => rows.schema(),
            Table::Games(games) => games.schema(),
        }
    }
}
