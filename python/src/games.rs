//! Games, one after another.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::Poll;
use std::time::Duration;

use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::messages::{self, FileMessages, shown, with_causes};
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::{self, ReplayOptions, players};
use pgn2fen_games::stream::{GameReader, GameStream, OwnedGame, StreamError};
use pgn2fen_rows::options::JobOptions;
use pgn2fen_spec::Jobs;
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::{Bound, Py, PyAny, PyAnyMethods, PyDictMethods, PyRef, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyDict;

use crate::copies::write_games;
use crate::errors::{game_error, unread, wrong};
use crate::line::Line;
use crate::message::Message;
use crate::options::set_all;
use crate::process::Own;
use crate::reading::Reading;
use crate::run::Run;
use crate::watch::{PATIENCE, Watch};

/// The number of games after which a thread looks for signals, even if it never waits.
const GAMES: u32 = 256;

/// The description of a stream of games.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct GamesPlan(Arc<Reading>);

#[pymethods]
impl GamesPlan {
    #[new]
    fn new(files: Vec<Bound<'_, PyAny>>, options: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut job = JobOptions::new();
        set_all(&mut job, Jobs::GAMES, options)?;
        let mut reading = Reading::of(&files, options, &job)?;
        reading.read = job.game_options().map_err(wrong)?;
        reading.report.restrictions.games = reading.read.games.chosen();
        Ok(Self(Arc::new(reading)))
    }

    fn open(&self, py: Python<'_>, run: &Run, watch: Py<PyAny>) -> PyResult<GameIterator> {
        let reading = Arc::clone(&self.0);
        let inputs = reading.inputs.inputs(run)?;
        let recorder = reading.recorder(run);
        let reader = GameReader::new().read_options(reading.read.clone()).threads(reading.threads);
        let games = py.detach(|| reader.stream_with(inputs, recorder)).map_err(|error| not_started(&error))?;
        let (games, run, watch) = (Own::new(games), run.clone(), Watch::new(watch, run, &reading));
        Ok(GameIterator(Mutex::new(Some(State { games, reading, run, watch, unseen: 0 }))))
    }

    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        options: &Bound<'_, PyAny>,
        run: &Run,
        watch: Py<PyAny>,
    ) -> PyResult<()> {
        write_games(py, &path, options, &self.0, run, watch)
    }
}

fn not_started(error: &StreamError) -> pyo3::PyErr {
    PyRuntimeError::new_err(with_causes(error))
}

/// An iterator over games.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct GameIterator(Mutex<Option<State>>);

struct State {
    games: Own<GameStream>,
    reading: Arc<Reading>,
    run: Run,
    watch: Watch,
    /// The number of games since a look for signals.
    unseen: u32,
}

impl State {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Game>> {
        let games = self.games.for_python()?;
        // A game that waits already is taken without giving up the global interpreter lock, which takes longer than the
        // game.
        let mut next = games.next_within(Duration::ZERO);
        loop {
            self.unseen += 1;
            if next.is_pending() || self.unseen >= GAMES {
                self.unseen = 0;
                self.watch.look(py).inspect_err(|_| self.run.cancel())?;
            }
            match next {
                Poll::Ready(Some(Ok(owned))) => return Ok(Some(Game::new(owned, &self.reading))),
                Poll::Ready(Some(Err(error))) => return Err(unread(&error)),
                Poll::Ready(None) => {
                    self.run.complete();
                    self.watch.show(py)?;
                    return match self.run.stopped_by().filter(|_| self.reading.raises) {
                        Some(message) => Err(game_error(py, message)?),
                        None => Ok(None),
                    };
                }
                Poll::Pending => next = py.detach(|| games.next_within(PATIENCE)),
            }
        }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.run.end();
    }
}

#[pymethods]
impl GameIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        // No lock is held while Python runs.
        let Some(mut state) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Ok(None);
        };
        let next = state.next(py);
        if matches!(next, Ok(Some(_))) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
        } else {
            py.detach(|| drop(state));
        }
        next
    }

    /// Stops the run.
    fn close(&self, py: Python<'_>) {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(state));
    }
}

/// A game. `game["White"]` and `game.get("White")` give the value of a tag.
#[pyclass(frozen, module = "pgn2fen")]
pub(crate) struct Game {
    owned: OwnedGame,
    options: ReplayOptions,
    /// The moves, when they have been asked for.
    read: OnceLock<ReadGame>,
}

struct ReadGame {
    line: Arc<replay::Line>,
    errors: Vec<Message>,
    outcome: Outcome,
}

impl Game {
    fn new(owned: OwnedGame, reading: &Reading) -> Self {
        Self { owned, options: reading.read.replay, read: OnceLock::new() }
    }

    /// Returns the moves. They are played when they are first asked for.
    fn read(&self) -> &ReadGame {
        self.read.get_or_init(|| {
            let mut faults = Vec::new();
            let game = self.owned.game();
            let (line, outcome) = match game.moves_with(&self.options) {
                Ok(mut moves) => {
                    let line = replay::Line::read(&mut moves, &self.owned.encoding(), &mut faults);
                    (line, moves.outcome())
                }
                Err(error) => {
                    faults.push(error);
                    (replay::Line::unplayable(), Outcome::Unknown)
                }
            };
            let errors = self.messages(&faults);
            ReadGame { line: Arc::new(line), errors, outcome }
        })
    }

    fn messages(&self, faults: &[Diagnostic]) -> Vec<Message> {
        let file = FileMessages::new(self.file(), self.owned.encoding());
        let game = self.owned.game();
        let message = |fault: &Diagnostic| {
            let mut fault = fault.clone();
            fault.game = Some(self.owned.number());
            fault.players = players(game.tags());
            messages::Message::new(&file, &fault, self.owned.place(fault.offset)).into()
        };
        faults.iter().map(message).collect()
    }

    /// Returns the value of a tag.
    fn value(&self, name: &str) -> Option<String> {
        let game = self.owned.game();
        let value = game.tags().value(name)?;
        Some(self.owned.encoding().decode(&value.unescape()).into_owned())
    }
}

#[pymethods]
impl Game {
    /// The tags in the order of the file. If a tag is there twice, the last value counts.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        let fallback = self.owned.encoding();
        for tag in self.owned.game().tags().iter() {
            tags.set_item(fallback.decode(tag.name), fallback.decode(&tag.value.unescape()))?;
        }
        Ok(tags)
    }

    /// Returns the value of a tag. Raises `KeyError` if there is no such tag.
    fn __getitem__(&self, name: &str) -> PyResult<String> {
        self.value(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    #[pyo3(signature = (name, default=None))]
    fn get(&self, name: &str, default: Option<String>) -> Option<String> {
        self.value(name).or(default)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.owned.game().tags().value(name).is_some()
    }

    /// The main line, up to the first error in it. It is played when it is first asked for.
    #[getter]
    fn moves(&self) -> Line {
        Line(Arc::clone(&self.read().line))
    }

    /// The result: that of the Result tag, or of the end of the moves if the tag is missing or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        self.read().outcome.as_str()
    }

    /// The errors in the starting position and the moves, those in variations included.
    #[getter]
    fn errors(&self) -> Vec<Message> {
        self.read().errors.clone()
    }

    /// The path of the file.
    #[getter]
    fn file(&self) -> String {
        shown(self.owned.path())
    }

    /// The number of the game in its file, from 1. Games that filters leave out count.
    #[getter]
    fn number(&self) -> u64 {
        self.owned.number()
    }

    /// The line of the file on which the game begins, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.owned.line()
    }

    /// The byte at which the game begins, from 0, in the file or its decoded text.
    #[getter]
    fn offset(&self) -> u64 {
        self.owned.offset()
    }

    /// The game as PGN, as it is written in the file.
    #[getter]
    fn text(&self) -> String {
        self.owned.encoding().decode(&self.owned.to_pgn()).into_owned()
    }

    /// The comments before and between the tags, for `Game.edit`.
    #[getter]
    fn _preface(&self) -> Vec<String> {
        let comments = self.owned.game().comments_among_tags();
        comments.into_iter().map(|comment| self.owned.encoding().decode(comment.0).into_owned()).collect()
    }

    /// Returns the game as one that can be changed and written as PGN.
    fn edit<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pgn2fen._edited")?.getattr("edited")?.call1((slf,))
    }

    fn __repr__(&self) -> String {
        let known = |name| self.value(name).filter(|value| !value.trim_matches(['?', '.']).is_empty());
        let players = match (known("White"), known("Black")) {
            (None, None) => String::new(),
            (white, black) => {
                format!(": {} – {}", white.unwrap_or_else(|| "?".to_owned()), black.unwrap_or_else(|| "?".to_owned()))
            }
        };
        format!("<pgn2fen.Game {} of {}{players}>", self.number(), self.file())
    }
}
