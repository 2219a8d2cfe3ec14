//! The description of starting positions: files, and which of them are listed.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use pgn2fen_chess::fen::FenStyle;
use pgn2fen_files::PictureFiles;
use pgn2fen_games::selection::ShapeFilter;
use pgn2fen_rows::starts::{Kind, Sameness, Starts, StartsFormat};
use pgn2fen_rows::{ColumnPatterns, Columns, FileNames, Format, RowsError, Shape};
use pyo3::prelude::{Bound, FromPyObject, Py, PyAny, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyCapsule;

use crate::batches::Batches;
use crate::capsules::{empty_stream, names, schema_capsule};
use crate::errors::wrong;
use crate::formats::{Formats, Target, names_of_pictures};
use crate::options::{BoardArguments, ShapeArguments, arguments, boards, fen_style};
use crate::reading::Reading;
use crate::run::Run;
use crate::writing::{write, write_to};

/// Options for starting positions.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct StartsArguments {
    columns: Option<String>,
    kind: Vec<String>,
    all: bool,
    exact: bool,
    ep: String,
    castling: String,
    fields: i64,
}

/// The description of starting positions.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct StartsPlan {
    reading: Arc<Reading>,
    /// None for the usual columns.
    columns: Option<Columns>,
    kinds: Vec<Kind>,
    shape: ShapeFilter,
    sameness: Sameness,
    style: FenStyle,
}

#[pymethods]
impl StartsPlan {
    #[new]
    fn new(files: Vec<Bound<'_, PyAny>>, options: &Bound<'_, PyAny>) -> PyResult<Self> {
        let reading = Arc::new(Reading::new(&files, options)?);
        let StartsArguments { columns, kind, all, exact, ep, castling, fields } = arguments(options)?;
        let columns = columns.as_deref().map(|list| reading.columns(ColumnPatterns::of_starts(list))).transpose()?;
        let kinds = match &kind[..] {
            [] => Kind::VALID.to_vec(),
            names => {
                let kind = |name: &String| name.parse().map_err(|error| wrong(format!("kind: {name} is {error}")));
                names.iter().map(kind).collect::<PyResult<_>>()?
            }
        };
        if kinds.contains(&Kind::Invalid) && !reading.read.games.openings.is_empty() {
            return Err(wrong("a game with an invalid start has no opening; leave out opening or the kind invalid"));
        }
        let shape = self::arguments::<ShapeArguments>(options)?.filter()?;
        let depends = !reading.read.games.course.is_empty() || !shape.is_empty();
        if kinds.contains(&Kind::Invalid) && depends {
            return Err(wrong(
                "a game with an invalid start has no positions; leave out reached, length, material, pattern and \
                 pawns, or the kind invalid",
            ));
        }
        let sameness = match (all, exact) {
            (true, true) => {
                return Err(wrong("all lists every game, and exact compares their positions; leave one of them out"));
            }
            (true, false) => Sameness::None,
            (false, true) => Sameness::Exact,
            (false, false) => Sameness::Position,
        };
        let style = fen_style(&ep, &castling, fields)?;
        Ok(Self { reading, columns, kinds, shape, sameness, style })
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
        let starts = self.rows();
        let start = |inputs, recorder| starts.batches_with(inputs, recorder);
        Batches::begin(py, &self.reading, run, watch, has_pauses, start)
    }

    #[pyo3(signature = (path, format, header, boards, run, watch, invert=false))]
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
        invert: bool,
    ) -> PyResult<()> {
        let formats = Formats { names: StartsFormat::names().collect(), named, of_ending: StartsFormat::named };
        let (target, compression) = formats.target(&path, format)?;
        let files = self.reading.inputs.found();
        // Without a format, a file name such as `starts.txt` means a FEN on each line, as in the command.
        let format = match target.unwrap_or(Target::OneFile(StartsFormat::Starts(Format::default()))) {
            Target::OneFile(format) => format,
            Target::Pictures(format) => {
                if invert {
                    return Err(wrong(NEEDS_PGN));
                }
                if self.kinds.contains(&Kind::Invalid) {
                    return Err(wrong(HAS_NO_FEN));
                }
                let rows = (self.columns.is_some(), header);
                let names = names_of_pictures(format, (&path, compression), rows, FileNames::of_starts)?;
                let boards = self::boards(&boards, (format.name(), true), "", &files)?;
                let (starts, pictures) = (self.chosen(Starts::lines()).boards(boards), PictureFiles::new(&files));
                let begin = move || Ok::<_, RowsError>(starts.begin_pictures(format, names, pictures));
                return write_to(py, "the files", begin, &self.reading, run, watch);
            }
        };
        if invert && format != StartsFormat::Games {
            return Err(wrong(NEEDS_PGN));
        }
        if !format.has_invalid() && self.kinds.contains(&Kind::Invalid) {
            return Err(wrong(HAS_NO_FEN));
        }
        let drawn = match format {
            StartsFormat::Starts(format) => (format.name(), format.has_boards()),
            StartsFormat::Games => ("pgn", false),
        };
        let boards = self::boards(&boards, drawn, "Starting positions", &files)?;
        let starts = match format {
            StartsFormat::Games if self.columns.is_some() => {
                return Err(wrong("the format pgn copies games and has no columns to choose"));
            }
            StartsFormat::Games if !header => {
                return Err(wrong("the format pgn copies games and has no header row"));
            }
            StartsFormat::Games => Starts::copies().invert(invert),
            StartsFormat::Starts(format) => {
                // EPD has fields of its own, and a page of boards has its own captions.
                let has_usual = format.has_columns() && format != Format::Epd && !format.has_boards();
                let usual = || has_usual.then(Columns::starts);
                let shape = Shape { format, columns: self.columns.clone().or_else(usual), no_header: !header };
                shape.columns().map_err(wrong)?;
                Starts::shape(shape)
            }
        };
        let starts = self.chosen(starts).boards(boards);
        write(py, (&path, compression), move |output| starts.begin(output), &self.reading, run, watch)
    }
}

impl StartsPlan {
    fn chosen(&self, starts: Starts) -> Starts {
        starts
            .kinds(self.kinds.clone())
            .start_shape(self.shape.clone())
            .sameness(self.sameness)
            .style(self.style)
            .read_options(self.reading.read.clone())
            .threads(self.reading.threads)
    }

    fn rows(&self) -> Starts {
        self.chosen(Starts::columns(self.columns.clone().unwrap_or_else(Columns::starts)))
    }

    fn schema_ref(&self) -> SchemaRef {
        self.rows().schema()
    }
}

fn named(name: &str) -> Option<StartsFormat> {
    StartsFormat::names().find(|known| *known == name).and_then(StartsFormat::named)
}

/// Refuses to invert the choice of rows.
const NEEDS_PGN: &str = "invert=True copies the other games and needs a file that ends in .pgn";

/// Refuses the kind `invalid` for a format of positions.
const HAS_NO_FEN: &str =
    "a game with an invalid start has no FEN; write a format with columns, or .pgn to copy the game";
