//! Tables of what jobs find in games: the findings in tournaments, and the results of a player.

use pgn2fen_chess::piece::Color;
use pgn2fen_games::players::PlayerStats;
use pgn2fen_games::tournament::TournamentCheck;
use pgn2fen_rows::answers::{FINDING_COLUMNS, STATS_COLUMNS, each_finding, each_stats_row};
use pgn2fen_rows::data_type;
use pgn2fen_tables::ColumnType;
use pgn2fen_trees::player_filter;
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyfunction};

use crate::errors::wrong;
use crate::reading::Reading;
use crate::run::Run;
use crate::table::{Cell, TableBuilder, TableData, unstored};
use crate::writing::gather;

/// Compares the games of each tournament. Returns a row for each finding.
#[pyfunction]
pub(crate) fn find_in_tournaments(
    py: Python<'_>,
    files: Vec<Bound<'_, PyAny>>,
    variations: bool,
    options: &Bound<'_, PyAny>,
    run: &Bound<'_, Run>,
    watch: Py<PyAny>,
) -> PyResult<TableData> {
    let reading = Reading::new(&files, options)?;
    let read = reading.read.clone();
    let job = if variations { TournamentCheck::new(read) } else { TournamentCheck::of_main_lines(read) };
    let findings = gather(py, &reading, job, (run.get(), watch), |job, _| job.findings())?;
    let mut table = table(&FINDING_COLUMNS);
    let filled = py.detach(|| each_finding(&findings, |cells| table.push(cells.map(Cell::from))));
    filled.and_then(|()| table.end()).map_err(|error| unstored(&error))
}

/// Counts the results of a player. Returns a row for each group of games.
#[pyfunction]
pub(crate) fn count_results(
    py: Python<'_>,
    files: Vec<Bound<'_, PyAny>>,
    player: &str,
    options: &Bound<'_, PyAny>,
    run: &Bound<'_, Run>,
    watch: Py<PyAny>,
) -> PyResult<TableData> {
    let side =
        |color| player_filter(player, Some(color)).ok_or_else(|| wrong("player needs a name, without quotes in it"));
    let mut reading = Reading::new(&files, options)?;
    reading.report.restrictions.games.push("player");
    let job = PlayerStats::new([side(Color::White)?, side(Color::Black)?], reading.read.clone());
    let rows = gather(py, &reading, job, (run.get(), watch), |job, _| job.rows())?;
    let mut table = table(&STATS_COLUMNS);
    let filled = py.detach(|| each_stats_row(&rows, |cells| table.push(cells.map(Cell::from))));
    filled.and_then(|()| table.end()).map_err(|error| unstored(&error))
}

/// Begins a table.
fn table(columns: &[(&str, ColumnType)]) -> TableBuilder {
    TableBuilder::new(columns.iter().map(|(name, kind)| (*name, data_type(*kind))))
}
