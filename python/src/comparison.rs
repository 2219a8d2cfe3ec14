//! Games that are compared with a repertoire.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgn2fen_chess::piece::Color;
use pgn2fen_files::{EndingRules, Found, OutputFile, agreed, refuse_to_replace};
use pgn2fen_games::messages::shown;
use pgn2fen_games::selection::{Plies, TagFilter};
use pgn2fen_rows::{data_type, page};
use pgn2fen_trees::{
    CompareFormat, CompareGames, CompareStyle, CompareTable, CompareValue, Comparison, Leaving, Repertoire,
    RepertoireReader, compare_index, player_filter, why_games_are_left_out,
};
use pyo3::prelude::{Bound, FromPyObject, Py, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::PyBytes;

use crate::errors::{of_index_tree, unwritable, wrong};
use crate::index::OpenIndex;
use crate::options::{arguments, choose, index_filters};
use crate::reading::Reading;
use crate::run::Run;
use crate::table::{Cell, TableBuilder, TableData, unstored};
use crate::tree::turn_of;
use crate::writing::gather;

/// The greatest number of places in each part of a page.
const PAGE_PLACES: usize = 100;

/// A repertoire, and the files from which it was read.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct RepertoireData {
    repertoire: Arc<Repertoire>,
    inputs: Vec<PathBuf>,
}

/// Reads a repertoire from files.
#[pyfunction]
pub(crate) fn read_repertoire(
    py: Python<'_>,
    files: Vec<Bound<'_, PyAny>>,
    options: &Bound<'_, PyAny>,
    run: &Bound<'_, Run>,
    watch: Py<PyAny>,
) -> PyResult<RepertoireData> {
    let reading = Reading::new(&files, options)?;
    let inputs: Vec<PathBuf> = reading.inputs.found().into_iter().map(|(path, _)| path).collect();
    let job = RepertoireReader::new(reading.read.clone());
    let repertoire = gather(py, &reading, job, (run.get(), watch), RepertoireReader::finish)?;
    if repertoire.is_empty() {
        return Err(wrong("the repertoire has no moves"));
    }
    Ok(RepertoireData { repertoire: Arc::new(repertoire), inputs })
}

/// Options for a comparison.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct CompareArguments {
    side: Option<String>,
    player: Option<String>,
}

impl CompareArguments {
    /// Returns the side of a repertoire, and the filter for the games of the player.
    fn choice(&self, repertoire: &Repertoire) -> PyResult<(Color, Option<TagFilter>)> {
        let side = turn_of("side", self.side.as_deref())?.or_else(|| repertoire.side()).ok_or_else(|| {
            wrong("both sides have equally many choices in the repertoire; tell who has it with side='w' or side='b'")
        })?;
        let filter = |name: &String| {
            player_filter(name, Some(side)).ok_or_else(|| wrong("player needs a name, without quotes in it"))
        };
        Ok((side, self.player.as_ref().map(filter).transpose()?))
    }
}

impl RepertoireData {
    /// Returns the title of a report about the games of these files, and all files that no output replaces.
    fn named(&self, inputs: Vec<PathBuf>, paths: &[PathBuf]) -> (String, Vec<PathBuf>) {
        let name = self.inputs.first().and_then(|path| path.file_name()).map(|name| shown(Path::new(name)));
        let title = page::title("Games", paths.iter().map(PathBuf::as_path));
        let title = format!("{title} and {}", name.as_deref().unwrap_or("repertoire"));
        (title, inputs.into_iter().chain(self.inputs.iter().cloned()).collect())
    }
}

/// Compares the games of files with a repertoire.
#[pyfunction]
pub(crate) fn compare_games(
    py: Python<'_>,
    files: Vec<Bound<'_, PyAny>>,
    repertoire: &Bound<'_, RepertoireData>,
    options: &Bound<'_, PyAny>,
    run: &Bound<'_, Run>,
    watch: Py<PyAny>,
) -> PyResult<ComparisonData> {
    let data = repertoire.get();
    let (side, player) = arguments::<CompareArguments>(options)?.choice(&data.repertoire)?;
    let mut reading = Reading::new(&files, options)?;
    reading.read.games.tags.extend(player);
    let paths: Vec<PathBuf> = reading.inputs.found().into_iter().map(|(path, _)| path).collect();
    let job = CompareGames::new(Arc::clone(&data.repertoire), side, reading.read.clone());
    let comparison = gather(py, &reading, job, (run.get(), watch), |job, _| job.finish())?;
    let (title, inputs) = data.named(paths.clone(), &paths);
    Ok(ComparisonData { comparison, title, inputs })
}

/// Options for a comparison of an index.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct IndexArguments {
    tags: Vec<String>,
    names: Option<String>,
}

/// Compares the games of an index with a repertoire. Returns the comparison with messages about it.
#[pyfunction]
pub(crate) fn compare_games_of_index(
    py: Python<'_>,
    index: &Bound<'_, OpenIndex>,
    folder: PathBuf,
    repertoire: &Bound<'_, RepertoireData>,
    options: &Bound<'_, PyAny>,
) -> PyResult<(ComparisonData, Vec<String>)> {
    let data = repertoire.get();
    let (side, player) = arguments::<CompareArguments>(options)?.choice(&data.repertoire)?;
    let IndexArguments { tags, names } = arguments(options)?;
    let filters = index_filters(&tags, player, names.as_deref())?;
    let index = &index.get().0;
    let comparison = py.detach(|| {
        compare_index(index, filters, Arc::clone(&data.repertoire), side).map_err(|error| of_index_tree(&error))
    })?;
    let known = index.info().plies;
    let others = why_games_are_left_out(index).map_err(|error| of_index_tree(&error))?;
    let plies = (known != Plies::ALL)
        .then(|| format!("the index has only the plies {known} of each game, so games may end early"));
    let (title, inputs) = data.named(index.files().filter_map(|file| file.place()).collect(), &[folder]);
    Ok((ComparisonData { comparison, title, inputs }, plies.into_iter().chain(others).collect()))
}

/// A comparison, and what its outputs need besides it.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct ComparisonData {
    comparison: Comparison,
    title: String,
    /// The paths that no output replaces.
    inputs: Vec<PathBuf>,
}

fn rules(format: CompareFormat) -> EndingRules {
    let is_parquet = format == CompareFormat::Parquet;
    EndingRules { name: format.name(), is_binary: is_parquet, is_compressed: is_parquet, may_be_bin: false }
}

/// Returns the format with a name.
fn named(name: &str) -> PyResult<CompareFormat> {
    choose("format", name, &CompareFormat::ALL.map(|format| (format.name(), format)))
}

/// Returns the table with a name.
fn table(name: &str) -> PyResult<CompareTable> {
    let tables = [CompareTable::Games, CompareTable::Departures, CompareTable::Unmet];
    choose("table", name, &["games", "departures", "unmet"].into_iter().zip(tables).collect::<Vec<_>>())
}

impl ComparisonData {
    fn style(&self, format: CompareFormat, rows: Option<&str>, title: Option<String>) -> PyResult<CompareStyle> {
        if rows.is_some() && !matches!(format, CompareFormat::Rows(_) | CompareFormat::Parquet) {
            return Err(wrong(format!("table is for csv, tsv, jsonl and parquet, and {} is no table", format.name())));
        }
        let style = CompareStyle::default();
        Ok(CompareStyle {
            title: title.unwrap_or_else(|| self.title.clone()),
            table: rows.map(table).transpose()?.unwrap_or_default(),
            most: if format == CompareFormat::Html { PAGE_PLACES } else { style.most },
            ..style
        })
    }
}

#[pymethods]
impl ComparisonData {
    #[getter]
    fn side(&self) -> &'static str {
        self.comparison.side().pick("w", "b")
    }

    #[getter]
    fn counts(&self) -> Vec<(&'static str, usize)> {
        Leaving::ALL.map(|leaving| (leaving.name(), self.comparison.count(leaving))).to_vec()
    }

    /// The numbers of lines of the repertoire, and of those that a game met to their end.
    #[getter]
    fn lines(&self) -> (usize, usize) {
        (self.comparison.repertoire().lines(), self.comparison.lines_met())
    }

    /// Returns the rows of a table.
    fn rows(&self, py: Python<'_>, table: &str) -> PyResult<TableData> {
        let table = self::table(table)?;
        py.detach(|| {
            let columns = table.columns().iter().map(|(name, kind)| (*name, data_type(*kind)));
            let mut rows = TableBuilder::new(columns);
            let filled = self.comparison.each_row(table, |row| {
                let cell = |value| match value {
                    &CompareValue::Number(number) => Cell::count(number),
                    &CompareValue::Thousandths(number) => Cell::thousandths(number),
                    CompareValue::Text(text) => Cell::text(text),
                    CompareValue::Missing => Cell::Missing,
                };
                rows.push(row.iter().map(cell)).map_err(io::Error::other)
            });
            filled?;
            rows.end().map_err(|error| unstored(&error))
        })
    }

    /// Returns the comparison in a format.
    fn text<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        table: Option<&str>,
        title: Option<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format = named(format)?;
        let style = self.style(format, table, title)?;
        let mut text = Vec::new();
        py.detach(|| self.comparison.write(format, &style, &mut text))?;
        Ok(PyBytes::new(py, &text))
    }

    /// Writes a file.
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        table: Option<&str>,
        title: Option<String>,
    ) -> PyResult<()> {
        let chosen = format.map(named).transpose()?;
        let (format, compression) = agreed(&path, chosen, CompareFormat::of_ending, rules).map_err(wrong)?;
        let format = format.ok_or_else(|| {
            wrong(format!(
                "the ending of {} chooses no format; use .txt, .html, .csv, .tsv, .jsonl or .parquet, or give format",
                shown(&path)
            ))
        })?;
        let style = self.style(format, table, title)?;
        let inputs: Vec<Found> = self.inputs.iter().map(|path| (path.clone(), Ok(()))).collect();
        refuse_to_replace(&inputs, &path).map_err(|error| unwritable(&error))?;
        let output = OutputFile::create(&path, compression).map_err(|error| unwritable(&error))?;
        let name = output.name();
        py.detach(|| {
            let mut buffered = io::BufWriter::with_capacity(1 << 16, output);
            let written = self.comparison.write(format, &style, &mut buffered).and_then(|()| buffered.flush());
            written.map_err(|error| io::Error::new(error.kind(), format!("cannot write {name}: {error}")))?;
            buffered.into_parts().0.finish().map_err(|error| unwritable(&error))
        })
    }
}
