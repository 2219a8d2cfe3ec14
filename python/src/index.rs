//! An index of positions: look-ups, and the text of the games that were found.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::{ArrowError, DataType};
use pgn2fen_chess::openings::Tracker;
use pgn2fen_games::messages::shown;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_index::{
    FoundGame, GAME_COLUMNS, GameHeading, GameRow, Hit, Index, IndexError, MOVE_COLUMNS, MoveRow, Query,
    RESULT_COLUMNS, Results, TableAccess, fen_of, move_names, result_values,
};
use pgn2fen_rows::data_type;
use pgn2fen_tables::ColumnType;
use pyo3::prelude::{Bound, PyAny, PyResult, Python, pyclass, pymethods};

use crate::book::{BookNumbers, write_book};
use crate::errors::{of_index, wrong};
use crate::game_texts::GameTexts;
use crate::question::{Asked, Line, Messages, Signals};
use crate::table::{Cell, TableBuilder, TableData, unstored};

/// An open index.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct OpenIndex(pub(crate) Arc<Index>);

/// The reason why there is no answer.
enum Failure {
    Index(IndexError),
    Rows(ArrowError),
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        Self::Rows(error)
    }
}

/// A table, and the messages about it.
type Answer = (TableData, Vec<String>);

impl OpenIndex {
    /// Fills a table with the rows of each position, or of all games. The function adds them; its last argument but one
    /// is the value of the column `fen`.
    fn answer(
        &self,
        py: Python<'_>,
        asked: Asked,
        columns: Vec<(&'static str, DataType)>,
        fill: impl Fn(&mut Query<'_>, Option<&Line>, Cell<'_>, &mut TableBuilder) -> Result<(), Failure> + Send + Sync,
    ) -> PyResult<Answer> {
        py.detach(|| {
            let messages = RefCell::new(Messages::default());
            let signals = RefCell::new(Signals::new());
            let query = asked.query(&self.0, |trouble| messages.borrow_mut().push(trouble.to_string()))?;
            let mut query = query.stop_if(|| signals.borrow_mut().have_raised());
            let mut table = TableBuilder::new(columns);
            for line in &asked.subjects {
                if signals.borrow_mut().have_raised() {
                    break;
                }
                let fen = line.as_ref().map(|line| fen_of(&line.position));
                fill(&mut query, line.as_ref(), fen.as_deref().map_or(Cell::Missing, Cell::Text), &mut table).map_err(
                    |failure| match failure {
                        Failure::Index(error) => of_index(&error),
                        Failure::Rows(error) => unstored(&error),
                    },
                )?;
            }
            drop(query);
            if let Some(raised) = signals.into_inner().raised {
                return Err(raised);
            }
            let mut all = asked.messages;
            all.append(messages.into_inner());
            Ok((table.end().map_err(|error| unstored(&error))?, all.end()))
        })
    }
}

/// Returns the names and types of the columns of an answer. With `fen`, the first column is the position of the row.
fn answer_columns(fen: bool, columns: &[(&'static str, ColumnType)]) -> Vec<(&'static str, DataType)> {
    let named = |(name, kind): &(&'static str, ColumnType)| (*name, data_type(*kind));
    fen.then_some(("fen", DataType::Utf8)).into_iter().chain(columns.iter().map(named)).collect()
}

/// Returns the row of a hit.
fn game_row<'h>(hit: &Hit, line: &Line, heading: &'h GameHeading) -> GameRow<'h> {
    let next = hit.next.map(|next| move_names(next, &line.position, line.castling));
    GameRow { game: hit.game, ply: hit.ply, result: hit.result, next, heading }
}

#[pymethods]
impl OpenIndex {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        // Damage must not end the process of Python, and making a table of an answer takes much longer than reading it.
        let index = py.detach(|| Index::open_with(folder, TableAccess::Read)).map_err(|error| of_index(&error))?;
        Ok(Self(Arc::new(index)))
    }

    #[getter]
    fn games(&self) -> u64 {
        self.0.game_count()
    }

    #[getter]
    fn positions(&self) -> u64 {
        self.0.posting_count()
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.0.info().bytes
    }

    #[getter]
    fn tags(&self) -> Vec<String> {
        self.0.tags().iter().map(ToString::to_string).collect()
    }

    #[getter]
    fn plies(&self) -> String {
        self.0.info().plies.to_string()
    }

    #[getter]
    fn runs(&self) -> usize {
        self.0.info().runs
    }

    /// The files, with the columns of `pgn2fen index --info`.
    fn files(&self, py: Python<'_>) -> PyResult<TableData> {
        let names = ["file", "games", "first_game", "bytes", "state", "lang", "setup", "encoding", "choice", "path"];
        let is_number = |name: &str| ["games", "first_game", "bytes"].contains(&name);
        let data_type = |name| if is_number(name) { DataType::Int64 } else { DataType::Utf8 };
        let table = names.map(|name| (name, data_type(name))).to_vec();
        py.detach(|| {
            let mut table = TableBuilder::new(table);
            for file in self.0.files() {
                let (state, reading, games) = (file.state(), file.reading(), file.games());
                let (name, path) = (shown(&file.name_from_here()), state.place().or(file.path()).map(shown));
                table.push([
                    Cell::Text(&name),
                    Cell::count(games.end - games.start),
                    if games.is_empty() { Cell::Missing } else { Cell::count(games.start) },
                    file.bytes().map_or(Cell::Missing, Cell::count),
                    Cell::Text(state.name()),
                    Cell::Text(reading.replay.letters.code()),
                    Cell::Text(reading.replay.setup.name()),
                    Cell::Text(reading.encoding.map_or("auto", Label::name)),
                    Cell::text(file.choice()),
                    path.as_deref().map_or(Cell::Missing, Cell::Text),
                ])?;
            }
            table.end()
        })
        .map_err(|error| unstored(&error))
    }

    fn explore(&self, py: Python<'_>, question: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let asked = Asked::new(&self.0, question)?;
        if asked.subjects.iter().any(Option::is_none) {
            return Err(wrong("explore lists the moves that were played in a position; give a position"));
        }
        let table = answer_columns(asked.has_several, &MOVE_COLUMNS);
        let most = usize::try_from(asked.max).unwrap_or(usize::MAX);
        let has_fen = asked.has_several;
        self.answer(py, asked, table, move |query, line, fen, table| {
            let Some(Line { position, start, moves, castling }) = line else {
                return Ok(());
            };
            let tracker = Tracker::of_line(start, moves);
            for count in query.explore(position)?.moves().iter().take(most) {
                let row = MoveRow::new(count, position, *castling, &tracker);
                table.push(has_fen.then_some(fen).into_iter().chain(row.values().map(Cell::from)))?;
            }
            Ok(())
        })
    }

    fn count(&self, py: Python<'_>, question: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let asked = Asked::new(&self.0, question)?;
        let table = answer_columns(true, &RESULT_COLUMNS);
        self.answer(py, asked, table, |query, line, fen, table| {
            let results = match line {
                Some(line) => query.count(&line.position)?,
                None => query.all_games().try_fold(Results::default(), |mut results, found| {
                    results.add(found?.result);
                    Ok::<_, IndexError>(results)
                })?,
            };
            Ok(table.push([fen].into_iter().chain(result_values(&results).map(Cell::from)))?)
        })
    }

    fn find(&self, py: Python<'_>, question: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let asked = Asked::new(&self.0, question)?;
        let table = answer_columns(asked.has_several, &GAME_COLUMNS);
        let (has_fen, order) = (asked.has_several, asked.order);
        self.answer(py, asked, table, move |query, line, fen, table| {
            let fen = has_fen.then_some(fen);
            let mut push = |place: GameRow<'_>| table.push(fen.into_iter().chain(place.values().map(Cell::from)));
            match (line, order) {
                (Some(line), Some(order)) => {
                    for hit in query.sorted_hits(&line.position, order)? {
                        push(game_row(&hit, line, &query.heading(hit.game)?))?;
                    }
                }
                (Some(line), None) => {
                    let mut hits = query.hits(&line.position)?;
                    while let Some(hit) = hits.next().transpose()? {
                        push(game_row(&hit, line, &hits.heading(hit.game)?))?;
                    }
                }
                (None, _) => {
                    let mut games = query.all_games();
                    while let Some(FoundGame { game, ply, result, .. }) = games.next().transpose()? {
                        push(GameRow { game, ply, result, next: None, heading: &games.heading(game)? })?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Writes an opening book to a file.
    fn book(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<BookNumbers> {
        write_book(py, &self.0, path, format, options)
    }

    /// Begins to read the text of the games with these positions.
    fn texts(&self, question: &Bound<'_, PyAny>) -> PyResult<GameTexts> {
        GameTexts::new(Arc::clone(&self.0), Asked::new(&self.0, question)?)
    }
}
