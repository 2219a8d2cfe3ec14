//! An index of positions: look-ups, and the text of the games that were found.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::{ArrowError, DataType};
use pgn2fen_chess::Position as Rules;
use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::openings::Tracker;
use pgn2fen_games::messages::shown;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_index::{
    FoundGame, GameHeading, Hit, Index, IndexError, MoveCount, Query, Results, TableAccess, written_date, written_move,
};
use pyo3::prelude::{Bound, PyAny, PyResult, Python, pyclass, pymethods};

use crate::book::{BookNumbers, write_book};
use crate::errors::{of_index, wrong};
use crate::game_texts::GameTexts;
use crate::question::{Asked, Line, Messages, Signals};
use crate::table::{Cell, TableBuilder, TableData, unstored};

/// The columns of results.
const RESULTS: [&str; 5] = ["games", "white", "draws", "black", "unknown"];

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
                fill(&mut query, line.as_ref(), text_cell(&fen), &mut table).map_err(|failure| match failure {
                    Failure::Index(error) => of_index(&error),
                    Failure::Rows(error) => unstored(&error),
                })?;
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

/// Returns the text of the column `fen`: four fields, with the en passant square if the capture is legal.
fn fen_of(position: &Rules) -> String {
    fen::to_string(position, FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() })
}

/// Returns the names and types of columns. With `fen`, the first column is the position of the row.
fn columns(fen: bool, parts: &[(&[&'static str], DataType)]) -> Vec<(&'static str, DataType)> {
    let named = |(names, data_type): &(&[&'static str], DataType)| {
        names.iter().map(|name| (*name, data_type.clone())).collect::<Vec<_>>()
    };
    let fen = fen.then_some(("fen", DataType::Utf8));
    fen.into_iter().chain(parts.iter().flat_map(named)).collect()
}

fn cells(results: &Results) -> [Cell<'static>; 5] {
    [results.games(), results.white, results.draws, results.black, results.unknown].map(Cell::count)
}

/// Returns White's mean score, rounded to thousandths as in the command: 1 for a win, 0.5 for a draw. Games with an
/// unknown result do not count.
fn score(results: &Results) -> Cell<'static> {
    let Results { white, draws, black, .. } = *results;
    match white + draws + black {
        0 => Cell::Missing,
        known => Cell::thousandths((2000 * white + 1000 * draws + known) / (2 * known)),
    }
}

/// Returns the names of a move that was played in the position of a line: as SAN, and in the notation of UCI engines.
fn names(next: Option<Uci>, line: &Line) -> [Option<String>; 2] {
    let uci = |next: Uci| next.find(&line.position).map_or_else(|| next.to_string(), |m| m.to_uci(line.castling));
    [next.map(|next| written_move(next, &line.position)), next.map(uci)]
}

/// The place of a hit, or of a game that was found without a position.
struct Place<'p> {
    game: u64,
    ply: u32,
    result: Outcome,
    /// The next move, as SAN and in the notation of UCI engines.
    next: [Option<String>; 2],
    heading: &'p GameHeading,
}

impl Place<'_> {
    fn of_hit<'p>(hit: &Hit, line: &Line, heading: &'p GameHeading) -> Place<'p> {
        Place { game: hit.game, ply: hit.ply, result: hit.result, next: names(hit.next, line), heading }
    }

    /// Adds the row of the place to a table.
    fn push(&self, fen: Option<Cell<'_>>, table: &mut TableBuilder) -> Result<(), ArrowError> {
        let Self { game, ply, result, next: [san, uci], heading } = self;
        let row = [
            Cell::Text(&heading.file),
            Cell::count(heading.line),
            Cell::count(*game),
            Cell::Number(i64::from(*ply)),
            Cell::text(&heading.white),
            Cell::text(&heading.black),
            Cell::Text(result.as_str()),
            Cell::text(&heading.date),
            text_cell(san),
            text_cell(uci),
            heading.link().map_or(Cell::Missing, Cell::Text),
        ];
        table.push(fen.into_iter().chain(row))
    }
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
        let (text, number) = (DataType::Utf8, DataType::Int64);
        let table = columns(
            false,
            &[
                (&["file"], text.clone()),
                (&["games", "first_game", "bytes"], number),
                (&["state", "lang", "setup", "encoding", "choice", "path"], text),
            ],
        );
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
        let (text, number) = (DataType::Utf8, DataType::Int64);
        let table = columns(
            asked.has_several,
            &[
                (&["san", "uci"], text.clone()),
                (&RESULTS, number.clone()),
                (&["avg_elo"], number),
                (&["first_date", "last_date", "eco", "opening"], text),
                (&["score"], DataType::Float64),
            ],
        );
        let most = usize::try_from(asked.max).unwrap_or(usize::MAX);
        let has_fen = asked.has_several;
        self.answer(py, asked, table, move |query, line, fen, table| {
            let Some(line @ Line { position, start, moves, .. }) = line else {
                return Ok(());
            };
            let tracker = Tracker::of_line(start, moves);
            for count in query.explore(position)?.moves().iter().take(most) {
                let MoveCount { next, results, .. } = count;
                let [san, uci] = names(*next, line);
                let [first, last] = [count.first_date(), count.last_date()].map(|date| date.map(written_date));
                let fen = has_fen.then_some(fen);
                let row = fen.into_iter().chain([text_cell(&san), text_cell(&uci)]).chain(cells(results));
                let elo = count.average_elo().map_or(Cell::Missing, Cell::count);
                let opening = tracker.after(position, next.and_then(|next| next.find(position))).opening();
                let [eco, name] = [opening.map(|opening| opening.eco), opening.map(|opening| opening.name)];
                let [eco, name] = [eco, name].map(|text| text.map_or(Cell::Missing, Cell::Text));
                let rest = [elo, text_cell(&first), text_cell(&last), eco, name, score(results)];
                table.push(row.chain(rest))?;
            }
            Ok(())
        })
    }

    fn count(&self, py: Python<'_>, question: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let asked = Asked::new(&self.0, question)?;
        let table = columns(true, &[(&RESULTS, DataType::Int64)]);
        self.answer(py, asked, table, |query, line, fen, table| {
            let results = match line {
                Some(line) => query.count(&line.position)?,
                None => query.all_games().try_fold(Results::default(), |mut results, found| {
                    results.add(found?.result);
                    Ok::<_, IndexError>(results)
                })?,
            };
            Ok(table.push([fen].into_iter().chain(cells(&results)))?)
        })
    }

    fn find(&self, py: Python<'_>, question: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let asked = Asked::new(&self.0, question)?;
        let table = columns(
            asked.has_several,
            &[
                (&["file"], DataType::Utf8),
                (&["line", "game"], DataType::Int64),
                (&["ply"], DataType::Int32),
                (&["White", "Black", "Result", "Date", "next_san", "next_uci", "link"], DataType::Utf8),
            ],
        );
        let (has_fen, order) = (asked.has_several, asked.order);
        self.answer(py, asked, table, move |query, line, fen, table| {
            let fen = has_fen.then_some(fen);
            match (line, order) {
                (Some(line @ Line { position, .. }), Some(order)) => {
                    for hit in query.sorted_hits(position, order)? {
                        Place::of_hit(&hit, line, &query.heading(hit.game)?).push(fen, table)?;
                    }
                }
                (Some(line @ Line { position, .. }), None) => {
                    let mut hits = query.hits(position)?;
                    while let Some(hit) = hits.next().transpose()? {
                        Place::of_hit(&hit, line, &hits.heading(hit.game)?).push(fen, table)?;
                    }
                }
                (None, _) => {
                    let mut games = query.all_games();
                    while let Some(FoundGame { game, ply, result, .. }) = games.next().transpose()? {
                        let heading = &games.heading(game)?;
                        Place { game, ply, result, next: [None, None], heading }.push(fen, table)?;
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

fn text_cell(text: &Option<String>) -> Cell<'_> {
    text.as_deref().map_or(Cell::Missing, Cell::Text)
}
