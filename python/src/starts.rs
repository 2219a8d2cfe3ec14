//! The description of starting positions: files, and which of them are listed.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use pgn2fen_files::PictureFiles;
use pgn2fen_rows::options::StartsOptions;
use pgn2fen_rows::starts::{Starts, StartsFormat};
use pgn2fen_rows::{Columns, FileNames, Format, RowsError, Shape};
use pgn2fen_spec::Jobs;
use pyo3::prelude::{Bound, Py, PyAny, PyAnyMethods, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyCapsule;

use crate::batches::Batches;
use crate::capsules::{empty_stream, names, schema_capsule};
use crate::errors::wrong;
use crate::formats::{Formats, Target, names_of_pictures};
use crate::options::{boards, set_all};
use crate::reading::Reading;
use crate::run::Run;
use crate::writing::{write, write_to};

/// The description of starting positions.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct StartsPlan {
    reading: Arc<Reading>,
    options: StartsOptions,
    /// None for the usual columns.
    columns: Option<Columns>,
}

#[pymethods]
impl StartsPlan {
    #[new]
    fn new(files: Vec<Bound<'_, PyAny>>, options: &Bound<'_, PyAny>) -> PyResult<Self> {
        let reading = Arc::new(Reading::new(&files, options)?);
        let has_columns = !options.get_item("columns")?.is_none();
        let mut given = StartsOptions::new();
        set_all(&mut given, Jobs::STARTS, options)?;
        reading.name_tags(&mut given)?;
        let columns = has_columns.then(|| given.columns()).transpose().map_err(wrong)?;
        given.starts_with(Columns::starts()).map_err(wrong)?;
        Ok(Self { reading, options: given, columns })
    }

    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        Ok(names(&self.schema_ref()?))
    }

    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema_ref()?)
    }

    fn empty_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        empty_stream(py, self.schema_ref()?)
    }

    fn open(&self, py: Python<'_>, run: &Run, watch: Py<PyAny>, has_pauses: bool) -> PyResult<Batches> {
        let starts = self.rows()?;
        let start = |inputs, recorder| starts.batches_with(inputs, recorder);
        Batches::begin(py, &self.reading, run, watch, has_pauses, start)
    }

    #[pyo3(signature = (path, format, header, boards, invert, run, watch))]
    #[expect(clippy::too_many_arguments, reason = "they are the arguments of the method in Python")]
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        header: bool,
        boards: &Bound<'_, PyAny>,
        invert: bool,
        run: &Run,
        watch: Py<PyAny>,
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
                if self.options.has_invalid() {
                    return Err(wrong(HAS_NO_FEN));
                }
                let rows = (self.columns.is_some(), header);
                let names = names_of_pictures(format, (&path, compression), rows, FileNames::of_starts)?;
                let boards = self::boards(boards, (format.name(), true), "", &files)?;
                let (starts, pictures) = (self.chosen(Starts::lines())?.boards(boards), PictureFiles::new(&files));
                let begin = move || Ok::<_, RowsError>(starts.begin_pictures(format, names, pictures));
                return write_to(py, "the files", begin, &self.reading, run, watch);
            }
        };
        if invert && format != StartsFormat::Games {
            return Err(wrong(NEEDS_PGN));
        }
        if !format.has_invalid() && self.options.has_invalid() {
            return Err(wrong(HAS_NO_FEN));
        }
        let drawn = match format {
            StartsFormat::Starts(format) => (format.name(), format.has_boards()),
            StartsFormat::Games => ("pgn", false),
        };
        let boards = self::boards(boards, drawn, "Starting positions", &files)?;
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
        let starts = self.chosen(starts)?.boards(boards);
        write(py, (&path, compression), move |output| starts.begin(output), &self.reading, run, watch)
    }
}

impl StartsPlan {
    fn chosen(&self, starts: Starts) -> PyResult<Starts> {
        Ok(self.options.chosen_in(starts).map_err(wrong)?.threads(self.reading.threads))
    }

    fn rows(&self) -> PyResult<Starts> {
        self.chosen(Starts::columns(self.columns.clone().unwrap_or_else(Columns::starts)))
    }

    fn schema_ref(&self) -> PyResult<SchemaRef> {
        Ok(self.rows()?.schema())
    }
}

fn named(name: &str) -> Option<StartsFormat> {
    StartsFormat::names().find(|known| *known == name).and_then(StartsFormat::named)
}

/// Refuses to invert the choice of rows.
const NEEDS_PGN: &str = "`invert=true` copies the other games and needs a file that ends in .pgn";

/// Refuses the kind `invalid` for a format of positions.
const HAS_NO_FEN: &str =
    "a game with an invalid start has no FEN; write a format with columns, or .pgn to copy the game";
