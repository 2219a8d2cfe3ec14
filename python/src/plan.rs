//! The description of a job: files, and what is made of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::SchemaRef;
use pgn2fen_files::{GameFiles, PictureFiles, folder_of};
use pgn2fen_rows::games::GameFileNames;
use pgn2fen_rows::options::JobOptions;
use pgn2fen_rows::{Columns, FileNames, Format, GameRows, Rows, RowsError, Shape};
use pgn2fen_spec::Jobs;
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyCapsule;

use crate::batches::Batches;
use crate::capsules::{empty_stream, names, schema_capsule};
use crate::errors::wrong;
use crate::formats::{Formats, Target, names_of_pictures};
use crate::options::{boards, set_all};
use crate::reading::Reading;
use crate::run::Run;
use crate::writing::{write, write_to};

/// Rows of positions, or rows of whole games.
#[derive(Clone)]
enum Table {
    Positions(Box<Rows>),
    Games(Box<GameRows>),
}

/// The description of rows of positions, or of whole games.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct Plan {
    reading: Arc<Reading>,
    job: JobOptions,
    table: Table,
    /// None for the usual columns of each format.
    columns: Option<Columns>,
}

#[pymethods]
impl Plan {
    #[new]
    fn new(files: Vec<Bound<'_, PyAny>>, options: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut job = JobOptions::new();
        set_all(&mut job, Jobs::ROWS, options)?;
        let mut reading = Reading::of(&files, options, &job)?;
        reading.name_tags(&mut job)?;
        let columns = job.columns().map_err(wrong)?;
        let table = if job.is_per_game() {
            Table::Games(Box::new(job.game_rows().map_err(wrong)?.threads(reading.threads)))
        } else {
            Table::Positions(Box::new(job.rows().map_err(wrong)?.threads(reading.threads)))
        };
        reading.report.restrictions = job.restrictions().map_err(wrong)?;
        Ok(Self { reading: Arc::new(reading), job, table, columns })
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

    #[pyo3(signature = (path, format, header, boards, records, run, watch))]
    #[expect(clippy::too_many_arguments, reason = "they are the arguments of the method in Python")]
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        header: bool,
        boards: &Bound<'_, PyAny>,
        records: &Bound<'_, PyAny>,
        run: &Run,
        watch: Py<PyAny>,
    ) -> PyResult<()> {
        let of_name = |name: &str| Format::ALL.iter().copied().find(|format| format.name() == name);
        let names = Format::ALL.iter().map(|format| format.name()).collect();
        let formats = Formats { names, named: of_name, of_ending: Format::of_ending };
        let (target, compression) = formats.target(&path, format)?;
        let files = self.reading.inputs.found();
        let mut job = self.job.clone().with(Jobs::RECORDS);
        set_all(&mut job, Jobs::RECORDS, records)?;
        // Without a format, a file name such as `rows.txt` means a FEN on each line, as in the command.
        let format = match target.unwrap_or(Target::OneFile(Format::default())) {
            Target::OneFile(format) => format,
            Target::Pictures(format) => {
                let Table::Positions(rows) = &self.table else {
                    return Err(wrong(format!("`per=game` writes no pictures such as {}", format.name())));
                };
                job.refuse_records("pictures, each of which is a file").map_err(wrong)?;
                let rows_asked = (self.columns.is_some(), header);
                let names = names_of_pictures(format, (&path, compression), rows_asked, FileNames::of_positions)?;
                let boards = self::boards(boards, (format.name(), true), "", &files)?;
                let (rows, pictures) = ((**rows).clone().boards(boards), PictureFiles::new(&files));
                let begin = move || Ok::<_, RowsError>(rows.begin_pictures(format, names, pictures));
                return write_to(py, "the files", begin, &self.reading, run, watch);
            }
        };
        let shape = Shape { format, columns: self.columns.clone(), no_header: !header };
        shape.columns().map_err(wrong)?;
        self.job.refuse_for(format).map_err(wrong)?;
        let boards = self::boards(boards, (format.name(), format.has_boards()), format.title_word(), &files)?;
        match self.table.clone() {
            Table::Positions(rows) => {
                let folder = folder_of(&path).map(Path::to_owned);
                let rows = job.ordered((*rows).shape(shape).boards(boards), format, folder).map_err(wrong)?;
                if let Some(shares) = job.shares().map_err(wrong)? {
                    let names = path.to_str().ok_or_else(|| wrong("split needs a file name with {part}, in UTF-8"))?;
                    let names: GameFileNames = names.parse().map_err(wrong)?;
                    let parts = GameFiles::new(&files, compression);
                    let begin = move || rows.begin_parts(&shares, &names, parts);
                    return write_to(py, "the files", begin, &self.reading, run, watch);
                }
                write(py, (&path, compression), move |output| rows.begin(output), &self.reading, run, watch)
            }
            Table::Games(games) => {
                job.refuse_records("whole games").map_err(wrong)?;
                let games = (*games).format(format);
                write(py, (&path, compression), move |output| games.begin(output), &self.reading, run, watch)
            }
        }
    }
}

impl Plan {
    fn schema_ref(&self) -> SchemaRef {
        match &self.table {
            Table::Positions(rows) => rows.schema(),
            Table::Games(games) => games.schema(),
        }
    }
}
