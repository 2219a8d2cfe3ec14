//! The text of games that an index found, which another thread reads ahead.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pgn2fen_index::{Index, IndexError, QueryWarning};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{PyRef, PyResult, Python, pyclass, pymethods};

use crate::errors::of_index;
use crate::question::{Asked, Line};
use crate::watch::PATIENCE;

/// The number of games that are read ahead.
const AHEAD: usize = 64;

/// An item that the thread that reads games sends.
enum Item {
    Game(String),
    Message(String),
    Failed(IndexError),
    End,
}

/// An iterator over the text of games, which another thread reads ahead. It gives pairs of a text, or None, and a
/// message, or None.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct GameTexts {
    items: Mutex<Option<Receiver<Item>>>,
    is_dropped: Arc<AtomicBool>,
}

impl GameTexts {
    pub(crate) fn new(index: Arc<Index>, mut asked: Asked) -> PyResult<Self> {
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
    let report = |trouble: &QueryWarning| {
        // Without a receiver, the next game ends the loop.
        let _ = sender.send(Item::Message(trouble.to_string()));
    };
    let Ok(query) = asked.query(index, report) else {
        return Ok(());
    };
    let mut query = query.stop_if(|| stop.load(Ordering::Relaxed));
    let send = |game: u64, text: Option<Vec<u8>>| {
        text.is_none_or(|text| sender.send(Item::Game(index.decode(game, text))).is_ok())
    };
    match &asked.subjects[..] {
        [None] => {
            let mut games = query.all_games();
            while let Some(found) = games.next().transpose()? {
                let text = games.text(found.game)?;
                if !send(found.game, text) {
                    break;
                }
            }
            return Ok(());
        }
        [Some(Line { position, .. })] => {
            let mut games = query.games(position)?;
            while let Some(game) = games.next().transpose()? {
                let text = games.text(game)?;
                if !send(game, text) {
                    break;
                }
            }
            return Ok(());
        }
        _ => {}
    }
    let mut found = BTreeSet::new();
    for Line { position, .. } in asked.subjects.iter().flatten() {
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
