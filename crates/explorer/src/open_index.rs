//! An open index with what is kept in memory to answer fast.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::filter::{Filter, TextFilter};
use crate::kept::Kept;
use crate::kept_surveys::Hot;
use crate::names::Names;
use crate::question::{LISTS, question};
use crate::refusal::Refusal;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::players::Players;
use pgn2fen_index::{
    Catalogue, GameColumn, GameKinds, GameSummaries, Index, IndexError, Lists, PageCache, Summary, Survey, TableAccess,
};

/// The number of filters on texts whose results are kept for each index.
const MOST_MEMOS: usize = 8;

/// The greatest numbers of different names of players and of different starting positions that are kept.
const MOST_NAMES: usize = 1_000_000;
const MOST_STARTS: usize = 100_000;

/// An open index, and the summaries of its games.
#[derive(Debug)]
pub(super) struct OpenIndex {
    pub(super) index: Index,
    summaries: GameSummaries,
    /// The speeds and starts of the games. They are read for the first filter on them.
    kinds: OnceLock<GameKinds>,
    pages: PageCache,
    /// The results of filters on texts, the last used one at the end.
    memos: Mutex<Vec<(String, Arc<Memo>)>>,
    /// The first and the last year of the games.
    pub(super) years: Option<(u32, u32)>,
    pub(super) has_ratings: bool,
    /// The number of games of chess that do not start from the initial position.
    pub(super) other_starts: u64,
    pub(super) hot: Hot,
    players: Kept<Names>,
    starts: Kept<Catalogue>,
}

/// The games that pass a filter on texts, as far as they have been looked at: two bits a game.
#[derive(Debug)]
struct Memo {
    words: Vec<[AtomicU64; 2]>,
}

impl OpenIndex {
    /// Opens an index. `page_bytes` is the size of the cache for the texts of games.
    ///
    /// # Errors
    ///
    /// Fails if there is no index, or if it cannot be read.
    pub(super) fn open(folder: &Path, page_bytes: usize) -> Result<Self, IndexError> {
        // A server goes on for weeks, whatever becomes of the files. An answer over HTTP takes a few per cent longer.
        let index = Index::open_with(folder, TableAccess::Read)?;
        let summaries = index.summaries()?;
        let of_year = |years: Option<(u32, u32)>, year: u32| {
            let (first, last) = years.unwrap_or((year, year));
            Some((first.min(year), last.max(year)))
        };
        let years = summaries.iter().filter_map(Summary::month).map(|(year, _)| year).fold(None, of_year);
        let has_ratings = summaries.iter().any(|game| game.double_mean().is_some());
        let rules = index.rules()?;
        let first = index.files().next().map_or(1, |file| file.games().start);
        let is_chess = |game| rules.of(game) == Rules::Chess;
        let has_other_start = |(game, summary): &(u64, Summary)| summary.has_other_start() && is_chess(*game);
        let other_starts = (first..).zip(summaries.iter()).filter(has_other_start).count() as u64;
        Ok(Self {
            index,
            summaries,
            kinds: OnceLock::new(),
            pages: PageCache::new(page_bytes),
            memos: Mutex::default(),
            years,
            has_ratings,
            other_starts,
            hot: Hot::default(),
            players: Kept::default(),
            starts: Kept::default(),
        })
    }

    /// Returns a text from a column of a game.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(super) fn text(&self, game: u64, column: GameColumn) -> Result<Option<String>, IndexError> {
        self.pages.text(&self.index, game, column)
    }

    /// Surveys a position in the games that pass a filter. Returns None if it was stopped.
    ///
    /// # Errors
    ///
    /// Refuses filters on tags that the index does not keep, and fails if the index cannot be read.
    pub(super) fn survey(
        &self,
        position: &Position,
        filter: &Filter,
        lists: Lists,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Arc<Survey>>, Refusal> {
        if filter.takes_all()
            && lists == LISTS
            && let Some(survey) = self.hot.get(&question(position))
        {
            return Ok(Some(survey));
        }
        Ok(self.survey_from_tables(position, filter, lists, is_stopped)?.map(Arc::new))
    }

    /// Surveys a position, also if its survey is kept. See [`survey`](Self::survey).
    pub(super) fn survey_from_tables(
        &self,
        position: &Position,
        filter: &Filter,
        lists: Lists,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Survey>, Refusal> {
        let of_kind = filter.kinds();
        let kinds = if of_kind.takes_all() { None } else { Some(self.kinds()?) };
        let is_of_kind = |game| kinds.is_none_or(|kinds| of_kind.passes(kinds, game));
        let texts = filter.texts();
        if texts.takes_all() {
            let mut passes = |game, summary| Ok(filter.passes(summary) && is_of_kind(game));
            return Ok(self.index.survey(position, &self.summaries, &mut passes, lists, is_stopped)?);
        }
        let (texts, memo) = (texts.of_index(&self.index)?, self.memo(texts));
        let mut reader = self.index.games();
        let mut passes = |game, summary| {
            Ok(filter.passes(summary)
                && is_of_kind(game)
                && memo.passes(game, || texts.passes(|column| Ok(reader.text(game, column)?.map(str::to_owned))))?)
        };
        Ok(self.index.survey(position, &self.summaries, &mut passes, lists, is_stopped)?)
    }

    /// Returns the speeds and starts of the games.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(super) fn kinds(&self) -> Result<&GameKinds, IndexError> {
        match self.kinds.get() {
            Some(kinds) => Ok(kinds),
            None => {
                // Another thread may have read them at the same time.
                let kinds = self.index.game_kinds()?;
                Ok(self.kinds.get_or_init(|| kinds))
            }
        }
    }

    /// Returns the names of the players; the main names of those who are `known`. Returns None if it was stopped.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(super) fn players(
        &self,
        known: &Players,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Arc<Names>>, IndexError> {
        let main = |names: Catalogue| match known.is_empty() {
            true => names,
            false => names.iter().map(|(name, games)| (known.name_of(name, None).to_owned(), games)).collect(),
        };
        self.players.get(|| Ok(self.index.players(MOST_NAMES, is_stopped)?.map(main).map(Names::new)))
    }

    /// Returns the starting positions of games of chess other than the initial one. Returns None if it was stopped.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(super) fn starts(&self, is_stopped: &dyn Fn() -> bool) -> Result<Option<Arc<Catalogue>>, IndexError> {
        self.starts.get(|| self.index.starts(MOST_STARTS, is_stopped))
    }

    fn memo(&self, filter: &TextFilter) -> Arc<Memo> {
        let name = filter.name();
        let mut memos = self.memos.lock().unwrap_or_else(PoisonError::into_inner);
        let known = memos.iter().position(|(known, _)| *known == name).map(|at| memos.remove(at));
        let entry = known.unwrap_or_else(|| (name, Arc::new(Memo::new(self.index.game_count()))));
        let memo = Arc::clone(&entry.1);
        if memos.len() == MOST_MEMOS {
            memos.remove(0);
        }
        memos.push(entry);
        memo
    }
}

impl Memo {
    fn new(games: u64) -> Self {
        let words = usize::try_from(games / 64 + 1).unwrap_or(0);
        Self { words: std::iter::repeat_with(<[AtomicU64; 2]>::default).take(words).collect() }
    }

    /// Whether a game passes. `find_out` is called if it is not known yet.
    fn passes(&self, game: u64, find_out: impl FnOnce() -> Result<bool, IndexError>) -> Result<bool, IndexError> {
        let word = usize::try_from(game / 64).ok().and_then(|at| self.words.get(at));
        let Some([known, passing]) = word else {
            return find_out();
        };
        let bit = 1u64 << (game % 64);
        if known.load(Ordering::Acquire) & bit == 0 {
            if find_out()? {
                passing.fetch_or(bit, Ordering::Relaxed);
            }
            known.fetch_or(bit, Ordering::Release);
        }
        Ok(passing.load(Ordering::Relaxed) & bit != 0)
    }
}
