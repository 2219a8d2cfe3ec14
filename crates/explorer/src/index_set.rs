//! The open indexes of a server. They are opened again when they have changed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::answer::Answer;
use crate::filter::Filter;
use crate::message::Message;
use crate::open_index::OpenIndex;
use crate::refusal::Refusal;
use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_chess::position::Position;
use pgn2fen_index::{IndexError, Lists, Recent};

/// The least time between two looks at the manifests.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The size of an answer in the cache besides its question and its lists, about, in bytes.
const ENTRY: usize = 64;

/// The open indexes at some time, and the answers that they gave.
#[derive(Debug)]
pub(super) struct IndexSet {
    pub(super) indexes: Vec<Arc<OpenIndex>>,
    /// The answers by their questions.
    answers: Recent<String, Arc<Answer>>,
}

/// The indexes of the server, and those that are open now. A request that began with an older set ends with it, and
/// then its files are closed.
#[derive(Debug)]
pub(super) struct Indexes {
    folders: Vec<PathBuf>,
    /// The memory for answers, and the memory for texts of games, in bytes.
    cache: usize,
    current: RwLock<Arc<IndexSet>>,
    /// The time of the last look, and the reason why the last try to open an index again failed.
    looked: Mutex<(Instant, Option<String>)>,
}

impl IndexSet {
    fn new(indexes: Vec<Arc<OpenIndex>>, cache: usize) -> Self {
        Self { indexes, answers: Recent::new(cache) }
    }

    /// Returns the answer for a position, from the cache if it is there.
    ///
    /// # Errors
    ///
    /// Fails if an index cannot be read, or if `is_stopped` returned true.
    pub(super) fn answer(
        &self,
        position: &Position,
        filter: &Filter,
        lists: Lists,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Arc<Answer>, Refusal> {
        let style = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
        let question = format!("{} {lists:?} {filter}", fen::to_string(position, style));
        if let Some(answer) = self.answers.get(question.as_str()) {
            return Ok(answer);
        }
        let answer = Arc::new(Answer::find(&self.indexes, position, filter, lists, is_stopped)?);
        let bytes = ENTRY + question.len() + answer.weight();
        self.answers.add(question, Arc::clone(&answer), bytes);
        Ok(answer)
    }
}

impl Indexes {
    /// Opens the indexes in these folders.
    ///
    /// # Errors
    ///
    /// Fails if there is no index in a folder, or if it cannot be read.
    pub(super) fn open(folders: Vec<PathBuf>, cache: usize) -> Result<Self, IndexError> {
        let each = cache / folders.len().max(1);
        let open = |folder: &PathBuf| OpenIndex::open(folder, each).map(Arc::new);
        let indexes = folders.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let current = RwLock::new(Arc::new(IndexSet::new(indexes, cache)));
        Ok(Self { folders, cache, current, looked: Mutex::new((Instant::now(), None)) })
    }

    /// Returns the open indexes. If one has changed, it is opened again first; meanwhile, other threads get the
    /// old set.
    pub(super) fn current(&self, report: &dyn Fn(Message)) -> Arc<IndexSet> {
        if let Ok(mut looked) = self.looked.try_lock()
            && looked.0.elapsed() >= LOOK_EVERY
        {
            self.look(&mut looked.1, report);
            looked.0 = Instant::now();
        }
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn look(&self, failure: &mut Option<String>, report: &dyn Fn(Message)) {
        let old = Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner));
        if !old.indexes.iter().any(|opened| opened.index.is_outdated()) {
            *failure = None;
            return;
        }
        let mut indexes = Vec::new();
        for (opened, folder) in old.indexes.iter().zip(&self.folders) {
            if !opened.index.is_outdated() {
                indexes.push(Arc::clone(opened));
                continue;
            }
            match OpenIndex::open(folder, self.cache / self.folders.len()) {
                Ok(opened) => {
                    report(Message::Reopened { folder: folder.clone(), games: opened.index.game_count() });
                    indexes.push(Arc::new(opened));
                }
                Err(error) => {
                    // The same failure is reported once.
                    let reason = error.to_string();
                    if failure.as_ref() != Some(&reason) {
                        report(Message::NotReopened { reason: reason.clone() });
                        *failure = Some(reason);
                    }
                    indexes.push(Arc::clone(opened));
                }
            }
        }
        let has_changed = indexes.iter().zip(&old.indexes).any(|(new, old)| !Arc::ptr_eq(new, old));
        if has_changed {
            let set = Arc::new(IndexSet::new(indexes, self.cache));
            *self.current.write().unwrap_or_else(PoisonError::into_inner) = set;
        }
    }
}
