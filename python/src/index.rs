//! An index of positions: look-ups, and the text of the games that were found.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use arrow_schema::{ArrowError, DataType};
use pgn2fen::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen::index::{
    GameHeading, Index, IndexError, MoveCount, Query, Results, Trouble, check_tags, written_date, written_move,
};
use pgn2fen::messages::{plain, shown};
use pgn2fen::openings::Tracker;
use pgn2fen::pgn::encoding::{Fallback, Label};
use pgn2fen::selection::TagFilter;
use pgn2fen::typed::read_position;
use pgn2fen::{Move, Position as Rules};
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::{
    Bound, FromPyObject, PyAny, PyAnyMethods, PyRef, PyResult, PyTypeMethods, Python, pyclass, pymethods,
};

use crate::errors::{of_index, wrong};
use crate::options::{arguments, letters, parsed};
use crate::position::Position;
use crate::table::{Cell, TableBuilder, TableData, unstored};
use crate::watch::PATIENCE;

/// The number of games that are read ahead.
const AHEAD: usize = 64;

/// The most messages of an answer that are kept one by one.
const MOST_MESSAGES: usize = 1000;

/// The columns of results.
const RESULTS: [&str; 5] = ["games", "white", "draws", "black", "unknown"];

/// An open index.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct OpenIndex(Arc<Index>);

/// A question: positions, and which games and how many rows of an answer are wanted.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Question<'py> {
    positions: Vec<Bound<'py, PyAny>>,
    has_several: bool,
    lang: String,
    tags: Vec<String>,
    verify: bool,
    max: Option<u64>,
}

/// A question whose arguments have been read.
struct Asked {
    positions: Vec<Line>,
    has_several: bool,
    tags: Vec<TagFilter>,
    verify: bool,
    max: u64,
    /// Messages about the question: repairs of positions.
    messages: Messages,
}

/// A position, and the moves that led to it as far as they are known.
struct Line {
    position: Rules,
    start: Rules,
    moves: Vec<Move>,
}

/// Messages about an answer.
#[derive(Default)]
struct Messages {
    list: Vec<String>,
    /// The number of messages that are not in the list.
    hidden: u64,
}

impl Messages {
    fn push(&mut self, message: String) {
        if self.list.len() < MOST_MESSAGES {
            self.list.push(message);
        } else {
            self.hidden += 1;
        }
    }

    fn end(mut self) -> Vec<String> {
        if self.hidden > 0 {
            self.list.push(format!("… and {} more", self.hidden));
        }
        self.list
    }
}

impl Asked {
    fn new(question: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Question { positions: given, has_several, lang, tags, verify, max } = arguments(question)?;
        let letters = letters(&lang)?;
        let tags = tags.iter().map(|filter| parsed("tags", filter)).collect::<PyResult<Vec<TagFilter>>>()?;
        check_tags(&tags).map_err(wrong)?;
        let mut messages = Messages::default();
        let mut positions = Vec::new();
        for (at, given) in given.iter().enumerate() {
            if let Ok(position) = given.cast::<Position>() {
                let position = position.get().0.clone();
                positions.push(Line { start: position.clone(), position, moves: Vec::new() });
                continue;
            }
            let place = if has_several { format!("position {at}: ") } else { String::new() };
            let text: String = given.extract().map_err(|_| {
                let found = given.get_type().name().map_or_else(|_| String::new(), |name| format!(", not {name}"));
                PyTypeError::new_err(format!("{place}a position must be a str or a pgn2fen.Position{found}"))
            })?;
            let typed = read_position(&text, &letters).map_err(|mistake| wrong(format!("{place}{mistake}")))?;
            if let Some(repair) = typed.repair {
                messages.push(format!("{place}{}: {repair}", plain(&text)));
            }
            positions.push(Line { position: typed.position, start: typed.start, moves: typed.moves });
        }
        Ok(Self { positions, has_several, tags, verify, max: max.unwrap_or(u64::MAX), messages })
    }

    fn query<'i>(&self, index: &'i Index, report: impl FnMut(&Trouble) + 'i) -> PyResult<Query<'i>> {
        Ok(index.query(report).tags(self.tags.clone()).map_err(wrong)?.verify(self.verify).max(self.max))
    }
}

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

/// Looks at the signals of the process from time to time, while the thread works without the global interpreter lock.
struct Signals {
    next: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    fn new() -> Self {
        Self { next: Instant::now() + PATIENCE, raised: None }
    }

    /// Whether a signal handler has raised an exception.
    fn have_raised(&mut self) -> bool {
        if self.raised.is_none() && Instant::now() >= self.next {
            self.raised = Python::try_attach(|py| py.check_signals().err()).flatten();
            self.next = Instant::now() + PATIENCE;
        }
        self.raised.is_some()
    }
}

/// A table, and the messages about it.
type Answer = (TableData, Vec<String>);

impl OpenIndex {
    /// Fills a table with the rows of each position. The function adds them; its last argument is the value of the column `fen`.
    fn answer(
        &self,
        py: Python<'_>,
        asked: Asked,
        columns: Vec<(&'static str, DataType)>,
        fill: impl Fn(&mut Query<'_>, &Line, &str, &mut TableBuilder) -> Result<(), Failure> + Send + Sync,
    ) -> PyResult<Answer> {
        py.detach(|| {
            let messages = RefCell::new(Messages::default());
            let signals = RefCell::new(Signals::new());
            let query = asked.query(&self.0, |trouble| messages.borrow_mut().push(trouble.to_string()))?;
            let mut query = query.stop_if(|| signals.borrow_mut().have_raised());
            let mut table = TableBuilder::new(columns);
            for line in &asked.positions {
                if signals.borrow_mut().have_raised() {
                    break;
                }
                fill(&mut query, line, &fen_of(&line.position), &mut table).map_err(|failure| match failure {
                    Failure::Index(error) => of_index(&error),
                    Failure::Rows(error) => unstored(&error),
                })?;
            }
            drop(query);
            if let Some(raised) = signals.into_inner().raised {
                return Err(raised);
            }
            let mut all = asked.messages;
            let told = messages.into_inner();
            told.list.into_iter().for_each(|message| all.push(message));
            all.hidden += told.hidden;
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

#[pymethods]
impl OpenIndex {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let index = py.detach(|| Index::open(folder)).map_err(|error| of_index(&error))?;
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
        let asked = Asked::new(question)?;
        let (text, number) = (DataType::Utf8, DataType::Int64);
        let table = columns(
            asked.has_several,
            &[
                (&["san", "uci"], text.clone()),
                (&RESULTS, number.clone()),
                (&["avg_elo"], number),
                (&["first_date", "last_date", "eco", "opening"], text),
            ],
        );
        let most = usize::try_from(asked.max).unwrap_or(usize::MAX);
        let has_fen = asked.has_several;
        self.answer(py, asked, table, move |query, line, fen, table| {
            let position = &line.position;
            let tracker = Tracker::of_line(&line.start, &line.moves);
            for count in query.explore(position)?.moves().iter().take(most) {
                let MoveCount { next, results, .. } = count;
                let [san, uci] = [next.map(|next| written_move(next, position)), next.map(|next| next.to_string())];
                let [first, last] = [count.first_date(), count.last_date()].map(|date| date.map(written_date));
                let fen = has_fen.then_some(Cell::Text(fen));
                let row = fen.into_iter().chain([text_cell(&san), text_cell(&uci)]).chain(cells(results));
                let elo = count.average_elo().map_or(Cell::Missing, Cell::count);
                let opening = tracker.after(position, next.and_then(|next| next.find(position))).opening();
                let [eco, name] = [opening.map(|opening| opening.eco), opening.map(|opening| opening.name)];
                let [eco, name] = [eco, name].map(|text| text.map_or(Cell::Missing, Cell::Text));
                table.push(row.chain([elo, text_cell(&first), text_cell(&last), eco, name]))?;
            }
            Ok(())
        })
    }

    fn count(&self, py: Python<'_>, question: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let asked = Asked::new(question)?;
        let table = columns(true, &[(&RESULTS, DataType::Int64)]);
        self.answer(py, asked, table, |query, line, fen, table| {
            let results = query.count(&line.position)?;
            Ok(table.push([Cell::Text(fen)].into_iter().chain(cells(&results)))?)
        })
    }

    fn find(&self, py: Python<'_>, question: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let asked = Asked::new(question)?;
        let table = columns(
            asked.has_several,
            &[
                (&["file"], DataType::Utf8),
                (&["line", "game"], DataType::Int64),
                (&["ply"], DataType::Int32),
                (&["White", "Black", "Result", "Date", "next_san", "next_uci"], DataType::Utf8),
            ],
        );
        let has_fen = asked.has_several;
        self.answer(py, asked, table, move |query, line, fen, table| {
            let position = &line.position;
            let mut hits = query.hits(position)?;
            while let Some(hit) = hits.next().transpose()? {
                let GameHeading { file, line, white, black, date, .. } = hits.heading(hit.game)?;
                let [san, uci] =
                    [hit.next.map(|next| written_move(next, position)), hit.next.map(|next| next.to_string())];
                let row = [
                    Cell::Text(&file),
                    Cell::count(line),
                    Cell::count(hit.game),
                    Cell::Number(i64::from(hit.ply)),
                    Cell::text(&white),
                    Cell::text(&black),
                    Cell::Text(hit.result.as_str()),
                    Cell::text(&date),
                    text_cell(&san),
                    text_cell(&uci),
                ];
                table.push(has_fen.then_some(Cell::Text(fen)).into_iter().chain(row))?;
            }
            Ok(())
        })
    }

    /// Begins to read the text of the games with these positions.
    fn texts(&self, question: &Bound<'_, PyAny>) -> PyResult<GameTexts> {
        GameTexts::new(Arc::clone(&self.0), Asked::new(question)?)
    }
}

fn text_cell(text: &Option<String>) -> Cell<'_> {
    text.as_deref().map_or(Cell::Missing, Cell::Text)
}

/// An item that the thread that reads games sends.
enum Item {
    Game(String),
    Message(String),
    Failed(IndexError),
    End,
}

/// An iterator over the text of games, which another thread reads ahead. It gives pairs of a text, or None, and a message, or None.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct GameTexts {
    items: Mutex<Option<Receiver<Item>>>,
    is_dropped: Arc<AtomicBool>,
}

impl GameTexts {
    fn new(index: Arc<Index>, mut asked: Asked) -> PyResult<Self> {
        let (sender, items) = sync_channel(AHEAD);
        let is_dropped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_dropped);
        thread::Builder::new().spawn(move || {
            let messages = std::mem::take(&mut asked.messages).end();
            let sent = messages.into_iter().try_for_each(|message| sender.send(Item::Message(message)));
            if sent.is_ok() {
                let last = send_games(&index, &asked, &sender, &stop).map_or_else(Item::Failed, |()| Item::End);
                // Without a receiver, nobody waits for the end.
                let _ = sender.send(last);
            }
        })?;
        Ok(Self { items: Mutex::new(Some(items)), is_dropped })
    }

    /// Waits a while for the next item.
    fn wait(&self) -> Result<Item, RecvTimeoutError> {
        let items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.as_ref().map_or(Ok(Item::End), |items| items.recv_timeout(PATIENCE))
    }

    fn end(&self) {
        self.is_dropped.store(true, Ordering::Relaxed);
        *self.items.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Sends each game once, in the order of the index, until nobody receives any.
fn send_games(index: &Index, asked: &Asked, sender: &SyncSender<Item>, stop: &AtomicBool) -> Result<(), IndexError> {
    let report = |trouble: &Trouble| {
        // Without a receiver, the next game ends the loop.
        let _ = sender.send(Item::Message(trouble.to_string()));
    };
    let Ok(query) = asked.query(index, report) else {
        return Ok(());
    };
    let mut query = query.stop_if(|| stop.load(Ordering::Relaxed));
    let send = |game: u64, text: Option<Vec<u8>>| {
        let encoding = index.file_of(game).and_then(|(_, file)| file.reading().encoding);
        let decode = |text: Vec<u8>| match String::from_utf8(text) {
            Ok(text) => text,
            Err(error) => Fallback::new(encoding).decode(error.as_bytes()).into_owned(),
        };
        text.is_none_or(|text| sender.send(Item::Game(decode(text))).is_ok())
    };
    if let [Line { position, .. }] = &asked.positions[..] {
        let mut games = query.games(position)?;
        while let Some(game) = games.next().transpose()? {
            let text = games.text(game)?;
            if !send(game, text) {
                break;
            }
        }
        return Ok(());
    }
    let mut found = BTreeSet::new();
    for Line { position, .. } in &asked.positions {
        for game in query.games(position)? {
            found.insert(game?);
        }
    }
    for game in found {
        let text = query.text(game)?;
        if stop.load(Ordering::Relaxed) || !send(game, text) {
            break;
        }
    }
    Ok(())
}

#[pymethods]
impl GameTexts {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(Option<String>, Option<String>)>> {
        loop {
            match py.detach(|| self.wait()) {
                Ok(Item::Game(text)) => return Ok(Some((Some(text), None))),
                Ok(Item::Message(message)) => return Ok(Some((None, Some(message)))),
                Ok(Item::Failed(error)) => {
                    self.end();
                    return Err(of_index(&error));
                }
                Ok(Item::End) => {
                    self.end();
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => {
                    self.end();
                    return Err(PyRuntimeError::new_err("internal error: the reader of games has panicked"));
                }
            }
        }
    }

    /// Stops the thread.
    fn close(&self) {
        self.end();
    }
}

impl Drop for GameTexts {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Relaxed);
    }
}
