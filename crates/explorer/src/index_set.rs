//! The open indexes of a server. They are opened again when they have changed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::answer::Answer;
use crate::database::{self, Database};
use crate::filter::Filter;
use crate::hot;
use crate::kept::Kept;
use crate::message::Message;
use crate::names::Names;
use crate::open_index::OpenIndex;
use crate::parameters::Parameters;
use crate::question::{LISTS, question};
use crate::refusal::Refusal;
use pgn2fen_chess::position::Position;
use pgn2fen_games::players::Players;
use pgn2fen_index::{Catalogue, IndexError, Lists, Recent};

/// The least time between two looks at the manifests.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The size of an answer in the cache besides its question and its lists, about, in bytes.
const ENTRY: usize = 64;

/// The open indexes at some time, and the answers that they gave.
#[derive(Debug)]
pub(super) struct IndexSet {
    pub(super) indexes: Vec<Arc<OpenIndex>>,
    /// The names of the indexes, as databases of the server.
    pub(super) names: Vec<String>,
    /// The players under several names.
    pub(super) known_players: Players,
    /// The names of the players, and the starting positions, of several indexes together.
    players: Kept<Names>,
    starts: Kept<Catalogue>,
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
    known_players: Players,
    current: RwLock<Arc<IndexSet>>,
    /// The time of the last look, and the reason why the last try to open an index again failed.
    looked: Mutex<(Instant, Option<String>)>,
}

impl IndexSet {
    fn new(indexes: Vec<Arc<OpenIndex>>, cache: usize, known_players: Players) -> Self {
        let names = database::names(indexes.iter().map(|opened| opened.index.folder()));
        let (players, starts, answers) = (Kept::default(), Kept::default(), Recent::new(cache));
        Self { indexes, names, known_players, players, starts, answers }
    }

    /// Returns the database that a request names.
    ///
    /// # Errors
    ///
    /// Refuses a name that no database has.
    pub(super) fn database(&self, parameters: &Parameters) -> Result<Database, Refusal> {
        Database::read(parameters, &self.names)
    }

    /// Returns the indexes of a database.
    pub(super) fn indexes_of(&self, database: Database) -> impl Iterator<Item = &Arc<OpenIndex>> {
        self.indexes.iter().enumerate().filter(move |(at, _)| database.has(*at)).map(|(_, opened)| opened)
    }

    /// Returns the names of the players of a database.
    ///
    /// # Errors
    ///
    /// Fails if an index cannot be read, or if `is_stopped` returned true.
    pub(super) fn players(&self, database: Database, is_stopped: &dyn Fn() -> bool) -> Result<Arc<Names>, Refusal> {
        let of = |opened: &Arc<OpenIndex>| opened.players(&self.known_players, is_stopped)?.ok_or_else(Refusal::late);
        self.one_or_all(database, &self.players, of, |all| {
            Names::new(Catalogue::sum(all.iter().map(|names| names.catalogue())))
        })
    }

    /// Returns the starting positions of a database other than the initial one.
    ///
    /// # Errors
    ///
    /// Fails if an index cannot be read, or if `is_stopped` returned true.
    pub(super) fn starts(&self, database: Database, is_stopped: &dyn Fn() -> bool) -> Result<Arc<Catalogue>, Refusal> {
        let of = |opened: &Arc<OpenIndex>| opened.starts(is_stopped)?.ok_or_else(Refusal::late);
        self.one_or_all(database, &self.starts, of, |all| Catalogue::sum(all.iter().map(|starts| &**starts)))
    }

    /// Returns a value of the one index of a database, or that of all indexes, which is kept.
    fn one_or_all<T>(
        &self,
        database: Database,
        kept: &Kept<T>,
        of: impl Fn(&Arc<OpenIndex>) -> Result<Arc<T>, Refusal>,
        sum: impl Fn(&[Arc<T>]) -> T,
    ) -> Result<Arc<T>, Refusal> {
        let mut indexes = self.indexes_of(database);
        if let (Some(one), None) = (indexes.next(), indexes.next()) {
            return of(one);
        }
        let all = kept.get(|| {
            let all = self.indexes.iter().map(of).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Refusal>(Some(sum(&all)))
        });
        all?.ok_or_else(Refusal::late)
    }

    /// Returns the answer of a database for a position, from the cache if it is there. It has lists of at least so many
    /// games.
    ///
    /// # Errors
    ///
    /// Fails if an index cannot be read, or if `is_stopped` returned true.
    pub(super) fn answer(
        &self,
        database: Database,
        position: &Position,
        filter: &Filter,
        lists: Lists,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Arc<Answer>, Refusal> {
        // Small lists share an answer.
        let least = LISTS;
        let lists = Lists { best: lists.best.max(least.best), recent: lists.recent.max(least.recent) };
        let question = format!("{} {database:?} {lists:?} {filter}", question(position));
        if let Some(answer) = self.answers.get(question.as_str()) {
            return Ok(answer);
        }
        let answer = Arc::new(Answer::find(&self.indexes, database, position, filter, lists, is_stopped)?);
        let bytes = ENTRY + question.len() + answer.weight();
        self.answers.add(question, Arc::clone(&answer), bytes);
        Ok(answer)
    }
}

impl Indexes {
    /// Opens the indexes in these folders. The known players are found under all their names.
    ///
    /// # Errors
    ///
    /// Fails if there is no index in a folder, or if it cannot be read.
    pub(super) fn open(folders: Vec<PathBuf>, cache: usize, known_players: Players) -> Result<Self, IndexError> {
        let each = page_bytes(cache, folders.len());
        let open = |folder: &PathBuf| OpenIndex::open(folder, each).map(Arc::new);
        let indexes = folders.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        indexes.iter().for_each(hot::prepare);
        let current = RwLock::new(Arc::new(IndexSet::new(indexes, cache, known_players.clone())));
        Ok(Self { folders, cache, known_players, current, looked: Mutex::new((Instant::now(), None)) })
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
            match OpenIndex::open(folder, page_bytes(self.cache, self.folders.len())) {
                Ok(opened) => {
                    report(Message::Reopened { folder: folder.clone(), games: opened.index.game_count() });
                    let opened = Arc::new(opened);
                    hot::prepare(&opened);
                    indexes.push(opened);
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
            let set = Arc::new(IndexSet::new(indexes, self.cache, self.known_players.clone()));
            *self.current.write().unwrap_or_else(PoisonError::into_inner) = set;
        }
    }
}

/// Returns the memory for the texts of the games of each of several indexes, in bytes.
fn page_bytes(cache: usize, indexes: usize) -> usize {
    cache.saturating_mul(2) / indexes.max(1)
}
